//! `textDocument/inlayHint`: words shown within the lines. Their tooltips come by
//! `inlayHint/resolve` where the client fetches them when somebody looks.

use serde_json::{Value, json};
use source::TextRange;
use tower_lsp::jsonrpc::{Error, Result as Answered};
use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintParams};

use super::{DocumentRequest, EmptyResponse, Stop};
use crate::lsp::tasks::bring_includes;
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

impl DocumentRequest for InlayHintParams {
    type Answer = Option<Vec<InlayHint>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        // A client that asks before the inputs of a run were read would keep none.
        bring_includes(context)?;
        let lines = context.lines()?;
        let range = from_protocol::range(&lines, self.range);
        let hints = context.snapshot.inlay_hints(context.file, range, &context.inlay_hints)?;
        let hints = hints.into_iter().map(|hint| {
            let mut hint = to_protocol::inlay_hint(&lines, hint);
            if context.client.resolves_hints && hint.tooltip.take().is_some() {
                hint.data = Some(json!({ "uri": context.uri, "version": context.version }));
            }
            hint
        });
        Ok(Some(context.listed("inlay hints", hints)))
    }
}

impl DocumentRequest for InlayHint {
    type Answer = InlayHint;

    fn compute(&self, context: &Context) -> Result<InlayHint, Stop> {
        let version = self.data.as_ref().and_then(|data| data.get("version")?.as_i64());
        if version != Some(context.version.into()) {
            return Err(Stop::Refused(Error::content_modified()));
        }
        let (lines, offset) = context.at(self.position)?;
        let here = TextRange::empty(offset);
        let hints = context.snapshot.inlay_hints(context.file, here, &context.inlay_hints)?;
        let hints = hints.into_iter().map(|hint| to_protocol::inlay_hint(&lines, hint));
        let is_it = |hint: &InlayHint| hint.position == self.position && same(hint, self);
        let tooltip = hints.into_iter().find(is_it).and_then(|hint| hint.tooltip);
        Ok(InlayHint { tooltip, ..self.clone() })
    }

    fn nothing(&self) -> Answered<InlayHint> {
        Ok(self.clone())
    }
}

/// Of several hints at a place the words tell which is meant.
fn same(left: &InlayHint, right: &InlayHint) -> bool {
    match (&left.label, &right.label) {
        (InlayHintLabel::String(left), InlayHintLabel::String(right)) => left == right,
        _ => false,
    }
}

impl EmptyResponse for InlayHint {
    fn nothing() -> InlayHint {
        InlayHint {
            position: tower_lsp::ls_types::Position::default(),
            label: InlayHintLabel::String(String::new()),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: Some(Value::Null),
        }
    }
}

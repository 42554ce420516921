//! `textDocument/inlayHint`: words shown within the lines. Their tooltips come by
//! `inlayHint/resolve` where the client fetches them when somebody looks.

use source::TextRange;
use tower_lsp::ls_types::{InlayHint, InlayHintParams};

use super::resolving::{self, Placed};
use super::{DocumentRequest, Stop};
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
        let hints = context.snapshot.inlay_hints(
            context.file,
            range,
            &context.configuration.inlay_hints,
        )?;
        let hints = hints.into_iter().map(|hint| {
            let mut hint = to_protocol::inlay_hint(&lines, hint);
            if context.client.resolves_hints && hint.tooltip.take().is_some() {
                hint.data = resolving::keep(context, Placed {});
            }
            hint
        });
        Ok(Some(context.listed("inlay hints", hints)))
    }
}

impl DocumentRequest for InlayHint {
    type Answer = Option<InlayHint>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        resolving::kept::<Placed>(context, self.data.as_ref())?;
        let (lines, offset) = context.at(self.position)?;
        let here = TextRange::empty(offset);
        let hints =
            context.snapshot.inlay_hints(context.file, here, &context.configuration.inlay_hints)?;
        // A place has one hint.
        let hint = hints.into_iter().next().map(|hint| to_protocol::inlay_hint(&lines, hint));
        let tooltip = hint.and_then(|hint| hint.tooltip);
        Ok(Some(InlayHint { tooltip, ..self.clone() }))
    }
}

//! `textDocument/inlayHint`: words shown within the lines.

use tower_lsp::ls_types::{InlayHint, InlayHintParams};

use super::{DocumentRequest, Stop};
use crate::lsp::errands::bring_includes;
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
        let hints = hints.into_iter();
        Ok(Some(hints.map(|hint| to_protocol::inlay_hint(&lines, hint)).collect()))
    }
}

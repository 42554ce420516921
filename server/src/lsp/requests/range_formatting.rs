//! `textDocument/rangeFormatting`: the statements that a range touches.

use engine::ide::FormatScope;
use tower_lsp::ls_types::{DocumentRangeFormattingParams, TextEdit};

use super::{DocumentRequest, Stop};
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

impl DocumentRequest for DocumentRangeFormattingParams {
    type Answer = Option<Vec<TextEdit>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let scope = FormatScope::Range(from_protocol::range(&lines, self.range));
        let edits = context.snapshot.formatting(context.file, &context.format, scope)?;
        Ok(Some(to_protocol::edits(&lines, &edits)))
    }
}

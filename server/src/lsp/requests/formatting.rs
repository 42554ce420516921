//! `textDocument/formatting`: the whole document. The layout of the language is
//! fixed, so the options about tabs say nothing here.

use engine::ide::FormatScope;
use tower_lsp::ls_types::{DocumentFormattingParams, TextEdit};

use super::{DocumentRequest, Stop};
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for DocumentFormattingParams {
    type Answer = Option<Vec<TextEdit>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let edits =
            context.snapshot.formatting(context.file, &context.format, FormatScope::Whole)?;
        Ok(Some(to_protocol::edits(&lines, &edits)))
    }
}

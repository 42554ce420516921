//! `tungsten/expandMacro`: what a macro call or repetition expands to.

use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::Uri;

use super::{Aim, DocumentRequest, Stop};
use crate::lsp::extensions::{ExpandMacroParams, ExpandedMacro};
use crate::lsp::from_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for ExpandMacroParams {
    type Answer = Option<ExpandedMacro>;

    fn aim(&self) -> Aim {
        Aim::Place
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let offset = from_protocol::offset(&lines, self.position);
        let text = context.snapshot.expanded(context.file, offset)?;
        Ok(text.map(|text| ExpandedMacro { text }))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}

//! `textDocument/codeLens`: figures above each shader.

use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{CodeLens, CodeLensParams, Uri};

use super::{Aim, DocumentRequest, Stop};
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for CodeLensParams {
    type Answer = Option<Vec<CodeLens>>;

    fn aim(&self) -> Aim {
        Aim::Document
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lenses = context.snapshot.code_lenses(context.file)?;
        let lines = context.lines()?;
        let lenses = lenses.into_iter();
        Ok(Some(lenses.map(|lens| to_protocol::code_lens(&lines, &context.uri, lens)).collect()))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}

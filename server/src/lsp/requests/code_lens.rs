//! `textDocument/codeLens`: figures above each shader.

use tower_lsp::ls_types::{CodeLens, CodeLensParams};

use super::{DocumentRequest, Stop};
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for CodeLensParams {
    type Answer = Option<Vec<CodeLens>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lenses = context.snapshot.code_lenses(context.file)?;
        let lines = context.lines()?;
        let lenses = lenses.into_iter();
        Ok(Some(lenses.map(|lens| to_protocol::code_lens(&lines, &context.uri, lens)).collect()))
    }
}

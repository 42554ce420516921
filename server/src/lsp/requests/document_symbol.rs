//! `textDocument/documentSymbol`: the outline.

use tower_lsp::ls_types::{DocumentSymbolParams, DocumentSymbolResponse};

use super::{DocumentRequest, Stop};
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for DocumentSymbolParams {
    type Answer = Option<DocumentSymbolResponse>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let symbols = context.snapshot.symbols(context.file)?;
        let lines = context.lines()?;
        let symbols = symbols.into_iter().map(|symbol| to_protocol::symbol(&lines, symbol));
        Ok(Some(DocumentSymbolResponse::Nested(symbols.collect())))
    }
}

//! `textDocument/documentLink`: the names in `.include` lead to the files.

use std::str::FromStr;

use tower_lsp::jsonrpc::Result as Answered;
use tower_lsp::ls_types::{DocumentLink, DocumentLinkParams, Uri};

use super::{Aim, DocumentRequest, Stop};
use crate::lsp::workers::Context;

impl DocumentRequest for DocumentLinkParams {
    type Answer = Option<Vec<DocumentLink>>;

    fn aim(&self) -> Aim {
        Aim::Document
    }

    fn document(&self) -> Option<Uri> {
        Some(self.text_document.uri.clone())
    }

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let mut links = Vec::new();
        for (range, file) in context.snapshot.includes(context.file)? {
            let Ok(target) = Uri::from_str(&context.snapshot.name(file)?) else { continue };
            links.push(DocumentLink {
                range: lines.range(range),
                target: Some(target),
                tooltip: None,
                data: None,
            });
        }
        Ok(Some(links))
    }

    fn nothing(&self) -> Answered<Self::Answer> {
        Ok(None)
    }
}

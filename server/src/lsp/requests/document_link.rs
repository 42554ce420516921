//! `textDocument/documentLink`: the names in `.include` lead to the files, and codes that
//! a comment allows to their pages.

use std::str::FromStr;

use tower_lsp::ls_types::{DocumentLink, DocumentLinkParams, Uri};

use super::{DocumentRequest, Stop};
use crate::lsp::page_documents;
use crate::lsp::workers::Context;

impl DocumentRequest for DocumentLinkParams {
    type Answer = Option<Vec<DocumentLink>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let mut links = Vec::new();
        let includes = context.snapshot.includes(context.file)?;
        for (range, file) in context.listed("links", includes) {
            let Ok(target) = Uri::from_str(&context.snapshot.name(file)?) else { continue };
            links.push(DocumentLink {
                range: lines.range(range),
                target: Some(target),
                tooltip: None,
                data: None,
            });
        }
        if context.client.text_document_content {
            let codes = context.snapshot.allowed_codes(context.file)?;
            for (range, code) in context.listed("links", codes) {
                if engine::explain(&code).is_none() {
                    continue;
                }
                links.push(DocumentLink {
                    range: lines.range(range),
                    target: page_documents::uri(&code),
                    tooltip: Some(format!("What `{code}` means")),
                    data: None,
                });
            }
        }
        Ok(Some(links))
    }
}

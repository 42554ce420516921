//! `workspace/textDocumentContent`: compiled code and its other views as virtual documents.

use tower_lsp::jsonrpc::{Error, Result as Answered};
use tower_lsp::ls_types::Uri;

use super::{DocumentRequest, EmptyResponse, Stop};
use crate::lsp::compiled_documents::ViewKey;
use crate::lsp::extensions::{TextDocumentContentParams, TextDocumentContentResult};
use crate::lsp::mailbox::Event;
use crate::lsp::workers::Context;

impl DocumentRequest for TextDocumentContentParams {
    type Answer = TextDocumentContentResult;

    fn compute(&self, context: &Context) -> Result<TextDocumentContentResult, Stop> {
        let Some(key) = ViewKey::parse(&self.uri) else {
            return Err(Stop::Refused(not_ours(&self.uri)));
        };
        let view = key.look(&context.snapshot, context.file)?;
        context.mailbox.post(Event::ViewShown(key, view.as_ref().map(|view| view.hash)));
        Ok(TextDocumentContentResult { text: view.map(|view| view.text).unwrap_or_default() })
    }

    fn nothing(&self) -> Answered<TextDocumentContentResult> {
        match ViewKey::parse(&self.uri) {
            Some(_) => Ok(EmptyResponse::nothing()),
            None => Err(not_ours(&self.uri)),
        }
    }
}

impl EmptyResponse for TextDocumentContentResult {
    fn nothing() -> Self {
        TextDocumentContentResult { text: String::new() }
    }
}

fn not_ours(uri: &Uri) -> Error {
    Error::invalid_params(format!("{} names no compiled code", uri.as_str()))
}

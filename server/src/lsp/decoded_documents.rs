//! Files of binary tokens as virtual documents: which file a URI means, and
//! the text that stands for it.
//!
//! The file is read here and not by the client, so that every client gets the
//! same text, and the era of the tokens is found out in one place.

use std::path::PathBuf;
use std::str::FromStr;

use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::Uri;

use super::compiled_documents::percent_decode;
use super::extensions::{TOKENS_SCHEME, TextDocumentContentResult};
use crate::token_files;

/// The protocol's code for a request that makes sense and could not be done.
const REQUEST_FAILED: i64 = -32803;

/// Whether a document is the text of a file of tokens.
pub(crate) fn is_of_tokens(uri: &Uri) -> bool {
    uri.scheme().as_str().eq_ignore_ascii_case(TOKENS_SCHEME)
}

/// The text of such a document. Reading and decoding happen on a thread of
/// their own: a disk may be slow.
pub(crate) async fn content(uri: &Uri) -> Result<TextDocumentContentResult> {
    let Some(path) = file_of(uri) else {
        let message = format!("{} names no file of tokens", uri.as_str());
        return Err(Error::invalid_params(message));
    };
    let read = tokio::task::spawn_blocking(move || token_files::read(&path));
    match read.await.map_err(|_| Error::internal_error())? {
        Ok(opened) => Ok(TextDocumentContentResult { text: opened.text }),
        Err(message) => Err(Error {
            code: ErrorCode::ServerError(REQUEST_FAILED),
            message: message.into(),
            data: None,
        }),
    }
}

/// The file behind a URI. Files of other names are not given away.
fn file_of(uri: &Uri) -> Option<PathBuf> {
    let source = percent_decode(uri.query()?.as_str())?;
    let source = Uri::from_str(&source).ok()?;
    if !source.scheme().as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    let path = source.to_file_path()?.into_owned();
    token_files::is_token_file(&path).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_tokens_are_named() {
        let file = |uri: &str| file_of(&Uri::from_str(uri).unwrap());
        let found = file("tungsten-tokens:/a.tgsib.tgsi?file%3A%2F%2F%2Fdir%2Fa%2520b.tgsib");
        assert_eq!(found, Some(PathBuf::from("/dir/a b.tgsib")));
        for uri in [
            "tungsten-tokens:/a.tgsib.tgsi",
            "tungsten-tokens:/a.tgsib.tgsi?%FF",
            "tungsten-tokens:/a.tgsib.tgsi?file%3A%2F%2F%2Fetc%2Fpasswd",
            "tungsten-tokens:/a.tgsib.tgsi?http%3A%2F%2Fa%2Fb.tgsib",
        ] {
            assert_eq!(file(uri), None, "{uri}");
            assert!(is_of_tokens(&Uri::from_str(uri).unwrap()));
        }
        assert!(!is_of_tokens(&Uri::from_str("file:///a.tgsib").unwrap()));
    }
}

//! Files of bytes as virtual documents: which file a URI means, and the text that
//! stands for it.
//!
//! The file is read here and not by the client, so that every client gets the
//! same text, and the era of tokens or the chip of code is found out in one place.

use std::borrow::Cow;
use std::path::PathBuf;
use std::str::FromStr;

use tokio::sync::Semaphore;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{LSPAny, Uri};

use super::compiled_documents::{has_scheme, percent_decode};
use super::extensions::TextDocumentContentResult;
use super::requests::failed;
use crate::decoded_files::{self, Decoder, Wish};
use crate::files::Access;
use crate::limits::FILES_READ_AT_ONCE;

/// The one who reads now; all others wait without a thread.
static TURNS: Semaphore = Semaphore::const_new(FILES_READ_AT_ONCE);

/// The text of such a document. Reading and decoding happen on a thread of
/// their own: a disk may be slow.
pub(crate) async fn content(uri: &Uri, access: Access) -> Result<TextDocumentContentResult> {
    let Some(Decoded { decoder, path, wish }) = Decoded::of(uri) else {
        let message = format!("{} names no file that is shown as text", uri.as_str());
        return Err(Error::invalid_params(message));
    };
    let text = read(move || decoder.text(&path, &access, &wish)).await?;
    Ok(TextDocumentContentResult { text })
}

/// The code objects of a file, or of the file that a document shows: their numbers, names, sizes
/// and kinds.
pub(crate) async fn code_objects(uri: &str, access: Access) -> Result<LSPAny> {
    let uri = Uri::from_str(uri).map_err(|_| Error::invalid_params("not a URI"))?;
    let path = match Decoded::of(&uri) {
        Some(Decoded { path, .. }) => Some(path),
        None if has_scheme(&uri, "file") => uri.to_file_path().map(Cow::into_owned),
        None => None,
    };
    let Some(path) = path else {
        return Err(Error::invalid_params(format!("{} names no file", uri.as_str())));
    };
    let found = read(move || decoded_files::code_objects(&path, &access)).await?;
    serde_json::to_value(found).map_err(|_| Error::internal_error())
}

/// Reads a file on a thread of its own, when there is one free: a disk that does not answer holds
/// threads, and the rest of the server needs some too.
async fn read<T: Send + 'static, E: ToString + Send + 'static>(
    file: impl FnOnce() -> std::result::Result<T, E> + Send + 'static,
) -> Result<T> {
    let _turn = TURNS.acquire().await.map_err(|_| Error::internal_error())?;
    let read = tokio::task::spawn_blocking(file).await.map_err(|_| Error::internal_error())?;
    read.map_err(failed)
}

/// The file behind a URI, and how it is read.
#[derive(Debug, PartialEq, Eq)]
struct Decoded {
    decoder: Decoder,
    path: PathBuf,
    wish: Wish,
}

impl Decoded {
    /// Files of any name are read as code where the document's name says so: nothing is given
    /// away of a file that holds none.
    fn of(uri: &Uri) -> Option<Decoded> {
        let source = percent_decode(uri.query()?.as_str())?;
        let source = Uri::from_str(&source).ok()?;
        if !has_scheme(&source, "file") {
            return None;
        }
        let entry = match source.fragment() {
            Some(number) => Some(number.as_str().parse().ok()?),
            None => None,
        };
        let path = source.to_file_path()?.into_owned();
        let is_code = uri.path().as_str().ends_with(".gcn");
        let decoder = Decoder::of(&path).or(is_code.then_some(Decoder::Code))?;
        Some(Decoded { decoder, path, wish: Wish { entry, ..Wish::default() } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::extensions::DECODED_SCHEME;

    #[test]
    fn only_files_of_known_names_are_read() {
        let file = |uri: &str| {
            let found = Decoded::of(&Uri::from_str(uri).unwrap())?;
            Some((found.decoder, found.path, found.wish.entry))
        };
        let found = file("tungsten-decoded:/a.tgsib.tgsi?file%3A%2F%2F%2Fdir%2Fa%2520b.tgsib");
        assert_eq!(found, Some((Decoder::Tokens, PathBuf::from("/dir/a b.tgsib"), None)));
        let found = file("tungsten-decoded:/a.co.gcn?file%3A%2F%2F%2Fdir%2Fa.CO");
        assert_eq!(found, Some((Decoder::Code, PathBuf::from("/dir/a.CO"), None)));
        let found = file("tungsten-decoded:/a.out.gcn?file%3A%2F%2F%2Fdir%2Fa%2523.out%232");
        assert_eq!(found, Some((Decoder::Code, PathBuf::from("/dir/a#.out"), Some(2))));
        for uri in [
            "tungsten-decoded:/a.tgsib.tgsi",
            "tungsten-decoded:/a.tgsib.tgsi?%FF",
            "tungsten-decoded:/a.out.gcn?file%3A%2F%2F%2Fa.out%23x",
            "tungsten-decoded:/a.tgsib.tgsi?file%3A%2F%2F%2Fetc%2Fpasswd",
            "tungsten-decoded:/a.tgsib.tgsi?http%3A%2F%2Fa%2Fb.tgsib",
        ] {
            assert_eq!(file(uri), None, "{uri}");
            assert!(has_scheme(&Uri::from_str(uri).unwrap(), DECODED_SCHEME));
        }
        assert!(!has_scheme(&Uri::from_str("file:///a.tgsib").unwrap(), DECODED_SCHEME));
    }
}

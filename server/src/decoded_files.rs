//! Files of binary tokens, which are shown and checked as the text they stand
//! for: the command line and the editors read them in the same way.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use tgsi::tokens::{self, Opened};

/// Whether a file holds tokens, by its name.
pub(crate) fn is_token_file(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case(tokens::FILE_EXTENSION))
}

/// Reads a file of tokens. No more of it is read than such a file may hold.
///
/// # Errors
/// Where it cannot be read or holds no tokens, with the reason.
pub(crate) fn read(path: &Path) -> Result<Opened, String> {
    let bytes = bytes(path).map_err(|error| error.to_string())?;
    tokens::open(&bytes)
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed: the reader of tokens then says what is wrong.
    File::open(path)?.take(tokens::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

//! Files of bytes that are shown and checked as the text they stand for: binary
//! tokens of TGSI, and code objects. The command line and the editors read them in
//! the same way.

use std::path::Path;

use gcn::object;
use tgsi::tokens::{self, Opened};
use thiserror::Error;

use crate::files::{Access, Refusal};

/// The reason why a file of bytes has no text.
#[derive(Debug, Error)]
pub(crate) enum DecodeError {
    #[error(transparent)]
    Unread(#[from] Refusal),
    /// The words of it are not tokens.
    #[error(transparent)]
    Tokens(#[from] tokens::FileError),
    #[error("not an ELF file")]
    NoElf,
    /// The ELF file has no code that is known.
    #[error("{0}")]
    Object(object::Error),
    #[error("its listing is larger than {} bytes", source::MAX_TEXT_LENGTH)]
    TooLong,
}

/// The decoder that makes text of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decoder {
    /// Tokens of TGSI.
    Tokens,
    /// Machine code in an ELF file.
    Code,
}

impl Decoder {
    /// The decoder of a file, by its name; `None` for what holds text.
    pub(crate) fn of(path: &Path) -> Option<Decoder> {
        let extension = path.extension()?;
        let is = |name: &&str| extension.eq_ignore_ascii_case(name);
        if is(&tokens::FILE_EXTENSION) {
            Some(Decoder::Tokens)
        } else {
            object::FILE_EXTENSIONS.iter().any(is).then_some(Decoder::Code)
        }
    }

    /// The text that a file stands for.
    ///
    /// # Errors
    /// Where it cannot be read or holds something else, with the reason.
    pub(crate) fn text(self, path: &Path, access: &Access) -> Result<String, DecodeError> {
        match self {
            Decoder::Tokens => Ok(tokens(path, access)?.text),
            Decoder::Code => code(path, access),
        }
    }
}

/// Reads a file of tokens.
///
/// # Errors
/// Where it cannot be read or holds no tokens, with the reason.
pub(crate) fn tokens(path: &Path, access: &Access) -> Result<Opened, DecodeError> {
    let bytes = access.read(path, tokens::MAX_BYTES)?;
    Ok(tokens::open(&bytes)?)
}

/// The listing of an ELF file. Files of such names that hold something else may
/// belong to any program, and bare code does not say which chip it is for.
fn code(path: &Path, access: &Access) -> Result<String, DecodeError> {
    let bytes = access.read(path, object::MAX_BYTES)?;
    if !object::is_elf(&bytes) {
        return Err(DecodeError::NoElf);
    }
    let text = object::listing(&bytes, None).map_err(DecodeError::Object)?.text();
    if text.len() > source::MAX_TEXT_LENGTH {
        return Err(DecodeError::TooLong);
    }
    Ok(text)
}

//! Files of bytes that are shown and checked as the text they stand for: binary
//! tokens of TGSI, and code objects. The command line and the editors read them in
//! the same way.

use std::path::Path;

use gcn::object;
use tgsi::tokens::{self, Opened};

use crate::files::Access;

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

    /// The largest file that is read, in bytes.
    fn most_bytes(self) -> usize {
        match self {
            Decoder::Tokens => tokens::MAX_BYTES,
            Decoder::Code => object::MAX_BYTES,
        }
    }

    fn bytes(self, path: &Path, access: &Access) -> Result<Vec<u8>, String> {
        access.read(path, self.most_bytes()).map_err(|refusal| refusal.to_string())
    }

    /// The text that a file stands for.
    ///
    /// # Errors
    /// Where it cannot be read or holds something else, with the reason.
    pub(crate) fn text(self, path: &Path, access: &Access) -> Result<String, String> {
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
pub(crate) fn tokens(path: &Path, access: &Access) -> Result<Opened, String> {
    let bytes = Decoder::Tokens.bytes(path, access)?;
    tokens::open(&bytes).map_err(|error| error.to_string())
}

/// The listing of an ELF file. Files of such names that hold something else may
/// belong to any program, and bare code does not say which chip it is for.
fn code(path: &Path, access: &Access) -> Result<String, String> {
    let bytes = Decoder::Code.bytes(path, access)?;
    if !object::is_elf(&bytes) {
        return Err("not an ELF file".to_owned());
    }
    let text = object::listing(&bytes, None).map_err(|error| error.to_string())?.text();
    if text.len() > text::MAX_TEXT_LENGTH {
        return Err(format!("its listing is larger than {} bytes", text::MAX_TEXT_LENGTH));
    }
    Ok(text)
}

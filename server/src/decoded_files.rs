//! Files of bytes that are shown and checked as the text they stand for: binary
//! tokens of TGSI, and code objects. The command line and the editors read them in
//! the same way.

use std::path::Path;

use gcn::Target;
use gcn::object::{self, Choice, Code, Contents};
use serde::Serialize;
use tgsi::tokens::{self, Opened};
use thiserror::Error;

use crate::files::{Access, Refusal};
use crate::triton;

/// The reason why a file of bytes has no text.
#[derive(Debug, Error)]
pub(crate) enum DecodeError {
    #[error(transparent)]
    Unread(#[from] Refusal),
    /// The words of it are not tokens.
    #[error(transparent)]
    Tokens(#[from] tokens::FileError),
    #[error("not an ELF file, a bundle of code objects or a shader of the PlayStation 4")]
    NoCode,
    /// A bundle without the entry that is wanted, and what it has.
    #[error("no entry {0}; the file has {1}")]
    NoEntry(String, String),
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

    /// The text that a file stands for, as far as it is not longer than a text may be.
    ///
    /// # Errors
    /// Where it cannot be read or holds something else, with the reason.
    pub(crate) fn text(
        self,
        path: &Path,
        access: &Access,
        wish: &Wish,
    ) -> Result<String, DecodeError> {
        match self {
            Decoder::Tokens => Ok(tokens(path, access)?.text),
            Decoder::Code => {
                let bytes = access.read(path, object::MAX_FILE)?;
                code(&bytes, triton::launch_of(path, access), wish)
            }
        }
    }
}

/// The wish which code object is meant of a file that holds several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    /// The chips that it may be for, the best first; none is any.
    pub(crate) targets: Vec<Target>,
    /// Its number, counted from 1.
    pub(crate) entry: Option<usize>,
}

impl Wish {
    /// Chooses an entry.
    ///
    /// # Errors
    /// Where none is as it was wished.
    pub(crate) fn choose(&self, contents: &Contents<'_>) -> Result<usize, DecodeError> {
        let found = match (self.entry, &*self.targets) {
            (Some(number), _) => contents.choose(Choice::Number(number)),
            (None, []) => contents.choose(Choice::First),
            (None, chips) => chips.iter().find_map(|it| contents.choose(Choice::Chip(*it))),
        };
        found.ok_or_else(|| {
            let wanted = match (self.entry, &*self.targets) {
                (Some(number), _) => format!("has the number {number}"),
                (None, []) => "is code that can be read".to_owned(),
                (None, chips) => {
                    let names: Vec<&str> = chips.iter().map(|it| it.name()).collect();
                    format!("is for {}", names.join(" or "))
                }
            };
            DecodeError::NoEntry(wanted, summary(contents))
        })
    }
}

/// Entries that a message names.
const NAMED: usize = 12;

/// The entries of a file in a phrase.
fn summary(contents: &Contents<'_>) -> String {
    let entries = contents.entries();
    let number = |(index, entry): (usize, &object::Entry)| match &*entry.name {
        "" => format!("{} ({})", index + 1, entry.kind),
        name => format!("{} {name} ({})", index + 1, entry.kind),
    };
    let mut named: Vec<String> = entries.iter().enumerate().take(NAMED).map(number).collect();
    if entries.len() > NAMED {
        named.push(format!("and {} more", entries.len() - NAMED));
    }
    if named.is_empty() { "none".to_owned() } else { named.join(", ") }
}

/// The code object that is wished for. Another chip than its own may be forced on a file that is
/// no bundle, or on an entry that is named by its number.
///
/// # Errors
/// Where there is none, with the reason.
pub(crate) fn chosen<'a>(contents: &'a Contents<'_>, wish: &Wish) -> Result<Code<'a>, DecodeError> {
    let entry = wish.choose(contents)?;
    let is_named = contents.is_single() || wish.entry.is_some();
    let forced = wish.targets.first().copied().filter(|_| is_named);
    contents.code(entry, forced).map_err(DecodeError::Object)
}

/// The listing of the code object that is wished for, as a text, with notes about it.
///
/// # Errors
/// Where there is none, with the reason. Files that hold something else may belong to any
/// program, and bare code does not say which chip it is for.
pub(crate) fn code(bytes: &[u8], notes: Vec<String>, wish: &Wish) -> Result<String, DecodeError> {
    if !object::may_hold_code(bytes) && !object::is_console_shader(bytes) {
        return Err(DecodeError::NoCode);
    }
    let contents = object::contents(bytes).map_err(DecodeError::Object)?;
    // A chip that is asked for is one to read the text for: the file says what it is.
    let wish = Wish {
        targets: if contents.is_single() { Vec::new() } else { wish.targets.clone() },
        ..*wish
    };
    let entry = wish.choose(&contents)?;
    if contents.entries().get(entry).is_some_and(|it| it.range.len() > object::MAX_BYTES) {
        return Err(DecodeError::TooLong);
    }
    let text = chosen(&contents, &wish)?.with_notes(notes).listing().text();
    if text.len() > source::MAX_TEXT_LENGTH {
        return Err(DecodeError::TooLong);
    }
    Ok(text)
}

/// A code object of a file, or another entry of its bundles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeObject {
    /// Counted from 1.
    number: usize,
    /// Its name in the bundle.
    name: String,
    bytes: usize,
    /// A phrase that says what it is.
    kind: String,
    /// True where it has a listing.
    is_read: bool,
}

/// The code objects of a file.
///
/// # Errors
/// Where it cannot be read or holds none, with the reason.
pub(crate) fn code_objects(path: &Path, access: &Access) -> Result<Vec<CodeObject>, DecodeError> {
    let bytes = access.read(path, object::MAX_FILE)?;
    if !object::may_hold_code(&bytes) {
        return Err(DecodeError::NoCode);
    }
    let contents = object::contents(&bytes).map_err(DecodeError::Object)?;
    let object = |(index, entry): (usize, &object::Entry)| CodeObject {
        number: index + 1,
        name: entry.name.clone(),
        bytes: entry.range.len(),
        kind: entry.kind.to_string(),
        is_read: matches!(entry.kind, object::EntryKind::Code(_)),
    };
    Ok(contents.entries().iter().enumerate().map(object).collect())
}

/// Reads a file of tokens.
///
/// # Errors
/// Where it cannot be read or holds no tokens, with the reason.
pub(crate) fn tokens(path: &Path, access: &Access) -> Result<Opened, DecodeError> {
    let bytes = access.read(path, tokens::MAX_BYTES)?;
    Ok(tokens::open(&bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_on_a_code_object_stand_in_its_listing() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/gcn/object/saxpy_gfx900.co");
        let bytes = std::fs::read(path).expect("an own object");
        let of = |notes: &[&str]| {
            let notes = notes.iter().map(|it| (*it).to_owned()).collect();
            code(&bytes, notes, &Wish::default()).expect("a listing")
        };
        let plain = of(&[]);
        let noted = of(&["64 work-items in a group", "of a launch"]);
        let more: Vec<&str> =
            noted.lines().filter(|line| !plain.lines().any(|it| it == *line)).collect();
        assert_eq!(more, ["// 64 work-items in a group", "// of a launch"]);
    }
}

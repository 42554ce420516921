//! Renames: another name for a label, symbol, macro or parameter, everywhere. Registers get
//! other numbers in [`super::registers::rename`].
//!
//! What would change the meaning is refused: a name that is taken, one that is no
//! name, one that macros make. The program's other files are edited with the one that
//! was asked about.

use source::{TextEdit, TextRange, TextSize};

use super::rename_error::{not_renameable, unsuitable};
use super::{RenameError, View};
use crate::assembler::editor::{NameAt, NameKind};
use crate::assembler::lines::is_word;
use crate::assembler::sources::{SourceId, Span};
use crate::mnemonics::op_info;

const NOTHING: &str = "only registers, labels, symbols, macros and their parameters can be renamed";

/// Finds the name at an offset that can be replaced.
///
/// # Errors
/// The reason, with a sentence for the user.
pub fn prepare(view: View<'_>, offset: TextSize) -> Result<(TextRange, String), RenameError> {
    let name = renameable(view, offset)?;
    places(view, &name)?;
    let text = view.program.expansion.source_text(name.span).to_owned();
    Ok((name.span.range, text))
}

/// Makes the edits that replace the name at an offset everywhere, in all files of the
/// program. A file that is included twice is there twice.
///
/// # Errors
/// The reason, with a sentence for the user.
pub fn rename(
    view: View<'_>,
    offset: TextSize,
    new: &str,
) -> Result<Vec<(SourceId, TextEdit)>, RenameError> {
    let name = renameable(view, offset)?;
    let places = places(view, &name)?;
    let expansion = &view.program.expansion;
    if new.is_empty() || !new.bytes().all(is_word) || new.as_bytes()[0].is_ascii_digit() {
        return Err(unsuitable(format!(
            "`{new}` is not a name: letters, digits, `_`, `.` and `$` make one"
        )));
    }
    let taken = match name.kind {
        NameKind::Macro(index) => {
            let mut macros = expansion.macros.iter().zip(0..);
            macros.any(|(it, other)| other != index && it.name.eq_ignore_ascii_case(new))
                || op_info(new).is_some()
        }
        NameKind::Parameter { macro_index, .. } => {
            let macro_ = expansion.macros.get(macro_index as usize);
            macro_.is_some_and(|it| it.parameters.iter().any(|it| *it.name == *new))
        }
        NameKind::Symbol(_) | NameKind::NumericLabel => {
            expansion.find_symbol(new, 0).is_some()
                || crate::describe::named_register(new).is_some()
                || is_register(new)
        }
    };
    if taken && new != expansion.source_text(name.span) {
        return Err(unsuitable(format!("`{new}` already means something here")));
    }
    let edit = |place: Span| (place.source, TextEdit::replace(place.range, new));
    Ok(places.into_iter().map(edit).collect())
}

fn is_register(name: &str) -> bool {
    let number = name.strip_prefix(['v', 's', 'a']).or_else(|| name.strip_prefix("ttmp"));
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

fn renameable(view: View<'_>, offset: TextSize) -> Result<NameAt, RenameError> {
    let expansion = &view.program.expansion;
    let name = expansion.name_at(view.source, offset).ok_or_else(|| not_renameable(NOTHING))?;
    match name.kind {
        NameKind::NumericLabel => Err(not_renameable("a numeric label has no name")),
        _ if expansion.definitions(&name).is_empty() => {
            Err(not_renameable("it is not defined in these files"))
        }
        _ if !expansion.wanted.is_empty() => {
            Err(not_renameable("a file that is included here was not found; it may use the name"))
        }
        _ => Ok(name),
    }
}

/// Every place of the name, where all of them are plain text of files.
fn places(view: View<'_>, name: &NameAt) -> Result<Vec<Span>, RenameError> {
    let expansion = &view.program.expansion;
    let text = expansion.source_text(name.span);
    let definitions = expansion.definitions(name);
    let mut places = expansion.references(name);
    // `loop\@`, or a name that a parameter gives: the text of the place is another.
    let differs = |place: &Span| !expansion.source_text(*place).eq_ignore_ascii_case(text);
    if definitions.iter().any(|place| expansion.source_text(*place) != text)
        || places.iter().any(differs)
    {
        return Err(not_renameable("a macro makes this name from parts"));
    }
    places.sort_by_key(|place| (place.source, place.range.start()));
    places.dedup();
    Ok(places)
}

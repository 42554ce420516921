//! Renames of registers: other registers for a value.
//!
//! What is given out is proven: the edited text is assembled, and every value of the old
//! and of the new registers must have the reads and writes that it had before, no wait or
//! distance may be missing that was there, and nothing but fields of registers may differ.
//! All else is refused with the reason.

use source::{TextEdit, TextRange, TextSize, apply_edits};

use super::check::{self, Moved};
use super::group::group;
use super::{Found, find, words};
use crate::instruction::{Bank, Family, Register};
use crate::program::Program;
use crate::service::rename_error::{not_renameable, unsuitable};
use crate::service::statement::{OperandWord, Statement, WordKind, statement_at};
use crate::service::{RenameError, View};

/// Finds the word at an offset whose registers can be others; `None` where no word names
/// registers.
pub fn prepare(
    view: View<'_>,
    offset: TextSize,
) -> Option<Result<(TextRange, String), RenameError>> {
    let (statement, range) = register_word(view, offset)?;
    let text = statement.slice(range).to_owned();
    Some(at(view, offset).and_then(|found| group(&found)).map(|_| (range, text)))
}

/// Makes the edits that give the value of the word at an offset the registers of a new name;
/// `None` where no word names registers. `assemble` assembles another text in place of the
/// program's own.
pub fn rename(
    view: View<'_>,
    offset: TextSize,
    new: &str,
    assemble: &dyn Fn(&str) -> Program,
) -> Option<Result<Vec<TextEdit>, RenameError>> {
    register_word(view, offset)?;
    Some(at(view, offset).and_then(|found| renamed(&found, new, assemble)))
}

fn renamed(
    found: &Found<'_>,
    new: &str,
    assemble: &dyn Fn(&str) -> Program,
) -> Result<Vec<TextEdit>, RenameError> {
    let group = group(found)?;
    let moved = Moved { group, distance: distance(found, new)? };
    if moved.distance == 0 {
        return Ok(Vec::new());
    }
    let program = found.program;
    check::declared(found, &moved)?;
    let mut edits = Vec::with_capacity(moved.group.words.len());
    for mention in moved.group.words.values() {
        let text = word_of(program, mention.range);
        let word = renumbered(text, moved.distance)
            .ok_or_else(|| unsuitable(format!("`{text}` would get a number below 0")))?;
        edits.push(TextEdit::replace(mention.range, word));
    }
    edits.sort_by_key(|edit| edit.range.start());
    let before = View::root(program).text();
    let text =
        apply_edits(before, &edits).ok_or_else(|| not_renameable("the words touch one another"))?;
    check::same(found, &moved, &assemble(&text))?;
    Ok(edits)
}

/// Finds the word, where its instruction is known.
fn at(view: View<'_>, offset: TextSize) -> Result<Found<'_>, RenameError> {
    find(view, offset).ok_or_else(|| {
        not_renameable(
            "what this line reads and writes is not known: only registers that an instruction \
             names by number can be renamed",
        )
    })
}

/// The word at an offset that names registers and nothing else, with its statement.
pub(super) fn register_word(
    view: View<'_>,
    offset: TextSize,
) -> Option<(Statement<'_>, TextRange)> {
    let expansion = &view.program.expansion;
    let statement = statement_at(view, offset);
    if !statement.holds(offset) || expansion.name_at(view.source, offset).is_some() {
        return None;
    }
    let word = statement.words().into_iter().find(|word| word.range.contains_inclusive(offset))?;
    let is_register = match word.kind {
        WordKind::Registers { .. } => true,
        WordKind::Name => words::special(view.program, statement.slice(word.range)).is_some(),
        _ => false,
    };
    is_register.then_some((statement, word.range))
}

/// Returns the distance of a new name's registers from the word's.
fn distance(found: &Found<'_>, new: &str) -> Result<i32, RenameError> {
    let old = found.word.register;
    let new = new.trim();
    let statement = Statement::read(format!("x {new}").into(), 0);
    let [OperandWord { range, kind: WordKind::Registers { family, first, last }, .. }] =
        *statement.words()
    else {
        return Err(unsuitable(format!("`{new}` is not a register with a number")));
    };
    if statement.slice(range) != new {
        return Err(unsuitable(format!("`{new}` is not a register with a number")));
    }
    let chip = found.program.target.name();
    let register = words::numbered(found.program, family, first, last)
        .ok_or_else(|| unsuitable(format!("{chip} has no `{new}`")))?;
    if family == Family::Trap || register.bank != old.bank {
        let kind = if old.bank == Bank::Vector { "vector" } else { "scalar" };
        return Err(unsuitable(format!(
            "the value needs {kind} registers; `{new}` is of another kind"
        )));
    }
    if register.dwords != old.dwords {
        let count = |register: Register| match register.dwords {
            1 => "one register".to_owned(),
            more => format!("{more} registers"),
        };
        return Err(unsuitable(format!(
            "it names {}, and `{new}` {}",
            count(old),
            count(register)
        )));
    }
    Ok(i32::from(register.first) - i32::from(old.first))
}

fn word_of(program: &Program, range: TextRange) -> &str {
    let text = View::root(program).text();
    text.get(std::ops::Range::from(range)).unwrap_or_default()
}

/// A word that names registers with other numbers, written as it was; `None` where a
/// number would be below 0.
fn renumbered(word: &str, distance: i32) -> Option<String> {
    let mut out = String::with_capacity(word.len() + 2);
    let mut rest = word;
    while let Some(start) = rest.find(|it: char| it.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|it: char| !it.is_ascii_digit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        let number = digits.parse::<i32>().ok()?.checked_add(distance).filter(|it| *it >= 0)?;
        out.push_str(before);
        out.push_str(&number.to_string());
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::renumbered;

    #[test]
    fn words_keep_their_form() {
        let moved = |word, distance| renumbered(word, distance);
        assert_eq!(moved("v3", 6).as_deref(), Some("v9"));
        assert_eq!(moved("S[4 : 7]", 4).as_deref(), Some("S[8 : 11]"));
        assert_eq!(moved("v[0]", 255).as_deref(), Some("v[255]"));
        assert_eq!(moved("s[2:3]", -3), None);
    }
}

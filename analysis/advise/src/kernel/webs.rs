//! Values under other registers, by the rename of editors, which refuses what would change what
//! reads what.

use gcn::program::Options;
use gcn::service::View;
use gcn::service::registers::rename::rename;
use source::{TextSize, apply_edits, no_checkpoint};

use super::Change;
use super::copies::Copy;
use super::listing::{Kind, Listing, assembled};
use super::registers::{last_register, with_declared};
use super::schedule;
use crate::search::Promise;

/// Vector registers that every chip gives to as many waves as it has.
const FREE_REGISTERS: usize = 24;
/// Instructions of a kernel whose values are all renamed, at most: each is one rename.
const MOST_RENAMED: usize = 160;

pub(super) fn moves(listing: &Listing, options: &Options, changes: &mut Vec<Change>) {
    for (place, instruction) in listing.instructions.iter().enumerate() {
        if Copy::of(instruction).is_some() {
            joined(listing, place, options, changes);
        }
    }
    if listing.instructions.len() <= MOST_RENAMED
        && let Some(lines) = own_registers(listing, options)
    {
        let what = "values that shared a register in registers of their own".to_owned();
        let text = text_of(&lines);
        changes.push(Change { lines, what: what.clone(), promise: Promise::Much });
        let Some(apart) = Listing::read(&text, options) else { return };
        let mut scheduled = Vec::new();
        schedule::whole(&apart, &mut scheduled);
        for change in scheduled {
            let what = format!("{what}, and {}", change.what);
            changes.push(Change { what, ..change });
        }
    }
}

fn text_of(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// The lines with another name for the value of an operand of an instruction; `None` where it
/// cannot have it.
fn renamed(
    lines: &[String],
    (line, column): (usize, usize),
    new: &str,
    options: &Options,
) -> Option<Vec<String>> {
    // What the descriptor has room for is settled when all names are.
    let lines = with_declared(lines.to_vec(), 256);
    let text = text_of(&lines);
    let program = assembled(&text, options)?;
    let before: usize = lines.iter().take(line).map(|it| it.len() + 1).sum();
    let offset = TextSize::new(u32::try_from(before + column).ok()?);
    let assemble = |text: &str| gcn::program::assemble(text, options, &|_| None, &no_checkpoint);
    let edits = rename(View::root(&program), offset, new, &assemble)?.ok()?;
    let text = apply_edits(&text, &edits)?;
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let count = last_register(&Listing::read(&text, options)?) + 1;
    Some(with_declared(lines, count))
}

/// The column of the first or the second operand of a line, and its word.
fn operand(line: &str, number: usize) -> Option<(usize, &str)> {
    let opcode = line.find(|letter: char| !letter.is_whitespace())?;
    let rest = line.get(opcode..)?;
    let mut start = opcode + rest.find(char::is_whitespace)?;
    for _ in 0..number {
        start += line.get(start..)?.find(',')? + 1;
    }
    let rest = line.get(start..)?;
    let blank = rest.len() - rest.trim_start().len();
    let word = rest.get(blank..)?;
    let end = word.find([',', ' ', '/', ';']).unwrap_or(word.len());
    Some((start + blank, word.get(..end)?))
}

/// A copy goes where one of its values can have the register of the other.
fn joined(listing: &Listing, place: usize, options: &Options, changes: &mut Vec<Change>) {
    let line = listing.instructions[place].line;
    for [from, to] in [[0, 1], [1, 0]] {
        let Some(text) = listing.lines.get(line) else { return };
        let (Some((column, _)), Some((_, new))) = (operand(text, from), operand(text, to)) else {
            continue;
        };
        let Some(mut lines) = renamed(&listing.lines, (line, column), new, options) else {
            continue;
        };
        lines.remove(line);
        let what = format!("both sides of the copy of line {} in {new}", listing.place(place));
        changes.push(Change { lines, what, promise: Promise::Some });
    }
}

/// Every value that is computed gets registers that nothing else has, as long as there are some.
fn own_registers(listing: &Listing, options: &Options) -> Option<Vec<String>> {
    let mut lines = listing.lines.clone();
    let mut next = last_register(listing) + 1;
    let mut seen = std::collections::BTreeSet::new();
    let mut is_changed = false;
    for instruction in &listing.instructions {
        if !matches!(instruction.kind, Kind::Free | Kind::Loads(_)) {
            continue;
        }
        let text = lines.get(instruction.line)?.clone();
        let Some((column, word)) = operand(&text, 0) else { continue };
        let Some(numbers) = word.strip_prefix('v').map(|it| it.trim_matches(['[', ']'])) else {
            continue;
        };
        let (first, last) = numbers.split_once(':').unwrap_or((numbers, numbers));
        let [Ok(first), Ok(last)] = [first, last].map(str::parse::<usize>) else { continue };
        // The first value keeps its register.
        if seen.insert(first) && (first + 1..=last).all(|it| seen.insert(it)) {
            continue;
        }
        let count = last.checked_sub(first)? + 1;
        if next + count > FREE_REGISTERS {
            continue;
        }
        let new = match count {
            1 => format!("v{next}"),
            _ => format!("v[{next}:{}]", next + count - 1),
        };
        if let Some(renamed) = renamed(&lines, (instruction.line, column), &new, options) {
            // Where two parts of one value are written one by one, it has moved with the other.
            seen.extend(next..next + count);
            is_changed |= renamed != lines;
            next = next.max(last_register(&Listing::read(&text_of(&renamed), options)?) + 1);
            lines = renamed;
        }
    }
    is_changed.then_some(lines)
}

//! Values under other registers, by the rename of editors, which refuses what would change what
//! reads what.

use gcn::instruction::Bank;
use gcn::program::Options;
use gcn::service::View;
use gcn::service::registers::rename::rename;
use source::{TextSize, apply_edits, no_checkpoint};

use super::allocate;
use super::copies::copied;
use super::hoist;
use super::listing::{Instruction, Kind, Listing, assembled};
use super::numbering;
use super::registers::{declared_scalars, last_register, with_declared};
use super::schedule;
use super::{Change, text_of};
use crate::search::Promise;

/// Registers that values may be spread over, before they are allocated again.
const FREE_VECTORS: usize = 240;
const FREE_SCALARS: usize = 100;
/// Parts that a value is written in, at most, for one of them to get a register of its own.
const MOST_PARTS: usize = 4;
/// Instructions of a kernel whose values are all renamed, at most: each is one rename.
const MOST_RENAMED: usize = 160;

pub(super) fn moves(listing: &Listing, options: &Options, changes: &mut Vec<Change>) {
    for (place, instruction) in listing.instructions.iter().enumerate() {
        if is_copy(instruction) {
            joined(listing, place, options, changes);
        }
    }
    if listing.instructions.len() > MOST_RENAMED {
        return;
    }
    let vectors = own_registers(&listing.lines, 'v', options);
    let all = own_registers(vectors.as_ref().unwrap_or(&listing.lines), 's', options);
    let texts = [
        (vectors, allocate::WHAT.to_owned(), &[Bank::Vector][..]),
        (all, "registers allocated again".to_owned(), &[Bank::Scalar, Bank::Vector]),
    ];
    for (lines, what, banks) in texts {
        let Some(lines) = lines else { continue };
        let mut forms = vec![(lines.clone(), what.clone())];
        let numbered = numbering::numbered(&lines, options);
        let hoisted = hoist::hoisted(numbered.as_ref().unwrap_or(&lines), options);
        for (lines, how) in
            [(numbered, "nothing computed twice"), (hoisted, "nothing again in a loop")]
        {
            let Some(lines) = lines else { continue };
            let lines = without_copies(lines.clone(), options).unwrap_or(lines);
            forms.push((lines, format!("{what}, {how}")));
        }
        if let Some(lines) = without_copies(lines, options) {
            forms.push((lines, format!("{what}, without copies")));
        }
        for (lines, what) in forms {
            let Some(apart) = Listing::read(&text_of(&lines), options) else { continue };
            let mut spread = vec![Change { lines, what, promise: Promise::Much }];
            let mut scheduled = Vec::new();
            schedule::whole(&apart, &mut scheduled);
            for change in scheduled {
                let what = format!("{}, {}", spread[0].what, change.what);
                spread.push(Change { what, ..change });
            }
            for change in spread {
                let allocated = banks.iter().try_fold(change.lines, |lines, bank| {
                    let listing = Listing::read(&text_of(&lines), options)?;
                    allocate::allocated(&listing, *bank)
                });
                if let Some(lines) = allocated {
                    changes.push(Change { lines, ..change });
                }
            }
        }
    }
}

/// Tells whether an instruction copies registers of one bank.
fn is_copy(instruction: &Instruction) -> bool {
    [Bank::Vector, Bank::Scalar].iter().any(|bank| copied(&instruction.text, *bank).is_some())
}

/// The lines without the copies that can go, one after the other; `None` where none can.
fn without_copies(lines: Vec<String>, options: &Options) -> Option<Vec<String>> {
    let mut lines = lines;
    let mut is_changed = false;
    // The place of the first copy that was not tried yet.
    let mut next = 0;
    while let Some(listing) = Listing::read(&text_of(&lines), options) {
        let copies = listing.instructions.iter().enumerate().skip(next);
        let mut copies = copies.filter(|(_, it)| is_copy(it));
        let Some((place, _)) = copies.next() else { break };
        let mut changes = Vec::new();
        joined(&listing, place, options, &mut changes);
        match changes.into_iter().next() {
            Some(change) => {
                lines = change.lines;
                next = place;
                is_changed = true;
            }
            None => next = place + 1,
        }
    }
    is_changed.then_some(lines)
}

/// The lines with another name for the value of an operand of an instruction; `None` where it
/// cannot have it.
fn renamed(
    lines: &[String],
    (line, column): (usize, usize),
    new: &str,
    options: &Options,
) -> Option<Vec<String>> {
    // Registers that only the hardware fills are declared as well.
    let scalars = declared_scalars(lines);
    // What the descriptor declares is settled when all names are.
    let lines = with_declared(lines.to_vec(), Bank::Vector, 256);
    let lines = with_declared(lines, Bank::Scalar, 100);
    let text = text_of(&lines);
    let program = assembled(&text, options)?;
    let before: usize = lines.iter().take(line).map(|it| it.len() + 1).sum();
    let offset = TextSize::new(u32::try_from(before + column).ok()?);
    let assemble = |text: &str| gcn::program::assemble(text, options, &|_| None, &no_checkpoint);
    let edits = rename(View::root(&program), offset, new, &assemble)?.ok()?;
    let text = apply_edits(&text, &edits)?;
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let listing = Listing::read(&text, options)?;
    let count = |bank| last_register(&listing, bank) + 1;
    let lines = with_declared(lines, Bank::Vector, count(Bank::Vector));
    Some(with_declared(lines, Bank::Scalar, count(Bank::Scalar).max(scalars)))
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

/// Every value of a bank, by the letter of its names, gets registers that nothing else has, as long
/// as there are some.
fn own_registers(lines: &[String], letter: char, options: &Options) -> Option<Vec<String>> {
    let (bank, most) = match letter {
        'v' => (Bank::Vector, FREE_VECTORS),
        _ => (Bank::Scalar, FREE_SCALARS),
    };
    let listing = Listing::read(&text_of(lines), options)?;
    let mut lines = lines.to_vec();
    let mut next = last_register(&listing, bank) + 1;
    let mut seen = std::collections::BTreeSet::new();
    let mut is_changed = false;
    for instruction in &listing.instructions {
        if !matches!(instruction.kind, Kind::Free | Kind::Loads(_)) {
            continue;
        }
        let text = lines.get(instruction.line)?.clone();
        let Some((column, word)) = operand(&text, 0) else { continue };
        let Some(numbers) = word.strip_prefix(letter).map(|it| it.trim_matches(['[', ']'])) else {
            continue;
        };
        let (first, last) = numbers.split_once(':').unwrap_or((numbers, numbers));
        let [Ok(first), Ok(last)] = [first, last].map(str::parse::<usize>) else { continue };
        // The first value keeps its register.
        if seen.insert(first) && (first + 1..=last).all(|it| seen.insert(it)) {
            continue;
        }
        let count = last.checked_sub(first)? + 1;
        // Several scalar registers begin at a number that their count divides, up to four.
        let step = match bank {
            Bank::Scalar => count.next_power_of_two().min(4),
            _ => 1,
        };
        // It may be a later part of a value whose first parts move with it.
        let starts = (next.next_multiple_of(step)..).step_by(step).take(MOST_PARTS);
        for start in starts.take_while(|start| start + count <= most) {
            let new = match count {
                1 => format!("{letter}{start}"),
                _ => format!("{letter}[{start}:{}]", start + count - 1),
            };
            let Some(renamed) = renamed(&lines, (instruction.line, column), &new, options) else {
                continue;
            };
            is_changed |= renamed != lines;
            let listing = Listing::read(&text_of(&renamed), options)?;
            let end = last_register(&listing, bank) + 1;
            seen.extend(next..end);
            next = next.max(end);
            lines = renamed;
            break;
        }
    }
    is_changed.then_some(lines)
}

//! Copies, equal computations and results that nobody reads.

use gcn::analysis::{EXEC, RegisterSet};
use gcn::instruction::{Bank, Register};

use super::Change;
use super::listing::{Instruction, Kind, Listing};
use super::registers::file;
use crate::search::Promise;

pub(super) fn moves(listing: &Listing, changes: &mut Vec<Change>) {
    unread(listing, changes);
    for stretch in listing.stretches() {
        for place in stretch.clone() {
            if let Some(copy) = Copy::of(&listing.instructions[place]) {
                read_source(listing, place, stretch.end, &copy, changes);
                write_target(listing, place, stretch.start, &copy, changes);
            }
            equal(listing, place, stretch.end, changes);
        }
    }
}

/// Instructions without an effect but on registers that nobody reads, in order.
pub(super) fn idle(listing: &Listing) -> Vec<usize> {
    let is_idle = |place: usize| {
        let instruction = &listing.instructions[place];
        let may_go = matches!(instruction.kind, Kind::Free | Kind::Loads(_));
        let masks =
            instruction.writes.touches(Register { bank: Bank::Scalar, first: EXEC, dwords: 2 });
        let live = listing.liveness.after(&listing.cfg, place);
        may_go && !masks && !instruction.writes.meets(live)
    };
    (0..listing.instructions.len()).filter(|it| is_idle(*it)).collect()
}

fn unread(listing: &Listing, changes: &mut Vec<Change>) {
    let idle = idle(listing);
    if idle.is_empty() {
        return;
    }
    let places: Vec<String> = idle.iter().map(|it| listing.place(*it).to_string()).collect();
    changes.push(Change {
        lines: listing.without(|place| idle.binary_search(&place).is_ok()),
        what: format!("nothing computed that nobody reads: line {}", places.join(", ")),
        promise: Promise::Much,
    });
}

/// `v_mov_b32 TARGET, SOURCE` or its scalar brother.
struct Copy {
    target: Name,
    source: Name,
}

/// One register by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Name {
    bank: Bank,
    number: u16,
}

impl Name {
    fn read(text: &str) -> Option<Name> {
        let text = text.trim();
        let (bank, digits) = match text.as_bytes().first()? {
            b'v' => (Bank::Vector, text.get(1..)?),
            b's' => (Bank::Scalar, text.get(1..)?),
            _ => return None,
        };
        Some(Name { bank, number: digits.parse().ok()? })
    }

    fn text(self) -> String {
        format!("{}{}", if self.bank == Bank::Vector { 'v' } else { 's' }, self.number)
    }

    fn set(self) -> RegisterSet {
        RegisterSet::of(Register { bank: self.bank, first: self.number, dwords: 1 })
    }
}

impl Copy {
    fn of(instruction: &Instruction) -> Option<Copy> {
        let (opcode, operands) = instruction.text.split_once(char::is_whitespace)?;
        if !matches!(opcode, "v_mov_b32" | "v_mov_b32_e32" | "s_mov_b32") {
            return None;
        }
        let (target, source) = operands.split_once(',')?;
        let copy = Copy { target: Name::read(target)?, source: Name::read(source)? };
        (copy.target.bank == copy.source.bank && copy.target != copy.source).then_some(copy)
    }
}

/// The numbers of the first target and the first source of a copy between registers of a bank, and
/// how many it copies.
pub(super) fn copied(text: &str, bank: Bank) -> Option<(usize, usize, usize)> {
    let (opcode, operands) = text.split_once(' ')?;
    let (to, from) = operands.split_once(',')?;
    let (letter, count) = match opcode {
        "v_mov_b32" | "v_mov_b32_e32" => ('v', 1),
        "s_mov_b32" => ('s', 1),
        "s_mov_b64" => ('s', 2),
        _ => return None,
    };
    let number = |name: &str| {
        let digits = name.trim().strip_prefix(letter)?;
        let first = match digits.strip_prefix('[') {
            Some(range) => range.split_once(':')?.0,
            None => digits,
        };
        first.parse::<usize>().ok().filter(|number| number + count <= file(bank))
    };
    let (to, from) = (number(to)?, number(from)?);
    let is_own = (letter == 's') == (bank == Bank::Scalar);
    (is_own && to != from).then_some((to, from, count))
}

/// The operands of an instruction: all behind its mnemonic.
fn operands(text: &str) -> (&str, &str) {
    let split = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at(split)
}

/// Replaces a register by its name alone, not within a range of several. From the operand on that
/// is given.
fn renamed(text: &str, from: Name, to: Name, first: usize) -> String {
    let (opcode, rest) = operands(text);
    let parts = rest.split(',').enumerate().map(|(place, part)| {
        match place >= first && part.trim().trim_matches(['-', '|']) == from.text() {
            true => part.replace(&from.text(), &to.text()),
            false => part.to_owned(),
        }
    });
    format!("{opcode}{}", parts.collect::<Vec<_>>().join(","))
}

/// The number of operands that are the register and nothing else.
fn names(text: &str, name: Name, first: usize) -> usize {
    let parts = operands(text).1.split(',').skip(first);
    parts.filter(|part| part.trim().trim_matches(['-', '|']) == name.text()).count()
}

fn with_text(listing: &Listing, lines: &mut [String], place: usize, text: &str) {
    let instruction = &listing.instructions[place];
    if let Some(line) = lines.get_mut(instruction.line) {
        *line = line.replacen(&instruction.text, text, 1);
    }
}

/// Readers of a copy read its source instead.
fn read_source(
    listing: &Listing,
    place: usize,
    end: usize,
    copy: &Copy,
    changes: &mut Vec<Change>,
) {
    let [target, source] = [copy.target.set(), copy.source.set()];
    let mut lines = listing.lines.clone();
    let mut count = 0;
    for next in place + 1..end {
        let instruction = &listing.instructions[next];
        if instruction.reads.meets(&target) {
            let first = usize::from(!instruction.writes.is_empty());
            if names(&instruction.text, copy.target, first) == 0 {
                break;
            }
            let text = renamed(&instruction.text, copy.target, copy.source, first);
            with_text(listing, &mut lines, next, &text);
            count += 1;
        }
        if instruction.writes.meets(&target) || instruction.writes.meets(&source) {
            break;
        }
    }
    if count > 0 {
        let what = format!("the source of the copy in line {} read", listing.place(place));
        changes.push(Change { lines, what, promise: Promise::Some });
    }
}

/// The instruction that computes the source of a copy writes its target, where nobody else reads
/// the source.
fn write_target(
    listing: &Listing,
    place: usize,
    start: usize,
    copy: &Copy,
    changes: &mut Vec<Change>,
) {
    let [target, source] = [copy.target.set(), copy.source.set()];
    if source.meets(listing.liveness.after(&listing.cfg, place)) {
        return;
    }
    let mut lines = listing.without(|_| false);
    let mut is_found = false;
    for before in (start..place).rev() {
        let instruction = &listing.instructions[before];
        if instruction.reads.meets(&target) || instruction.writes.meets(&target) {
            return;
        }
        let touched = instruction.reads.meets(&source) || instruction.writes.meets(&source);
        if !touched {
            continue;
        }
        let uses = names(&instruction.text, copy.source, 0);
        if uses == 0 {
            return;
        }
        let text = renamed(&instruction.text, copy.source, copy.target, 0);
        with_text(listing, &mut lines, before, &text);
        let writes_all = instruction.writes.without(&source) != instruction.writes
            && !instruction.reads.meets(&source);
        if writes_all {
            is_found = true;
            break;
        }
    }
    if !is_found {
        return;
    }
    let line = listing.instructions[place].line;
    lines.remove(line);
    let what = format!("the copy of line {} computed in its place", listing.place(place));
    changes.push(Change { lines, what, promise: Promise::Some });
}

/// A computation that was made before is a copy.
fn equal(listing: &Listing, place: usize, end: usize, changes: &mut Vec<Change>) {
    let first = &listing.instructions[place];
    let split = |it: &Instruction| {
        let (opcode, rest) = operands(&it.text);
        let (target, rest) = rest.split_once(',')?;
        let written = Name::read(target)?;
        (it.kind == Kind::Free && it.writes.without(&written.set()).is_empty())
            .then(|| (written, format!("{opcode} {}", rest.trim())))
    };
    let Some((one, key)) = split(first) else { return };
    if Copy::of(first).is_some() || first.reads.meets(&one.set()) {
        return;
    }
    for next in place + 1..end {
        let instruction = &listing.instructions[next];
        if let Some((two, own)) = split(instruction)
            && own == key
            && two.bank == one.bank
        {
            let mut lines = listing.lines.clone();
            let opcode = if one.bank == Bank::Vector { "v_mov_b32_e32" } else { "s_mov_b32" };
            let text = format!("{opcode} {}, {}", two.text(), one.text());
            if two == one {
                lines.remove(instruction.line);
            } else {
                with_text(listing, &mut lines, next, &text);
            }
            let [from, to] = [place, next].map(|it| listing.place(it));
            let what = format!("line {to} a copy of what line {from} computes");
            changes.push(Change { lines, what, promise: Promise::Some });
            return;
        }
        if instruction.writes.meets(&one.set()) || instruction.writes.meets(&first.reads) {
            return;
        }
    }
}

//! Vector registers with new numbers, as low as values that live at once allow.

use std::collections::BTreeMap;

use gcn::analysis::{AccessKind, RegisterSet};
use gcn::instruction::{Bank, Register};

use super::Change;
use super::copies::Copy;
use super::listing::Listing;
use super::registers::{renamed, with_declared};
use crate::search::Promise;

/// The name of the move.
pub(super) const WHAT: &str = "vector registers allocated again";

/// Numbers of vector registers.
const FILE: usize = 256;

/// Registers whose numbers follow each other wherever they are named together.
#[derive(Debug, Clone)]
struct Group {
    first: usize,
    count: usize,
    /// The first instruction that writes one of them.
    written: usize,
    /// The number before, of what holds an input.
    is_fixed: bool,
    /// The first of the registers that copies fill it from, in their order.
    copied: Option<usize>,
}

pub(super) fn moves(listing: &Listing, changes: &mut Vec<Change>) {
    if let Some(lines) = allocated(listing)
        && lines != listing.lines
    {
        changes.push(Change { lines, what: WHAT.to_owned(), promise: Promise::Much });
    }
}

/// The lines with new numbers for the registers, and without the copies that have become ones of
/// a register to itself; `None` where it cannot be said which registers are meant.
pub(super) fn allocated(listing: &Listing) -> Option<Vec<String>> {
    let groups = groups(listing)?;
    let conflicts = conflicts(listing);
    let numbers = numbers(&groups, &conflicts)?;
    let mut lines = listing.lines.clone();
    let mut gone = Vec::new();
    for instruction in &listing.instructions {
        let text = renamed(&instruction.text, &numbers)?;
        let is_idle = Copy::of(instruction).is_some()
            && text
                .split_once(' ')
                .and_then(|(_, both)| both.split_once(", "))
                .is_some_and(|(to, from)| to.trim() == from.trim());
        if is_idle {
            gone.push(instruction.line);
        }
        let line = lines.get_mut(instruction.line)?;
        *line = line.replacen(&instruction.text, &text, 1);
    }
    gone.into_iter().rev().for_each(|line| drop(lines.remove(line)));
    let count = numbers.values().max().map_or(0, |last| last + 1);
    Some(with_declared(lines, Bank::Vector, count))
}

/// Returns the groups, those that are written first before others.
fn groups(listing: &Listing) -> Option<Vec<Group>> {
    let mut written: BTreeMap<usize, usize> = BTreeMap::new();
    let mut copied: BTreeMap<usize, usize> = BTreeMap::new();
    // Whether a register and the next one are named together.
    let mut joined = [false; FILE];
    let mut used = [false; FILE];
    for (place, def_use) in listing.def_use.iter().enumerate() {
        for access in def_use.reads().iter().chain(def_use.writes()) {
            if access.register.bank == Bank::Scalar {
                continue;
            }
            // A register by an index is any of them.
            let is_unclear = matches!(access.kind, AccessKind::Indexed | AccessKind::Unknown);
            if is_unclear || access.register.bank != Bank::Vector {
                return None;
            }
            let first = usize::from(access.register.first);
            let end = first + usize::from(access.register.dwords);
            used.get_mut(first..end)?.fill(true);
            joined.get_mut(first..end.saturating_sub(1).max(first))?.fill(true);
        }
        for access in def_use.writes().iter().filter(|it| it.register.bank == Bank::Vector) {
            let first = usize::from(access.register.first);
            for number in first..first + usize::from(access.register.dwords) {
                written.entry(number).or_insert(place);
            }
        }
        let copy = Copy::of(listing.instructions.get(place)?);
        if let Some((to, from)) = copy.and_then(|it| it.vectors()) {
            copied.entry(to).or_insert(from);
        }
    }
    let inputs = listing.liveness.before(0);
    let mut groups: Vec<Group> = Vec::new();
    for number in (0..FILE).filter(|number| used[*number]) {
        let follows = number > 0 && used[number - 1] && joined[number - 1];
        let at = written.get(&number).copied().unwrap_or(0);
        let register = Register { bank: Bank::Vector, first: number as u16, dwords: 1 };
        let is_fixed = inputs.touches(register);
        match groups.last_mut().filter(|_| follows) {
            Some(group) => {
                group.count += 1;
                group.written = group.written.min(at);
                group.is_fixed |= is_fixed;
                let next = group.copied.map(|from| from + group.count - 1);
                group.copied = group.copied.filter(|_| copied.get(&number).copied() == next);
            }
            None => groups.push(Group {
                first: number,
                count: 1,
                written: at,
                is_fixed,
                copied: copied.get(&number).copied(),
            }),
        }
    }
    groups.sort_by_key(|group| (!group.is_fixed, group.written, group.first));
    Some(groups)
}

/// For each register those that hold a value while it does.
fn conflicts(listing: &Listing) -> Vec<RegisterSet> {
    let mut conflicts = vec![RegisterSet::EMPTY; FILE];
    let mut add = |set: &RegisterSet, others: &RegisterSet| {
        for register in set.registers().filter(|it| it.bank == Bank::Vector) {
            if let Some(own) = conflicts.get_mut(usize::from(register.first)) {
                own.add_all(others);
            }
        }
    };
    let inputs = listing.liveness.before(0).of_bank(Bank::Vector);
    add(&inputs, &inputs);
    for (place, instruction) in listing.instructions.iter().enumerate() {
        let writes = instruction.writes.of_bank(Bank::Vector);
        if writes.is_empty() {
            continue;
        }
        let mut others = listing.liveness.after(&listing.cfg, place).of_bank(Bank::Vector);
        if Copy::of(instruction).is_some() {
            // Both sides hold one value until somebody writes either.
            others = others.without(&instruction.reads);
        }
        others.add_all(&writes);
        if writes.vector_count() > 1 {
            // The first register of a result may be written before the last source is read.
            others.add_all(&instruction.reads.of_bank(Bank::Vector));
        }
        // Both ways: what is live is not written here.
        add(&writes, &others);
        add(&others, &writes);
    }
    conflicts
}

/// Returns the new number of each register; `None` where they do not fit.
fn numbers(groups: &[Group], conflicts: &[RegisterSet]) -> Option<BTreeMap<usize, usize>> {
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    // The registers that were given each number.
    let mut given = vec![RegisterSet::EMPTY; FILE];
    for group in groups {
        let fits = |start: &usize| {
            (0..group.count).all(|at| {
                let taken = given.get(start + at);
                let own = conflicts.get(group.first + at);
                taken.zip(own).is_some_and(|(taken, own)| !taken.meets(own))
            })
        };
        let wished = group.copied.and_then(|from| numbers.get(&from).copied());
        // Pairs stay even where they were: some chips want it.
        let step = if group.count > 1 { 2 } else { 1 };
        let start = match group.is_fixed {
            true => group.first,
            false => wished
                .filter(fits)
                .or_else(|| (group.first % step..FILE).step_by(step).find(fits))?,
        };
        for at in 0..group.count {
            let register =
                Register { bank: Bank::Vector, first: (group.first + at) as u16, dwords: 1 };
            numbers.insert(group.first + at, start + at);
            given.get_mut(start + at)?.insert(register);
        }
    }
    Some(numbers)
}

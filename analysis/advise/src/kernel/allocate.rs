//! Registers of a bank with new numbers, as low as values that live at once allow.

use std::collections::BTreeMap;

use gcn::analysis::{AccessKind, RegisterSet};
use gcn::instruction::{Bank, Register};

use super::Change;
use super::copies::copied;
use super::listing::{Listing, leads_elsewhere};
use super::registers::{declared_scalars, file, renamed, with_declared};
use crate::search::Promise;

/// The name of the move.
pub(super) const WHAT: &str = "vector registers allocated again";

/// Registers whose numbers follow each other wherever they are named together.
#[derive(Debug, Clone)]
struct Group {
    first: usize,
    count: usize,
    /// The first instruction that writes one of them.
    written: usize,
    /// The number before, of what holds an input.
    is_fixed: bool,
    /// The first of the registers that copies fill it from, in their order, and of those that
    /// copies fill from it.
    copies: [Option<usize>; 2],
    /// Its first number keeps what is left of it by this.
    step: usize,
}

pub(super) fn moves(listing: &Listing, changes: &mut Vec<Change>) {
    for bank in [Bank::Vector, Bank::Scalar] {
        if let Some(lines) = allocated(listing, bank)
            && lines != listing.lines
        {
            let what = match bank {
                Bank::Scalar => "scalar registers allocated again",
                _ => WHAT,
            };
            changes.push(Change { lines, what: what.to_owned(), promise: Promise::Much });
        }
    }
}

/// The lines with new numbers for the registers of a bank, and without the copies that have
/// become ones of a register to itself; `None` where it cannot be said which registers are meant.
pub(super) fn allocated(listing: &Listing, bank: Bank) -> Option<Vec<String>> {
    let groups = groups(listing, bank)?;
    let numbers = numbers(&groups, &conflicts(listing, bank), bank)?;
    let mut lines = listing.lines.clone();
    let mut gone = Vec::new();
    for instruction in &listing.instructions {
        let text = renamed(&instruction.text, bank, &numbers)?;
        let operands = text.split_once(' ').and_then(|(_, both)| both.split_once(", "));
        if copied(&instruction.text, bank).is_some()
            && operands.is_some_and(|(to, from)| to.trim() == from.trim())
        {
            gone.push(instruction.line);
        }
        let line = lines.get_mut(instruction.line)?;
        *line = line.replacen(&instruction.text, &text, 1);
    }
    gone.into_iter().rev().for_each(|line| drop(lines.remove(line)));
    let count = numbers.values().max().map_or(0, |last| last + 1);
    // Scalar registers that only the hardware fills are declared as well.
    let least = if bank == Bank::Scalar { declared_scalars(&lines) } else { 0 };
    Some(with_declared(lines, bank, count.max(least)))
}

/// Tells whether a register is one of those of a bank that are given numbers.
fn is_general(register: Register, bank: Bank) -> bool {
    register.bank == bank && usize::from(register.first) < file(bank)
}

/// Returns the groups, those that are written first before others.
fn groups(listing: &Listing, bank: Bank) -> Option<Vec<Group>> {
    let file = file(bank);
    let mut written: BTreeMap<usize, usize> = BTreeMap::new();
    // The registers that copies fill each one from, and those that they fill from it.
    let mut copies: [BTreeMap<usize, usize>; 2] = Default::default();
    // True where a register and the next one are named together.
    let mut joined = vec![false; file];
    let mut used = vec![false; file];
    // The number by which the place of each is divided where it is named with the next ones.
    let mut steps = vec![1; file];
    for (place, def_use) in listing.def_use.iter().enumerate() {
        // Whoever is called knows the registers by their numbers.
        if leads_elsewhere(def_use) {
            return None;
        }
        for access in def_use.reads().iter().chain(def_use.writes()) {
            // A register by an index is any of them.
            let is_unclear = matches!(access.kind, AccessKind::Indexed | AccessKind::Unknown);
            if is_unclear && access.register.bank != Bank::Accumulator {
                return None;
            }
            if !is_general(access.register, bank) {
                // Accumulation registers are counted with vector registers.
                if access.register.bank == Bank::Accumulator && bank == Bank::Vector {
                    return None;
                }
                continue;
            }
            let first = usize::from(access.register.first);
            let count = usize::from(access.register.dwords);
            used.get_mut(first..first + count)?.fill(true);
            joined.get_mut(first..(first + count).saturating_sub(1).max(first))?.fill(true);
            // Some chips want pairs of vector registers to be even.
            let step = match (bank, count) {
                (_, 0 | 1) => 1,
                (Bank::Scalar, 3..) => 4,
                _ => 2,
            };
            let own = steps.get_mut(first)?;
            *own = step.max(*own);
        }
        for access in def_use.writes().iter().filter(|it| is_general(it.register, bank)) {
            let first = usize::from(access.register.first);
            for number in first..first + usize::from(access.register.dwords) {
                written.entry(number).or_insert(place);
            }
        }
        if let Some((to, from, count)) = copied(&listing.instructions.get(place)?.text, bank) {
            for at in 0..count {
                copies[0].entry(to + at).or_insert(from + at);
                copies[1].entry(from + at).or_insert(to + at);
            }
        }
    }
    let inputs = listing.liveness.before(0);
    let mut groups: Vec<Group> = Vec::new();
    for number in (0..file).filter(|number| used[*number]) {
        let follows = number > 0 && used[number - 1] && joined[number - 1];
        let at = written.get(&number).copied().unwrap_or(0);
        let register = Register { bank, first: number as u16, dwords: 1 };
        let is_fixed = inputs.touches(register);
        match groups.last_mut().filter(|_| follows) {
            Some(group) => {
                group.count += 1;
                group.written = group.written.min(at);
                group.is_fixed |= is_fixed;
                group.step = group.step.max(steps[number]);
                for (first, all) in group.copies.iter_mut().zip(&copies) {
                    let next = first.map(|it| it + group.count - 1);
                    *first = first.filter(|_| all.get(&number).copied() == next);
                }
            }
            None => groups.push(Group {
                first: number,
                count: 1,
                written: at,
                is_fixed,
                copies: [0, 1].map(|side: usize| copies[side].get(&number).copied()),
                step: steps[number],
            }),
        }
    }
    groups.sort_by_key(|group| (!group.is_fixed, group.written, group.first));
    Some(groups)
}

/// For each register those that hold a value while it does.
fn conflicts(listing: &Listing, bank: Bank) -> Vec<RegisterSet> {
    let mut conflicts = vec![RegisterSet::EMPTY; file(bank)];
    let mut add = |set: &RegisterSet, others: &RegisterSet| {
        for register in set.registers().filter(|it| is_general(*it, bank)) {
            if let Some(own) = conflicts.get_mut(usize::from(register.first)) {
                own.add_all(others);
            }
        }
    };
    let inputs = listing.liveness.before(0).of_bank(bank);
    add(&inputs, &inputs);
    for (place, instruction) in listing.instructions.iter().enumerate() {
        let writes = instruction.writes.of_bank(bank);
        if writes.is_empty() {
            continue;
        }
        let mut others = listing.liveness.after(&listing.cfg, place).of_bank(bank);
        if copied(&instruction.text, bank).is_some() {
            // Both sides hold one value until somebody writes either.
            others = others.without(&instruction.reads);
        }
        others.add_all(&writes);
        if writes.registers().filter(|it| is_general(*it, bank)).count() > 1 {
            // The first register of a result may be written before the last source is read.
            others.add_all(&instruction.reads.of_bank(bank));
        }
        // Both ways: what is live is not written here.
        add(&writes, &others);
        add(&others, &writes);
    }
    conflicts
}

/// Returns the new number of each register; `None` where they do not fit.
fn numbers(
    groups: &[Group],
    conflicts: &[RegisterSet],
    bank: Bank,
) -> Option<BTreeMap<usize, usize>> {
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    // The registers that were given each number.
    let mut given = vec![RegisterSet::EMPTY; file(bank)];
    for group in groups {
        let fits = |start: &usize| {
            (0..group.count).all(|at| {
                let taken = given.get(start + at);
                let own = conflicts.get(group.first + at);
                taken.zip(own).is_some_and(|(taken, own)| !taken.meets(own))
            })
        };
        let wished = group.copies.iter().flatten().filter_map(|it| numbers.get(it).copied());
        let rest = group.first % group.step;
        let start = match group.is_fixed {
            true => group.first,
            false => wished
                .into_iter()
                .find(|start| start % group.step == rest && fits(start))
                .or_else(|| (rest..file(bank)).step_by(group.step).find(fits))?,
        };
        for at in 0..group.count {
            let register = Register { bank, first: (group.first + at) as u16, dwords: 1 };
            numbers.insert(group.first + at, start + at);
            given.get_mut(start + at)?.insert(register);
        }
    }
    Some(numbers)
}

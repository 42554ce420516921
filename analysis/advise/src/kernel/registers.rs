//! The numbers of vector registers.

use std::collections::BTreeMap;

use gcn::analysis::AccessKind;
use gcn::instruction::Bank;

use super::Change;
use super::listing::Listing;
use crate::search::Promise;

/// Registers get the lowest numbers that keep their order. The first ones hold inputs, and keep
/// theirs.
pub(super) fn moves(listing: &Listing, changes: &mut Vec<Change>) {
    let mut used = [false; 256];
    for def_use in &listing.def_use {
        for access in def_use.reads().iter().chain(def_use.writes()) {
            if access.register.bank != Bank::Vector {
                continue;
            }
            // A register by an index is any of them.
            if matches!(access.kind, AccessKind::Indexed | AccessKind::Unknown) {
                return;
            }
            let first = usize::from(access.register.first);
            let end = first + usize::from(access.register.dwords);
            used.iter_mut().take(end).skip(first).for_each(|it| *it = true);
        }
    }
    let at_start = listing.liveness.before(0);
    let inputs = usize::from(at_start.vector_end());
    if let Some(lines) = renumbered(listing, &used, inputs, None) {
        let what = "vector registers without gaps between their numbers".to_owned();
        changes.push(Change { lines, what, promise: Promise::Much });
    }
    // The first instruction may copy an input that nobody else reads.
    for (place, instruction) in listing.instructions.iter().enumerate().take(8) {
        let operands = instruction.text.strip_prefix("v_mov_b32_e32 v");
        let Some((target, source)) = operands.and_then(|it| it.split_once(", v")) else { continue };
        let [Ok(target), Ok(source)] = [target, source].map(str::parse::<usize>) else { continue };
        let touched = listing.instructions.iter().enumerate().filter(|(other, it)| {
            let own =
                gcn::instruction::Register { bank: Bank::Vector, first: source as u16, dwords: 1 };
            *other != place && (it.reads.touches(own) || it.writes.touches(own))
        });
        if touched.count() > 0 || source + 1 != inputs || source >= target || target > 255 {
            continue;
        }
        let mut used = used;
        used[source] = false;
        if let Some(lines) = renumbered(listing, &used, source, Some((place, target, source))) {
            let what = "vector registers without gaps, and the input without its copy".to_owned();
            changes.push(Change { lines, what, promise: Promise::Much });
        }
    }
}

/// The lines with new numbers. `copy`: an instruction that goes, as its target, which must get the
/// number of its source, is the source.
fn renumbered(
    listing: &Listing,
    used: &[bool; 256],
    inputs: usize,
    copy: Option<(usize, usize, usize)>,
) -> Option<Vec<String>> {
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut next = inputs;
    for (number, _) in used.iter().enumerate().filter(|(_, used)| **used) {
        if number < inputs {
            numbers.insert(number, number);
        } else {
            numbers.insert(number, next);
            next += 1;
        }
    }
    let is_same = numbers.iter().all(|(old, new)| old == new);
    if is_same || copy.is_some_and(|(_, target, source)| numbers.get(&target) != Some(&source)) {
        return None;
    }
    let mut lines = listing.lines.clone();
    for (place, instruction) in listing.instructions.iter().enumerate() {
        if copy.is_some_and(|(copy, ..)| copy == place) {
            continue;
        }
        let line = lines.get_mut(instruction.line)?;
        *line = line.replacen(&instruction.text, &rename(&instruction.text, &numbers)?, 1);
    }
    if let Some((place, ..)) = copy {
        lines.remove(listing.instructions.get(place)?.line);
    }
    Some(with_declared(lines, Bank::Vector, next))
}

/// The lines with another number of registers of a bank in the descriptor and the metadata.
pub(super) fn with_declared(mut lines: Vec<String>, bank: Bank, count: usize) -> Vec<String> {
    // The metadata count scalar registers with those that the chip keeps for itself: no fewer
    // than before are needed there.
    let keys: &[&str] = match bank {
        Bank::Vector => &[".amdhsa_next_free_vgpr", ".vgpr_count:"],
        _ => &[".amdhsa_next_free_sgpr"],
    };
    for line in &mut lines {
        let trimmed = line.trim_start();
        for key in keys {
            if trimmed.starts_with(key) {
                let indent = &line[..line.len() - trimmed.len()];
                *line = format!("{indent}{key} {count}");
                break;
            }
        }
    }
    lines
}

/// The scalar registers that the descriptor declares; 0 where there is none.
pub(super) fn declared_scalars(lines: &[String]) -> usize {
    let counts = lines.iter().filter_map(|line| {
        line.trim_start().strip_prefix(".amdhsa_next_free_sgpr")?.trim().parse().ok()
    });
    counts.max().unwrap_or(0)
}

/// Scalar registers from this number on are special ones on every chip.
const GENERAL_SCALARS: u16 = 100;

/// The last register of a bank that an instruction names; 0 where none does.
pub(super) fn last_register(listing: &Listing, bank: Bank) -> usize {
    let all = listing.def_use.iter().flat_map(|it| it.reads().iter().chain(it.writes()));
    let own = all.map(|it| it.register).filter(|it| it.bank == bank && it.dwords > 0);
    let own = own.filter(|it| bank == Bank::Vector || it.first < GENERAL_SCALARS);
    own.map(|it| usize::from(it.first) + usize::from(it.dwords) - 1).max().unwrap_or(0)
}

/// An instruction with the new numbers of its vector registers.
fn rename(text: &str, numbers: &BTreeMap<usize, usize>) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(letter) = rest.chars().next() {
        let is_start = !before.is_ascii_alphanumeric() && before != '_' && before != '.';
        let length = if letter == 'v' && is_start { register_length(rest) } else { 0 };
        if length == 0 {
            out.push(letter);
            before = letter;
            rest = rest.get(letter.len_utf8()..)?;
            continue;
        }
        let name = rest.get(1..length)?;
        let number = |digits: &str| numbers.get(&digits.parse::<usize>().ok()?).copied();
        match name.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            None => out.push_str(&format!("v{}", number(name)?)),
            Some(range) => {
                let (first, last) = range.split_once(':').unwrap_or((range, range));
                out.push_str(&format!("v[{}:{}]", number(first)?, number(last)?));
            }
        }
        before = ']';
        rest = rest.get(length..)?;
    }
    Some(out)
}

/// The length of a register's name at the beginning of a text; 0 where there is none.
fn register_length(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(1..).unwrap_or_default();
    match rest.strip_prefix('[') {
        Some(inside) => {
            let all = inside.bytes().take_while(|it| it.is_ascii_digit() || *it == b':').count();
            let closes = inside.as_bytes().get(all) == Some(&b']');
            if closes && all > 0 { all + 3 } else { 0 }
        }
        None => {
            let count = digits(rest);
            let next = rest.as_bytes().get(count);
            let ends = next.is_none_or(|it| !it.is_ascii_alphanumeric() && *it != b'_');
            if count > 0 && ends { count + 1 } else { 0 }
        }
    }
}

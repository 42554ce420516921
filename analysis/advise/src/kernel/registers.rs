//! Names and numbers of registers.

use std::collections::BTreeMap;

use gcn::instruction::Bank;

use super::listing::Listing;

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

/// Vector registers.
const VECTORS: u16 = 256;

/// The number of a bank's registers that can be given other numbers.
pub(super) fn file(bank: Bank) -> usize {
    match bank {
        Bank::Scalar => GENERAL_SCALARS.into(),
        _ => VECTORS.into(),
    }
}

/// The last register of a bank that an instruction names; 0 where none does.
pub(super) fn last_register(listing: &Listing, bank: Bank) -> usize {
    let all = listing.def_use.iter().flat_map(|it| it.reads().iter().chain(it.writes()));
    let own = all.map(|it| it.register).filter(|it| it.bank == bank && it.dwords > 0);
    let own = own.filter(|it| bank == Bank::Vector || it.first < GENERAL_SCALARS);
    own.map(|it| usize::from(it.first) + usize::from(it.dwords) - 1).max().unwrap_or(0)
}

/// Registers of a bank as a text names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// The bytes of the name.
    pub(super) range: std::ops::Range<usize>,
    /// The first and the last one.
    pub(super) first: usize,
    pub(super) last: usize,
    /// Set where the name is one of several in brackets.
    is_range: bool,
}

/// The registers of a bank that a text names, in order.
pub(super) fn named(text: &str, bank: Bank) -> Vec<Named> {
    let initial = if bank == Bank::Scalar { 's' } else { 'v' };
    let mut all = Vec::new();
    let mut before = ' ';
    let mut at = 0;
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let is_start = !before.is_ascii_alphanumeric() && before != '_' && before != '.';
        let rest = text.get(at..).unwrap_or_default();
        let length = if letter == initial && is_start { register_length(rest) } else { 0 };
        if length == 0 {
            at += letter.len_utf8();
            before = letter;
            continue;
        }
        let name = rest.get(1..length).unwrap_or_default();
        let inside = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let digits = inside.unwrap_or(name);
        let (first, last) = digits.split_once(':').unwrap_or((digits, digits));
        if let [Ok(first), Ok(last)] = [first, last].map(str::parse::<usize>) {
            let is_range = inside.is_some();
            all.push(Named { range: at..at + length, first, last, is_range });
        }
        at += length;
        before = ']';
    }
    all
}

/// An instruction with the new numbers of its registers of a bank.
pub(super) fn renamed(text: &str, bank: Bank, numbers: &BTreeMap<usize, usize>) -> Option<String> {
    let initial = if bank == Bank::Scalar { 's' } else { 'v' };
    let mut out = text.to_owned();
    for name in named(text, bank).into_iter().rev() {
        let [first, last] = [name.first, name.last].map(|it| numbers.get(&it).copied());
        let new = match name.is_range {
            false => format!("{initial}{}", first?),
            true => format!("{initial}[{}:{}]", first?, last?),
        };
        out.replace_range(name.range, &new);
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

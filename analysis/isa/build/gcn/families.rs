//! Rows that speak of families of opcodes: `v_cmp_*_f32 v_cmpx_*_f32`.
//!
//! Of the rows that a name fits and whose expression holds the first counts. The build
//! resolves them for every opcode and every set of features that chips have; a pattern
//! that no opcode fits, and a row that others hide, are errors.

use tables::print::array;

use super::Input;
use super::chips::Features;
use super::opcodes::Op;
use super::when::When;
use tables::{Result, Row, Table};

/// The patterns of a row and the chips for which it holds.
struct Family<'a> {
    row: Row<'a>,
    when: When,
    patterns: Vec<&'a str>,
}

impl<'a> Family<'a> {
    /// Reads the columns `mnemonics` and `when`; without the latter a row holds for all chips.
    fn of(row: Row<'a>, features: &Features) -> Result<Family<'a>> {
        let patterns = row.cell("mnemonics")?.split(' ').collect();
        let when = if row.has("when") { features.when(row, "when")? } else { When::always() };
        Ok(Family { row, when, patterns })
    }
}

/// For each opcode, for each set of features, a row's number.
pub(crate) type Resolved = Vec<Vec<Option<usize>>>;

/// Finds the row of each opcode on each set of features. `fits` tells whether a name fits
/// a pattern, `needs` whether an opcode must have a row on each chip that has the opcode.
pub(crate) fn resolve(
    table: &Table,
    input: Input<'_>,
    fits: impl Fn(&str, &str) -> bool,
    needs: impl Fn(&Op) -> bool,
) -> Result<Resolved> {
    let Input { ops, features, .. } = input;
    let sets = features.sets();
    let families: Vec<Family<'_>> =
        table.rows().map(|row| Family::of(row, features)).collect::<Result<_, _>>()?;
    let mut found: Resolved = vec![vec![None; sets.len()]; ops.len()];
    let mut errors = Vec::new();
    for (number, family) in families.iter().enumerate() {
        let mut counts = false;
        for pattern in &family.patterns {
            let mut met = false;
            for (op, found) in ops.iter().zip(&mut found) {
                if !fits(pattern, &op.name) {
                    continue;
                }
                met = true;
                for (set, found) in sets.iter().zip(found) {
                    if found.is_none() && family.when.holds(*set) {
                        *found = Some(number);
                        counts |= !op.encodings(*set).is_empty();
                    }
                }
            }
            if !met {
                errors.push(family.row.error(format!("no opcode fits `{pattern}`")));
            }
        }
        if !counts {
            let message = "the row counts for no opcode of a chip: rows above it hide it";
            errors.push(family.row.error(message));
        }
    }
    for (op, found) in ops.iter().zip(&found) {
        let has =
            |(set, row): (&u64, &Option<usize>)| row.is_some() || op.encodings(*set).is_empty();
        if needs(op) && !sets.iter().zip(found).all(has) {
            errors.push(format!("{}: `{}` has no row on some chip", table.path(), op.name).into());
        }
    }
    let lines: Vec<String> = errors.iter().map(tables::Error::to_string).collect();
    if lines.is_empty() { Ok(found) } else { Err(lines.join("\n").into()) }
}

/// Returns the number of a value in a list, to which a new one is added.
pub(crate) fn number_in<T: PartialEq>(all: &mut Vec<T>, value: T) -> usize {
    let known = all.iter().position(|it| *it == value).unwrap_or(all.len());
    if known == all.len() {
        all.push(value);
    }
    known
}

/// Prints the numbers of rows as a table by opcode and set of features.
pub(crate) fn numbers(name: &str, resolved: &Resolved) -> String {
    let sets = resolved.first().map_or(0, Vec::len);
    let rows = resolved.iter().map(|row| {
        let row = row.iter().map(|it| it.map_or(u16::MAX, |it| it as u16));
        format!("{:?},\n", row.collect::<Vec<_>>())
    });
    array(name, &format!("[u16; {sets}]"), &rows.collect::<Vec<_>>())
}

/// Tells whether a name fits a pattern of letters, `?` for one and `*` for any.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    captures(pattern, name).is_some()
}

/// Returns what the stars of a pattern stand for in a name that fits it, each as little as
/// it can.
pub(crate) fn captures<'a>(pattern: &str, name: &'a str) -> Option<Vec<&'a str>> {
    let (before, after) = pattern.split_once('*').unwrap_or((pattern, ""));
    let (own, rest) = name.split_at_checked(before.len())?;
    if !before.bytes().zip(own.bytes()).all(|(wanted, byte)| wanted == b'?' || wanted == byte) {
        return None;
    }
    if before.len() == pattern.len() {
        return rest.is_empty().then(Vec::new);
    }
    (0..=rest.len()).find_map(|end| {
        let (star, rest) = rest.split_at(end);
        let mut found = captures(after, rest)?;
        found.insert(0, star);
        Some(found)
    })
}

//! Matches the instructions that one statement became in several columns.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use editor_model::{Change, ComparedInstruction, ComparedRow};

/// The instructions of each column in rows of those that match.
pub(super) fn rows(columns: Vec<Vec<ComparedInstruction>>) -> Vec<ComparedRow> {
    let width = columns.len();
    let mut rows: Vec<Vec<Option<ComparedInstruction>>> = Vec::new();
    for (number, column) in columns.into_iter().enumerate() {
        let known: Vec<&str> = rows.iter().map(|row| representative(row)).collect();
        let own: Vec<&str> = column.iter().map(|it| it.text.as_str()).collect();
        let mut partners = partners(&known, &own).into_iter();
        let mut own = column.into_iter().enumerate().peekable();
        let mut joined = Vec::with_capacity(rows.len());
        let add = |rows: &mut Vec<Vec<Option<_>>>, instruction| {
            let mut row = vec![None; width];
            row[number] = Some(instruction);
            rows.push(row);
        };
        for mut row in rows {
            if let Some(partner) = partners.next().flatten() {
                while let Some((_, before)) = own.next_if(|(place, _)| *place < partner) {
                    add(&mut joined, before);
                }
                row[number] = own.next().map(|(_, instruction)| instruction);
            }
            joined.push(row);
        }
        for (_, rest) in own {
            add(&mut joined, rest);
        }
        rows = joined;
    }
    let rows = rows.into_iter().map(|cells| ComparedRow { change: change(&cells), cells });
    rows.collect()
}

/// The first instruction of a row, which stands for it.
fn representative(row: &[Option<ComparedInstruction>]) -> &str {
    row.iter().flatten().next().map_or("", |instruction| &instruction.text)
}

fn change(cells: &[Option<ComparedInstruction>]) -> Change {
    if cells.first().is_some_and(Option::is_none) {
        return Change::Added;
    }
    let texts: Option<Vec<&str>> =
        cells.iter().map(|cell| cell.as_ref().map(|it| it.text.as_str())).collect();
    let Some(texts) = texts else { return Change::Removed };
    let all_equal = |key: fn(&str) -> u64| texts.windows(2).all(|it| key(it[0]) == key(it[1]));
    if all_equal(whole) {
        Change::Same
    } else if all_equal(without_registers) {
        Change::Renamed
    } else {
        Change::Changed
    }
}

/// For each text its partner among the others: first those that are equal, then between
/// them those that are equal but for registers, then those of the same mnemonic.
fn partners(first: &[&str], second: &[&str]) -> Vec<Option<usize>> {
    let mut partners = vec![None; first.len()];
    for key in [whole, without_registers, mnemonic] {
        refine(&mut partners, first, second, |text: &&str| key(text), |_, _| true);
    }
    partners
}

/// Gives partners of equal keys to those that have none, between those that have; only in
/// gaps whose two lengths fit.
pub(super) fn refine<T>(
    partners: &mut [Option<usize>],
    first: &[T],
    second: &[T],
    key: impl Fn(&T) -> u64,
    fits: impl Fn(usize, usize) -> bool,
) {
    let mut from = (0, 0);
    let mut gaps: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (place, partner) in partners.iter().enumerate() {
        if let Some(partner) = *partner {
            gaps.push((from.0..place, from.1..partner));
            from = (place + 1, partner + 1);
        }
    }
    gaps.push((from.0..first.len(), from.1..second.len()));
    for (left, right) in gaps.into_iter().filter(|(left, right)| fits(left.len(), right.len())) {
        let keys = |range: Range<usize>, of: &[T]| of[range].iter().map(&key).collect::<Vec<_>>();
        let found = source::align(&keys(left.clone(), first), &keys(right.clone(), second));
        for (place, partner) in left.zip(found) {
            partners[place] = partner.map(|partner| right.start + partner);
        }
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn whole(text: &str) -> u64 {
    hash(text)
}

fn mnemonic(text: &str) -> u64 {
    hash(text.split_whitespace().next())
}

/// A key of a text that the numbers of vector and scalar registers do not change.
fn without_registers(text: &str) -> u64 {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut in_word = false;
    while let Some(letter) = rest.next() {
        let begins_word = !in_word;
        in_word = letter.is_ascii_alphanumeric() || letter == '_';
        kept.push(letter);
        if !begins_word || !matches!(letter, 'v' | 's') {
            continue;
        }
        if rest.peek().is_some_and(char::is_ascii_digit) {
            while rest.next_if(char::is_ascii_digit).is_some() {}
        } else if rest.next_if_eq(&'[').is_some() {
            kept.push('[');
            while rest.next_if(|it| *it != ']').is_some() {}
        }
    }
    hash(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str]) -> Vec<ComparedInstruction> {
        let instructions = texts.iter().zip(0..);
        instructions
            .map(|(text, number)| ComparedInstruction {
                offset: 4 * number,
                text: (*text).to_owned(),
            })
            .collect()
    }

    fn changes(columns: &[&[&str]]) -> Vec<(Change, Vec<String>)> {
        let rows = rows(columns.iter().map(|texts| column(texts)).collect());
        rows.into_iter()
            .map(|row| {
                let cells = row.cells.into_iter();
                (row.change, cells.map(|it| it.map_or_else(String::new, |it| it.text)).collect())
            })
            .collect()
    }

    fn row(change: Change, cells: &[&str]) -> (Change, Vec<String>) {
        (change, cells.iter().map(|it| (*it).to_owned()).collect())
    }

    #[test]
    fn equal_then_renamed_then_similar_instructions_match() {
        let before = ["v_mul_f32 v0, v1, v2", "v_add_f32 v0, v0, 1.0", "s_nop 0"];
        let now =
            ["v_mul_f32 v7, v1, v2", "v_max_f32 v7, v7, v1", "v_add_f32 v7, v7, 2.0", "s_nop 0"];
        assert_eq!(
            changes(&[&before, &now]),
            [
                row(Change::Renamed, &[before[0], now[0]]),
                row(Change::Added, &["", now[1]]),
                row(Change::Changed, &[before[1], now[2]]),
                row(Change::Same, &[before[2], now[3]]),
            ]
        );
        assert_eq!(changes(&[&["s_nop 0"], &[]]), [row(Change::Removed, &["s_nop 0", ""])]);
    }

    #[test]
    fn three_columns_share_their_rows() {
        assert_eq!(
            changes(&[&["a", "b"], &["b"], &["a", "c", "b"]]),
            [
                row(Change::Removed, &["a", "", "a"]),
                row(Change::Added, &["", "", "c"]),
                row(Change::Same, &["b", "b", "b"]),
            ]
        );
        assert_eq!(changes(&[]), []);
    }

    #[test]
    fn only_registers_are_renamed() {
        let same = |a: &str, b: &str| without_registers(a) == without_registers(b);
        assert!(same("v_mul_f32 v0, s[0:1], v2", "v_mul_f32 v10, s[10:11], v2"));
        assert!(!same("v_mul_f32 v0, v1, 2", "v_mul_f32 v0, v1, 3"));
        assert!(!same("s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(1)"));
        assert!(!same("v_mul_f32 v0, v1, v2", "v_mul_f32 v0, v1, s2"));
    }

    #[test]
    fn every_instruction_is_in_one_row_and_in_order() {
        let mut state = 3u64;
        let mut next = |bound: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % bound
        };
        let words = ["v_a v1, v2", "v_a v3, v4", "v_b v1, 1", "v_b v1, 2", "s_c s1"];
        for _ in 0..200 {
            let columns: Vec<Vec<&str>> =
                (0..3).map(|_| (0..next(9)).map(|_| words[next(5) as usize]).collect()).collect();
            let rows = rows(columns.iter().map(|texts| column(texts)).collect());
            for (number, texts) in columns.iter().enumerate() {
                let seen = rows.iter().filter_map(|row| row.cells[number].as_ref());
                let seen: Vec<(u32, &str)> = seen.map(|it| (it.offset, &*it.text)).collect();
                let all: Vec<(u32, &str)> = (0..).step_by(4).zip(texts.iter().copied()).collect();
                assert_eq!(seen, all);
            }
        }
    }
}

//! Tables whose rows speak of families of names: `v_cmp_*_f32 v_cmpx_*_f32`.
//!
//! Of the rows that a name fits the first counts. Every name of a chip is looked up
//! when its tables are built, so what is spelled out is found by its hash, and a
//! pattern is tried only where the name begins as it does.

use rustc_hash::FxHashMap;

/// The patterns of a table's rows.
#[derive(Debug)]
pub(crate) struct Patterns {
    /// The rows that spell a name out.
    names: FxHashMap<&'static str, Vec<u16>>,
    /// All others: what they begin with, and the row.
    families: Vec<(&'static str, &'static str, u16)>,
}

impl Patterns {
    /// The patterns of each row, parted by blanks.
    pub(crate) fn of(rows: impl Iterator<Item = &'static str>) -> Patterns {
        let mut names: FxHashMap<&str, Vec<u16>> = FxHashMap::default();
        let mut families = Vec::new();
        for (row, patterns) in (0..).zip(rows) {
            for pattern in patterns.split(' ') {
                match pattern.find(['*', '?']) {
                    Some(end) => families.push((&pattern[..end], pattern, row)),
                    None => names.entry(pattern).or_default().push(row),
                }
            }
        }
        Patterns { names, families }
    }

    /// The first row that a name fits and that is wanted.
    pub(crate) fn find(&self, name: &str, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let named = self.names.get(name).into_iter().flatten().copied();
        let named = named.map(usize::from).find(|row| wanted(*row));
        let fitting = |(start, pattern, row): &(&str, &str, u16)| {
            let row = usize::from(*row);
            (name.starts_with(start) && wanted(row) && fits(pattern, name)).then_some(row)
        };
        let of_family = self.families.iter().find_map(fitting);
        named.into_iter().chain(of_family).min()
    }
}

/// Whether a name fits a pattern of letters, `?` for one and `*` for any.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    // The usual greedy walk: on a mismatch, the last star takes one letter more.
    let (mut at, mut from) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while from < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                retry = Some((at + 1, from));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[from] => {
                at += 1;
                from += 1;
            }
            _ => {
                let Some((star, taken)) = retry else { return false };
                retry = Some((star, taken + 1));
                at = star;
                from = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_they_read() {
        for (pattern, name, expected) in [
            ("v_cmp_*_?16", "v_cmp_lt_i16", true),
            ("v_cmp_*_?16", "v_cmp_lt_i32", false),
            ("s_*64", "s_and_b64", true),
            ("a*b*c", "abxbc", true),
            ("a*b*c", "abxb", false),
            ("*", "", true),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn the_first_row_counts_however_it_names_what_it_means() {
        let patterns = Patterns::of(["s_and_* s_or_b32", "s_or_b32 s_*", "s_nop"].into_iter());
        let first = |name| patterns.find(name, |_| true);
        assert_eq!(first("s_and_b64"), Some(0));
        assert_eq!(first("s_or_b32"), Some(0));
        assert_eq!(first("s_nop"), Some(1), "a family of an earlier row");
        assert_eq!(first("v_nop"), None);
        assert_eq!(patterns.find("s_or_b32", |row| row > 0), Some(1));
        assert_eq!(patterns.find("s_nop", |row| row > 1), Some(2));
    }
}

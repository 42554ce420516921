//! Which answers of a driver a shader depends on, from `data/capabilities.tsv`:
//! one row per capability and list of words.
//!
//! The names are those of the questions that Gallium asks a driver
//! (`PIPE_CAP_…`, `PIPE_SHADER_CAP_…` for a stage, `PIPE_COMPUTE_CAP_…`), so
//! that a page leads straight to the driver's source. Lists and words are
//! those of [`words`](crate::words), and `opcode` for mnemonics. What is
//! inferred, and not said by a document, says so in its source.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// What a driver may answer to, and the words that depend on it.
#[derive(Debug, PartialEq, Eq)]
pub struct Capability {
    /// The name of the question.
    pub name: &'static str,
    /// What the answer decides.
    pub kind: CapabilityKind,
    /// The list of the words, such as `semantic`, or `opcode`.
    pub list: &'static str,
    /// The words that depend on it.
    pub words: Vec<&'static str>,
    /// Where it counts, or what the number means; empty where it always does.
    pub when: &'static str,
    /// Where the fact comes from.
    pub source: &'static str,
}

/// What an answer decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CapabilityKind {
    /// Without it the word cannot be used.
    Need,
    /// A number that the use must not exceed.
    Limit,
    /// Which of two forms the driver wants.
    Choice,
}

/// Every row, in the order of the file.
pub fn all() -> &'static [Capability] {
    &TABLE.rows
}

/// The rows that name a word of a list, in the order of the file.
pub fn of(list: &str, word: &str) -> impl Iterator<Item = &'static Capability> + use<> {
    let places = TABLE.places.get(list).and_then(|words| words.get(word));
    let places = places.map_or(&[][..], Vec::as_slice);
    places.iter().map(|place| &TABLE.rows[*place])
}

struct Table {
    rows: Vec<Capability>,
    /// Rows by list and word.
    places: FxHashMap<&'static str, FxHashMap<&'static str, Vec<usize>>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let rows: Vec<Capability> = include_str!("../data/capabilities.tsv")
        .lines()
        .skip(1)
        .map(|line| parse(line).unwrap_or_else(|| panic!("data/capabilities.tsv: bad row: {line}")))
        .collect();
    let mut places: FxHashMap<_, FxHashMap<_, Vec<usize>>> = FxHashMap::default();
    for (place, row) in rows.iter().enumerate() {
        for word in &row.words {
            places.entry(row.list).or_default().entry(*word).or_default().push(place);
        }
    }
    Table { rows, places }
});

fn parse(line: &'static str) -> Option<Capability> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let row = Capability {
        name: next()?,
        kind: match next()? {
            "need" => CapabilityKind::Need,
            "limit" => CapabilityKind::Limit,
            "choice" => CapabilityKind::Choice,
            _ => return None,
        },
        list: next()?,
        words: next()?.split(',').collect(),
        when: next()?,
        source: next()?,
    };
    fields.next().is_none().then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Opcode, word_rows};

    #[test]
    fn rows_name_words_that_exist() {
        for row in all() {
            let prefixes = ["PIPE_CAP_", "PIPE_SHADER_CAP_", "PIPE_COMPUTE_CAP_"];
            assert!(prefixes.iter().any(|prefix| row.name.starts_with(prefix)), "{row:?}");
            assert!(!row.source.is_empty(), "{row:?}");
            assert!(row.kind == CapabilityKind::Need || !row.when.is_empty(), "{row:?}");
            for word in &row.words {
                let known = match row.list {
                    "opcode" => Opcode::find(word).is_some_and(|opcode| opcode.mnemonic() == *word),
                    list => word_rows::find(list, word).is_some(),
                };
                assert!(known, "{}: no {} `{word}`", row.name, row.list);
                let same = of(row.list, word)
                    .filter(|other| other.name == row.name && other.kind == row.kind);
                assert_eq!(same.count(), 1, "{}: {word} stands twice", row.name);
            }
        }
    }

    #[test]
    fn every_64_bit_opcode_needs_its_numbers() {
        use crate::opcodes::ValueType::{Double, Signed64, Unsigned64};
        // Time is 64 bits wide, whatever the driver calculates with.
        let numbered = Opcode::all().filter(|opcode| opcode.row().number.is_some());
        for opcode in numbered.filter(|opcode| opcode.mnemonic() != "CLOCK") {
            let row = opcode.row();
            let mut types = row.destination_types.iter().chain(row.source_types);
            let wide = types.clone().any(|ty| matches!(ty, Signed64 | Unsigned64));
            let double = types.any(|ty| *ty == Double);
            let needs = |name: &str| of("opcode", row.mnemonic).any(|it| it.name == name);
            assert!(!wide || needs("PIPE_CAP_INT64"), "{}", row.mnemonic);
            assert!(!double || needs("PIPE_CAP_DOUBLES"), "{}", row.mnemonic);
        }
    }
}

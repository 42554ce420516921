//! The answers of a driver that shaders depend on, from `data/capabilities.tsv`: one row per
//! capability and list of words.
//!
//! The names are those of the questions that Gallium asks a driver
//! (`PIPE_CAP_…`, `PIPE_SHADER_CAP_…` for a stage, `PIPE_COMPUTE_CAP_…`), so
//! that a page leads straight to the driver's source. Lists and words are
//! those of [`words`](crate::words), and `opcode` for mnemonics. What is
//! inferred, and not said by a document, says so in its source.

/// A question to drivers, and the words that depend on it.
#[derive(Debug, PartialEq, Eq)]
pub struct Capability {
    /// The name of the question.
    pub name: &'static str,
    /// The decision that the answer makes.
    pub kind: CapabilityKind,
    /// The list of the words, such as `semantic`, or `opcode`.
    pub list: &'static str,
    /// The words that depend on it.
    pub words: &'static [&'static str],
    /// The case in which it counts, or the meaning of the number; empty where it always does.
    pub when: &'static str,
    /// The source of the fact.
    pub source: &'static str,
}

/// The decision that an answer makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CapabilityKind {
    /// Without it the word cannot be used.
    Need,
    /// A number that the use must not exceed.
    Limit,
    /// One of two forms, as the driver wants it.
    Choice,
}

include!(concat!(env!("OUT_DIR"), "/capabilities.rs"));

/// Returns every row, in the order of the file.
pub fn all() -> &'static [Capability] {
    &ROWS
}

/// Returns the rows that name a word of a list, in the order of the file.
pub fn of(list: &str, word: &str) -> impl Iterator<Item = &'static Capability> + use<> {
    let spelled = |place: usize| (WORDS[place].0, WORDS[place].1);
    let found = tables::find_pair(&INDEX, list, word, spelled);
    found.map_or(&[][..], |place| WORDS[place].2).iter().map(|place| &ROWS[*place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Opcode;

    #[test]
    fn rows_are_complete() {
        for row in all() {
            let prefixes = ["PIPE_CAP_", "PIPE_SHADER_CAP_", "PIPE_COMPUTE_CAP_"];
            assert!(prefixes.iter().any(|prefix| row.name.starts_with(prefix)), "{row:?}");
            assert!(!row.source.is_empty(), "{row:?}");
            assert!(row.kind == CapabilityKind::Need || !row.when.is_empty(), "{row:?}");
            for word in row.words {
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

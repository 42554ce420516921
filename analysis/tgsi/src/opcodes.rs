//! The opcode table: one row per opcode, from `data/opcodes.tsv`.
//!
//! The parser, hovers, completion, validation and lowering all read the same
//! row. The file is data so that a fact is found and mended without reading
//! code; a test checks every row.
//!
//! Operand counts, flags and dates are those of Mesa 21's table and of the
//! history of its headers; `source` names where the meaning is from, and any
//! document by which a type differs from that table.

use std::sync::LazyLock;

/// An opcode: a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opcode(u16);

/// What is known of an opcode.
#[derive(Debug)]
pub struct Row {
    /// How the language spells it, without modifiers.
    pub mnemonic: &'static str,
    /// Its number in current token streams; `None` for historic ones. One that
    /// went lately (`DFRACEXP`) keeps the number it had.
    pub number: Option<u8>,
    /// How many destinations it has.
    pub destinations: usize,
    /// How many sources it has.
    pub sources: usize,
    /// Whether a texture target follows the operands.
    pub texture: bool,
    /// Whether a label may follow.
    pub label: bool,
    /// Whether it writes memory.
    pub store: bool,
    /// How the components of the result depend on those of the sources.
    pub output: OutputMode,
    /// The types of its destinations.
    pub destination_types: Vec<ValueType>,
    /// The types of its sources.
    pub source_types: Vec<ValueType>,
    /// The stages it is for, as the table words it: `any`, or stage words.
    pub stages: &'static str,
    /// The day it came, `YYYY-MM-DD`; empty where not known.
    pub since: &'static str,
    /// The day it went; empty while it lives.
    pub until: &'static str,
    /// What to write today in place of a historic opcode, instructions parted
    /// by `; `, or `none` and why; empty for live ones.
    pub replacement: &'static str,
    /// What it computes: `c` stands for each component of the mask, `xy` and
    /// `zw` for pairs that hold 64 bits, `; ` parts the steps.
    pub formula: &'static str,
    /// What it does, in one or two sentences.
    pub description: &'static str,
    /// Where the facts come from.
    pub source: &'static str,
}

/// How the components of a result depend on the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutputMode {
    /// There is no result.
    None,
    /// Each component from the same component of the sources.
    Componentwise,
    /// One value, written to every component of the mask.
    Replicate,
    /// Each component has a rule of its own.
    ChannelDependent,
    /// Anything else: textures, memory.
    Other,
}

/// How an operand's bits are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ValueType {
    Untyped,
    Float,
    Signed,
    Unsigned,
    Double,
    Signed64,
    Unsigned64,
}

impl Opcode {
    /// The opcode that a mnemonic without modifiers names; letter case does not count.
    pub fn find(mnemonic: &str) -> Option<Opcode> {
        let mut buffer = [0; LONGEST_MNEMONIC];
        let key = buffer.get_mut(..mnemonic.len())?;
        key.copy_from_slice(mnemonic.as_bytes());
        key.make_ascii_uppercase();
        TABLE.by_mnemonic.get(&*key).copied()
    }

    /// Every opcode, historic ones included.
    pub fn all() -> impl Iterator<Item = Opcode> {
        (0..TABLE.rows.len() as u16).map(Opcode)
    }

    /// What is known of it.
    pub fn row(self) -> &'static Row {
        &TABLE.rows[self.0 as usize]
    }

    /// How the language spells it.
    pub fn mnemonic(self) -> &'static str {
        self.row().mnemonic
    }

    /// The opcode that a historic one is another name of: the one that the
    /// table has in its place, with the same operands in the same order.
    pub fn successor(self) -> Option<Opcode> {
        let row = self.row();
        let (name, operands) = row.replacement.split_once(' ').unwrap_or((row.replacement, ""));
        let successor = Opcode::find(name)?;
        let mut expected = vec!["dst".to_owned(); row.destinations];
        expected.extend((0..row.sources).map(|number| format!("src{number}")));
        let unnamed = ["", "TARGET", ":n"];
        let same = operands.split(", ").filter(|operand| !unnamed.contains(operand)).eq(&expected);
        let alike = |it: &Row| (it.destinations, it.sources);
        (same && alike(row) == alike(successor.row())).then_some(successor)
    }

    /// Whether it is a number without an instruction, which the reference
    /// parser reads under a name made from the number (`UNK67`).
    pub fn is_gap(self) -> bool {
        let digits = self.mnemonic().strip_prefix("UNK");
        digits.is_some_and(|digits| digits.parse::<u8>().is_ok())
    }

    /// Whether some text reader ever took it. The others went before the first
    /// reader came in July 2008 and can only stand in dumps.
    pub fn had_text_form(self) -> bool {
        let until = self.row().until;
        until.is_empty() || until >= "2008-07"
    }
}

impl std::fmt::Debug for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.mnemonic())
    }
}

/// The bytes of the longest mnemonic: `INTERP_CENTROID`.
const LONGEST_MNEMONIC: usize = 15;

struct Table {
    rows: Vec<Row>,
    by_mnemonic: rustc_hash::FxHashMap<&'static [u8], Opcode>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let rows: Vec<Row> = include_str!("../data/opcodes.tsv")
        .lines()
        .skip(1)
        .map(|line| row(line).unwrap_or_else(|| panic!("data/opcodes.tsv: bad row: {line}")))
        .collect();
    let by_mnemonic = (0..rows.len() as u16)
        .map(|id| (rows[id as usize].mnemonic.as_bytes(), Opcode(id)))
        .collect();
    Table { rows, by_mnemonic }
});

fn row(line: &'static str) -> Option<Row> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let row = Row {
        mnemonic: next()?,
        number: next()?.parse().ok(),
        destinations: next()?.parse().ok()?,
        sources: next()?.parse().ok()?,
        texture: next()? == "1",
        label: next()? == "1",
        store: next()? == "1",
        output: match next()? {
            "none" => OutputMode::None,
            "componentwise" => OutputMode::Componentwise,
            "replicate" => OutputMode::Replicate,
            "chan_dependent" => OutputMode::ChannelDependent,
            "other" => OutputMode::Other,
            _ => return None,
        },
        destination_types: types(next()?)?,
        source_types: types(next()?)?,
        stages: next()?,
        since: next()?,
        until: next()?,
        replacement: next()?,
        formula: next()?,
        description: next()?,
        source: next()?,
    };
    fields.next().is_none().then_some(row)
}

fn types(field: &str) -> Option<Vec<ValueType>> {
    let words = field.split(',').filter(|word| !word.is_empty());
    words
        .map(|word| {
            Some(match word {
                "untyped" => ValueType::Untyped,
                "float" => ValueType::Float,
                "int" => ValueType::Signed,
                "uint" => ValueType::Unsigned,
                "double" => ValueType::Double,
                "int64" => ValueType::Signed64,
                "uint64" => ValueType::Unsigned64,
                _ => return None,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;

    #[test]
    fn every_row_is_complete() {
        for row in Opcode::all().map(Opcode::row) {
            assert!(!row.formula.is_empty() && !row.source.is_empty(), "{row:?}");
            assert!(row.description.ends_with('.'), "{row:?}");
            assert_eq!(row.destination_types.len(), row.destinations, "{row:?}");
            assert_eq!(row.source_types.len(), row.sources, "{row:?}");
            assert_eq!(row.until.is_empty(), row.replacement.is_empty(), "{row:?}");
            assert!(row.until.is_empty() || row.since < row.until, "{row:?}");
            assert!(row.number.is_some() || !row.until.is_empty(), "{row:?}");
            assert!(row.mnemonic.len() <= LONGEST_MNEMONIC, "{row:?}");
            let known = |word| Stage::from_word(word).is_some();
            assert!(row.stages == "any" || row.stages.split(' ').all(known), "{row:?}");
        }
    }

    #[test]
    fn formulas_name_only_operands_that_exist() {
        for row in Opcode::all().map(Opcode::row) {
            for number in 0..6 {
                let named = row.formula.contains(&format!("src{number}"));
                assert!(!named || number < row.sources, "{row:?}");
            }
            assert!(row.destinations > 0 || !row.formula.contains("dst"), "{row:?}");
        }
    }

    #[test]
    fn numbers_are_unique_among_the_living() {
        let mut owner = [None; 256];
        for opcode in Opcode::all().filter(|opcode| opcode.row().until.is_empty()) {
            let Some(number) = opcode.row().number else { continue };
            let other = owner[usize::from(number)].replace(opcode);
            assert_eq!(other, None, "{number} is also {opcode:?}");
        }
        assert!(owner[..252].iter().all(Option::is_some), "a number has no name");
    }

    #[test]
    fn mnemonics_are_found_in_any_letter_case() {
        for opcode in Opcode::all() {
            assert_eq!(Opcode::find(opcode.mnemonic()), Some(opcode));
            assert_eq!(Opcode::find(&opcode.mnemonic().to_lowercase()), Some(opcode));
        }
        for unknown in ["", "MADD2", "INTERP_CENTROIDS", "M\u{e4}d", "MOV_SAT"] {
            assert_eq!(Opcode::find(unknown), None);
        }
    }

    #[test]
    fn gaps_and_dump_words_are_told_apart() {
        let gaps = Opcode::all().filter(|opcode| opcode.is_gap()).count();
        assert_eq!(gaps, 9);
        let had_text_form = |word| Opcode::find(word).map(Opcode::had_text_form);
        assert_eq!(had_text_form("MAD"), Some(true));
        assert_eq!(had_text_form("LERP"), Some(true));
        assert_eq!(had_text_form("TEXBEML"), Some(false));
    }
}

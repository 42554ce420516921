//! The opcode table: one row per opcode, from `data/opcodes.tsv`.
//!
//! The parser, hovers, completion, validation and lowering all read the same
//! row. The file is data so that a fact is found and mended without reading
//! code; a test checks every row.

use std::sync::LazyLock;

/// An opcode: a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opcode(u16);

/// What is known of an opcode.
#[derive(Debug)]
pub struct Row {
    /// How the language spells it, without modifiers.
    pub mnemonic: &'static str,
    /// Its number in current token streams; `None` for historic ones.
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
    /// What to write today in place of a historic opcode; empty for live ones.
    pub replacement: &'static str,
    /// What it computes, in one consistent notation.
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
        let key = mnemonic.to_ascii_uppercase();
        TABLE.by_mnemonic.get(key.as_str()).copied()
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
}

impl std::fmt::Debug for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.mnemonic())
    }
}

struct Table {
    rows: Vec<Row>,
    by_mnemonic: rustc_hash::FxHashMap<&'static str, Opcode>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let rows: Vec<Row> = include_str!("../data/opcodes.tsv")
        .lines()
        .skip(1)
        .map(|line| row(line).unwrap_or_else(|| panic!("data/opcodes.tsv: bad row: {line}")))
        .collect();
    let by_mnemonic =
        rows.iter().enumerate().map(|(id, row)| (row.mnemonic, Opcode(id as u16))).collect();
    Table { rows, by_mnemonic }
});

fn row(line: &'static str) -> Option<Row> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    Some(Row {
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
    })
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

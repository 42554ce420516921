//! The opcodes of TGSI.
//!
//! Operand counts, flags and dates are those of Mesa 21's table and of the history of its
//! headers; `source` names where the meaning is from, and any document by which a type
//! differs from that table.

include!(concat!(env!("OUT_DIR"), "/tgsi_opcodes.rs"));

/// The bytes of the longest mnemonic: `INTERP_CENTROID`.
const LONGEST_MNEMONIC: usize = 15;

/// The facts about an opcode, a row of `data/tgsi/opcodes.tsv`.
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
    pub destination_types: &'static [ValueType],
    /// The types of its sources.
    pub source_types: &'static [ValueType],
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
    /// Returns the opcode that a mnemonic without modifiers names; letter case does not count.
    pub fn find(mnemonic: &str) -> Option<Opcode> {
        let mut buffer = [0; LONGEST_MNEMONIC];
        let key = buffer.get_mut(..mnemonic.len())?;
        key.copy_from_slice(mnemonic.as_bytes());
        key.make_ascii_uppercase();
        crate::find(&INDEX, key, |number| ROWS[number].mnemonic).map(|number| ALL[number])
    }

    /// Lists every opcode, historic ones included.
    pub fn all() -> impl Iterator<Item = Opcode> {
        ALL.into_iter()
    }

    /// Returns the facts about it.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns how the language spells it.
    pub fn mnemonic(self) -> &'static str {
        self.row().mnemonic
    }

    /// Returns the opcode that a historic one is another name of: the one that the
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

    /// Tells whether it is a number without an instruction, which the reference
    /// parser reads under a name made from the number (`UNK67`).
    pub fn is_gap(self) -> bool {
        let digits = self.mnemonic().strip_prefix("UNK");
        digits.is_some_and(|digits| digits.parse::<u8>().is_ok())
    }

    /// Tells whether some text reader ever took it. The others went before the first
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

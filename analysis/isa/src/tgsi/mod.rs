//! The opcodes of TGSI.
//!
//! Operand counts, flags and dates are those of Mesa 21's table and of the history of its
//! headers; `source` names where the meaning is from, and any document by which a type
//! differs from that table.

mod words;

pub use words::{Argument, Control, Family, Flag, Lookup, OutputMode, Scale, ValueType};

include!(concat!(env!("OUT_DIR"), "/tgsi_opcodes.rs"));

/// The facts about an opcode, a row of `data/tgsi/opcodes.tsv`.
#[derive(Debug)]
pub struct OpInfo {
    /// The opcode itself.
    pub opcode: Opcode,
    /// The spelling in the language, without modifiers.
    pub mnemonic: &'static str,
    /// Its number in current token streams; `None` for historic ones. One that
    /// went lately (`DFRACEXP`) keeps the number it had.
    pub number: Option<u8>,
    /// The number of its destinations.
    pub destinations: usize,
    /// The number of its sources.
    pub sources: usize,
    /// Set where a texture target follows the operands.
    pub texture: bool,
    /// Set where a label may follow.
    pub label: bool,
    /// Set where it writes memory.
    pub store: bool,
    /// The rules that its operands follow.
    pub family: Family,
    /// Its part in control flow; [`OpInfo::path`] is what to follow.
    pub control: Control,
    /// Its form as a texture opcode.
    pub lookup: Lookup,
    /// The components that it reads of its sources; [`OpInfo::read_of`] tells it of one.
    pub reads: Reads,
    /// Facts of a few opcodes.
    pub flags: &'static [Flag],
    /// The dependence of the result's components on those of the sources.
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
    /// The month in which it got its last source; empty where it always had it. Texts
    /// without that source are of before.
    pub last_source_since: &'static str,
    /// The meaning of that source, behind "since then"; empty where the month is.
    pub last_source: &'static str,
    /// The text to write today in place of a historic opcode, instructions parted by `; `, or
    /// `none` and why; empty for live ones.
    pub replacement: &'static str,
    /// The result as a formula: `c` stands for each component of the mask, `xy` and `zw` for pairs
    /// that hold 64 bits, `; ` parts the steps.
    pub formula: &'static str,
    /// The meaning in one or two sentences.
    pub description: &'static str,
    /// The documents that the facts come from.
    pub source: &'static str,
    /// The opcode that a historic one is another name of: the one that the table has in its
    /// place, with the same operands in the same order.
    pub successor: Option<Opcode>,
    /// The reason why no compiler can make code of it; empty for all others.
    pub not_compiled: &'static str,
    /// The reason why no interpreter can execute it; empty for all others.
    pub not_executed: &'static str,
    /// The bounds of what is not exact, each for some components.
    pub precision: &'static [Bound],
    /// The same as Vulkan allows; empty where it allows no more.
    pub vulkan_precision: &'static [Bound],
}

/// The components of a source that an opcode reads, before the swizzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reads {
    /// The components of the write mask.
    Written,
    /// These, a bit each, whatever is written.
    Fixed(u8),
    /// The pairs that hold the 64-bit values of the write mask.
    Pairs,
    /// Others, which are not followed.
    Unknown,
}

/// The distance that some components of an opcode's results may have from the mathematical
/// results, a row of `data/tgsi/precision.tsv` or `precision_vulkan.tsv`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// The components, a bit each.
    pub components: u8,
    /// Units in the last place.
    pub ulps: f64,
    /// The scale of these units.
    pub of: Scale,
    /// As many units again for each unit of the result's binary exponent.
    pub exponent: f64,
    /// A distance beside the units.
    pub absolute: f64,
    /// A distance for each unit of the first source's size.
    pub angle: f64,
    /// The value that decides whether there is a result.
    pub argument: Argument,
    /// The least and the greatest argument with a result.
    pub domain: [f64; 2],
    /// The row in words, as a report prints it.
    pub rule: &'static str,
}

/// A value for each opcode that has one, gathered from the tables of families by the compiler.
#[derive(Debug)]
pub struct ByOpcode<T>([Option<T>; Opcode::COUNT]);

impl<T: Copy> ByOpcode<T> {
    /// Gathers the rows of tables.
    ///
    /// # Panics
    /// Where an opcode is listed twice; in a constant that is an error of the compiler.
    pub const fn of(tables: &[&[(Opcode, T)]]) -> ByOpcode<T> {
        let mut values = [None; Opcode::COUNT];
        let mut table = 0;
        while table < tables.len() {
            let mut row = 0;
            while row < tables[table].len() {
                let (opcode, value) = tables[table][row];
                assert!(values[opcode as usize].is_none(), "an opcode is listed twice");
                values[opcode as usize] = Some(value);
                row += 1;
            }
            table += 1;
        }
        ByOpcode(values)
    }

    /// Returns the value of an opcode.
    pub const fn get(&self, opcode: Opcode) -> Option<T> {
        self.0[opcode as usize]
    }
}

impl Lookup {
    /// Tells whether it is a question about a texture, which gives no texels.
    pub const fn asks(self) -> bool {
        matches!(self, Lookup::Size | Lookup::Samples | Lookup::Position | Lookup::Detail)
    }

    /// Tells whether texels are filtered, or the level of detail to do so is asked for.
    pub const fn filters(self) -> bool {
        match self {
            Lookup::Implicit
            | Lookup::Implicit2
            | Lookup::Zero
            | Lookup::Projected
            | Lookup::Bias
            | Lookup::Bias2
            | Lookup::Level
            | Lookup::Level2
            | Lookup::Derivatives
            | Lookup::Compared
            | Lookup::ComparedZero
            | Lookup::Gather
            | Lookup::Detail => true,
            Lookup::None
            | Lookup::Fetch
            | Lookup::FetchZero
            | Lookup::FetchSample
            | Lookup::Size
            | Lookup::Samples
            | Lookup::Position => false,
        }
    }
}

impl ValueType {
    /// Tells whether a value takes two components.
    pub const fn is_wide(self) -> bool {
        matches!(self, ValueType::Double | ValueType::Signed64 | ValueType::Unsigned64)
    }
}

impl OpInfo {
    /// Tells whether a fact holds.
    #[inline]
    pub const fn has(&self, flag: Flag) -> bool {
        let mut at = 0;
        while at < self.flags.len() {
            if self.flags[at] as u8 == flag as u8 {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Tells whether it is for the stage of a word.
    #[inline]
    pub fn is_for(&self, stage: &str) -> bool {
        self.stages == "any" || self.stages.split(' ').any(|word| word == stage)
    }

    /// Tells whether it has left the language.
    #[inline]
    pub const fn is_historic(&self) -> bool {
        !self.until.is_empty()
    }

    /// Returns its part in control flow, where control flow is followed: historic opcodes
    /// other than those that just go on are jumps.
    #[inline]
    pub fn path(&self) -> Control {
        if self.control != Control::Next && self.is_historic() {
            Control::Jump
        } else {
            self.control
        }
    }

    /// Returns the components that it reads of a source.
    #[inline]
    pub fn read_of(&self, source: usize) -> Reads {
        match (self.reads, self.source_types.get(source)) {
            (Reads::Pairs, Some(ty)) if !ty.is_wide() => Reads::Unknown,
            (reads, Some(_)) => reads,
            (_, None) => Reads::Unknown,
        }
    }
}

impl Opcode {
    /// The number of opcodes.
    pub const COUNT: usize = ROWS.len();

    /// Returns the opcode that a mnemonic without modifiers names; letter case does not count.
    pub fn find(mnemonic: &str) -> Option<Opcode> {
        let find = |name: &[u8]| tables::find(&INDEX, name, |number| ROWS[number].mnemonic);
        let number = find(mnemonic.as_bytes()).or_else(|| {
            let mut buffer = [0; LONGEST_MNEMONIC];
            let key = buffer.get_mut(..mnemonic.len())?;
            key.copy_from_slice(mnemonic.as_bytes());
            key.make_ascii_uppercase();
            find(key)
        });
        number.map(|number| ALL[number])
    }

    /// Every opcode, historic ones included.
    pub const ALL: [Opcode; Opcode::COUNT] = ALL;

    /// Lists every opcode, historic ones included.
    pub fn all() -> impl Iterator<Item = Opcode> {
        ALL.into_iter()
    }

    /// Returns the facts about it.
    #[inline]
    pub const fn row(self) -> &'static OpInfo {
        &ROWS[self as usize]
    }

    /// Returns how the language spells it.
    #[inline]
    pub const fn mnemonic(self) -> &'static str {
        self.row().mnemonic
    }

    /// Returns the opcode that a historic one is another name of.
    pub const fn successor(self) -> Option<Opcode> {
        self.row().successor
    }

    /// Tells whether it is a number without an instruction, which the reference
    /// parser reads under a name made from the number (`UNK67`).
    pub const fn is_gap(self) -> bool {
        self.row().has(Flag::Gap)
    }

    /// Tells whether some text reader ever took it. The others went before the first
    /// reader came in July 2008 and can only stand in dumps.
    pub fn had_text_form(self) -> bool {
        let until = self.row().until;
        until.is_empty() || until >= "2008-07"
    }
}

impl Default for Opcode {
    /// Returns the opcode that does nothing.
    fn default() -> Opcode {
        Opcode::NOP
    }
}

impl std::fmt::Debug for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.mnemonic())
    }
}

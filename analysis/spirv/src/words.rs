//! The words of SPIR-V: instructions and the values of their operands, from the tables.

/// The kinds of results that instructions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    /// None.
    None,
    /// An id without a type.
    Id,
    /// The id of a type, then that of the result.
    Typed,
}

/// The kinds of operands.
#[derive(Debug, Clone, Copy)]
pub enum OperandKind {
    /// The id of another instruction.
    Id,
    /// A number of 32 bits.
    Literal,
    /// Characters, ended by a zero byte.
    String,
    /// A number of the result's type.
    Value,
    /// A number and the label to which it leads.
    Case,
    /// One of some values.
    Enumerant(&'static [EnumerantRow]),
    /// Some of some bits, whose operands follow in the order of the bits.
    Mask(&'static [EnumerantRow]),
}

/// The numbers of times that an operand may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// Once.
    Once,
    /// Not at all, or once.
    Optional,
    /// As often as there are words.
    Repeated,
}

/// An instruction, a row of `data/instructions.tsv`.
#[derive(Debug)]
pub struct InstructionRow {
    /// The instruction.
    pub op: Op,
    /// Its name, with `Op` before it.
    pub name: &'static str,
    /// Its result.
    pub result: ResultKind,
    /// Its operands after the result.
    pub operands: &'static [(OperandKind, Times)],
}

/// A value of an operand, a row of `data/enumerants.tsv`.
#[derive(Debug)]
pub struct EnumerantRow {
    /// Its number, or its bit.
    pub number: u32,
    /// Its name.
    pub name: &'static str,
    /// The operands that follow it.
    pub parameters: &'static [(OperandKind, Times)],
}

include!(concat!(env!("OUT_DIR"), "/instructions.rs"));

impl Op {
    /// Returns the facts about an instruction of a number; `None` if it is not in the table.
    pub fn row(number: u16) -> Option<&'static InstructionRow> {
        let place = INSTRUCTIONS.binary_search_by_key(&number, |row| row.op as u16).ok()?;
        Some(&INSTRUCTIONS[place])
    }
}

/// The words of a string: four bytes each, the first lowest, ended by at least one zero byte.
pub(crate) fn string_words(text: &str) -> Vec<u32> {
    let mut words = vec![0; text.len() / 4 + 1];
    for (place, byte) in text.bytes().enumerate() {
        words[place / 4] |= u32::from(byte) << (place % 4 * 8);
    }
    words
}

impl StorageClass {
    /// Returns the name of a class of a number.
    pub(crate) fn name_of(number: u32) -> Option<&'static str> {
        STORAGE_CLASS_ROWS.iter().find(|row| row.number == number).map(|row| row.name)
    }
}

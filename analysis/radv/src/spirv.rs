//! The words of SPIR-V modules, as far as a pipeline has to know them.

use crate::Stage;

/// The first word of every module.
pub(crate) const MAGIC: u32 = 0x0723_0203;
/// Words before the first instruction.
pub(crate) const HEADER: usize = 5;

/// Opcodes, by their numbers in the specification (SPIR-V 1.6, 3.52).
pub(crate) mod op {
    pub(crate) const NAME: u32 = 5;
    pub(crate) const LINE: u32 = 8;
    pub(crate) const MEMORY_MODEL: u32 = 14;
    pub(crate) const ENTRY_POINT: u32 = 15;
    pub(crate) const EXECUTION_MODE: u32 = 16;
    pub(crate) const CAPABILITY: u32 = 17;
    pub(crate) const TYPE_VOID: u32 = 19;
    pub(crate) const TYPE_INT: u32 = 21;
    pub(crate) const TYPE_FLOAT: u32 = 22;
    pub(crate) const TYPE_VECTOR: u32 = 23;
    pub(crate) const TYPE_ARRAY: u32 = 28;
    pub(crate) const TYPE_POINTER: u32 = 32;
    pub(crate) const TYPE_FUNCTION: u32 = 33;
    pub(crate) const CONSTANT: u32 = 43;
    pub(crate) const FUNCTION: u32 = 54;
    pub(crate) const FUNCTION_END: u32 = 56;
    pub(crate) const VARIABLE: u32 = 59;
    pub(crate) const LOAD: u32 = 61;
    pub(crate) const STORE: u32 = 62;
    pub(crate) const ACCESS_CHAIN: u32 = 65;
    pub(crate) const DECORATE: u32 = 71;
    pub(crate) const COMPOSITE_CONSTRUCT: u32 = 80;
    pub(crate) const COMPOSITE_EXTRACT: u32 = 81;
    pub(crate) const BITCAST: u32 = 124;
    pub(crate) const IADD: u32 = 128;
    pub(crate) const FADD: u32 = 129;
    pub(crate) const EMIT_VERTEX: u32 = 218;
    pub(crate) const EMIT_STREAM_VERTEX: u32 = 220;
    pub(crate) const LABEL: u32 = 248;
    pub(crate) const RETURN: u32 = 253;
    pub(crate) const NO_LINE: u32 = 317;
}

/// Decorations.
pub(crate) mod decoration {
    pub(crate) const BUILT_IN: u32 = 11;
    pub(crate) const FLAT: u32 = 14;
    pub(crate) const PATCH: u32 = 15;
    pub(crate) const LOCATION: u32 = 30;
    pub(crate) const COMPONENT: u32 = 31;
}

/// Storage classes of a stage's interface.
pub(crate) mod storage {
    pub(crate) const INPUT: u32 = 1;
    pub(crate) const OUTPUT: u32 = 3;
}

/// The reason why words are no module that the driver may see.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Broken {
    /// The words do not begin as a module does.
    #[error("these words are not SPIR-V: they do not begin with 0x07230203")]
    Magic,
    /// An instruction is longer than the rest, or has no length.
    #[error("the SPIR-V is cut off at word {0}")]
    Cut(usize),
    /// There is no entry point of the stage.
    #[error("the SPIR-V has no entry point for the {0} stage")]
    NoEntry(Stage),
}

/// One instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instruction<'a> {
    pub(crate) opcode: u32,
    pub(crate) operands: &'a [u32],
}

impl Instruction<'_> {
    /// An operand, 0 where there are fewer.
    pub(crate) fn operand(&self, index: usize) -> u32 {
        self.operands.get(index).copied().unwrap_or_default()
    }
}

/// Reads the instructions of a module.
///
/// # Errors
/// The words are no module, by their beginning and their lengths.
pub(crate) fn instructions(words: &[u32]) -> Result<Vec<Instruction<'_>>, Broken> {
    if words.first() != Some(&MAGIC) {
        return Err(Broken::Magic);
    }
    let mut found = Vec::new();
    let mut at = HEADER;
    while at < words.len() {
        let length = (words[at] >> 16) as usize;
        let operands = words.get(at + 1..at + length).filter(|_| length > 0);
        let Some(operands) = operands else { return Err(Broken::Cut(at)) };
        found.push(Instruction { opcode: words[at] & 0xffff, operands });
        at += length;
    }
    if found.last().is_none_or(|last| last.opcode != op::FUNCTION_END) {
        return Err(Broken::Cut(words.len()));
    }
    Ok(found)
}

/// Writes a module.
#[derive(Debug)]
pub(crate) struct Writer {
    words: Vec<u32>,
    next: u32,
}

impl Writer {
    /// Begins a module of version 1.0, which every driver reads.
    pub(crate) fn new() -> Writer {
        Writer { words: vec![MAGIC, 0x0001_0000, 0, 0, 0], next: 1 }
    }

    /// Makes a new id.
    pub(crate) fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// Adds an instruction.
    pub(crate) fn push(&mut self, opcode: u32, operands: &[u32]) {
        let length = operands.len() as u32 + 1;
        self.words.push(length << 16 | opcode);
        self.words.extend_from_slice(operands);
    }

    /// Ends the module.
    pub(crate) fn finish(mut self) -> Vec<u32> {
        self.words[3] = self.next;
        self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_modules_are_read() {
        let whole =
            [MAGIC, 0x10000, 0, 9, 0, 2 << 16 | op::CAPABILITY, 1, 1 << 16 | op::FUNCTION_END];
        let found = instructions(&whole).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].opcode, found[0].operand(0), found[0].operand(1)), (17, 1, 0));
        let refused = |words: &[u32]| instructions(words).map(|it| it.len()).unwrap_err();
        assert_eq!(refused(&[]), Broken::Magic);
        assert_eq!(refused(&[MAGIC.swap_bytes(), 0, 0, 0, 0]), Broken::Magic);
        assert_eq!(refused(&whole[..5]), Broken::Cut(5));
        assert_eq!(refused(&whole[..6]), Broken::Cut(5));
        assert_eq!(refused(&whole[..7]), Broken::Cut(7));
        let endless = [MAGIC, 0x10000, 0, 9, 0, 17];
        assert_eq!(refused(&endless), Broken::Cut(5));
    }
}

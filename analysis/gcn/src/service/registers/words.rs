//! The words of an instruction that name registers, each with the operand that it is.

use source::{TextRange, TextSize};

use crate::analysis::{Access, DefUse, MemberKind};
use crate::instruction::{Family, Register, numbered_registers, special_register};
use crate::program::{Instruction, Program};
use crate::service::statement::{Statement, WordKind};

/// A word that names registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The range in the text that its statement stands in.
    pub(crate) range: TextRange,
    /// The registers that it names.
    pub(crate) register: Register,
    /// The place among the instruction's register operands.
    pub(crate) operand: Option<u8>,
    /// True if it gives registers by number.
    pub(crate) numbered: bool,
}

/// The words of an instruction, in order. Words and operands are in the same order, and
/// agree in the first register.
pub(crate) fn mentions(
    program: &Program,
    instruction: &Instruction,
    def_use: &DefUse,
) -> Vec<Mention> {
    let span = program.statement(instruction).span;
    let statement = Statement::read(program.text(instruction).into(), span.range.start().into());
    let mut open = operands(def_use);
    let mut mentions = Vec::new();
    for word in statement.words() {
        let register = match word.kind {
            WordKind::Registers { family, first, last } => numbered(program, family, first, last),
            WordKind::Name => special(program, statement.slice(word.range)),
            _ => None,
        };
        let Some(register) = register else { continue };
        let same =
            |(_, it): &(u8, Register)| (it.bank, it.first) == (register.bank, register.first);
        let operand = open.iter().position(same).map(|place| open.remove(place).0);
        let numbered = matches!(word.kind, WordKind::Registers { .. });
        mentions.push(Mention { range: word.range, register, operand, numbered });
    }
    mentions
}

/// The register operands of an instruction, in order.
fn operands(def_use: &DefUse) -> Vec<(u8, Register)> {
    let mut found: Vec<(u8, Register)> = Vec::new();
    for (access, _) in def_use.accesses() {
        let Some(operand) = access.operand else { continue };
        if !found.iter().any(|(known, _)| *known == operand) {
            found.push((operand, access.register));
        }
    }
    found.sort_unstable_by_key(|(operand, _)| *operand);
    found
}

/// The registers of a family by their numbers, where the chip has them.
pub(super) fn numbered(
    program: &Program,
    family: Family,
    first: u32,
    last: u32,
) -> Option<Register> {
    numbered_registers(family, first, last, 0..0, program.target).ok()
}

/// The register of a fixed name.
pub(super) fn special(program: &Program, name: &str) -> Option<Register> {
    let found = special_register(&name.to_ascii_lowercase(), program.target)?;
    let is_register = found.available && found.dwords > 0;
    is_register.then(|| Register::scalar(found.first, found.dwords))
}

/// The accesses of an operand, with whether they write.
pub(crate) fn accesses(
    def_use: &DefUse,
    operand: u8,
) -> impl Iterator<Item = (&Access, MemberKind)> {
    def_use.accesses().filter(move |(access, _)| access.operand == Some(operand))
}

/// Tells whether a place is in a word or at its end.
pub(super) fn at(mentions: Vec<Mention>, offset: TextSize) -> Option<Mention> {
    mentions.into_iter().find(|mention| mention.range.contains_inclusive(offset))
}

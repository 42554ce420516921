//! Registers that an instruction uses and defines, and how much of each.
//!
//! Operands are read from the words by the form's slots. What no operand says
//! comes from the flags of `data/operands.tsv` and from the class: vector
//! instructions read EXEC, the local data share reads M0 before gfx9, and so on.

mod operands;
#[cfg(test)]
mod tests;

use source::Checkpoint;

use super::cancellation::CancelTicker;
use super::code::{Code, Instruction};
use super::dataflow::MemberKind;
use super::register_set::RegisterSet;
use crate::Target;
use crate::behaviour::Control;
use crate::instruction::code::{M0, VCC};
use crate::instruction::form::{Bits, InstDesc, Slot, SlotKind, is_set};
use crate::instruction::modifier::Flag;
use crate::instruction::{Bank, Class, InstructionSet, Register};
use crate::mnemonics::Opcode;
use operands::Reader;
pub(crate) use operands::unnamed_of;

/// The way in which an instruction accesses a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// The whole register: of a vector register all active lanes.
    Full,
    /// A write that leaves some of the old value, even in an active lane.
    Partial,
    /// A read of any lane, active or not, or a write of one lane.
    CrossLane,
    /// An access behind the first register by as much as an index says; the range goes
    /// to the end of the file.
    Indexed,
    /// A possible read: the encoding does not say how many registers an address takes.
    Unknown,
}

/// One operand's registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Access {
    /// The registers.
    pub register: Register,
    /// The way in which they are accessed.
    pub kind: AccessKind,
    /// The place of the operand that says so among the form's register operands; `None` where
    /// no operand does.
    pub operand: Option<u8>,
}

const NOTHING: Access = Access {
    register: Register { bank: Bank::Scalar, first: 128, dwords: 0 },
    kind: AccessKind::Full,
    operand: None,
};

/// More reads than this no instruction has: an export's four and EXEC and M0, an
/// image's address in two parts, resource, sampler, data, EXEC and M0.
const READS: usize = 9;
const WRITES: usize = 5;

/// The registers that an instruction reads and writes.
#[derive(Debug, Clone, Copy)]
pub struct DefUse {
    /// Its form; `None` where the words are not an instruction of the chip.
    pub desc: Option<&'static InstDesc>,
    /// Its words without a literal.
    pub(crate) bits: Bits,
    reads: [Access; READS],
    read_count: u8,
    writes: [Access; WRITES],
    write_count: u8,
}

impl DefUse {
    /// Returns its first two words, without a literal.
    pub(crate) fn first_words(&self) -> u64 {
        self.bits as u64
    }

    /// Reads the registers of one instruction. Words that are not an instruction have none.
    pub fn of(instruction: &Instruction, target: Target) -> DefUse {
        DefUse::with(instruction, InstructionSet::of(target))
    }

    /// Reads the registers of every instruction of a code. `checkpoint` may unwind.
    pub fn of_all(code: &Code, checkpoint: Checkpoint<'_>) -> Vec<DefUse> {
        let cancel = CancelTicker::new(checkpoint);
        let set = InstructionSet::of(code.target);
        let mut index = IndexMode::default();
        let of = |instruction| {
            cancel.step();
            let mut def_use = DefUse::with(instruction, set);
            index.apply(&mut def_use);
            def_use
        };
        let mut all: Vec<DefUse> = code.instructions.iter().map(of).collect();
        for gap in &code.gaps {
            if let Some(own) = all.get_mut(gap.instruction as usize) {
                own.keep_reads(&gap.named);
            }
        }
        all
    }

    fn of_nothing() -> DefUse {
        DefUse {
            desc: None,
            bits: 0,
            reads: [NOTHING; READS],
            read_count: 0,
            writes: [NOTHING; WRITES],
            write_count: 0,
        }
    }

    fn with(instruction: &Instruction, set: InstructionSet) -> DefUse {
        let mut def_use = DefUse::of_nothing();
        let Some((desc, bits)) = set.describe(instruction.words()) else { return def_use };
        def_use.desc = Some(desc);
        def_use.bits = bits;
        let reader = Reader { desc, bits, target: set.target(), instruction };
        for ((slot, role), number) in desc.operands().iter().zip(0..) {
            reader.operand(number, slot, *role, &mut def_use);
        }
        reader.implicit(&mut def_use);
        def_use
    }

    /// Returns the accesses that read.
    pub fn reads(&self) -> &[Access] {
        &self.reads[..usize::from(self.read_count)]
    }

    /// Returns the accesses that write.
    pub fn writes(&self) -> &[Access] {
        &self.writes[..usize::from(self.write_count)]
    }

    /// Returns all accesses, each with what it does: reads before writes.
    pub(crate) fn accesses(&self) -> impl Iterator<Item = (&Access, MemberKind)> {
        let reads = self.reads().iter().map(|access| (access, MemberKind::Use));
        reads.chain(self.writes().iter().map(|access| (access, MemberKind::Def)))
    }

    /// All registers that it reads.
    pub fn read_set(&self) -> RegisterSet {
        self.reads().iter().map(|access| access.register).collect()
    }

    /// All registers that it writes, wholly or in part.
    pub fn write_set(&self) -> RegisterSet {
        self.writes().iter().map(|access| access.register).collect()
    }

    /// Its mnemonic; empty for words that are not an instruction.
    pub(crate) fn name(&self) -> &'static str {
        self.desc.map_or("", InstDesc::name)
    }

    /// Returns where control goes behind it.
    pub(crate) fn control(&self) -> Control {
        self.desc.map_or(Control::Next, |desc| desc.control())
    }

    /// Tells whether it is of an opcode.
    pub(crate) fn is(&self, opcode: Opcode) -> bool {
        self.desc.is_some_and(|desc| desc.opcode() == opcode)
    }

    /// Tells whether a modifier is set.
    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.desc.is_some_and(|desc| slot_is_set(desc, self.bits, SlotKind::Flag(flag)))
    }

    /// Tells whether an atomic was asked for what memory held (`glc`).
    pub fn returns(&self) -> bool {
        self.desc.is_some_and(|desc| returns(desc, self.bits))
    }

    /// Leaves out the operands that are read of other registers than these.
    fn keep_reads(&mut self, registers: &RegisterSet) {
        let before = std::mem::take(&mut self.read_count);
        for at in 0..usize::from(before) {
            let Access { register, kind, operand } = self.reads[at];
            if operand.is_none() || registers.touches(register) {
                self.read(register, kind, operand);
            }
        }
    }

    fn read(&mut self, register: Register, kind: AccessKind, operand: Option<u8>) {
        if let Some(place) = self.reads.get_mut(usize::from(self.read_count)) {
            *place = Access { register, kind, operand };
            self.read_count += 1;
        }
    }

    fn write(&mut self, register: Register, kind: AccessKind, operand: Option<u8>) {
        if let Some(place) = self.writes.get_mut(usize::from(self.write_count)) {
            *place = Access { register, kind, operand };
            self.write_count += 1;
        }
    }
}

fn slot_is_set(desc: &InstDesc, bits: Bits, kind: SlotKind) -> bool {
    desc.slots().iter().any(|slot| slot.kind == kind && is_set(bits, slot.low))
}

fn returns(desc: &InstDesc, bits: Bits) -> bool {
    let policy = |slot: &&Slot| matches!(slot.kind, SlotKind::CachePolicy { .. });
    desc.slots().iter().find(policy).is_some_and(|slot| is_set(bits, slot.low))
}

/// A register that an index is added to stands for all behind it.
fn widen(register: Register, kind: AccessKind) -> Register {
    if kind != AccessKind::Indexed {
        return register;
    }
    let end = if register.bank == Bank::Vector { 256 } else { VCC };
    let count = end.saturating_sub(register.first).min(255) as u8;
    Register { dwords: count.max(register.dwords), ..register }
}

/// The vector operands that are indexed: between `s_set_gpr_idx_on` and `_off`.
///
/// Followed in the order of the text; compilers keep such a stretch in one block.
#[derive(Debug, Default)]
struct IndexMode {
    /// Bits: first, second and third source, destination.
    operands: u8,
}

impl IndexMode {
    fn apply(&mut self, def_use: &mut DefUse) {
        let Some(desc) = def_use.desc else { return };
        if def_use.is(Opcode::s_set_gpr_idx_on) {
            self.operands = (def_use.bits >> 8 & 15) as u8;
        } else if def_use.is(Opcode::s_set_gpr_idx_mode) {
            self.operands = (def_use.bits & 15) as u8;
        } else if def_use.is(Opcode::s_set_gpr_idx_off) {
            self.operands = 0;
        } else if self.operands != 0 && desc.class() == Class::Vector {
            let count = usize::from(def_use.read_count);
            let sources = def_use.reads.get_mut(..count).unwrap_or_default();
            if self.operands & 7 != 0 {
                sources.iter_mut().for_each(make_relative);
            }
            def_use.read(Register::scalar(M0, 1), AccessKind::Full, None);
            let count = usize::from(def_use.write_count);
            let results = def_use.writes.get_mut(..count).unwrap_or_default();
            if self.operands & 8 != 0 {
                results.iter_mut().for_each(make_relative);
            }
        }
    }
}

/// Tells whether an instruction changes which operands are indexed, or by how much.
pub(crate) fn sets_index_mode(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::s_set_gpr_idx_idx
            | Opcode::s_set_gpr_idx_mode
            | Opcode::s_set_gpr_idx_off
            | Opcode::s_set_gpr_idx_on
    )
}

fn make_relative(access: &mut Access) {
    if access.register.bank == Bank::Vector {
        access.kind = AccessKind::Indexed;
        access.register = widen(access.register, AccessKind::Indexed);
    }
}

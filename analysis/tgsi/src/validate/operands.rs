//! The operands of all instructions, gathered once: most checks have nothing to say of most
//! instructions, and see so here.

use crate::ast::{Instruction, Register};
use crate::register_set::{LAST_REGISTER, RegisterSet};
use crate::words::File;

/// A set of register files, one bit each.
pub(super) type Files = u32;

/// The set of these files.
pub(super) const fn files(files: &[File]) -> Files {
    let (mut all, mut at) = (0, 0);
    while at < files.len() {
        all |= 1 << files[at] as u32;
        at += 1;
    }
    all
}

/// The file whose registers checks follow.
pub(super) const TEMPORARY: Files = files(&[File::Temporary]);

/// The operands of one instruction.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Glance {
    /// The files of its sources.
    pub(super) read: Files,
    /// The files of its destinations.
    pub(super) written: Files,
    /// Set where a register is not named by one number alone, or by one that none can have.
    pub(super) odd: bool,
    /// Set where a source is an absolute value.
    pub(super) absolute: bool,
    /// Set where texel offsets follow.
    pub(super) offsets: bool,
}

impl Glance {
    /// The files of all operands.
    pub(super) fn files(self) -> Files {
        self.read | self.written
    }
}

/// The operands of all instructions.
#[derive(Debug, Default)]
pub(super) struct Operands {
    /// The operands of each instruction, in order.
    pub(super) glances: Vec<Glance>,
    /// The registers of each file that one number alone names.
    pub(super) named: [RegisterSet; File::ALL.len()],
    /// The places of the instructions with others.
    pub(super) odd: Vec<usize>,
    /// Set where an instruction has a predicate.
    pub(super) predicates: bool,
}

impl Operands {
    /// Takes the next instruction.
    pub(super) fn add(&mut self, instruction: &Instruction) {
        let mut glance = Glance::default();
        for destination in &instruction.destinations {
            glance.written |= 1 << destination.register.file as u32;
            glance.odd |= !self.name(&destination.register);
        }
        for source in &instruction.sources {
            glance.read |= 1 << source.register.file as u32;
            glance.odd |= !self.name(&source.register);
            glance.absolute |= source.absolute;
        }
        if !instruction.offsets.is_empty() {
            glance.offsets = true;
            for offset in &instruction.offsets {
                glance.odd |= !self.name(&offset.register);
            }
        }
        if glance.odd {
            self.odd.push(self.glances.len());
        }
        self.predicates |= instruction.predicate.is_some();
        self.glances.push(glance);
    }

    /// Takes a register, if one number alone names it.
    fn name(&mut self, register: &Register) -> bool {
        let number = register.index.offset.cast_unsigned();
        let is_named = register.index.indirect.is_none()
            && register.dimension.is_none()
            && number <= LAST_REGISTER;
        if is_named {
            self.named[register.file as usize].add(number);
        }
        is_named
    }

    /// The registers of the instructions that name others than by one number alone, offsets
    /// included.
    pub(super) fn odd<'a>(
        &self,
        instructions: &[(&'a Instruction, &'static crate::opcodes::OpInfo)],
    ) -> impl Iterator<Item = &'a Register> {
        self.odd.iter().map(|place| instructions[*place].0).flat_map(|instruction| {
            instruction.registers().chain(instruction.offsets.iter().map(|offset| &offset.register))
        })
    }
}

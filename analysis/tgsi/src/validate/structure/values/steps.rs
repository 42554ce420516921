//! Instructions as the components that they read and write.

use rustc_hash::FxHashMap;

use crate::ast::{Component, Instruction, Register};
use crate::opcodes::{Control, Family, Opcode};
use crate::validate::dataflow::components_read;
use crate::words::File;

/// Components of registers, four bits each.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Set(pub(super) Vec<u64>);

/// The components of one register: the place of its first bit, and which.
pub(super) type Bits = (usize, u8);

impl Set {
    pub(super) fn put(&mut self, (place, mask): Bits) {
        self.0[place / 64] |= u64::from(mask) << (place % 64);
    }

    pub(super) fn take(&mut self, (place, mask): Bits) {
        self.0[place / 64] &= !(u64::from(mask) << (place % 64));
    }

    /// The components of a register that are in it.
    pub(super) fn of(&self, (place, mask): Bits) -> u8 {
        (self.0[place / 64] >> (place % 64)) as u8 & mask
    }

    pub(super) fn unite(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(ours, theirs)| *ours |= theirs);
    }

    pub(super) fn intersect(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(ours, theirs)| *ours &= theirs);
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// One instruction, or a word that was put between them.
#[derive(Clone, Default)]
pub(super) struct Step {
    pub(super) control: Option<Control>,
    /// The components that it surely reads.
    pub(super) reads: Vec<Bits>,
    /// The components that it may read.
    pub(super) may_read: Vec<Bits>,
    pub(super) writes: Vec<Bits>,
    /// Set where it reads registers by a computed number.
    pub(super) reads_any: bool,
    /// Set where it writes registers by a computed number.
    pub(super) writes_any: bool,
    /// Set where it does nothing but write its destinations.
    pub(super) pure: bool,
    /// Set where its result may differ each time.
    pub(super) varies: bool,
    /// Set where it hands on the outputs.
    pub(super) emits: bool,
}

impl Step {
    pub(super) fn of(
        instruction: &Instruction,
        places: &mut FxHashMap<(File, u32), usize>,
    ) -> Option<Step> {
        let row = instruction.info();
        let control = row.path();
        let leads_away = matches!(
            control,
            Control::Jump | Control::Call | Control::Subroutine | Control::EndSubroutine
        );
        if leads_away || instruction.predicate.is_some() {
            return None;
        }
        let mut place = |file: File, number: u32| {
            let next = places.len() * 4;
            *places.entry((file, number)).or_insert(next)
        };
        let mut step = Step {
            control: Some(control),
            pure: matches!(row.family, Family::Plain | Family::Texture) && control == Control::Next,
            varies: !matches!(row.family, Family::Plain | Family::Texture | Family::Sample),
            emits: row.opcode == Opcode::EMIT,
            ..Step::default()
        };
        for register in instruction.registers() {
            for it in register.indirects().filter(|it| is_followed(it.file)) {
                let bits = (place(it.file, it.index), 1 << it.component as u8);
                step.reads.push(bits);
                step.may_read.push(bits);
            }
        }
        for (number, source) in instruction.sources.iter().enumerate() {
            let register = &source.register;
            if !is_followed(register.file) {
                continue;
            }
            let Some(of) = direct(register) else {
                step.reads_any = true;
                continue;
            };
            let place = place(register.file, of);
            let may = source.swizzle.0.iter().fold(0, |all, it: &Component| all | 1 << *it as u8);
            let reads = components_read(instruction, row, number);
            // More than the coordinates may be read of a texture's first operand.
            let exact = row.family == Family::Plain;
            step.reads.extend(reads.map(|reads| (place, reads)));
            step.may_read.push((place, reads.filter(|_| exact).unwrap_or(may)));
        }
        for destination in &instruction.destinations {
            let register = &destination.register;
            if !is_followed(register.file) {
                continue;
            }
            match direct(register) {
                Some(number) => {
                    step.writes.push((place(register.file, number), destination.mask.0))
                }
                None => step.writes_any = true,
            }
        }
        Some(step)
    }
}

/// The number of a register that is named directly.
fn direct(register: &Register) -> Option<u32> {
    register.number().filter(|_| register.dimension.is_none())
}

fn is_followed(file: File) -> bool {
    matches!(file, File::Temporary | File::Address | File::Output)
}

//! Registers whose values may differ among invocations.
//!
//! The number of a buffer, an image or a sampler must be the same in all of them (GLSL 4.60, 4.1.7
//! and 4.3.9). The lanes of a quad are a part of them only, so that they cannot tell. What a
//! register holds is followed from its sources, whatever the order of the instructions: one that
//! holds different values anywhere counts everywhere, but where each invocation that gets there has
//! just written the same. What is not known counts as different, other than in the diagnostics of
//! `tgsi`, which tell only what is certain.

use std::collections::{BTreeMap, BTreeSet};

use tgsi::ast::{Index, Indirect, Register, Source};
use tgsi::words::{File, SemanticName};

use crate::action::Action;
use crate::operation::Operation;
use crate::program::{MicroOp, Program};

/// The files of registers that instructions write.
const REGISTERS: [File; 5] =
    [File::Temporary, File::Address, File::Loop, File::Output, File::TemporaryArray];

/// The most times that a program is gone through. Each brings what it writes one way back
/// further, of a loop or of registers that are written before what they come from.
const MOST_PASSES: usize = 16;

/// Components of registers, a bit each.
type Components = BTreeMap<(File, u32), u8>;

/// The registers of a program that may differ.
#[derive(Default)]
pub(crate) struct Divergence {
    /// The components of each register.
    components: Components,
    /// Components that all invocations which run the same block have written alike before.
    alike: Components,
    /// The instructions, with registers of indices, that name several resources.
    several: BTreeSet<(u32, File, u32, u8)>,
    /// Files of which a register with a computed number may differ.
    files: BTreeSet<File>,
    /// Places of loops, switches and subroutines that not all invocations run to the end.
    blocks: BTreeSet<usize>,
}

impl Divergence {
    /// Follows the values of a program in which the number of a resource is computed; there are
    /// none of any other.
    pub(crate) fn of(program: &Program) -> Divergence {
        let mut found = Divergence::default();
        let is_computed = |op: &MicroOp| registers(op).any(|it| unit(it).is_some());
        if !program.ops.iter().any(is_computed) {
            return found;
        }
        for _ in 0..MOST_PASSES {
            let before = found.size();
            found.follow(program);
            if found.size() == before {
                return found;
            }
        }
        // Longer ways round than shaders have: no register is known to be shared.
        found.files.extend(REGISTERS);
        found.follow(program);
        found
    }

    /// Tells whether the number of the resource that an operand of an instruction names may differ.
    pub(crate) fn names_several(&self, op: &MicroOp, register: &Register) -> bool {
        unit(register).is_some_and(|indirect| self.several.contains(&place(op, indirect)))
    }

    fn differs(&self, indirect: Indirect) -> bool {
        self.holds((indirect.file, indirect.index), 1 << indirect.component as u8)
    }

    fn holds(&self, (file, index): (File, u32), components: u8) -> bool {
        let of = |all: &Components| all.get(&(file, index)).copied().unwrap_or_default();
        self.files.contains(&file) || of(&self.components) & !of(&self.alike) & components != 0
    }

    /// Returns how much may differ, which only grows.
    fn size(&self) -> usize {
        let components = self.components.values().map(|it| it.count_ones() as usize);
        components.sum::<usize>() + self.files.len() + self.blocks.len()
    }

    /// Goes through the program once.
    fn follow(&mut self, program: &Program) {
        // The open blocks, each true where not all invocations may run it.
        let mut blocks: Vec<(usize, bool)> = Vec::new();
        // What was alike before each of them.
        let mut before: Vec<Components> = Vec::new();
        self.alike.clear();
        self.several.clear();
        for (place, op) in program.ops.iter().enumerate() {
            let around = blocks.last().is_some_and(|block| block.1);
            self.name(op);
            match op.action {
                action if action.opens_block() => {
                    let own = self.blocks.contains(&place) || self.reads(program, op, 0xf);
                    blocks.push((place, around || own));
                }
                _ if program.closes_block(place) => {
                    blocks.pop();
                }
                Action::Return if around => self.blocks.extend(blocks.iter().map(|it| it.0)),
                Action::Break | Action::BreakIf | Action::Continue
                    if around || self.reads(program, op, 0xf) =>
                {
                    let leaves = |it: &&(usize, bool)| {
                        !matches!(
                            program.ops[it.0].action,
                            Action::IfFloat | Action::IfInteger | Action::Subroutine
                        )
                    };
                    self.blocks.extend(blocks.iter().rev().find(leaves).map(|it| it.0));
                }
                Action::Call if around => self.blocks.extend(op.targets.iter().copied()),
                _ => {}
            }
            self.write(program, op, around);
            self.enter(op.action, &mut before);
        }
    }

    /// Notes the numbers that differ where an instruction names resources.
    fn name(&mut self, op: &MicroOp) {
        for indirect in registers(op).filter_map(unit) {
            if self.differs(indirect) {
                self.several.insert(place(op, indirect));
            }
        }
    }

    /// Keeps what is alike in the block that follows an instruction, if one does. Those that run a
    /// branch of a condition are some of those before it; in all other blocks others may come in.
    fn enter(&mut self, action: Action, before: &mut Vec<Components>) {
        match action {
            Action::IfFloat | Action::IfInteger => before.push(self.alike.clone()),
            Action::Else => self.alike = before.last().cloned().unwrap_or_default(),
            Action::EndIf => {
                before.pop();
                self.alike.clear();
            }
            Action::EndLoop | Action::EndFor | Action::EndSwitch | Action::Case | Action::Call => {
                self.alike.clear();
            }
            action if action.opens_block() => self.alike.clear(),
            _ => {}
        }
    }

    /// Notes what an instruction writes.
    fn write(&mut self, program: &Program, op: &MicroOp, around: bool) {
        for destination in &op.instruction.destinations {
            let each = matches!(op.action, Action::Compute(Operation::Each(_)));
            let differs = |component: u8| {
                let read = if each { 1 << component } else { 0xf };
                depends_on_lane(op.action) || self.reads(program, op, read)
            };
            let written = destination.mask.components().map(|it| it as u8);
            let written = written.fold(0, |all, it| all | 1 << it);
            let bits = (0..4).filter(|it| written >> it & 1 == 1 && differs(*it));
            let bits = bits.fold(0, |all, it| all | 1 << it);
            let everywhere = if around { written } else { bits };
            let register = &destination.register;
            match register.number().filter(|_| register.dimension.is_none()) {
                Some(number) => {
                    let key = (register.file, number);
                    *self.components.entry(key).or_default() |= everywhere;
                    let alike = self.alike.entry(key).or_default();
                    *alike = *alike & !written | written & !bits;
                }
                None => {
                    if everywhere != 0 {
                        self.files.insert(register.file);
                    }
                    self.alike.retain(|key, _| key.0 != register.file);
                }
            }
        }
    }

    /// Tells whether a source may differ in some components of the result.
    fn reads(&self, program: &Program, op: &MicroOp, components: u8) -> bool {
        op.instruction.sources.iter().any(|source| self.source(program, source, components))
    }

    fn source(&self, program: &Program, source: &Source, components: u8) -> bool {
        let register = &source.register;
        if register.indirects().any(|indirect| self.differs(indirect)) {
            return true;
        }
        let read = (0..4).filter(|it| components >> it & 1 == 1);
        let read = read.fold(0, |all, it| all | 1 << source.swizzle.0[it] as u8);
        match register.file {
            File::Constant | File::Immediate | File::ImmediateArray | File::Sampler => false,
            file if REGISTERS.contains(&file) => {
                match register.number().filter(|_| register.dimension.is_none()) {
                    Some(number) => self.holds((register.file, number), read),
                    None => self.has_any(register.file),
                }
            }
            File::SystemValue => register.number().is_none_or(|number| {
                let mut values = program.system_values.iter();
                !values.any(|(own, name)| *own == number && is_shared(*name))
            }),
            _ => true,
        }
    }

    fn has_any(&self, file: File) -> bool {
        let registers = self.components.range((file, 0)..=(file, u32::MAX));
        self.files.contains(&file) || registers.into_iter().any(|(_, bits)| *bits != 0)
    }
}

/// Names the register of an index in an instruction.
fn place(op: &MicroOp, indirect: Indirect) -> (u32, File, u32, u8) {
    (op.instruction.ordinal, indirect.file, indirect.index, indirect.component as u8)
}

/// The registers of an instruction.
fn registers(op: &MicroOp) -> impl Iterator<Item = &Register> {
    let sources = op.instruction.sources.iter().map(|it| &it.register);
    sources.chain(op.instruction.destinations.iter().map(|it| &it.register))
}

/// The register that holds the number of the resource which an operand names.
fn unit(register: &Register) -> Option<Indirect> {
    let indirect = |index: Index| index.indirect;
    match register.file {
        File::Constant | File::HardwareAtomic => register.dimension.and_then(indirect),
        File::Sampler
        | File::SamplerView
        | File::Buffer
        | File::Image
        | File::ConstantBuffer
        | File::Resource => indirect(register.index),
        _ => None,
    }
}

/// Tells whether results differ among invocations whatever the sources are.
fn depends_on_lane(action: Action) -> bool {
    matches!(
        action,
        Action::Load
            | Action::Atomic(_)
            | Action::Lookup(_)
            | Action::Derivative(_)
            | Action::Subgroup(_)
            | Action::Framebuffer
            | Action::InterpolateOffset
            | Action::Pop
    )
}

/// Tells whether all invocations of a draw or of a group have the same of a system value.
fn is_shared(name: SemanticName) -> bool {
    matches!(
        name,
        SemanticName::BlockId
            | SemanticName::BlockSize
            | SemanticName::GridSize
            | SemanticName::DrawId
            | SemanticName::BaseVertex
            | SemanticName::BaseInstance
    )
}

//! Effects of instructions, and whether two of them may change places.

use tgsi::Stage;
use tgsi::ast::{Instruction, WriteMask};
use tgsi::opcodes::{Control, Family, Flag};
use tgsi::service::accesses::{Access, AccessKind, Span};
use tgsi::words::File;

/// The effects of an instruction, or of a block.
#[derive(Debug, Clone, Default)]
pub(super) struct Effects {
    pub(super) reads: Vec<(Span, WriteMask)>,
    pub(super) writes: Vec<Write>,
    pub(super) order: Order,
    /// Lanes beside it decide about its result: derivatives, votes.
    pub(super) is_convergent: bool,
}

/// A write of registers, which may be of one among several.
#[derive(Debug, Clone, Copy)]
pub(super) struct Write {
    pub(super) span: Span,
    pub(super) mask: WriteMask,
}

/// The things that an instruction does besides writing registers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    /// None.
    #[default]
    Free,
    /// Reads of memory that shaders write.
    Loads,
    /// Writes to memory.
    Stores,
    /// The end of lanes, beside what it may write.
    Kills,
    /// Nothing may cross it.
    Wall,
}

/// The answer whether two things may change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Freedom {
    /// They may.
    Free,
    /// They may if two resources are not the same memory.
    Apart,
    /// They may not.
    Bound,
}

fn is_memory(file: File) -> bool {
    matches!(file, File::Buffer | File::Image | File::Memory | File::HardwareAtomic)
}

impl Effects {
    /// The effects of an instruction with these accesses.
    pub(super) fn of(instruction: &Instruction, accesses: &[Access], stage: Stage) -> Effects {
        let row = instruction.info();
        let mut effects = Effects::default();
        for access in accesses {
            // Offsets into memory are not compared.
            let is_whole = is_memory(access.span.file);
            let mask = if is_whole { WriteMask::ALL } else { access.components };
            match access.kind {
                AccessKind::Declaration => {}
                AccessKind::Read => effects.reads.push((access.span, mask)),
                AccessKind::Write => {
                    effects.writes.push(Write { span: access.span, mask });
                    if is_whole {
                        effects.reads.push((access.span, mask));
                    }
                }
            }
        }
        let has_result = !instruction.destinations.is_empty();
        effects.order = match row.family {
            _ if row.control != Control::Next => Order::Wall,
            Family::Texture | Family::Sample | Family::View | Family::Interpolate => Order::Free,
            Family::Access if instruction.qualifiers.is_empty() => Order::Loads,
            Family::Store if instruction.qualifiers.is_empty() => Order::Stores,
            Family::Plain if row.mnemonic == "CLOCK" => Order::Wall,
            Family::Plain if has_result => Order::Free,
            Family::Plain if row.mnemonic.starts_with("KILL") => Order::Kills,
            _ => Order::Wall,
        };
        // Outputs of a patch are memory that its invocations share.
        if stage == Stage::TessellationControl
            && instruction.registers().any(|register| register.file == File::Output)
        {
            effects.order = Order::Wall;
        }
        effects.is_convergent = row.has(Flag::Derivatives) || row.has(Flag::Lanes);
        effects
    }

    /// Adds those of another.
    pub(super) fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.order = self.order.max(other.order);
        self.is_convergent |= other.is_convergent;
    }

    /// Tells whether one writes what the other reads or writes.
    pub(super) fn writes_for(&self, other: &Effects) -> Freedom {
        let mut freedom = Freedom::Free;
        for write in &self.writes {
            let own = other.writes.iter().map(|it| (it.span, it.mask));
            for (span, mask) in own.chain(other.reads.iter().copied()) {
                if write.mask.0 & mask.0 != 0 && write.span.overlaps(&span) {
                    return Freedom::Bound;
                }
                // Other resources of one file may be the same memory, unless nobody can share it.
                let [one, two] = [write.span.file, span.file];
                if is_memory(one) && is_memory(two) && one != File::Memory && two != File::Memory {
                    freedom = Freedom::Apart;
                }
            }
        }
        freedom
    }

    /// Tells whether it and another may change places.
    pub(super) fn freedom(&self, other: &Effects) -> Freedom {
        let [low, high] = match self.order <= other.order {
            true => [self, other],
            false => [other, self],
        };
        let is_bound = match high.order {
            Order::Wall => true,
            // Killed lanes write no memory, and help their neighbours only in some drivers.
            Order::Kills => low.order >= Order::Stores || low.is_convergent,
            Order::Free | Order::Loads | Order::Stores => false,
        };
        match is_bound {
            true => Freedom::Bound,
            false => self.writes_for(other).max(other.writes_for(self)),
        }
    }

    /// Tells whether a register may be written.
    pub(super) fn may_write(&self, span: Span, mask: WriteMask) -> bool {
        self.writes.iter().any(|it| it.mask.0 & mask.0 != 0 && it.span.overlaps(&span))
    }

    /// Tells whether a register may be read.
    pub(super) fn may_read(&self, span: Span, mask: WriteMask) -> bool {
        self.reads.iter().any(|(own, read)| read.0 & mask.0 != 0 && own.overlaps(&span))
    }

    /// Tells whether it may run more or less often than it does, and computes nothing but a
    /// result: what it reads of memory must be the same.
    pub(super) fn is_speculable(&self) -> bool {
        matches!(self.order, Order::Free | Order::Loads)
    }
}

/// The span of a temporary.
pub(super) fn temporary(number: u32) -> Span {
    Span { file: File::Temporary, buffer: None, first: number, last: number }
}

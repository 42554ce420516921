//! Explanations of costs in the words of a text: the values that hold registers, the chains
//! behind waits.

mod memory;
mod text;
mod view;

use editor_model::{
    ExplainedPressure, ExplainedResult, ExplainedSaving, ExplainedValue, ExplainedWait,
    Explanation, Place,
};
use gcn::Target;
use gcn::analysis::{
    HeldValue, Origin, RegisterPressure, RegisterSet, Report, Saving, WaitExplanation,
};
use gcn::instruction::{Bank, Register};

pub use memory::{MemoryDeclarations, declaration, explained_memory};
pub use text::{explanation_head, explanation_lines};
pub(crate) use view::ExplainedCode;
pub(crate) use view::ExplainedPart;
pub(super) use view::{of_kernel, of_shader};
pub(crate) use view::{registers_view, waits_view};

/// The place of each instruction of a code.
pub type Places<'a> = &'a dyn Fn(u32) -> Place;

/// Writes explanations of pressures and waits with the places of instructions.
pub fn explanation(
    report: &Report,
    pressures: &[RegisterPressure],
    waits: &[WaitExplanation],
    places: Places<'_>,
) -> Explanation {
    let words = Words { report, places };
    let mut stalls: Vec<ExplainedWait> = waits.iter().map(|wait| words.wait(wait)).collect();
    stalls.sort_by_key(|wait| std::cmp::Reverse(wait.stall));
    Explanation {
        registers: pressures.iter().map(|pressure| words.pressure(pressure)).collect(),
        values: pressures
            .iter()
            .flat_map(|pressure| pressure.values.iter().map(|value| words.value(pressure, value)))
            .collect(),
        stalls,
        memories: Vec::new(),
    }
}

/// The word for a kind of register.
pub(super) fn kind(bank: Bank) -> &'static str {
    match bank {
        Bank::Vector => "vgprs",
        Bank::Accumulator => "agprs",
        Bank::Scalar => "sgprs",
    }
}

struct Words<'a> {
    report: &'a Report,
    places: Places<'a>,
}

impl Words<'_> {
    fn all(&self, instructions: &[u32]) -> Vec<Place> {
        instructions.iter().map(|index| (self.places)(*index)).collect()
    }

    fn pressure(&self, own: &RegisterPressure) -> ExplainedPressure {
        let Report { usage, occupancy, target, .. } = self.report;
        let [vgprs, agprs] = occupancy.allocated_by_kind(usage, *target);
        let relief = occupancy.relief.as_ref();
        let (used, allocated, excess) = match own.bank {
            Bank::Vector => (usage.vgprs, vgprs, relief.map(|it| it.vgprs)),
            Bank::Accumulator => (usage.agprs, agprs, relief.map(|it| it.agprs)),
            Bank::Scalar => (usage.sgprs, occupancy.allocated_sgprs, relief.map(|it| it.sgprs)),
        };
        ExplainedPressure {
            kind: kind(own.bank),
            at: (self.places)(own.instruction),
            here: own.here,
            peak: own.peak,
            used,
            allocated,
            excess: excess.unwrap_or(0),
            untried: own.untried,
            opaque: own.is_opaque,
        }
    }

    fn value(&self, pressure: &RegisterPressure, own: &HeldValue) -> ExplainedValue {
        let made = own.origins.iter().filter_map(|origin| match origin {
            Origin::Instruction(index) | Origin::Call(index) => Some((self.places)(*index)),
            Origin::Entry(_) => None,
        });
        let made: Vec<Place> = made.collect();
        let is_entry = |origin: &Origin| matches!(origin, Origin::Entry(_));
        let from_start = own.origins.iter().any(is_entry);
        let read = own.reads.last().map(|index| (self.places)(*index));
        let readers = own.reads.iter().filter_map(|index| (self.places)(*index).line);
        ExplainedValue {
            kind: kind(pressure.bank),
            register: names(&own.registers, self.report.target),
            registers: own.count,
            from: made.iter().filter_map(|place| place.line).min().filter(|_| !from_start),
            to: readers.max(),
            made,
            from_start,
            read,
            gain: own.savings.first().map_or(0, |saving| saving.peak),
            savings: own.savings.iter().map(|saving| self.saving(pressure, saving)).collect(),
        }
    }

    fn saving(&self, pressure: &RegisterPressure, own: &Saving) -> ExplainedSaving {
        ExplainedSaving {
            change: own.kind.name(),
            instruction: (self.places)(own.instruction),
            before: self.all(&own.before),
            here: own.here,
            gain: own.peak,
            peak: pressure.peak.saturating_sub(own.peak),
            waves: own.waves,
            clocks: own.clocks.round() as i64,
            load: own.is_load,
        }
    }

    fn wait(&self, own: &WaitExplanation) -> ExplainedWait {
        let awaited = own.awaited.iter().map(|it| ExplainedResult {
            producer: (self.places)(it.producer),
            latency: it.latency,
            waited: it.left,
        });
        let chain = own.chain.iter().map(|link| ExplainedResult {
            producer: (self.places)(link.instruction),
            latency: link.latency,
            waited: link.stall,
        });
        ExplainedWait {
            at: (self.places)(own.instruction),
            stall: own.stall,
            kind: own.cause.map(|cause| cause.kind.name()),
            hidden: own.cause.map_or(0, |cause| cause.hidden),
            waves: own.cause.map_or(1, |cause| cause.waves),
            between: own.between,
            awaited: awaited.collect(),
            chain: chain.collect(),
            movable: self.all(&own.movable),
            movable_clocks: own.movable_clocks,
            passable: self.all(&own.passable),
            passable_clocks: own.passable_clocks,
        }
    }
}

/// The names of registers, neighbours together, with blanks between: `v[3:5] v9`.
pub(super) fn names(set: &RegisterSet, target: Target) -> String {
    let names: Vec<String> = runs(set, target).iter().map(|it| it.name(target)).collect();
    names.join(" ")
}

/// The registers of a set, neighbours together where their names are numbers.
pub(super) fn runs(set: &RegisterSet, target: Target) -> Vec<Register> {
    let mut runs: Vec<Register> = Vec::new();
    for own in set.registers() {
        match runs.last_mut() {
            Some(last)
                if last.bank == own.bank
                    && u32::from(last.first) + u32::from(last.dwords) == u32::from(own.first)
                    && last.dwords < u8::MAX
                    && own.name(target).ends_with(|it: char| it.is_ascii_digit()) =>
            {
                last.dwords += 1;
            }
            _ => runs.push(own),
        }
    }
    runs
}

//! Everything that code costs, in one place: registers, waves, clocks.
//!
//! Plain data for whoever shows it: a table, a hint at the end of a line, a hover.
//! Instructions go by their index in the [`Code`]; whoever shows them knows their
//! lines.

use source::Checkpoint;

use super::cfg::Cfg;
use super::code::Code;
use super::def_use::DefUse;
use super::liveness::{Liveness, Pressure};
use super::register_use::register_use;
use super::timing::{self, Model, Profile, Timing, TimingOptions};
use crate::Target;
use crate::mnemonics::Opcode;
use crate::occupancy::{Arithmetic, Occupancy, Usage, occupancy_by};

/// Resources that the code itself does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Declared {
    /// The vector registers that are allocated at least.
    pub vgprs: u32,
    /// The accumulation registers that are allocated at least, where they share a file with the
    /// vector registers.
    pub agprs: u32,
    /// The scalar registers that are allocated at least, VCC and the like included.
    pub sgprs: u32,
    /// Bytes of local data share of a workgroup.
    pub lds: u32,
    /// Waves of a workgroup, where known; else a barrier shows that there are several.
    pub waves_per_group: Option<u32>,
}

impl Declared {
    /// Nothing is declared.
    pub const NOTHING: Declared =
        Declared { vgprs: 0, agprs: 0, sgprs: 0, lds: 0, waves_per_group: None };
}

/// Options of the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    /// The figures of time. With those of ACO the waves are counted as its version of
    /// Mesa counts them.
    pub timing: TimingOptions,
    /// Resources that the code does not show.
    pub declared: Declared,
}

impl Default for Options {
    fn default() -> Options {
        Options { timing: TimingOptions::default(), declared: Declared::NOTHING }
    }
}

/// The costs of a code on a chip.
#[derive(Debug)]
pub struct Report {
    /// The chip.
    pub target: Target,
    /// The resources that the code uses.
    pub usage: Usage,
    /// The waves, and how far the edges are.
    pub occupancy: Occupancy,
    /// Control flow.
    pub cfg: Cfg,
    /// The registers that are live at each instruction.
    pub liveness: Liveness,
    /// Clocks.
    pub timing: Timing,
    /// The registers that each instruction reads and writes.
    pub def_use: Vec<DefUse>,
}

/// The costs of one instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstructionCost {
    /// Its clocks, and what it waits for.
    pub time: timing::InstructionTime,
    /// The registers needed while it runs.
    pub live: Pressure,
}

impl Report {
    /// The cost of an instruction.
    pub fn instruction(&self, index: usize) -> Option<InstructionCost> {
        let time = *self.timing.instructions.get(index)?;
        Some(InstructionCost { time, live: self.liveness.pressure(index) })
    }
}

/// Works out what a code costs. `checkpoint` may unwind.
pub fn analyse(code: &Code, options: &Options, checkpoint: Checkpoint<'_>) -> Report {
    let def_use = DefUse::of_all(code, checkpoint);
    let cfg = Cfg::of(code, &def_use);
    checkpoint();
    let usage = usage(code, &def_use, &options.declared);
    let arithmetic = match (options.timing.model, options.timing.profile) {
        (Model::Measured, _) => Arithmetic::Chip,
        (Model::Aco, Profile::Mesa22) => Arithmetic::Mesa22,
        (Model::Aco, Profile::Mesa25) => Arithmetic::Mesa25,
    };
    let occupancy = occupancy_by(arithmetic, usage, code.target);
    // Throughput is ruled by the waves that there really are, in every model.
    let waves = occupancy_by(Arithmetic::Chip, usage, code.target).waves;
    let timing = timing::time(code, &def_use, &cfg, options.timing, waves, checkpoint);
    let liveness = Liveness::of(code, &def_use, &cfg, checkpoint);
    Report { target: code.target, usage, occupancy, cfg, liveness, timing, def_use }
}

/// The reports of several codes, such as one program for several chips, by the same
/// figures of time; in their order.
pub fn compare<'a>(
    codes: impl IntoIterator<Item = (&'a Code, Declared)>,
    timing: TimingOptions,
) -> Vec<Report> {
    let options = |declared| Options { timing, declared };
    codes
        .into_iter()
        .map(|(code, declared)| analyse(code, &options(declared), &source::no_checkpoint))
        .collect()
}

/// Counts what a code uses of the resources that waves share.
pub fn usage(code: &Code, def_use: &[DefUse], declared: &Declared) -> Usage {
    let registers = register_use(code, def_use);
    let barrier = |def_use: &DefUse| def_use.is(Opcode::s_barrier);
    let assumed = || if def_use.iter().any(barrier) { 2 } else { 1 };
    Usage {
        vgprs: registers.vgprs.max(declared.vgprs),
        agprs: registers.agprs.max(declared.agprs),
        sgprs: registers.sgprs(code.target).max(declared.sgprs),
        lds: declared.lds,
        waves_per_group: declared.waves_per_group.unwrap_or_else(assumed),
        interpolants: registers.interpolants,
    }
}

#[cfg(test)]
mod tests {
    use super::super::timing::Band;
    use super::*;
    use crate::code_lines::from_lines;

    #[test]
    fn any_words_have_a_report_whose_sums_agree() {
        // Knuth's multiplier: any words will do, but the same ones every time.
        let mut state = 1_u64;
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) as u32
        };
        for name in ["tahiti", "bonaire", "tonga", "polaris10", "vega10", "vega20"] {
            let target = Target::find(name).expect(name);
            let words: Vec<u32> = (0..4_000)
                // Every third is a wait, a branch or another control instruction.
                .map(|index| if index % 3 == 0 { 0xbf80_0000 | word() >> 9 } else { word() })
                .collect();
            let code = Code::from_words(target, &words);
            for model in [Model::Measured, Model::Aco] {
                let timing = TimingOptions { model, ..TimingOptions::default() };
                let report = analyse(
                    &code,
                    &Options { timing, ..Options::default() },
                    &source::no_checkpoint,
                );
                let instructions = &report.timing.instructions;
                assert_eq!(instructions.len(), code.instructions.len());
                let sum: f64 = instructions
                    .iter()
                    .map(|it| (f64::from(it.issue) + f64::from(it.stall)) * it.weight)
                    .sum();
                let latency = report.timing.totals.latency;
                assert!((sum - latency).abs() <= latency * 1e-9, "{name}: {sum}, {latency}");
                for it in instructions {
                    assert_eq!(it.stall > 0, it.cause.is_some(), "{name}");
                    assert!(it.issue > 0 && it.weight > 0.0, "{name}");
                }
            }
        }
    }

    #[test]
    fn bands_of_memory_order_the_clocks() {
        let target = Target::default();
        let text = "buffer_load_dword v1, v0, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\n\
                    v_add_f32 v1, v1, v1\ns_endpgm";
        let code = from_lines(target, text);
        let code = code.expect("it assembles");
        let stall = |band| {
            let timing = TimingOptions { band, ..TimingOptions::default() };
            let report =
                analyse(&code, &Options { timing, ..Options::default() }, &source::no_checkpoint);
            let time = report.timing.instructions[1];
            let cause = time.cause.expect("it waits for the load");
            assert_eq!(
                (cause.producer, cause.hidden),
                (0, cause.latency.saturating_sub(time.stall))
            );
            (time.stall, report.timing.paths.best)
        };
        // The next issue cycle of the SIMD after the result is there.
        assert_eq!([Band::Best, Band::Typical, Band::Worst].map(|it| stall(it).0), [140, 292, 628]);
        assert_eq!(stall(Band::Worst).1, 8.0 + 140.0 + 4.0 + 4.0 + 4.0);
    }
}

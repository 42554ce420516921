//! All diagnostics of a code in one list, with those that follow from liveness: dead
//! writes, registers that nobody initialises, code that control never reaches.

use source::{Checkpoint, Severity};

use super::cancellation::CancelTicker;
use super::cfg::{Cfg, Uncertainty};
use super::clauses::clauses;
use super::code::Code;
use super::def_use::{Access, AccessKind, DefUse, sets_index_mode};
use super::diagnostic::{Change, InstDiagnostic};
use super::gaps::{ReadsAhead, WritesBefore};
use super::hazards::{hazards, sets_register};
use super::image_address::short_addresses;
use super::liveness::Liveness;
use super::register_set::RegisterSet;
use super::shift_amount::shift_amounts;
use super::stale_vccz::stale_vccz;
use super::waitcnt::waits;
use crate::behaviour::Control;
use crate::behaviour::{CounterEvent, Unit};
use crate::codes;
use crate::instruction::code::{EXEC, M0, SCC};
use crate::instruction::form::InstDesc;
use crate::instruction::{Bank, Register};
use crate::mnemonics::Opcode;

/// No launch of a wave fills vector registers from here on: the most that any stage is
/// given are the inputs of pixel shaders.
const VECTOR_INPUTS: u16 = 32;
/// Nor scalar registers from here on: user data, and what the stages add.
const SCALAR_INPUTS: u16 = 48;

/// Finds everything that is wrong with a code or could be better, in the order of its
/// instructions. `waves_per_group` is told where it is known. `checkpoint` may unwind.
pub fn check(
    code: &Code,
    def_use: &[DefUse],
    cfg: &Cfg,
    liveness: &Liveness,
    waves_per_group: Option<u32>,
    checkpoint: Checkpoint<'_>,
) -> Vec<InstDiagnostic> {
    let cancel = &CancelTicker::new(checkpoint);
    let mut diagnostics = waits(code, def_use, cfg, waves_per_group, checkpoint);
    if !code.gaps.is_empty() {
        // What is left out may need the wait.
        diagnostics.retain(|diagnostic| diagnostic.code != codes::TOO_STRICT_WAIT);
    }
    diagnostics.extend(hazards(code, def_use, cfg, checkpoint));
    diagnostics.extend(stale_vccz(code, def_use, cfg));
    diagnostics.extend(shift_amounts(code, def_use, cfg));
    diagnostics.extend(clauses(code, def_use, cfg));
    diagnostics.extend(short_addresses(code, def_use));
    dead_writes(code, def_use, cfg, liveness, &mut diagnostics, cancel);
    uninitialised(code, def_use, cfg, liveness, &mut diagnostics);
    unreachable(code, def_use, cfg, &mut diagnostics);
    // Those lines have errors of their own.
    diagnostics.retain(|it| !code.stands_for_another(it.instruction));
    diagnostics.sort_by_key(|diagnostic| diagnostic.instruction);
    diagnostics
}

/// Tells whether an instruction is there for its results alone.
pub(super) fn only_computes(desc: &InstDesc) -> bool {
    let behaviour = desc.behaviour();
    let changes = desc.flags().store() || desc.flags().atomic();
    let loads = behaviour.counters.iter().all(|inc| inc.event == CounterEvent::Result);
    desc.control() == Control::Next
        && !changes
        && loads
        && match behaviour.unit {
            // What changes how others are executed is there for that.
            Unit::Salu => !sets_register(desc) && !sets_index_mode(desc.opcode()),
            Unit::Valu | Unit::Interp | Unit::Lds | Unit::Vmem | Unit::Flat | Unit::Scratch => true,
            // Times are read for their own sake, and keep instructions apart.
            Unit::Smem => desc.flags().load(),
            _ => false,
        }
}

/// The registers that may be part of an image's address where nobody says how many
/// there are.
fn perhaps_addresses(def_use: &[DefUse]) -> RegisterSet {
    const MOST: u8 = 12;
    let reads = def_use.iter().flat_map(|def_use| def_use.reads());
    let perhaps = |it: &&Access| it.kind == AccessKind::Unknown && it.register.bank == Bank::Vector;
    reads.filter(perhaps).map(|it| Register { dwords: MOST, ..it.register }).collect()
}

fn is_of_index_mode(own: &DefUse) -> bool {
    own.desc.is_some_and(|desc| sets_index_mode(desc.opcode()))
}

fn dead_writes(
    code: &Code,
    def_use: &[DefUse],
    cfg: &Cfg,
    liveness: &Liveness,
    diagnostics: &mut Vec<InstDiagnostic>,
    cancel: &CancelTicker<'_>,
) {
    // A line of unknown effect may switch on the indices of what is behind it.
    if !code.gaps.is_empty() && def_use.iter().any(is_of_index_mode) {
        return;
    }
    let ahead = ReadsAhead::of(code, def_use, cfg);
    let maybe = perhaps_addresses(def_use);
    for (number, block) in cfg.blocks.iter().enumerate().filter(|(_, block)| block.reachable) {
        let mut at = ahead.at_end(cfg, number);
        let mut behind = block.end as usize;
        for index in block.instructions().rev() {
            cancel.step();
            let own = &def_use[index];
            (index + 1..behind).rev().for_each(|passed| ahead.back(passed, &mut at));
            behind = index + 1;
            let Some(desc) = own.desc.filter(|desc| only_computes(desc)) else { continue };
            let after = liveness.after(cfg, index);
            // EXEC and M0 rule more than the registers that are followed here.
            let counts = |register: Register| {
                register.bank == Bank::Scalar && (M0..=EXEC + 1).contains(&register.first)
            };
            let mut first = None;
            let needed = own.writes().iter().any(|access| {
                if !(access.register.bank == Bank::Scalar && access.register.first == SCC) {
                    first = first.or(Some(access.register));
                }
                counts(access.register) || after.touches(access.register)
            });
            let Some(register) = first.filter(|_| !needed) else { continue };
            let in_gaps = own.writes().iter().any(|access| at.reads(access.register));
            if maybe.touches(register) || in_gaps {
                continue;
            }
            let name = register.name(code.target);
            let message = format!("`{name}` of this `{}` is never read", desc.name());
            diagnostics.push(
                InstDiagnostic::new(codes::DEAD_WRITE, Severity::Hint, index, message)
                    .fix("remove the instruction", Change::Remove),
            );
        }
    }
}

fn uninitialised(
    code: &Code,
    def_use: &[DefUse],
    cfg: &Cfg,
    liveness: &Liveness,
    diagnostics: &mut Vec<InstDiagnostic>,
) {
    let Some(entry) = cfg.blocks.first() else { return };
    // A function has what its caller left there.
    let mut uncertainties = cfg.uncertainties.iter().filter(|(at, _)| !code.is_gap(*at as usize));
    if cfg.entries.len() > 1 || uncertainties.any(|(_, it)| *it != Uncertainty::Irreducible) {
        return;
    }
    let written: RegisterSet =
        def_use.iter().flat_map(|def_use| def_use.writes()).map(|it| it.register).collect();
    let given = |register: &Register| match register.bank {
        Bank::Vector => register.first < VECTOR_INPUTS,
        Bank::Accumulator => false,
        // The special registers of the upper end are set at launch, or by nobody.
        Bank::Scalar => register.first < SCALAR_INPUTS || register.first >= 100,
    };
    let needed = liveness.before(entry.first as usize).without(&written);
    let mut open: RegisterSet = needed.registers().filter(|register| !given(register)).collect();
    if open.is_empty() {
        return;
    }
    let before = WritesBefore::of(code, cfg);
    let mut in_gaps = RegisterSet::EMPTY;
    for (index, own) in def_use.iter().enumerate() {
        let block = cfg.block_of(index) as usize;
        match cfg.blocks[block].first as usize == index {
            true => in_gaps = before.at_start(cfg, block),
            false => before.go_on(index - 1, &mut in_gaps),
        }
        for access in own.reads() {
            let sure = matches!(access.kind, AccessKind::Full | AccessKind::CrossLane);
            let own = RegisterSet::of(access.register).intersection(&open).without(&in_gaps);
            if !sure || own.is_empty() {
                continue;
            }
            open = open.without(&own);
            let names: Vec<String> =
                own.registers().take(4).map(|register| register.name(code.target)).collect();
            let message = format!(
                "`{}` is read, but the code never writes it and no wave starts with it",
                names.join("`, `")
            );
            diagnostics.push(InstDiagnostic::new(
                codes::UNINITIALISED_REGISTER,
                Severity::Warning,
                index,
                message,
            ));
        }
    }
}

fn unreachable(code: &Code, def_use: &[DefUse], cfg: &Cfg, diagnostics: &mut Vec<InstDiagnostic>) {
    // Where a jump leads is not known everywhere: what seems dead may be its target.
    let unclear = |uncertainty: &Uncertainty| {
        matches!(
            uncertainty,
            Uncertainty::IndirectJump | Uncertainty::Call | Uncertainty::Undecodable
        )
    };
    let mut uncertainties = cfg.uncertainties.iter().filter(|(at, _)| !code.is_gap(*at as usize));
    // Code that finds out where it is may lead a line of unknown effect anywhere.
    let steers = code.has_unknown_control();
    if steers && def_use.iter().any(|own| own.is(Opcode::s_getpc_b64)) {
        return;
    }
    if uncertainties.any(|(_, uncertainty)| unclear(uncertainty)) {
        return;
    }
    let from_gaps = reached_from_gaps(code, cfg);
    let mut before = false;
    for (number, block) in cfg.blocks.iter().enumerate() {
        // What is said of the first block of a stretch holds for the rest.
        let again = before;
        before = !block.reachable && !from_gaps[number];
        if !before || again {
            continue;
        }
        // Padding, and the end that some compilers put behind an endless loop.
        let padding = |own: &DefUse| own.is(Opcode::s_nop) || own.control() == Control::End;
        let first = block.instructions().find(|index| !padding(&def_use[*index]));
        diagnostics.extend(first.map(|first| {
            let message = "control never reaches this";
            InstDiagnostic::new(codes::UNREACHABLE_CODE, Severity::Hint, first, message)
        }));
    }
}

/// The blocks that lines of unknown effect may lead to, and those behind them.
fn reached_from_gaps(code: &Code, cfg: &Cfg) -> Vec<bool> {
    let mut reached = vec![false; cfg.blocks.len()];
    // Where such a line may end a path it may also go on.
    let is_target = |block: &usize| {
        let first = cfg.blocks[*block].first;
        code.is_target_of_gap(first) || first > 0 && code.is_gap(first as usize - 1)
    };
    let mut open: Vec<usize> = (0..cfg.blocks.len()).filter(is_target).collect();
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut reached[block], true) {
            open.extend(cfg.blocks[block].successors());
        }
    }
    reached
}

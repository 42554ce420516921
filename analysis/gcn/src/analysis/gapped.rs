//! Diagnostics of a code with lines that are not instructions.

use rustc_hash::FxHashSet;
use source::{Checkpoint, Code as DiagnosticCode};

use super::cfg::Cfg;
use super::check::check;
use super::code::{Code, ReadLine};
use super::def_use::DefUse;
use super::diagnostic::InstDiagnostic;
use super::liveness::Liveness;

/// Lines that a diagnostic names, at most, of those that were taken for an instruction.
const NAMED: usize = 4;

/// Finds what holds of a code whatever the lines are that are no instructions, as [`check`] does.
/// A diagnostic that holds only if a line is the instruction that it was taken for says so at
/// that line. `checkpoint` may unwind.
pub fn check_with_gaps(
    code: &Code,
    waves_per_group: Option<u32>,
    checkpoint: Checkpoint<'_>,
) -> Vec<InstDiagnostic> {
    let mut diagnostics = found(code, waves_per_group, checkpoint);
    if code.readings.is_empty() || diagnostics.is_empty() {
        return diagnostics;
    }
    let certain = found(&code.without_readings(), waves_per_group, checkpoint);
    let certain: FxHashSet<_> = certain.iter().map(identity).collect();
    for diagnostic in &mut diagnostics {
        if !certain.contains(&identity(diagnostic)) {
            let note = |it: &ReadLine| {
                (it.gap.instruction, format!("holds if this line is meant as `{}`", it.text))
            };
            diagnostic.related.extend(code.readings.iter().take(NAMED).map(note));
        }
    }
    diagnostics
}

fn found(code: &Code, waves: Option<u32>, checkpoint: Checkpoint<'_>) -> Vec<InstDiagnostic> {
    let def_use = DefUse::of_all(code, checkpoint);
    let cfg = Cfg::of(code, &def_use);
    let liveness = Liveness::of(code, &def_use, &cfg, checkpoint);
    check(code, &def_use, &cfg, &liveness, waves, checkpoint)
}

fn identity(diagnostic: &InstDiagnostic) -> (DiagnosticCode, u32, String) {
    (diagnostic.code, diagnostic.instruction, diagnostic.message.clone())
}

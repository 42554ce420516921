//! The analyses of costs on code that is correct.

use std::collections::BTreeMap;

use crate::kernels::Kernel;
use gcn::analysis::{AddressCounts, Cfg, Code, DefUse, InstDiagnostic, Liveness, check};
use gcn::program::KernelCode;
use source::Severity;

/// Diagnostics counted by code and severity, with the first of each.
#[derive(Debug, Default)]
pub struct Statistics {
    /// Programs that were checked.
    pub programs: usize,
    /// Their instructions.
    pub instructions: usize,
    /// Instructions that no `InstDesc` describes.
    pub unknown: usize,
    /// By code and severity, how many, and the first.
    pub counts: BTreeMap<(&'static str, Severity), (usize, String)>,
}

impl Statistics {
    /// Checks a code; returns its diagnostics.
    pub fn add(&mut self, name: &str, code: &Code) -> Vec<InstDiagnostic> {
        let def_use = DefUse::of_all(code, &source::no_checkpoint);
        let cfg = Cfg::of(code, &def_use);
        let liveness = Liveness::of(code, &def_use, &cfg, &source::no_checkpoint);
        let diagnostics = check(code, &def_use, &cfg, &liveness, None, &source::no_checkpoint);
        self.programs += 1;
        self.instructions += code.instructions.len();
        self.unknown += def_use.iter().filter(|def_use| def_use.desc.is_none()).count();
        for diagnostic in &diagnostics {
            let place = self.counts.entry((diagnostic.code.0, diagnostic.severity)).or_default();
            if place.0 == 0 {
                place.1 = format!("{name}, {}: {}", diagnostic.instruction, diagnostic.message);
            }
            place.0 += 1;
        }
        diagnostics
    }

    /// Prints the counts.
    pub fn print(&self, what: &str) {
        eprintln!(
            "{what}: {} programs, {} instructions, {} unknown",
            self.programs, self.instructions, self.unknown
        );
        for ((code, severity), (count, first)) in &self.counts {
            eprintln!("  {code} {severity:?}: {count}, the first: {first}");
        }
    }

    /// Counts the diagnostics of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.counts.iter().filter(|((_, own), _)| *own == severity).map(|(_, (n, _))| n).sum()
    }
}

/// Nothing is wrong for certain in any code of the kernels that assemble.
///
/// # Panics
/// Where something is, or an instruction has no words.
pub fn kernels_have_no_errors(kernels: &[Kernel]) -> Statistics {
    let mut statistics = Statistics::default();
    for kernel in kernels.iter().filter(|kernel| kernel.assembles()) {
        let program = kernel.assemble(&kernel.text());
        for piece in &program.kernels {
            let own = KernelCode::of(&program, piece, AddressCounts::Named, &source::no_checkpoint);
            assert_eq!(own.missing, 0, "{}", kernel.file);
            let diagnostics = statistics.add(&kernel.file, &own.code);
            for diagnostic in
                diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Hint)
            {
                let index = own.instructions[diagnostic.instruction as usize];
                let instruction = &program.instructions[index as usize];
                eprintln!("{}: {}: {diagnostic:?}", kernel.file, program.text(instruction));
            }
        }
    }
    statistics.print("real kernels");
    assert_eq!(statistics.count(Severity::Error), 0);
    statistics
}

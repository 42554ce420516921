//! One form for several chips: better on one of them, and worse on none.

use advise::{Bench, Figures, Outcome, Proof, search};
use gcn::Target;
use llvm::Compiler;
use lower::Environment;

use super::{Budget, ShaderBench};

/// Measures the variants of a shader on several chips.
struct ChipsBench<'a, 'b> {
    /// A bench for each chip.
    benches: Vec<ShaderBench<'a>>,
    budget: Budget<'b>,
    /// The figures of the first text, chip by chip.
    before: Vec<Figures>,
}

impl ChipsBench<'_, '_> {
    fn figures(&mut self, text: &str) -> Option<Vec<Figures>> {
        self.benches.iter_mut().map(|bench| bench.measure(text)).collect()
    }
}

impl Bench for ChipsBench<'_, '_> {
    /// The sums over all chips. What is worse on one of them counts as having no waves, so that it
    /// is better than nothing and may still lead to something.
    fn measure(&mut self, text: &str) -> Option<Figures> {
        let all = self.figures(text)?;
        if self.before.is_empty() {
            self.before.clone_from(&all);
        }
        let is_worse = all.iter().zip(&self.before).any(|(it, old)| !it.is_no_worse_than(old));
        let sum = |sum: Figures, it: &Figures| Figures {
            waves: sum.waves + it.waves,
            clocks: sum.clocks + it.clocks,
            vgprs: sum.vgprs + it.vgprs,
            sgprs: sum.sgprs + it.sgprs,
            instructions: sum.instructions + it.instructions,
        };
        let sum = all.iter().fold(Figures::default(), sum);
        Some(Figures { waves: if is_worse { 0 } else { sum.waves }, ..sum })
    }

    fn prove(&mut self, text: &str) -> Proof {
        let mut whole = Proof::Unproven("there is no chip".to_owned());
        for bench in &mut self.benches {
            whole = match (bench.prove(text), whole) {
                (Proof::Equal { inputs, open }, Proof::Equal { inputs: least, open: others }) => {
                    Proof::Equal { inputs: inputs.min(least), open: open + others }
                }
                (equal @ Proof::Equal { .. }, _) => equal,
                (other, _) => return other,
            };
        }
        whole
    }

    fn goes_on(&mut self, tried: usize, best: &Figures) -> bool {
        self.budget.goes_on(tried, best)
    }
}

/// Searches for a form of a shader that is better on one of several chips and worse on none.
/// Returns the search as each chip sees it. There is a compiler for each chip.
pub fn of_chips(
    text: &str,
    targets: &[Target],
    environment: Environment,
    compilers: &mut [Compiler],
    seed: u64,
    budget: Budget<'_>,
) -> Vec<Outcome> {
    // None of them is asked whether there is time.
    let benches = targets.iter().zip(compilers).map(|(target, compiler)| {
        ShaderBench::new(text, *target, environment, compiler, Budget::none())
    });
    let mut bench = ChipsBench { benches: benches.collect(), budget, before: Vec::new() };
    let outcome = search(text, &advise::shader::ShaderMoves, &mut bench, seed);
    let after = outcome.found.as_ref().and_then(|found| bench.figures(&found.text));
    let of_chip = |chip: usize| {
        let mut own = outcome.clone();
        own.before = bench.before.get(chip).copied();
        let figures = after.as_ref().and_then(|all| all.get(chip).copied());
        own.found =
            own.found.zip(figures).map(|(found, figures)| advise::Found { figures, ..found });
        own
    };
    (0..targets.len()).map(of_chip).collect()
}

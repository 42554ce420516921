//! Advice: faster forms of shaders and kernels, compiled and run before they are told.
//!
//! The search is that of the crate `advise`, which knows no compiler. Here are what it asks: a
//! libLLVM and the analysis of costs to measure a text, interpreter and emulator to prove that
//! it does the same as the first one.

mod arguments;
mod kernel;
mod options;
mod shader;
mod together;
mod words;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use advise::{Figures, Outcome, Proof, search};
use gcn::Target;
use llvm::Compiler;
use lower::Environment;

use crate::limits::PROOF_SECONDS;

pub use kernel::KernelBench;
pub use options::{CompilerOption, OPTIONS, OptionResult, of_options};
pub use shader::ShaderBench;
pub use together::of_chips;
pub(crate) use words::{Advice, AdvisedFigures, Code, Ending, told};

/// Inputs at random on which a form must do the same.
pub const INPUTS: u32 = 32;

/// Inputs that are drawn at most for one that a program runs on.
const DRAWN: u32 = 4;

/// Told how many variants were tried and the best figures so far; answers whether it goes on.
pub type Watcher<'a> = &'a mut dyn FnMut(usize, &Figures) -> bool;

/// The bounds of a search.
pub struct Budget<'a> {
    /// The time at which it ends.
    pub deadline: Instant,
    /// Variants that are tried, at most.
    pub most: usize,
    /// Set by whoever does not wait any longer: search and proof end then.
    pub given_up: Option<&'a AtomicBool>,
    /// Whoever watches it.
    pub progress: Option<Watcher<'a>>,
}

impl<'a> Budget<'a> {
    /// The bounds of a search that nobody watches.
    pub fn unwatched(deadline: Instant, most: usize) -> Budget<'a> {
        Budget { deadline, most, given_up: None, progress: None }
    }

    /// No search at all: a bench with it measures and proves what it is given.
    pub fn none() -> Budget<'a> {
        Budget::unwatched(Instant::now(), 0)
    }

    fn goes_on(&mut self, tried: usize, best: &Figures) -> bool {
        tried < self.most
            && Instant::now() < self.deadline
            && !self.is_given_up()
            && self.progress.as_mut().is_none_or(|progress| progress(tried, best))
    }

    fn is_given_up(&self) -> bool {
        self.given_up.is_some_and(|given_up| given_up.load(Ordering::Relaxed))
    }

    /// Runs a proof on inputs of seeds until enough of them are proven: the short runs first, then
    /// again those that did not come to an end.
    ///
    /// # Errors
    /// The reason why nobody can say it: it takes too long, nobody waits for it any more, or too
    /// few inputs lead to an end.
    fn rounds(
        &self,
        steps: [u64; 2],
        mut run: impl FnMut(u64, u64) -> Result<Round, NotProven>,
    ) -> Result<Proof, NotProven> {
        let began = Instant::now();
        let (mut proven, mut reason) = (0, String::new());
        let mut open: Vec<u64> = (0..u64::from(INPUTS * DRAWN)).collect();
        for steps in steps {
            for seed in std::mem::take(&mut open) {
                if self.is_given_up() {
                    return Err(NotProven::given_up());
                }
                if began.elapsed().as_secs() >= PROOF_SECONDS {
                    return Err(NotProven::too_slow(proven));
                }
                match run(seed, steps)? {
                    Round::Equal => proven += 1,
                    Round::Differs(place) => return Ok(Proof::Differs(place)),
                    Round::Skipped(why) => {
                        reason = why;
                        open.push(seed);
                    }
                }
                if proven == INPUTS {
                    return Ok(Proof::Equal { inputs: proven, open: 0 });
                }
            }
        }
        Err(NotProven::after(proven, &reason))
    }
}

/// The result of both codes on one input.
enum Round {
    Equal,
    /// They differ; where.
    Differs(String),
    /// The input says nothing; why.
    Skipped(String),
}

/// Searches for a faster form of a shader, the text of one region.
pub fn of_shader<'a>(
    text: &str,
    target: Target,
    environment: Environment,
    compiler: &'a mut Compiler,
    seed: u64,
    budget: Budget<'a>,
) -> Outcome {
    let mut bench = ShaderBench::new(text, target, environment, compiler, budget);
    search(text, &advise::shader::ShaderMoves, &mut bench, seed)
}

/// Searches for a faster form of the kernel of an assembly file.
pub fn of_kernel(
    text: &str,
    options: &gcn::program::Options,
    inputs: Option<&gcn_emu::launch::KernelInputs>,
    seed: u64,
    budget: Budget<'_>,
) -> Outcome {
    let mut bench = KernelBench::new(text, options, inputs, budget);
    search(text, &advise::kernel::KernelMoves::new(options), &mut bench, seed)
}

/// The reason why nobody can say that two texts do the same.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NotProven(String);

impl NotProven {
    fn because(reason: impl std::fmt::Display) -> NotProven {
        NotProven(reason.to_string())
    }

    /// Nobody waits for the proof any more.
    fn given_up() -> NotProven {
        NotProven::because("the search was cancelled")
    }

    /// The runs take too long: this many are done.
    fn too_slow(done: u32) -> NotProven {
        NotProven(format!("after {PROOF_SECONDS} s it had run on {done} inputs at random alone"))
    }

    /// Too many inputs led nowhere.
    fn after(proven: u32, reason: &str) -> NotProven {
        let all = INPUTS * DRAWN;
        NotProven(format!("it runs on {proven} of {all} inputs at random: {reason}"))
    }
}

/// The figures of a report.
fn figures(report: &gcn::analysis::Report, instructions: usize) -> Figures {
    Figures {
        waves: report.occupancy.waves,
        clocks: report.timing.totals.latency.round() as u64,
        vgprs: report.usage.vgprs,
        sgprs: report.usage.sgprs,
        instructions: u32::try_from(instructions).unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_asked_in_order_and_long_runs_again() {
        let mut asked = Vec::new();
        let proof = Budget::none().rounds([1, 9], |seed, steps| {
            asked.push((seed, steps));
            Ok(match seed < 2 && steps == 1 {
                true => Round::Skipped("too long".to_owned()),
                false => Round::Equal,
            })
        });
        assert!(matches!(proof, Ok(Proof::Equal { inputs: INPUTS, open: 0 })));
        let all: Vec<(u64, u64)> = (0..u64::from(INPUTS) + 2).map(|seed| (seed, 1)).collect();
        assert_eq!(asked, all);

        // Those that came to no end are asked again, where too few others did.
        let mut asked = Vec::new();
        let proof = Budget::none().rounds([1, 9], |seed, steps| {
            asked.push((seed, steps));
            Ok(match steps == 1 && seed != 7 {
                true => Round::Skipped("too long".to_owned()),
                false => Round::Equal,
            })
        });
        assert!(matches!(proof, Ok(Proof::Equal { inputs: INPUTS, open: 0 })));
        let first = (0..u64::from(INPUTS * DRAWN)).map(|seed| (seed, 1));
        let again = (0..u64::from(INPUTS)).filter(|seed| *seed != 7).map(|seed| (seed, 9));
        assert_eq!(asked, first.chain(again).collect::<Vec<_>>());
    }
}

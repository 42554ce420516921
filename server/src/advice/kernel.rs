//! Kernels: costs by the analysis of their code, proven by the emulator.

use advise::{Bench, Figures, Proof};
use gcn::analysis::{Options as Analysis, analyse};
use gcn::program::{KernelCode, Options, Program};
use gcn_emu::Limits;
use gcn_emu::launch::{GridExecution, KernelInputs, Launch};
use source::no_checkpoint;

use super::arguments::Shape;
use super::{Budget, NotProven, Round, figures};

/// Instructions of a run, at most: where enough inputs end soon, no others are waited for.
const STEPS: [u64; 2] = [1 << 15, 1 << 20];

/// Measures and proves the variants of a kernel.
pub struct KernelBench<'a> {
    text: String,
    /// The text assembled; `None` where it has errors or several kernels.
    original: Option<Program>,
    options: Options,
    given: Option<KernelInputs>,
    budget: Budget<'a>,
}

impl<'a> KernelBench<'a> {
    /// A bench for the variants of a text that is assembled with options; inputs give the shape of
    /// those that are drawn, where metadata say nothing of them.
    pub fn new(
        text: &str,
        options: &Options,
        inputs: Option<&KernelInputs>,
        budget: Budget<'a>,
    ) -> KernelBench<'a> {
        KernelBench {
            text: text.to_owned(),
            original: program(text, options),
            options: options.clone(),
            given: inputs.cloned(),
            budget,
        }
    }

    fn compare(&self, text: &str) -> Result<Proof, NotProven> {
        let old = self
            .original
            .as_ref()
            .ok_or_else(|| NotProven::because("the file has errors or several kernels"))?;
        let new = program(text, &self.options)
            .ok_or_else(|| NotProven::because("the variant has errors"))?;
        let name = old.kernels.first().map(|kernel| kernel.name.to_string()).unwrap_or_default();
        let shape = match &self.given {
            Some(given) => Shape::Given(given.clone()),
            None => Shape::stated(&self.text, &name).map_err(NotProven::because)?,
        };
        self.budget.rounds(STEPS, |seed, steps| {
            let inputs = shape.inputs(seed);
            let before = match run(old, inputs.clone(), steps) {
                Ok(before) => before,
                // Inputs that lead the kernel out of its buffers say nothing.
                Err(stop) => return Ok(Round::Skipped(stop.to_string())),
            };
            // Another order of instructions may take a few more.
            let after = run(&new, inputs, steps.saturating_mul(2));
            if after.as_ref().is_ok_and(|after| *after == before) {
                return Ok(Round::Equal);
            }
            let what = after.err().map(|why| why.to_string());
            let what = what.unwrap_or_else(|| "other words in memory".to_owned());
            Ok(Round::Differs(format!("inputs {seed}: {what}")))
        })
    }
}

/// A text of one kernel, assembled.
fn program(text: &str, options: &Options) -> Option<Program> {
    advise::kernel::assembled(text, options).filter(|program| program.kernels.len() == 1)
}

/// All words that a kernel leaves in its buffers.
fn run(program: &Program, inputs: KernelInputs, steps: u64) -> Result<Vec<u32>, NotProven> {
    let kernel = program.kernels.first().ok_or_else(|| NotProven::because("there is no kernel"))?;
    let sizes: Vec<usize> =
        inputs.buffers.iter().map(|it| it.as_ref().map_or(0, Vec::len)).collect();
    let launch = Launch::new(program, kernel, inputs).map_err(NotProven::because)?;
    let limits = Limits { steps, ..Limits::default() };
    let mut run = GridExecution::new(&launch, limits);
    while run.wave().is_some() {
        run.step().map_err(NotProven::because)?;
    }
    let mut words = Vec::new();
    for (number, count) in sizes.into_iter().enumerate() {
        let start = Launch::buffer_address(number);
        let memory = &run.machine().memory;
        words.extend((0..count as u64).map(|word| memory.word(start + 4 * word).unwrap_or(0)));
    }
    Ok(words)
}

impl Bench for KernelBench<'_> {
    fn measure(&mut self, text: &str) -> Option<Figures> {
        let program = program(text, &self.options)?;
        let kernel = program.kernels.first()?;
        let code = KernelCode::of(&program, kernel, program.address_counts(), &no_checkpoint);
        if code.missing > 0 {
            return None;
        }
        let options = Analysis { declared: code.declared, ..Analysis::default() };
        let report = analyse(&code.code, &options, &no_checkpoint);
        Some(figures(&report, code.code.instructions.len()))
    }

    fn prove(&mut self, text: &str) -> Proof {
        self.compare(text).unwrap_or_else(|why| Proof::Unproven(why.to_string()))
    }

    fn goes_on(&mut self, tried: usize, best: &Figures) -> bool {
        self.budget.goes_on(tried, best)
    }
}

//! Shaders: compiled by a libLLVM, proven by interpreter and emulator.

use std::hash::BuildHasher;
use std::rc::Rc;

use advise::{Bench, Figures, Proof};
use diff_exec::{Compiled, Lowered, Statistics, TestPair, Verdict, lowered};
use gcn::Target;
use gcn::analysis::{Options, analyse};
use llvm::{Compiler, Job, Output};
use lower::Environment;
use rustc_hash::{FxBuildHasher, FxHashMap};
use source::{Severity, no_checkpoint};
use tgsi::ast::Shader;

use super::{Budget, CompilerOption, INPUTS, NotProven, Round, figures};
use crate::jobs::of_lowered;

/// Steps of the interpreter on an input, at most: where enough of them end soon, no others are
/// waited for.
const STEPS: [u64; 2] = [1 << 14, u64::MAX];

/// Measures and proves the variants of a shader on a chip.
pub struct ShaderBench<'a> {
    text: String,
    /// The text compiled, once something is compared with it.
    original: Option<Rc<Comparable>>,
    target: Target,
    environment: Environment,
    compiler: &'a mut Compiler,
    budget: Budget<'a>,
    /// The option that everything is compiled under.
    option: Option<CompilerOption>,
    /// The figures of what was measured, by a hash of its IR.
    known: FxHashMap<u64, Option<Figures>>,
}

/// A shader compiled in the state that both engines are compared in.
struct Comparable {
    shader: Shader,
    lowered: Lowered,
    output: Output,
}

impl<'a> ShaderBench<'a> {
    /// A bench for the variants of a text.
    pub fn new(
        text: &str,
        target: Target,
        environment: Environment,
        compiler: &'a mut Compiler,
        budget: Budget<'a>,
    ) -> ShaderBench<'a> {
        ShaderBench {
            text: text.to_owned(),
            original: None,
            target,
            environment,
            compiler,
            budget,
            option: None,
            known: FxHashMap::default(),
        }
    }

    /// Has everything from now on compiled under an option, or under none.
    pub(super) fn set_option(&mut self, option: Option<CompilerOption>) {
        self.option = option;
        self.original = None;
        self.known.clear();
    }

    /// IR as it is compiled.
    fn under_option(&self, ir: String) -> String {
        match &self.option {
            Some(option) => option.applied(&ir),
            None => ir,
        }
    }

    fn machine_code(&mut self, ir: String, instructions: u32) -> Option<gcn::compiled::Compiled> {
        let row = self.target.row();
        let job = Job {
            ir: self.under_option(ir),
            processor: row.processor.to_owned(),
            features: row.llvm_features.to_owned(),
            instructions,
        };
        let output = self.compiler.compile(&job).ok()?;
        gcn::compiled::read(&output.assembly, &output.code, self.target).ok()
    }

    fn compiled(&mut self, ir: String, instructions: u32) -> Option<Figures> {
        let compiled = self.machine_code(ir, instructions)?;
        let (code, declared) = compiled.code(self.target);
        let options = Options { declared, ..Options::default() };
        let report = analyse(&code, &options, &no_checkpoint);
        // Spilled registers wait for memory, which the model of a loop may not show.
        let is_spilled = compiled.statistics.scratch > 0;
        let figures = figures(&report, code.instructions.len());
        Some(Figures { waves: if is_spilled { 0 } else { figures.waves }, ..figures })
    }

    /// The machine code of a text, an instruction a line.
    pub(crate) fn listing(&mut self, text: &str) -> Option<String> {
        let shader = read(text)?;
        let module = lower::lower_for(&shader, self.target.generation(), self.environment).ok()?;
        let compiled = self.machine_code(module.ir, module.instructions)?;
        let mut labels = compiled.labels.iter().peekable();
        let mut listing = String::new();
        for (place, instruction) in compiled.instructions.iter().enumerate() {
            while let Some((label, _)) = labels.next_if(|(_, before)| *before <= place) {
                listing.push_str(&format!("{label}:\n"));
            }
            listing.push_str(&format!("  {}\n", instruction.text));
        }
        Some(listing)
    }

    fn comparable(&mut self, shader: Shader) -> Result<Comparable, NotProven> {
        let lowered = lowered(&shader, self.target).map_err(NotProven::because)?;
        let mut job = of_lowered(&lowered);
        job.ir = self.under_option(job.ir);
        let output = self.compiler.compile(&job).map_err(NotProven::because)?;
        Ok(Comparable { shader, lowered, output })
    }

    fn original(&mut self) -> Result<Rc<Comparable>, NotProven> {
        if let Some(known) = &self.original {
            return Ok(Rc::clone(known));
        }
        let shader = read(&self.text).ok_or_else(|| NotProven::because("the shader has errors"))?;
        let original = Rc::new(self.comparable(shader)?);
        self.original = Some(Rc::clone(&original));
        Ok(original)
    }

    /// Runs the new code beside the old shader, and the old code beside the new shader.
    fn compare(&mut self, text: &str) -> Result<Proof, NotProven> {
        let old = self.original()?;
        let variant = read(text).ok_or_else(|| NotProven::because("the variant has errors"))?;
        let new = self.comparable(variant)?;
        if old.lowered.entry != new.lowered.entry {
            return Err(NotProven::because("the variant has other inputs"));
        }
        let mut open = Statistics::default();
        for (shader, code) in [(&old.shader, &new), (&new.shader, &*old)] {
            let compiled = Compiled {
                target: self.target,
                entry: &code.lowered.entry,
                assembly: &code.output.assembly,
                code: &code.output.code,
            };
            let pair = TestPair::new(shader, &compiled).map_err(NotProven::because)?;
            let proof = self.budget.rounds(STEPS, |seed, steps| {
                pair.limit_steps(steps);
                Ok(match pair.check(seed) {
                    Verdict::Agree => Round::Equal,
                    Verdict::Differ(difference) => Round::Differs(difference.to_string()),
                    // A loop whose rounds are drawn at random may be too long.
                    Verdict::Skipped(why) => Round::Skipped(why),
                })
            })?;
            if let Proof::Differs(_) = proof {
                return Ok(proof);
            }
            if pair.compared() == 0 {
                return Err(NotProven::because("nothing that it leaves can be compared"));
            }
            open = open.plus(pair.statistics());
        }
        Ok(Proof::Equal { inputs: INPUTS, open: open.open })
    }
}

/// A shader without errors.
fn read(text: &str) -> Option<Shader> {
    let parse = tgsi::parser::parse(text, &no_checkpoint);
    let is_wrong = parse.diagnostics.iter().any(|it| it.severity == Severity::Error);
    parse.shader.filter(|_| !is_wrong)
}

impl Bench for ShaderBench<'_> {
    fn measure(&mut self, text: &str) -> Option<Figures> {
        let shader = read(text)?;
        let module = lower::lower_for(&shader, self.target.generation(), self.environment).ok()?;
        let key = FxBuildHasher.hash_one(&module.ir);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let figures = self.compiled(module.ir, module.instructions);
        self.known.insert(key, figures);
        figures
    }

    fn prove(&mut self, text: &str) -> Proof {
        self.compare(text).unwrap_or_else(|why| Proof::Unproven(why.to_string()))
    }

    fn goes_on(&mut self, tried: usize, best: &Figures) -> bool {
        self.budget.goes_on(tried, best)
    }
}

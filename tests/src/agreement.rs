//! Shaders on their way to both sides: lowered, compiled, and joined with their code.

mod exceptions;

pub use exceptions::{EXCEPTIONS, Exception, MADE_EXCEPTIONS, MadeException};

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use diff_exec::{Compiled, Statistics, TestPair, Verdict};
use gcn::Target;
use llvm::{Compiler, Configuration, Job};
use open_bits::Rule;
use tgsi::ast::Shader;

use crate::bench::libraries;

/// A compiler of the newest usable libLLVM, or of one of a major version, in a worker,
/// with the version; `None` where there is none.
pub fn compiler(worker: &Path, major: Option<&str>) -> Option<(Compiler, String)> {
    let wanted = |version: &str| major.is_none_or(|major| version.split('.').next() == Some(major));
    let library = libraries().into_iter().find(|one| wanted(&one.version.to_string()))?;
    let mut configuration = Configuration::new(worker, library.path, engine::INTRINSICS);
    // Nobody waits here, and a busy machine must not make a shader go unseen.
    configuration.limits.job = Duration::from_secs(120);
    Some((Compiler::new(configuration), library.version.to_string()))
}

/// Made shaders that no document gives a meaning: opcode, target, and why.
const MEANINGLESS: &[(&str, &str, &str)] = &[
    (
        "TXB2",
        "SHADOWCUBEARRAY",
        "bias and reference would share a component (GLSL 4.60 has no such function)",
    ),
    (
        "TXL2",
        "SHADOWCUBEARRAY",
        "level and reference would share a component (GLSL 4.60 has no such function)",
    ),
    (
        "TG4",
        "SHADOWCUBEARRAY",
        "component and reference would share one (Gallium documentation, TG4)",
    ),
    (
        "TEXLDB",
        "CUBEARRAY",
        "bias and layer share a component, which no cube array of a language does: GLSL 4.60 \
         gives the layer w, and TXB2 was made for the bias",
    ),
];

/// Returns the reason for which a made shader has no meaning, by its name: stage, opcode,
/// operands with the target.
pub fn meaningless(name: &str) -> Option<&'static str> {
    let mut words = name.split([' ', ',']);
    let opcode = words.nth(1)?;
    if opcode == "bindless" {
        return Some("handles of no texture (ARB_bindless_texture: results are undefined)");
    }
    if name.ends_with(" constant buffers") {
        return Some("each lane names another buffer (GLSL 4.60, section 4.3.9: uniform indices)");
    }
    if name.contains("IMAGE[") && name.contains("SHADOW") {
        return Some("images are not compared with a reference (GLSL 4.60, section 4.1.7.2)");
    }
    let rest: Vec<&str> = words.collect();
    let found = MEANINGLESS.iter().find(|(own, target, _)| *own == opcode && rest.contains(target));
    found.map(|(.., reason)| *reason)
}

/// The first shader of a text.
pub fn parsed(text: &str) -> Option<Shader> {
    let regions = tgsi::regions::split(text);
    let region = regions.shaders.first()?;
    tgsi::parser::parse(region.text(text), &source::no_checkpoint).shader
}

/// The line of an instruction of the first shader of a text, and what stands there; empty
/// where there is no such instruction.
pub fn located(text: &str, ordinal: u32) -> String {
    let regions = tgsi::regions::split(text);
    let Some((region, shader)) = regions.shaders.first().zip(parsed(text)) else {
        return String::new();
    };
    let own = region.text(text);
    let found = shader.instructions().find(|instruction| instruction.ordinal == ordinal);
    let Some(start) = found.map(|it| usize::from(it.opcode.range.start())) else {
        return String::new();
    };
    let before = own.get(..start).unwrap_or_default();
    let line = before.matches('\n').count();
    let words = own.lines().nth(line).unwrap_or_default().trim();
    format!("line {} `{words}`: ", line + 1)
}

/// Lowers a shader to a job for a compiler.
///
/// # Errors
/// What is not lowered.
pub fn job(shader: &Shader, target: Target) -> Result<Job, String> {
    let lowered = diff_exec::lowered(shader, target).map_err(|error| error.to_string())?;
    Ok(Job {
        ir: lowered.ir,
        processor: lowered.processor.to_owned(),
        features: lowered.features.to_owned(),
        instructions: lowered.instructions,
    })
}

/// The result of the comparisons of a shader on one chip.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The verdict of all sets together.
    pub verdict: Verdict,
    /// Statistics of the results.
    pub statistics: Statistics,
    /// Sets that one side could not run, by reason, although others were compared.
    pub missed: BTreeMap<String, u64>,
}

impl Checked {
    /// Nothing was compared, and why.
    pub fn skipped(reason: String) -> Checked {
        let verdict = Verdict::Skipped(reason);
        Checked { verdict, statistics: Statistics::default(), missed: BTreeMap::new() }
    }
}

/// Compiles a job and compares on `sets` sets of inputs; `change` may alter the
/// listing and the code before.
pub fn check(
    shader: &Shader,
    target: Target,
    job: &Job,
    sets: u64,
    compiler: &mut Compiler,
    change: &mut dyn FnMut(&mut String, &mut Vec<u8>),
) -> Verdict {
    check_counted(shader, target, job, sets, compiler, change).verdict
}

/// The same, with what was compared.
pub fn check_counted(
    shader: &Shader,
    target: Target,
    job: &Job,
    sets: u64,
    compiler: &mut Compiler,
    change: &mut dyn FnMut(&mut String, &mut Vec<u8>),
) -> Checked {
    let mut output = match compiler.compile(job) {
        Ok(output) => output,
        Err(error) => return Checked::skipped(format!("not compiled: {error}")),
    };
    change(&mut output.assembly, &mut output.code);
    let entry = match diff_exec::lowered(shader, target) {
        Ok(lowered) => lowered.entry,
        Err(error) => return Checked::skipped(error.to_string()),
    };
    let (assembly, code) = (&output.assembly, &output.code);
    let compiled = Compiled { target, entry: &entry, assembly, code };
    match TestPair::new(shader, &compiled) {
        Ok(pair) => check_sets(&pair, sets),
        Err(error) => Checked::skipped(error.to_string()),
    }
}

/// The first difference of several sets. A shader of which no set is compared, or nothing
/// that it leaves is defined, is skipped.
fn check_sets(pair: &TestPair<'_>, sets: u64) -> Checked {
    let mut missed: BTreeMap<String, u64> = BTreeMap::new();
    let mut compared = false;
    for seed in 0..sets {
        match pair.check(seed) {
            Verdict::Agree => compared = true,
            Verdict::Skipped(reason) => *missed.entry(reason).or_default() += 1,
            verdict => return Checked { verdict, statistics: pair.statistics(), missed },
        }
    }
    let statistics = pair.statistics();
    let verdict = match (compared, statistics.compared, missed.keys().next()) {
        (false, _, Some(reason)) => Verdict::Skipped(reason.clone()),
        (_, 0, _) => Verdict::Skipped(nothing_defined(statistics).to_owned()),
        _ => Verdict::Agree,
    };
    Checked { verdict, statistics, missed }
}

/// Returns the reason for which nothing could be compared of a shader that both sides run.
fn nothing_defined(statistics: Statistics) -> &'static str {
    let has = |rule: Rule| statistics.by_rule[rule as usize] > 0.0;
    match () {
        () if has(Rule::OutOfBounds) => "all that it leaves follows from indices that lead astray",
        () if has(Rule::Unwritten) => "all that it leaves follows from registers never written",
        () if statistics.open > 0 => "all that it leaves is open",
        () => "it leaves nothing",
    }
}

//! Shaders on their way to both sides: lowered, compiled, and joined with their code.

mod exceptions;

pub use exceptions::{EXCEPTIONS, Exception, MADE_EXCEPTIONS, MadeException};

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use diff_exec::{Compiled, Statistics, TestPair, Verdict};
use gcn::Target;
use llvm::{Compiler, Configuration, Job};
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

/// The interpreter's subgroup is a quad, the machine's a wave.
const BEYOND_THE_QUAD: &str =
    "a wave has more lanes than a quad (ARB_shader_ballot leaves how many)";

/// Made shaders whose results the documents leave open: stage (any where empty), opcode,
/// target (any where empty), and the reason, with the document.
const LEFT_OPEN: &[(&str, &str, &str, &str)] = &[
    ("", "CLOCK", "", "every clock counts its own (Gallium documentation, CLOCK)"),
    (
        "",
        "CLAMP",
        "",
        "where the limits are the wrong way round, the comparisons of the TGSI specification of \
         2009 and the MAX and MIN of Mesa's table of 2012 differ",
    ),
    ("", "F2U64", "", "negative numbers have no unsigned ones (GLSL 4.60, section 5.4.1)"),
    ("", "D2U64", "", "negative numbers have no unsigned ones (GLSL 4.60, section 5.4.1)"),
    ("", "D2I64", "", "numbers that do not fit (GLSL 4.60, section 5.4.1)"),
    ("", "F2I64", "", "numbers that do not fit (GLSL 4.60, section 5.4.1)"),
    (
        "",
        "TXQS",
        "",
        "only x is defined, and only of textures with samples (Gallium documentation, TXQS)",
    ),
    (
        "",
        "SAMPLE_INFO",
        "",
        "only textures with samples have them (Gallium documentation, SAMPLE_INFO)",
    ),
    (
        "",
        "SAMPLE_POS",
        "",
        "only textures with samples have them (Gallium documentation, SAMPLE_POS)",
    ),
    ("", "READ_INVOC", "", BEYOND_THE_QUAD),
    ("COMP", "READ_FIRST", "", BEYOND_THE_QUAD),
    ("COMP", "BALLOT", "", BEYOND_THE_QUAD),
    ("COMP", "VOTE_ANY", "", BEYOND_THE_QUAD),
    ("COMP", "VOTE_ALL", "", BEYOND_THE_QUAD),
    ("COMP", "VOTE_EQ", "", BEYOND_THE_QUAD),
    ("VERT", "LODQ", "", "derivatives are of fragments alone (GLSL 4.60, section 8.9.1)"),
    ("VERT", "LOD", "", "derivatives are of fragments alone (GLSL 4.60, section 8.9.1)"),
    (
        "",
        "GATHER4",
        "",
        "gfx6 to gfx8 move gathers of integers by half a texel, which the driver undoes \
         (radeonsi of Mesa 19.2)",
    ),
    (
        "",
        "TXB2",
        "SHADOWCUBEARRAY",
        "bias and reference would share a component (GLSL 4.60 has no such function)",
    ),
    (
        "",
        "TXL2",
        "SHADOWCUBEARRAY",
        "level and reference would share a component (GLSL 4.60 has no such function)",
    ),
    (
        "",
        "TG4",
        "SHADOWCUBEARRAY",
        "component and reference would share one (Gallium documentation, TG4)",
    ),
    (
        "",
        "TEXLDB",
        "CUBEARRAY",
        "bias and layer share a component, which no cube array of a language does: GLSL 4.60 \
         gives the layer w, and TXB2 was made for the bias",
    ),
];

/// Tells whether a made shader fetches texels of cubes by number, offset by others: GLSL
/// has neither, and to which face an offset leads no document says.
fn offsets_cube(name: &str) -> bool {
    let fetches = ["TXF ", "TXF_LZ "].iter().any(|opcode| name.contains(opcode));
    fetches && name.contains("CUBE") && name.ends_with(".xyz")
}

/// Returns the reason for which the results of a made shader are left open, by its name:
/// stage, opcode, operands with the target.
pub fn left_open(name: &str) -> Option<&'static str> {
    let mut words = name.split([' ', ',']);
    let (stage, opcode) = (words.next()?, words.next()?);
    if opcode == "TG4" && name.contains("INT ") {
        return left_open("VERT GATHER4");
    }
    if opcode.starts_with("SUBGROUP_") {
        return Some(BEYOND_THE_QUAD);
    }
    if offsets_cube(name) {
        return Some("texels of cubes have neither numbers nor offsets (GLSL 4.60, section 8.9)");
    }
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
    let found = LEFT_OPEN.iter().find(|(on, own, target, _)| {
        (on.is_empty() || *on == stage)
            && *own == opcode
            && (target.is_empty() || rest.contains(target))
    });
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
    match () {
        () if statistics.out_of_bounds > 0 => {
            "all that it leaves follows from indices that lead astray"
        }
        () if statistics.undefined > 0 => "all that it leaves follows from registers never written",
        () if statistics.diverging > 0 => "all that it leaves hangs on inexact results",
        () => "it leaves nothing",
    }
}

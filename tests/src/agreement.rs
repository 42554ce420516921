//! Shaders on their way to both sides: lowered, compiled, and joined with their code.

use agreement::{Compiled, Subject, Verdict, environment};
use gcn::Target;
use llvm::{Compiler, Configuration, Job};
use tgsi::ast::Shader;

use crate::bench::libraries;

/// A compiler of the newest usable libLLVM, or of one of a major version, with the
/// version; `None` where there is none.
pub fn compiler(major: Option<&str>) -> Option<(Compiler, String)> {
    let wanted = |version: &str| major.is_none_or(|major| version.split('.').next() == Some(major));
    let library = libraries().into_iter().find(|one| wanted(&one.version.to_string()))?;
    let executable = std::env::current_exe().ok()?;
    let configuration = Configuration::new(executable, library.path, engine::INTRINSICS);
    Some((Compiler::new(configuration), library.version.to_string()))
}

/// What the made shaders do that leaves a result open: opcode, target (any where empty),
/// and what it is.
const LEFT_OPEN: &[(&str, &str, &str)] = &[
    ("CLOCK", "", "every clock counts its own"),
    ("CLAMP", "", "the limits may be the wrong way round"),
    ("F2U64", "", "negative numbers have no unsigned ones"),
    ("D2U64", "", "negative numbers have no unsigned ones"),
    ("D2U", "", "negative numbers have no unsigned ones"),
    ("F2I64", "", "numbers that do not fit"),
    ("D2I64", "", "numbers that do not fit"),
    ("PK2H", "", "how halves are rounded"),
    ("TXQS", "", "only x is defined, and only of textures with samples"),
    ("SAMPLE_INFO", "", "only textures with samples have them"),
    ("SAMPLE_POS", "", "only textures with samples have them"),
    ("LODQ", "", "derivatives are of fragments alone"),
    ("LOD", "", "derivatives are of fragments alone"),
    ("TXQ", "BUFFER", "buffers have no levels"),
    ("TXQ_LZ", "BUFFER", "buffers have no levels"),
    ("SVIEWINFO", "BUFFER", "buffers have no levels"),
    ("RESINFO", "BUFFER", "buffers have no levels"),
    ("GATHER4", "", "gfx6 to gfx8 move gathers of integers by half a texel"),
    ("TXB2", "SHADOWCUBEARRAY", "bias and reference would share a component"),
    ("TXL2", "SHADOWCUBEARRAY", "level and reference would share a component"),
    ("TG4", "SHADOWCUBEARRAY", "component and reference would share one"),
    ("TEXLDB", "CUBEARRAY", "the nearest of two levels or texels that are as near"),
];

/// What a made shader's name says is left open, if anything. The name is stage, opcode,
/// operands with the target.
pub fn left_open(name: &str) -> Option<&'static str> {
    let mut words = name.split([' ', ',']).skip(1);
    let opcode = words.next()?;
    if opcode == "TG4" && name.contains("INT ") {
        return left_open("VERT GATHER4");
    }
    if opcode.starts_with("SUBGROUP_") {
        return Some("a wave has more lanes than a quad");
    }
    if opcode == "bindless" {
        return Some("handles of no texture");
    }
    if name.contains("IMAGE[") && name.contains("SHADOW") {
        return Some("images are not compared with a reference");
    }
    let rest: Vec<&str> = words.collect();
    let found = LEFT_OPEN
        .iter()
        .find(|(own, target, _)| *own == opcode && (target.is_empty() || rest.contains(target)));
    found.map(|(.., reason)| *reason)
}

/// The first shader of a text.
pub fn parsed(text: &str) -> Option<Shader> {
    let regions = tgsi::regions::split(text);
    let region = regions.shaders.first()?;
    tgsi::parser::parse(region.text(text), &text::no_checkpoint).shader
}

/// What a shader is lowered to and compiled from.
///
/// # Errors
/// What is not lowered.
pub fn job(shader: &Shader, target: Target) -> Result<Job, String> {
    let generation = lower::Generation::ALL[target.generation() as usize];
    let module = lower::lower_for(shader, generation, environment()).map_err(|failures| {
        let first = failures.first().map_or("", |failure| &failure.construct);
        format!("not lowered: {first}")
    })?;
    let row = target.row();
    let gfx9 = row.generation == gcn::Generation::Gfx9;
    Ok(Job {
        ir: module.ir,
        processor: row.processor.to_owned(),
        features: if gfx9 { "-xnack" } else { "" }.to_owned(),
        instructions: module.instructions,
    })
}

/// Compiles a job and compares on so many sets of inputs; `change` may alter the
/// listing and the code before.
pub fn judge(
    shader: &Shader,
    target: Target,
    job: &Job,
    sets: u64,
    compiler: &mut Compiler,
    change: &mut dyn FnMut(&mut String, &mut Vec<u8>),
) -> Verdict {
    let mut output = match compiler.compile(job) {
        Ok(output) => output,
        Err(error) => return Verdict::Skipped(format!("not compiled: {error}")),
    };
    change(&mut output.assembly, &mut output.code);
    let compiled = Compiled { target, ir: &job.ir, assembly: &output.assembly, code: &output.code };
    match Subject::new(shader, &compiled) {
        Ok(subject) => judge_sets(&subject, sets),
        Err(reason) => Verdict::Skipped(reason),
    }
}

/// The first difference of several sets; sets of which one side makes nothing do not count
/// where others agree.
fn judge_sets(subject: &Subject<'_>, sets: u64) -> Verdict {
    let mut last = None;
    for seed in 0..sets {
        match subject.judge(seed) {
            Verdict::Differ(difference) => return Verdict::Differ(difference),
            Verdict::Agree => last = Some(Verdict::Agree),
            skipped => last = last.or(Some(skipped)),
        }
    }
    last.unwrap_or(Verdict::Agree)
}

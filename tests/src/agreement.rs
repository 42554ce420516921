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

/// Compiles a job and compares on so many sets of inputs; `change` may alter the code
/// before.
pub fn judge(
    shader: &Shader,
    target: Target,
    job: &Job,
    sets: u64,
    compiler: &mut Compiler,
    change: &mut dyn FnMut(&mut Vec<u8>),
) -> Verdict {
    let mut output = match compiler.compile(job) {
        Ok(output) => output,
        Err(error) => return Verdict::Skipped(format!("not compiled: {error}")),
    };
    change(&mut output.code);
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

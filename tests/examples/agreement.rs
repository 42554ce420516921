//! Whether compiled code does what its shader says: the shaders of the corpora are
//! compiled, and both sides are run on inputs made up from seeds.
//!
//! `cargo run --release -p tests --example agreement -- [--sets N] [--every N] [--stage STAGE]… [--file PART] [--differences N] [--llvm MAJOR] [TARGET…]`
//!
//! Prints for every stage and target how many shaders agree on all sets, differ or are
//! skipped, then the reasons and the first differences. Exit status 1 where any differ.

use std::collections::BTreeMap;
use std::process::ExitCode;

use agreement::{Compiled, Subject, Verdict, environment};
use gcn::Target;
use llvm::{Compiler, Configuration, Job};
use tests::bench::{libraries, serve_if_worker};
use tests::corpora::{Program, tgsi_programs};

/// All stages.
const STAGES: [&str; 6] = ["VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG", "COMP"];

struct Options {
    sets: u64,
    every: usize,
    stages: Vec<String>,
    file: String,
    differences: usize,
    major: Option<String>,
    targets: Vec<Target>,
}

fn options() -> Option<Options> {
    let mut found = Options {
        sets: 32,
        every: 1,
        stages: Vec::new(),
        file: String::new(),
        differences: 20,
        major: None,
        targets: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--sets" => found.sets = arguments.next()?.parse().ok()?,
            "--every" => found.every = arguments.next()?.parse().ok().filter(|it| *it > 0)?,
            "--stage" => found.stages.push(arguments.next()?),
            "--file" => found.file = arguments.next()?,
            "--differences" => found.differences = arguments.next()?.parse().ok()?,
            "--llvm" => found.major = arguments.next(),
            name => found.targets.push(Target::find(name)?),
        }
    }
    if found.targets.is_empty() {
        let names = ["tahiti", "bonaire", "polaris10", "vega10"];
        found.targets = names.iter().filter_map(|name| Target::find(name)).collect();
    }
    if found.stages.is_empty() {
        found.stages = STAGES.map(str::to_owned).into();
    }
    Some(found)
}

/// The lowering's word for a chip's generation.
fn generation(target: Target) -> lower::Generation {
    lower::Generation::ALL[target.generation() as usize]
}

/// Compiles one program for one target and compares on all sets.
fn judge(program: &Program, target: Target, sets: u64, compiler: &mut Compiler) -> Verdict {
    let skipped = |reason: String| Verdict::Skipped(reason);
    let regions = tgsi::regions::split(&program.text);
    let Some(region) = regions.shaders.first() else { return skipped("no shader".to_owned()) };
    let parse = tgsi::parser::parse(region.text(&program.text), &text::no_checkpoint);
    let Some(shader) = parse.shader else { return skipped("no shader".to_owned()) };
    let module = match lower::lower_for(&shader, generation(target), environment()) {
        Ok(module) => module,
        Err(failures) => {
            let first = failures.first().map_or("", |failure| &failure.construct);
            return skipped(format!("not lowered: {first}"));
        }
    };
    let row = target.row();
    let job = Job {
        ir: module.ir,
        processor: row.processor.to_owned(),
        features: if row.generation == gcn::Generation::Gfx9 { "-xnack" } else { "" }.to_owned(),
        instructions: module.instructions,
    };
    let output = match compiler.compile(&job) {
        Ok(output) => output,
        Err(error) => return skipped(format!("not compiled: {error}")),
    };
    let compiled = Compiled { target, ir: &job.ir, assembly: &output.assembly, code: &output.code };
    let subject = match Subject::new(&shader, &compiled) {
        Ok(subject) => subject,
        Err(reason) => return skipped(reason),
    };
    let mut last = Verdict::Agree;
    for seed in 0..sets {
        match subject.judge(seed) {
            Verdict::Agree => {}
            Verdict::Differ(difference) => return Verdict::Differ(difference),
            skipped => last = skipped,
        }
    }
    last
}

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let Some(options) = options() else {
        eprintln!("what the arguments may be stands at the head of this example");
        return ExitCode::from(2);
    };
    let Some(programs) = tgsi_programs() else { return ExitCode::SUCCESS };
    let programs: Vec<Program> = programs
        .into_iter()
        .filter(|program| program.accepted && program.name.contains(&options.file))
        .collect();
    let wanted = |version: &str| {
        options.major.as_deref().is_none_or(|major| version.split('.').next() == Some(major))
    };
    let library = libraries().into_iter().find(|one| wanted(&one.version.to_string()));
    let Some(library) = library else {
        eprintln!("skipped: no libLLVM");
        return ExitCode::SUCCESS;
    };
    let executable = std::env::current_exe().unwrap_or_default();
    let configuration = Configuration::new(executable, library.path.clone(), engine::INTRINSICS);
    let mut compiler = Compiler::new(configuration);
    println!("LLVM {}, {} sets each", library.version, options.sets);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    for stage in &options.stages {
        let own: Vec<&Program> =
            programs.iter().filter(|it| it.stage == *stage).step_by(options.every).collect();
        for target in &options.targets {
            let [mut agree, mut differ, mut skipped] = [0; 3];
            for program in &own {
                match judge(program, *target, options.sets, &mut compiler) {
                    Verdict::Agree => agree += 1,
                    Verdict::Differ(difference) => {
                        differ += 1;
                        differences.push(format!(
                            "{} {}: {difference}",
                            program.name,
                            target.name()
                        ));
                    }
                    Verdict::Skipped(reason) => {
                        skipped += 1;
                        *reasons.entry(format!("{stage}: {reason}")).or_default() += 1;
                    }
                }
            }
            println!(
                "  {stage:<10} {:<10} {agree:>4} agree {differ:>4} differ {skipped:>4} skipped",
                target.name()
            );
        }
    }
    for (reason, count) in reasons {
        println!("  {count:>5} x {reason}");
    }
    for difference in differences.iter().take(options.differences) {
        println!("  DIFFERS {difference}");
    }
    if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! Whether compiled code does what its shader says: the shaders of the corpora are
//! compiled, and both sides are run on inputs made up from seeds.
//!
//! `cargo run --release -p tests --example agreement -- [--sets N] [--every N] [--stage STAGE]… [--file PART] [--differences N] [--made] [--llvm MAJOR] [TARGET…]`
//!
//! `--made` takes the shaders that are made from the opcode table instead, every form of
//! every lowered opcode whose results no document leaves open. Prints for every stage and target how many shaders agree on all sets, differ or are
//! skipped, then the reasons and the first differences. Exit status 1 where any differ.

#[path = "../tests/lower_shaders/mod.rs"]
mod lower_shaders;

use std::collections::BTreeMap;
use std::process::ExitCode;

use agreement::Verdict;
use gcn::Target;
use llvm::Compiler;
use tests::agreement::{compiler, job, judge, left_open, parsed};
use tests::bench::serve_if_worker;
use tests::corpora::{Program, tgsi_programs};

/// All stages.
const STAGES: [&str; 6] = ["VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG", "COMP"];

struct Options {
    sets: u64,
    every: usize,
    stages: Vec<String>,
    file: String,
    differences: usize,
    made: bool,
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
        made: false,
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
            "--made" => found.made = true,
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

/// Compiles one program for one target and compares on all sets.
fn judge_text(text: &str, target: Target, sets: u64, compiler: &mut Compiler) -> Verdict {
    let Some(shader) = parsed(text) else { return Verdict::Skipped("no shader".to_owned()) };
    match job(&shader, target) {
        Ok(job) => judge(&shader, target, &job, sets, compiler, &mut |_, _| {}),
        Err(reason) => Verdict::Skipped(reason),
    }
}

/// A shader, where it is from, and its stage.
struct Text {
    name: String,
    stage: String,
    text: String,
}

fn made() -> Vec<Text> {
    let of = |made: lower_shaders::Made| Text {
        stage: made.text.split_whitespace().next().unwrap_or_default().to_owned(),
        name: made.name,
        text: made.text,
    };
    let all = lower_shaders::all().into_iter();
    all.filter(|made| left_open(&made.name).is_none()).map(of).collect()
}

fn corpora() -> Option<Vec<Text>> {
    let of =
        |program: Program| Text { name: program.name, stage: program.stage, text: program.text };
    Some(tgsi_programs()?.into_iter().filter(|program| program.accepted).map(of).collect())
}

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let Some(options) = options() else {
        eprintln!("what the arguments may be stands at the head of this example");
        return ExitCode::from(2);
    };
    let found = if options.made { Some(made()) } else { corpora() };
    let Some(programs) = found else { return ExitCode::SUCCESS };
    let programs: Vec<Text> =
        programs.into_iter().filter(|program| program.name.contains(&options.file)).collect();
    let Some((mut compiler, version)) = compiler(options.major.as_deref()) else {
        eprintln!("skipped: no libLLVM");
        return ExitCode::SUCCESS;
    };
    println!("LLVM {version}, {} sets each", options.sets);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    for stage in &options.stages {
        let own: Vec<&Text> =
            programs.iter().filter(|it| it.stage == *stage).step_by(options.every).collect();
        for target in &options.targets {
            let [mut agree, mut differ, mut skipped] = [0; 3];
            for program in &own {
                match judge_text(&program.text, *target, options.sets, &mut compiler) {
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

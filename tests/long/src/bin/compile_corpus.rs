//! Compiles the shaders of the corpora for several targets with every libLLVM
//! on this machine, and prints the counts of every stage.
//!
//! `cargo run --release -p long-tests --bin compile_corpus -- [--every N] [--stage STAGE]… [--llvm MAJOR] [TARGET…]`
//!
//! Every listing is also assembled by our own assembler, which must accept it
//! and come to the bytes of the compiler's object.
//!
//! Exit status 1 if fewer than the share that is promised compile, or if one
//! that says it is lowered does not, or if a listing does not assemble.

use std::collections::BTreeMap;
use std::process::ExitCode;

use engine::ide::ProblemKind;
use gcn::Target;
use tests::bench::{Bench, libraries, own_program, serve_if_worker};
use tests::compiled::reassembled_difference;
use tests::corpora::programs_with_verdicts;

/// The share of the shaders of every stage that must compile, in percent.
const PROMISED_PERCENT: usize = 100;
/// All stages.
const STAGES: [&str; 6] = ["VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG", "COMP"];

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let mut arguments = std::env::args().skip(1);
    let mut every = 1;
    let mut targets = Vec::new();
    let mut stages = Vec::new();
    let mut major = None;
    while let Some(argument) = arguments.next() {
        if argument == "--every" {
            every = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1).max(1);
        } else if argument == "--stage" {
            stages.extend(arguments.next());
        } else if argument == "--llvm" {
            major = arguments.next();
        } else if let Some(target) = Target::find(&argument) {
            targets.push(target);
        } else {
            eprintln!("no target {argument}");
            return ExitCode::from(2);
        }
    }
    if targets.is_empty() {
        let names = ["tahiti", "bonaire", "polaris10", "vega10"];
        targets = names.iter().filter_map(|name| Target::find(name)).collect();
    }
    if stages.is_empty() {
        stages = STAGES.map(str::to_owned).into();
    }
    let programs = programs_with_verdicts();
    let programs: Vec<_> = programs
        .into_iter()
        .filter(|entry| entry.accepted_by_mesa_21)
        .map(|entry| entry.program)
        .filter(|program| stages.contains(&program.stage))
        .step_by(every)
        .collect();
    let mut good = true;
    let wanted = |version: &str| {
        major.as_deref().is_none_or(|major| version.split('.').next() == Some(major))
    };
    for library in libraries().into_iter().filter(|one| wanted(&one.version.to_string())) {
        let mut bench = Bench::with_compiler(targets.clone(), &own_program(), &library.path);
        let mut constructs: BTreeMap<String, usize> = BTreeMap::new();
        let mut complaints = Vec::new();
        let mut assembled = 0;
        let mut compiled = vec![vec![0; targets.len()]; stages.len()];
        for program in &programs {
            let stage = stages.iter().position(|stage| *stage == program.stage).unwrap_or(0);
            let file = bench.open("program", &program.text);
            bench.compile_and_look(file, &mut |target, assembly, code| {
                let difference = reassembled_difference(target, assembly, code);
                assembled += usize::from(difference.is_none());
                complaints.extend(
                    difference.map(|it| format!("{} {}: {it}", program.name, target.name())),
                );
            });
            for (index, target) in targets.iter().enumerate() {
                let Some(code) = bench.code(file, 0, *target) else {
                    complaints.push(format!("{} {}: no shader", program.name, target.name()));
                    continue;
                };
                match code.problem {
                    None if code.compiled.is_some() => compiled[stage][index] += 1,
                    None => complaints.push(format!("{} {}: no code", program.name, target.name())),
                    Some(problem) if problem.kind == ProblemKind::Unsupported => {
                        *constructs.entry(problem.message).or_default() += 1;
                    }
                    Some(problem) => complaints.push(format!(
                        "{} {}: {}",
                        program.name,
                        target.name(),
                        problem.message
                    )),
                }
            }
            bench.host.remove_file(file);
        }
        println!("LLVM {} ({}), {} shaders", library.version, library.origin, programs.len());
        for (stage, counts) in stages.iter().zip(&compiled) {
            let all = programs.iter().filter(|program| program.stage == *stage).count();
            for (target, count) in targets.iter().zip(counts) {
                println!("  {stage:<10} {:<12} {count} of {all} compiled", target.name());
                good &= count * 100 >= all * PROMISED_PERCENT;
            }
        }
        println!("  {assembled} listings assembled by us to the compiler's bytes");
        for (construct, count) in constructs {
            println!("  {count:>5} x {construct}");
        }
        for complaint in &complaints {
            println!("  FAILED {complaint}");
        }
        good &= complaints.is_empty();
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

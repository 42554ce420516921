//! Compiles the vertex, fragment and compute shaders of the corpora for several targets
//! with every libLLVM on this machine, and prints the counts.
//!
//! `cargo run --release -p tests --example compile_corpus -- [--every N] [TARGET…]`
//!
//! Exit status 1 if fewer than the share that is promised compile, or if one
//! that says it is lowered does not.

use std::collections::BTreeMap;
use std::process::ExitCode;

use engine::ide::ProblemKind;
use gcn::Target;
use tests::bench::{Bench, libraries, serve_if_worker};
use tests::corpora::tgsi_programs;

/// The share of all such shaders that must compile, in percent.
const PROMISED_PERCENT: usize = 80;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let mut arguments = std::env::args().skip(1);
    let mut every = 1;
    let mut targets = Vec::new();
    while let Some(argument) = arguments.next() {
        if argument == "--every" {
            every = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1).max(1);
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
    let Some(programs) = tgsi_programs() else { return ExitCode::SUCCESS };
    let programs: Vec<_> = programs
        .into_iter()
        .filter(|program| program.accepted_by_mesa_21)
        .filter(|program| ["VERT", "FRAG", "COMP"].contains(&program.stage.as_str()))
        .step_by(every)
        .collect();
    let mut good = true;
    for library in libraries() {
        let mut bench = Bench::new(targets.clone(), Some(library.path.clone()));
        let mut constructs: BTreeMap<String, usize> = BTreeMap::new();
        let mut complaints = Vec::new();
        let mut compiled = vec![0; targets.len()];
        for program in &programs {
            let file = bench.open("program", &program.text);
            bench.compile(file);
            for (index, target) in targets.iter().enumerate() {
                let Some(code) = bench.code(file, 0, *target) else {
                    complaints.push(format!("{} {}: no shader", program.name, target.name()));
                    continue;
                };
                match code.problem {
                    None if code.compiled.is_some() => compiled[index] += 1,
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
        for (target, count) in targets.iter().zip(&compiled) {
            println!("  {:<12} {count} compiled", target.name());
            good &= count * 100 >= programs.len() * PROMISED_PERCENT;
        }
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

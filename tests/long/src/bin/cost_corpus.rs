//! Compiles shaders of the corpora with every libLLVM on this machine and analyses
//! the code: the compiler's code is correct, so nothing in it may be called wrong.
//!
//! `cargo run --release -p long-tests --bin cost_corpus -- [--every N]`
//!
//! Exit status 1 if anything is.

use std::collections::BTreeMap;
use std::process::ExitCode;

use gcn::Target;
use gcn::analysis::{Cfg, DefUse, Liveness, check};
use source::Severity;
use tests::bench::{Bench, libraries, own_program, serve_if_worker};
use tests::corpora::programs_with_verdicts;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let mut arguments = std::env::args().skip(1);
    let mut every = 10;
    while let Some(argument) = arguments.next() {
        if argument == "--every" {
            every = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(10).max(1);
        }
    }
    let names = ["tahiti", "bonaire", "polaris10", "vega10"];
    let targets: Vec<Target> = names.iter().filter_map(|name| Target::find(name)).collect();
    let programs = programs_with_verdicts();
    let programs: Vec<_> = programs
        .into_iter()
        .filter(|entry| entry.accepted_by_mesa_21)
        .map(|entry| entry.program)
        .filter(|program| program.stage == "VERT" || program.stage == "FRAG")
        .step_by(every)
        .collect();
    let mut good = true;
    for library in libraries() {
        let mut bench = Bench::with_compiler(targets.clone(), &own_program(), &library.path);
        let mut counts: BTreeMap<(&str, Severity), (usize, String)> = BTreeMap::new();
        let (mut shaders, mut instructions) = (0, 0);
        for program in &programs {
            let file = bench.open("program", &program.text);
            bench.compile(file);
            for target in &targets {
                let compiled = bench.code(file, 0, *target).and_then(|code| code.compiled);
                let Some(compiled) = compiled else { continue };
                let (code, _) = compiled.code(*target);
                let def_use = DefUse::of_all(&code, &source::no_checkpoint);
                let cfg = Cfg::of(&code, &def_use);
                let liveness = Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint);
                shaders += 1;
                instructions += code.instructions.len();
                for diagnostic in
                    check(&code, &def_use, &cfg, &liveness, None, &source::no_checkpoint)
                {
                    let place = counts.entry((diagnostic.code.0, diagnostic.severity)).or_default();
                    place.0 += 1;
                    if place.1.is_empty() {
                        let index = diagnostic.instruction as usize;
                        let text = compiled.instructions.get(index).map_or("", |it| &it.text);
                        place.1 = format!(
                            "{} {} {index}, `{text}`: {}",
                            program.name,
                            target.name(),
                            diagnostic.message
                        );
                    }
                }
            }
            bench.host.remove_file(file);
        }
        println!(
            "LLVM {}: {shaders} compiled shaders, {instructions} instructions",
            library.version
        );
        for ((code, severity), (count, first)) in &counts {
            println!("  {code} {severity:?}: {count}, the first: {first}");
            good &= *severity != Severity::Error;
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! Compiles the shaders that are made from the opcode table, every form of
//! every lowered opcode, with every libLLVM on this machine.
//!
//! `cargo run --release -p long-tests --bin compile_made -- [--every N] [--only TEXT] [--show]`
//!
//! Exit status 1 if one that says it is lowered does not compile, or if our own
//! assembler makes other bytes of the compiler's listing. `--only`
//! takes those whose name contains the text, `--show` prints their code.

use std::process::ExitCode;

use engine::ide::ProblemKind;
use gcn::Target;
use tests::bench::{Bench, libraries, own_program, serve_if_worker};
use tests::compiled::reassembled_difference;
use tests::lower_shaders;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let (mut every, mut only, mut show) = (1, String::new(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--every" => {
                every = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1).max(1);
            }
            "--only" => only = arguments.next().unwrap_or_default(),
            "--show" => show = true,
            _ => {
                eprintln!("unknown argument {argument}");
                return ExitCode::from(2);
            }
        }
    }
    let names = ["tahiti", "bonaire", "polaris10", "vega10"];
    let targets: Vec<Target> = names.iter().filter_map(|name| Target::find(name)).collect();
    let made = lower_shaders::all();
    let wanted: Vec<_> =
        made.iter().filter(|made| made.name.contains(&only)).step_by(every).collect();
    let mut good = true;
    for library in libraries() {
        let mut bench = Bench::with_compiler(targets.clone(), &own_program(), &library.path);
        let (mut compiled, mut refused, mut failed) = (0, 0, 0);
        for made in &wanted {
            let file = bench.open(&made.name, &made.text);
            bench.compile_and_look(file, &mut |target, assembly, code| {
                if let Some(difference) = reassembled_difference(target, assembly, code) {
                    failed += 1;
                    println!("  FAILED {} {}: {difference}", made.name, target.name());
                }
            });
            for target in &targets {
                let code = bench.code(file, 0, *target);
                let problem = code.as_ref().and_then(|code| code.problem.clone());
                match (problem, code.and_then(|code| code.compiled)) {
                    (None, Some(code)) => {
                        compiled += 1;
                        if show {
                            println!("== {} {}", made.name, target.name());
                            for instruction in &code.instructions {
                                println!("{}", instruction.text);
                            }
                        }
                    }
                    (Some(problem), _) if problem.kind == ProblemKind::Unsupported => refused += 1,
                    (problem, _) => {
                        failed += 1;
                        let message = problem.map_or("no code".to_owned(), |it| it.message);
                        println!("  FAILED {} {}: {message}", made.name, target.name());
                    }
                }
            }
            bench.host.remove_file(file);
        }
        println!(
            "LLVM {} ({}), {} shaders: {compiled} compiled, {refused} refused, {failed} failed",
            library.version,
            library.origin,
            wanted.len()
        );
        good &= failed == 0 && compiled > 0;
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! Compiles random shaders of every stage, and says what went wrong and what it cost.
//!
//! `cargo run --release -p long-tests --bin compile_random -- [--count N] [--seed S]
//! [--llvm MAJOR] [--all-targets] [--keep FOLDER]`
//!
//! Every shader is one that the validator accepts without an error. It is compiled for one
//! chip of the four generations in turn, or for all of them, with the oldest and the newest
//! libLLVM of this machine, or with those whose version begins so. Exit status 1 if LLVM
//! refuses or crashes on our IR, if our own assembler does not read LLVM's text or makes
//! other bytes of it, if our reader does not understand the code, or if the memory of this
//! process grows. `--keep` writes the shaders that failed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use engine::ide::ProblemKind;
use gcn::Target;
use llvm::Found;
use tests::bench::{Bench, libraries, own_program, serve_if_worker};
use tests::compiled::reassembled_difference;
use tests::measure::resident_bytes;
use tests::random_shaders::{Accepted, accepted};

const GENERATIONS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

/// Growth that is not a leak: tables that are read when they are needed first, and the
/// largest shader yet.
const GROWTH: f64 = 1.25;

struct Options {
    count: u64,
    seed: u64,
    llvm: Option<String>,
    all_targets: bool,
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    serve_if_worker();
    let Some(options) = options() else { return ExitCode::from(2) };
    let found = libraries();
    let wanted: Vec<&Found> = match &options.llvm {
        Some(version) => found.iter().filter(|it| it.version.starts_with(version)).collect(),
        None => oldest_and_newest(&found),
    };
    if wanted.is_empty() {
        eprintln!("there is no such libLLVM on this machine: nothing was compiled");
        return ExitCode::FAILURE;
    }
    let mut good = true;
    for library in wanted {
        good &= run(library, &options);
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One library of the oldest and one of the newest version.
fn oldest_and_newest(found: &[Found]) -> Vec<&Found> {
    let major = |library: &&Found| library.version.split('.').next()?.parse::<u32>().ok();
    let oldest = found.iter().min_by_key(major);
    let newest = found.iter().rev().max_by_key(major);
    let newest = newest.filter(|newest| oldest.as_ref().and_then(major) != major(newest));
    oldest.into_iter().chain(newest).collect()
}

fn options() -> Option<Options> {
    let mut options = Options { count: 200, seed: 0, llvm: None, all_targets: false, keep: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|number| number.parse().ok());
        match argument.as_str() {
            "--count" => options.count = number()?,
            "--seed" => options.seed = number()?,
            "--llvm" => options.llvm = Some(arguments.next()?),
            "--all-targets" => options.all_targets = true,
            "--keep" => options.keep = Some(PathBuf::from(arguments.next()?)),
            _ => {
                eprintln!("unknown argument {argument}");
                return None;
            }
        }
    }
    Some(options)
}

#[derive(Default)]
struct Statistics {
    shaders: u64,
    /// Lines that the validator or the lowering took out.
    lines_out: usize,
    unmade: u64,
    compiled: u64,
    instructions: u64,
    /// Refusals of the lowering, by message.
    refused: BTreeMap<String, u64>,
    /// Errors, by message without figures.
    failed: BTreeMap<String, Vec<u64>>,
}

#[allow(clippy::print_stdout)]
fn run(library: &Found, options: &Options) -> bool {
    let start = Instant::now();
    let mut statistics = Statistics::default();
    let targets: Vec<Target> = GENERATIONS.iter().filter_map(|name| Target::find(name)).collect();
    // The front end needs no compiler: each chip in turn has a bench of its own.
    let own = |target: Target| Bench::with_compiler(vec![target], &own_program(), &library.path);
    let mut benches: Vec<Bench> = match options.all_targets {
        true => vec![Bench::with_compiler(targets.clone(), &own_program(), &library.path)],
        false => targets.iter().copied().map(own).collect(),
    };
    let mut memory: Vec<u64> = Vec::new();
    for number in 0..options.count {
        let seed = options.seed + number;
        let place = number as usize % benches.len();
        let bench = &mut benches[place];
        let chips = if options.all_targets { &targets[..] } else { &targets[place..=place] };
        compile(bench, chips, seed, options, &mut statistics);
        if (number + 1) % options.count.div_ceil(10).max(1) == 0 {
            memory.push(resident_bytes().unwrap_or(0));
        }
    }
    let (version, origin) = (&library.version, library.origin);
    println!(
        "LLVM {version} ({origin}): {} shaders, {} compiles, {} instructions in {:.0} s; \
         {} lines were taken out, {} shaders given up",
        statistics.shaders,
        statistics.compiled,
        statistics.instructions,
        start.elapsed().as_secs_f64(),
        statistics.lines_out,
        statistics.unmade,
    );
    for (message, count) in &statistics.refused {
        println!("  refused {count}: {message}");
    }
    for (message, seeds) in &statistics.failed {
        println!("  FAILED {}: {message} (seeds {:?})", seeds.len(), &seeds[..seeds.len().min(6)]);
    }
    let mebibytes: Vec<String> = memory.iter().map(|it| format!("{}", it >> 20)).collect();
    println!("  memory of this process, in MiB: {}", mebibytes.join(" "));
    let early = memory.get(memory.len() / 3).copied().unwrap_or(0) as f64;
    let late = memory.last().copied().unwrap_or(0) as f64;
    let grown = options.count >= 1000 && late > early * GROWTH;
    if grown {
        println!("  FAILED: the memory grows");
    }
    statistics.failed.is_empty() && statistics.compiled > 0 && !grown
}

fn compile(
    bench: &mut Bench,
    chips: &[Target],
    seed: u64,
    options: &Options,
    statistics: &mut Statistics,
) {
    let Some(Accepted { text, lines_out }) = accepted(bench, seed) else {
        statistics.unmade += 1;
        return;
    };
    statistics.shaders += 1;
    statistics.lines_out += lines_out;
    let file = bench.open("random.tgsi", &text);
    let mut wrong: Vec<String> = Vec::new();
    bench.compile_and_look(file, &mut |target, assembly, code| {
        wrong.extend(reassembled_difference(target, assembly, code).map(|it| without_figures(&it)));
    });
    for target in chips {
        let Some(code) = bench.code(file, 0, *target) else { continue };
        match (code.problem, code.compiled) {
            (None, Some(compiled)) => {
                statistics.compiled += 1;
                statistics.instructions += compiled.instructions.len() as u64;
            }
            (Some(problem), _) if problem.kind == ProblemKind::Unsupported => {
                *statistics.refused.entry(without_figures(&problem.message)).or_default() += 1;
            }
            (problem, _) => {
                let message = problem.map_or("no code".to_owned(), |problem| problem.message);
                wrong.push(format!("{}: {}", target.name(), without_figures(&message)));
            }
        }
    }
    if let (Some(folder), false) = (&options.keep, wrong.is_empty()) {
        let _ = std::fs::create_dir_all(folder);
        if let Err(error) = std::fs::write(folder.join(format!("{seed}.tgsi")), &text) {
            eprintln!("{}: {error}", folder.display());
        }
    }
    for message in wrong {
        statistics.failed.entry(message).or_default().push(seed);
    }
    bench.host.remove_file(file);
}

/// A message with every number as `#`, so that like ones count together.
fn without_figures(message: &str) -> String {
    let mut shown = String::new();
    for letter in message.chars().take(200) {
        match letter.is_ascii_digit() {
            true if shown.ends_with('#') => {}
            true => shown.push('#'),
            false => shown.push(letter),
        }
    }
    shown
}

//! Asks for advice on a sample of the corpora, and counts what gets better on which chip.
//!
//! `cargo run --release -p long-tests --bin advise_corpora -- [--shaders N] [--kernels N]
//! [--seconds N] [--seed N] [--chips NAME,...] [--llvm MAJOR]`
//!
//! The shaders are drawn evenly over the corpus, each for every chip; the kernels are those of
//! compilers in `data/cdna`, each for its own chip. Exit status 1 where a variant that is better
//! does something else, or where one is taken that was not the same on every input.

#![allow(clippy::print_stdout)] // The table is what it is run for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use advise::Outcome;
use gcn::Target;
use tests::advising::{Arguments, INPUTS, compiler, of_kernel, of_shader};
use tests::bench::{libraries, own_program, serve_if_worker};
use tests::corpora::{programs_with_verdicts, shared};

/// The searches of a chip.
#[derive(Debug, Default)]
struct Row {
    asked: usize,
    refused: usize,
    waves: usize,
    clocks: usize,
    either: usize,
    better: usize,
    tried: usize,
    unproven: usize,
    differing: usize,
}

impl Row {
    /// Counts a search. Returns the reason why it is a defect, where it is one.
    fn add(&mut self, outcome: &Outcome) -> Option<String> {
        self.asked += 1;
        self.tried += outcome.tried;
        self.unproven += usize::from(outcome.found.is_none() && outcome.unproven.is_some());
        self.differing += outcome.differing.len();
        if let (Some(before), Some(found)) = (&outcome.before, &outcome.found) {
            let after = &found.figures;
            let gains_waves = after.waves > before.waves;
            let gains_clocks = after.clocks * 20 <= before.clocks * 19;
            self.better += 1;
            self.waves += usize::from(gains_waves);
            self.clocks += usize::from(gains_clocks);
            self.either += usize::from(gains_waves || gains_clocks);
            if found.inputs != INPUTS {
                return Some(format!("taken after {} inputs", found.inputs));
            }
        }
        let first = outcome.differing.first();
        first.map(|(changes, place)| format!("{changes:?} differs: {place}"))
    }

    fn print(&self, chip: &str, what: &str) {
        let Row { asked, refused, waves, clocks, either, better, tried, unproven, differing } =
            self;
        println!(
            "| {what} | {chip} | {asked} | {waves} | {clocks} | {either} | {better} | {unproven} | \
             {refused} | {differing} | {tried} |"
        );
    }
}

fn main() -> ExitCode {
    serve_if_worker();
    let arguments = Arguments::of_process();
    let (seconds, seed) =
        (arguments.number("--seconds", 3) as u64, arguments.number("--seed", 1) as u64);
    let chips = arguments.value("--chips").unwrap_or("tahiti,polaris10,vega10");
    let chips: Vec<Target> = chips.split(',').filter_map(Target::find).collect();
    let major = arguments.value("--llvm").unwrap_or_default();
    let library = libraries().into_iter().rev().find(|it| it.version.starts_with(major));
    let (Some(library), false) = (library, chips.is_empty()) else {
        eprintln!("there is no such libLLVM on this machine, or no such chip");
        return ExitCode::FAILURE;
    };
    let mut compiler = compiler(&own_program(), &library.path);
    let programs = programs_with_verdicts().into_iter().filter(|it| it.accepted_by_mesa_21);
    let programs: Vec<_> = programs.map(|it| it.program).collect();
    let programs = drawn(&programs, arguments.number("--shaders", 60), seed);
    let kernels = kernels();
    let kernels = drawn(&kernels, arguments.number("--kernels", 20), seed);
    println!(
        "{} shaders on {} chips with LLVM {}, {} kernels, {seconds} s each, seed {seed}\n",
        programs.len(),
        chips.len(),
        library.version,
        kernels.len()
    );
    let mut rows: BTreeMap<(&str, &str), Row> = BTreeMap::new();
    let mut defects = 0;
    let mut tell = |name: &str, defect: Option<String>| {
        if let Some(defect) = defect {
            eprintln!("{name}: {defect}");
            defects += 1;
        }
    };
    for program in &programs {
        for chip in &chips {
            let row = rows.entry(("shaders", chip.name())).or_default();
            if advise::shader::refusal(&program.text).is_some() {
                row.refused += 1;
                continue;
            }
            let outcome = of_shader(&program.text, *chip, &mut compiler, seed, seconds);
            // One that nobody compiles for the chip is no program to be made better.
            match outcome.before {
                Some(_) => tell(&program.name, row.add(&outcome)),
                None => row.refused += 1,
            }
        }
    }
    for path in &kernels {
        let name = path.display().to_string();
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let options = gcn::program::Options::of(&text, &name);
        let program = advise::kernel::assembled(&text, &options);
        let chip = program.map_or("none", |program| program.target.name());
        let row = rows.entry(("kernels", chip)).or_default();
        if advise::kernel::refusal(&text, &options).is_some() {
            row.refused += 1;
            continue;
        }
        let outcome = of_kernel(&text, &options, seed, seconds);
        tell(&name, row.add(&outcome));
    }
    println!(
        "| | chip | asked | a wave more | 5 % of clocks | either | better | unproven | refused | \
         differing | variants |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for ((what, chip), row) in rows.iter().rev() {
        row.print(chip, what);
    }
    let asked: usize = rows.values().map(|row| row.asked).sum();
    println!("\n{asked} searches, {defects} defects");
    if defects == 0 && asked > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// So many of some things, evenly over all of them; the seed says where it begins.
fn drawn<T: Clone>(all: &[T], count: usize, seed: u64) -> Vec<T> {
    let count = count.min(all.len());
    let begin = seed as usize * 7;
    (0..count)
        .filter_map(|place| all.get((begin + place * all.len() / count) % all.len()))
        .cloned()
        .collect()
}

/// Kernels as compilers write them, optimised.
fn kernels() -> Vec<PathBuf> {
    let folder = shared("data/cdna/compiled/kernels");
    let mut all = Vec::new();
    let chips = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    for chip in chips {
        let files = std::fs::read_dir(chip.path()).into_iter().flatten().flatten();
        let files = files.map(|file| file.path());
        // Without optimisation each value goes through memory.
        all.extend(files.filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(".s") && !name.contains(".O0.")
        }));
    }
    all.sort();
    all
}

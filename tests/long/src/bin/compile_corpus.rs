//! Compiles the shaders of the corpora for several targets with every libLLVM
//! on this machine, and prints the counts of every stage.
//!
//! `cargo run --release -p long-tests --bin compile_corpus -- [--every N] [--stage STAGE]… [--llvm MAJOR] [--jobs N] [TARGET…]`
//!
//! `--jobs` are threads, each with an engine and a compiler of its own. Chips that a library
//! does not know are left out with a word. Of chips that draw nothing compute shaders must
//! compile, but those that declare images or samplers, and the others must be refused. Each
//! refused compute shader is named, with its reason.
//!
//! Every listing is also assembled by our own assembler, which must accept it
//! and come to the bytes of the compiler's object.
//!
//! Exit status 1 if one does not compile that must, or compiles for a chip that draws nothing,
//! or if a listing does not assemble.

use std::collections::BTreeMap;
use std::process::ExitCode;

use engine::ide::ProblemKind;
use gcn::Target;
use gcn::targets::Compiles;
use llvm::Found;
use tests::bench::{Bench, libraries, own_program, serve_if_worker};
use tests::compiled::reassembled_difference;
use tests::corpora::programs_with_verdicts;
use tests::corpus::Program;

/// All stages.
const STAGES: [&str; 6] = ["VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG", "COMP"];

/// The shaders of a stage that must compile for a chip; what does not is refused for a reason.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promise {
    All,
    /// All but those with images and samplers, for which the chip may lack instructions.
    WithoutImages,
    None,
}

fn promise(target: Target, stage: &str) -> Promise {
    match target.row().compiles {
        Compiles::AllStages => Promise::All,
        Compiles::Compute if stage == "COMP" => Promise::WithoutImages,
        Compiles::Compute | Compiles::Nothing => Promise::None,
    }
}

/// The shaders of a stage for a chip, by what became of them.
#[derive(Clone, Copy, Default)]
struct Count {
    compiled: usize,
    /// Refused for a reason, by the engine itself.
    refused: usize,
}

impl Count {
    fn keeps(self, promise: Promise, all: usize) -> bool {
        match promise {
            Promise::All => self.compiled == all,
            Promise::WithoutImages => {
                self.compiled + self.refused == all && (self.compiled > 0 || all == 0)
            }
            Promise::None => self.refused == all,
        }
    }
}

/// The results of some shaders.
#[derive(Default)]
struct Results {
    /// By stage and chip.
    counts: BTreeMap<(String, &'static str), Count>,
    constructs: BTreeMap<String, usize>,
    /// The compute shaders that a chip has no instructions for, by the reason.
    lacking: BTreeMap<String, Vec<String>>,
    complaints: Vec<String>,
    assembled: usize,
}

impl Results {
    fn add(&mut self, other: Results) {
        for (key, count) in other.counts {
            let own = self.counts.entry(key).or_default();
            own.compiled += count.compiled;
            own.refused += count.refused;
        }
        for (construct, count) in other.constructs {
            *self.constructs.entry(construct).or_default() += count;
        }
        for (reason, names) in other.lacking {
            self.lacking.entry(reason).or_default().extend(names);
        }
        self.complaints.extend(other.complaints);
        self.assembled += other.assembled;
    }
}

/// Tells whether a shader declares what image instructions are for.
fn declares_images(text: &str) -> bool {
    ["DCL IMAGE[", "DCL SAMP[", "DCL SVIEW["].iter().any(|declaration| text.contains(declaration))
}

/// Compiles shaders with a library.
fn compile<'a>(
    programs: impl Iterator<Item = &'a Program>,
    targets: &[Target],
    library: &Found,
) -> Results {
    let mut bench = Bench::with_compiler(targets.to_vec(), &own_program(), &library.path);
    let mut results = Results::default();
    for program in programs {
        let file = bench.open("program", &program.text);
        bench.compile_and_look(file, &mut |target, assembly, code| {
            let difference = reassembled_difference(target, assembly, code);
            results.assembled += usize::from(difference.is_none());
            let of = |it| format!("{} {}: {it}", program.name, target.name());
            results.complaints.extend(difference.map(of));
        });
        for target in targets {
            let mut complain = |what: &str| {
                let complaint = format!("{} {}: {what}", program.name, target.name());
                results.complaints.push(complaint);
            };
            let Some(code) = bench.code(file, 0, *target) else {
                complain("no shader");
                continue;
            };
            let key = (program.stage.clone(), target.name());
            let count = results.counts.entry(key).or_default();
            match code.problem {
                None if code.compiled.is_some() => count.compiled += 1,
                None => complain("no code"),
                Some(problem) if problem.kind == ProblemKind::Unsupported => {
                    count.refused += 1;
                    if promise(*target, &program.stage) == Promise::WithoutImages {
                        if !declares_images(&program.text) {
                            let what = format!("refused without an image: {}", problem.message);
                            results.complaints.push(format!("{} {what}", program.name));
                        }
                        let names = results.lacking.entry(problem.message).or_default();
                        names.push(program.name.clone());
                    } else {
                        *results.constructs.entry(problem.message).or_default() += 1;
                    }
                }
                Some(problem) => complain(&problem.message),
            }
        }
        bench.host.remove_file(file);
    }
    results
}

/// Compiles shaders on some threads.
fn compile_on(jobs: usize, programs: &[Program], targets: &[Target], library: &Found) -> Results {
    let mut all = Results::default();
    std::thread::scope(|scope| {
        let start = |job: usize| {
            scope.spawn(move || compile(programs.iter().skip(job).step_by(jobs), targets, library))
        };
        let threads: Vec<_> = (0..jobs).map(start).collect();
        for thread in threads {
            match thread.join() {
                Ok(results) => all.add(results),
                Err(_) => all.complaints.push("a thread ended ill".to_owned()),
            }
        }
    });
    all
}

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let mut arguments = std::env::args().skip(1);
    let mut every = 1;
    let mut targets = Vec::new();
    let mut stages = Vec::new();
    let mut major = None;
    let mut jobs = 1;
    while let Some(argument) = arguments.next() {
        if argument == "--every" {
            every = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1).max(1);
        } else if argument == "--stage" {
            stages.extend(arguments.next());
        } else if argument == "--jobs" {
            jobs = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1).max(1);
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
        let version = &library.version;
        let known_major = version.split('.').next().and_then(|it| it.parse().ok()).unwrap_or(0);
        let (known, unknown): (Vec<Target>, Vec<Target>) =
            targets.iter().partition(|it| it.row().llvm_since <= known_major);
        let results = compile_on(jobs, &programs, &known, &library);
        println!("LLVM {version} ({}), {} shaders", library.origin, programs.len());
        for target in unknown {
            println!("  {} is unknown to it", target.name());
        }
        for stage in &stages {
            let all = programs.iter().filter(|program| program.stage == *stage).count();
            for target in &known {
                let key = (stage.clone(), target.name());
                let count = results.counts.get(&key).copied().unwrap_or_default();
                let Count { compiled, refused } = count;
                let is_kept = count.keeps(promise(*target, stage), all);
                let verdict = if is_kept { "" } else { ": FAILED" };
                let name = target.name();
                println!(
                    "  {stage:<10} {name:<12} {compiled} of {all} compiled, {refused} refused{verdict}"
                );
                good &= is_kept;
            }
        }
        println!("  {} listings assembled by us to the compiler's bytes", results.assembled);
        for (construct, count) in results.constructs {
            println!("  {count:>5} x {construct}");
        }
        for (reason, mut names) in results.lacking {
            names.sort();
            println!("  {:>5} x {reason}: {}", names.len(), names.join(", "));
        }
        for complaint in &results.complaints {
            println!("  FAILED {complaint}");
        }
        good &= results.complaints.is_empty();
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

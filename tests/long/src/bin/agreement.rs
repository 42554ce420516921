//! Differential execution of the shaders of the corpora: they are compiled, and both sides
//! are run on random inputs of seeds.
//!
//! `cargo run --release -p long-tests --bin agreement -- [--sets N] [--every N] [--stage STAGE]… [--file PART] [--differences N] [--most-open N] [--jobs N] [--reduce] [--made | --open | --random N [--seed N]] [--llvm MAJOR] [TARGET…]`
//!
//! `--made` takes the shaders that are made from the opcode table instead, every form of
//! every lowered opcode whose results no document leaves open, and `--open` those whose
//! results one does. `--random` takes random shaders of so many seeds, with opcodes and control flow
//! of every kind. Prints for every stage and
//! target how many shaders agree on all sets, differ or are skipped, how many results
//! were compared, and which rules leave how much of them open; with `--most-open` the shaders
//! with the most open bits, too. Then every shader that was skipped with the reason, and the first
//! differences; with `--reduce` behind each the few lines of its shader that still differ.
//! `--jobs` are threads, each with a compiler of its own. Exit status 1 where
//! any shader differs, where of the whole corpora more of a stage is open than [`CEILING`]
//! says, or where a shader is skipped without a row in `data/agreement_exceptions.tsv` that
//! explains it, or, where it is made, in `data/agreement_exceptions_made.tsv` (a random one
//! needs none); and 2 without a libLLVM.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use diff_exec::{Difference, Statistics, Verdict};
use gcn::Target;
use llvm::Compiler;
use open_bits::Rule;
use tests::agreement::{
    Checked, EXCEPTIONS, Exception, MADE_EXCEPTIONS, MadeException, check_counted, compiler, job,
    located, meaningless, parsed,
};
use tests::bench::{Bench, own_program, serve_if_worker};
use tests::checks::open_bits::{CEILING, by_rule};
use tests::corpora::tgsi_programs;
use tests::corpus::Program;
use tests::lower_shaders;
use tests::random_shaders::{accepted, unwritten_reads, wrong_lines};
use tests::reducing::reduced;

/// All stages.
const STAGES: [&str; 6] = ["VERT", "TESS_CTRL", "TESS_EVAL", "GEOM", "FRAG", "COMP"];

/// The shaders that are compared.
#[derive(Clone, Copy, PartialEq)]
enum Body {
    Corpora,
    /// Made from the opcode table: those whose results no document leaves open.
    Made,
    /// Made from the opcode table: the others.
    Open,
    /// Random ones.
    Random,
}

/// Further work on shaders that differ.
#[derive(Clone, Copy, PartialEq)]
enum After {
    Nothing,
    /// The few lines that still differ are shown.
    Reducing,
}

struct Options {
    sets: u64,
    every: usize,
    stages: Vec<String>,
    file: String,
    differences: usize,
    most_open: usize,
    jobs: usize,
    after: After,
    body: Body,
    random: u64,
    seed: u64,
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
        most_open: 0,
        jobs: 1,
        after: After::Nothing,
        body: Body::Corpora,
        random: 0,
        seed: 0,
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
            "--most-open" => found.most_open = arguments.next()?.parse().ok()?,
            "--jobs" => found.jobs = arguments.next()?.parse().ok().filter(|it| *it > 0)?,
            "--reduce" => found.after = After::Reducing,
            "--made" => found.body = Body::Made,
            "--open" => found.body = Body::Open,
            "--random" => {
                (found.body, found.random) = (Body::Random, arguments.next()?.parse().ok()?);
            }
            "--seed" => found.seed = arguments.next()?.parse().ok()?,
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
fn check_text(text: &str, target: Target, sets: u64, compiler: &mut Compiler) -> Checked {
    let Some(shader) = parsed(text) else { return Checked::skipped("no shader".to_owned()) };
    match job(&shader, target) {
        Ok(job) => check_counted(&shader, target, &job, sets, compiler, &mut |_, _| {}),
        Err(reason) => Checked::skipped(reason),
    }
}

/// A shader, where it is from, and its stage.
struct Text {
    name: String,
    stage: String,
    text: String,
}

/// The made shaders whose results are left open, or all others.
fn made(open: bool) -> Vec<Text> {
    let of = |made: lower_shaders::Made| Text {
        stage: made.text.split_whitespace().next().unwrap_or_default().to_owned(),
        name: made.name,
        text: made.text,
    };
    let all = lower_shaders::all().into_iter();
    all.filter(|made| meaningless(&made.name).is_some() == open).map(of).collect()
}

/// Random shaders, without the lines that are refused.
fn random(seed: u64, count: u64) -> Vec<Text> {
    let mut bench = Bench::new(vec![Target::default()]);
    let of = |seed: u64| {
        let text = accepted(&mut bench, seed)?.text;
        let stage = text.split_whitespace().next().unwrap_or_default().to_owned();
        Some(Text { name: format!("seed {seed}"), stage, text })
    };
    (seed..seed + count).filter_map(of).collect()
}

fn corpora() -> Vec<Text> {
    let of =
        |program: Program| Text { name: program.name, stage: program.stage, text: program.text };
    tgsi_programs().into_iter().filter(|program| program.accepted).map(of).collect()
}

/// Compares all texts on a chip, in their order.
fn check_all(
    texts: &[&Text],
    target: Target,
    options: &Options,
    compilers: &mut [Compiler],
) -> Vec<Checked> {
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, Checked>> = Mutex::default();
    std::thread::scope(|scope| {
        for compiler in compilers {
            scope.spawn(|| {
                let compiler = compiler;
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(text) = texts.get(number) else { break };
                    let checked = check_text(&text.text, target, options.sets, compiler);
                    if let Ok(mut results) = results.lock() {
                        results.insert(number, checked);
                    }
                }
            });
        }
    });
    results.into_inner().map(|all| all.into_values().collect()).unwrap_or_default()
}

/// A shader that differs, as it is told.
struct Found {
    words: String,
    text: String,
    target: Target,
    /// True if it comes of registers that nothing wrote, or of indices that lead out of them.
    is_of_undefined: bool,
}

/// Tells whether a difference comes of registers that nothing wrote, or of indices that lead out of
/// them.
fn is_of_undefined(difference: &Difference) -> bool {
    let rules = difference.allowed.rules();
    rules.has(Rule::Unwritten) || rules.has(Rule::OutOfBounds)
}

impl Found {
    /// The lines of the shader that still differ, indented.
    fn reduced(&self, sets: u64, compiler: &mut Compiler) -> String {
        let mut bench = Bench::new(vec![self.target]);
        // What reads a register that nothing wrote any more differs for that.
        let unwritten = unwritten_reads(&mut bench, &self.text);
        let text = reduced(&self.text, |text| {
            let is_worse = |bench: &mut Bench| unwritten_reads(bench, text) > unwritten;
            if !wrong_lines(&mut bench, text).is_empty() || is_worse(&mut bench) {
                return false;
            }
            match check_text(text, self.target, sets, compiler).verdict {
                Verdict::Differ(found) => self.is_of_undefined || !is_of_undefined(&found),
                _ => false,
            }
        });
        let left = match check_text(&text, self.target, sets, compiler).verdict {
            Verdict::Differ(difference) => format!("    {difference}\n"),
            _ => String::new(),
        };
        text.lines().map(|line| format!("    {line}\n")).chain([left]).collect()
    }
}

/// The results of the whole run.
#[derive(Default)]
struct Report {
    /// Skipped shaders: by stage, name and reason the chips.
    skipped: BTreeMap<(String, String, String), BTreeSet<&'static str>>,
    /// Sets that were not run, by reason.
    missed: BTreeMap<String, u64>,
    differences: Vec<Found>,
    /// All that was compared.
    rules: Statistics,
    /// Stages of which more is open on a chip than the ceiling allows.
    over: Vec<String>,
}

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let Some(options) = options() else {
        eprintln!("what the arguments may be stands at the head of this example");
        return ExitCode::from(2);
    };
    let texts = match options.body {
        Body::Corpora => corpora(),
        Body::Made => made(false),
        Body::Open => made(true),
        Body::Random => random(options.seed, options.random),
    };
    let programs: Vec<Text> =
        texts.into_iter().filter(|program| program.name.contains(&options.file)).collect();
    let ready =
        (0..options.jobs).filter_map(|_| compiler(&own_program(), options.major.as_deref()));
    let (mut compilers, versions): (Vec<Compiler>, Vec<String>) = ready.unzip();
    let Some(version) = versions.first() else {
        eprintln!("no libLLVM: nothing is compared");
        return ExitCode::from(2);
    };
    println!("LLVM {version}, {} sets each", options.sets);
    println!(
        "  {:<10} {:<10} {:>5} {:>6} {:>7} {:>12} {:>10} {:>10} {:>8}",
        "stage", "chip", "agree", "differ", "skipped", "results", "partly open", "open", "bits"
    );
    let mut report = Report::default();
    for stage in &options.stages {
        let own: Vec<&Text> =
            programs.iter().filter(|it| it.stage == *stage).step_by(options.every).collect();
        for target in &options.targets {
            let [mut agree, mut differ, mut skipped] = [0; 3];
            let mut statistics = Statistics::default();
            let checked = check_all(&own, *target, &options, &mut compilers);
            let mut most_open: Vec<(&str, Statistics)> = Vec::new();
            for (program, checked) in own.iter().zip(checked) {
                statistics = statistics.plus(checked.statistics);
                most_open.push((&program.name, checked.statistics));
                for (reason, sets) in checked.missed {
                    *report.missed.entry(format!("{stage}: {reason}")).or_default() += sets;
                }
                match checked.verdict {
                    Verdict::Agree => agree += 1,
                    Verdict::Differ(difference) => {
                        differ += 1;
                        let place = located(&program.text, difference.ordinal);
                        let (name, chip) = (&program.name, target.name());
                        let words = format!("{name} {chip}: {place}{difference}");
                        let (text, target) = (program.text.clone(), *target);
                        let is_of_undefined = is_of_undefined(&difference);
                        report.differences.push(Found { words, text, target, is_of_undefined });
                    }
                    Verdict::Skipped(reason) => {
                        skipped += 1;
                        let key = (stage.clone(), program.name.clone(), reason);
                        report.skipped.entry(key).or_default().insert(target.name());
                    }
                }
            }
            let Statistics { compared, partly_open, open, .. } = statistics;
            let share = 100.0 * statistics.open_share();
            println!(
                "  {stage:<10} {:<10} {agree:>5} {differ:>6} {skipped:>7} {compared:>12} {partly_open:>10} {open:>10} {share:>7.2}%",
                target.name()
            );
            println!("    {}", by_rule(&statistics));
            most_open.sort_by(|a, b| b.1.open_bits.total_cmp(&a.1.open_bits));
            for (name, own) in most_open.iter().take(options.most_open) {
                let rules = by_rule(own);
                println!(
                    "    {:>6.2}% of the class, {name}: {rules}",
                    100.0 * own.open_bits / statistics.bits()
                );
            }
            report.rules = report.rules.plus(statistics);
            if share > 100.0 * CEILING {
                report.over.push(format!("{stage} on {}: {share:.2}%", target.name()));
            }
        }
    }
    for rule in Rule::ALL {
        let share = 100.0 * report.rules.by_rule[*rule as usize] / report.rules.bits();
        println!("  open by {:<17} {share:>7.3}% of all bits", rule.name());
    }
    let mut unexplained = 0;
    for ((stage, name, reason), chips) in &report.skipped {
        let chips: Vec<&str> = chips.iter().copied().collect();
        let explanation = match options.body {
            Body::Made | Body::Open => MadeException::find(MADE_EXCEPTIONS, name, reason),
            Body::Corpora => Exception::find(EXCEPTIONS, name, reason),
            Body::Random => Some("random"),
        };
        unexplained += usize::from(explanation.is_none());
        let explanation = explanation.unwrap_or("NOT EXPLAINED");
        println!("  SKIPPED {stage} {name} ({}): {reason}: {explanation}", chips.join(" "));
    }
    for (reason, sets) in &report.missed {
        println!("  {sets:>5} sets not run: {reason}");
    }
    for difference in report.differences.iter().take(options.differences) {
        println!("  DIFFERS {}", difference.words);
        if let (After::Reducing, [compiler, ..]) = (options.after, &mut compilers[..]) {
            println!("{}", difference.reduced(options.sets, compiler));
        }
    }
    for over in &report.over {
        println!("  OVER THE CEILING {over}");
    }
    // A few shaders are open by what they say: a sample may have too many of them.
    let whole = options.body == Body::Corpora && options.every == 1 && options.file.is_empty();
    let ceilings = report.over.is_empty() || !whole;
    match report.differences.is_empty() && unexplained == 0 && ceilings {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

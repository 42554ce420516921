//! Our SPIR-V where others execute it, beside the interpreter: lavapipe, and the code that ACO makes
//! of it, in the emulator. Shaders on made-up inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::aco::shaders;

/// The arguments of `cargo xtask executors`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Folders of shaders.
    #[arg(default_values = FOLDERS)]
    folders: Vec<PathBuf>,
    /// The program that runs them.
    #[arg(long, value_name = "FILE", default_value = "target/release/tungsten")]
    tungsten: PathBuf,
    /// Inputs for each shader, made up from 1 on.
    #[arg(long, default_value_t = 2)]
    seeds: u64,
    /// Takes only the first of so many shaders.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// The engines of `tungsten run` that execute: `lavapipe`, `aco:CHIP`; by default all of them.
    #[arg(long = "engine", value_name = "ENGINE", default_values = ENGINES)]
    engines: Vec<String>,
    /// The verdict on differences: a version that nobody has looked at only reports them.
    #[arg(long)]
    report: bool,
}

/// Folders with shaders of ours that are right.
const FOLDERS: [&str; 7] = [
    "examples",
    "tests/data/tgsi/frag",
    "tests/data/tgsi/vert",
    "tests/data/tgsi/comp",
    "tests/data/tgsi/geom",
    "tests/data/tgsi/tess_ctrl",
    "tests/data/tgsi/tess_eval",
];
/// The engines: of ACO a chip of each generation that the emulator has.
const ENGINES: [&str; 5] = ["lavapipe", "aco:tahiti", "aco:bonaire", "aco:polaris10", "aco:vega10"];
/// Shaders that are known to differ, with the reasons.
const EXCEPTIONS: &str = "tests/data/executor_exceptions.tsv";
/// Files that the program is given at once.
const FILES: usize = 64;
/// Stages whose inputs are lane by lane, which every engine runs.
const STAGES: [&str; 3] = ["FRAG", "VERT", "COMP"];
/// The others, which machine code is run of.
const OTHER_STAGES: [&str; 3] = ["GEOM", "TESS_CTRL", "TESS_EVAL"];
/// The beginning of the names of engines that run machine code.
const MACHINE: &str = "aco:";

/// The outcomes of runs.
#[derive(Default)]
struct Counts {
    same: usize,
    nothing: usize,
    /// The first difference of each file.
    differ: BTreeMap<String, String>,
    differing_runs: usize,
    /// The reasons why runs were not compared.
    skipped: BTreeMap<String, usize>,
}

/// Runs all shaders of the stages on all inputs by each engine; returns the counts.
///
/// # Errors
/// A shader differs that is no exception, an exception does not, or hardly any shader ran.
pub(crate) fn run(root: &Path, options: &Options) -> Result<String, String> {
    let mut files = Vec::new();
    for folder in &options.folders {
        shaders(&root.join(folder), &mut files)?;
    }
    files.sort();
    let mut all = String::new();
    let mut failed = false;
    for engine in &options.engines {
        let own = files.iter().filter(|file| is_run(file, engine));
        let own: Vec<PathBuf> = own.step_by(options.every.max(1)).cloned().collect();
        let (report, wrong) = run_on(root, options, engine, &own)?;
        failed |= !wrong.is_empty();
        all += &report;
        all += &wrong;
    }
    match failed && !options.report {
        true => Err(all),
        false => Ok(all),
    }
}

/// Runs shaders on all inputs by one engine; returns the counts, and what is wrong.
fn run_on(
    root: &Path,
    options: &Options,
    engine: &str,
    files: &[PathBuf],
) -> Result<(String, String), String> {
    let mut counts = Counts::default();
    for seed in 1..=options.seeds {
        for files in files.chunks(FILES) {
            counts.run((root, options, engine), seed, files)?;
        }
    }
    let runs = files.len() * options.seeds as usize;
    let skipped: usize = counts.skipped.values().sum();
    let Counts { same, nothing, differ, differing_runs, .. } = &counts;
    let mut report = format!(
        "{engine}: {} shaders, {runs} runs: {same} the same, {nothing} with nothing to compare, \
         {differing_runs} runs of {} shaders differ, {skipped} not compared\n",
        files.len(),
        differ.len()
    );
    for (reason, count) in &counts.skipped {
        let _ = writeln!(report, "  {count} not compared: {reason}");
    }
    let known = exceptions(root, engine)?;
    let asked: BTreeSet<String> = files.iter().map(|file| shown(root, file)).collect();
    let mut wrong = String::new();
    for (file, difference) in differ {
        let is_known = known.contains(file);
        let _ = writeln!(report, "  {}: {difference}", if is_known { "known" } else { "differs" });
        if !is_known {
            let _ = writeln!(wrong, "{difference}");
        }
    }
    for file in known.iter().filter(|it| asked.contains(*it) && !differ.contains_key(*it)) {
        let _ = writeln!(wrong, "{file} no longer differs: take it out of {EXCEPTIONS}");
    }
    if same + nothing + differing_runs + skipped != runs {
        let _ = writeln!(wrong, "{runs} runs, and not each of them said how it ended");
    }
    if same * 2 < runs {
        let _ = writeln!(wrong, "of {runs} runs {same} were the same: so few are no proof");
    }
    Ok((report, wrong))
}

impl Counts {
    fn run(
        &mut self,
        (root, options, engine): (&Path, &Options, &str),
        seed: u64,
        files: &[PathBuf],
    ) -> Result<(), String> {
        let mut command = Command::new(root.join(&options.tungsten));
        let names = files.iter().map(|file| file.strip_prefix(root).unwrap_or(file));
        command.current_dir(root).arg("run").args(names);
        command.args(["--engine", engine, "--seed", &seed.to_string()]);
        let output =
            command.output().map_err(|error| format!("{}: {error}", options.tungsten.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let begin = format!("{engine}: ");
        for line in text.lines().filter_map(|line| line.strip_prefix(&begin)) {
            match line.contains("gives the same") {
                true => self.same += 1,
                false => self.nothing += 1,
            }
        }
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        for line in complaints.lines() {
            let Some(line) = line.strip_prefix("tungsten: ") else { continue };
            let Some((place, outcome)) = line.split_once(&format!(": {begin}")) else {
                // The interpreter does not take the shader, or the driver is missing.
                let reason = line.split_once(": ").map_or(line, |it| it.1);
                *self.skipped.entry(reason.to_owned()).or_default() += 1;
                continue;
            };
            match outcome.strip_prefix("not compared: ") {
                Some(reason) => *self.skipped.entry(reason.to_owned()).or_default() += 1,
                None => {
                    let file = place.split(".tgsi").next().unwrap_or(place).to_owned() + ".tgsi";
                    self.differ.entry(file).or_insert_with(|| line.to_owned());
                    self.differing_runs += 1;
                }
            }
        }
        Ok(())
    }
}

/// A file as the program names it.
fn shown(root: &Path, file: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).display().to_string()
}

/// Tells whether an engine runs the stage of a file.
fn is_run(file: &Path, engine: &str) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let others = if engine.starts_with(MACHINE) { &OTHER_STAGES[..] } else { &[] };
    first.is_some_and(|line| STAGES.contains(&line) || others.contains(&line))
}

/// The files that are known to differ on an engine.
fn exceptions(root: &Path, engine: &str) -> Result<BTreeSet<String>, String> {
    let text = fs::read_to_string(root.join(EXCEPTIONS))
        .map_err(|error| format!("{EXCEPTIONS}: {error}"))?;
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let own = rows.filter_map(|row| row.strip_prefix(engine)?.strip_prefix('\t'));
    Ok(own.filter_map(|row| Some(row.split_once('\t')?.0.to_owned())).collect())
}

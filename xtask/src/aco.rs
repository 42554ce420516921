//! Our figures of code that ACO makes, counted from its words, beside those that Mesa states of
//! the same compile.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gcn::Target;
use serde_json::Value;

use crate::dumps::{compare, objects};

/// The arguments of `cargo xtask aco`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Folders of shaders.
    #[arg(default_values = ["examples", "tests/data/tgsi"])]
    folders: Vec<PathBuf>,
    /// The program that compiles.
    #[arg(long, value_name = "FILE", default_value = "target/release/tungsten")]
    tungsten: PathBuf,
    /// The version of Mesa whose clocks are compared, as `tungsten stats` names it.
    #[arg(long, default_value = "mesa22")]
    profile: String,
    /// The chips.
    #[arg(long, value_delimiter = ',', default_values = CHIPS)]
    chips: Vec<String>,
}

/// Chips of each generation.
const CHIPS: [&str; 5] = ["tahiti", "bonaire", "tonga", "polaris10", "vega10"];
/// Our figures and Mesa's of the clocks, of which one of a hundred may differ: Mesa counts in
/// its own program, which knows more than the words.
const CLOCKS: [(&str, &str); 2] =
    [("clocks", "Latency"), ("inverseThroughput", "Inverse Throughput")];
/// Files that the program is given at once.
const FILES: usize = 64;
/// Differences that are named.
const NAMED: usize = 40;

/// The counts of a chip.
#[derive(Default)]
struct Counts {
    shaders: usize,
    differ: usize,
    waves: usize,
    clocks: [usize; 2],
    named: Vec<String>,
}

/// Compiles all shaders for each chip and compares the figures; returns a line for each chip.
///
/// # Errors
/// A count differs, or more clocks than may.
pub(crate) fn run(root: &Path, options: &Options) -> Result<String, String> {
    let mut files = Vec::new();
    for folder in &options.folders {
        shaders(&root.join(folder), &mut files)?;
    }
    files.sort();
    let mut report = String::new();
    let mut good = true;
    for chip in &options.chips {
        let target = Target::find(chip).ok_or_else(|| format!("{chip} is no chip"))?;
        let mut counts = Counts::default();
        for files in files.chunks(FILES) {
            for shader in measured(root, options, chip, files)? {
                counts.add(&shader, target)?;
            }
        }
        let Counts { shaders, differ, waves, clocks, named } = counts;
        if shaders == 0 {
            return Err(format!("{chip}: nothing was compiled"));
        }
        let [latency, throughput] = clocks;
        let _ = writeln!(
            report,
            "{chip}: {shaders} shaders; {differ} differ in counts, {waves} in waves, {latency} in \
             clocks, {throughput} in clocks per wave"
        );
        good &= differ == 0 && waves == 0 && clocks.iter().all(|it| it * 100 <= shaders);
        report.extend(named.iter().take(NAMED).map(|it| format!("  {it}\n")));
    }
    if good { Ok(report) } else { Err(report) }
}

impl Counts {
    fn add(&mut self, shader: &Value, target: Target) -> Result<(), String> {
        self.shaders += 1;
        let name = format!("{} shader {}", shader["file"], shader["shader"]);
        if let Err(fault) = compare(shader, target) {
            self.differ += 1;
            self.named.push(format!("{name}: {fault}"));
        }
        let (ours, stated) = (&shader["stats"], &shader["stated"]);
        let both = |own: &str, theirs: &str| {
            let figures = (ours[own].as_u64(), stated[theirs].as_u64());
            let (Some(own), Some(theirs)) = figures else {
                return Err(format!("{name}: `{own}` or `{theirs}` is not told"));
            };
            Ok((own, theirs))
        };
        let (own, theirs) = both("waves", "Subgroups per SIMD")?;
        if own != theirs {
            self.waves += 1;
            self.named.push(format!("{name}: {own} waves, where {theirs} are stated"));
        }
        let group = invocations(shader["file"].as_str().unwrap_or_default());
        for (count, (own, theirs)) in self.clocks.iter_mut().zip(CLOCKS) {
            let (clocks, stated) = both(own, theirs)?;
            // Mesa states the clocks of a SIMD as if all lanes of the last wave were in use; ours
            // are of a wave, and rounded before they are scaled.
            let (waves, lanes) = match own {
                "inverseThroughput" => (group.next_multiple_of(LANES), group),
                _ => (1, 1),
            };
            let room = if waves == lanes { 0 } else { waves };
            if (clocks * waves).abs_diff(stated * lanes) > room {
                *count += 1;
                self.named.push(format!("{name}: {own} {clocks}, where {stated} are stated"));
            }
        }
        Ok(())
    }
}

/// Lanes of a wave.
const LANES: u64 = 64;

/// The invocations of a workgroup that a shader fixes; a whole wave where it fixes none.
fn invocations(file: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let sizes = text.lines().filter_map(|line| {
        let (name, value) = line.split_once("CS_FIXED_BLOCK_")?.1.split_once(' ')?;
        matches!(name, "WIDTH" | "HEIGHT" | "DEPTH").then(|| value.trim().parse::<u64>().ok())?
    });
    let sizes: Vec<u64> = sizes.collect();
    if sizes.is_empty() { LANES } else { sizes.into_iter().product::<u64>().max(1) }
}

/// Returns what the program tells of each shader that ACO compiles.
fn measured(
    root: &Path,
    options: &Options,
    chip: &str,
    files: &[PathBuf],
) -> Result<Vec<Value>, String> {
    let program = root.join(&options.tungsten);
    let mut command = Command::new(&program);
    command.args(["stats", "--json", "--compiler", "aco", "--model", "aco"]);
    command.args(["--profile", &options.profile, "--target", chip]).args(files);
    let output = command.output().map_err(|error| format!("{}: {error}", program.display()))?;
    // Status 1 says that some were refused.
    match output.status.code() {
        Some(0 | 1) => objects(&String::from_utf8_lossy(&output.stdout)),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Adds the files of TGSI of a folder.
fn shaders(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            shaders(&path, found)?;
        } else if path.extension().is_some_and(|it| it == "tgsi") {
            found.push(path);
        }
    }
    Ok(())
}

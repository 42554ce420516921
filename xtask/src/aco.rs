//! Our figures of code that ACO makes, counted from its words, beside those that Mesa states of
//! the same compile.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gcn::occupancy::{Usage, occupancy};
use gcn::{Generation, Target};
use serde_json::Value;

use crate::dumps::{compare_sizes, objects, whole};

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
    /// The verdict on differences: a version that nobody has looked at only reports them.
    #[arg(long, value_enum, default_value = "fail")]
    differences: Differences,
}

/// Chips of each generation.
const CHIPS: [&str; 5] = ["tahiti", "bonaire", "tonga", "polaris10", "vega10"];
/// Our figures and Mesa's of the clocks, of which one of a hundred may differ: Mesa counts in
/// its own program, which knows more than the words.
const CLOCKS: [(&str, &str); 2] = [("clocks", "Latency"), (THROUGHPUT, "Inverse Throughput")];
/// Our name of the clocks of a SIMD per wave.
const THROUGHPUT: &str = "inverseThroughput";
/// Files that the program is given at once.
const FILES: usize = 64;
/// Differences that are named.
const NAMED: usize = 40;

/// Reasons for which the driver's figures are others than those of the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// Registers that the hardware loads, or the driver keeps free beside them.
    Inputs,
    /// VCC, for which ACO keeps room where an earlier form of the program used it.
    Vcc,
    /// Clocks of a group of two stages, whose size nobody states.
    Group,
}

impl Reason {
    const ALL: [Reason; 3] = [Reason::Inputs, Reason::Vcc, Reason::Group];

    fn words(self) -> &'static str {
        match self {
            Reason::Inputs => "allocate registers for inputs that no instruction names",
            Reason::Vcc => "allocate VCC, which no instruction names",
            Reason::Group => "are counted in groups of merged stages, whose size is not stated",
        }
    }
}

/// Scalar registers that RADV keeps beside the inputs: for VCC, the offset of scratch memory and
/// the address of its rings.
const BESIDE_INPUTS: u32 = 5;
/// Scalar registers of VCC.
const VCC: u32 = 2;
/// The most invocations of a group of two stages.
const GROUP: u64 = 256;

/// The counts of a chip.
#[derive(Default)]
struct Counts {
    shaders: usize,
    differ: usize,
    waves: usize,
    clocks: [usize; 2],
    reasons: [usize; Reason::ALL.len()],
    /// Instructions, and those that have a line.
    lines: [usize; 2],
    named: Vec<String>,
}

/// The verdict on the versions of Mesa that nobody has looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Differences {
    /// Too many differences are an error.
    Fail,
    /// Differences are told.
    Report,
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
        let Counts { shaders, differ, waves, clocks, reasons, lines, named } = counts;
        if shaders < files.len() / 2 {
            return Err(format!(
                "{chip}: of {} files {shaders} shaders were compiled",
                files.len()
            ));
        }
        let [latency, throughput] = clocks;
        let _ = writeln!(
            report,
            "{chip}: {shaders} shaders; {differ} differ in counts, {waves} in waves, {latency} in \
             clocks, {throughput} in clocks per wave; {} of {} instructions have a line",
            lines[1], lines[0]
        );
        for (reason, count) in Reason::ALL.into_iter().zip(reasons).filter(|it| it.1 > 0) {
            let _ = writeln!(report, "  {count} {}", reason.words());
        }
        good &= differ == 0 && waves == 0 && clocks.iter().all(|it| it * 100 <= shaders);
        report.extend(named.iter().take(NAMED).map(|it| format!("  {it}\n")));
    }
    match options.differences {
        Differences::Fail if !good => Err(report),
        Differences::Fail | Differences::Report => Ok(report),
    }
}

impl Counts {
    fn add(&mut self, shader: &Value, target: Target) -> Result<(), String> {
        self.shaders += 1;
        let name = format!("{} shader {}", shader["file"], shader["shader"]);
        for fault in [compare_sizes(shader), self.compare_registers(shader, target)] {
            if let Err(fault) = fault {
                self.differ += 1;
                self.named.push(format!("{name}: {fault}"));
            }
        }
        let code = shader["code"].as_array().map_or(&[][..], Vec::as_slice);
        self.lines[0] += code.len();
        self.lines[1] += code.iter().filter(|it| it["line"].is_number()).count();
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
        let memory = SharedMemory::of(shader, target);
        for (count, (own, theirs)) in self.clocks.iter_mut().zip(CLOCKS) {
            let (clocks, stated) = both(own, theirs)?;
            // Mesa states the clocks of a SIMD as if all lanes of the last wave were in use; ours
            // are of a wave, and rounded before they are scaled.
            let fits = |lanes: u64| {
                let waves = lanes.next_multiple_of(LANES);
                let room = if waves == lanes { 0 } else { waves };
                (clocks * waves).abs_diff(stated * lanes) <= room
            };
            let is_group = own == THROUGHPUT && shader["name"] == "COMP";
            if clocks == stated || (is_group && fits(group)) {
                continue;
            }
            let fits_by_memory = |lanes: u64| match &memory {
                Some(memory) => memory.fits(clocks, stated, lanes),
                None => false,
            };
            if own == THROUGHPUT
                && is_merged(shader)
                && (1..=GROUP).any(|lanes| fits(lanes) || fits_by_memory(lanes))
            {
                self.reasons[Reason::Group as usize] += 1;
                continue;
            }
            *count += 1;
            self.named.push(format!("{name}: {own} {clocks}, where {stated} are stated"));
        }
        Ok(())
    }

    /// Compares the registers that the words name with those that the driver allocates.
    fn compare_registers(&mut self, shader: &Value, target: Target) -> Result<(), String> {
        let [named, inputs] = [&shader["named"], &shader["inputs"]];
        for (kind, theirs) in [("vgprs", "VGPRs"), ("sgprs", "SGPRs")] {
            let stated = allocated(kind, whole(&shader["stated"], theirs)?, target);
            let own = whole(named, kind)?;
            let loaded = whole(inputs, kind)?;
            let (loaded, vcc) = match kind {
                "sgprs" => (loaded + BESIDE_INPUTS, own + VCC),
                _ => (loaded, own),
            };
            let fits = |count: u32| allocated(kind, count, target) == stated;
            if fits(own) {
                continue;
            }
            let reason = match () {
                () if fits(own.max(loaded)) => Reason::Inputs,
                () if fits(vcc.max(loaded)) => Reason::Vcc,
                () => return Err(format!("{own} {kind} are named, where {stated} are allocated")),
            };
            self.reasons[reason as usize] += 1;
        }
        Ok(())
    }
}

/// Returns as many registers of a kind as a chip allocates for a number of them.
fn allocated(kind: &str, count: u32, target: Target) -> u32 {
    match kind {
        "vgprs" => occupancy(Usage { vgprs: count, ..Usage::default() }, target).allocated_vgprs,
        _ => occupancy(Usage { sgprs: count, ..Usage::default() }, target).allocated_sgprs,
    }
}

/// The figures by which groups that share local memory bound each other.
struct SharedMemory {
    /// Groups that its memory leaves room for.
    groups: u64,
    /// Waves that a SIMD has room for.
    waves: u64,
    /// Clocks of a wave.
    latency: u64,
}

impl SharedMemory {
    fn of(shader: &Value, target: Target) -> Option<SharedMemory> {
        let size = if target.generation() == Generation::Gfx6 { 32 << 10 } else { 64 << 10 };
        let stated = |name: &str| shader["stated"][name].as_u64();
        Some(SharedMemory {
            groups: size / stated("LDS size").filter(|bytes| *bytes > 0)?,
            waves: stated("Subgroups per SIMD")?,
            latency: stated("Latency")?,
        })
    }

    /// Tells whether the clocks of a SIMD are those of groups of so many lanes: where few waves are
    /// at work, a SIMD waits for them (Mesa 22.3, `aco_statistics.cpp`). Ours are rounded before
    /// they are scaled.
    fn fits(&self, clocks: u64, stated: u64, lanes: u64) -> bool {
        let all = lanes.next_multiple_of(LANES);
        let of_group = all / LANES;
        let groups = self.groups.min(SIMDS * self.waves / of_group);
        let waves = (groups * of_group).div_ceil(SIMDS).max(1);
        let busy = (self.latency as f64 / waves as f64).max(clocks as f64);
        let scale = all as f64 / lanes as f64;
        (busy * scale - stated as f64).abs() <= 1.0 + scale / 2.0
    }
}

/// Tells whether code is one program of two stages: no other shader of these has local memory
/// that it does not declare.
fn is_merged(shader: &Value) -> bool {
    shader["name"] != "COMP" && shader["stats"]["lds"].as_u64().is_some_and(|bytes| bytes > 0)
}

/// Lanes of a wave.
const LANES: u64 = 64;
/// SIMDs that share local memory.
const SIMDS: u64 = 4;

/// The invocations of a workgroup that a shader fixes: one where it fixes none.
fn invocations(file: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let sizes = text.lines().filter_map(|line| {
        let (name, value) = line.split_once("CS_FIXED_BLOCK_")?.1.split_once(' ')?;
        // In a log or a string literal more may stand behind it.
        let digits = value.trim_start().split(|c: char| !c.is_ascii_digit()).next()?;
        matches!(name, "WIDTH" | "HEIGHT" | "DEPTH").then(|| digits.parse::<u64>().ok())?
    });
    sizes.product::<u64>().max(1)
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
    // Statuses 1 and 2 say that some were refused, or that a file has none.
    match output.status.code() {
        Some(0..=2) => objects(&String::from_utf8_lossy(&output.stdout)),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Adds the files of TGSI of a folder.
pub(crate) fn shaders(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
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

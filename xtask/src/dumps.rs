//! Dumps of RADV, made on the spot from shaders of ours in GLSL, and read by the program:
//! nothing in them is a fault, and the figures that they state are ours.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gcn::Target;
use gcn::occupancy::{Occupancy, Usage, occupancy};
use radv::{Driver, Job, Module, Stage, State};
use serde_json::Value;

/// The arguments of `cargo xtask dumps`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The driver's library.
    #[arg(long, value_name = "FILE")]
    radv: PathBuf,
    /// The program that reads the dumps.
    #[arg(long, value_name = "FILE", default_value = "target/release/tungsten")]
    tungsten: PathBuf,
}

/// The arguments of a process that compiles for one chip.
#[derive(Debug, clap::Args)]
pub(crate) struct Shaders {
    /// The driver's library.
    library: PathBuf,
    /// Modules of SPIR-V, which name their stage as in `a.comp.spv`.
    modules: Vec<PathBuf>,
}

/// Chips of each generation that the program knows.
const CHIPS: [&str; 6] = ["tahiti", "bonaire", "tonga", "polaris10", "vega10", "vega20"];
/// The driver's compilers, with the words that choose each in `RADV_DEBUG`.
const COMPILERS: [(&str, &str); 2] =
    [("aco", "nocache,shaders,shaderstats"), ("llvm", "nocache,shaders,shaderstats,llvm")];
/// The shaders, in the repository.
const SHADERS: &str = "tests/data/glsl";
/// The line above a shader's code, and the line in its place where the driver has none: of
/// ACO's code for GFX6 and GFX7 it asks a disassembler that few have.
const CODE: &str = "disasm:";
const NO_CODE: &str = "Shader disassembly is not supported in the current configuration.";

/// Makes a dump for each chip by each compiler and judges it; returns a line for each.
pub(crate) fn run(root: &Path, options: &Options) -> Result<String, String> {
    let folder = root.join("target/dumps");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let modules = modules(&root.join(SHADERS), &folder)?;
    let tungsten = root.join(&options.tungsten);
    let mut report = String::new();
    for chip in CHIPS {
        let target = Target::find(chip).ok_or_else(|| format!("{chip} is no chip"))?;
        let mut all = 0;
        for (compiler, words) in COMPILERS {
            let file = folder.join(format!("{chip}-{compiler}.dump"));
            dump(&options.radv, &modules, chip, words, &file)?;
            let codes = judge(&tungsten, &file, target, modules.len())
                .map_err(|fault| format!("{}: {fault}", file.display()))?;
            let _ =
                writeln!(report, "{chip} by {compiler}: {codes} of {} disassembled", modules.len());
            all += codes;
        }
        if all == 0 {
            return Err(format!("nothing was disassembled for {chip}"));
        }
    }
    Ok(report)
}

/// Translates the shaders of a folder; returns the modules, in order of their names.
fn modules(shaders: &Path, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let found = fs::read_dir(shaders).map_err(|error| error.to_string())?;
    let mut modules = Vec::new();
    for shader in found {
        let shader = shader.map_err(|error| error.to_string())?;
        let name = shader.file_name();
        let module = folder.join(format!("{}.spv", name.display()));
        let mut command = Command::new("glslangValidator");
        printed(command.args(["-V", "-o"]).arg(&module).arg(shader.path()))?;
        modules.push(module);
    }
    modules.sort();
    Ok(modules)
}

/// Has a process compile for a chip, and keeps what the driver says meanwhile.
fn dump(
    library: &Path,
    modules: &[PathBuf],
    chip: &str,
    words: &str,
    file: &Path,
) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let kept = fs::File::create(file).map_err(|error| error.to_string())?;
    let mut command = Command::new(own);
    command.arg("dump").arg(library).args(modules);
    command.envs([("RADV_FORCE_FAMILY", chip), ("RADV_DEBUG", words)]);
    command.env("MESA_SHADER_CACHE_DISABLE", "true").stderr(kept);
    let name = printed(&mut command)
        .map_err(|fault| format!("{fault}{} has what the driver said", file.display()))?;
    let name = name.trim_end();
    // The version of LLVM may stand behind it.
    let stated = name.to_lowercase().replace(')', " ");
    if !stated.contains(&format!("(radv {chip} ")) {
        return Err(format!("the driver compiled for {name} in place of {chip}"));
    }
    Ok(())
}

/// Compiles modules for the chip of the environment, and prints its name.
///
/// # Errors
/// The driver does not start, or refuses a shader.
#[expect(clippy::print_stdout, reason = "the output is for the chore that started this process")]
pub(crate) fn compile(shaders: &Shaders) -> Result<(), String> {
    let driver = Driver::open(&shaders.library).map_err(|error| error.to_string())?;
    let mut fragment = None;
    for module in &shaders.modules {
        let bytes = fs::read(module).map_err(|error| error.to_string())?;
        let words = bytes.as_chunks().0.iter().map(|it| u32::from_le_bytes(*it)).collect();
        let name = module.to_string_lossy();
        let of = |stage| Module { stage, words };
        // In order of names a fragment shader comes just before its vertex shader.
        let modules = match name.trim_end_matches(".spv").rsplit_once('.') {
            Some((_, "comp")) => vec![of(Stage::Compute)],
            Some((_, "frag")) => {
                fragment = Some(of(Stage::Fragment));
                continue;
            }
            Some((_, "vert")) => match fragment.take() {
                Some(fragment) => vec![of(Stage::Vertex), fragment],
                None => return Err(format!("{name}: it has no fragment shader")),
            },
            _ => return Err(format!("{name}: its stage is none of comp, frag, vert")),
        };
        let job = Job { modules, state: State::default() };
        driver.compile_with_texts(&job).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{}", driver.chip);
    Ok(())
}

/// Returns what a program prints, which must end well.
fn printed(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("`{name}`: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("`{name}`: {}\n{text}", output.status))
    }
}

/// Says how many shaders of a dump have code, none of which may be at fault or have other
/// figures than are stated of it.
fn judge(tungsten: &Path, file: &Path, target: Target, shaders: usize) -> Result<usize, String> {
    let run = |command: &str| {
        let mut run = Command::new(tungsten);
        printed(run.args([command, "--json"]).arg(file)).and_then(|it| objects(&it))
    };
    for found in run("check")? {
        if matches!(found["severity"].as_str(), Some("error" | "warning")) {
            return Err(found.to_string());
        }
    }
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let below = |at: usize| text.lines().nth(at + 1);
    let heads = text.lines().enumerate().filter(|(_, line)| *line == CODE);
    let heads: Vec<Option<&str>> = heads.map(|(at, _)| below(at)).collect();
    if heads.len() != shaders {
        return Err(format!("{} of {shaders} shaders are in it", heads.len()));
    }
    let codes = heads.iter().filter(|it| **it != Some(NO_CODE)).count();
    if codes == 0 {
        return Ok(0);
    }
    let measured = run("stats")?;
    if measured.len() != codes {
        return Err(format!("{} of {codes} shaders are read as code", measured.len()));
    }
    for shader in &measured {
        compare(shader, target).map_err(|fault| format!("{}: {fault}", shader["name"]))?;
    }
    Ok(codes)
}

/// Compares the figures of a shader with those that are stated of it.
fn compare(shader: &Value, target: Target) -> Result<(), String> {
    let (ours, stated) = (&shader["stats"], &shader["stated"]);
    let allocated = |figures: &Value, [vgprs, sgprs, lds]: [&str; 3]| {
        let usage = Usage {
            vgprs: whole(figures, vgprs)?,
            sgprs: whole(figures, sgprs)?,
            lds: whole(figures, lds)?,
            ..Usage::default()
        };
        let Occupancy { allocated_vgprs, allocated_sgprs, allocated_lds, .. } =
            occupancy(usage, target);
        Ok::<_, String>([allocated_vgprs, allocated_sgprs, allocated_lds])
    };
    let (own, theirs) = (
        allocated(ours, ["vgprs", "sgprs", "lds"])?,
        allocated(stated, ["VGPRs", "SGPRs", "LDS size"])?,
    );
    if own != theirs {
        return Err(format!("VGPRs, SGPRs and LDS of {own:?}, where {theirs:?} are stated"));
    }
    compare_sizes(shader)
}

/// Compares the bytes and the instructions of a shader with those that are stated of it.
pub(crate) fn compare_sizes(shader: &Value) -> Result<(), String> {
    let (ours, stated) = (&shader["stats"], &shader["stated"]);
    // ACO alone states instructions.
    let counted = stated.get("Instructions").map(|_| ("instructions", "Instructions"));
    for (name, theirs) in [Some(("bytes", "Code size")), counted].into_iter().flatten() {
        let (own, theirs) = (whole(ours, name)?, whole(stated, theirs)?);
        if own != theirs {
            return Err(format!("{own} {name}, where {theirs} are stated"));
        }
    }
    Ok(())
}

/// Reads a figure.
pub(crate) fn whole(figures: &Value, name: &str) -> Result<u32, String> {
    let figure = figures[name].as_u64().and_then(|it| u32::try_from(it).ok());
    figure.ok_or_else(|| format!("`{name}` is not told in {figures}"))
}

/// Reads an object from each line.
pub(crate) fn objects(lines: &str) -> Result<Vec<Value>, String> {
    let object = |line| serde_json::from_str(line).map_err(|error| format!("{error}: {line}"));
    lines.lines().map(object).collect()
}

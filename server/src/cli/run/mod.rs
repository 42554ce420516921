//! `tungsten run`: execute shaders and kernels. Of a shader it shows what a quad computes, of a
//! GCN kernel what its grid leaves in memory, with `--trace` by line; with `--records` it repeats recorded runs and
//! compares their outcome. With the name of a chip as engine the compiled shader
//! is emulated too, and compared with the interpreter on the same inputs.

mod aco;
mod emulated;
mod given;
mod kernel;
mod outside;
mod records;
mod show;
mod single;
mod skipped;
mod types;
mod verdict;

use std::path::{Path, PathBuf};

use tgsi::ast::Shader;
use tgsi_interp::inputs::Inputs;

use super::assembly::AssemblyInputs;
use super::files::{Heads, each_file, failed_at};
use super::output::{Output, name_at_line_start};
use super::{LibraryArgument, Status, Stop, complain, failed};
use crate::files::read_named;
use aco::ByAco;
use emulated::Emulator;
pub(super) use given::find as find_inputs;
use outside::Outside;
use skipped::Skipped;
use verdict::Verdict;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The files with the shaders or kernels to run; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "records", conflicts_with = "records")]
    files: Vec<PathBuf>,
    /// Inputs of the run, in TOML: tables `[in]`, `[const]`, `[sv]`, `[buf]` and
    /// so on of numbered registers, such as `0 = [0.5, 0.25, 0.0, 1.0]`, and
    /// `[tex.0]`, `[samp.0]`, `[img.0]`. All else is 0; textures are made up.
    /// Without it the file counts that the shader's line `# tungsten: run=FILE`
    /// names, or the project's setting `run.inputs`. Of a kernel `[arg]`, `[buf]`,
    /// `[img]`, `[samp]`, `[sgpr]`, `[vgpr]` and `grid`, `group`; a table `[expect]` makes it a
    /// test
    #[arg(long, value_name = "FILE", conflicts_with = "records")]
    inputs: Option<PathBuf>,
    /// Make up the inputs of a shader from this number
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["inputs", "records"])]
    seed: Option<u64>,
    /// Show what every instruction writes
    #[arg(long, conflicts_with = "records")]
    trace: bool,
    /// The shader to run where the file holds several, from 1
    #[arg(long, value_name = "NUMBER", default_value_t = 1, conflicts_with = "records")]
    shader: usize,
    /// Repeat the runs recorded in this file, one JSON object a line, and say
    /// for each whether the outcome is the same
    #[arg(long, value_name = "FILE", requires = "programs")]
    records: Option<PathBuf>,
    /// The folder that the records' file names start from
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,
    /// Engine that executes: `tgsi`, the interpreter; or a chip, such as `polaris10`: then the
    /// shader is compiled for it, its machine code emulated, and what both leave is
    /// compared, with f32 denormals flushed to zero and our own texture filters; or `lavapipe`,
    /// Mesa's software driver: our SPIR-V of the shader runs there, and is compared; or `aco:` and
    /// a chip, such as `aco:polaris10`: what Mesa's ACO makes of our SPIR-V is emulated, and is
    /// compared; or, with
    /// `--records`, `debugger`: the interpreter step by step, to the end, back and forth again
    #[arg(long, value_name = "ENGINE", default_value = INTERPRETER)]
    engine: String,
    /// Run this listing in place of what the shader is compiled to, such as an edited one that
    /// `compile --emit asm` has printed
    #[arg(long, value_name = "FILE", conflicts_with = "records")]
    machine_code: Option<PathBuf>,
    /// The chip of a kernel; by default the one that its file or its name states
    #[arg(long, value_name = "TARGET", conflicts_with = "records")]
    target: Option<String>,
    #[command(flatten)]
    library: LibraryArgument,
    #[command(flatten)]
    assembly: AssemblyInputs,
}

/// The name of the interpreter as an engine, and that of the debugger.
const INTERPRETER: &str = "tgsi";
const DEBUGGER: &str = "debugger";
/// The name of Mesa's software driver as an engine.
const LAVAPIPE: &str = "lavapipe";

/// An engine.
enum Engine {
    Interpreter,
    Debugger,
    Other(Other),
}

/// An engine that runs beside the interpreter.
enum Other {
    Machine(Box<Emulator>),
    Lavapipe(Box<Outside>),
    Aco(Box<ByAco>),
}

impl Other {
    /// The engine's name.
    fn name(&self) -> &str {
        match self {
            Other::Machine(emulator) => emulator.name(),
            Other::Lavapipe(_) => LAVAPIPE,
            Other::Aco(aco) => aco.name(),
        }
    }

    /// The words for the code that runs.
    fn code(&self) -> &'static str {
        match self {
            Other::Machine(_) => "the machine code",
            Other::Lavapipe(_) => "our SPIR-V",
            Other::Aco(_) => "ACO's code",
        }
    }

    /// Runs both engines on the same inputs. Answers with the verdict how many values were
    /// compared.
    ///
    /// # Errors
    /// The reason why they cannot be run.
    fn check(
        &mut self,
        shader: &Shader,
        inputs: &Inputs,
    ) -> Result<(diff_exec::Verdict, usize), Skipped> {
        match self {
            Other::Machine(emulator) => emulator.check(shader, inputs),
            Other::Lavapipe(outside) => outside.check(shader, inputs),
            Other::Aco(aco) => aco.check(shader, inputs),
        }
    }
}

/// Our own executable, which serves as worker.
fn worker() -> Result<PathBuf, Stop> {
    std::env::current_exe()
        .map_err(|error| failed(format_args!("the path of tungsten itself: {error}")))
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let mut engine = match arguments.engine.as_str() {
        INTERPRETER => Engine::Interpreter,
        DEBUGGER => Engine::Debugger,
        LAVAPIPE => Engine::Other(Other::Lavapipe(Box::new(Outside::find()?))),
        chip => Engine::Other(match chip.strip_prefix(aco::PREFIX) {
            Some(chip) => Other::Aco(Box::new(ByAco::of(chip)?)),
            None => Other::Machine(Box::new(Emulator::of(chip, &arguments.library)?)),
        }),
    };
    if let (Some(records), Some(programs)) = (&arguments.records, &arguments.programs) {
        return repeat(records, programs, &mut engine, output);
    }
    let mut other = match engine {
        Engine::Interpreter => None,
        Engine::Other(other) => Some(other),
        Engine::Debugger => {
            return Err(failed(
                "`--engine debugger` repeats recorded runs: name them by `--records`",
            ));
        }
    };
    if let Some(path) = &arguments.machine_code {
        let Some(Other::Machine(emulator)) = &mut other else {
            return Err(failed("`--machine-code` is code for a chip: name it by `--engine`"));
        };
        emulator.read_edited(path)?;
    }
    each_file(&arguments.files, Heads::Comments, output, |path, output| {
        single::run(path, arguments, other.as_mut(), output)
    })
}

fn read(path: &Path) -> Result<String, Stop> {
    let bytes = read_named(path, source::MAX_TEXT_LENGTH).map_err(|why| failed_at(path, why))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn repeat(
    path: &Path,
    programs: &Path,
    engine: &mut Engine,
    output: &mut Output,
) -> Result<Status, Stop> {
    let text = read(path)?;
    let mut counts = [0usize; 3];
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let record = records::read(line).map_err(|message| {
            failed(format_args!("{}:{}: {message}", path.display(), number + 1))
        })?;
        let (verdict, detail) = records::repeat(&record, programs, engine);
        counts[verdict as usize] += 1;
        let word = verdict.word();
        let name = name_at_line_start(&record.file);
        output.line(&format!("{name}\t{}\t{word}\t{detail}", record.set))?;
    }
    let [same, differs, skipped] = counts;
    output.flush()?;
    complain(format_args!("{same} same, {differs} differ, {skipped} skipped"));
    let all_same = counts[Verdict::Differs as usize] == 0;
    Ok(if all_same { Status::Good } else { Status::Bad })
}

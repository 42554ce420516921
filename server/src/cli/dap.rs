//! `tungsten dap`: the debug adapter on standard input and output.
//!
//! What a client names in `launch` may come from a project's own settings, so that files are
//! read beneath the folders alone that the command line names, and those that the user trusts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use debug_adapter::{Launch, Loaded, Loader, Program, Refusal};
use debugger::kernel::Kernel;
use debugger::shader::Shader;
use engine::Language;
use gcn::Target;
use gcn::program::assemble;
use gcn_emu::launch::KernelInputs;
use run_inputs::Mistake;
use source::Severity;
use tgsi_interp::inputs::Inputs;

use super::assembly::{Assembly, AssemblyInputs};
use super::files::SourceFile;
use super::run::find_inputs;
use super::{Status, complain, settings};
use crate::files::Access;
use crate::language;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The folders whose files may be debugged; the current one by default
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

/// Bytes of a file of inputs, at most.
const MOST_INPUTS: usize = 64 << 20;

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let here = [PathBuf::from(".")];
    let folders = if arguments.folders.is_empty() { &here[..] } else { &arguments.folders };
    let folders = folders.iter().map(PathBuf::as_path);
    let mut disk = Disk { access: Access::to(folders, &settings::user().trust.folders) };
    match debug_adapter::serve(std::io::stdin(), std::io::stdout(), &mut disk) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("the debug adapter ends: {error}"));
            Status::Failed.into()
        }
    }
}

/// The files that a client may name.
struct Disk {
    access: Access,
}

impl Loader for Disk {
    fn load(&mut self, launch: &Launch) -> Result<Loaded, Refusal> {
        let path = Path::new(&launch.program);
        let path = std::path::absolute(path).map_err(|error| error.to_string())?;
        let text = self.read(&path, source::MAX_TEXT_LENGTH)?;
        let name = path.display().to_string();
        let language = language::of_file(&name, &text);
        let file = SourceFile::new(name, text.into(), language);
        let mut notes = Vec::new();
        let program = match language {
            Language::Tgsi => self.shader(&path, &file, launch, &mut notes)?,
            Language::Gcn => self.kernel(&path, &file, launch, &mut notes)?,
        };
        Ok(Loaded { program, path: launch.program.clone(), notes })
    }
}

impl Disk {
    fn read(&self, path: &Path, most: usize) -> Result<String, Refusal> {
        let text = self.access.read_text(path, most);
        text.map_err(|why| Refusal(format!("{}: {why}", path.display())))
    }

    /// The file of inputs that a launch names, from the folder of its program.
    fn named_inputs(
        &self,
        program: &Path,
        launch: &Launch,
    ) -> Result<Option<(String, String)>, Refusal> {
        let Some(name) = launch.inputs.as_deref().filter(|name| !name.is_empty()) else {
            return Ok(None);
        };
        let folder = program.parent().unwrap_or(program);
        let path = folder.join(name);
        let text = self.read(&path, MOST_INPUTS)?;
        Ok(Some((path.display().to_string(), text)))
    }

    fn shader(
        &self,
        path: &Path,
        file: &SourceFile,
        launch: &Launch,
        notes: &mut Vec<String>,
    ) -> Result<Program, Refusal> {
        let number = launch.shader.unwrap_or(1);
        let given = match self.named_inputs(path, launch)? {
            Some(given) => Some(given),
            None => find_inputs(path, file, number.saturating_sub(1))
                .map_err(|error| error.to_string())?
                .map(|found| (found.path.display().to_string(), found.text)),
        };
        let inputs = match given {
            Some((name, text)) => {
                notes.push(format!("it runs on {name}"));
                Inputs::read(&text).map_err(|mistake| told(&name, &text, &mistake))?
            }
            None => {
                notes.push("no inputs are named: all are 0, and textures are made up".to_owned());
                Inputs::default()
            }
        };
        let shader = Shader::new(&file.text, number, inputs).map_err(|error| match error.line {
            0 => format!("{}: {error}", file.name),
            line => format!("{}:{line}: {error}", file.name),
        })?;
        Ok(Program::Shader(Box::new(shader)))
    }

    fn kernel(
        &self,
        path: &Path,
        file: &SourceFile,
        launch: &Launch,
        notes: &mut Vec<String>,
    ) -> Result<Program, Refusal> {
        let target = launch.target.as_deref().filter(|name| !name.is_empty());
        let target = match target {
            Some(name) => {
                Some(Target::find(name).ok_or_else(|| crate::configuration::unknown_target(name))?)
            }
            None => None,
        };
        let mut inputs = match self.named_inputs(path, launch)? {
            Some((name, text)) => {
                notes.push(format!("it runs on {name}"));
                KernelInputs::read(&text).map_err(|mistake| told(&name, &text, &mistake))?
            }
            None => {
                notes.push("no inputs are named: one group of 64, no arguments".to_owned());
                KernelInputs::default()
            }
        };
        if let Some(kernel) = launch.kernel.as_ref().filter(|name| !name.is_empty()) {
            inputs.kernel = Some(kernel.clone());
        }
        let nothing = AssemblyInputs::default();
        let assembly = Assembly::new(file, path, &nothing);
        let reading = assembly.kind(target);
        let options = gcn::program::Options { target, ..assembly.options(reading.as_ref()) };
        let includes = |name: &str| assembly.include(name);
        let program = assemble(&file.text, &options, &includes, &source::no_checkpoint);
        if let Some(unsupported) = &program.unsupported {
            return Err(format!("{}: {unsupported} is not supported yet", file.name).into());
        }
        let error = program.diagnostics.iter().find(|it| it.severity == Severity::Error);
        if let Some(error) = error {
            let line = file.line(error.range.start());
            return Err(format!("{}:{line}: {}", file.name, error.message).into());
        }
        notes.push(format!("the chip is {}", program.target.name()));
        let kernel = Kernel::new(&program, &file.text, inputs)
            .map_err(|error| format!("{}: {error}", file.name))?;
        if !kernel.launch().has_descriptor() {
            notes.push(
                "no descriptor says what registers hold at the beginning: those that the \
                 inputs do not give are 0"
                    .to_owned(),
            );
        }
        Ok(Program::Kernel(Box::new(kernel)))
    }
}

/// A mistake in a file of inputs, with its line.
fn told(name: &str, text: &str, mistake: &Mistake) -> String {
    format!("{name}:{}: {}", mistake.line(text), mistake.message)
}

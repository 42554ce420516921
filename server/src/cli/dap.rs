//! `tungsten dap`: the debug adapter on standard input and output, or for one client on a port of
//! this machine.
//!
//! What a client names in `launch` may come from a project's own settings, so that files are
//! read beneath the folders alone that the command line names, and those that the user trusts.

mod shaders;

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use debug_adapter::{Launch, Loaded, Loader, Program, Refusal};
use debugger::kernel::Kernel;
use engine::Language;
use gcn::Target;
use gcn::program::assemble;
use gcn_emu::launch::KernelInputs;
use llvm::Compiler;
use run_inputs::Mistake;
use source::Severity;

use super::assembly::{Assembly, AssemblyInputs};
use super::files::SourceFile;
use super::output::Output;
use super::{LibraryArgument, Status, complain, settings};
use crate::files::Access;
use crate::language;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The folders whose files may be debugged; the current one by default
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Wait for one client on this port of 127.0.0.1 in place of standard input, 0 for any; port
    /// and token are printed, and the client's `launch` has to hold the token
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    #[command(flatten)]
    library: LibraryArgument,
}

/// Bytes of a file of inputs, at most.
const MOST_INPUTS: usize = 64 << 20;

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let here = [PathBuf::from(".")];
    let folders = if arguments.folders.is_empty() { &here[..] } else { &arguments.folders };
    let folders = folders.iter().map(PathBuf::as_path);
    let mut disk = Disk {
        access: Access::to(folders, &settings::user().trust.folders),
        library: arguments.library.clone(),
        compiler: None,
        token: None,
    };
    let served = match arguments.port {
        None => debug_adapter::serve(std::io::stdin(), std::io::stdout(), &mut disk),
        Some(port) => serve_port(port, &mut disk),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("the debug adapter ends: {error}"));
            Status::Failed.into()
        }
    }
}

/// Serves the first client that comes to a port of this machine, and no other.
fn serve_port(port: u16, disk: &mut Disk) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    // Keys that the system draws at random, each time others.
    let half = || RandomState::new().hash_one(port);
    let token = format!("{:016x}{:016x}", half(), half());
    let own = listener.local_addr()?.port();
    let mut output = Output::standard();
    output.line(&format!("port {own} token {token}"))?;
    output.flush()?;
    disk.token = Some(token);
    let (stream, _) = listener.accept()?;
    drop(listener);
    debug_adapter::serve(stream.try_clone()?, stream, disk)
}

/// The files that a client may name.
struct Disk {
    access: Access,
    library: LibraryArgument,
    /// The compiler, once a shader was compiled.
    compiler: Option<Compiler>,
    /// The word that a launch has to hold.
    token: Option<String>,
}

impl Loader for Disk {
    fn load(&mut self, launch: &Launch) -> Result<Loaded, Refusal> {
        if self.token.is_some() && self.token != launch.token {
            return Err("`token` is not the one that the adapter printed".into());
        }
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
        // Clients name files by whole paths in what follows.
        Ok(Loaded { program, path: path.display().to_string(), notes })
    }
}

impl Disk {
    fn read(&self, path: &Path, most: usize) -> Result<String, Refusal> {
        let text = self.access.read_text(path, most);
        text.map_err(|why| Refusal(format!("{}: {why}", path.display())))
    }

    /// A file of inputs that a launch names, from the folder of its program.
    fn named_inputs(
        &self,
        program: &Path,
        name: Option<&str>,
    ) -> Result<Option<(String, String)>, Refusal> {
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return Ok(None);
        };
        let folder = program.parent().unwrap_or(program);
        let path = folder.join(name);
        let text = self.read(&path, MOST_INPUTS)?;
        Ok(Some((path.display().to_string(), text)))
    }

    fn kernel(
        &self,
        path: &Path,
        file: &SourceFile,
        launch: &Launch,
        notes: &mut Vec<String>,
    ) -> Result<Program, Refusal> {
        if launch.seed.is_some() {
            return Err("`seed` makes up the inputs of shaders; a kernel needs `inputs`".into());
        }
        let target = read_target(launch)?;
        let mut inputs = match self.named_inputs(path, launch.inputs.as_deref())? {
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
        notes.extend(kernel.launch().unfilled());
        Ok(Program::Kernel(Box::new(kernel)))
    }
}

/// A mistake in a file of inputs, with its line.
fn told(name: &str, text: &str, mistake: &Mistake) -> String {
    format!("{name}:{}: {}", mistake.line(text), mistake.message)
}

/// The chip that a launch names.
fn read_target(launch: &Launch) -> Result<Option<Target>, Refusal> {
    let target = launch.target.as_deref().filter(|name| !name.is_empty());
    let find = |name| {
        let target = Target::find(name);
        target.ok_or_else(|| Refusal(crate::configuration::unknown_target(name).to_string()))
    };
    target.map(find).transpose()
}

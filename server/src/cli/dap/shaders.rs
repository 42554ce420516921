//! Shaders that a client debugs: alone, beside their machine code, or two that a chip runs as one
//! program.

use std::path::Path;

use debug_adapter::{Launch, Program, Refusal};
use debugger::joined::{Compile, Joined, MachineCode, NotJoined};
use debugger::shader::{Shader, ShaderError};
use diff_exec::Lowered;
use engine::Language;
use gcn::Target;
use gcn::compiled::Instruction;
use llvm::Compiler;
use tgsi::Stage;
use tgsi_interp::Subgroup;
use tgsi_interp::inputs::Inputs;

use super::super::files::SourceFile;
use super::super::listing;
use super::super::run::find_inputs;
use super::{Disk, read_target, told};
use crate::jobs::{LibraryState, of_lowered, search};

/// The shader that a chip runs in one program with the one that is debugged.
#[derive(Clone, Copy)]
enum Partner {
    None,
    /// One that the launch names.
    Named(usize),
    /// The nearest one above it that fits.
    Found(usize),
}

impl Disk {
    pub(super) fn shader(
        &mut self,
        path: &Path,
        file: &SourceFile,
        launch: &Launch,
        notes: &mut Vec<String>,
    ) -> Result<Program, Refusal> {
        let number = launch.shader.unwrap_or(1);
        let named = launch.inputs.as_deref();
        if launch.seed.is_some() && named.is_some_and(|name| !name.is_empty()) {
            return Err("`inputs` and `seed`: one of them says what it runs on".into());
        }
        let (inputs, note) = self.inputs_of((path, file), number, named, launch.seed)?;
        notes.push(format!("it runs on {note}"));
        let refused = |error: ShaderError| match error.line {
            0 => format!("{}: {error}", file.name),
            line => format!("{}:{line}: {error}", file.name),
        };
        let Some(target) = read_target(launch)? else {
            let before = [launch.before.is_some(), launch.before_inputs.is_some()];
            for (is_there, name) in
                [(launch.machine_code.is_some(), "machineCode"), (before.contains(&true), "before")]
            {
                if is_there {
                    return Err(
                        format!("`{name}` is about code for a chip: name it as `target`").into()
                    );
                }
            }
            let shader = Shader::new(&file.text, number, inputs).map_err(refused)?;
            return Ok(Program::Shader(Box::new(shader)));
        };
        let mut edited = self.listing(path, launch, target)?;
        notes.push(match (&edited, &launch.machine_code) {
            (Some(_), Some(name)) => format!("{name} runs beside it on {}", target.name()),
            _ => format!("its machine code for {} runs beside it", target.name()),
        });
        let partner = match launch.before {
            Some(0) => Partner::None,
            Some(own) => Partner::Named(own),
            // A listing is that of the shader alone, and vertices that are given are wanted.
            None if edited.is_some() || launch.seed.is_none() && !inputs.vertices.is_empty() => {
                Partner::None
            }
            None => partner_of(file, number, target).map_or(Partner::None, Partner::Found),
        };
        let before = |own| {
            let named = launch.before_inputs.as_deref();
            let (inputs, note) = self.inputs_of((path, file), own, named, launch.seed)?;
            Ok::<_, Refusal>(Some((own, inputs, note)))
        };
        let before = match partner {
            Partner::None => None,
            Partner::Named(own) => before(own)?,
            Partner::Found(own) => before(own).unwrap_or_else(|Refusal(reason)| {
                notes.push(format!("it is not joined with shader {own}: {reason}"));
                None
            }),
        };
        let compiler = self.compiler()?;
        let compile: &mut Compile<'_> = &mut |lowered: &Lowered| {
            Ok(MachineCode { edited: edited.take(), ..compile(compiler, lowered)? })
        };
        if let Some((own, first, note)) = before {
            let both = [(own, first), (number, inputs.clone())];
            match (Joined::merged(&file.text, both, target, compile), partner) {
                (Ok(joined), _) => {
                    notes.push(format!(
                        "{} runs it in one program with shader {own}, which runs on {note} and \
                         hands over its vertices",
                        target.name()
                    ));
                    notes.push(joined.verdict());
                    return Ok(Program::Joined(Box::new(joined)));
                }
                (Err(error), Partner::Named(_)) => {
                    return Err(Refusal(format!(
                        "shaders {own} and {number} in one program: {}",
                        refused(error)
                    )));
                }
                (Err(error), _) => {
                    notes.push(format!("it is not joined with shader {own}: {}", refused(error)));
                }
            }
        }
        let joined = Joined::new(&file.text, number, inputs, target, compile).map_err(refused)?;
        notes.extend(joined.partner().map(|partner| {
            format!(
                "{} runs it in one program with {partner}: its half is alone here, on what the \
                 inputs hand over; `before` names the shader before it",
                target.name()
            )
        }));
        notes.push(joined.verdict());
        Ok(Program::Joined(Box::new(joined)))
    }

    /// The inputs of one of a file's shaders, counted from 1, and what they are.
    fn inputs_of(
        &self,
        (path, file): (&Path, &SourceFile),
        number: usize,
        name: Option<&str>,
        seed: Option<u64>,
    ) -> Result<(Inputs, String), Refusal> {
        let named = match (self.named_inputs(path, name)?, seed) {
            (Some(given), _) => Some((given, None)),
            (None, Some(_)) => None,
            (None, None) => find_inputs(path, file, number.saturating_sub(1))
                .map_err(|error| error.to_string())?
                .map(|own| ((own.file.path.display().to_string(), own.file.text), own.lane)),
        };
        let (inputs, note) = match (named, seed) {
            (Some(((name, text), lane)), _) => {
                let inputs = Inputs::read(&text).map_err(|mistake| told(&name, &text, &mistake))?;
                (Inputs { lane: lane.unwrap_or(inputs.lane), ..inputs }, name)
            }
            (None, Some(seed)) => {
                let note = format!("numbers that the seed {seed} makes up");
                (made_up_inputs(file, number, seed)?, note)
            }
            (None, None) => {
                let note = "zeros and made-up textures: no inputs are named";
                (Inputs::default(), note.to_owned())
            }
        };
        Ok((Inputs { subgroup: Subgroup::Wave, ..inputs }, note))
    }

    /// The listing that a launch names in place of what a shader is compiled to, from the folder
    /// of its program.
    fn listing(
        &self,
        program: &Path,
        launch: &Launch,
        target: Target,
    ) -> Result<Option<Vec<Instruction>>, Refusal> {
        let Some(name) = launch.machine_code.as_deref().filter(|name| !name.is_empty()) else {
            return Ok(None);
        };
        let path = program.parent().unwrap_or(program).join(name);
        let text = self.read(&path, source::MAX_TEXT_LENGTH)?;
        let file = SourceFile::new(path.display().to_string(), text.into(), Language::Gcn);
        let instructions = listing::assembled(&path, &file, target);
        Ok(Some(instructions.map_err(|error| error.to_string())?))
    }

    /// The compiler, which is looked for once.
    fn compiler(&mut self) -> Result<&mut Compiler, Refusal> {
        if self.compiler.is_none() {
            let worker = std::env::current_exe().map_err(|error| error.to_string())?;
            let own = match search(self.library.wanted(), &worker) {
                (_, Some(configuration)) => Compiler::new(configuration),
                (LibraryState::Missing(advice), None) => return Err(advice.to_string().into()),
                (LibraryState::Found(_) | LibraryState::Searching, None) => {
                    return Err("no libLLVM was found".into());
                }
            };
            self.compiler = Some(own);
        }
        self.compiler.as_mut().ok_or_else(|| "no libLLVM was found".into())
    }
}

/// One of a file's shaders, counted from 1, as far as it can be read.
fn parsed(file: &SourceFile, number: usize) -> Option<tgsi::ast::Shader> {
    let regions = tgsi::regions::split(&file.text).shaders;
    let region = number.checked_sub(1).and_then(|it| regions.get(it))?;
    tgsi::parser::parse(region.text(&file.text), &source::no_checkpoint).shader
}

/// The nearest shader above one, both counted from 1, that a chip runs in one program with it.
fn partner_of(file: &SourceFile, number: usize, target: Target) -> Option<usize> {
    let stage = |number| Some(parsed(file, number)?.stage.value);
    let own: Stage = stage(number)?;
    let fits = |first: Stage| lower::merges(target.generation(), first, own);
    (1..number).rev().find(|before| stage(*before).is_some_and(fits))
}

/// Inputs of one of a file's shaders, counted from 1, that a seed makes up.
fn made_up_inputs(file: &SourceFile, number: usize, seed: u64) -> Result<Inputs, Refusal> {
    if number == 0 || tgsi::regions::split(&file.text).shaders.len() < number {
        return Err(Refusal(format!("there is no shader {number}")));
    }
    // Whoever runs it says what is wrong with it.
    let made_up = parsed(file, number).and_then(|own| diff_exec::made_up(&own, seed).ok());
    Ok(made_up.unwrap_or_default())
}

fn compile(compiler: &mut Compiler, lowered: &Lowered) -> Result<MachineCode, NotJoined> {
    let output =
        compiler.compile(&of_lowered(lowered)).map_err(|error| NotJoined(error.to_string()))?;
    Ok(MachineCode { assembly: output.assembly, code: output.code, edited: None })
}

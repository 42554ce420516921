//! The machine code of a shader that somebody has edited: a listing, assembled.

use std::fmt::Display;
use std::path::Path;

use gcn::Target;
use gcn::compiled::Instruction;
use gcn::program::{KernelCode, Program, assemble};
use source::Severity;
use thiserror::Error;

use super::assembly::{Assembly, AssemblyInputs};
use super::files::SourceFile;

/// The reason why a listing is not run, with its file.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct NoListing(String);

impl NoListing {
    fn of(file: &SourceFile, reason: impl Display) -> NoListing {
        NoListing(format!("{}: {reason}", file.name))
    }
}

/// The reason why a program is not the code of one shader that can be compared.
#[derive(Debug, Error)]
enum NotOneShader {
    /// Several programs, or none.
    #[error("{0} programs are there; leave that of one shader")]
    Programs(usize),
    /// Lines that are not an instruction.
    #[error("{0} lines are not an instruction")]
    Missing(usize),
    /// No instruction.
    #[error("no instruction is there")]
    Empty,
    /// Colours are packed; the export.
    #[error(
        "`{0}` packs colours, and they are compared with all their bits: compile the shader with \
         the line `# tungsten: color-format=32_abgr` above it"
    )]
    Packed(String),
}

/// Assembles a listing for a chip, as `compile --emit asm` prints one for a shader.
///
/// # Errors
/// The line that is not understood, or the reason why it is not the code of one shader.
pub(super) fn assembled(
    path: &Path,
    file: &SourceFile,
    target: Target,
) -> Result<Vec<Instruction>, NoListing> {
    let nothing = AssemblyInputs::default();
    let assembly = Assembly::new(file, path, &nothing);
    let reading = assembly.kind(Some(target));
    let options =
        gcn::program::Options { target: Some(target), ..assembly.options(reading.as_ref()) };
    let includes = |name: &str| assembly.include(name);
    let program = assemble(&file.text, &options, &includes, &source::no_checkpoint);
    if let Some(unsupported) = &program.unsupported {
        return Err(NoListing::of(file, format_args!("{unsupported} is not supported yet")));
    }
    if let Some(error) = program.diagnostics.iter().find(|it| it.severity == Severity::Error) {
        let line = file.line(error.range.start());
        return Err(NoListing(format!("{}:{line}: {}", file.name, error.message)));
    }
    instructions(&program).map_err(|reason| NoListing::of(file, reason))
}

/// The instructions of the only kernel of a program.
fn instructions(program: &Program) -> Result<Vec<Instruction>, NotOneShader> {
    let [kernel] = &program.kernels[..] else {
        return Err(NotOneShader::Programs(program.kernels.len()));
    };
    let KernelCode { code, instructions, missing, .. } =
        KernelCode::of(program, kernel, program.address_counts(), &source::no_checkpoint);
    if missing > 0 {
        return Err(NotOneShader::Missing(missing));
    }
    let Some(start) = code.instructions.first().map(|first| first.offset) else {
        return Err(NotOneShader::Empty);
    };
    let own = code.instructions.iter().zip(&instructions).map(|(own, number)| {
        let source = program.instructions.get(*number as usize);
        let text = source.map_or("", |source| program.text(source));
        Instruction {
            offset: own.offset - start,
            words: own.words().to_vec(),
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            ordinal: 0,
        }
    });
    let own: Vec<Instruction> = own.collect();
    // The comparison looks at colours with all their bits.
    let is_packed = |own: &&Instruction| {
        own.text.starts_with("exp ") && own.text.split([' ', ',']).any(|word| word == "compr")
    };
    match own.iter().find(is_packed) {
        None => Ok(own),
        Some(packed) => Err(NotOneShader::Packed(packed.text.clone())),
    }
}

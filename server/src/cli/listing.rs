//! The machine code of a shader that somebody has edited: a listing, assembled.

use std::path::Path;

use gcn::Target;
use gcn::compiled::Instruction;
use gcn::program::{KernelCode, Program, assemble};
use source::Severity;

use super::assembly::{Assembly, AssemblyInputs};
use super::files::SourceFile;

/// Assembles a listing for a chip, as `compile --emit asm` prints one for a shader.
///
/// # Errors
/// The line that is not understood, or the reason why it is not the code of one shader.
pub(super) fn assembled(
    path: &Path,
    file: &SourceFile,
    target: Target,
) -> Result<Vec<Instruction>, String> {
    let nothing = AssemblyInputs::default();
    let assembly = Assembly::new(file, path, &nothing);
    let reading = assembly.kind(Some(target));
    let options =
        gcn::program::Options { target: Some(target), ..assembly.options(reading.as_ref()) };
    let includes = |name: &str| assembly.include(name);
    let program = assemble(&file.text, &options, &includes, &source::no_checkpoint);
    if let Some(unsupported) = &program.unsupported {
        return Err(format!("{}: {unsupported} is not supported yet", file.name));
    }
    if let Some(error) = program.diagnostics.iter().find(|it| it.severity == Severity::Error) {
        let line = file.line(error.range.start());
        return Err(format!("{}:{line}: {}", file.name, error.message));
    }
    instructions(&program).map_err(|reason| format!("{}: {reason}", file.name))
}

/// The instructions of the only kernel of a program.
fn instructions(program: &Program) -> Result<Vec<Instruction>, String> {
    let [kernel] = &program.kernels[..] else {
        let count = program.kernels.len();
        return Err(format!("{count} programs are there; leave that of one shader"));
    };
    let KernelCode { code, instructions, missing, .. } =
        KernelCode::of(program, kernel, program.address_counts(), &source::no_checkpoint);
    if missing > 0 {
        return Err(format!("{missing} lines are not an instruction"));
    }
    let Some(start) = code.instructions.first().map(|first| first.offset) else {
        return Err("no instruction is there".to_owned());
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
        Some(packed) => Err(format!(
            "`{}` packs colours, and they are compared with all their bits: compile the shader \
             with the line `# tungsten: color-format=32_abgr` above it",
            packed.text
        )),
    }
}

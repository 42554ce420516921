//! `tungsten compile --emit spirv`: the SPIR-V modules of a file's shaders.

use engine::{FileId, Snapshot};

use super::files::SourceFile;
use super::output::Output;
use super::{Status, Stop, complain, failed};

/// The form in which a module is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Its bytes, or its text where somebody reads it.
    BytesOrText,
    /// Its text.
    Text,
}

/// The modules of a file that are asked for.
pub(super) struct Modules<'a> {
    pub(super) file: &'a SourceFile,
    /// Set where other files are printed beside it.
    pub(super) is_of_several: bool,
    pub(super) form: Form,
}

impl Modules<'_> {
    /// Prints the module of each shader of a file, and says what keeps a shader from having one.
    pub(super) fn print(
        &self,
        snapshot: &Snapshot,
        id: FileId,
        shaders: usize,
        output: &mut Output,
    ) -> Result<Status, Stop> {
        let name = &self.file.name;
        if shaders == 0 {
            return Err(failed(format_args!("{name}: no shader was found")));
        }
        let as_bytes = self.form == Form::BytesOrText && !output.is_terminal();
        if as_bytes && (self.is_of_several || shaders > 1) {
            return Err(failed(format_args!(
                "{name}: `--emit spirv` writes the bytes of one shader, and nothing would tell those \
                 of several apart; `--emit spirv-text` writes all"
            )));
        }
        let mut status = Status::Good;
        for shader in 0..shaders {
            let module = match snapshot.spirv(id, shader)? {
                Some(Ok(module)) => module,
                Some(Err(problem)) => {
                    let line = problem.range.map(|it| format!("{}:", self.file.line(it.start())));
                    let (line, message) = (line.unwrap_or_default(), problem.message);
                    complain(format_args!("{name}:{line} shader {shader}: {message}"));
                    status = Status::Bad;
                    continue;
                }
                None => continue,
            };
            if as_bytes {
                output.bytes(&module.bytes())?;
                continue;
            }
            if self.is_of_several || shaders > 1 {
                output.document(&format!("; {name}: shader {shader}, {}\n", module.stage))?;
            }
            let text = spirv::disassemble(&module.words).map_err(|word| {
                failed(format_args!("{name}: word {word} of the module was not understood"))
            })?;
            output.document(&text)?;
        }
        Ok(status)
    }
}

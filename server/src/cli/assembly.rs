//! Assembly files as the commands read them: for the chip and in the language that
//! `check` and the language server take them for, with what a project says of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{AssemblyKind, AssemblySettings, Host, Language, Settings, TargetOrigin};
use gcn::Target;
use gcn::program::{Certainty, Options, Program};

use super::files::SourceFile;
use super::settings::{OfProject, Projects, access_of};
use super::{Stop, complain, failed};
use crate::files::Access;
use crate::includes::{self, Lookup};

/// The inputs that an assembly text may need beside itself.
#[derive(Debug, Default, clap::Args)]
pub(super) struct AssemblyInputs {
    /// Folder to look for included files in, after the folders around the file
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// A symbol with a value
    #[arg(long = "defsym", value_name = "NAME=VALUE", value_parser = crate::configuration::symbol)]
    symbols: Vec<(String, i64)>,
}

/// An assembly file with its inputs.
pub(super) struct Assembly<'a> {
    file: &'a SourceFile,
    path: &'a Path,
    inputs: &'a AssemblyInputs,
    project: Option<Arc<OfProject>>,
}

impl<'a> Assembly<'a> {
    /// A file that was read from a path, and the project around it.
    pub(super) fn new(
        file: &'a SourceFile,
        path: &'a Path,
        inputs: &'a AssemblyInputs,
    ) -> Assembly<'a> {
        Assembly { file, path, inputs, project: Projects::default().of(path) }
    }

    /// The settings that the project has for assembly, with the symbols of the arguments last: of
    /// two values of a symbol theirs counts.
    fn settings(&self) -> AssemblySettings {
        let of_project = self.project.as_ref().map(|it| it.configuration.assembly.clone());
        let mut settings = of_project.unwrap_or_default();
        settings.symbols.extend(self.inputs.symbols.iter().cloned());
        settings
    }

    /// The chip and language that it is taken for, as far as no argument says it: no chip is
    /// guessed where they name one.
    pub(super) fn kind(&self, target: Option<Target>) -> Option<AssemblyKind> {
        let mut host = Host::new(Settings::default());
        let id = host.set_file(&self.file.name, self.file.text.clone(), self.file.language);
        let targets = self.project.as_ref().map(|it| it.configuration.targets.clone());
        let settings = self.settings();
        let own = Settings {
            targets: targets.unwrap_or_default(),
            assembly: AssemblySettings { target: target.or(settings.target), ..settings },
            ..Settings::default()
        };
        host.set_own_settings(id, Some(own));
        host.snapshot().own_assembly_kind(id).ok().flatten()
    }

    /// The options to assemble it with, as far as no argument says otherwise.
    pub(super) fn options(&self, reading: Option<&AssemblyKind>) -> Options {
        let symbols = self.settings().symbols;
        match reading {
            None => Options { symbols, ..Options::of(&self.file.text, &self.file.name) },
            Some(reading) => Options {
                default_target: reading.target,
                unsupported: reading.unsupported.clone(),
                certainty: match reading.target_origin {
                    TargetOrigin::Default | TargetOrigin::Instructions => Certainty::Assumed,
                    _ => Certainty::Explicit,
                },
                dialect: reading.dialect,
                listing: reading.listing,
                symbols,
                ..Options::default()
            },
        }
    }

    /// The text of a file that it includes.
    pub(super) fn include(&self, name: &str) -> Option<Arc<str>> {
        let of_project =
            self.project.iter().flat_map(|project| &project.configuration.include_folders);
        let folders: Vec<PathBuf> = self.inputs.include.iter().chain(of_project).cloned().collect();
        let path = std::path::absolute(self.path).unwrap_or_else(|_| self.path.to_path_buf());
        match includes::find(&path, name, &folders, &self.access()) {
            Lookup::Found(found) => Some(found.text.into()),
            Lookup::Missing => None,
            Lookup::Outside => {
                complain(format_args!(
                    "{}: `{name}` cannot be read: {}",
                    self.file.name,
                    source::OUTSIDE
                ));
                None
            }
        }
    }

    /// The reach of what it names.
    fn access(&self) -> Access {
        access_of(self.path, &[]).and_all(&self.inputs.include)
    }
}

/// Refuses shaders, which are not machine code yet.
pub(super) fn refuse_shaders(file: &SourceFile) -> Result<(), Stop> {
    match file.language {
        Language::Gcn => Ok(()),
        Language::Tgsi => {
            let name = &file.name;
            Err(failed(format_args!("{name}: is TGSI, not assembly: `tungsten compile {name}`")))
        }
    }
}

/// Refuses a text for a chip that is not supported: there is no machine code of it.
pub(super) fn refuse_unsupported(file: &SourceFile, program: &Program) -> Result<(), Stop> {
    let Some(unsupported) = &program.unsupported else { return Ok(()) };
    let told = program.diagnostics.iter().find(|it| it.code == gcn::codes::UNKNOWN_TARGET);
    let line = told.map_or(1, |it| file.line(it.range.start()));
    Err(failed(format_args!("{}:{line}: {unsupported} is not supported yet", file.name)))
}

/// Notes that nothing names the chip of a program with errors, and how to name it.
pub(super) fn complain_of_guess(program: &Program) {
    if program.certainty != Certainty::Explicit {
        let target = program.target.name();
        complain(format_args!(
            "nothing names the chip, and {target} was assumed; name it with --target"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_chip_is_guessed_where_one_is_named() {
        let text = "s_mov_b32 s0, 1\ns_endpgm\n";
        let file = SourceFile::new("a.s".to_owned(), text.into(), Language::Gcn);
        let inputs = AssemblyInputs { include: Vec::new(), symbols: Vec::new() };
        let assembly = Assembly::new(&file, Path::new("a.s"), &inputs);
        let origin = |target| assembly.kind(target).expect("assembly").target_origin;
        assert_eq!(origin(Target::find("tahiti")), TargetOrigin::Setting);
        assert_ne!(origin(None), TargetOrigin::Setting);
    }
}

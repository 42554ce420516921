//! The inputs of a run: a file of the command line, or what an editor would take.

use std::path::Path;

use engine::{Host, Settings};
use source::OUTSIDE;
use tgsi_interp::inputs::Inputs;
use thiserror::Error;

use super::super::files::SourceFile;
use super::super::settings::{Projects, access_of};
use super::{Stop, complain, failed};
use crate::includes::{self, Lookup};

/// The reason why inputs that are named are not read.
#[derive(Debug, Error)]
pub(in crate::cli) enum NoInputs {
    /// No file has the name.
    #[error("there is no file `{0}` around this one")]
    Missing(String),
    /// A file that may not be read.
    #[error("`{0}` cannot be read: {OUTSIDE}")]
    Outside(String),
}

/// Reads a file of inputs. Complains where that is not possible.
pub(super) fn read(path: &Path) -> Result<Inputs, Stop> {
    understood(path, &super::read(path)?)
}

fn understood(path: &Path, text: &str) -> Result<Inputs, Stop> {
    Inputs::read(text).map_err(|mistake| {
        let line = mistake.line(text);
        failed(format_args!("{}:{line}: {}", path.display(), mistake.message))
    })
}

/// The inputs that the file or the project around it names for one of its shaders, counted from
/// 0, and says so; nothing where they name none.
pub(super) fn named(path: &Path, file: &SourceFile, shader: usize) -> Result<Inputs, Stop> {
    let own = &file.name;
    match find(path, file, shader) {
        Ok(None) => Ok(Inputs::default()),
        Ok(Some(Named { file: found, .. })) => {
            complain(format_args!("{own}: run on {}", found.path.display()));
            understood(&found.path, &found.text)
        }
        Err(reason) => Err(failed(format_args!("{own}: {reason}"))),
    }
}

/// Inputs that a file or the project around it names.
pub(in crate::cli) struct Named {
    /// The file of inputs.
    pub(in crate::cli) file: includes::Included,
    /// The lane whose values are to be shown.
    pub(in crate::cli) lane: Option<usize>,
}

/// Finds the file of inputs that a file or the project around it names for one of its shaders,
/// counted from 0; `None` where they name none.
pub(in crate::cli) fn find(
    path: &Path,
    file: &SourceFile,
    shader: usize,
) -> Result<Option<Named>, NoInputs> {
    let mut host = Host::new(Settings::default());
    let id = host.set_file(&file.name, file.text.clone(), file.language);
    let project = Projects::default().of(path);
    let configuration = project.as_ref().map(|project| &project.configuration);
    let run = configuration.map(|it| it.run.clone()).unwrap_or_default();
    host.set_own_settings(id, Some(Settings { run, ..Settings::default() }));
    let Some(name) = host.snapshot().inputs_name(id, shader).ok().flatten() else {
        return Ok(None);
    };
    let lane = host.snapshot().inputs_lane(id, shader).ok().flatten();
    let folders = configuration.map_or(&[][..], |it| &it.include_folders);
    let around = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match includes::find(&around, &name, folders, &access_of(&around, &[])) {
        Lookup::Found(file) => Ok(Some(Named { file, lane })),
        Lookup::Missing => Err(NoInputs::Missing(name)),
        Lookup::Outside => Err(NoInputs::Outside(name)),
    }
}

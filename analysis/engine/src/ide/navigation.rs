//! Definitions and references, and renaming.

use editor_model::{Definitions, Destination, FileEdit, Place, References, Renameable};
use salsa::Database;
use text::TextSize;
use tgsi::service::{navigation, rename};

use super::{assembly, placed};
use crate::inputs::{File, Language};

pub(crate) fn definitions(db: &dyn Database, file: File, offset: TextSize) -> Option<Definitions> {
    if file.language(db) == Language::Gcn {
        return assembly::definitions(db, file, offset);
    }
    let (placed, place) = placed::at(db, file, offset)?;
    let shader = placed.parse.shader.as_ref()?;
    let found = navigation::definitions(&placed.text, shader, place)?;
    let destinations = found.destinations.iter().map(|destination| Destination {
        file: None,
        range: placed.to_file(destination.range),
        selection: placed.to_file(destination.selection),
    });
    let destinations = destinations.collect();
    Some(Definitions { origin: placed.to_file(found.origin), destinations })
}

pub(crate) fn references(
    db: &dyn Database,
    files: &[File],
    file: File,
    offset: TextSize,
    wanted: References,
) -> Vec<Place> {
    if file.language(db) == Language::Gcn {
        return assembly::references(db, files, file, offset, wanted);
    }
    let Some((placed, place)) = placed::at(db, file, offset) else { return Vec::new() };
    let Some(shader) = &placed.parse.shader else { return Vec::new() };
    let found = navigation::references(&placed.text, shader, place, wanted).into_iter();
    found.map(|range| Place { file: None, range: placed.to_file(range) }).collect()
}

/// The name at an offset that can be replaced; else a sentence why not.
pub(crate) fn prepare_rename(
    db: &dyn Database,
    file: File,
    offset: TextSize,
) -> Result<Renameable, String> {
    if file.language(db) == Language::Gcn {
        return assembly::prepare_rename(db, file, offset);
    }
    let (placed, place) = placed::at(db, file, offset).ok_or(NOTHING)?;
    let shader = placed.parse.shader.as_ref().ok_or(NOTHING)?;
    let found = rename::prepare(&placed.text, shader, place)?;
    Ok(Renameable { range: placed.to_file(found.range), ..found })
}

/// The edits that replace the name at an offset; else a sentence why not. `files` are all
/// there are: those that include the same file as this one are edited too.
pub(crate) fn rename(
    db: &dyn Database,
    files: &[File],
    file: File,
    offset: TextSize,
    name: &str,
) -> Result<Vec<FileEdit>, String> {
    if file.language(db) == Language::Gcn {
        return assembly::rename(db, files, file, offset, name);
    }
    let (placed, place) = placed::at(db, file, offset).ok_or(NOTHING)?;
    let shader = placed.parse.shader.as_ref().ok_or(NOTHING)?;
    let edits = rename::rename(&placed.text, shader, place, name)?;
    let here = |edit| FileEdit { file: None, edit };
    let edits = edits.into_iter().map(|edit| placed.map.edit_to_file(&edit).map(here));
    edits
        .collect::<Option<Vec<FileEdit>>>()
        .ok_or_else(|| "the file around the shader cannot hold the change".to_owned())
}

const NOTHING: &str = "only registers can be renumbered";

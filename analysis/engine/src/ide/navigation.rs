//! Definitions and references, and renaming.

use salsa::Database;
use text::{TextEdit, TextRange, TextSize};
use tgsi::service::accesses::AccessKind;
use tgsi::service::{navigation, rename};

use super::{assembly, placed};
use crate::inputs::{File, FileId, Language};

/// What the cursor is on, and where that is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definitions {
    /// The name under the cursor.
    pub origin: TextRange,
    /// Where it is declared.
    pub destinations: Vec<Destination>,
}

/// A place to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Destination {
    /// The file; `None` for the one that was asked about.
    pub file: Option<FileId>,
    /// The whole statement.
    pub range: TextRange,
    /// The name in it.
    pub selection: TextRange,
}

/// A place that names a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The file; `None` for the one that was asked about.
    pub file: Option<FileId>,
    /// The name.
    pub range: TextRange,
}

/// An edit of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdit {
    /// The file; `None` for the one that was asked about.
    pub file: Option<FileId>,
    /// The edit.
    pub edit: TextEdit,
}

/// Whether a list of references has the declaration too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum References {
    /// Every place.
    All,
    /// The places that use it.
    Uses,
}

/// What a rename replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renamed {
    /// A name, which stands whole wherever it stands.
    Name,
    /// A register, whose number is weighed with those that overlap it.
    Register,
}

/// A name that can be replaced everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renameable {
    /// What it is.
    pub kind: Renamed,
    /// The name under the cursor.
    pub range: TextRange,
    /// What is offered for editing.
    pub name: String,
}

pub(crate) fn definitions(db: &dyn Database, file: File, offset: TextSize) -> Option<Definitions> {
    if file.language(db) == Language::Gcn {
        return assembly::definitions(db, file, offset);
    }
    let (placed, place) = placed::at(db, file, offset)?;
    let shader = placed.parse.shader.as_ref()?;
    let found = navigation::definitions(&placed.text, shader, place)?;
    let destinations = found.destinations.iter().map(|destination| Destination {
        file: None,
        range: placed.to_file(destination.statement),
        selection: placed.to_file(destination.name),
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
    let found = navigation::references(&placed.text, shader, place).into_iter();
    let found = found.filter(|mention| {
        wanted == References::All || mention.kind != Some(AccessKind::Declaration)
    });
    found.map(|mention| Place { file: None, range: placed.to_file(mention.range) }).collect()
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
    let range = placed.to_file(found.range);
    Ok(Renameable { kind: Renamed::Register, range, name: found.name })
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

//! Definitions, uses and renames of names and registers of assembly,
//! over all files of the programs that read them.

use editor_model::{
    Definitions, Destination, FileEdit, HighlightKind, Place, References, Renameable, Renamed,
};
use gcn::assembler::sources::SourceId;
use gcn::service;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use source::{TextEdit, TextRange, TextSize};

use super::FileInProgram;
use crate::ide::{Query, RenameError};
use crate::inputs::{File, Language};
use crate::queries::programs;

pub(in crate::ide) fn definitions(q: Query<'_>, offset: TextSize) -> Option<Definitions> {
    let db = q.db;
    let asked = FileInProgram::of(db, q.file);
    let expansion = &asked.program.expansion;
    let Some(name) = expansion.name_at(asked.source, offset) else {
        return written(db, &asked, offset);
    };
    let places = expansion.definitions(&name).into_iter();
    let inputs = asked.inputs(db);
    let destinations: Vec<Destination> = places
        .filter_map(|span| {
            let file = asked.file_of(db, &inputs, span)?;
            Some(Destination { file, range: span.range, selection: span.range })
        })
        .collect();
    (!destinations.is_empty()).then_some(Definitions { origin: name.span.range, destinations })
}

/// The places where the value of the register at an offset was written.
fn written(db: &dyn Database, asked: &FileInProgram, offset: TextSize) -> Option<Definitions> {
    let (origin, places) = service::registers::definitions(asked.view_at(db, offset), offset)?;
    let inputs = asked.inputs(db);
    let destinations = places.into_iter().filter_map(|place| {
        let file = asked.file_of(db, &inputs, place.whole)?;
        Some(Destination { file, range: place.whole.range, selection: place.word.range })
    });
    Some(Definitions { origin, destinations: destinations.collect() })
}

/// The places that read and write the value of the register at an offset.
fn uses(
    db: &dyn Database,
    asked: &FileInProgram,
    offset: TextSize,
    wanted: References,
) -> Vec<Place> {
    let uses =
        service::registers::uses(asked.view_at(db, offset), offset).unwrap_or_default().into_iter();
    let inputs = asked.inputs(db);
    uses.filter(|found| wanted == References::All || found.kind != HighlightKind::Write)
        .filter_map(|found| {
            let file = asked.file_of(db, &inputs, found.span)?;
            Some(Place { file, range: found.span.range })
        })
        .collect()
}

/// The places of the program that name the thing at an offset, and of other programs that
/// read the file that defines it, those last.
pub(in crate::ide) fn references(q: Query<'_>, offset: TextSize, wanted: References) -> Vec<Place> {
    let Query { db, file, .. } = q;
    let asked = FileInProgram::of(db, file);
    let own = asked.references(db, asked.source, offset, wanted);
    let defined: Vec<(File, TextSize)> = asked.definitions(db, offset);
    let mut seen = vec![asked.root];
    let mut others: Vec<(File, TextRange)> = Vec::new();
    let known: FxHashSet<(File, TextRange)> = own.iter().copied().collect();
    while let Some((other, source, place)) = next_includer(q, &defined, &seen) {
        seen.push(other);
        let other = FileInProgram { program: programs::program(db, other), source, root: other };
        let more = other.references(db, source, place, wanted);
        others.extend(more.into_iter().filter(|place| !known.contains(place)));
    }
    if own.is_empty() {
        return uses(db, &asked, offset, wanted);
    }
    others.sort_by_cached_key(|(file, range)| (file.name(db), range.start()));
    others.dedup();
    let place = |(found, range): (File, TextRange)| Place {
        file: (found != file).then(|| found.id(db)),
        range,
    };
    own.into_iter().chain(others).map(place).collect()
}

pub(in crate::ide) fn prepare_rename(
    q: Query<'_>,
    offset: TextSize,
) -> Result<Renameable, RenameError> {
    let asked = FileInProgram::of(q.db, q.file);
    let view = asked.view_at(q.db, offset);
    let (kind, (range, name)) = match service::registers::rename::prepare(view, offset) {
        Some(register) => (Renamed::Register, register?),
        None => (Renamed::Name, service::rename::prepare(view, offset)?),
    };
    Ok(Renameable { kind, range, name })
}

/// The edits that give the register at an offset another number, or those of every file
/// that reads the name: those of the program, and those of other
/// programs that read an edited file.
pub(in crate::ide) fn rename(
    q: Query<'_>,
    offset: TextSize,
    new: &str,
) -> Result<Vec<FileEdit>, RenameError> {
    let Query { db, file, .. } = q;
    let asked = FileInProgram::of(db, file);
    let assemble = |text: &str| programs::assembled_text(db, asked.root, None, text);
    let view = asked.view_at(db, offset);
    if let Some(edits) = service::registers::rename::rename(view, offset, new, &assemble) {
        let here = |edit| FileEdit { file: None, edit };
        return Ok(edits?.into_iter().map(here).collect());
    }
    let mut edits: Vec<(File, TextEdit)> = Vec::new();
    let mut seen = vec![asked.root];
    edits.extend(asked.rename(db, offset, new)?);
    let mut known: FxHashSet<(File, TextRange)> =
        edits.iter().map(|(file, edit)| (*file, edit.range)).collect();
    // Each round may edit files that further ones include.
    loop {
        let edited: Vec<_> = edits.iter().map(|(file, edit)| (*file, edit.range.start())).collect();
        let Some((other, source, place)) = next_includer(q, &edited, &seen) else { break };
        seen.push(other);
        let other = FileInProgram { program: programs::program(db, other), source, root: other };
        if other.program.expansion.name_at(source, place).is_none() {
            continue; // It skips the line.
        }
        let more = other.rename(db, place, new).map_err(|reason| {
            let name = other.root.name(db);
            let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
            RenameError::Includer { file: name.to_owned(), reason: Box::new(reason) }
        })?;
        edits.extend(more.into_iter().filter(|(file, edit)| known.insert((*file, edit.range))));
    }
    let own = |(edited, edit): (File, TextEdit)| FileEdit {
        file: (edited != file).then(|| edited.id(db)),
        edit,
    };
    Ok(edits.into_iter().map(own).collect())
}

/// A file whose program reads one of some places, and that was not looked at yet, with the
/// place in it.
fn next_includer(
    q: Query<'_>,
    places: &[(File, TextSize)],
    seen: &[File],
) -> Option<(File, SourceId, TextSize)> {
    let db = q.db;
    let others = q.files.iter().filter(|it| it.language(db) == Language::Gcn && !seen.contains(it));
    let mut firsts: FxHashMap<File, TextSize> = FxHashMap::default();
    for (file, place) in places {
        firsts.entry(*file).or_insert(*place);
    }
    others.copied().find_map(|other| {
        let includes = other.includes(db);
        let (name, place) = includes
            .iter()
            .find_map(|(name, included)| Some((name, *firsts.get(&included.found()?)?)))?;
        let program = programs::program(db, other);
        let (source, _) = program.expansion.files().skip(1).find(|(_, it)| **it == **name)?;
        Some((other, source, place))
    })
}

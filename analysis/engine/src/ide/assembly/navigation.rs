//! Writes and reads of registers, and the programs that read a file.

use editor_model::{Definitions, Destination, HighlightKind, Location, References};
use gcn::assembler::sources::SourceId;
use gcn::service;
use rustc_hash::FxHashMap;
use salsa::Database;
use source::TextSize;

use super::FileInProgram;
use crate::ide::Query;
use crate::inputs::{File, Language};
use crate::queries::programs;

/// The places where the value of the register at an offset was written.
pub(in crate::ide) fn written(
    db: &dyn Database,
    asked: &FileInProgram,
    offset: TextSize,
) -> Option<Definitions> {
    let (origin, places) = service::registers::definitions(asked.view_at(db, offset), offset)?;
    let inputs = asked.inputs(db);
    let destinations = places.into_iter().filter_map(|place| {
        let file = asked.file_of(db, &inputs, place.whole)?;
        Some(Destination { file, range: place.whole.range, selection: place.word.range })
    });
    Some(Definitions { origin, destinations: destinations.collect() })
}

/// The places that read and write the value of the register at an offset.
pub(in crate::ide) fn uses(
    db: &dyn Database,
    asked: &FileInProgram,
    offset: TextSize,
    wanted: References,
) -> Vec<Location> {
    let uses =
        service::registers::uses(asked.view_at(db, offset), offset).unwrap_or_default().into_iter();
    let inputs = asked.inputs(db);
    uses.filter(|found| wanted == References::All || found.kind != HighlightKind::Write)
        .filter_map(|found| {
            let file = asked.file_of(db, &inputs, found.span)?;
            Some(Location { file, range: found.span.range })
        })
        .collect()
}

/// A file whose program reads one of some places, and that was not looked at yet, with the
/// place in it.
pub(in crate::ide) fn next_includer(
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

//! Programs of assembly with the files that they are made of, and names in them.

mod navigation;
#[cfg(test)]
mod tests;

use editor_model::References;
use gcn::assembler::sources::{SourceId, Span};
use gcn::service::{self, View};
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use source::{TextEdit, TextRange, TextSize};

use super::RenameError;
use crate::inputs::{File, FileId};
use crate::queries::programs::{self, Shared};

pub(super) use navigation::{next_includer, uses, written};

/// A program, and which of its files was asked about.
pub(super) struct FileInProgram {
    pub(super) program: Shared,
    pub(super) source: SourceId,
    /// The file that the program is made of.
    pub(super) root: File,
}

/// The files of a program's sources.
pub(super) struct Inputs(FxHashMap<SourceId, File>);

impl Inputs {
    fn of(&self, source: SourceId) -> Option<File> {
        self.0.get(&source).copied()
    }
}

impl FileInProgram {
    pub(super) fn of(db: &dyn Database, file: File) -> FileInProgram {
        let (root, source) = programs::root_includer(db, file).unwrap_or((file, SourceId::ROOT));
        FileInProgram { program: programs::program(db, root), source, root }
    }

    pub(super) fn view(&self) -> View<'_> {
        View { program: &self.program, source: self.source }
    }

    /// The same, where what is asked may be about a register: following its values in a
    /// long kernel takes time in which the question may be cancelled.
    pub(super) fn view_at(&self, db: &dyn Database, offset: TextSize) -> View<'_> {
        let checkpoint = || db.unwind_if_revision_cancelled();
        service::registers::follow(self.view(), offset, &checkpoint);
        self.view()
    }

    /// The places of the program that name the thing at an offset of a source.
    pub(super) fn references(
        &self,
        db: &dyn Database,
        source: SourceId,
        offset: TextSize,
        wanted: References,
    ) -> Vec<(File, TextRange)> {
        let expansion = &self.program.expansion;
        let Some(name) = expansion.name_at(source, offset) else { return Vec::new() };
        let definitions: FxHashSet<Span> = match wanted {
            References::All => FxHashSet::default(),
            References::Uses => expansion.definitions(&name).into_iter().collect(),
        };
        let places = expansion.references(&name).into_iter();
        let places = places.filter(|span| !definitions.contains(span));
        let inputs = self.inputs(db);
        places.filter_map(|span| Some((inputs.of(span.source)?, span.range))).collect()
    }

    /// The definitions of the thing at an offset.
    pub(super) fn definitions(&self, db: &dyn Database, offset: TextSize) -> Vec<(File, TextSize)> {
        let expansion = &self.program.expansion;
        let Some(name) = expansion.name_at(self.source, offset) else { return Vec::new() };
        let places = expansion.definitions(&name).into_iter();
        let inputs = self.inputs(db);
        places.filter_map(|span| Some((inputs.of(span.source)?, span.range.start()))).collect()
    }

    /// The edits of the program's files that give the name at an offset another.
    pub(super) fn rename(
        &self,
        db: &dyn Database,
        offset: TextSize,
        new: &str,
    ) -> Result<Vec<(File, TextEdit)>, RenameError> {
        let mut edits: Vec<(File, TextEdit)> = Vec::new();
        let (inputs, mut known) = (self.inputs(db), FxHashSet::default());
        for (source, edit) in service::rename::rename(self.view(), offset, new)? {
            let file = inputs.of(source).ok_or(RenameError::UnknownFile)?;
            // A file that is included twice is edited once.
            if known.insert((file, edit.range)) {
                edits.push((file, edit));
            }
        }
        Ok(edits)
    }

    /// The files of the program's sources.
    pub(super) fn inputs(&self, db: &dyn Database) -> Inputs {
        let includes = self.root.includes(db);
        let named = programs::by_name(&includes);
        let files = self.program.expansion.files();
        let included = files.filter(|(source, _)| *source != SourceId::ROOT);
        let included = included.filter_map(|(source, name)| Some((source, *named.get(name)?)));
        Inputs(included.chain([(SourceId::ROOT, self.root)]).collect())
    }

    /// The file that a place is in; `None` for the one that was asked about, and
    /// nothing for a place in no known file.
    pub(super) fn file_of(
        &self,
        db: &dyn Database,
        inputs: &Inputs,
        span: Span,
    ) -> Option<Option<FileId>> {
        if span.source == self.source {
            return Some(None);
        }
        Some(Some(inputs.of(span.source)?.id(db)))
    }
}

/// The words in a range that may name something, with their places.
pub(super) fn names_in(
    db: &dyn Database,
    file: File,
    range: TextRange,
) -> Vec<(String, TextRange)> {
    service::names::names(FileInProgram::of(db, file).view(), range)
}

/// The first word of a line for a place in the blanks before it: an editor's cursor at
/// the line's start means the line.
pub(super) fn behind_indent(asked: &FileInProgram, offset: TextSize) -> TextSize {
    let text = asked.view().text();
    let Some((before, after)) = text.split_at_checked(offset.into()) else { return offset };
    let blank = |letter: char| matches!(letter, ' ' | '\t');
    if !before.trim_end_matches(blank).is_empty()
        && !before.trim_end_matches(blank).ends_with(['\n', '\r'])
    {
        return offset;
    }
    offset + TextSize::of(after) - TextSize::of(after.trim_start_matches(blank))
}

/// The names in a range that may call something, each with the file and the place of the
/// first definition; no file is the one that was asked about.
pub(super) fn defined_names_in(
    db: &dyn Database,
    file: File,
    range: TextRange,
) -> Vec<(TextRange, Option<FileId>, TextRange)> {
    let asked = FileInProgram::of(db, file);
    let (expansion, inputs) = (&asked.program.expansion, asked.inputs(db));
    let named = service::names::names(asked.view(), range).into_iter();
    let named: FxHashSet<TextRange> = named.map(|(_, place)| place).collect();
    let mut found = Vec::new();
    expansion.each_name(asked.source, &mut |name| {
        if !named.contains(&name.span.range) {
            return;
        }
        let definition = expansion.definitions(&name).into_iter().next();
        if let Some(place) = definition
            && let Some(file) = asked.file_of(db, &inputs, place)
        {
            found.push((name.span.range, file, place.range));
        }
    });
    found
}

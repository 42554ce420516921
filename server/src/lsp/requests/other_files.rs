//! Places in files beside the document that was asked about.

use std::collections::{HashMap, HashSet};
use std::str::FromStr;

use engine::{Cancelled, FileId};
use source::TextRange;
use tower_lsp::ls_types::{Location, Uri};

use crate::lsp::to_protocol::Lines;
use crate::lsp::workers::Context;

/// The documents that a request about all of them is about, and what they include, in order
/// of their names.
pub(crate) fn everywhere(context: &Context) -> Result<Vec<(Uri, FileId)>, Cancelled> {
    let known = context.documents.iter().map(|it| (it.uri.clone(), it.file));
    let mut files: Vec<(Uri, FileId)> = known.collect();
    let mut seen: HashSet<FileId> = files.iter().map(|(_, file)| *file).collect();
    let mut next = 0;
    while let Some((_, file)) = files.get(next) {
        next += 1;
        for (_, included) in context.snapshot.includes(*file)? {
            if seen.insert(included)
                && let Ok(uri) = Uri::from_str(&context.snapshot.name(included)?)
            {
                files.push((uri, included));
            }
        }
    }
    files.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
    Ok(files)
}

/// The lines of other files, each found once.
pub(crate) struct OtherFiles<'a> {
    context: &'a Context,
    known: HashMap<FileId, (Option<Uri>, Lines)>,
}

impl<'a> OtherFiles<'a> {
    /// No file yet.
    pub(crate) fn new(context: &'a Context) -> OtherFiles<'a> {
        OtherFiles { context, known: HashMap::new() }
    }

    /// The file that was asked about.
    pub(crate) fn asked(&self) -> FileId {
        self.context.file
    }

    /// A place in a file; `None` where the file has no URI.
    pub(crate) fn location(
        &mut self,
        file: FileId,
        range: TextRange,
    ) -> Result<Option<Location>, Cancelled> {
        let snapshot = &self.context.snapshot;
        if !self.known.contains_key(&file) {
            let uri = Uri::from_str(&snapshot.name(file)?).ok();
            let lines = Lines::of(snapshot, file, self.context.client.column_unit)?;
            self.known.insert(file, (uri, lines));
        }
        let Some((Some(uri), lines)) = self.known.get(&file) else { return Ok(None) };
        Ok(Some(Location::new(uri.clone(), lines.range(range))))
    }
}

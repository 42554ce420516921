//! Mutations drawn from a seed, evenly over lines of code and rows of tables.

use std::collections::BTreeSet;
use std::path::Path;

use super::operators::{self, Change};
use super::source::{Source, built, sources};
use super::state::Mutation;
use super::tables;
use crate::chance::Chance;

/// A place that may be drawn.
enum Place {
    /// A line of a source: the tokens that stand on it.
    Line { source: usize, tokens: std::ops::Range<usize> },
    /// A row of a table, by its first byte.
    Row { table: usize, start: usize },
}

/// Everything that may be mutated.
pub(super) struct Sheet {
    sources: Vec<Source>,
    tables: Vec<(String, String)>,
    places: Vec<Place>,
}

impl Sheet {
    /// Reads the code and the tables of crates, given by their folders.
    pub(super) fn read(root: &Path, folders: &[&str]) -> Result<Self, String> {
        let mut sheet = Self { sources: Vec::new(), tables: Vec::new(), places: Vec::new() };
        for folder in folders {
            let files = sources(root, folder)?;
            for path in built(root, folder) {
                let text = std::fs::read_to_string(root.join(&path))
                    .map_err(|error| format!("{path}: {error}"))?;
                let table = sheet.tables.len();
                let rows = tables::row_starts(&text).into_iter();
                sheet.places.extend(rows.map(|start| Place::Row { table, start }));
                sheet.tables.push((path, text));
            }
            for file in files {
                let source = sheet.sources.len();
                let lines = lines(&file).into_iter();
                sheet.places.extend(lines.map(|tokens| Place::Line { source, tokens }));
                sheet.sources.push(file);
            }
        }
        Ok(sheet)
    }

    /// Counts the lines of code and the rows of tables.
    pub(super) fn size(&self) -> (usize, usize) {
        let rows = self.places.iter().filter(|place| matches!(place, Place::Row { .. })).count();
        (self.places.len() - rows, rows)
    }

    /// Draws mutations without end, each once.
    pub(super) fn draw(&self, seed: u64) -> impl Iterator<Item = Mutation> {
        let mut numbers = Chance(seed);
        let mut drawn = BTreeSet::new();
        std::iter::from_fn(move || {
            loop {
                let place = &self.places[numbers.below(self.places.len())];
                let (path, text, mut changes) = self.changes(place);
                if changes.is_empty() {
                    continue;
                }
                let change = changes.swap_remove(numbers.below(changes.len()));
                if drawn.insert((path.to_owned(), change.start, change.new.clone())) {
                    return Some(Mutation::new(path, text, &change));
                }
            }
        })
    }

    fn changes(&self, place: &Place) -> (&str, &str, Vec<Change>) {
        match place {
            Place::Line { source, tokens } => {
                let source = &self.sources[*source];
                (&source.path, &source.text, operators::changes(source, tokens.clone()))
            }
            Place::Row { table, start } => {
                let (path, text) = &self.tables[*table];
                (path, text, tables::changes(text, *start))
            }
        }
    }
}

/// The tokens of each line that has any.
fn lines(source: &Source) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, token) in source.tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| source.tokens[before].end);
        let same = before.is_some_and(|before| !source.text[before..token.start].contains('\n'));
        match found.last_mut() {
            Some(last) if same => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

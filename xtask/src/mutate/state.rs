//! The record of a run: what was drawn and what became of it, one line each, appended
//! as it happens, so that a run that was broken off goes on where it was.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use super::operators::Change;

/// A change of one place of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mutation {
    /// The path from the root of the repository.
    pub(super) path: String,
    /// The line, counted from 1.
    pub(super) line: usize,
    /// The byte of the line at which the change begins.
    pub(super) column: usize,
    pub(super) operator: String,
    /// The line before the change.
    pub(super) row: String,
    pub(super) old: String,
    pub(super) new: String,
}

/// The fate of a mutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No test has run with it yet.
    Drawn,
    /// Unviable: it does not compile, or changes nothing in the compiled code.
    Unviable,
    /// The tests of its own crate see it.
    Killed,
    /// The tests of its own crate do not see it; the others have not been asked.
    Missed,
    /// Only tests of other crates see it.
    KilledByOthers,
    /// No test sees it.
    Survived,
}

const NAMES: [(Verdict, &str); 6] = [
    (Verdict::Drawn, "drawn"),
    (Verdict::Unviable, "unviable"),
    (Verdict::Killed, "killed"),
    (Verdict::Missed, "missed"),
    (Verdict::KilledByOthers, "killed by others"),
    (Verdict::Survived, "survived"),
];

impl Verdict {
    /// Returns the word for it.
    pub(super) fn name(self) -> &'static str {
        NAMES.iter().find(|(verdict, _)| *verdict == self).map_or("", |(_, name)| name)
    }
}

impl Mutation {
    /// Describes a change of a text.
    pub(super) fn new(path: &str, text: &str, change: &Change) -> Self {
        let begin = text[..change.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[begin..].find('\n').map_or(text.len(), |at| begin + at);
        Self {
            path: path.to_owned(),
            line: text[..begin].matches('\n').count() + 1,
            column: change.start - begin,
            operator: change.operator.to_owned(),
            row: text[begin..end].to_owned(),
            old: text[change.start..change.end].to_owned(),
            new: change.new.clone(),
        }
    }

    /// Returns the bytes that it replaces in a text, which may have changed since.
    pub(super) fn place(&self, text: &str) -> Option<std::ops::Range<usize>> {
        let mut begin = 0;
        let mut nearest: Option<(usize, usize)> = None;
        for (at, row) in text.split('\n').enumerate() {
            let start = begin + self.column;
            let distance = (at + 1).abs_diff(self.line);
            if row == self.row
                && text.get(start..).is_some_and(|rest| rest.starts_with(&self.old))
                && nearest.is_none_or(|(best, _)| distance < best)
            {
                nearest = Some((distance, start));
            }
            begin += row.len() + 1;
        }
        nearest.map(|(_, start)| start..start + self.old.len())
    }

    /// Returns the line as it becomes.
    pub(super) fn new_row(&self) -> String {
        let end = (self.column + self.old.len()).min(self.row.len());
        let new = format!("{}{}{}", &self.row[..self.column], self.new, &self.row[end..]);
        new.lines().next().unwrap_or("").trim().to_owned()
    }

    /// Returns the folder of its crate.
    pub(super) fn folder(&self) -> &str {
        let end = self.path.match_indices('/').find(|(at, _)| !self.path[..*at].eq("analysis"));
        end.map_or(&self.path, |(at, _)| &self.path[..at])
    }
}

/// The way in which a mutation gets into a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// One build has it with others, and a variable switches it on.
    Switched,
    /// Has a build of its own.
    Alone,
}

/// The word for [`Way::Alone`].
const ALONE: &str = "alone";

/// A mutation and what became of it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) mutation: Mutation,
    pub(super) verdict: Verdict,
    /// The test that saw it.
    pub(super) test: String,
    pub(super) way: Way,
}

impl Entry {
    /// Describes a mutation of which nothing is known.
    pub(super) fn drawn(mutation: Mutation) -> Self {
        let (verdict, test) = (Verdict::Drawn, String::new());
        Self { mutation, verdict, test, way: Way::Switched }
    }
}

/// The record of a run.
pub(super) struct Record {
    file: File,
    pub(super) entries: Vec<Entry>,
}

impl Record {
    /// Opens a record, or begins one.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let failed = |error| format!("{}: {error}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let text =
            if path.exists() { std::fs::read_to_string(path).map_err(failed)? } else { "".into() };
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        let mut record = Self { file, entries: Vec::new() };
        for line in text.lines() {
            let entry = read(line).ok_or_else(|| format!("{}: {line}", path.display()))?;
            record.keep(entry);
        }
        Ok(record)
    }

    /// Adds an entry, or the news of one, to the file and to what is known.
    pub(super) fn add(&mut self, entry: Entry) -> Result<(), String> {
        let line = write(&entry);
        self.keep(entry);
        self.file.write_all(line.as_bytes()).map_err(|error| error.to_string())?;
        self.file.flush().map_err(|error| error.to_string())
    }

    /// Returns the first mutations that compile, as many as are counted, by their numbers.
    pub(super) fn counted(&self, count: usize) -> impl Iterator<Item = (usize, &Entry)> {
        let viable = |it: &(usize, &Entry)| it.1.verdict != Verdict::Unviable;
        self.entries.iter().enumerate().filter(viable).take(count)
    }

    /// Writes down what became of the mutation of a number.
    pub(super) fn tell(
        &mut self,
        number: usize,
        verdict: Verdict,
        test: &str,
    ) -> Result<(), String> {
        self.add(Entry { verdict, test: test.to_owned(), ..self.entries[number].clone() })
    }

    /// Writes down that the mutation of a number has no switch.
    pub(super) fn set_alone(&mut self, number: usize) -> Result<(), String> {
        self.add(Entry { way: Way::Alone, ..self.entries[number].clone() })
    }

    fn keep(&mut self, entry: Entry) {
        match self.entries.iter_mut().find(|known| known.mutation == entry.mutation) {
            Some(known) => *known = entry,
            None => self.entries.push(entry),
        }
    }
}

fn write(entry: &Entry) -> String {
    let it = &entry.mutation;
    let mut line = format!("{}\t{}\t{}", it.path, it.line, it.column);
    for cell in [&it.operator, &it.row, &it.old, &it.new] {
        let cell = cell.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n");
        let _ = write!(line, "\t{cell}");
    }
    let way = if entry.way == Way::Alone { ALONE } else { "" };
    let _ = writeln!(line, "\t{}\t{}\t{way}", entry.verdict.name(), entry.test);
    line
}

fn read(line: &str) -> Option<Entry> {
    let mut cells = line.split('\t');
    let mut next = || cells.next();
    let mutation = Mutation {
        path: next()?.to_owned(),
        line: next()?.parse().ok()?,
        column: next()?.parse().ok()?,
        operator: plain(next()?),
        row: plain(next()?),
        old: plain(next()?),
        new: plain(next()?),
    };
    let word = next()?;
    let verdict = NAMES.iter().find(|(_, name)| *name == word)?.0;
    let test = next()?.to_owned();
    let way = if next() == Some(ALONE) { Way::Alone } else { Way::Switched };
    Some(Entry { mutation, verdict, test, way })
}

/// Takes the escapes out of a cell.
fn plain(cell: &str) -> String {
    let mut out = String::new();
    let mut characters = cell.chars();
    while let Some(character) = characters.next() {
        match (character, character == '\\') {
            (_, true) => match characters.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                other => out.extend(other),
            },
            (plain, false) => out.push(plain),
        }
    }
    out
}

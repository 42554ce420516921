//! Records: what a crate says about many programs, pinned by checksums.
//!
//! A table has a row for each program and a column for each question. Where an answer
//! changed, the test names the program and the question; whoever meant it writes the table
//! anew with `UPDATE_EXPECT=1`. With `TUNGSTEN_ANSWERS=folder` every answer is written there
//! in full: once before a change and once behind it, and `diff -r` shows what changed.
//!
//! Unit tests include this file by its path, for they cannot use the crate `tests`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The answers of a table: checksums by program and question.
pub(crate) struct Records {
    file: PathBuf,
    sums: BTreeMap<String, BTreeMap<String, String>>,
}

/// A checksum (FNV-1a, folded).
fn sum(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{:08x}", (hash >> 32) as u32 ^ hash as u32)
}

impl Records {
    /// Begins the answers of the table in a file.
    pub(crate) fn new(file: impl Into<PathBuf>) -> Records {
        Records { file: file.into(), sums: BTreeMap::new() }
    }

    /// Adds an answer.
    pub(crate) fn add(&mut self, program: &str, question: &str, answer: &str) {
        if let Some(folder) = std::env::var_os("TUNGSTEN_ANSWERS") {
            let table = self.file.file_stem().unwrap_or_default();
            let folder = Path::new(&folder).join(table).join(program);
            std::fs::create_dir_all(&folder).expect("a folder for records");
            std::fs::write(folder.join(question), answer).expect("a record");
        }
        self.sums.entry(program.to_owned()).or_default().insert(question.to_owned(), sum(answer));
    }

    fn questions(&self) -> BTreeSet<&str> {
        self.sums.values().flat_map(|row| row.keys().map(String::as_str)).collect()
    }

    fn table(&self) -> String {
        let questions = self.questions();
        let mut table = String::from("program");
        questions.iter().for_each(|question| table += &format!("\t{question}"));
        for (program, row) in &self.sums {
            let _ = write!(table, "\n{program}");
            for question in &questions {
                let _ = write!(table, "\t{}", row.get(*question).map_or("-", |sum| sum));
            }
        }
        table + "\n"
    }

    /// Compares with the table, or writes it with `UPDATE_EXPECT=1`.
    ///
    /// # Panics
    /// Where an answer is another one; the message names the first ones.
    pub(crate) fn check(&self) {
        let new = self.table();
        if std::env::var_os("UPDATE_EXPECT").is_some_and(|it| it == "1") {
            std::fs::write(&self.file, new).expect("a table that can be written");
            return;
        }
        let old = std::fs::read_to_string(&self.file).unwrap_or_default();
        let (old, new) = (cells(&old), cells(&new));
        let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
        let other: Vec<String> = keys
            .into_iter()
            .filter(|key| old.get(*key) != new.get(*key))
            .map(|(program, question)| format!("{program}: {question}"))
            .collect();
        assert!(
            other.is_empty(),
            "{} answers are not those of {}: {:#?}; tests/src/records.rs says how to see them",
            other.len(),
            self.file.display(),
            &other[..other.len().min(12)],
        );
    }
}

/// The cells of a table by program and question.
fn cells(table: &str) -> BTreeMap<(String, String), String> {
    let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let questions = lines.next().unwrap_or_default();
    let mut cells = BTreeMap::new();
    for row in lines {
        for (question, cell) in questions.iter().zip(&row).skip(1) {
            cells.insert((row[0].to_owned(), (*question).to_owned()), (*cell).to_owned());
        }
    }
    cells
}

//! Lines of the assemblers' tables, for conversions between their dialects.

use std::collections::BTreeSet;

use crate::corpora::shared;
use crate::matrix::{CLRX_CLASSES, rows};

/// A line that one dialect or the other may take.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sample {
    /// The processor.
    pub class: String,
    /// The line.
    pub line: String,
}

/// The opcode tables that go with the classes.
const TABLES: [&str; 5] = [
    "gcn10-si-gfx600.tsv",
    "gcn11-ci-gfx704.tsv",
    "gcn12-vi-gfx803.tsv",
    "gcn14-vega-gfx900.tsv",
    "gcn141-vega20-gfx906.tsv",
];

/// Every n-th line of the matrix of each class, and a sample of every opcode.
///
/// # Panics
/// Where a table is absent or cannot be read.
pub fn samples(step: usize) -> Vec<Sample> {
    let folder = shared("data/gcn");
    let mut samples = BTreeSet::new();
    for (class, table) in CLRX_CLASSES.into_iter().zip(TABLES) {
        let path = folder.join("mc-matrix").join(format!("{class}.tsv.gz"));
        let rows = rows(&path).expect("the matrix");
        let lines = rows.into_iter().filter(|row| row.verdict.is_ok()).step_by(step);
        let of_matrix = lines.map(|row| row.line);
        let text = std::fs::read_to_string(folder.join("opcodes").join(table)).expect("opcodes");
        let of_table = text.lines().skip(1).filter_map(|row| row.split('\t').nth(4));
        let of_table: Vec<String> = of_table.map(str::to_owned).collect();
        samples
            .extend(of_matrix.chain(of_table).map(|line| Sample { class: class.to_owned(), line }));
    }
    samples.into_iter().collect()
}

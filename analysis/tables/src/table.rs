//! Reads a table: tab-separated cells, lines with `#` are notes, the first other line
//! names the columns. Cells are asked for by column name, so that a table may gain
//! columns and order them as it reads best.

use std::path::Path;
use std::str::FromStr;

use crate::{Error, Result};

/// A table's columns and rows.
pub struct Table {
    path: String,
    columns: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
}

/// A row of a table, with its line for messages.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    table: &'a Table,
    line: usize,
    cells: &'a [String],
}

/// Reads a text under `data`, and has the build run again once it changes.
pub fn read(data: &Path, name: &str) -> Result<String> {
    let file = data.join(name);
    println!("cargo::rerun-if-changed={}", file.display());
    std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", label(data, name)).into())
}

impl Table {
    /// Reads a table under `data`, and has the build run again once it changes.
    pub fn read(data: &Path, name: &str) -> Result<Table> {
        let (path, text) = (label(data, name), read(data, name)?);
        let mut table = Table { path, columns: Vec::new(), rows: Vec::new() };
        for (index, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
            let (have, want) = (cells.len(), table.columns.len());
            if want == 0 {
                table.columns = cells;
            } else if have == want {
                table.rows.push((index + 1, cells));
            } else {
                let message = format!("{have} cells, {want} columns");
                return Err(Error { place: Some((table.path, index + 1)), message });
            }
        }
        Ok(table)
    }

    /// Returns its path, as messages have it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The rows in the order of the text.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|(line, cells)| Row { table: self, line: *line, cells })
    }
}

impl<'a> Row<'a> {
    /// Returns its line in the file.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Tells whether there is a column.
    pub fn has(&self, column: &str) -> bool {
        self.table.columns.iter().any(|name| name == column)
    }

    /// The cell of a column.
    pub fn cell(&self, column: &str) -> Result<&'a str> {
        let position = self.table.columns.iter().position(|name| name == column);
        position
            .map(|position| self.cells[position].as_str())
            .ok_or_else(|| format!("{}: there is no column `{column}`", self.table.path).into())
    }

    /// The words of a cell with commas between them.
    pub fn words(&self, column: &str) -> Result<impl Iterator<Item = &'a str> + use<'a>> {
        Ok(self.cell(column)?.split(',').filter(|word| !word.is_empty()))
    }

    /// The number in a column, `None` where the cell is empty.
    pub fn optional_number(&self, column: &str) -> Result<Option<u32>> {
        if self.cell(column)?.is_empty() { Ok(None) } else { self.number(column).map(Some) }
    }

    /// The number in a column.
    pub fn number<T: FromStr>(&self, column: &str) -> Result<T> {
        self.cell(column)?.parse().map_err(|_| self.refuse(column))
    }

    /// The `1` or `0`, or the `yes` or `no`, in a column.
    pub fn flag(&self, column: &str) -> Result<bool> {
        match self.cell(column)? {
            "yes" | "1" => Ok(true),
            "no" | "0" => Ok(false),
            _ => Err(self.refuse(column)),
        }
    }

    /// Returns the value that a word of a list stands for; the cell must be one of the
    /// words.
    pub fn one_of<T: Copy>(&self, column: &str, words: &[(&str, T)]) -> Result<T> {
        let cell = self.cell(column)?;
        let word = words.iter().find(|(word, _)| *word == cell);
        word.map(|(_, meaning)| *meaning).ok_or_else(|| self.refuse(column))
    }

    /// Returns the value that `named` knows under the name in a column.
    pub fn named<T>(&self, column: &str, named: impl Fn(&str) -> Option<T>) -> Result<T> {
        named(self.cell(column)?).ok_or_else(|| self.refuse(column))
    }

    /// The error for a cell that is not understood.
    pub fn refuse(&self, column: &str) -> Error {
        let cell = self.cell(column).unwrap_or_default();
        self.error(format!("{column} `{cell}` is not understood"))
    }

    /// An error in this row.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error { place: Some((self.table.path.clone(), self.line)), message: message.into() }
    }
}

/// Names a table as messages do: by its crate's place in the repository.
fn label(data: &Path, name: &str) -> String {
    let parts: Vec<_> = data.iter().rev().take(3).collect();
    let folder: Vec<_> = parts.iter().rev().map(|part| part.to_string_lossy()).collect();
    format!("{}/{name}", folder.join("/"))
}

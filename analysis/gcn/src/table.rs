//! Reads the tables that are compiled into the library.
//!
//! A table is a text file of tab-separated cells: lines with `#` are notes,
//! the first other line names the columns. Cells are asked for by column name,
//! so that a table may gain columns and order them as it reads best.

/// A table's columns and rows.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<&'static str>,
    rows: Vec<(usize, Vec<&'static str>)>,
}

/// A row of a table, with its line for messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    table: &'a Table,
    line: usize,
    cells: &'a [&'static str],
}

impl Table {
    /// Splits a text. A row with more or fewer cells than columns is an error.
    pub(crate) fn parse(text: &'static str) -> Result<Table, String> {
        let mut columns = Vec::new();
        let mut rows = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let cells: Vec<&'static str> = line.split('\t').collect();
            if columns.is_empty() {
                columns = cells;
            } else if cells.len() == columns.len() {
                rows.push((index + 1, cells));
            } else {
                return Err(format!(
                    "line {}: {} cells, {} columns",
                    index + 1,
                    cells.len(),
                    columns.len()
                ));
            }
        }
        Ok(Table { columns, rows })
    }

    /// The rows in the order of the text.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|(line, cells)| Row { table: self, line: *line, cells })
    }
}

impl Row<'_> {
    /// The cell of a column.
    pub(crate) fn cell(&self, column: &str) -> Result<&'static str, String> {
        let position = self.table.columns.iter().position(|name| *name == column);
        position
            .and_then(|position| self.cells.get(position).copied())
            .ok_or_else(|| format!("no column {column}"))
    }

    /// The number in a column.
    pub(crate) fn number(&self, column: &str) -> Result<u32, String> {
        let cell = self.cell(column)?;
        cell.parse().map_err(|_| self.refuse(column, cell))
    }

    /// The message for a cell that is not understood.
    pub(crate) fn refuse(&self, column: &str, cell: &str) -> String {
        format!("line {}: {column} `{cell}` is not understood", self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_column() {
        let table = Table::parse("# note\nname\tsize\tgood\nfirst\t3\tyes\nsecond\t\tperhaps\n");
        let table = table.expect("well formed");
        let rows: Vec<Row<'_>> = table.rows().collect();
        assert_eq!(rows[0].cell("name"), Ok("first"));
        assert_eq!(rows[0].number("size"), Ok(3));
        assert!(rows[1].number("size").is_err());
        assert!(rows[1].cell("colour").is_err());
    }

    #[test]
    fn a_short_row_is_an_error() {
        assert!(Table::parse("a\tb\n1\n").is_err());
    }
}

//! The mutations of tables: a cell changed, or a row left out.

use super::operators::Change;

/// Columns that are for readers of the table and that nothing reads.
const NOT_READ: [&str; 1] = ["source"];

/// A row of a table.
struct Row {
    start: usize,
    cells: Vec<(usize, usize)>,
}

/// The rows of a table that say something, the names of the columns before them.
fn rows(text: &str) -> Vec<Row> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let row = line.trim_end_matches('\n');
        if !row.is_empty() && !row.starts_with('#') {
            let mut at = start;
            let cells = row.split('\t').map(|cell| {
                let place = (at, at + cell.len());
                at += cell.len() + 1;
                place
            });
            found.push(Row { start, cells: cells.collect() });
        }
        start += line.len();
    }
    found
}

/// Returns the first bytes of the rows of a table.
pub(super) fn row_starts(text: &str) -> Vec<usize> {
    rows(text).iter().skip(1).map(|row| row.start).collect()
}

/// Lists every change of the row that begins at a byte.
pub(super) fn changes(text: &str, start: usize) -> Vec<Change> {
    let rows = rows(text);
    let Some(at) = rows.iter().position(|row| row.start == start) else { return Vec::new() };
    let cell = |row: usize, column: usize| {
        rows.get(row)?.cells.get(column).map(|(start, end)| &text[*start..*end])
    };
    let mut found = Vec::new();
    for (column, (start, end)) in rows[at].cells.iter().enumerate() {
        if cell(0, column).is_none_or(|name| NOT_READ.contains(&name)) {
            continue;
        }
        let change = |operator, new: String| Change { operator, start: *start, end: *end, new };
        let old = &text[*start..*end];
        if let Ok(number) = old.parse::<i64>() {
            found.push(change("number of a table", (number + 1).to_string()));
            found.push(change("number of a table", (number - 1).to_string()));
        }
        let beside = [at + 1, at - 1].into_iter().filter(|row| *row > 0);
        let other = beside.filter_map(|row| cell(row, column)).find(|other| *other != old);
        found.extend(other.map(|other| change("cell of a table", other.to_owned())));
    }
    let end = rows[at].cells.last().map_or(start, |cell| cell.1);
    let end = (end + 1).min(text.len());
    found.push(Change { operator: "row of a table", start, end, new: String::new() });
    found
}

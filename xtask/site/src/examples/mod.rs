//! Examples of the reference. Nothing is shown that was not run while the site was made.

pub(crate) mod gcn;
pub(crate) mod tgsi;

/// The rows of a table without its comments and its head, as cells.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let rows = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.skip(1).map(|row| row.split('\t').collect())
}

//! Chips that are known by name alone.

use std::path::Path;

use tables::print::array;
use tables::{Result, Table};

/// Returns the code for the chips that are not supported.
pub(crate) fn code(data: &Path) -> Result<String> {
    let table = Table::read(data, "gcn/unsupported.tsv")?;
    let supported = Table::read(data, "gcn/targets.tsv")?;
    let mut rows = Vec::new();
    for row in table.rows() {
        let (name, machine) = (row.cell("name")?, row.number::<u32>("machine")?);
        for chip in supported.rows() {
            if chip.cell("name")? == name || chip.optional_number("machine")? == Some(machine) {
                return Err(row.error(format!("`{name}` is supported: {}", chip.cell("name")?)));
            }
        }
        rows.push(format!(
            "UnsupportedChip {{ name: {name:?}, family: {:?}, machine: {machine}, \
             aliases: &{:?} }},\n",
            row.cell("family")?,
            row.words("aliases")?.collect::<Vec<_>>(),
        ));
    }
    Ok(array("UNSUPPORTED", "UnsupportedChip", &rows))
}

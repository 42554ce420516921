//! Chips that are known by name alone, and instructions that tell them from others.

use std::collections::BTreeSet;
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
    Ok(array("UNSUPPORTED", "UnsupportedChip", &rows) + &newer_generations(data)?)
}

/// Returns the code for the instructions that only later chips have, or only others.
fn newer_generations(data: &Path) -> Result<String> {
    let table = Table::read(data, "gcn/newer_generations.tsv")?;
    let opcodes = Table::read(data, "gcn/opcodes.tsv")?;
    let known = opcodes.rows().map(|row| row.cell("name")).collect::<Result<BTreeSet<_>>>()?;
    let mut rows = Vec::new();
    let mut last = String::new();
    for row in table.rows() {
        let (mnemonic, since) = (row.cell("mnemonic")?, row.cell("since")?);
        if *mnemonic <= *last {
            return Err(row.error(format!("`{mnemonic}` is not behind `{last}`")));
        }
        if known.contains(mnemonic) != since.is_empty() {
            return Err(row.error(format!("`{mnemonic}`: a supported chip has it, or none does")));
        }
        mnemonic.clone_into(&mut last);
        rows.push(format!("({mnemonic:?}, {:?}),\n", (!since.is_empty()).then_some(since)));
    }
    Ok(array("NEWER_GENERATIONS", "(&str, Option<&str>)", &rows))
}

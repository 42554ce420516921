//! The tables of GCN.

mod behaviour;
mod chips;
mod families;
mod forms;
mod formulas;
mod listing;
mod opcodes;
mod operands;
mod operations;
mod rows;
mod when;

use std::path::Path;

/// Returns the files that the tables become, by name.
pub(crate) fn files(data: &Path) -> Result<Vec<(&'static str, String)>, String> {
    let (chips, features) = chips::read(data)?;
    let (ops, opcodes) = opcodes::read(data, &features)?;
    let (operands, operand_code) = operands::read(data, &features, &ops)?;
    let (behaviour, behaviours, behaviour_rows) =
        behaviour::read(data, &features, &ops, &operands)?;
    let (formulas, formula_rows) = formulas::read(data, &features, &ops)?;
    let fields = forms::fields::read(data, &features)?;
    let tables = forms::Tables {
        data,
        features: &features,
        ops: &ops,
        operands: &operands,
        fields: &fields,
        behaviours: &behaviours,
    };
    let forms = tables.code()?;
    let (operation_code, operation_rows) = operations::read(data, &features, &ops)?;
    let rows = rows::Rows { data, features: &features, ops: &ops }.code()?;
    let resolved = [
        ("operands.tsv", operands.of),
        ("behaviour.tsv", behaviour_rows),
        ("formulas.tsv", formula_rows),
        ("operations.tsv", operation_rows),
    ];
    let listing = listing::listing(data, &features, &ops, &resolved)?;
    Ok(vec![
        ("gcn_chips.rs", chips),
        ("gcn_opcodes.rs", [opcodes, operand_code, behaviour, formulas].concat()),
        ("gcn_forms.rs", forms),
        ("gcn_operations.rs", operation_code),
        ("gcn_rows.rs", rows + &forms::fields::code(&fields)),
        ("gcn_listing", listing),
    ])
}

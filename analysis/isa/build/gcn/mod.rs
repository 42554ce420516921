//! The tables of GCN.

mod behaviour;
mod chips;
mod families;
mod forms;
mod formulas;
mod listing;
mod matrix;
mod opcodes;
mod operands;
mod operations;
mod rows;
mod unsupported;
mod when;

use std::path::Path;

use self::chips::Features;
use self::opcodes::Op;
use tables::{Result, Table};

/// The folder of the tables, and what their cells may name.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    data: &'a Path,
    features: &'a Features,
    ops: &'a [Op],
}

impl Input<'_> {
    fn table(&self, name: &str) -> Result<Table> {
        Table::read(self.data, &format!("gcn/{name}.tsv"))
    }
}

/// Returns the files that the tables become, by name.
pub(crate) fn files(data: &Path) -> Result<Vec<(&'static str, String)>> {
    let (chips, features) = chips::read(data)?;
    let (ops, opcodes) = opcodes::read(data, &features)?;
    let input = Input { data, features: &features, ops: &ops };
    let (operands, operand_code) = operands::read(input)?;
    let (behaviour, behaviours, behaviour_rows) = behaviour::read(input, &operands)?;
    let (formulas, formula_rows) = formulas::read(input)?;
    let fields = forms::fields::read(data, &features)?;
    let tables =
        forms::Tables { input, operands: &operands, fields: &fields, behaviours: &behaviours };
    let forms = tables.code()?;
    let (operation_code, operation_rows) = operations::read(input)?;
    let rows = rows::code(input)?;
    let resolved = [
        ("operands", operands.of),
        ("behaviour", behaviour_rows),
        ("formulas", formula_rows),
        ("operations", operation_rows),
    ];
    let listing = listing::listing(input, &resolved)?;
    Ok(vec![
        ("gcn_chips.rs", chips),
        ("gcn_unsupported.rs", unsupported::code(data)?),
        ("gcn_opcodes.rs", [opcodes, operand_code, behaviour, formulas].concat()),
        ("gcn_forms.rs", forms),
        ("gcn_matrix.rs", matrix::code(input)?),
        ("gcn_operations.rs", operation_code),
        ("gcn_rows.rs", rows + &forms::fields::code(&fields)),
        ("gcn_listing", listing),
    ])
}

//! The fields of kernels' descriptors.

use std::path::Path;

use tables::print::{array, strings};
use tables::{Result, Row, Table};

/// Every kind of descriptor: its table, its constant, its size in bytes.
const KINDS: [(&str, &str, u32); 2] =
    [("descriptor.tsv", "AMDHSA", 64), ("kernel_code.tsv", "KERNEL_CODE", 256)];

/// Returns the fields of each kind as code. All bits of a field lie within the descriptor.
pub(crate) fn code(data: &Path) -> Result<String> {
    let mut code = String::new();
    for (name, constant, size) in KINDS {
        let mut rows = Vec::new();
        let table = Table::read(data, name)?;
        for row in table.rows() {
            crate::filled(row, &["name", "source"])?;
            let (low, width): (u32, u32) = (row.number("low")?, row.number("width")?);
            let default: i64 = row.number("default")?;
            if width > 64 || low > size * 8 - width {
                return Err(row.error(format!("the field is not within {size} bytes")));
            }
            let (when, most) = match row.has("when") {
                true => (terms(row)?, row.optional_number("most")?),
                false => (String::new(), None),
            };
            rows.push(format!(
                "    Field {{ {}low: {low}, width: {width}, default: {default}, when: &[{when}], \
                 most: {most:?} }},\n",
                strings(row, &["name"])?
            ));
        }
        code += "pub(crate) ";
        code += &array(constant, "Field", &rows);
    }
    Ok(code)
}

/// The terms of the column `when`: `gfx8..`, a feature, `!` and a feature.
fn terms(row: Row<'_>) -> Result<String> {
    let mut code = String::new();
    for term in row.cell("when")?.split('&').map(str::trim).filter(|it| !it.is_empty()) {
        let (kind, name) = match (term.strip_suffix(".."), term.strip_prefix('!')) {
            (Some(generation), _) => ("Term::From(Generation::", generation),
            (_, Some(feature)) => ("Term::Lacks(Feature::", feature),
            _ => ("Term::Has(Feature::", term),
        };
        // A name that no enum has ends the build of the crate.
        let variant: String = name.split('-').map(capital).collect();
        code += &format!("{kind}{variant}), ");
    }
    Ok(code)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

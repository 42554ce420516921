//! The fields of kernels' descriptors.

use std::path::Path;

use tables::print::{array, strings};
use tables::{Result, Table};

/// Every kind of descriptor: its table, its constant, its size in bytes.
const KINDS: [(&str, &str, u32); 2] =
    [("descriptor.tsv", "AMDHSA", 64), ("kernel_code.tsv", "KERNEL_CODE", 256)];

/// Returns the fields of each kind as code. All bits of a field lie within the descriptor.
pub(crate) fn code(data: &Path) -> Result<String> {
    let mut code = String::new();
    for (table, constant, size) in KINDS {
        let mut rows = Vec::new();
        for row in Table::read(data, table)?.rows() {
            crate::filled(row, &["name", "source"])?;
            let (low, width): (u32, u32) = (row.number("low")?, row.number("width")?);
            let default: i64 = row.number("default")?;
            if !(1..=64).contains(&width) || low > size * 8 - width {
                return Err(row.error(format!("the field is not within {size} bytes")));
            }
            rows.push(format!(
                "    Field {{ {}low: {low}, width: {width}, default: {default} }},\n",
                strings(row, &["name"])?
            ));
        }
        code += "pub(crate) ";
        code += &array(constant, "Field", &rows);
    }
    Ok(code)
}

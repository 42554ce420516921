//! Tables about image instructions: their fields, and the errata of a known document.

use std::path::Path;

use tables::print::{array, strings};
use tables::{Result, Table};

/// Returns the fields that are no modifiers, and the errata of a known document.
pub(crate) fn code(data: &Path) -> Result<String> {
    let mut fields = Vec::new();
    for row in Table::read(data, "image_fields.tsv")?.rows() {
        crate::filled(row, &["field", "summary", "source"])?;
        let cells = strings(row, &["field", "summary"])?;
        fields.push(format!("    ImageField {{ {cells}}},\n"));
    }
    let mut errata = Vec::new();
    for row in Table::read(data, "image_errata.tsv")?.rows() {
        crate::filled(row, &["names", "said", "truth", "source"])?;
        let names: Vec<&str> = row.cell("names")?.split(' ').collect();
        let cells = strings(row, &["said", "truth", "source"])?;
        errata.push(format!("    Erratum {{ names: &{names:?}, {cells}}},\n"));
    }
    Ok(array("FIELDS", "ImageField", &fields) + &array("ERRATA", "Erratum", &errata))
}

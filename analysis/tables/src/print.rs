//! Constants as code, for build scripts.

use crate::{Result, Row};

/// Returns a static array as code; each item ends with a comma.
pub fn array(name: &str, ty: &str, items: &[String]) -> String {
    format!("static {name}: [{ty}; {}] = [\n{}];\n", items.len(), items.concat())
}

/// Returns the slots of an [`index`](crate::index) as code.
pub fn index<T: AsRef<str>>(name: &str, names: &[T]) -> String {
    let slots = crate::index(names);
    format!("static {name}: [u16; {}] = {slots:?};\n", slots.len())
}

/// Returns a row as code of a structure: the named columns as strings.
pub fn strings(row: Row<'_>, columns: &[&str]) -> Result<String> {
    columns.iter().map(|name| Ok(format!("{name}: {:?}, ", row.cell(name)?))).collect()
}

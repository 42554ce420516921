//! The descriptor that lies in the code before a kernel: `.amd_kernel_code_t`.

use std::sync::OnceLock;

use super::data::Known;
use super::result::{DescriptorKind, Expansion};
use super::target_symbols;
use crate::table::Table;

/// A field of the descriptor.
#[derive(Debug)]
struct Field {
    name: &'static str,
    /// Its lowest bit, from bit 0 of the first byte.
    low: usize,
    width: usize,
    default: i64,
}

/// Writes the descriptor that ends at a statement.
pub(super) fn write(expansion: &Expansion, statement: u32, bytes: &mut [u8]) -> Known {
    let kernel = expansion
        .kernels
        .iter()
        .find(|kernel| kernel.statement == statement && kernel.kind == DescriptorKind::KernelCode);
    let Some(kernel) = kernel else { return Known::Partly };
    for field in fields() {
        put(bytes, field, field.default);
    }
    let version = target_symbols::version(expansion.assembled_for);
    for (name, value) in VERSION.into_iter().zip(version) {
        set(bytes, name, value);
    }
    let mut known = Known::Fully;
    for field in &kernel.fields {
        match field.value {
            Some(value) if set(bytes, &field.name, value) => {}
            _ => known = Known::Partly,
        }
    }
    known
}

/// The fields that follow from the chip.
const VERSION: [&str; 3] =
    ["amd_machine_version_major", "amd_machine_version_minor", "amd_machine_version_stepping"];

/// Sets a field; false where none has the name.
fn set(bytes: &mut [u8], name: &str, value: i64) -> bool {
    let field = fields().iter().find(|field| field.name == name);
    if let Some(field) = field {
        put(bytes, field, value);
    }
    field.is_some()
}

fn put(bytes: &mut [u8], field: &Field, value: i64) {
    for bit in 0..field.width {
        let at = field.low + bit;
        let Some(byte) = bytes.get_mut(at / 8) else { return };
        let is_set = (value >> bit.min(63)) & 1 != 0;
        *byte = *byte & !(1 << (at % 8)) | u8::from(is_set) << (at % 8);
    }
}

fn fields() -> &'static [Field] {
    static FIELDS: OnceLock<Vec<Field>> = OnceLock::new();
    FIELDS.get_or_init(|| match parse() {
        Ok(fields) => fields,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of descriptor fields: {message}"),
    })
}

fn parse() -> Result<Vec<Field>, String> {
    let table = Table::parse(include_str!("../../data/kernel_code.tsv"))?;
    table
        .rows()
        .map(|row| {
            let default = row.cell("default")?;
            Ok(Field {
                name: row.cell("name")?,
                low: row.number("low")? as usize,
                width: row.number("width")? as usize,
                default: default.parse().map_err(|_| row.refuse("default", default))?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_within_the_descriptor() {
        assert!(fields().len() > 60);
        for field in fields() {
            assert!(field.width > 0 && field.low + field.width <= 256 * 8, "{field:?}");
        }
    }
}

//! The descriptor that lies in the code before a kernel: `.amd_kernel_code_t`.

use super::data::Known;
use super::descriptor_fields::{KERNEL_CODE, set, set_defaults};
use super::result::{DescriptorKind, Expansion};
use super::target_symbols;

/// Writes the descriptor that ends at a statement.
pub(super) fn write(expansion: &Expansion, statement: u32, bytes: &mut [u8]) -> Known {
    let kernel = expansion.descriptor_before(statement, DescriptorKind::KernelCode);
    let Some(kernel) = kernel else { return Known::Partly };
    set_defaults(&KERNEL_CODE, bytes);
    let version = target_symbols::version(expansion.assembled_for.processor());
    for (name, value) in VERSION.into_iter().zip(version.into_iter().flatten()) {
        set(&KERNEL_CODE, bytes, name, value);
    }
    let mut known = Known::Fully;
    for field in &kernel.fields {
        match field.value {
            Some(value) if set(&KERNEL_CODE, bytes, &field.name, value) => {}
            _ => known = Known::Partly,
        }
    }
    known
}

/// The fields that follow from the chip.
const VERSION: [&str; 3] =
    ["amd_machine_version_major", "amd_machine_version_minor", "amd_machine_version_stepping"];

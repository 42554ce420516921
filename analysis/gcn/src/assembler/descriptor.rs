//! The 64 bytes that `.amdhsa_kernel` makes: what the packet processor reads before it
//! starts a kernel (AMDGPU usage manual, "Kernel Descriptor").

use super::data::Known;
use super::descriptor_fields::{AMDHSA, set, set_defaults};
use super::result::{DescriptorKind, Expansion, Kernel};
use crate::targets::Feature;
use crate::{Generation, Target};

/// The bytes of a descriptor.
pub(crate) const SIZE: u32 = 64;

/// The fields that hold registers that are filled before the kernel starts, and how many.
const USER_REGISTERS: [(&str, i64); 7] = [
    (".amdhsa_user_sgpr_private_segment_buffer", 4),
    (".amdhsa_user_sgpr_dispatch_ptr", 2),
    (".amdhsa_user_sgpr_queue_ptr", 2),
    (".amdhsa_user_sgpr_kernarg_segment_ptr", 2),
    (".amdhsa_user_sgpr_dispatch_id", 2),
    (".amdhsa_user_sgpr_flat_scratch_init", 2),
    (".amdhsa_user_sgpr_private_segment_size", 1),
];

/// The fields from which others are computed: no bits are theirs.
const COUNTS: [&str; 6] =
    [NEXT_VGPR, NEXT_SGPR, RESERVE_VCC, RESERVE_FLAT_SCRATCH, RESERVE_XNACK, USER_COUNT];
const NEXT_VGPR: &str = ".amdhsa_next_free_vgpr";
const NEXT_SGPR: &str = ".amdhsa_next_free_sgpr";
const RESERVE_VCC: &str = ".amdhsa_reserve_vcc";
const RESERVE_FLAT_SCRATCH: &str = ".amdhsa_reserve_flat_scratch";
const RESERVE_XNACK: &str = ".amdhsa_reserve_xnack_mask";
const USER_COUNT: &str = ".amdhsa_user_sgpr_count";

/// Computed fields of the table.
const VGPR_GRANULES: &str = "granulated_workitem_vgpr_count";
const SGPR_GRANULES: &str = "granulated_wavefront_sgpr_count";
const USER_REGISTER_COUNT: &str = "user_sgpr_count";

/// Writes the descriptor that ends at a statement. The distance to the code is the
/// linker's: zero stands for it.
pub(super) fn write(expansion: &Expansion, statement: u32, bytes: &mut [u8]) -> Known {
    let kernel = expansion.descriptor_before(statement, DescriptorKind::Amdhsa);
    let Some(kernel) = kernel else { return Known::Partly };
    let target = expansion.target.map_or(expansion.assembled_for, |(target, _)| target);
    set_defaults(&AMDHSA, bytes);
    let mut known = Known::Fully;
    for field in &kernel.fields {
        let name = field.name.to_ascii_lowercase();
        let is_set = |value| COUNTS.contains(&&*name) || set(&AMDHSA, bytes, &name, value);
        if !field.value.is_some_and(is_set) {
            known = Known::Partly;
        }
    }
    let of_user = USER_REGISTERS.iter().map(|(name, count)| said(kernel, name, 0).min(1) * count);
    let user_count = said(kernel, USER_COUNT, of_user.sum());
    let granules = |count: i64, unit: i64| count.max(1).saturating_add(unit - 1) / unit - 1;
    let vectors = granules(said(kernel, NEXT_VGPR, 0), 4);
    let scalars = granules(scalar_registers(kernel, target), 8);
    for (name, value) in
        [(USER_REGISTER_COUNT, user_count), (VGPR_GRANULES, vectors), (SGPR_GRANULES, scalars)]
    {
        set(&AMDHSA, bytes, name, value);
    }
    known
}

/// Returns the last value that a kernel gives a field, or the one that holds otherwise.
fn said(kernel: &Kernel, name: &str, otherwise: i64) -> i64 {
    let fields = kernel.fields.iter().rev();
    let mut values = fields.filter(|it| it.name.eq_ignore_ascii_case(name)).map(|it| it.value);
    values.next().flatten().unwrap_or(otherwise)
}

/// The scalar registers that a wave allocates: those at the upper end of what it names
/// hold VCC, the retry mask and the base of scratch memory, each further up.
fn scalar_registers(kernel: &Kernel, target: Target) -> i64 {
    if let Some(fixed) = target.row().limits.fixed_sgprs {
        return i64::from(fixed);
    }
    let mut more = 0;
    if said(kernel, RESERVE_VCC, 1) != 0 {
        more = 2;
    }
    let has_flat_scratch = said(kernel, RESERVE_FLAT_SCRATCH, 1) != 0;
    if target.generation() >= Generation::Gfx8 {
        if said(kernel, RESERVE_XNACK, i64::from(target.has(Feature::XnackMask))) != 0 {
            more = 4;
        }
        if has_flat_scratch {
            more = 6;
        }
    } else if has_flat_scratch {
        more = 4;
    }
    said(kernel, NEXT_SGPR, 0).saturating_add(more)
}

/// The directives that make the descriptor in these bytes, in the order of the bytes;
/// those that say what holds anyway are left out.
pub(crate) fn directives(bytes: &[u8], target: Target) -> Vec<(&'static str, u64)> {
    let mut found = Vec::new();
    for field in &AMDHSA {
        let value = field.get(bytes);
        match field.name {
            VGPR_GRANULES => found.push((NEXT_VGPR, (value + 1) * 4)),
            SGPR_GRANULES => found.extend(scalar_directives((value + 1) * 8, target)),
            USER_REGISTER_COUNT => found.push((USER_COUNT, value)),
            name if i64::try_from(value) != Ok(field.default) => found.push((name, value)),
            _ => {}
        }
    }
    found
}

/// Directives that allocate so many scalar registers. What is reserved unless said
/// otherwise, and cannot be switched off on the chip, is subtracted.
fn scalar_directives(count: u64, target: Target) -> Vec<(&'static str, u64)> {
    let has_flat_scratch = target.generation() > Generation::Gfx6;
    let reserved = if has_flat_scratch && !target.has(Feature::XnackMask) { 0 } else { 4 };
    let addressable = u64::from(target.row().limits.sgpr_addressable);
    let next = count.saturating_sub(reserved);
    if next > addressable {
        return vec![(NEXT_SGPR, addressable)];
    }
    let mut found = vec![(NEXT_SGPR, next), (RESERVE_VCC, 0)];
    if has_flat_scratch {
        found.push((RESERVE_FLAT_SCRATCH, 0));
    }
    found
}

//! The 64 bytes that `.amdhsa_kernel` makes: what the packet processor reads before it
//! starts a kernel (AMDGPU usage manual, "Kernel Descriptor").

use super::data::Known;
use super::descriptor_fields::{AMDHSA, Field, set, set_defaults};
use super::result::{DescriptorKind, Expansion, Kernel};
use crate::Target;
use crate::occupancy::SpecialSgprs;
use crate::target_id::Settings;

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

/// The fields from which others are computed.
pub(crate) const NEXT_VGPR: &str = ".amdhsa_next_free_vgpr";
pub(crate) const NEXT_SGPR: &str = ".amdhsa_next_free_sgpr";
pub(crate) const ACCUM_OFFSET: &str = ".amdhsa_accum_offset";
pub(crate) const RESERVE_XNACK: &str = ".amdhsa_reserve_xnack_mask";
pub(crate) const USER_COUNT: &str = ".amdhsa_user_sgpr_count";
pub(crate) const PRELOAD_LENGTH: &str = ".amdhsa_user_sgpr_kernarg_preload_length";
const RESERVE_VCC: &str = ".amdhsa_reserve_vcc";
const RESERVE_FLAT_SCRATCH: &str = ".amdhsa_reserve_flat_scratch";

/// Computed fields of the table.
const VGPR_GRANULES: &str = "granulated_workitem_vgpr_count";
const SGPR_GRANULES: &str = "granulated_wavefront_sgpr_count";
const ACCUM_GRANULES: &str = "accum_offset_granules";
const USER_REGISTER_COUNT: &str = "user_sgpr_count";

/// The scalar registers of a granule of the descriptor, whatever the chip allocates.
const SGPR_UNIT: i64 = 8;

/// Writes the descriptor that ends at a statement. The distance to the code is the
/// linker's: zero stands for it.
pub(super) fn write(expansion: &Expansion, statement: u32, bytes: &mut [u8]) -> Known {
    let kernel = expansion.descriptor_before(statement, DescriptorKind::Amdhsa);
    let Some(kernel) = kernel else { return Known::Partly };
    let target = expansion.chip();
    set_defaults(&AMDHSA, bytes);
    let mut known = Known::Fully;
    for field in &kernel.fields {
        let name = field.name.to_ascii_lowercase();
        let row = field_of(&name).filter(|it| it.is_of(target));
        match row.zip(field.value) {
            Some((row, _)) if !row.has_bits() => {}
            Some((row, value)) => row.put(bytes, value),
            None => known = Known::Partly,
        }
    }
    let granules = |count: i64, unit: i64| count.max(1).saturating_add(unit - 1) / unit - 1;
    let limits = &target.row().limits;
    let vectors = granules(said(kernel, NEXT_VGPR, 0), i64::from(limits.vgpr_granule));
    let scalars = granules(scalar_registers(kernel, target, expansion.settings), SGPR_UNIT);
    for (name, value) in [
        (USER_REGISTER_COUNT, user_registers(kernel)),
        (VGPR_GRANULES, vectors),
        (SGPR_GRANULES, scalars),
    ] {
        set(&AMDHSA, bytes, name, value);
    }
    if limits.accum_granule > 0 {
        let offset = said(kernel, ACCUM_OFFSET, 0);
        set(&AMDHSA, bytes, ACCUM_GRANULES, granules(offset, i64::from(limits.accum_granule)));
    }
    known
}

/// Finds the field of a directive, in small letters.
pub(crate) fn field_of(name: &str) -> Option<&'static Field> {
    AMDHSA.iter().find(|it| it.name == name)
}

/// Returns the registers that are filled before the kernel starts.
pub(crate) fn user_registers(kernel: &Kernel) -> i64 {
    said(kernel, USER_COUNT, implied_user_registers(kernel))
}

/// Returns how many of them the fields ask for one by one.
pub(crate) fn implied_user_registers(kernel: &Kernel) -> i64 {
    let of_user = USER_REGISTERS.iter().map(|(name, count)| said(kernel, name, 0).min(1) * count);
    of_user.sum::<i64>().saturating_add(said(kernel, PRELOAD_LENGTH, 0))
}

/// Returns the last value that a kernel gives a field, or the one that holds otherwise.
pub(crate) fn said(kernel: &Kernel, name: &str, otherwise: i64) -> i64 {
    let fields = kernel.fields.iter().rev();
    let mut values = fields.filter(|it| it.name.eq_ignore_ascii_case(name)).map(|it| it.value);
    values.next().flatten().unwrap_or(otherwise)
}

/// Returns the scalar registers that a wave allocates: those with numbers and the special ones.
pub(crate) fn scalar_registers(kernel: &Kernel, target: Target, settings: Settings) -> i64 {
    if let Some(fixed) = target.row().limits.fixed_sgprs {
        return i64::from(fixed);
    }
    let special = SpecialSgprs {
        vcc: said(kernel, RESERVE_VCC, 1) != 0,
        flat_scratch: said(kernel, RESERVE_FLAT_SCRATCH, 1) != 0,
        xnack_mask: said(kernel, RESERVE_XNACK, settings.may_retry(target).into()) != 0,
    };
    said(kernel, NEXT_SGPR, 0).saturating_add(special.count(target).into())
}

/// The vector and the accumulation registers that a kernel asks for; the latter are counted only
/// where both kinds share a file.
pub(crate) fn vector_registers(kernel: &Kernel, target: Target) -> Option<[i64; 2]> {
    let all = said(kernel, NEXT_VGPR, -1);
    let vectors = match target.row().limits.accum_granule {
        0 => all,
        _ => all.min(said(kernel, ACCUM_OFFSET, all)),
    };
    (all >= 0).then_some([vectors, all - vectors])
}

/// The directives that make the descriptor in these bytes, in the order of the bytes;
/// those that say what holds anyway are left out.
pub(crate) fn directives(
    bytes: &[u8],
    target: Target,
    settings: Settings,
) -> Vec<(&'static str, u64)> {
    let limits = &target.row().limits;
    let mut found = Vec::new();
    for field in AMDHSA.iter().filter(|it| it.has_bits() && it.is_of(target)) {
        let value = field.get(bytes);
        match field.name {
            VGPR_GRANULES => found.push((NEXT_VGPR, (value + 1) * u64::from(limits.vgpr_granule))),
            ACCUM_GRANULES => {
                found.push((ACCUM_OFFSET, (value + 1) * u64::from(limits.accum_granule)));
            }
            SGPR_GRANULES => {
                let count = (value + 1) * SGPR_UNIT as u64;
                found.extend(scalar_directives(count, target, settings));
            }
            USER_REGISTER_COUNT => found.push((USER_COUNT, value)),
            name if i64::try_from(value) != Ok(field.default) => found.push((name, value)),
            _ => {}
        }
    }
    found
}

/// Directives that allocate so many scalar registers. What is reserved unless said
/// otherwise, and cannot be switched off on the chip, is subtracted.
fn scalar_directives(count: u64, target: Target, settings: Settings) -> Vec<(&'static str, u64)> {
    let can_reserve = |name: &str| field_of(name).is_some_and(|it| it.is_of(target));
    let has_flat_scratch = can_reserve(RESERVE_FLAT_SCRATCH);
    let always = SpecialSgprs {
        vcc: false,
        flat_scratch: !has_flat_scratch,
        xnack_mask: settings.may_retry(target),
    };
    let addressable = u64::from(target.row().limits.sgpr_addressable);
    let next = count.saturating_sub(always.count(target).into());
    if next > addressable {
        return vec![(NEXT_SGPR, addressable)];
    }
    let mut found = vec![(NEXT_SGPR, next), (RESERVE_VCC, 0)];
    if has_flat_scratch {
        found.push((RESERVE_FLAT_SCRATCH, 0));
    }
    found
}

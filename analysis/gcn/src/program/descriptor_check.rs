//! Fields of kernels' descriptors against what the chip has and LLVM's assembler takes.

use rustc_hash::FxHashSet;
use source::Severity;

use super::register_limits::field;
use super::{Certainty, DiagnosticSink, Program};
use crate::assembler::descriptor::{
    ACCUM_OFFSET, NEXT_SGPR, NEXT_VGPR, PRELOAD_LENGTH, RESERVE_XNACK, USER_COUNT, field_of,
    implied_user_registers, said, scalar_registers, user_registers,
};
use crate::assembler::descriptor_fields::Field as Row;
use crate::assembler::result::{DescriptorKind, Field, Kernel};
use crate::codes;
use crate::target_id::Setting;

/// The most registers that are filled before a kernel starts.
const USER_REGISTERS: i64 = 31;
/// Bytes of a register.
const WORD: i64 = 4;

const KERNARG_SIZE: &str = ".amdhsa_kernarg_size";
const PRELOAD_OFFSET: &str = ".amdhsa_user_sgpr_kernarg_preload_offset";

/// Tells what is wrong in the descriptors that `.amdhsa_kernel` begins.
pub(super) fn check(program: &Program, sink: &mut DiagnosticSink) {
    let certain = program.certainty == Certainty::Explicit
        && !program.expansion.incomplete
        && !program.expansion.stopped;
    let severity = if certain { Severity::Error } else { Severity::Hint };
    let kernels = program.expansion.kernels.iter();
    for kernel in kernels.filter(|it| it.kind == DescriptorKind::Amdhsa) {
        let mut report = |field: Option<&Field>, message: String| {
            let span = field.map_or(kernel.span, |it| it.span);
            let place = (span, kernel.node);
            sink.report_at(&program.expansion, place, codes::DESCRIPTOR, severity, &message);
        };
        let mut seen = FxHashSet::default();
        for field in &kernel.fields {
            let Some(row) = field_of(&field.name.to_ascii_lowercase()) else { continue };
            let name = row.name;
            if !row.is_of(program.target) {
                let chip = program.target.processor();
                report(Some(field), format!("kernels on {chip} have no `{name}`"));
            } else if !seen.insert(name) {
                report(Some(field), format!("`{name}` is given twice"));
            } else if let Some(message) = out_of_range(program, kernel, row, field) {
                report(Some(field), message);
            }
        }
        for name in [NEXT_VGPR, NEXT_SGPR, ACCUM_OFFSET] {
            let is_needed = field_of(name).is_some_and(|it| it.is_of(program.target));
            if is_needed && !seen.contains(name) {
                report(
                    None,
                    format!("`{name}` is missing from the descriptor of `{}`", kernel.name),
                );
            }
        }
        if kernel.fields.iter().all(|it| it.value.is_some()) {
            whole(program, kernel, &mut report);
        }
    }
}

/// Tells what is wrong with a value by itself.
fn out_of_range(program: &Program, kernel: &Kernel, row: &Row, field: &Field) -> Option<String> {
    let (name, value) = (row.name, field.value?);
    let limits = &program.target.row().limits;
    let (granule, addressable) = (i64::from(limits.accum_granule), limits.sgpr_addressable);
    if name == ACCUM_OFFSET {
        let most = row.most().unwrap_or_default();
        let fits = (granule..=most).contains(&value) && value % granule == 0;
        return (!fits).then(|| {
            format!("`{name}` is {value}; it is a multiple of {granule} from {granule} to {most}")
        });
    }
    let most = match name {
        NEXT_VGPR if granule > 0 => limits.vgpr_file.into(),
        NEXT_VGPR => limits.vgpr_addressable.into(),
        NEXT_SGPR => match (limits.fixed_sgprs, limits.extra_xnack) {
            // Where the special registers lie among those that can be named, they count.
            (Some(fixed), _) => i64::from(fixed),
            (None, 0) => {
                let special = scalar_registers(kernel, program.target, program.settings());
                i64::from(addressable) - (special - said(kernel, NEXT_SGPR, 0))
            }
            _ => addressable.into(),
        },
        USER_COUNT => USER_REGISTERS,
        _ => row.most()?,
    };
    let fits = (0..=most).contains(&value);
    (!fits).then(|| format!("`{name}` is {value}; it is from 0 to {most}"))
}

/// Tells what is wrong with fields beside each other, all of which are known.
fn whole(program: &Program, kernel: &Kernel, report: &mut dyn FnMut(Option<&Field>, String)) {
    let of = |name: &str| field(&kernel.fields, name);
    let granule = i64::from(program.target.row().limits.accum_granule);
    let all = said(kernel, NEXT_VGPR, 0).max(1);
    let offset = said(kernel, ACCUM_OFFSET, 0);
    if granule > 0
        && offset % granule == 0
        && offset > all.saturating_add(granule - 1) / granule * granule
    {
        report(
            of(ACCUM_OFFSET),
            format!(
                "`{ACCUM_OFFSET}` is {offset}, which is past all {all} registers that `{NEXT_VGPR}` counts"
            ),
        );
    }
    let (user, implied) = (user_registers(kernel), implied_user_registers(kernel));
    if user < implied {
        report(
            of(USER_COUNT),
            format!("`{USER_COUNT}` is {user}, but the other fields ask for {implied} registers"),
        );
    } else if of(USER_COUNT).is_none() && user > USER_REGISTERS {
        report(
            None,
            format!("{user} registers are asked for; at most {USER_REGISTERS} are filled"),
        );
    }
    let end = said(kernel, PRELOAD_LENGTH, 0).saturating_add(said(kernel, PRELOAD_OFFSET, 0));
    let size = said(kernel, KERNARG_SIZE, 0);
    if said(kernel, PRELOAD_LENGTH, 0) > 0 && size > 0 && end.saturating_mul(WORD) > size {
        report(
            of(PRELOAD_LENGTH),
            format!(
                "arguments are filled in up to word {end}, but `{KERNARG_SIZE}` is {size} bytes"
            ),
        );
    }
    let stated = match program.settings().xnack {
        Setting::Any => None,
        Setting::Off => Some(0),
        Setting::On => Some(1),
    };
    let reserved = of(RESERVE_XNACK).and_then(|it| it.value);
    if let (Some(stated), Some(value)) = (stated, reserved)
        && stated != value
    {
        report(
            of(RESERVE_XNACK),
            format!(
                "`{RESERVE_XNACK}` is {value}, but the target id says `xnack{}`",
                if stated == 0 { '-' } else { '+' }
            ),
        );
    }
}

//! The registers that hold something when a kernel begins, by its descriptor.
//!
//! Source: LLVM, AMDGPUUsage, "Initial Kernel Execution State": the fields of the descriptor
//! ask for values one by one, which stand in scalar registers in the order of the fields.

use super::{Kernel, Program};
use crate::assembler::descriptor::{SIZE, said, user_registers};
use crate::assembler::result::{self, DescriptorKind};

/// A value that scalar registers hold when a kernel begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryValue {
    /// The descriptor of scratch memory: four registers.
    PrivateSegmentBuffer,
    /// The address of the dispatch packet: two.
    DispatchPacket,
    /// The address of the queue: two.
    Queue,
    /// The address of the kernel's arguments: two.
    Arguments,
    /// The number of the dispatch: two.
    DispatchId,
    /// The place of flat scratch: two.
    FlatScratch,
    /// The bytes of scratch of a work-item.
    PrivateSegmentSize,
    /// The groups along x, y and z, of the oldest descriptor.
    GroupCount(u8),
    /// A word of the arguments, by its number: it was loaded before.
    PreloadedArgument(u16),
    /// The number of the group along x, y or z.
    GroupId(u8),
    /// The number of waves of the group, and the first one's mark.
    GroupInfo,
    /// The offset of the wave's scratch.
    ScratchOffset,
}

impl EntryValue {
    /// Returns the number of registers that it takes.
    pub fn registers(self) -> u8 {
        match self {
            EntryValue::PrivateSegmentBuffer => 4,
            EntryValue::DispatchPacket
            | EntryValue::Queue
            | EntryValue::Arguments
            | EntryValue::DispatchId
            | EntryValue::FlatScratch => 2,
            EntryValue::PrivateSegmentSize
            | EntryValue::GroupCount(_)
            | EntryValue::PreloadedArgument(_)
            | EntryValue::GroupId(_)
            | EntryValue::GroupInfo
            | EntryValue::ScratchOffset => 1,
        }
    }
}

/// The state that a kernel begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRegisters {
    /// The values and the first scalar register of each.
    pub scalars: Vec<(u16, EntryValue)>,
    /// The axes of the work-item's place in the group that vector registers hold, from x on.
    pub axes: u8,
    /// MODE: rounding, denormals, clamping of NaN and the rules of IEEE 754.
    pub mode: u32,
    /// Bytes of the arguments, as far as they are said.
    pub argument_bytes: u32,
    /// Bytes of local data share of a group.
    pub share_bytes: u32,
    /// Bytes of scratch of a work-item.
    pub scratch_bytes: u32,
}

/// A field that asks for a value: its names in the two descriptors.
type Ask = (EntryValue, &'static str, &'static str);

/// Values of the user, in the order of their registers.
const USER: [Ask; 10] = [
    (
        EntryValue::PrivateSegmentBuffer,
        ".amdhsa_user_sgpr_private_segment_buffer",
        "enable_sgpr_private_segment_buffer",
    ),
    (EntryValue::DispatchPacket, ".amdhsa_user_sgpr_dispatch_ptr", "enable_sgpr_dispatch_ptr"),
    (EntryValue::Queue, ".amdhsa_user_sgpr_queue_ptr", "enable_sgpr_queue_ptr"),
    (
        EntryValue::Arguments,
        ".amdhsa_user_sgpr_kernarg_segment_ptr",
        "enable_sgpr_kernarg_segment_ptr",
    ),
    (EntryValue::DispatchId, ".amdhsa_user_sgpr_dispatch_id", "enable_sgpr_dispatch_id"),
    (
        EntryValue::FlatScratch,
        ".amdhsa_user_sgpr_flat_scratch_init",
        "enable_sgpr_flat_scratch_init",
    ),
    (
        EntryValue::PrivateSegmentSize,
        ".amdhsa_user_sgpr_private_segment_size",
        "enable_sgpr_private_segment_size",
    ),
    (EntryValue::GroupCount(0), "", "enable_sgpr_grid_workgroup_count_x"),
    (EntryValue::GroupCount(1), "", "enable_sgpr_grid_workgroup_count_y"),
    (EntryValue::GroupCount(2), "", "enable_sgpr_grid_workgroup_count_z"),
];

/// Values of the wave, which stand behind those of the user.
const SYSTEM: [Ask; 5] = [
    (EntryValue::GroupId(0), ".amdhsa_system_sgpr_workgroup_id_x", "enable_sgpr_workgroup_id_x"),
    (EntryValue::GroupId(1), ".amdhsa_system_sgpr_workgroup_id_y", "enable_sgpr_workgroup_id_y"),
    (EntryValue::GroupId(2), ".amdhsa_system_sgpr_workgroup_id_z", "enable_sgpr_workgroup_id_z"),
    (EntryValue::GroupInfo, ".amdhsa_system_sgpr_workgroup_info", "enable_sgpr_workgroup_info"),
    (
        EntryValue::ScratchOffset,
        ".amdhsa_system_sgpr_private_segment_wavefront_offset",
        "enable_sgpr_private_segment_wave_byte_offset",
    ),
];

/// Work-items of group x: it is asked for unless the descriptor of `.amdhsa_kernel` says no.
const GROUP_X: &str = ".amdhsa_system_sgpr_workgroup_id_x";

impl Program {
    /// The state that a kernel begins with; `None` where it has no descriptor that says it.
    pub fn entry_registers(&self, kernel: &Kernel) -> Option<EntryRegisters> {
        let descriptor = self.expansion.kernels.get(kernel.descriptor? as usize)?;
        match descriptor.kind {
            DescriptorKind::Amdhsa => Some(amdhsa(descriptor)),
            DescriptorKind::KernelCode => Some(kernel_code(descriptor)),
            DescriptorKind::Clrx | DescriptorKind::Symbol => None,
        }
    }
}

fn amdhsa(kernel: &result::Kernel) -> EntryRegisters {
    let value = |name: &str| match name {
        "" => 0,
        _ => said(kernel, name, i64::from(name == GROUP_X)),
    };
    let mut scalars = Vec::new();
    let mut next = take(&mut scalars, 0, &USER, |ask| value(ask.1));
    let first = value(".amdhsa_user_sgpr_kernarg_preload_offset") as u16;
    for word in 0..value(".amdhsa_user_sgpr_kernarg_preload_length").clamp(0, SIZE.into()) as u16 {
        scalars.push((next, EntryValue::PreloadedArgument(first.wrapping_add(word))));
        next += 1;
    }
    let next = next.max(user_registers(kernel).clamp(0, 31) as u16);
    // `.amdhsa_enable_private_segment` of later chips asks for no register.
    take(&mut scalars, next, &SYSTEM, |ask| value(ask.1));
    let bits = |name: &str, otherwise: i64, width: u32, place: u32| {
        (said(kernel, name, otherwise) as u32 & ((1 << width) - 1)) << place
    };
    EntryRegisters {
        scalars,
        axes: (value(".amdhsa_system_vgpr_workitem_id").clamp(0, 2) + 1) as u8,
        mode: bits(".amdhsa_float_round_mode_32", 0, 2, 0)
            | bits(".amdhsa_float_round_mode_16_64", 0, 2, 2)
            | bits(".amdhsa_float_denorm_mode_32", 0, 2, 4)
            | bits(".amdhsa_float_denorm_mode_16_64", 3, 2, 6)
            | bits(".amdhsa_dx10_clamp", 1, 1, 8)
            | bits(".amdhsa_ieee_mode", 1, 1, 9),
        argument_bytes: value(".amdhsa_kernarg_size") as u32,
        share_bytes: value(".amdhsa_group_segment_fixed_size") as u32,
        scratch_bytes: value(".amdhsa_private_segment_fixed_size") as u32,
    }
}

fn kernel_code(kernel: &result::Kernel) -> EntryRegisters {
    let value = |name: &str| if name.is_empty() { 0 } else { said(kernel, name, 0) };
    let mut scalars = Vec::new();
    let next = take(&mut scalars, 0, &USER, |ask| value(ask.2));
    let next = next.max(value("user_sgpr_count").clamp(0, 31) as u16);
    take(&mut scalars, next, &SYSTEM, |ask| value(ask.2));
    EntryRegisters {
        scalars,
        axes: (value("enable_vgpr_workitem_id").clamp(0, 2) + 1) as u8,
        mode: value("float_mode") as u32 & 0xff
            | (value("enable_dx10_clamp") as u32 & 1) << 8
            | (value("enable_ieee_mode") as u32 & 1) << 9,
        argument_bytes: value("kernarg_segment_byte_size") as u32,
        share_bytes: value("workgroup_group_segment_byte_size") as u32,
        scratch_bytes: value("workitem_private_segment_byte_size") as u32,
    }
}

/// Places the values that are asked for from a register on; gives the next free one.
fn take(
    scalars: &mut Vec<(u16, EntryValue)>,
    first: u16,
    asks: &[Ask],
    value: impl Fn(&Ask) -> i64,
) -> u16 {
    let mut next = first;
    for ask in asks.iter().filter(|ask| value(ask) != 0) {
        scalars.push((next, ask.0));
        next += u16::from(ask.0.registers());
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{self, Options};

    fn entry(descriptor: &str) -> Option<EntryRegisters> {
        let text = format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.text\nk:\ns_endpgm\n{descriptor}"
        );
        let program =
            program::assemble(&text, &Options::of(&text, "k.s"), &|_| None, &source::no_checkpoint);
        program.entry_registers(&program.kernels[0])
    }

    #[test]
    fn values_stand_in_the_order_of_the_manual() {
        let own = entry(
            ".amdhsa_kernel k\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
             .amdhsa_user_sgpr_dispatch_ptr 1\n.amdhsa_system_sgpr_workgroup_id_z 1\n\
             .amdhsa_system_vgpr_workitem_id 1\n.amdhsa_kernarg_size 24\n\
             .amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 12\n.end_amdhsa_kernel\n",
        )
        .expect("a descriptor");
        assert_eq!(
            own.scalars,
            [
                (0, EntryValue::DispatchPacket),
                (2, EntryValue::Arguments),
                (4, EntryValue::GroupId(0)),
                (5, EntryValue::GroupId(2)),
            ]
        );
        assert_eq!((own.axes, own.argument_bytes, own.mode), (2, 24, 0x3c0));
    }

    #[test]
    fn without_a_descriptor_nothing_is_known() {
        assert_eq!(entry(""), None);
    }
}

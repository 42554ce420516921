//! Arguments that a kernel reads and nobody passes: the runtime fills them in from the dispatch.
//!
//! Source: LLVM, AMDGPUUsage, "Code Object V3 Kernel Argument Metadata Map" and what later
//! versions of the metadata add to it.

use super::{Kernel, Program, metadata};

/// An argument that the runtime fills in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HiddenArgument {
    /// Its offset among the arguments, in bytes.
    pub offset: u32,
    /// Its bytes.
    pub size: u32,
    /// Its meaning.
    pub kind: HiddenKind,
}

/// The meaning of a hidden argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HiddenKind {
    /// The whole groups along x, y or z.
    BlockCount(u8),
    /// The work-items of a group along x, y or z.
    GroupSize(u8),
    /// The work-items of a last group that is not whole, along x, y or z.
    Remainder(u8),
    /// The number of the first work-item along x, y or z.
    GlobalOffset(u8),
    /// The number of the grid's axes.
    GridDims,
    /// Bytes of local data share that the dispatch adds.
    DynamicShare,
    /// The high word of addresses of scratch memory.
    PrivateBase,
    /// The high word of addresses of local data share.
    SharedBase,
    /// The address of the queue.
    Queue,
    /// One of a service of the runtime's, with the word that metadata have for it.
    Service(&'static str),
}

/// The kinds by the words of metadata.
const KINDS: [(&str, HiddenKind); 23] = [
    ("hidden_block_count_x", HiddenKind::BlockCount(0)),
    ("hidden_block_count_y", HiddenKind::BlockCount(1)),
    ("hidden_block_count_z", HiddenKind::BlockCount(2)),
    ("hidden_group_size_x", HiddenKind::GroupSize(0)),
    ("hidden_group_size_y", HiddenKind::GroupSize(1)),
    ("hidden_group_size_z", HiddenKind::GroupSize(2)),
    ("hidden_remainder_x", HiddenKind::Remainder(0)),
    ("hidden_remainder_y", HiddenKind::Remainder(1)),
    ("hidden_remainder_z", HiddenKind::Remainder(2)),
    ("hidden_global_offset_x", HiddenKind::GlobalOffset(0)),
    ("hidden_global_offset_y", HiddenKind::GlobalOffset(1)),
    ("hidden_global_offset_z", HiddenKind::GlobalOffset(2)),
    ("hidden_grid_dims", HiddenKind::GridDims),
    ("hidden_dynamic_lds_size", HiddenKind::DynamicShare),
    ("hidden_private_base", HiddenKind::PrivateBase),
    ("hidden_shared_base", HiddenKind::SharedBase),
    ("hidden_queue_ptr", HiddenKind::Queue),
    ("hidden_printf_buffer", HiddenKind::Service("hidden_printf_buffer")),
    ("hidden_hostcall_buffer", HiddenKind::Service("hidden_hostcall_buffer")),
    ("hidden_multigrid_sync_arg", HiddenKind::Service("hidden_multigrid_sync_arg")),
    ("hidden_heap_v1", HiddenKind::Service("hidden_heap_v1")),
    ("hidden_default_queue", HiddenKind::Service("hidden_default_queue")),
    ("hidden_completion_action", HiddenKind::Service("hidden_completion_action")),
];

impl HiddenKind {
    /// Finds the kind of a word of metadata.
    pub(super) fn from_word(word: &str) -> Option<HiddenKind> {
        KINDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind)
    }
}

impl Program {
    /// The arguments of a kernel that its metadata say to be filled in by the runtime.
    pub fn hidden_arguments(&self, kernel: &Kernel) -> Vec<HiddenArgument> {
        metadata::hidden_arguments(&self.expansion).remove(&kernel.name).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Options, assemble};

    #[test]
    fn metadata_say_which_arguments_are_hidden() {
        let text = "one:\ns_endpgm\ntwo:\ns_endpgm\n.type one,@function\n.type two,@function\n\
.amdgpu_metadata\namdhsa.kernels:\n  - .args:\n      - .name: n\n        .offset: 0\n        \
.size: 4\n        .value_kind: by_value\n      - .offset: 8\n        .size: 4\n        \
.value_kind: hidden_block_count_y\n      - .offset: 12\n        .size: 2\n        \
.value_kind: hidden_later\n      - .offset: 16\n        .size: 8\n        \
.value_kind: hidden_heap_v1\n    .name: one\n    .symbol: one.kd\n  - .args:\n      - { .name: \
m, .offset: 0, .size: 8, .value_kind: global_buffer }\n      - { .offset: 8, .size: 2, \
.value_kind: hidden_group_size_x }\n    .name: two\n...\n.end_amdgpu_metadata\n";
        let program = assemble(text, &Options::of(text, "k.s"), &|_| None, &source::no_checkpoint);
        let found: Vec<(&str, Vec<HiddenArgument>)> = program
            .kernels
            .iter()
            .map(|kernel| (&*kernel.name, program.hidden_arguments(kernel)))
            .collect();
        let own = |offset, size, kind| HiddenArgument { offset, size, kind };
        let one = vec![
            own(8, 4, HiddenKind::BlockCount(1)),
            own(16, 8, HiddenKind::Service("hidden_heap_v1")),
        ];
        let two = vec![own(8, 2, HiddenKind::GroupSize(0))];
        assert_eq!(found, [("one", one), ("two", two)]);
    }
}

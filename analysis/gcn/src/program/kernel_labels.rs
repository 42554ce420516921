//! The labels of a kernel, for jumps in code with lines that are not instructions.

use rustc_hash::FxHashMap;

use super::{Kernel, Label, Program};

/// The labels of a kernel.
pub(super) struct KernelLabels<'a> {
    all: Vec<&'a Label>,
    by_name: FxHashMap<&'a str, u32>,
}

impl<'a> KernelLabels<'a> {
    /// Gathers them.
    pub(super) fn of(program: &'a Program, kernel: &Kernel) -> KernelLabels<'a> {
        let own = |it: &&Label| kernel.instructions.contains(&it.instruction);
        let all: Vec<&Label> = program.labels.iter().filter(own).collect();
        let by_name = all.iter().map(|it| (&*it.name, it.instruction)).collect();
        KernelLabels { all, by_name }
    }

    /// The instruction of the program that a label leads to from another one.
    pub(super) fn find(&self, label: &str, here: u32) -> Option<u32> {
        let named = self.by_name.get(label).copied();
        named.or_else(|| numbered(self.all.iter().copied(), label, here))
    }

    /// The places of all labels among some instructions of the program, in order.
    pub(super) fn places(&self, instructions: &[u32]) -> Vec<u32> {
        let place = |it: &&Label| instructions.partition_point(|own| *own < it.instruction);
        let mut places: Vec<usize> = self.all.iter().map(place).collect();
        places.retain(|place| *place < instructions.len());
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|place| place as u32).collect()
    }
}

/// The instruction that a numeric label leads to: `1b` to the last label `1` before an
/// instruction, `1f` to the first behind it.
fn numbered<'a>(
    labels: impl DoubleEndedIterator<Item = &'a Label>,
    label: &str,
    here: u32,
) -> Option<u32> {
    let mut labels = labels;
    let own = match label.strip_suffix('b') {
        Some(name) => labels.rfind(|it| *it.name == *name && it.instruction <= here),
        None => {
            let name = label.strip_suffix('f')?;
            labels.find(|it| *it.name == *name && it.instruction > here)
        }
    };
    own.map(|it| it.instruction)
}

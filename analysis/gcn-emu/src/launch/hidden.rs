//! Hidden arguments: those that the runtime fills in from the dispatch.
//!
//! Every group is whole and the first work-item is number 0, as the inputs describe a grid; its
//! axes are those up to the last with more than one work-item. Services of a runtime, such as
//! `printf` or a heap, are not there: their arguments read 0.

use gcn::program::{HiddenArgument, HiddenKind};

use super::Launch;
use super::layout::QUEUE;

impl Launch {
    /// Says which hidden arguments read 0 since nothing here offers what they lead to, by the words
    /// that metadata have for them; `None` where there are none.
    pub fn unfilled(&self) -> Option<String> {
        let words: Vec<&str> = self.unfilled_words().collect();
        (!words.is_empty()).then(|| format!("no runtime is here: {} read 0", words.join(", ")))
    }

    fn unfilled_words(&self) -> impl Iterator<Item = &'static str> {
        self.hidden.iter().filter_map(|own| match own.kind {
            HiddenKind::Service(word) if !self.is_given(own) => Some(word),
            _ => None,
        })
    }

    /// Tells whether the inputs give bytes of a hidden argument.
    fn is_given(&self, own: &HiddenArgument) -> bool {
        let (start, end) = (own.offset as usize, (own.offset + own.size) as usize);
        self.inputs.arguments.iter().any(|(offset, words)| {
            let bytes: u32 = words.iter().map(|word| word.count() * 4).sum();
            *offset < end && start < offset + bytes as usize
        })
    }

    /// The value of a hidden argument.
    fn hidden_value(&self, kind: HiddenKind) -> u64 {
        let (grid, group) = (self.inputs.grid, self.inputs.group);
        let apertures = self.scratch.apertures(self.program.target, 0);
        match kind {
            HiddenKind::BlockCount(axis) => grid[usize::from(axis)].into(),
            HiddenKind::GroupSize(axis) => group[usize::from(axis)].into(),
            HiddenKind::Remainder(_) | HiddenKind::GlobalOffset(_) | HiddenKind::Service(_) => 0,
            HiddenKind::GridDims => {
                let has_several = |axis: &usize| grid[*axis].saturating_mul(group[*axis]) > 1;
                (0..3).rfind(has_several).unwrap_or(0) as u64 + 1
            }
            HiddenKind::DynamicShare => self.inputs.share.into(),
            HiddenKind::PrivateBase => apertures.private.into(),
            HiddenKind::SharedBase => apertures.shared.into(),
            HiddenKind::Queue => QUEUE,
        }
    }

    /// Fills in the hidden arguments that the inputs do not give.
    pub(super) fn fill_hidden(&self, arguments: &mut [u8]) {
        for own in self.hidden.iter().filter(|own| !self.is_given(own)) {
            let value = self.hidden_value(own.kind).to_le_bytes();
            let count = (own.size as usize).min(value.len());
            let place = own.offset as usize..own.offset as usize + count;
            if let Some(place) = arguments.get_mut(place) {
                place.copy_from_slice(&value[..count]);
            }
        }
    }
}

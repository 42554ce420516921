//! Immediates that a fix gives other values, where nothing else reads them.

use source::TextEdit;

use super::context::Context;
use crate::ast::{Component, Immediate, Instruction, Source};
use crate::words::{File, ImmediateType};

/// Immediates among which a value is looked for, at most.
const SEARCHED: usize = 1024;

/// A component of an immediate, and the value that it is to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) component: Component,
    pub(super) value: u32,
}

/// The number of operands that read each component of each immediate.
#[derive(Debug)]
pub(super) struct Reads {
    counts: Vec<[u32; 4]>,
    /// Set where a number is computed, which may be any.
    computed: bool,
}

impl Reads {
    /// Counts them.
    pub(super) fn of(instructions: &[&Instruction], immediates: usize) -> Reads {
        let mut reads = Reads { counts: vec![[0; 4]; immediates], computed: false };
        for instruction in instructions {
            for source in &instruction.sources {
                reads.add(&source.register.number(), source.register.file, &source.swizzle.0);
            }
            for offset in &instruction.offsets {
                reads.add(&offset.register.number(), offset.register.file, &offset.swizzle);
            }
        }
        reads
    }

    fn add(&mut self, number: &Option<u32>, file: File, components: &[Component]) {
        if file != File::Immediate {
            return;
        }
        let Some(number) = number else {
            self.computed = true;
            return;
        };
        let Some(counts) = self.counts.get_mut(*number as usize) else { return };
        for (component, count) in Component::ALL.into_iter().zip(counts) {
            *count += u32::from(components.contains(&component));
        }
    }

    fn is_the_only(&self, number: u32, component: Component) -> bool {
        let counts = self.counts.get(number as usize);
        !self.computed && counts.is_some_and(|counts| counts[component as usize] == 1)
    }
}

/// Returns the edits that give a source other values: in its immediate where nothing else reads
/// them, or by another immediate that has the only one. `None` where there is none of both.
pub(super) fn changed(
    context: &Context<'_>,
    source: &Source,
    changes: &[Change],
) -> Option<Vec<TextEdit>> {
    let immediate = source.register.immediate(&context.immediates)?;
    let number = source.register.number()?;
    let mut open: Vec<Change> = changes.to_vec();
    open.retain(|it| immediate.bits[it.component as usize] != it.value);
    open.sort_by_key(|it| it.component as usize);
    open.dedup();
    let is_clear = open.windows(2).all(|pair| pair[0].component != pair[1].component);
    let reads = context.immediate_reads();
    if is_clear
        && is_whole(immediate)
        && open.iter().all(|it| reads.is_the_only(number, it.component))
    {
        let edit = |it: &Change| {
            let place = immediate.values.get(it.component as usize)?;
            Some(TextEdit::replace(*place, it.value.to_string()))
        };
        return open.iter().map(edit).collect();
    }
    let first = changes.first()?;
    let is_one = changes.iter().all(|it| it.value == first.value);
    let others = context.immediates.iter().take(SEARCHED).zip(0..).filter(|(it, _)| is_whole(it));
    let found = others.filter(|_| is_one).find_map(|(it, number)| {
        let place = Component::ALL.into_iter().find(|own| it.bits[*own as usize] == first.value)?;
        Some((number, place))
    });
    let (number, component) = found?;
    let letters: String = [component.letter(); 4].into_iter().collect();
    Some(vec![TextEdit::replace(source.range, format!("IMM[{number}].{letters}"))])
}

/// Tells whether an immediate has whole numbers of 32 bits.
fn is_whole(immediate: &Immediate) -> bool {
    matches!(immediate.ty.value, ImmediateType::Unsigned32 | ImmediateType::Signed32)
}

//! Other generations that have a line, for texts whose target is a guess.

use crate::assembler::Dialect;
use crate::instruction::{InstructionSet, Symbols, assemble_line};
use crate::{Generation, Target};

/// The generations of which some chip has a line, in order.
pub(super) fn generations(text: &str, dialect: Dialect, symbols: &dyn Symbols) -> Vec<Generation> {
    let has = |target: Target| {
        assemble_line(text, InstructionSet::in_dialect(target, dialect), symbols).is_ok()
    };
    let of = |generation: Generation| {
        let mut chips = Target::all().filter(move |it| it.generation() == generation);
        chips.any(has)
    };
    Generation::ALL.into_iter().filter(|generation| of(*generation)).collect()
}

//! Other generations that have a line, for texts whose target is a guess.

use crate::assembler::Dialect;
use crate::instruction::{InstructionSet, Symbols, assemble_line};
use crate::{Generation, Target};

/// Tells whether some chip of a generation has a line.
pub(super) fn has(
    generation: Generation,
    text: &str,
    dialect: Dialect,
    symbols: &dyn Symbols,
) -> bool {
    // Chips of one set of features take the same lines.
    let mut tried = Vec::new();
    let mut is_new = |target: &Target| {
        let own = target.row().subtarget;
        let is_new = !tried.contains(&own);
        tried.extend(is_new.then_some(own));
        is_new
    };
    let chips = Target::all().filter(|it| it.generation() == generation);
    chips.filter(&mut is_new).any(|target| {
        assemble_line(text, InstructionSet::in_dialect(target, dialect), symbols).is_ok()
    })
}

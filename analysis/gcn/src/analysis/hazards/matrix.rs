//! The accumulation registers of MI100's matrix unit, through which most of its hazards go.
//!
//! Sets of them are kept as sets of vector registers of the same numbers: the two files
//! have as many.

use super::Consumer;
use crate::analysis::def_use::{Access, Effects};
use crate::analysis::register_set::RegisterSet;
use crate::behaviour::Unit;
use crate::instruction::form::InstDesc;
use crate::instruction::{Bank, Register, Traits};
use crate::mnemonics::Opcode;

/// The move out of an accumulation register, and into one.
pub(super) const READ: Opcode = Opcode::v_accvgpr_read_b32;
pub(super) const WRITE: Opcode = Opcode::v_accvgpr_write_b32;

pub(super) fn is_product(recipe: &InstDesc) -> bool {
    recipe.behaviour().unit == Unit::Matrix
}

/// Whether it multiplies matrices of a size, which rules how many passes it takes.
pub(super) fn is_product_of(recipe: &InstDesc, tile: impl Fn(Traits) -> bool) -> bool {
    is_product(recipe) && tile(recipe.traits())
}

fn numbers(accesses: &[Access]) -> RegisterSet {
    let mut set = RegisterSet::EMPTY;
    for access in accesses.iter().filter(|it| it.register.bank == Bank::Accumulator) {
        set.insert(Register { bank: Bank::Vector, ..access.register });
    }
    set
}

/// The register that a member of such a set stands for.
pub(super) fn accumulator(member: Register) -> Register {
    Register { bank: Bank::Accumulator, ..member }
}

/// What it writes.
pub(super) fn written(effects: &Effects) -> RegisterSet {
    numbers(effects.writes())
}

/// A product reads its two factors, then what is added; all are registers.
fn parts(effects: &Effects) -> (&[Access], Option<&Access>) {
    let (factors, rest) = effects.reads().split_at_checked(2).unwrap_or_default();
    (factors, rest.first())
}

/// What a product adds to; nothing for what is no product.
pub(super) fn addend(effects: &Effects) -> RegisterSet {
    match effects.recipe {
        Some(recipe) if is_product(recipe) => {
            numbers(parts(effects).1.map_or(&[], |it| std::slice::from_ref(it)))
        }
        _ => RegisterSet::EMPTY,
    }
}

/// The registers through which a kind of instruction may be too early.
pub(super) fn needed(then: Consumer, effects: &Effects) -> RegisterSet {
    match then {
        Consumer::Factor => numbers(parts(effects).0),
        Consumer::Addend => addend(effects),
        Consumer::AccumulatorWrite => written(effects),
        _ => numbers(effects.reads()),
    }
}

/// Whether one product's result is as a whole what another adds to: the unit passes it on.
pub(super) fn passes_on(first: &Effects, then: &Effects) -> bool {
    let result = first.writes().first().map(|access| access.register);
    first.recipe.is_some_and(is_product)
        && parts(then).1.is_some_and(|access| Some(access.register) == result)
}

//! The accumulation registers of MI100's matrix unit, through which most of its hazards go.

use super::Consumer;
use crate::analysis::def_use::{Access, DefUse};
use crate::analysis::register_set::RegisterSet;
use crate::behaviour::Unit;
use crate::instruction::form::InstDesc;
use crate::instruction::{Bank, OpFlags};
use crate::mnemonics::Opcode;

/// The move out of an accumulation register, and into one.
pub(super) const READ: Opcode = Opcode::v_accvgpr_read_b32;
pub(super) const WRITE: Opcode = Opcode::v_accvgpr_write_b32;

pub(super) fn is_product(desc: &InstDesc) -> bool {
    desc.behaviour().unit == Unit::Matrix
}

/// Tells whether it multiplies matrices of a size, which rules how many passes it takes.
pub(super) fn is_product_of(desc: &InstDesc, tile: impl Fn(OpFlags) -> bool) -> bool {
    is_product(desc) && tile(desc.flags())
}

fn accumulators(accesses: &[Access]) -> RegisterSet {
    let own = accesses.iter().map(|access| access.register);
    own.filter(|register| register.bank == Bank::Accumulator).collect()
}

/// Returns the accesses that write.
pub(super) fn written(def_use: &DefUse) -> RegisterSet {
    accumulators(def_use.writes())
}

/// A product reads its two factors, then what is added; all are registers.
fn parts(def_use: &DefUse) -> (&[Access], Option<&Access>) {
    let (factors, rest) = def_use.reads().split_at_checked(2).unwrap_or_default();
    (factors, rest.first())
}

/// Returns the addend of a product; nothing for what is not a product.
pub(super) fn addend(def_use: &DefUse) -> RegisterSet {
    match def_use.desc {
        Some(desc) if is_product(desc) => {
            accumulators(parts(def_use).1.map_or(&[], |it| std::slice::from_ref(it)))
        }
        _ => RegisterSet::EMPTY,
    }
}

/// The registers through which a kind of instruction may be too early.
pub(super) fn needed(then: Consumer, def_use: &DefUse) -> RegisterSet {
    match then {
        Consumer::Factor => accumulators(parts(def_use).0),
        Consumer::Addend => addend(def_use),
        Consumer::AccumulatorWrite => written(def_use),
        _ => accumulators(def_use.reads()),
    }
}

/// Tells whether one product's result is as a whole what another adds to: the unit passes it
/// on.
pub(super) fn forwards_result(first: &DefUse, then: &DefUse) -> bool {
    let result = first.writes().first().map(|access| access.register);
    first.desc.is_some_and(is_product)
        && parts(then).1.is_some_and(|access| Some(access.register) == result)
}

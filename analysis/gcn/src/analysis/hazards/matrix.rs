//! The registers of matrix products: their factors, what they add to, and their results.

use isa::gcn::Target;
use isa::gcn::matrix::MatrixProduct;

use super::Consumer;
use crate::analysis::def_use::{Access, DefUse};
use crate::analysis::register_set::RegisterSet;
use crate::behaviour::Unit;
use crate::instruction::form::{InstDesc, SlotKind};
use crate::instruction::modifier::Key;
use crate::instruction::{Bank, Register};
use crate::mnemonics::Opcode;

/// The move out of an accumulation register, and into one.
pub(super) const READ: Opcode = Opcode::v_accvgpr_read_b32;
pub(super) const WRITE: Opcode = Opcode::v_accvgpr_write_b32;

pub(super) fn is_product(desc: &InstDesc) -> bool {
    desc.behaviour().unit == Unit::Matrix
}

/// Returns the product of matrices that an instruction is.
pub(in crate::analysis) fn product(
    def_use: &DefUse,
    target: Target,
) -> Option<&'static MatrixProduct> {
    // The table of products is searched, and most instructions are none.
    let desc = def_use.desc.filter(|desc| is_product(desc))?;
    desc.opcode().matrix_product(target.row().subtarget)
}

/// Returns the passes that an instruction takes; `None` of one that is no product of matrices.
pub(in crate::analysis) fn passes(def_use: &DefUse, target: Target) -> Option<u8> {
    let product = product(def_use, target)?;
    if product.passes == product.byte_passes {
        return Some(product.passes);
    }
    let desc = def_use.desc?;
    let number = |wanted: Key| {
        let holds = |kind: SlotKind| matches!(kind, SlotKind::Number { key, .. } if key == wanted);
        let slot = desc.slots().iter().find(|slot| holds(slot.kind));
        slot.map_or(0, |slot| slot.value(def_use.bits) as u8)
    };
    let a = product.a.with_format(number(Key::Cbsz)).unwrap_or(product.a);
    let b = product.b.with_format(number(Key::Blgp)).unwrap_or(product.b);
    Some(product.passes_of(a, b))
}

fn accumulators(accesses: &[Access]) -> RegisterSet {
    let own = accesses.iter().map(|access| access.register);
    own.filter(|register| register.bank == Bank::Accumulator).collect()
}

/// Returns the accumulation registers that it writes.
pub(super) fn written(def_use: &DefUse) -> RegisterSet {
    accumulators(def_use.writes())
}

/// The operand of what is added, among those that are registers: behind the factors, but for a
/// sparse product, which adds to its result.
fn sum_operand(def_use: &DefUse) -> u8 {
    let adds_to_result = def_use.reads().iter().any(|access| access.operand == Some(0));
    if adds_to_result { 0 } else { 3 }
}

/// Returns the registers that a product adds to; `None` where it adds to a constant.
pub(super) fn sum(def_use: &DefUse) -> Option<Register> {
    let own = sum_operand(def_use);
    let read = def_use.reads().iter().find(|access| access.operand == Some(own));
    read.map(|access| access.register)
}

/// Returns the result of a product.
pub(super) fn result(def_use: &DefUse) -> Option<Register> {
    def_use.writes().first().map(|access| access.register)
}

/// Returns what a product multiplies, and what says how.
pub(super) fn factors(def_use: &DefUse) -> RegisterSet {
    let sum = sum_operand(def_use);
    let own = def_use.reads().iter().filter(|it| it.operand.is_some_and(|it| it != sum));
    own.map(|access| access.register).collect()
}

/// Returns what a dot product multiplies.
pub(super) fn dot_factors(def_use: &DefUse) -> RegisterSet {
    let factors = def_use.reads().iter().filter(|it| matches!(it.operand, Some(1 | 2)));
    factors.map(|access| access.register).collect()
}

/// Returns the addend of a product; nothing for what is not a product.
pub(super) fn addend(def_use: &DefUse) -> RegisterSet {
    match def_use.desc {
        Some(desc) if is_product(desc) => sum(def_use).map_or(RegisterSet::EMPTY, RegisterSet::of),
        _ => RegisterSet::EMPTY,
    }
}

/// The accumulation registers through which a kind of instruction may be too early on MI100.
pub(super) fn needed(then: Consumer, def_use: &DefUse) -> RegisterSet {
    match then {
        Consumer::Factor => factors(def_use).of_bank(Bank::Accumulator),
        Consumer::Addend => addend(def_use).of_bank(Bank::Accumulator),
        Consumer::AccumulatorWrite => written(def_use),
        _ => accumulators(def_use.reads()),
    }
}

/// Tells whether one product's result is as a whole what another adds to: the unit passes it
/// on.
pub(super) fn forwards_result(first: &DefUse, then: &DefUse) -> bool {
    first.desc.is_some_and(is_product) && sum(then).is_some() && sum(then) == result(first)
}

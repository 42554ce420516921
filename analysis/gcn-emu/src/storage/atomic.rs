//! Atomic operations: what memory holds afterwards.
//!
//! Source: ISA manuals, MUBUF and DS. One lane after the other, the lowest first: the
//! hardware keeps no order, so programs cannot depend on another. Sums of floats are
//! rounded to the nearest; denormals go by the wave's MODE in the share (LLVM,
//! SITargetLowering, shouldExpandAtomicRMWInIR) and by [`Mode::OF_MEMORY`] in memory.

use isa::gcn::operation::Atomic;

use crate::arithmetic::nearest_sum;
use crate::float::{flushed, number, quieted};
use crate::mode::Mode;

/// The numbers of an atomic operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AtomicInputs {
    /// The value of memory.
    pub(crate) old: u64,
    pub(crate) data: u64,
    /// The comparand, or the second datum.
    pub(crate) other: u64,
}

/// Returns the new value of memory, of 32 or 64 bits.
#[deny(clippy::wildcard_enum_match_arm)]
pub(crate) fn apply(atomic: Atomic, inputs: AtomicInputs, bits: u8, mode: Mode) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    let AtomicInputs { old, data, other } = inputs;
    let (old, data, other) = (old & mask, data & mask, other & mask);
    // The sign stands in the highest bit, where numbers of both sizes compare alike.
    let signed = |value: u64| (value << (64 - bits)) as i64;
    let float = |value: u64| match bits {
        64 => number::<64>(value),
        _ => number::<32>(value),
    };
    let data_if = |taken: bool| if taken { data } else { old };
    let value = match atomic {
        Atomic::Swap => data,
        Atomic::CompareSwap => data_if(old == other),
        Atomic::Add => old.wrapping_add(data),
        Atomic::Subtract => old.wrapping_sub(data),
        Atomic::SubtractFrom => data.wrapping_sub(old),
        Atomic::SignedMinimum => data_if(signed(data) < signed(old)),
        Atomic::UnsignedMinimum => old.min(data),
        Atomic::SignedMaximum => data_if(signed(data) > signed(old)),
        Atomic::UnsignedMaximum => old.max(data),
        Atomic::And => old & data,
        Atomic::Or => old | data,
        Atomic::Xor => old ^ data,
        Atomic::Increment if old >= data => 0,
        Atomic::Increment => old + 1,
        Atomic::Decrement if old == 0 || old > data => data,
        Atomic::Decrement => old - 1,
        Atomic::FloatCompareSwap => data_if(float(old) == float(other)),
        Atomic::FloatMinimum => data_if(float(data) < float(old)),
        Atomic::FloatMaximum => data_if(float(data) > float(old)),
        Atomic::FloatAdd if bits == 64 => nearest_sum::<64>(float(old), float(data)),
        Atomic::FloatAdd => sum::<32>(old, data, mode),
        Atomic::HalvesAdd => {
            let half = |shift: u32| sum::<16>(old >> shift & 0xffff, data >> shift & 0xffff, mode);
            half(0) | half(16) << 16
        }
        Atomic::ShortFloatsAdd => {
            let short = |shift: u32| {
                let single = |value: u64| (value >> shift & 0xffff) << 16;
                let sum = sum::<32>(single(old), single(data), Mode::OF_MEMORY);
                if number::<32>(sum).is_nan() {
                    return quieted(sum, 32) >> 16;
                }
                // To the nearest of sixteen bits, to even where two are as near.
                (sum + 0x7fff + (sum >> 16 & 1)) >> 16 & 0xffff
            };
            short(0) | short(16) << 16
        }
        // The first datum is the mask.
        Atomic::Mask => old & !data | other,
        Atomic::Wrap if old >= data => old.wrapping_sub(data),
        Atomic::Wrap => old.wrapping_add(other),
    };
    value & mask
}

/// The sum of two floats, to the nearest.
fn sum<const BITS: u8>(a: u64, b: u64, mode: Mode) -> u64 {
    let source = |bits: u64| match mode.keeps_sources(BITS) {
        true => number::<BITS>(bits),
        false => number::<BITS>(flushed(bits, BITS)),
    };
    let sum = nearest_sum::<BITS>(source(a), source(b));
    if mode.keeps_results(BITS) { sum } else { flushed(sum, BITS) }
}

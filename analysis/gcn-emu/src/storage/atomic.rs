//! Atomic operations: what memory holds afterwards.
//!
//! Source: ISA manuals, MUBUF and DS. One lane after the other, the lowest first: the
//! hardware keeps no order, so programs cannot depend on another. Sums of floats are
//! rounded to the nearest; denormals go by the wave's MODE in the share (LLVM,
//! SITargetLowering, shouldExpandAtomicRMWInIR) and by [`Mode::OF_MEMORY`] in memory.

use isa::gcn::operation::Atomic;

use crate::float::{flushed, number, rounded};
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
pub(crate) fn apply(atomic: Atomic, inputs: AtomicInputs, bits: u8, mode: Mode) -> u64 {
    if bits == 64 { wide(atomic, inputs) } else { narrow(atomic, inputs, mode) }
}

fn narrow(atomic: Atomic, inputs: AtomicInputs, mode: Mode) -> u64 {
    let AtomicInputs { old, data, other } = inputs;
    let (o, d) = (old as u32, data as u32);
    let float = |bits: u64| number::<32>(bits);
    let value = match atomic {
        Atomic::Swap => d,
        Atomic::CompareSwap => {
            if o == other as u32 {
                d
            } else {
                o
            }
        }
        Atomic::Add => o.wrapping_add(d),
        Atomic::Subtract => o.wrapping_sub(d),
        Atomic::SubtractFrom => d.wrapping_sub(o),
        Atomic::SignedMinimum => (o as i32).min(d as i32) as u32,
        Atomic::UnsignedMinimum => o.min(d),
        Atomic::SignedMaximum => (o as i32).max(d as i32) as u32,
        Atomic::UnsignedMaximum => o.max(d),
        Atomic::And => o & d,
        Atomic::Or => o | d,
        Atomic::Xor => o ^ d,
        Atomic::Increment => {
            if o >= d {
                0
            } else {
                o + 1
            }
        }
        Atomic::Decrement => {
            if o == 0 || o > d {
                d
            } else {
                o - 1
            }
        }
        Atomic::FloatCompareSwap => {
            if float(old) == float(other) {
                d
            } else {
                o
            }
        }
        Atomic::FloatMinimum => {
            if float(data) < float(old) {
                d
            } else {
                o
            }
        }
        Atomic::FloatMaximum => {
            if float(data) > float(old) {
                d
            } else {
                o
            }
        }
        Atomic::FloatAdd => sum::<32>(old, data, mode) as u32,
        Atomic::HalvesAdd => {
            let half = |shift: u32| {
                (sum::<16>(old >> shift & 0xffff, data >> shift & 0xffff, mode) as u32) << shift
            };
            half(0) | half(16)
        }
        // The first datum is the mask.
        Atomic::Mask => o & !d | other as u32,
        Atomic::Wrap => {
            let (lower, rest) = (o.wrapping_sub(d), o.wrapping_add(other as u32));
            if o >= d { lower } else { rest }
        }
    };
    value.into()
}

fn wide(atomic: Atomic, inputs: AtomicInputs) -> u64 {
    let AtomicInputs { old, data, other } = inputs;
    let float = f64::from_bits;
    match atomic {
        Atomic::Swap => data,
        Atomic::CompareSwap => {
            if old == other {
                data
            } else {
                old
            }
        }
        Atomic::Add => old.wrapping_add(data),
        Atomic::Subtract => old.wrapping_sub(data),
        Atomic::SubtractFrom => data.wrapping_sub(old),
        Atomic::SignedMinimum => (old as i64).min(data as i64) as u64,
        Atomic::UnsignedMinimum => old.min(data),
        Atomic::SignedMaximum => (old as i64).max(data as i64) as u64,
        Atomic::UnsignedMaximum => old.max(data),
        Atomic::And => old & data,
        Atomic::Or => old | data,
        Atomic::Xor => old ^ data,
        Atomic::Increment => {
            if old >= data {
                0
            } else {
                old + 1
            }
        }
        Atomic::Decrement => {
            if old == 0 || old > data {
                data
            } else {
                old - 1
            }
        }
        Atomic::FloatCompareSwap => {
            if float(old) == float(other) {
                data
            } else {
                old
            }
        }
        Atomic::FloatMinimum => {
            if float(data) < float(old) {
                data
            } else {
                old
            }
        }
        Atomic::FloatMaximum => {
            if float(data) > float(old) {
                data
            } else {
                old
            }
        }
        Atomic::FloatAdd => (float(old) + float(data)).to_bits(),
        Atomic::Mask => old & !data | other,
        Atomic::HalvesAdd | Atomic::Wrap => old,
    }
}

/// The sum of two floats, to the nearest.
fn sum<const BITS: u8>(a: u64, b: u64, mode: Mode) -> u64 {
    let source = |bits: u64| match mode.keeps_sources(BITS) {
        true => number::<BITS>(bits),
        false => number::<BITS>(flushed(bits, BITS)),
    };
    let sum = rounded::<BITS>(source(a) + source(b));
    if mode.keeps_results(BITS) { sum } else { flushed(sum, BITS) }
}

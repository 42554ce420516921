//! Values as people read them.

use debugger::Bits;
use tgsi::opcodes::ValueType;
use tgsi::values;

/// Lanes whose values are shown in one row, at most.
const MOST_IN_ROW: usize = 4;

/// A word as what it probably is.
pub(crate) fn word(bits: u32) -> String {
    values::word(ValueType::Untyped, bits)
}

/// A word as float, integer and bits.
pub(crate) fn every_way(bits: u32) -> String {
    let float = values::float(f32::from_bits(bits));
    format!("{float} | int {} | {bits:#010x}", bits as i32)
}

/// A mask of lanes: its bits, how many are set, and a row with lane 0 on the left.
pub(crate) fn mask(bits: u64, lanes: usize) -> String {
    let row: String =
        (0..lanes).map(|lane| if bits >> lane & 1 == 1 { '1' } else { '.' }).collect();
    format!("{bits:#x} | {} of {lanes} | {row}", bits.count_ones())
}

/// The value of a variable in a lane, with what the other active lanes have.
pub(crate) fn bits(bits: &Bits, lane: usize, active: u64, lanes: usize) -> String {
    match bits {
        Bits::Word(bits) => every_way(*bits),
        Bits::Mask(bits) => mask(*bits, lanes),
        Bits::Parts => String::new(),
        Bits::Lanes(words) => {
            let own = words.get(lane).copied().unwrap_or(0);
            let others = words.iter().enumerate();
            let differ = others.filter(|(at, bits)| active >> at & 1 == 1 && **bits != own).count();
            match (differ, words.len() <= MOST_IN_ROW) {
                (0, _) => every_way(own),
                (_, true) => {
                    let row: Vec<String> = words.iter().map(|bits| word(*bits)).collect();
                    format!("{} | lanes {}", word(own), row.join(", "))
                }
                (1, false) => format!("{} | 1 lane differs", every_way(own)),
                (_, false) => format!("{} | {differ} lanes differ", every_way(own)),
            }
        }
    }
}

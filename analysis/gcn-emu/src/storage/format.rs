//! Formats of buffers: components in memory and as registers.
//!
//! Source: ISA manuals, "buffer resource descriptor": data format (how many bits each
//! component has, the lowest first) and number format (what they mean).

use crate::float::number;
use crate::vector::{snorm16, unorm16};
use softfloat::{Rounding, from_half, to_half};

/// The bits of each component, the lowest first; 0 where there is none.
pub(crate) fn components(data_format: u8) -> Option<[u32; 4]> {
    Some(match data_format {
        1 => [8, 0, 0, 0],
        2 => [16, 0, 0, 0],
        3 => [8, 8, 0, 0],
        4 => [32, 0, 0, 0],
        5 => [16, 16, 0, 0],
        6 => [11, 11, 10, 0],
        7 => [10, 11, 11, 0],
        8 => [2, 10, 10, 10],
        9 => [10, 10, 10, 2],
        10 => [8, 8, 8, 8],
        11 => [32, 32, 0, 0],
        12 => [16, 16, 16, 16],
        13 => [32, 32, 32, 0],
        14 => [32, 32, 32, 32],
        _ => return None,
    })
}

/// The layout of components in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halves {
    /// A register each.
    No,
    /// A register each, half of it used.
    Unpacked,
    /// Two in a register.
    Packed,
    /// One in the upper half.
    High,
}

impl Halves {
    /// Returns the number of registers of so many components.
    pub(crate) fn words(self, count: usize) -> usize {
        match self {
            Halves::Packed => count.div_ceil(2),
            Halves::High => 1,
            Halves::No | Halves::Unpacked => count,
        }
    }

    /// Returns the value of a register, counted from the first, that held `old`; `half` makes
    /// sixteen bits of a component.
    pub(crate) fn register(
        self,
        word: usize,
        components: [u32; 4],
        old: u32,
        half: impl Fn(u32) -> u32,
    ) -> u32 {
        let half_of = |place: usize| half(components.get(place).copied().unwrap_or(0));
        match self {
            Halves::No => components.get(word).copied().unwrap_or(0),
            Halves::Unpacked => half_of(word),
            Halves::Packed => half_of(2 * word) | half_of(2 * word + 1) << 16,
            Halves::High => old & 0xffff | half_of(0) << 16,
        }
    }

    /// Returns a component that registers hold; `whole` makes it of sixteen bits, the lower.
    pub(crate) fn component(
        self,
        place: usize,
        register: impl Fn(usize) -> u32,
        whole: impl Fn(u32) -> u32,
    ) -> u32 {
        match self {
            Halves::No => register(place),
            Halves::Unpacked => whole(register(place)),
            Halves::Packed => whole(register(place / 2) >> (16 * (place % 2))),
            Halves::High => whole(register(0) >> 16),
        }
    }
}

/// Sixteen bits of a component as all 32.
pub(crate) fn widened(bits: u32) -> u32 {
    from_half(bits as u16).to_bits()
}

/// A component as sixteen bits.
pub(crate) fn narrowed(bits: u32) -> u32 {
    to_half(f32::from_bits(bits).into(), Rounding::Nearest).into()
}

/// Tells whether components stay integers in registers.
pub(crate) fn is_integer(number_format: u8) -> bool {
    matches!(number_format, 4 | 5)
}

/// A small float without sign: eleven or ten bits, five of exponent.
fn small_float(bits: u32, width: u32) -> f32 {
    // With zeros below, it is a half float without its sign.
    from_half((bits << (15 - width)) as u16)
}

/// A component of memory as a register holds it.
pub(crate) fn unpacked(bits: u32, width: u32, number_format: u8) -> u32 {
    let signed = ((bits << (32 - width)) as i32) >> (32 - width);
    let largest = |width: u32| ((1_u64 << width) - 1) as f64;
    let value = match number_format {
        0 => f64::from(bits) / largest(width),
        1 => (f64::from(signed) / largest(width - 1)).max(-1.0),
        2 => f64::from(bits),
        3 => f64::from(signed),
        4 => return bits,
        5 => return signed as u32,
        6 => (2.0 * f64::from(signed) + 1.0) / largest(width),
        _ => {
            return match width {
                32 => bits,
                16 => from_half(bits as u16).to_bits(),
                _ => small_float(bits, width).to_bits(),
            };
        }
    };
    (value as f32).to_bits()
}

/// A register as a component of memory.
pub(crate) fn packed(register: u32, width: u32, number_format: u8) -> u32 {
    let value = number::<32>(register.into());
    let highest = ((1_u64 << width) - 1) as f64;
    let signed_highest = ((1_u64 << (width - 1)) - 1) as f64;
    let mask = highest as u32;
    match number_format {
        0 if width == 16 => unorm16(value).into(),
        1 if width == 16 => snorm16(value).into(),
        0 => (value.clamp(0.0, 1.0) * highest).round_ties_even() as u32,
        1 | 6 => (value.clamp(-1.0, 1.0) * signed_highest).round_ties_even() as i32 as u32 & mask,
        2 => value.clamp(0.0, highest) as u32,
        3 => value.clamp(-signed_highest - 1.0, signed_highest) as i32 as u32 & mask,
        4 => register.min(mask),
        5 => {
            let highest = signed_highest as i64;
            i64::from(register as i32).clamp(-highest - 1, highest) as u32 & mask
        }
        _ => match width {
            32 => register,
            16 => to_half(value, Rounding::Nearest).into(),
            // There is no sign: of -0 neither.
            _ => {
                let value = if value > 0.0 { value } else { 0.0 };
                u32::from(to_half(value, Rounding::TowardsZero)) >> (15 - width)
            }
        },
    }
}

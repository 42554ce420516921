//! Words of registers as people read them: by their type, where one is known, else as what
//! they probably are.

use crate::opcodes::ValueType;

/// A word as a value of a type. A word of no type is a float if it is one of usual size, an
/// infinity or what machines compute for not-a-number, else an integer with sign.
pub fn word(ty: ValueType, bits: u32) -> String {
    match ty {
        ValueType::Float => float(f32::from_bits(bits)),
        ValueType::Signed => (bits as i32).to_string(),
        ValueType::Unsigned => bits.to_string(),
        // What only moves bits says no type: that of a usual number.
        _ if bits == 0 => "0".to_owned(),
        _ if usual_float(bits).is_some() || SPECIAL.contains(&bits) => float(f32::from_bits(bits)),
        _ => (bits as i32).to_string(),
    }
}

/// Both infinities, and both of the usual not-a-numbers.
const SPECIAL: [u32; 4] = [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000];

/// Words as values of a type: of 64 bits each takes two, the lower one first.
pub fn words(ty: ValueType, bits: &[u32]) -> Vec<String> {
    if !ty.is_wide() {
        return bits.iter().map(|bits| word(ty, *bits)).collect();
    }
    let pairs = bits.chunks_exact(2);
    pairs.map(|pair| wide(ty, u64::from(pair[1]) << 32 | u64::from(pair[0]))).collect()
}

fn wide(ty: ValueType, bits: u64) -> String {
    match ty {
        ValueType::Double => format!("{:?}", f64::from_bits(bits)),
        ValueType::Signed64 => (bits as i64).to_string(),
        _ => bits.to_string(),
    }
}

/// A float: always with a point or an exponent, so that none looks like an integer.
pub fn float(value: f32) -> String {
    format!("{value:?}")
}

/// The float that an integer is probably the bits of: one of usual size. Bits
/// that are all ones up to the highest are a mask.
pub fn usual_float(bits: u32) -> Option<f32> {
    const USUAL: std::ops::RangeInclusive<f32> = 1e-6..=1e6;
    let value = f32::from_bits(bits);
    let is_mask = bits & bits.wrapping_add(1) == 0;
    (USUAL.contains(&value.abs()) && !is_mask).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_shown_by_its_type_or_as_what_it_probably_is() {
        let one = 1.0_f32.to_bits();
        let of = |ty, bits| word(ty, bits);
        assert_eq!(of(ValueType::Float, one), "1.0");
        assert_eq!(of(ValueType::Float, 0x8000_0000), "-0.0");
        assert_eq!(of(ValueType::Signed, u32::MAX), "-1");
        assert_eq!(of(ValueType::Unsigned, u32::MAX), "4294967295");
        assert_eq!(of(ValueType::Untyped, one), "1.0");
        assert_eq!(of(ValueType::Untyped, 7), "7");
        assert_eq!(of(ValueType::Untyped, u32::MAX), "-1");
        assert_eq!(of(ValueType::Untyped, 0), "0");
        assert_eq!(of(ValueType::Untyped, f32::NEG_INFINITY.to_bits()), "-inf");
        assert_eq!(of(ValueType::Untyped, f32::NAN.to_bits()), "NaN");
    }

    #[test]
    fn values_of_64_bits_take_two_words() {
        let bits = 2.5_f64.to_bits();
        let pair = [bits as u32, (bits >> 32) as u32, u32::MAX, u32::MAX];
        assert_eq!(words(ValueType::Double, &pair[..2]), ["2.5"]);
        assert_eq!(words(ValueType::Signed64, &pair[2..]), ["-1"]);
        assert_eq!(words(ValueType::Unsigned64, &pair[2..3]), [""; 0]);
        assert_eq!(words(ValueType::Signed, &pair[2..]), ["-1", "-1"]);
    }
}

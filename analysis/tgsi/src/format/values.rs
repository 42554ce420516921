//! The values of immediates: as the dumper prints them where that keeps every
//! bit, in the fewest digits that do otherwise.

use crate::words::ImmediateType;

/// One value in canonical text. `written` is how the source spells it, `bits`
/// are its bits, 64-bit types whole.
pub(super) fn value(ty: ImmediateType, written: &str, bits: u64) -> String {
    match ty {
        ImmediateType::Float32 => float(f32::from_bits(bits as u32), written),
        // Other types in hexadecimal were surely meant as bits.
        _ if is_hexadecimal(written) => written.to_ascii_lowercase(),
        ImmediateType::Float64 => double(f64::from_bits(bits), written),
        ImmediateType::Unsigned32 => integer(bits as u32, written),
        ImmediateType::Signed32 => integer(bits as u32 as i32, written),
        ImmediateType::Unsigned64 => integer(bits, written),
        ImmediateType::Signed64 => integer(bits as i64, written),
    }
}

fn is_hexadecimal(written: &str) -> bool {
    let digits = written.trim_start_matches(['-', '+']);
    digits.get(..2).is_some_and(|prefix| prefix.eq_ignore_ascii_case("0x"))
}

/// Larger numbers are written with an exponent; the dumper would print up to
/// 300 digits of them.
const LONGEST: usize = 24;

/// As wide as the dumper prints floats, so that columns line up. Readers
/// differ on floats in hexadecimal, so they become decimal; what is not a number
/// or an integer in disguise stays as it is written.
fn float(value: f32, written: &str) -> String {
    let disguised = is_hexadecimal(written) && value.is_subnormal();
    if !value.is_finite() || disguised {
        return format!("{:>10}", written.to_ascii_lowercase());
    }
    let short = format!("{value:10.4}");
    match short.trim_start().parse::<f32>() {
        Ok(read) if read.to_bits() == value.to_bits() && short.len() <= LONGEST => short,
        _ => format!("{:>10}", format!("{value:?}")),
    }
}

fn double(value: f64, written: &str) -> String {
    if !value.is_finite() {
        return format!("{:>10}", written.to_ascii_lowercase());
    }
    let short = format!("{value:10.8}");
    match short.trim_start().parse::<f64>() {
        Ok(read) if read.to_bits() == value.to_bits() && short.len() <= LONGEST => short,
        _ => format!("{:>10}", format!("{value:?}")),
    }
}

/// A number that the type cannot hold is read modulo its size, which has a
/// warning: it stays as it is written, and so does the warning.
fn integer<T: std::fmt::Display + std::str::FromStr>(value: T, written: &str) -> String {
    match written.parse::<T>() {
        Ok(_) => value.to_string(),
        Err(_) => written.to_owned(),
    }
}

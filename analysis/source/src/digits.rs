//! Numbers as digits behind a text, without format strings: listings are mostly numbers.

/// The numbers below 100, two decimal digits each.
const PAIRS: &str = "0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899";

/// Writes a number in decimal digits.
pub fn decimal(out: &mut String, value: u64) {
    // Registers, mostly.
    match value {
        0..10 => out.push(char::from(b'0' + value as u8)),
        10..100 => out.push_str(pair(value)),
        100..1000 => {
            out.push(char::from(b'0' + (value / 100) as u8));
            out.push_str(pair(value % 100));
        }
        _ => {
            decimal(out, value / 100);
            out.push_str(pair(value % 100));
        }
    }
}

fn pair(value: u64) -> &'static str {
    let at = 2 * value as usize;
    &PAIRS[at..at + 2]
}

/// Writes a number in decimal digits, with a sign before one below zero.
pub fn signed(out: &mut String, value: i64) {
    if value < 0 {
        out.push('-');
    }
    decimal(out, value.unsigned_abs());
}

/// Writes at least `least` hexadecimal digits in small letters.
pub fn hex(out: &mut String, value: u64, least: usize) {
    write_hex(out, value, least, b"0123456789abcdef");
}

/// Writes at least `least` hexadecimal digits in capitals.
pub fn upper_hex(out: &mut String, value: u64, least: usize) {
    write_hex(out, value, least, b"0123456789ABCDEF");
}

/// All bytes, two hexadecimal digits in small letters each.
const HEX_PAIRS: &str = {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    const TABLE: [u8; 512] = {
        let mut table = [0; 512];
        let mut at = 0;
        while at < table.len() {
            let byte = at / 2;
            table[at] = DIGITS[if at % 2 == 0 { byte >> 4 } else { byte & 15 }];
            at += 1;
        }
        table
    };
    match std::str::from_utf8(&TABLE) {
        Ok(text) => text,
        Err(_) => panic!("digits are text"),
    }
};

/// Writes bytes, two hexadecimal digits in small letters each.
pub fn bytes(out: &mut String, bytes: impl IntoIterator<Item = u8>) {
    for byte in bytes {
        let at = 2 * usize::from(byte);
        out.push_str(&HEX_PAIRS[at..at + 2]);
    }
}

#[inline]
fn write_hex(out: &mut String, value: u64, least: usize, digits: &[u8; 16]) {
    let needed = (64 - value.leading_zeros()).div_ceil(4) as usize;
    for place in (0..needed.max(least).max(1)).rev() {
        let digit = if place < 16 { value >> (4 * place) & 15 } else { 0 };
        out.push(char::from(digits[digit as usize]));
    }
}

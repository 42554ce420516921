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
        _ => push(out, Decimal::of(value).as_bytes()),
    }
}

/// A number in decimal digits.
#[derive(Debug, Clone, Copy)]
pub struct Decimal {
    /// The digits at its end.
    digits: [u8; Decimal::MOST],
    start: usize,
}

impl Decimal {
    const MOST: usize = 20;

    /// Makes the digits of a number.
    #[inline]
    pub fn of(value: u64) -> Decimal {
        const PAIRS_OF_BYTES: &[[u8; 2]] = PAIRS.as_bytes().as_chunks().0;
        let (mut digits, mut start, mut rest) = ([0; Decimal::MOST], Decimal::MOST, value);
        while rest >= 100 {
            start -= 2;
            digits[start..start + 2].copy_from_slice(&PAIRS_OF_BYTES[(rest % 100) as usize]);
            rest /= 100;
        }
        let [high, low] = PAIRS_OF_BYTES[rest as usize];
        start -= 1;
        digits[start] = low;
        if rest >= 10 {
            start -= 1;
            digits[start] = high;
        }
        Decimal { digits, start }
    }

    /// Returns the digits.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.digits[self.start..]
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
    let needed = (64 - value.leading_zeros()).div_ceil(4) as usize;
    let count = needed.max(least).max(1);
    let all = of_bytes(value.to_be_bytes());
    let all = all.as_flattened();
    out.extend(std::iter::repeat_n('0', count.saturating_sub(all.len())));
    push(out, &all[all.len() - count.min(all.len())..]);
}

/// All bytes, two hexadecimal digits each.
type HexPairs = [[u8; 2]; 256];

static SMALL: HexPairs = hex_pairs(b"0123456789abcdef");
static CAPITAL: HexPairs = hex_pairs(b"0123456789ABCDEF");

const fn hex_pairs(digits: &[u8; 16]) -> HexPairs {
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < pairs.len() {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
}

/// Returns two hexadecimal digits in small letters for each byte.
#[inline]
pub fn of_bytes<const N: usize>(bytes: [u8; N]) -> [[u8; 2]; N] {
    bytes.map(|byte| SMALL[usize::from(byte)])
}

/// Returns two hexadecimal digits in capitals for each byte.
#[inline]
pub fn capitals_of_bytes<const N: usize>(bytes: [u8; N]) -> [[u8; 2]; N] {
    bytes.map(|byte| CAPITAL[usize::from(byte)])
}

/// Writes bytes, two hexadecimal digits in small letters each.
pub fn bytes(out: &mut String, bytes: impl IntoIterator<Item = u8>) {
    for byte in bytes {
        push(out, &SMALL[usize::from(byte)]);
    }
}

/// Writes digits.
fn push(out: &mut String, digits: &[u8]) {
    out.push_str(std::str::from_utf8(digits).unwrap_or_default());
}

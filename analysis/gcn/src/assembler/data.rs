//! The values that data directives put into a section, byte by byte.
//!
//! Expansion only needs their sizes; the values are written when all labels have
//! their places.

use super::blocks::strings;
use super::descriptor;
use super::directives::{self, Action, Sign, Terminated};
use super::kernel_code;
use super::layout::Layout;
use super::lines::end_of_string;
use super::result::{Expansion, StatementKind};
use crate::expression::Value;

/// The part of a value that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    /// Nothing, or not all of it: zeros stand for it.
    Partly,
    /// All of it.
    Fully,
}

/// Writes the bytes of the data or padding that a statement asks for; `bytes` is
/// all there is room for.
pub(crate) fn write(
    expansion: &Expansion,
    layout: &Layout,
    statement: u32,
    bytes: &mut [u8],
) -> Known {
    let Some(what) = expansion.statements.get(statement as usize) else { return Known::Partly };
    let text = expansion.text(what).trim();
    let length = text.find([' ', '\t', '"']).unwrap_or(text.len());
    let (name, arguments) = (&text[..length], text[length..].trim());
    if name.eq_ignore_ascii_case(".end_amd_kernel_code_t") {
        return kernel_code::write(expansion, statement, bytes);
    }
    if name.eq_ignore_ascii_case(".end_amdhsa_kernel") {
        return descriptor::write(expansion, statement, bytes);
    }
    let number = |text: &str| {
        let (value, end) = expansion.evaluate_placed(text, 0, statement, Some(layout)).ok()?;
        match value {
            _ if end < text.trim_end().len() => None,
            Value::Absolute(number) => Some(number),
            // The linker's; the bytes are zero.
            Value::Address(_) => Some(0),
            _ => None,
        }
    };
    let mut arguments_of = items(arguments);
    let mut next_number = |default: i64| match arguments_of.next() {
        Some(text) if !text.is_empty() => number(text),
        _ => Some(default),
    };
    match directives::action(name, expansion.dialect) {
        Some(Action::Data(size)) => {
            let is_float = matches!(
                name.to_ascii_lowercase().as_str(),
                ".float" | ".single" | ".double" | ".half"
            );
            let mut known = Known::Fully;
            for (place, text) in bytes.chunks_mut(size as usize).zip(items(arguments)) {
                let value = match (is_float, number(text)) {
                    (true, _) => float(text, size),
                    (false, value) => value.map(i128::from),
                };
                match value {
                    Some(value) => put(place, value),
                    None => known = Known::Partly,
                }
            }
            known
        }
        Some(Action::Strings(width, terminated)) => {
            let mut places = bytes.chunks_mut(width as usize);
            let each = expansion.dialect == super::Dialect::Llvm && terminated == Terminated::Yes;
            for inside in strings(arguments) {
                let letters = unescaped(inside).chain(each.then_some(0));
                for (letter, place) in letters.zip(&mut places) {
                    put(place, i128::from(letter));
                }
            }
            Known::Fully
        }
        Some(Action::Fill) => {
            let (_, size, value) = (next_number(0), next_number(1), next_number(0));
            let (Some(size), Some(value)) = (size, value) else { return Known::Partly };
            // Of a value only four bytes are repeated, unless the name says more.
            let value = if name.ends_with('q') { value } else { value & 0xffff_ffff };
            for place in bytes.chunks_mut(size.clamp(1, 8) as usize) {
                put(place, i128::from(value));
            }
            Known::Fully
        }
        Some(Action::Space | Action::Origin) => {
            let (_, Some(value)) = (next_number(0), next_number(0)) else { return Known::Partly };
            bytes.fill(value as u8);
            Known::Fully
        }
        Some(Action::Variable(sign)) => {
            let mut places = bytes.iter_mut();
            for text in items(arguments) {
                let Some(value) = number(text) else { return Known::Partly };
                for (byte, place) in variable_length(value, sign).zip(&mut places) {
                    *place = byte;
                }
            }
            Known::Fully
        }
        Some(Action::Align | Action::AlignPower) => {
            let _ = next_number(0);
            let section = expansion.sections.get(what.section as usize);
            let is_code = section.is_some_and(|section| section.name.starts_with(".text"));
            match arguments_of.next() {
                Some(text) if !text.is_empty() => match number(text) {
                    Some(value) => {
                        // What is behind the last whole value stays zero.
                        let width = match name.as_bytes().last() {
                            Some(b'l' | b'L') => 4,
                            Some(b'w' | b'W') => 2,
                            _ => 1,
                        };
                        for place in bytes.chunks_exact_mut(width) {
                            put(place, i128::from(value));
                        }
                    }
                    None => return Known::Partly,
                },
                _ if is_code => pad_code(bytes),
                _ => {}
            }
            Known::Fully
        }
        _ if what.kind == StatementKind::Data(Some(0)) => Known::Fully,
        _ => Known::Partly,
    }
}

/// Code is padded with `s_nop 0`, after what is not a whole word.
fn pad_code(bytes: &mut [u8]) {
    const NO_OPERATION: u32 = 0xbf80_0000;
    let odd = bytes.len() % 4;
    for word in bytes[odd..].chunks_exact_mut(4) {
        word.copy_from_slice(&NO_OPERATION.to_le_bytes());
    }
}

/// Writes a number, the lowest byte first; what does not fit is cut.
fn put(place: &mut [u8], value: i128) {
    for (byte, from) in place.iter_mut().zip(value.to_le_bytes()) {
        *byte = from;
    }
}

/// The bits of a float of so many bytes.
fn float(text: &str, size: u32) -> Option<i128> {
    let value: f64 = text.trim().parse().ok()?;
    match size {
        4 => Some(i128::from((value as f32).to_bits())),
        8 => Some(i128::from(value.to_bits())),
        _ => None,
    }
}

/// The bytes of a number in groups of seven bits, the lowest first; the highest bit says
/// that another follows (DWARF, "Variable Length Data").
pub(super) fn variable_length(value: i64, sign: Sign) -> impl Iterator<Item = u8> {
    let mut left = Some(value);
    std::iter::from_fn(move || {
        let value = left?;
        let group = (value & 0x7f) as u8;
        let (rest, ends) = match sign {
            Sign::Signed => {
                let rest = value >> 7;
                (rest, rest == if group & 0x40 == 0 { 0 } else { -1 })
            }
            Sign::Unsigned => {
                let rest = (value as u64 >> 7) as i64;
                (rest, rest == 0)
            }
        };
        left = (!ends).then_some(rest);
        Some(if ends { group } else { group | 0x80 })
    })
}

/// The texts between the commas of a list.
pub(super) fn items(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut next = (!text.is_empty()).then_some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let (mut depth, mut at) = (0_u32, start);
        while at < bytes.len() {
            match bytes[at] {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b',' if depth == 0 => break,
                b'"' => {
                    at = end_of_string(bytes, at);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        next = (at < bytes.len()).then_some(at + 1);
        Some(text[start..at].trim())
    })
}

/// The bytes that the inside of a string stands for.
pub(super) fn unescaped(inside: &str) -> impl Iterator<Item = u8> {
    let bytes = inside.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let byte = *bytes.get(at)?;
        let escape = (byte == b'\\').then(|| bytes.get(at + 1)).flatten();
        let digits = |from: usize, most: usize, radix: u32| {
            let digit = |byte: &u8| char::from(*byte).to_digit(radix);
            bytes[from..]
                .iter()
                .take(most)
                .map_while(digit)
                .fold((0_u32, 0), |(sum, count), digit| {
                    (sum.wrapping_mul(radix).wrapping_add(digit), count + 1)
                })
        };
        let (value, width) = match escape {
            None => (byte, 1),
            Some(b'0'..=b'7') => {
                let (value, count) = digits(at + 1, 3, 8);
                (value as u8, 1 + count)
            }
            Some(b'x' | b'X') => {
                let (value, count) = digits(at + 2, usize::MAX, 16);
                (value as u8, 2 + count)
            }
            Some(b'n') => (b'\n', 2),
            Some(b't') => (b'\t', 2),
            Some(b'r') => (b'\r', 2),
            Some(b'b') => (8, 2),
            Some(b'f') => (12, 2),
            Some(other) => (*other, 2),
        };
        at += width;
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_at_commas_outside_of_anything() {
        let cut = |text| items(text).collect::<Vec<_>>();
        assert_eq!(cut("1, max(2,3),\"a,b\" , 4"), ["1", "max(2,3)", "\"a,b\"", "4"]);
        assert_eq!(cut(""), Vec::<&str>::new());
        assert_eq!(cut("1,"), ["1", ""]);
    }

    #[test]
    fn escapes_are_bytes() {
        let bytes: Vec<u8> = unescaped("a\\n\\101\\x42\\\\\\q\\").collect();
        assert_eq!(bytes, *b"a\nAB\\q\\");
    }
}

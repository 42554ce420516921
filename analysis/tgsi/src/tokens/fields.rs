//! The fields of words, from `data/token_fields.tsv`.
//!
//! The encoder, the decoder and the annotated dump read the same row. A field
//! that an era lacks reads as zero, so that eras share their code.

use super::Layout;

/// The name of the bits that mean nothing.
pub(super) const PADDING: &str = "Padding";

/// The components that x, y, z and w read.
pub(super) const SWIZZLE: [&str; 4] = ["SwizzleX", "SwizzleY", "SwizzleZ", "SwizzleW"];

/// The vertex streams of x, y, z and w.
pub(super) const STREAMS: [&str; 4] = ["StreamX", "StreamY", "StreamZ", "StreamW"];

/// The types that x, y, z and w return.
pub(super) const RETURN_TYPES: [&str; 4] =
    ["ReturnTypeX", "ReturnTypeY", "ReturnTypeZ", "ReturnTypeW"];

include!(concat!(env!("OUT_DIR"), "/token_fields.rs"));

impl TokenType {
    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Tells whether a statement or a part of the header begins with it.
    pub fn begins_statement(self) -> bool {
        matches!(
            self,
            TokenType::Version
                | TokenType::Header
                | TokenType::Processor
                | TokenType::Declaration
                | TokenType::Immediate
                | TokenType::Property
                | TokenType::Instruction
        )
    }
}

/// Bits of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    /// Their name in the reference.
    pub name: &'static str,
    /// The lowest bit.
    pub low: u32,
    /// The number of bits.
    pub width: u32,
}

impl Field {
    /// Its value in a word.
    pub fn of(&self, word: u32) -> u32 {
        (word >> self.low) & self.largest()
    }

    /// The largest value it can hold.
    pub(super) fn largest(&self) -> u32 {
        u32::MAX >> (32 - self.width)
    }
}

/// The fields of a kind of word, lowest first; none where the era has no such
/// word.
pub fn fields(layout: Layout, kind: TokenType) -> &'static [Field] {
    TABLE[layout as usize][kind as usize]
}

/// The value of a field; 0 where the era has no such field.
pub(super) fn get(layout: Layout, kind: TokenType, word: u32, name: &str) -> u32 {
    let found = fields(layout, kind).iter().find(|field| field.name == name);
    found.map_or(0, |field| field.of(word))
}

/// Tells whether the era has a field.
pub(super) fn has(layout: Layout, kind: TokenType, name: &str) -> bool {
    fields(layout, kind).iter().any(|field| field.name == name)
}

/// Says that an era lacks a field, or the whole word.
pub(super) fn missing(layout: Layout, kind: TokenType, name: &str) -> String {
    match (fields(layout, kind), kind.name()) {
        ([], kind) => format!("the tokens of {layout} have no {kind} token"),
        (_, kind) => format!("a {kind} token of {layout} has no {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_era_has_the_words_it_needs() {
        for layout in Layout::ALL {
            for kind in [
                TokenType::Header,
                TokenType::Declaration,
                TokenType::Instruction,
                TokenType::Source,
            ] {
                let width: u32 = fields(layout, kind).iter().map(|field| field.width).sum();
                assert_eq!(width, 32, "{layout} {kind:?}");
            }
        }
        assert!(fields(Layout::Y2016, TokenType::Version).is_empty());
        assert_eq!(get(Layout::Y2016, TokenType::Declaration, 0x006f_2040, "Interpolate"), 1);
        assert_eq!(get(Layout::Y2007, TokenType::Source, u32::MAX, "Absolute"), 0);
        assert_eq!(get(Layout::Y2016, TokenType::Value, u32::MAX, "Value"), u32::MAX);
    }
}

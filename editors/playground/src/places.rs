//! Places of the page and of the engine: code units of UTF-16, and bytes.

use source::{TextRange, TextSize};

/// The places of a text in both countings.
#[derive(Debug)]
pub(crate) struct Places {
    /// The signs that are not ASCII: the byte after each, and the code unit there. A text
    /// without any counts alike.
    wide: Vec<(u32, u32)>,
}

impl Places {
    pub(crate) fn of(text: &str) -> Places {
        let mut wide = Vec::new();
        if !text.is_ascii() {
            let mut unit = 0;
            for (byte, sign) in text.char_indices() {
                unit += sign.len_utf16() as u32;
                if !sign.is_ascii() {
                    wide.push(((byte + sign.len_utf8()) as u32, unit));
                }
            }
        }
        Places { wide }
    }

    /// Returns a range of bytes in code units.
    pub(crate) fn range(&self, range: TextRange) -> (u32, u32) {
        (self.unit(range.start()), self.unit(range.end()))
    }

    fn unit(&self, offset: TextSize) -> u32 {
        let byte = u32::from(offset);
        match self.wide.partition_point(|(at, _)| *at <= byte).checked_sub(1) {
            None => byte,
            Some(place) => byte - self.wide[place].0 + self.wide[place].1,
        }
    }

    /// Returns the byte of a code unit.
    pub(crate) fn offset(&self, unit: u32) -> TextSize {
        let byte = match self.wide.partition_point(|(_, at)| *at <= unit).checked_sub(1) {
            None => unit,
            Some(place) => unit - self.wide[place].1 + self.wide[place].0,
        };
        byte.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_there_and_back() {
        let text = "aéb😀c";
        let places = Places::of(text);
        let units: Vec<u32> =
            text.char_indices().map(|(at, _)| places.unit((at as u32).into())).collect();
        assert_eq!(units, [0, 1, 2, 3, 5]);
        for (byte, _) in text.char_indices() {
            let byte = TextSize::from(byte as u32);
            assert_eq!(places.offset(places.unit(byte)), byte);
        }
    }
}

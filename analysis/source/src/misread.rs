//! Lines that one wrong sign made unreadable, as they may have been meant.

/// The bytes of a line that no statement of its language has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset past the last byte.
    pub end: usize,
    /// The kind of what stands there.
    pub kind: ForeignKind,
}

/// The kinds of what no statement has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignKind {
    /// A sign, which is too much or stands for a letter.
    Sign,
    /// The hole of a format string, which stands for something.
    Hole,
}

/// Returns the only sign of a line that is one of `signs` or no ASCII, or the only hole of a
/// format string; nothing where there are more.
pub fn foreign(text: &str, signs: &str) -> Option<Foreign> {
    let is_foreign = |it: char| !it.is_ascii() || signs.contains(it);
    let start = text.find(is_foreign)?;
    let sign = text[start..].chars().next()?;
    let rest = start + sign.len_utf8();
    let (end, kind) = match sign == '%' && text[rest..].starts_with(['s', 'd', 'u', 'x']) {
        true => (rest + 1, ForeignKind::Hole),
        false => (rest, ForeignKind::Sign),
    };
    (!text[end..].contains(is_foreign)).then_some(Foreign { start, end, kind })
}

impl Foreign {
    /// Returns the line without it.
    pub fn removed(self, text: &str) -> String {
        self.replaced_by(text, "")
    }

    /// Returns the line with each of `letters`, all ASCII, in its place, and with none.
    pub fn replaced(self, text: &str, letters: &str) -> Vec<String> {
        let letters = (0..letters.len()).map(|at| &letters[at..=at]).chain([""]);
        letters.map(|letter| self.replaced_by(text, letter)).collect()
    }

    fn replaced_by(self, text: &str, letter: &str) -> String {
        [&text[..self.start], letter, &text[self.end..]].concat()
    }
}

/// Returns a line with the bracket that its first operand with a bracket too few lacks.
///
/// A bracket that opens is put before the first digit, one that closes at the end of the word.
/// The first word of the line is no operand.
pub fn with_bracket(text: &str) -> Option<String> {
    let mut start = text.find([' ', '\t'])?;
    loop {
        let rest = &text[start..];
        let length = rest.find(',').unwrap_or(rest.len());
        let operand = &rest[..length];
        let (opening, closing) = (operand.matches('[').count(), operand.matches(']').count());
        if opening > closing {
            let open = operand.rfind('[')?;
            let length = operand.trim_end().len();
            let end = operand[open..].find([' ', '\t']).map_or(length, |it| open + it);
            return Some([&text[..start + end], "]", &text[start + end..]].concat());
        }
        if opening < closing {
            let digit = operand.find(|it: char| it.is_ascii_digit())?;
            return Some([&text[..start + digit], "[", &text[start + digit..]].concat());
        }
        start += length + 1;
        text.get(start..)?;
    }
}

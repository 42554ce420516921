//! Text that may be shown as it is: on a terminal, in a log, as a message.
//!
//! A file's text, its name and what is quoted of either may hold escape sequences, line
//! ends and marks that turn the direction of writing around. Shown raw they command the
//! terminal, or begin a line that a runner of workflows obeys.

use std::borrow::Cow;
use std::fmt;

/// Text without control characters. Only the functions here make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printable<'a>(Cow<'a, str>);

impl<'a> Printable<'a> {
    /// Text of several lines: line ends and tabulators stay.
    pub fn text(text: &'a str) -> Printable<'a> {
        Printable::without(text, |character| matches!(character, '\n' | '\t'))
    }

    /// Text that stays within its line, in which tabulators part columns.
    pub fn line(text: &'a str) -> Printable<'a> {
        Printable::without(text, |character| character == '\t')
    }

    fn without(text: &'a str, stays: impl Fn(char) -> bool) -> Printable<'a> {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') || stays(char::from(byte));
        let is_hidden_here = |character| is_hidden(character) && !stays(character);
        // Nearly every text is of plain bytes, which are looked at in less time: many at once.
        let are_plain = |bytes: &[u8]| bytes.iter().fold(true, |all, byte| all & is_plain(*byte));
        if text.as_bytes().chunks(64).all(are_plain) || !text.contains(is_hidden_here) {
            return Printable(Cow::Borrowed(text));
        }
        let mut shown = String::with_capacity(text.len() + 16);
        let mut rest = text.chars().peekable();
        while let Some(character) = rest.next() {
            match character {
                // The end of a line as Windows writes it.
                '\r' if stays('\n') && rest.peek() == Some(&'\n') => {}
                _ if is_hidden(character) && !stays(character) => {
                    push_visible(character, &mut shown)
                }
                _ => shown.push(character),
            }
        }
        Printable(Cow::Owned(shown))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether it differs from the text that it was made from.
    pub fn is_changed(&self) -> bool {
        matches!(self.0, Cow::Owned(_))
    }

    /// The text as one of its own.
    pub fn into_string(self) -> String {
        self.0.into_owned()
    }
}

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Tells whether a character does something in place of being seen.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// Writes such a character as its picture, else by its number.
fn push_visible(character: char, shown: &mut String) {
    let picture = match character {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)),
        '\u{7f}' => Some('\u{2421}'),
        _ => None,
    };
    match picture {
        Some(picture) => shown.push(picture),
        None => shown.extend(character.escape_unicode()),
    }
}

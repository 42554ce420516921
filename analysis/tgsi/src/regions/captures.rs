//! Captures of terminals: the text between the sequences that colour it.

use source::SegmentedText;

use super::range;
use super::unwrapped::MAX_PIECES;

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// The text without the sequences; `None` where there are none.
pub(super) fn plain(text: &str) -> Option<SegmentedText> {
    let bytes = text.as_bytes();
    let mut out = SegmentedText::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(ESCAPE, &bytes[at..]) {
        if out.len() >= MAX_PIECES {
            break;
        }
        out.copy(text, range(copied, at + found));
        at += found + sequence_length(&bytes[at + found..]);
        copied = at;
    }
    if copied == 0 {
        return None;
    }
    out.copy(text, range(copied, text.len()));
    Some(out)
}

/// Returns the length of the sequence at the start of a text: `ESC [ 1 ; 31 m`, a title, or the
/// escape alone.
fn sequence_length(bytes: &[u8]) -> usize {
    const LONGEST: usize = 256;
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let end = match bytes.get(1) {
        Some(b'[') => bytes[2..].iter().position(|byte| !matches!(byte, b' '..=b'?')),
        Some(b']') => bytes[2..].iter().position(|byte| matches!(*byte, BELL | b'\n')),
        Some(b'(' | b')') => (bytes.len() > 2).then_some(0),
        _ => None,
    };
    let is_sign = |place: usize| matches!(bytes[place], BELL | b'!'..=b'~');
    match end {
        Some(length) if is_sign(2 + length) => 2 + length + 1,
        Some(length) => 2 + length,
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn colours_and_titles_are_taken_out() {
        let text = |text| plain(text).map(|it| it.text().to_owned());
        assert_eq!(text("no colour"), None);
        assert_eq!(text("\x1b[1;31mFR\x1b[0mAG\x1b[K\n"), Some("FRAG\n".to_owned()));
        assert_eq!(text("\x1b]0;title\x07$ \x1b(Bx"), Some("$ x".to_owned()));
        assert_eq!(text("a\x1b"), Some("a".to_owned()));
        assert_eq!(text("\x1b[é\x1b[1"), Some("é[1".to_owned()));
    }
}

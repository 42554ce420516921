//! Shaders in XML, as traces of Gallium hold them: in the text of an element
//! or in an attribute, with entities for line ends and signs.

use source::{Escapes, LineBreaks, SegmentedText};

use super::likeness::{is_bare_header, last_name};
use super::literals::Search;
use super::range;
use super::unwrapped::{MAX_PIECES, Unwrapped};

/// Looks for a header before the entity of a line end between two offsets, of
/// one line.
pub(super) fn search(text: &str, start: usize, end: usize) -> Search {
    let mut at = start;
    while let Some(found) = text[at..end].find("&#") {
        let entity = at + found;
        if let Some(header) = header_before(text, start, entity) {
            let quote = text[start..header].chars().next_back();
            return decode(text, header, quote.filter(|sign| matches!(sign, '"' | '\'')));
        }
        at = entity + 2;
    }
    Search::Nothing
}

/// Reads the text of an element whose first line ends with a header.
pub(super) fn element(text: &str, header: usize) -> Search {
    decode(text, header, None)
}

/// Tells whether a header at the end of a line's text stands right behind a tag.
pub(super) fn follows_tag(before: &str) -> bool {
    const OPENED: &str = "<![CDATA[";
    if before.ends_with(OPENED) {
        return true;
    }
    let Some(inside) = before.strip_suffix('>') else { return false };
    let Some(open) = inside.rfind('<') else { return false };
    inside[open + 1..].starts_with(|first: char| first.is_ascii_alphabetic() || first == '!')
}

fn header_before(text: &str, start: usize, entity: usize) -> Option<usize> {
    let line = &text[start..entity];
    let header = last_name(line);
    is_bare_header(&line[header..]).then_some(start + header)
}

/// Reads from the header on until the element or the attribute ends.
fn decode(text: &str, header: usize, quote: Option<char>) -> Search {
    let bytes = text.as_bytes();
    let mut out = SegmentedText::new();
    let mut copied = header;
    let mut at = header;
    while let Some(byte) = bytes.get(at).copied() {
        let ends = byte == b'<'
            || quote.is_some_and(|quote| u32::from(quote) == u32::from(byte))
            || bytes[at..].starts_with(b"]]>")
            || out.len() >= MAX_PIECES;
        if ends {
            break;
        }
        if byte == b'&' {
            out.copy(text, range(copied, at));
            let Some((character, length)) = entity(&text[at..]) else {
                return Search::Skip(at + 1);
            };
            out.replace(character.encode_utf8(&mut [0; 4]), range(at, at + length));
            at += length;
            copied = at;
        } else {
            at += 1;
        }
    }
    out.copy(text, range(copied, at));
    let (escapes, breaks) = (Escapes::Markup, LineBreaks::AsTheFirst);
    Search::Found(Unwrapped { text: out, escapes, breaks, condition: None, end: at })
}

/// The character of an entity at the start of a text, and the entity's length.
fn entity(text: &str) -> Option<(char, usize)> {
    const LONGEST: usize = 12;
    let length = text.bytes().take(LONGEST).position(|byte| byte == b';')? + 1;
    let name = &text[1..length - 1];
    let number = |digits: &str, radix| char::from_u32(u32::from_str_radix(digits, radix).ok()?);
    let character = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => match name.strip_prefix('#')? {
            hexadecimal if hexadecimal.starts_with(['x', 'X']) => number(&hexadecimal[1..], 16)?,
            decimal => number(decimal, 10)?,
        },
    };
    // An entity must be longer than what it stands for.
    (character.len_utf8() < length).then_some((character, length))
}

//! Metadata of a code object as text: MessagePack in the note of later versions, YAML in that of
//! version 2.

use std::fmt::Write as _;

/// Deeper than this nothing nests in metadata; what does is not printed.
const DEEPEST: usize = 16;

/// The metadata of a code object, as its assembler reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// The directive that begins them: `.amdgpu_metadata`.
    pub directive: &'static str,
    /// The YAML, with a line end behind each line.
    pub text: String,
}

impl Metadata {
    /// Reads a note by its owner and type; `None` for one that holds no metadata or is damaged.
    pub(super) fn of_note(owner: &[u8], kind: u32, bytes: &[u8]) -> Option<Metadata> {
        match (owner, kind) {
            (b"AMDGPU", 32) => {
                let mut printer = Printer { bytes, text: "---\n".to_owned() };
                printer.value("", Lead::Line, 0)?;
                printer.text.push_str("...\n");
                Some(Metadata { directive: ".amdgpu_metadata", text: printer.text })
            }
            (b"AMD", 10) => {
                let text = std::str::from_utf8(bytes).ok()?.trim_end_matches('\0');
                // No key begins with a point; a directive would end the block.
                let is_plain = |line: &str| {
                    !line.trim_start().starts_with('.') && !line.contains(char::is_control)
                };
                let text = text.lines().all(is_plain).then(|| format!("{}\n", text.trim_end()))?;
                Some(Metadata { directive: ".amd_amdgpu_hsa_metadata", text })
            }
            _ => None,
        }
    }
}

/// The place of a value in its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// At the start of a line.
    Line,
    /// Behind `key:`.
    Key,
    /// Behind `-`.
    Dash,
}

struct Printer<'a> {
    /// The rest of the note.
    bytes: &'a [u8],
    text: String,
}

impl<'a> Printer<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    /// Reads a number of so many bytes, the highest first.
    fn number(&mut self, bytes: usize) -> Option<u64> {
        Some(self.take(bytes)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn length(&mut self, bytes: usize) -> Option<usize> {
        usize::try_from(self.number(bytes)?).ok()
    }

    /// Prints the next value; `None` where the bytes end too early or are not metadata.
    fn value(&mut self, indent: &str, lead: Lead, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        let kind = self.number(1)?;
        let low = usize::try_from(kind & 0x1f).ok()?;
        match kind {
            0x80..=0x8f => self.map(low & 15, indent, lead, depth),
            0xde => self.length(2).and_then(|count| self.map(count, indent, lead, depth)),
            0xdf => self.length(4).and_then(|count| self.map(count, indent, lead, depth)),
            0x90..=0x9f => self.list(low & 15, indent, lead, depth),
            0xdc => self.length(2).and_then(|count| self.list(count, indent, lead, depth)),
            0xdd => self.length(4).and_then(|count| self.list(count, indent, lead, depth)),
            _ => {
                let word = self.scalar(kind, low)?;
                let blank = if lead == Lead::Line { "" } else { " " };
                let _ = writeln!(self.text, "{blank}{word}");
                Some(())
            }
        }
    }

    /// Reads what is neither a map nor a list; `kind` is its first byte.
    fn scalar(&mut self, kind: u64, low: usize) -> Option<String> {
        let signed =
            |number: u64, bytes: u32| (number << (64 - 8 * bytes)) as i64 >> (64 - 8 * bytes);
        Some(match kind {
            0x00..=0x7f => kind.to_string(),
            0xe0..=0xff => signed(kind, 1).to_string(),
            0xc0 => "null".to_owned(),
            0xc2 => "false".to_owned(),
            0xc3 => "true".to_owned(),
            0xcc => self.number(1)?.to_string(),
            0xcd => self.number(2)?.to_string(),
            0xce => self.number(4)?.to_string(),
            0xcf => self.number(8)?.to_string(),
            0xd0 => signed(self.number(1)?, 1).to_string(),
            0xd1 => signed(self.number(2)?, 2).to_string(),
            0xd2 => signed(self.number(4)?, 4).to_string(),
            0xd3 => signed(self.number(8)?, 8).to_string(),
            0xa0..=0xbf => quoted(self.take(low)?),
            0xd9 => self.length(1).and_then(|length| self.take(length)).map(quoted)?,
            0xda => self.length(2).and_then(|length| self.take(length)).map(quoted)?,
            0xdb => self.length(4).and_then(|length| self.take(length)).map(quoted)?,
            // Floating-point numbers and bytes of the user's own: metadata have none.
            _ => return None,
        })
    }

    /// Begins an entry of a map or of a list: the first behind a dash stands in its line.
    fn begin(&mut self, entry: usize, lead: Lead, indent: &str) {
        match (lead, entry) {
            (Lead::Dash, 0) => self.text.push(' '),
            (Lead::Key, 0) => {
                let _ = write!(self.text, "\n{indent}");
            }
            _ => self.text.push_str(indent),
        }
    }

    fn map(&mut self, count: usize, indent: &str, lead: Lead, depth: usize) -> Option<()> {
        if count == 0 {
            self.text.push_str(" {}\n");
            return Some(());
        }
        let inner = if lead == Lead::Line { String::new() } else { format!("{indent}  ") };
        for entry in 0..count {
            self.begin(entry, lead, &inner);
            let kind = self.number(1)?;
            let key = self.scalar(kind, usize::try_from(kind & 0x1f).ok()?)?;
            self.text.push_str(&key);
            self.text.push(':');
            self.value(&inner, Lead::Key, depth + 1)?;
        }
        Some(())
    }

    fn list(&mut self, count: usize, indent: &str, lead: Lead, depth: usize) -> Option<()> {
        if count == 0 {
            self.text.push_str(" []\n");
            return Some(());
        }
        let inner = format!("{indent}  ");
        for entry in 0..count {
            self.begin(entry, lead, &inner);
            self.text.push('-');
            self.value(&inner, Lead::Dash, depth + 1)?;
        }
        Some(())
    }
}

/// A text as YAML: as it is where nothing in it could mean something else.
fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace(char::is_control, "\u{fffd}");
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._$@/".contains(letter);
    let begins = text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_' || it == '.');
    let is_word = matches!(&*text, "null" | "true" | "false" | "yes" | "no" | "on" | "off");
    match text.chars().all(is_plain) && begins && !is_word {
        true => text,
        false => format!("'{}'", text.replace('\'', "''")),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn text(bytes: &[u8]) -> Option<String> {
        Metadata::of_note(b"AMDGPU", 32, bytes).map(|it| it.text)
    }

    #[test]
    fn maps_and_lists_are_nested() {
        let mut bytes =
            b"\x82\xaeamdhsa.kernels\x92\x83\xa5.name\xa1k\xa5.args\x91\x81\xa7.offset".to_vec();
        bytes.extend(
            b"\xcd\x01\x00\xa9.required\xc3\x81\xa7.symbol\xa6it's k\xa7.labels\x93\xe0\x90\x80",
        );
        expect![[r#"
            ---
            amdhsa.kernels:
              - .name: k
                .args:
                  - .offset: 256
                .required: true
              - .symbol: 'it''s k'
            .labels:
              - -32
              - []
              - {}
            ...
        "#]]
        .assert_eq(&text(&bytes).unwrap());
    }

    #[test]
    fn what_is_damaged_is_left_out() {
        assert_eq!(text(b"\x81\xa1k\xa9short"), None);
        assert_eq!(text(b"\xdf\xff\xff\xff\xff"), None);
        assert_eq!(text(&[0x91; 100]), None);
        assert_eq!(text(b"\xca\0\0\0\0"), None);
        assert_eq!(text(b"\xa5a\nb\x1b[").unwrap(), "---\n'a\u{fffd}b\u{fffd}['\n...\n");
        let old = |text: &[u8]| Metadata::of_note(b"AMD", 10, text).map(|it| it.text);
        assert_eq!(old(b"Kernels:\n\0\0").unwrap(), "Kernels:\n");
        assert_eq!(old(b"Kernels:\n.end_amd_amdgpu_hsa_metadata\ns_endpgm"), None);
    }
}

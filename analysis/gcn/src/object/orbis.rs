//! Shaders of the PlayStation 4: bare code with a footer behind it that begins with `OrbShdr`,
//! and in files of its tools a header before it.

use memchr::memmem;

use super::elf::{Mark, MarkKind};

/// The chip of that console.
pub(super) const CHIP: &str = "liverpool";

const SIGNATURE: &[u8; 7] = b"OrbShdr";

/// The bytes of a footer that is not cut.
const FOOTER: usize = 28;

/// `s_mov_b32 vcc_hi` with a literal: the first instruction of such a shader says where the
/// footer is.
const BEGIN: u32 = 0xbeeb_03ff;

/// Stages, by their numbers in the footer.
const STAGES: [&str; 8] =
    ["pixel", "vertex", "export", "local", "compute", "geometry", "unknown", "hull"];

/// A shader in bare bytes.
pub(super) struct Shader {
    /// The offsets of its code.
    code: std::ops::Range<usize>,
    /// The sentence about its footer.
    footer: String,
}

impl Shader {
    /// Finds the shader of a file that is none of another format.
    pub(super) fn find(bytes: &[u8]) -> Option<Shader> {
        let at = memmem::rfind(bytes, SIGNATURE)?;
        let footer = &bytes[at..];
        let word = |from: usize| {
            let word = footer.get(from..from + 4)?.first_chunk()?;
            Some(u32::from_le_bytes(*word))
        };
        let fields = word(8).filter(|_| footer.len() >= FOOTER);
        let first = first_instruction(bytes, at);
        let length = fields.map_or(at, |fields| (fields >> 8) as usize);
        let end = first.saturating_add(length & !3).min(at & !3);
        let name = "OrbShdr, the footer of a shader of the PlayStation 4";
        let footer = match fields {
            Some(fields) => {
                let stage = STAGES[(fields >> 2 & 7) as usize];
                format!("{name}: {stage} shader, {length} bytes of code")
            }
            None => format!("{name}, cut"),
        };
        Some(Shader { code: first..end, footer })
    }

    /// The bytes that are no code, in order.
    pub(super) fn marks(&self, length: usize) -> Vec<Mark> {
        let header = "the header of a shader of the PlayStation 4".to_owned();
        let parts = [(0..self.code.start, header), (self.code.end..length, self.footer.clone())];
        let data = parts.into_iter().filter(|(range, _)| !range.is_empty());
        data.map(|(range, what)| Mark {
            offset: range.start,
            kind: MarkKind::Data(range.len(), what),
        })
        .collect()
    }
}

/// The offset of the instruction that says how far the footer is, or of the file.
fn first_instruction(bytes: &[u8], footer: usize) -> usize {
    let (words, _) = bytes[..footer].as_chunks::<4>();
    let word = |at: usize| words.get(at).map_or(0, |word| u32::from_le_bytes(*word));
    let is_first = |at: &usize| {
        let distance = (word(at + 1) as usize).saturating_add(1).saturating_mul(8);
        word(*at) == BEGIN && at * 4 + distance == footer
    };
    (0..words.len()).find(is_first).map_or(0, |at| at * 4)
}

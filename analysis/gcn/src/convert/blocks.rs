//! Blocks of LLVM's dialect that CLRX has not: descriptors of kernels become the data that
//! they make, metadata become comments.

use super::NoCounterpart;

/// The kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    /// The descriptor of a kernel of so many bytes, which its end makes.
    Descriptor,
    /// Text in a note beside the code.
    Note,
}

/// The blocks: how each begins and ends.
const BLOCKS: [(&str, &str, BlockKind); 4] = [
    (".amdhsa_kernel", ".end_amdhsa_kernel", BlockKind::Descriptor),
    (".amd_kernel_code_t", ".end_amd_kernel_code_t", BlockKind::Descriptor),
    (".amdgpu_metadata", ".end_amdgpu_metadata", BlockKind::Note),
    (".amd_amdgpu_hsa_metadata", ".end_amd_amdgpu_hsa_metadata", BlockKind::Note),
];

/// The bytes of the descriptor before the distance to its code, and that.
const ENTRY: std::ops::Range<usize> = 16..24;

/// A block that is open.
#[derive(Debug)]
pub(super) struct Block {
    end: &'static str,
    kind: BlockKind,
    /// The kernel that `.amdhsa_kernel` names.
    kernel: Option<String>,
}

impl Block {
    /// The block that a line begins, and the line in CLRX's dialect.
    pub(super) fn begin(code: &str) -> Option<(Block, String)> {
        let (word, rest) = split(code);
        let (_, end, kind) = BLOCKS.into_iter().find(|(begin, ..)| word == *begin)?;
        let kernel = Some(rest.trim().to_owned()).filter(|it| !it.is_empty());
        let line = match &kernel {
            Some(name) => format!("{name}.kd: # {}", code.trim()),
            None => format!("# {}", code.trim()),
        };
        Some((Block { end, kind, kernel }, line))
    }

    /// Tells whether a line is the last one.
    pub(super) fn ends(&self, code: &str) -> bool {
        split(code).0 == self.end
    }

    /// A line within in CLRX's dialect; `made` are the bytes that the last one makes.
    pub(super) fn line(&self, code: &str, made: Option<Vec<u8>>) -> Result<String, NoCounterpart> {
        let comment = format!("# {}", code.trim_end());
        if self.kind == BlockKind::Note || !self.ends(code) {
            return Ok(comment);
        }
        let bytes = made.ok_or_else(|| NoCounterpart::Directive(self.end.to_owned()))?;
        let words = |bytes: &[u8]| {
            let words = bytes.chunks(4).map(|word| {
                let word = word.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
                format!("{word:#x}")
            });
            format!(".int {}", words.collect::<Vec<_>>().join(", "))
        };
        Ok(match &self.kernel {
            // The linker knows how far the code is from here.
            Some(kernel) => format!(
                "{}; .quad {kernel}-{kernel}.kd; {}",
                words(&bytes[..ENTRY.start]),
                words(&bytes[ENTRY.end..])
            ),
            None => words(&bytes),
        })
    }
}

fn split(code: &str) -> (&str, &str) {
    let code = code.trim();
    let end = code.find(char::is_whitespace).unwrap_or(code.len());
    code.split_at(end)
}

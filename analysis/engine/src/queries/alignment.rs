//! Alignment of the instructions of the current text with those of an earlier one.
//!
//! A compile result speaks of the instructions that it was made from. While a
//! newer text waits for its own result, the join goes through this alignment,
//! so that a stale result never points at a wrong line. [`source::align`] makes it of the
//! fingerprints.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use tgsi::ast::Shader;

/// A fingerprint per instruction: equal for the same words, whatever the white
/// space, letter case or instruction number.
pub(crate) fn fingerprints(shader: &Shader, text: &str) -> Vec<u64> {
    let statement_ends = shader.statements.iter().filter_map(|statement| match &statement.kind {
        tgsi::ast::StatementKind::Instruction(instruction) => {
            Some((instruction.opcode.range.start(), statement.range.end()))
        }
        _ => None,
    });
    statement_ends
        .map(|(start, end)| {
            fingerprint(text.get(usize::from(start)..usize::from(end)).unwrap_or_default())
        })
        .collect()
}

/// The fingerprint of an instruction's words.
pub(crate) fn fingerprint(words: &str) -> u64 {
    // All bytes at once: one call for each would cost most of the time.
    let bytes = words.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let bytes: Vec<u8> = bytes.map(|byte| byte.to_ascii_uppercase()).collect();
    FxBuildHasher.hash_one(&bytes[..])
}

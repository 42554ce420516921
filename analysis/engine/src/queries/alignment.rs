//! Alignment of the instructions of the current text with those of an earlier one.
//!
//! A compile result speaks of the instructions that it was made from. While a
//! newer text waits for its own result, the join goes through this alignment,
//! so that a stale result never points at a wrong line.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use tgsi::ast::Shader;

/// Beyond this many pairs the middle of two texts is not compared: its
/// instructions count as changed.
const MAX_PAIRS: usize = 4_000_000;

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

/// For each old instruction the index of the same one among the new, where
/// there is one: a longest common subsequence.
pub(crate) fn align(old: &[u64], new: &[u64]) -> Vec<Option<usize>> {
    let mut result = vec![None; old.len()];
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - prefix;
    let suffix =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    for (index, slot) in result.iter_mut().enumerate().take(prefix) {
        *slot = Some(index);
    }
    for back in 1..=suffix {
        result[old.len() - back] = Some(new.len() - back);
    }
    let (old_middle, new_middle) =
        (&old[prefix..old.len() - suffix], &new[prefix..new.len() - suffix]);
    if old_middle.len().saturating_mul(new_middle.len()) <= MAX_PAIRS {
        for (a, b) in common_subsequence(old_middle, new_middle) {
            result[prefix + a] = Some(prefix + b);
        }
    }
    result
}

/// The index pairs of a longest common subsequence, by dynamic programming.
fn common_subsequence(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    // lengths[i * width + j]: of the common subsequence of a[i..] and b[j..].
    let mut lengths = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i * width + j] = if a[i] == b[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::align;

    #[test]
    fn unchanged_instructions_keep_their_partner() {
        assert_eq!(align(&[1, 2, 3], &[1, 2, 3]), [Some(0), Some(1), Some(2)]);
        assert_eq!(align(&[1, 2, 3], &[1, 9, 2, 3]), [Some(0), Some(2), Some(3)]);
        assert_eq!(align(&[1, 2, 3], &[2]), [None, Some(0), None]);
        assert_eq!(align(&[], &[1]), []);
        assert_eq!(align(&[1, 1, 1], &[1, 1]), [Some(0), Some(1), None]);
    }

    #[test]
    fn partners_are_in_order_and_equal() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 60) % 5
        };
        for _ in 0..200 {
            let old: Vec<u64> = (0..12).map(|_| next()).collect();
            let new: Vec<u64> = (0..10).map(|_| next()).collect();
            let pairs: Vec<(usize, usize)> = align(&old, &new)
                .into_iter()
                .enumerate()
                .filter_map(|(a, b)| Some((a, b?)))
                .collect();
            assert!(pairs.iter().all(|(a, b)| old[*a] == new[*b]));
            assert!(pairs.windows(2).all(|pair| pair[0].1 < pair[1].1));
        }
    }
}

//! Alignment of two sequences: of lines, of the instructions of two texts.

/// Beyond this many pairs the middle of two sequences is not compared: its items count as changed.
const MAX_PAIRS: usize = 4_000_000;

/// Returns for each old item the index of the same one among the new, where there is one: a
/// longest common subsequence between what both begin and end with.
pub fn align<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Option<usize>> {
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
fn common_subsequence<T: PartialEq>(a: &[T], b: &[T]) -> Vec<(usize, usize)> {
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

//! Near misses: the word that was probably meant.

/// The candidate nearest to `word`, case aside, if one is near enough to be
/// offered: at most one edit (insertion, deletion, replacement, or exchange of
/// neighbours) for words of up to four letters, two for longer ones. Of equally
/// near candidates the first wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_uppercase();
    let limit = if word.len() <= 4 { 1 } else { 2 };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len().abs_diff(word.len()) > limit {
            continue;
        }
        let distance = distance(word.as_bytes(), candidate.to_ascii_uppercase().as_bytes());
        if distance <= limit && best.is_none_or(|(nearest, _)| distance < nearest) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Damerau-Levenshtein distance with adjacent exchanges (optimal string alignment).
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut cost = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_slips_are_found_and_strangers_are_not() {
        let opcodes = ["MAD", "MUL", "MOV", "SAMPLE_C", "KILL_IF"];
        assert_eq!(nearest("MADD", opcodes), Some("MAD"));
        assert_eq!(nearest("mvo", opcodes), Some("MOV"));
        assert_eq!(nearest("KIL_IF", opcodes), Some("KILL_IF"));
        assert_eq!(nearest("SAMPEL_C", opcodes), Some("SAMPLE_C"));
        assert_eq!(nearest("TEX", opcodes), None);
    }
}

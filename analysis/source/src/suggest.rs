//! Near misses: the word that was probably meant.

use std::cmp::Reverse;

/// Returns the candidate closest to `word`, case aside, if one is close enough to be
/// offered: at most one edit (insertion, deletion, replacement, or exchange of
/// neighbours) for words of up to four letters, two for longer ones. Of equally
/// near candidates the one wins that begins alike for longest, then the first.
pub fn closest_match<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    close_matches(word, candidates).into_iter().next()
}

/// Returns every candidate that is close enough to be offered for `word`, by the rule
/// of [`closest_match`], the closest first.
pub fn close_matches<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let word = word.to_ascii_uppercase();
    let limit = if word.len() <= 4 { 1 } else { 2 };
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        if candidate.len().abs_diff(word.len()) > limit {
            continue;
        }
        let upper = candidate.to_ascii_uppercase();
        if let Some(distance) = distance(word.as_bytes(), upper.as_bytes(), limit) {
            found.push((distance, candidate));
        }
    }
    // Typing errors are rarer at the beginning of a word.
    let agreement = |candidate: &str| {
        let pairs = candidate.bytes().zip(word.bytes());
        pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
    };
    found.sort_by_key(|(distance, candidate)| (*distance, Reverse(agreement(candidate))));
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Damerau-Levenshtein distance with adjacent exchanges (optimal string alignment),
/// where it is not beyond `limit`.
fn distance(a: &[u8], b: &[u8], limit: usize) -> Option<usize> {
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
        // An exchange may come back to the row before this one.
        let is_beyond = |row: &[usize]| row.iter().all(|cost| *cost > limit);
        if is_beyond(&row) && is_beyond(&last) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|distance| *distance <= limit)
}

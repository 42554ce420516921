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
    let limit = if word.len() <= 4 { 1 } else { 2 };
    let near = |it: &'a str| Some((distance(word.as_bytes(), it.as_bytes(), limit)?, it));
    let mut found: Vec<(usize, &str)> = candidates.into_iter().filter_map(near).collect();
    // Typing errors are rarer at the beginning of a word.
    let agreement = |candidate: &str| agreement(word.as_bytes(), candidate.as_bytes());
    found.sort_by_key(|(distance, candidate)| (*distance, Reverse(agreement(candidate))));
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Returns every candidate that is close enough to be offered for `word`, by the rule of
/// [`closest_match`], and no farther than the closest one; in their order.
pub fn nearest_matches<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let mut limit = if word.len() <= 4 { 1 } else { 2 };
    let mut nearest = Vec::new();
    for candidate in candidates {
        match distance(word.as_bytes(), candidate.as_bytes(), limit) {
            Some(distance) if distance < limit => (limit, nearest) = (distance, vec![candidate]),
            Some(_) => nearest.push(candidate),
            None => {}
        }
    }
    nearest
}

/// Damerau-Levenshtein distance with adjacent exchanges (optimal string alignment), case
/// aside, where it is not beyond `limit`, which is small: each edit is tried where the words
/// begin to differ.
fn distance(a: &[u8], b: &[u8], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    // Letters that agree at the beginning need no edit in a shortest list of edits.
    let agreed = agreement(a, b);
    let (a, b) = (&a[agreed..], &b[agreed..]);
    if a.is_empty() || b.is_empty() {
        return Some(a.len().max(b.len()));
    }
    let left = limit.checked_sub(1)?;
    let exchanged = match (a, b) {
        ([a0, a1, a @ ..], [b0, b1, b @ ..])
            if a0.eq_ignore_ascii_case(b1) && a1.eq_ignore_ascii_case(b0) =>
        {
            distance(a, b, left)
        }
        _ => None,
    };
    let deleted = distance(&a[1..], b, left);
    let inserted = distance(a, &b[1..], left);
    let replaced = distance(&a[1..], &b[1..], left);
    let edits = [exchanged, deleted, inserted, replaced];
    edits.into_iter().flatten().min().map(|further| further + 1)
}

/// Counts the letters that are alike at the beginning of two words, case aside.
fn agreement(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

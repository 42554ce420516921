//! Places of a text that are worth asking at.
//!
//! Unit tests include this file by its path, for they cannot use the crate `tests`.

/// The places of a text to ask at: where words and signs begin, and behind the last one.
pub(super) fn places(text: &str) -> Vec<usize> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 1,
        _ if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut places = vec![0];
    let mut before = None;
    for (at, c) in text.char_indices() {
        if before.is_some_and(|before| before != kind(c)) {
            places.push(at);
        }
        before = Some(kind(c));
    }
    places.push(text.len());
    places
}

//! Questions to ask about a text: at all of its places, and while it is typed.
//!
//! Unit tests include this file beside `records.rs`.

use std::fmt::{Debug, Write as _};

use super::places::places;

/// A line for each answer.
pub(crate) fn lines<T: Debug>(answers: impl IntoIterator<Item = T>) -> String {
    answers.into_iter().fold(String::new(), |mut all, answer| {
        let _ = writeln!(all, "{answer:?}");
        all
    })
}

/// Asks at every place; neighbours with one answer make one line.
pub(crate) fn everywhere<T: Debug>(text: &str, mut ask: impl FnMut(usize) -> T) -> String {
    let (mut out, mut last) = (String::new(), String::new());
    for at in places(text) {
        let answer = format!("{:?}", ask(at));
        if answer != last {
            let _ = writeln!(out, "{at}: {answer}");
            last = answer;
        }
    }
    out
}

/// The text as it stands while it is typed: at each of a few lines one text that ends
/// a word early, one without the line's last word, and one with two letters swapped.
pub(crate) fn wounded(text: &str, lines: usize) -> Vec<(usize, String)> {
    let ends: Vec<(usize, &str)> = text
        .split_inclusive('\n')
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, line.trim_end_matches(['\n', '\r'])))
        })
        .filter(|(_, line)| line.is_ascii() && line.trim().len() > 4)
        .collect();
    let step = ends.len().div_ceil(lines.max(1)).max(1);
    let mut wounded = Vec::new();
    for (number, (start, line)) in ends.iter().step_by(step).enumerate() {
        let words: Vec<usize> = places(line);
        let nth = |n: usize| words[n % words.len()];
        let cut = nth(words.len() / 2 + number).max(2);
        let mut changed = vec![line[..cut - 1].to_owned(), line[..nth(words.len() - 2)].to_owned()];
        let first = line.len() - line.trim_start().len();
        let mut letters = line.as_bytes().to_vec();
        letters.swap(first + 1 + number % 2, first + 2 + number % 2);
        changed.extend(String::from_utf8(letters));
        for new in changed {
            let whole = format!("{}{new}{}", &text[..*start], &text[start + line.len()..]);
            wounded.push((start + new.len(), whole));
        }
    }
    wounded
}

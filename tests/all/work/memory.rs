//! Memory in proportion to the length of a text.

use engine::Language;
use server::limits;
use tests::measure::most_held;

use super::SIZE;
use super::questions::ask_all;
use super::shapes::{GCN, Shape, TGSI};

/// Bytes that may be held whatever the text: pages and tables that are made once.
const ONCE: u64 = 64 << 10;

/// Asks every question about texts of two lengths of each shape; what is computed for one
/// question is kept for the next. What the longer text takes more is in proportion to it.
fn check(language: Language, shapes: &[Shape]) {
    let mut wrong = Vec::new();
    for shape in shapes {
        let [(short, less), (long, more)] = [SIZE, 4 * SIZE].map(|bytes| {
            let (text, middle) = shape.text_and_middle(bytes);
            (text.len() as u64, most_held(|| ask_all(language, &text, middle)))
        });
        if more > less + limits::MEMORY_OF_A_BYTE * (long - short) + ONCE {
            wrong.push(format!("{}: {less} bytes for {short}, {more} for {long}", shape.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn shaders_and_all_answers_about_them_stay_within_their_memory() {
    check(Language::Tgsi, &TGSI);
}

#[test]
fn assembly_and_all_answers_about_it_stay_within_their_memory() {
    check(Language::Gcn, &GCN);
}

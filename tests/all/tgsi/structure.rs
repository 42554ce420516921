//! Words of structure that are taken out of our own shaders.

use tests::checks::structure::{Kept, Summary, take_words_out};
use tests::corpus;

fn without(words: usize, times: usize) -> Summary {
    let programs: Vec<String> =
        corpus::written_programs().into_iter().map(|program| program.text).collect();
    take_words_out(&programs, words, times, 7)
}

#[test]
fn a_missing_word_of_structure_is_put_back() {
    let summary = without(1, 4);
    summary.check(150);
    summary.reach(Kept::All, 90.0);
    summary.reach(Kept::Numbers, 75.0);
    summary.reach(Kept::Indentation, 75.0);
    // Labels say nothing of loops.
    summary.reach(Kept::Labels, 60.0);
}

#[test]
fn two_missing_words_are_told_in_few_diagnostics() {
    let summary = without(2, 2);
    summary.check_several(50, 2);
    summary.reach(Kept::All, 25.0);
}

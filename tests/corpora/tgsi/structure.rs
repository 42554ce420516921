//! Words of structure that are taken out of real shaders.

use tests::checks::structure::{Kept, Summary, take_words_out};
use tests::corpora;

fn without(words: usize, times: usize) -> Summary {
    let programs: Vec<String> =
        corpora::tgsi_programs().into_iter().map(|program| program.text).collect();
    let summary = take_words_out(&programs, words, times, 7);
    println!("{}", summary.rows());
    summary
}

#[test]
fn a_missing_word_of_a_real_shader_is_put_back() {
    let summary = without(1, 3);
    summary.check(1_000);
    summary.reach(Kept::All, 98.0);
    summary.reach(Kept::Numbers, 90.0);
    summary.reach(Kept::Indentation, 90.0);
    // Labels say nothing of loops.
    summary.reach(Kept::Labels, 55.0);
}

#[test]
fn two_missing_words_of_a_real_shader_are_told_in_few_diagnostics() {
    let summary = without(2, 2);
    summary.check_several(500, 2);
}

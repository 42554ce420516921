//! Words of structure that are taken out of our own shaders.

use tests::checks::structure::{Kept, take_words_out};
use tests::corpus;

#[test]
fn a_missing_word_of_structure_is_put_back() {
    let programs: Vec<String> =
        corpus::written_programs().into_iter().map(|program| program.text).collect();
    let summary = take_words_out(&programs, 1, 4, 7);
    summary.check(150);
    summary.reach(Kept::All, 90.0);
    summary.reach(Kept::Numbers, 75.0);
    summary.reach(Kept::Indentation, 75.0);
    summary.reach(Kept::Labels, 75.0);
}

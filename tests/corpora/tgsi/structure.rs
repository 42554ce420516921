//! Words of structure that are taken out of real shaders: of every eighth, for time's sake.

use tests::checks::structure::{Kept, take_words_out};
use tests::corpora;

#[test]
fn a_missing_word_of_a_real_shader_is_put_back() {
    let programs: Vec<String> =
        corpora::tgsi_programs().into_iter().step_by(8).map(|program| program.text).collect();
    let summary = take_words_out(&programs, 1, 2, 7);
    println!("{}", summary.rows());
    summary.check(100);
    summary.reach(Kept::All, 95.0);
    summary.reach(Kept::Numbers, 85.0);
    summary.reach(Kept::Indentation, 85.0);
    summary.reach(Kept::Labels, 85.0);
    summary.reach(Kept::Nothing, 70.0);
}

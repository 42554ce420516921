//! Real shaders, damaged at random: nothing panics.

use tests::checks::damage;
use tests::corpora;

/// The time of each search unless more is asked for.
const SECONDS: f64 = 4.0;

fn programs() -> Vec<String> {
    corpora::tgsi_programs().into_iter().map(|program| program.text).collect()
}

#[test]
fn damaged_texts_of_real_shaders_are_survived() {
    damage::damaged_texts_are_survived(programs(), SECONDS);
}

#[test]
fn damaged_streams_of_real_shaders_are_survived() {
    damage::damaged_streams_are_survived(programs(), SECONDS);
}

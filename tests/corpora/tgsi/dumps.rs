//! Real shaders in the texts that people really have.

use tests::checks::layouts;
use tests::corpora::tgsi_programs;

#[test]
fn every_real_shader_comes_out_of_every_layout() {
    // Unoptimised builds look at a part of them.
    let step = if cfg!(debug_assertions) { 29 } else { 1 };
    assert!(layouts::every_shader_comes_out_of_every_layout(&tgsi_programs(), step) > 1000);
}

#[test]
fn several_shaders_of_a_file_stay_apart() {
    let step = if cfg!(debug_assertions) { 30 } else { 3 };
    layouts::several_shaders_of_a_file_stay_apart(&tgsi_programs(), step);
}

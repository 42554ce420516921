//! Every service at many places of real shaders.

use tests::checks::services::ask_programs;
use tests::corpora::tgsi_programs;

#[test]
fn every_place_of_real_shaders() {
    let (spelled, instructions) = ask_programs(&tgsi_programs(), 29);
    // `EMIT` without its stream, as old texts have it, names no operand.
    assert!(instructions > 0 && spelled * 100 >= instructions * 99, "{spelled} of {instructions}");
}

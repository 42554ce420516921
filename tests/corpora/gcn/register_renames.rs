//! Registers of real kernels under other numbers.

use std::time::Duration;

use tests::checks::register_renames::registers_are_renamed_or_the_reason_is_told;
use tests::corpora::shared;
use tests::kernels::kernels;

#[test]
fn registers_of_real_kernels_are_renamed_or_the_reason_is_told() {
    let kernels = kernels(&shared("corpora/gcn"));
    let limit = Duration::from_secs(25);
    let (done, files) = registers_are_renamed_or_the_reason_is_told(&kernels, limit);
    assert!(done > 20 && files > 20, "{done} renamed in {files} files");
}

//! The layout of real assembly.

use tests::checks::assembly_layout::laid_out_kernels_assemble_to_the_same;
use tests::corpora::shared;
use tests::kernels::kernels;

#[test]
fn kernels_that_are_laid_out_assemble_to_the_same() {
    let files = laid_out_kernels_assemble_to_the_same(&kernels(&shared("corpora/gcn")));
    assert!(files > 40, "{files} kernels");
}

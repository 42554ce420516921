//! Real kernels, damaged at random.

use gcn::assembler::Dialect;
use tests::checks::assembly_damage::damaged_kernels_are_assembled;
use tests::corpora::shared;
use tests::kernels::kernels;

#[test]
fn damaged_real_kernels_are_assembled() {
    let texts = kernels(&shared("corpora/gcn")).iter().map(|kernel| kernel.text()).collect();
    damaged_kernels_are_assembled(texts, Dialect::Llvm, 6.0);
}

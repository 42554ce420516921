//! The products of matrices, a row of `data/gcn/matrix.tsv` each.

use super::features::Subtarget;
use super::opcodes::Opcode;
pub use super::plain::matrix::{
    FirstModifier, LayoutSource, MatrixKind, MatrixProduct, MatrixType, SecondModifier,
};

include!(concat!(env!("OUT_DIR"), "/gcn_matrix.rs"));

impl Opcode {
    /// Returns the product of matrices that it is on chips of a subtarget.
    pub fn matrix_product(self, subtarget: Subtarget) -> Option<&'static MatrixProduct> {
        let row = PRODUCTS_OF.binary_search_by_key(&self, |row| row.0).ok()?;
        PRODUCTS.get(usize::from(PRODUCTS_OF[row].1[usize::from(subtarget.0)]))
    }
}

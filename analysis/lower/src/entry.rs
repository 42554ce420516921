//! How the function of each stage is entered: its calling convention, its
//! parameters and what else its hardware stage needs to be told.

use tgsi::Stage;

use crate::context::Lowering;
use crate::{fragment, vertex};

/// The outside of the one function of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// LLVM's word for the hardware stage.
    pub(crate) convention: &'static str,
    /// The list between the parentheses.
    pub(crate) parameters: String,
    /// Function attributes of this stage, beside those of all.
    pub(crate) attributes: String,
    /// Definitions before the function.
    pub(crate) globals: String,
}

/// A pointer to a list of descriptors, as a parameter without its name.
pub(crate) const LIST: &str =
    "ptr addrspace(6) inreg noalias dereferenceable(18446744073709551615)";

impl Lowering<'_> {
    /// How the function is entered, known once its body is.
    pub(crate) fn entry_point(&self) -> Entry {
        let (convention, parameters, attributes) = match self.stage {
            Stage::Fragment => ("amdgpu_ps", fragment::PARAMETERS.to_owned(), String::new()),
            Stage::Compute => ("amdgpu_cs", self.compute_parameters(), self.compute_attributes()),
            _ => ("amdgpu_vs", vertex::PARAMETERS.to_owned(), String::new()),
        };
        Entry { convention, parameters, attributes, globals: self.shared_memory_definition() }
    }
}

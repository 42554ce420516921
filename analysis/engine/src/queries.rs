//! Queries: pure functions of the inputs, which salsa keeps until what they asked for
//! changes. What editors show is made of them, and they know nothing of it.

pub(crate) mod alignment;
pub(crate) mod codes;
pub(crate) mod compile;
pub(crate) mod costs;
pub(crate) mod execution;
pub(crate) mod explanations;
pub(crate) mod programs;
pub(crate) mod rules;
pub(crate) mod shaders;

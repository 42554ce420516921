//! The front end of TGSI.

mod codes;
mod corpus;
mod dialects;
mod dumps;
mod format;
mod fuzz;
mod paths;
mod refactorings;
mod robustness;
mod sanity;
mod tables;
mod tokens;
mod validation;

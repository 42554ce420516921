//! The front end of TGSI.

mod codes;
mod drivers;
mod dumps;
mod fixes;
mod format;
mod front_end;
mod fuzz;
mod own;
mod paths;
mod recovery;
mod refactorings;
mod robustness;
mod services;
mod structure;
mod tables;
mod tokens;
mod verdict;

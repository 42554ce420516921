//! The front end of TGSI.

mod dialects;
mod documents;
mod dumps;
mod format;
mod front_end;
mod fuzz;
mod recovery;
mod structure;
mod refactorings;
mod sanity;
mod services;
mod tables;
mod tokens;
mod validation;

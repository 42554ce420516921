//! The front end of TGSI.

mod dialects;
mod documents;
mod dumps;
mod format;
mod front_end;
mod fuzz;
mod recovery;
mod refactorings;
mod sanity;
mod services;
mod structure;
mod tables;
mod tokens;
mod validation;

//! Checks of whole programs, for more than one body of them: the repository's own
//! ([`crate::corpus`]) and those beside the project ([`crate::corpora`]).

pub mod answers;
pub mod assembly_damage;
pub mod assembly_layout;
pub mod cost_surfaces;
pub mod costs;
pub mod damage;
pub mod execution;
pub mod fixes;
pub mod formatting;
pub mod front_end;
pub mod hints;
pub mod interpreter;
pub mod layouts;
pub mod lowering;
pub mod merged;
pub mod objects;
pub mod open_bits;
pub mod readers;
pub mod recovery;
pub mod refactorings;
pub mod register_renames;
pub mod services;
pub mod spirv;
pub mod structure;
pub mod tokens;

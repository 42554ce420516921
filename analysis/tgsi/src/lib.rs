//! TGSI, the shader IR of Gallium: text in, statements and diagnostics out.
//!
//! A pure library: no I/O, no database, no editor. [`regions::split`] finds
//! the shaders in a text, [`parser::parse`] reads one of them, and the tables
//! ([`opcodes`], [`words`], [`formats`], [`capabilities`]) say what every word
//! means, since when, and what it asks of a driver.
//! [`validate()`] finds what is well-formed but surely not meant, and [`cursor`]
//! says what a place in the text is. [`tokens`] is the binary form.

pub mod ast;
pub mod capabilities;
pub mod codes;
pub mod coordinates;
#[cfg(test)]
mod corner_tests;
pub mod cursor;
#[cfg(test)]
mod damage_tests;
pub mod describe;
pub mod dialects;
pub mod directives;
pub mod format;
pub mod formats;
pub mod glsl;
pub mod holes;
pub mod labels;
pub mod lexer;
#[cfg(test)]
mod made_tests;
mod meant;
#[cfg(test)]
mod mistake_tests;
#[cfg(test)]
mod odd_tests;
pub mod opcodes;
pub mod parser;
mod print;
pub mod profiles;
#[cfg(test)]
mod random_log_tests;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod recorded_tests;
pub mod regions;
mod register_set;
mod report;
pub mod requirements;
pub mod service;
#[cfg(test)]
mod source_tests;
pub mod tokens;
pub mod validate;
pub mod values;
mod vocabulary;
pub mod word_rows;
pub mod words;

pub use opcodes::Opcode;
pub use validate::validate;
pub use words::Stage;

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

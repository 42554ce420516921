//! Turns the tables of `data` into constants.
//!
//! A cell that cannot be understood ends the build with the table's path and line.

#[path = "../src/profiles/answer.rs"]
pub mod answer;
mod drivers;
mod language;
mod tokens;
mod words;

use std::path::Path;
use std::process::ExitCode;

use tables::Result;

use words::Words;

fn main() -> ExitCode {
    tables::generate(&["build", "src/profiles/answer.rs"], files)
}

fn files(data: &Path) -> Result<Vec<(&'static str, String)>> {
    let words = Words::read(data)?;
    Ok(vec![
        ("words.rs", words.enums()?),
        ("word_rows.rs", words.rows()?),
        ("coordinates.rs", words.coordinates()?),
        ("token_numbers.rs", tokens::numbers(data, &words)?),
        ("token_fields.rs", tokens::fields(data)?),
        ("semantic_components.rs", language::semantic_components(data, &words)?),
        ("texture_components.rs", language::texture_components(data)?),
        ("misnomers.rs", language::misnomers(data, &words)?),
        ("dialects.rs", language::dialects(data)?),
        ("dialect_words.rs", language::dialect_words(data, &words)?),
        ("skeletons.rs", language::skeletons(data, &words)?),
        ("diagnostic_examples.rs", language::examples(data)?),
        ("glsl_needs.rs", language::glsl_needs(data, &words)?),
        ("documented.rs", language::documented(data)? + &language::header_names(data, &words)?),
        ("formats.rs", drivers::formats(data)?),
        ("capabilities.rs", drivers::capabilities(data, &words)?),
        ("profiles.rs", drivers::profiles(data, &words)?),
    ])
}

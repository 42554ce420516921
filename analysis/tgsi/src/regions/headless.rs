//! Diagnostics of statements and texts that have no header.

use source::{Diagnostic, TextRange, TextSize};

use super::likeness::is_comment;
use super::{first_word, range, skip_blanks};
use crate::codes;
use crate::vocabulary;
use crate::words::Stage;

/// The error for statements without a header: the first of them stands
/// between two offsets, behind a line with the given first word.
pub(super) fn headless(
    text: &str,
    start: usize,
    end: usize,
    last_word: Option<TextRange>,
) -> Diagnostic {
    if let Some(word) = last_word
        && let Some(diagnostic) = closest_header(text, word)
    {
        return diagnostic;
    }
    let line = range(start, start + text[start..end].trim_end().len());
    let message = "this statement belongs to no shader: a header such as `FRAG` must come first";
    Diagnostic::error(codes::MISSING_HEADER, line, message)
}

/// The error for a text without a shader.
pub(super) fn missing_header(text: &str) -> Diagnostic {
    const LINES_TO_TRY: usize = 100;
    let mut first = None;
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r']).take(LINES_TO_TRY) {
        let begin = skip_blanks(text.as_bytes(), start).min(start + line.len());
        let body = text[begin..start + line.len()].trim_end();
        if !body.is_empty() && !is_comment(body) {
            let word = first_word(body, begin);
            if let Some(diagnostic) = closest_header(text, word) {
                return diagnostic;
            }
            first.get_or_insert(word);
        }
        start += line.len();
    }
    let place = first.unwrap_or(TextRange::empty(TextSize::new(0)));
    let message = "no shader here: a shader begins with one of `FRAG`, `VERT`, `GEOM`, \
                   `TESS_CTRL`, `TESS_EVAL`, `COMP` on a line of its own";
    Diagnostic::error(codes::MISSING_HEADER, place, message)
}

/// The error for a word that was probably meant as a header.
fn closest_header(text: &str, word: TextRange) -> Option<Diagnostic> {
    let found = &text[word];
    let closest = match vocabulary::misnomer("header", found) {
        Some(stage) => stage,
        None => source::closest_match(found, Stage::ALL.iter().map(|stage| stage.word()))?,
    };
    let message = format!("no header: did you mean `{closest}` instead of `{found}`?");
    let diagnostic = Diagnostic::error(codes::MISSING_HEADER, word, message);
    Some(diagnostic.with_fix(format!("Replace by `{closest}`"), word, closest))
}

//! Diagnostics about white space and comments: one for each kind and shader.

use source::{Severity, TextEdit, TextRange};

use super::repairs::repair;
use super::stream::OddTrivia;
use crate::codes;
use crate::report::Report;

/// Reports what the reference parser would refuse between the tokens.
pub(super) fn report(text: &str, odd: &OddTrivia, report: &mut Report) {
    for &range in odd.comments.iter().filter(|range| !is_directive(&text[**range])) {
        report.lenient(
            codes::COMMENT,
            range,
            || ("TGSI has no comments: the reference parser refuses this", "Remove the comment"),
            Some(TextEdit::replace(range, blank_for(&text[range]))),
        );
    }
    for &range in &odd.white_space {
        let (message, title) = describe(&text[range]);
        report.lenient(
            (codes::WHITE_SPACE, Severity::Hint, title),
            range,
            || (message, title),
            Some(TextEdit::replace(range, plain(&text[range]))),
        );
    }
    for &range in &odd.unclosed_comments {
        let start = TextRange::at(range.start(), 2.into());
        report.broken = false;
        let message = "no `*/` ends this comment; only this line is taken for a comment";
        let fix = repair("Remove the comment", range, "");
        report.error_with(codes::UNCLOSED_COMMENT, start, || message.to_owned(), fix);
    }
    report.broken = false;
}

/// A line that sets target or profile for the shader that follows.
pub(super) fn is_directive(comment: &str) -> bool {
    let text = comment.trim_start_matches('#');
    text.len() < comment.len() && text.trim_start().starts_with("tungsten:")
}

/// Returns what must stay where a comment goes: a blank between what it divided.
fn blank_for(comment: &str) -> &'static str {
    match comment.starts_with("/*") {
        true if comment.contains('\n') => "\n",
        true => " ",
        false => "",
    }
}

fn describe(white_space: &str) -> (&'static str, &'static str) {
    if white_space.contains('\r') {
        let message = "lines end with a carriage return, which the reference parser refuses";
        (message, "End lines with a line feed only")
    } else {
        let message = "the reference parser knows only blanks, tabs and line feeds as white space";
        (message, "Write plain blanks")
    }
}

/// The same white space in characters that every reader takes.
fn plain(white_space: &str) -> String {
    let mut plain = String::with_capacity(white_space.len());
    let mut characters = white_space.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' => plain.push('\n'),
            '\u{feff}' => {}
            ' ' | '\t' | '\n' => plain.push(character),
            _ => plain.push(' '),
        }
    }
    plain
}

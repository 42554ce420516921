//! Substitution: the text that a body and its arguments make, piece by piece.

use source::TextRange;

use super::directives::Switch;
use super::lines::is_word;
use super::macros::{Argument, ParameterNames, size};
use super::sources::{ExpandedPiece, Span};
use crate::dialect::Dialect;

/// The context of a substitution.
pub(super) struct Substitution<'a> {
    /// The body's text and where it stands.
    pub(super) body: &'a str,
    pub(super) span: Span,
    /// Parameters by name, and the texts for them.
    pub(super) indices: &'a ParameterNames,
    pub(super) arguments: &'a [Option<Argument>],
    /// Tells whether words without `\` are parameters too.
    pub(super) alternate: Switch,
    /// The value of `\@`.
    pub(super) counter: Option<u64>,
    /// The call: where the counter's digits are said to come from.
    pub(super) call: Span,
    /// The most bytes the text may have.
    pub(super) limit: usize,
}

/// Tells whether the alternate mode puts arguments in place of words without `\` too.
///
/// LLVM does so since version 19, and the texts written before rely on that it
/// does not: `s_waitcnt vmcnt(\vmcnt)`. A body that names any parameter with `\`
/// is one of those.
pub(super) fn takes_bare_words(body: &str, indices: &ParameterNames, dialect: Dialect) -> bool {
    let named = |(at, _): (usize, &str)| {
        let end = end_of_parameter(body.as_bytes(), at + 1);
        indices.contains_key(&body[at + 1..end])
    };
    dialect == Dialect::Clrx || !body.match_indices('\\').any(named)
}

/// A text that substitution makes, and its pieces. One is filled for call after
/// call, so that its room is asked for once.
#[derive(Debug, Default)]
pub(super) struct ExpandedText {
    pub(super) text: String,
    pub(super) pieces: Vec<ExpandedPiece>,
}

/// Writes the text of a body with arguments in place of parameters, and its
/// pieces, over what `out` held; false where it would be longer than the limit.
pub(super) fn substitute(given: &Substitution<'_>, out: &mut ExpandedText) -> bool {
    let bytes = given.body.as_bytes();
    out.text.clear();
    out.pieces.clear();
    let mut made = Made { given, out, copied: 0 };
    let mut at = 0;
    while at < bytes.len() {
        if made.out.text.len() > given.limit {
            return false;
        }
        if bytes[at] != b'\\' {
            if given.alternate == Switch::Off {
                let rest = memchr::memchr(b'\\', &bytes[at..]);
                at = rest.map_or(bytes.len(), |length| at + length);
                continue;
            }
            if !is_parameter_byte(bytes[at]) {
                at += 1;
                continue;
            }
            let end = end_of_parameter(bytes, at);
            if let Some(index) = given.indices.get(&given.body[at..end]) {
                made.copy_to(at);
                made.argument(*index);
                made.copied = end + usize::from(bytes.get(end) == Some(&b'&'));
            }
            at = end.max(made.copied);
            continue;
        }
        match bytes.get(at + 1) {
            Some(b'@') if given.counter.is_some() => {
                made.copy_to(at);
                let digits = given.counter.unwrap_or_default().to_string();
                made.put(&digits, given.call);
                made.copied = at + 2;
                at = made.copied;
            }
            Some(b'(') if bytes.get(at + 2) == Some(&b')') => {
                made.copy_to(at);
                made.copied = at + 3;
                at = made.copied;
            }
            _ => {
                let end = end_of_parameter(bytes, at + 1);
                if let Some(index) = given.indices.get(&given.body[at + 1..end]) {
                    made.copy_to(at);
                    made.argument(*index);
                    let joined = given.alternate == Switch::On && bytes.get(end) == Some(&b'&');
                    made.copied = end + usize::from(joined);
                }
                at = end.max(made.copied).max(at + 1);
            }
        }
    }
    made.copy_to(bytes.len());
    made.out.text.len() <= given.limit
}

/// Bytes of a parameter's name in a body.
fn is_parameter_byte(byte: u8) -> bool {
    is_word(byte) && byte != b'@'
}

fn end_of_parameter(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| is_parameter_byte(**byte)).count()
}

/// The text being made.
struct Made<'a, 'b> {
    given: &'a Substitution<'b>,
    out: &'a mut ExpandedText,
    /// The end of the part of the body that is done with.
    copied: usize,
}

impl Made<'_, '_> {
    fn copy_to(&mut self, end: usize) {
        if end > self.copied {
            let start = self.given.span.range.start();
            let range = TextRange::new(start + size(self.copied), start + size(end));
            let text = &self.given.body[self.copied..end];
            self.put(text, Span { range, ..self.given.span });
            self.copied = end;
        }
    }

    fn argument(&mut self, index: usize) {
        if let Some(Some(argument)) = self.given.arguments.get(index) {
            self.put(&argument.text, argument.span);
        }
    }

    fn put(&mut self, text: &str, from: Span) {
        if !text.is_empty() {
            self.out.pieces.push(ExpandedPiece { at: size(self.out.text.len()), from });
            self.out.text.push_str(text);
        }
    }
}

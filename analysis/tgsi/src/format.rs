//! The formatter: a shader in the layout of Mesa's dumper, without changing
//! what it means.
//!
//! The dumper's text is what people compare and what every reader takes, so it
//! is the canonical form. Where the dumper loses something (the bits of a
//! float, a comment, an attribute of another year) the source's own spelling
//! stays. The printer walks over the tokens of a statement and rewrites only
//! the parts that it knows; a form that it does not know keeps its words.
//!
//! A statement with an error is left byte for byte, as is all text outside of
//! shaders. Before edits are handed out the edited text is parsed again: where
//! it would mean something else, they are refused.

mod edits;
mod layout;
mod meaning;
mod statement;
#[cfg(test)]
mod tests;
mod values;

use source::{SegmentMap, TextEdit, TextRange, TextSize, apply_edits};

use crate::ast::Shader;
use crate::lexer::odd_space;
use crate::validate::is_end;
use crate::{parser, regions};
use layout::{Layout, StatementEdit};

pub use meaning::meaning;

/// The instructions that carry their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Numbers {
    /// All of a shader in which most have one: all get it; otherwise each keeps or lacks it as it
    /// did.
    #[default]
    Keep,
    /// All, as the dumper prints them.
    Always,
    /// None.
    Never,
}

/// The part of a text that is formatted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All of it.
    Whole,
    /// The statements that a range touches, and the space within it.
    Range(TextRange),
    /// The statements that stand on one line alone, whose bytes these are.
    Line(TextRange),
}

/// Formats a text with all of its shaders.
pub fn format(text: &str, numbers: Numbers) -> String {
    let pass = |text: &str| {
        let edits = text_edits(text, numbers, Scope::Whole);
        apply_edits(text, &edits).unwrap_or_else(|| text.to_owned())
    };
    let once = pass(text);
    if once == text {
        return once;
    }
    // Behind a log's prefix that lacks the blanks of the others, the first of the new
    // indentation become the prefix's: only then is the rest known.
    let is_prefixed =
        |text| regions::split(text).shaders.iter().any(|it| !it.map().is_contiguous());
    if is_prefixed(text) { pass(&once) } else { once }
}

/// The edits would change what the shader means, which is a fault of the
/// formatter. The text is to stay as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused;

/// The edits that format a text with all of its shaders: disjoint and in
/// order. A shader whose edits are [refused](Refused) has none.
pub fn text_edits(text: &str, numbers: Numbers, scope: Scope) -> Vec<TextEdit> {
    let mut all = Vec::new();
    for region in regions::split(text).shaders {
        let part = region.text(text);
        let Some(shader) = parser::parse(part, &source::no_checkpoint).shader else { continue };
        let map = region.map();
        let Some(scope) = scope.within(map) else { continue };
        // What stands before a header behind a log's prefix is not an indentation.
        let base = base_indent(text, map.range().start());
        let edits = shader_edits(part, &shader, base, numbers, scope, &source::no_checkpoint);
        // Edits of which some cannot be written in the file are not made at all.
        let edits = edits.unwrap_or_default();
        let in_file: Option<Vec<_>> = edits.iter().map(|edit| map.edit_to_file(edit)).collect();
        all.extend(in_file.unwrap_or_default());
    }
    all
}

impl Scope {
    /// The part of a scope that lies in a shader, relative to the shader.
    /// `None` where it has no part of it.
    pub fn within(self, shader: &SegmentMap) -> Option<Scope> {
        Some(match self {
            Scope::Whole => Scope::Whole,
            Scope::Range(range) => Scope::Range(shader.touched(range)?),
            Scope::Line(range) => Scope::Line(shader.touched(range)?),
        })
    }
}

/// The blanks before a shader's header on its line: a shader that is quoted
/// with an indentation keeps it in every line. Empty where anything else
/// stands there.
pub fn base_indent(text: &str, header: TextSize) -> &str {
    let before = &text[..usize::from(header)];
    let line = &before[before.rfind(['\n', '\r']).map_or(0, |end| end + 1)..];
    if line.bytes().all(|byte| matches!(byte, b' ' | b'\t')) { line } else { "" }
}

/// The edits that format one shader, in bytes of its own text. `base` is the
/// [indentation](base_indent) of its header.
pub fn shader_edits(
    text: &str,
    shader: &Shader,
    base: &str,
    numbers: Numbers,
    scope: Scope,
    checkpoint: source::Checkpoint<'_>,
) -> Result<Vec<TextEdit>, Refused> {
    let mut all = Vec::new();
    if scope.touches(shader.stage.range)
        && let Some(header) = statement::header(text, shader)
    {
        edits::replace_tokens(text, shader.stage.range, &header, &mut all);
    }
    for (number, piece) in Layout::new(text, shader, base, numbers).enumerate() {
        if number.is_multiple_of(512) {
            checkpoint();
        }
        piece_edits(text, &piece, scope, &mut all);
    }
    let sound = all.is_empty() || means_the_same(text, shader, &all, checkpoint);
    if sound { Ok(all) } else { Err(Refused) }
}

impl Scope {
    /// Tells whether a statement is to be formatted.
    fn touches(self, statement: TextRange) -> bool {
        match self {
            Scope::Whole => true,
            Scope::Range(range) => range.intersect(statement).is_some(),
            Scope::Line(line) => line.contains_range(statement),
        }
    }
}

fn piece_edits(text: &str, piece: &StatementEdit, scope: Scope, all: &mut Vec<TextEdit>) {
    let touched = scope.touches(piece.body);
    if let Some(new) = &piece.gap_text {
        let mut gap = Vec::new();
        edits::replace_gap(text, piece.gap, new, &mut gap);
        all.extend(gap.into_iter().filter(|edit| match scope {
            Scope::Whole => true,
            Scope::Range(range) => touched || range.contains_range(edit.range),
            Scope::Line(line) => touched && line.contains_range(edit.range),
        }));
    }
    if let (Some(new), true) = (&piece.body_text, touched) {
        edits::replace_tokens(text, piece.body, new, all);
    }
}

fn means_the_same(
    text: &str,
    shader: &Shader,
    edits: &[TextEdit],
    checkpoint: source::Checkpoint<'_>,
) -> bool {
    let Some(edited) = apply_edits(text, edits) else { return false };
    // What follows an `END` in its line would be outside of the shader on a line of its own.
    let is_whole = |text: &str| {
        let shaders = regions::split(text).shaders;
        shaders.first().is_some_and(|it| usize::from(it.range().end()) == text.len())
    };
    is_whole(text) == is_whole(&edited)
        && parser::parse(&edited, checkpoint)
            .shader
            .is_some_and(|edited| meaning(&edited) == meaning(shader))
}

/// The blanks that a new line at `offset` of a shader's text begins with: the
/// column of the next instruction, or the base before the first one. `None`
/// after `END`, where no statement is expected.
pub fn new_line_indent(
    text: &str,
    shader: &Shader,
    base: &str,
    numbers: Numbers,
    offset: TextSize,
) -> Option<String> {
    let statements = shader.instruction_statements();
    let before = statements.take_while(|(statement, _)| statement.range.end() <= offset);
    match before.last() {
        Some((_, last)) if is_end(last.opcode.value) => None,
        Some(_) => Some(Layout::new(text, shader, base, numbers).column_after(offset)),
        None => Some(base.to_owned()),
    }
}

/// The blank bytes that a text has from `offset` on, up to the line's end;
/// `None` where anything else stands on the line.
pub fn blank_rest_of_line(text: &str, offset: TextSize) -> Option<TextRange> {
    let rest = text.get(usize::from(offset)..)?;
    let bytes = rest.as_bytes();
    let mut length = 0;
    while length < bytes.len() {
        match bytes[length] {
            b' ' | b'\t' => length += 1,
            b'\n' | b'\r' => break,
            _ => match odd_space(&bytes[length..]) {
                0 => return None,
                odd => length += odd,
            },
        }
    }
    Some(TextRange::at(offset, TextSize::new(length as u32)))
}

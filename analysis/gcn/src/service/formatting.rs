//! The layout of assembly: indentation by blocks, commas, blanks at the ends of lines.
//!
//! Nobody has laid down how assembly is to look, so little is done, and only to blanks:
//! how deep a level is, is what the file's first indented line says; directives outside of
//! blocks may stand at the margin or one level in; columns that somebody aligned stay, and
//! so do comments at the margin and the places of comments behind code. Text blocks,
//! comments of several lines and listings of machine code are left alone.

use rustc_hash::FxHashSet;
use source::{TextEdit, TextRange, TextSize, text_range};

use super::View;
use super::blocks::{BlockKind, Content, OpenBlocks};
use super::statement::{First, Statement, statements};
use crate::assembler::Dialect;

/// A level where a file has no line that says how deep one is.
const LEVEL: &str = "    ";
/// A level is one tab, or at most so many blanks.
const MOST_BLANKS: usize = 8;
/// Deeper levels are not indented further: the text must not grow with the square of its
/// length.
const DEEPEST_LEVEL: usize = 64;

/// The edits that lay out the lines that touch a range: disjoint and in order.
pub fn edits(view: View<'_>, wanted: TextRange) -> Vec<TextEdit> {
    if view.program.listing.is_some() {
        return Vec::new();
    }
    let text = view.text();
    let (lines, _) = lines(view, text.len());
    let level = level_of(&lines);
    let mut edits = Vec::new();
    let (start, end) = (usize::from(wanted.start()), usize::from(wanted.end()));
    for line in lines.iter().filter(|line| line.end >= start && line.start <= end) {
        line.edits(text, level, &mut edits);
    }
    edits
}

/// The blanks that the statement on a new line begins with, which the text before it asks
/// for.
pub fn indentation(view: View<'_>, line: TextSize) -> String {
    let (lines, depth) = lines(view, line.into());
    let level = level_of(&lines);
    let depth = match (depth, lines.iter().rev().find(|line| line.depth.is_some())) {
        // Behind what stands at the margin and is not a label, most likely the like follows.
        (0, Some(last)) if last.depth == Some(0) && !last.is_label => 0,
        (0, None) => 0,
        (0, Some(_)) => 1,
        (depth, _) => depth,
    };
    level.repeat(depth.min(DEEPEST_LEVEL))
}

/// A line of the text, or several that a comment or a join holds together.
struct SourceLine<'a> {
    start: usize,
    /// Behind its last character, before its end of line.
    end: usize,
    /// The blanks that it begins with.
    indent: &'a str,
    /// The levels that it is to be indented; `None` where that stays as it is.
    depth: Option<usize>,
    /// True if blanks at its end say nothing.
    is_trimmed: bool,
    is_label: bool,
    /// The range of the operands of its one instruction.
    operands: Option<(usize, usize)>,
    /// The start of the comment behind its code.
    comment: Option<usize>,
}

/// The lines of the text up to an end, and how deep a statement behind them stands within
/// blocks; 0 outside of them.
fn lines(view: View<'_>, end: usize) -> (Vec<SourceLine<'_>>, usize) {
    let text = view.text().get(..end).unwrap_or_default();
    let mut lines: Vec<SourceLine<'_>> = Vec::new();
    let macros = view.program.expansion.macros.iter().map(|it| it.name.to_ascii_lowercase());
    let macros: FxHashSet<String> = macros.collect();
    // The depth of each open block's directive.
    let mut open: OpenBlocks<usize> = OpenBlocks::new();
    let dialect = view.program.expansion.dialect;
    let separates = |text: &str, at| dialect == Dialect::Clrx && text[at..].starts_with(';');
    let mut all = statements(text, dialect).peekable();
    while let Some(statement) = all.next() {
        let start = statement.start();
        let stop = all.peek().map_or(text.len(), Statement::start);
        let whole = &text[start..stop];
        let end = start + whole.trim_end_matches(['\n', '\r']).len();
        let indent = &whole[..whole.len() - whole.trim_start_matches([' ', '\t']).len()];
        let inside = open.last().map_or(0, |(_, depth)| depth + 1);
        let name = statement.word().to_ascii_lowercase();
        let is_text = open.last().is_some_and(|(block, _)| block.content == Content::Text);
        let depth = match open.close(&name) {
            Some(depth) => Some(depth),
            None if is_text => None,
            None => {
                let divided = open.last().filter(|(block, _)| block.is_divided_by(&name));
                let depth = match divided {
                    Some((_, depth)) => Some(*depth),
                    None => depth_of(&statement, &name, indent, inside, whole),
                };
                if let Some(block) = BlockKind::opened_by(&name) {
                    open.push(block, depth.unwrap_or(inside));
                }
                depth
            }
        };
        // What follows another statement on its line is left as it is.
        if let Some(last) = lines.last_mut().filter(|last| last.end == start) {
            (last.end, last.operands, last.comment) = (end, None, None);
            continue;
        }
        let is_one = !separates(text, start + statement.length())
            && !whole.trim_end_matches(['\n', '\r']).contains(['\n', '\r']);
        let code_end = start + statement.length();
        let is_instruction = is_one
            && statement.labels.is_empty()
            && !name.is_empty()
            && !name.starts_with('.')
            && !whole.contains(['\\', '"', '\''])
            && !whole.contains("/*")
            && !macros.contains(&name);
        lines.push(SourceLine {
            start,
            end,
            indent,
            depth,
            is_trimmed: depth.is_some() || (is_one && !is_text),
            is_label: !statement.labels.is_empty(),
            operands: is_instruction.then(|| (statement.operands_start(), code_end)),
            comment: (is_one && code_end < end).then_some(code_end),
        });
    }
    (lines, open.last().map_or(0, |(_, depth)| depth + 1))
}

/// Returns the levels that a statement which closes nothing is indented; `None` where that is
/// free.
fn depth_of(
    statement: &Statement<'_>,
    name: &str,
    indent: &str,
    inside: usize,
    whole: &str,
) -> Option<usize> {
    if !statement.labels.is_empty() {
        return Some(inside.saturating_sub(1));
    }
    let is_margin = indent.is_empty();
    match statement.first {
        // A comment, which may hold several lines, or nothing.
        First::None if whole.trim().is_empty() => Some(0),
        First::None if is_margin || whole.trim_end().contains(['\n', '\r']) => None,
        First::None => Some(inside.max(1)),
        First::Word(_) if !name.starts_with('.') => Some(inside.max(1)),
        _ if inside > 0 => Some(inside),
        _ => Some(usize::from(!is_margin)),
    }
}

/// Returns the width of a level: that of the first line that is to be indented once and is
/// indented.
fn level_of<'a>(lines: &[SourceLine<'a>]) -> &'a str {
    let first = lines.iter().find(|line| line.depth == Some(1) && !line.indent.is_empty());
    let said = first.map(|line| line.indent).filter(|indent| {
        *indent == "\t" || (indent.len() <= MOST_BLANKS && indent.bytes().all(|it| it == b' '))
    });
    said.unwrap_or(LEVEL)
}

impl SourceLine<'_> {
    fn edits(&self, text: &str, level: &str, edits: &mut Vec<TextEdit>) {
        let mut replace = |from: usize, to: usize, insert: &str| {
            if text.get(from..to) != Some(insert) {
                edits.push(TextEdit::replace(text_range(from, to), insert));
            }
        };
        let whole = &text[self.start..self.end];
        // At the very end of a line the sign would join the next one to it.
        let trimmed = Some(whole.trim_end_matches([' ', '\t'])).filter(|it| !it.ends_with('\\'));
        let trimmed = trimmed.unwrap_or(whole);
        let (behind_indent, end) = (self.start + self.indent.len(), self.start + trimmed.len());
        let Some(depth) = self.depth else {
            if self.is_trimmed {
                replace(end, self.end, "");
            }
            return;
        };
        if end <= behind_indent {
            return replace(self.start, self.end, "");
        }
        let indent = level.repeat(depth.min(DEEPEST_LEVEL));
        replace(self.start, behind_indent, &indent);
        // The code moves by so much, and with it the place of a comment behind it.
        let mut moved = columns(&indent) - columns(self.indent);
        if let Some((from, to)) = self.operands {
            let operands = text[from..to].trim_end_matches([' ', '\t']);
            for (place, _) in operands.match_indices(',') {
                let (before, after) = (&operands[..place], &operands[place + 1..]);
                let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
                let place = from + place;
                if blanks > 0 {
                    replace(place - blanks, place, "");
                    moved -= blanks as i64;
                }
                // Nothing between two commas stays nothing.
                if !after.starts_with([' ', '\t', ',']) && !after.is_empty() {
                    replace(place + 1, place + 1, " ");
                    moved += 1;
                }
            }
        }
        if let Some(comment) = self.comment.filter(|comment| *comment < end) {
            let code = text[self.start..comment].trim_end_matches([' ', '\t']);
            let gap = &text[self.start + code.len()..comment];
            if code.len() > self.indent.len() && gap.bytes().all(|byte| byte == b' ') {
                let wanted = (gap.len() as i64 - moved).max(1);
                let wanted = " ".repeat(usize::try_from(wanted).unwrap_or(1));
                replace(self.start + code.len(), comment, &wanted);
            }
        }
        replace(end, self.end, "");
    }
}

/// Measures the width of blanks, a tab taken for a level of the width that most editors show.
fn columns(blanks: &str) -> i64 {
    blanks.bytes().map(|byte| if byte == b'\t' { 8 } else { 1 }).sum()
}

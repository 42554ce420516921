//! Literate suites: a Markdown file is a suite, a heading names a test, and
//! fenced blocks are its parts.
//!
//! ````text
//! ## A misspelt opcode is found
//!
//! ```tgsi
//! FRAG
//! MADD TEMP[0], …
//! ```
//!
//! ```diagnostics
//! 2:1 error tgsi::unknown-opcode
//! ```
//! ````
//!
//! Parts: `tgsi`, the shader; `diagnostics`, all that is found in it;
//! `diagnostics-tgsi`, what the front end finds, whatever can be compiled; `gcn NAME…`,
//! patterns that the code compiled for each named target must contain in this
//! order; `gcn-of NAME…`, lines `OPCODE: pattern; pattern` that the code of the
//! statements with this opcode must contain in this order, of all code with `*`
//! in the opcode's place; `gcn-not NAME…`, patterns that it must not contain; `summary`, the
//! figures of the outline; `hover LINE:COLUMN`, patterns that the hover there
//! must contain in this order; `completion LINE:COLUMN`, labels that are offered
//! there, or with `!` before them are not; `definition LINE:COLUMN`, the lines that a name or
//! register of assembly leads to, `uses LINE:COLUMN`, what reads and writes it, and `renamed
//! LINE:COLUMN NEW`, the lines that another name changes, or why it is refused; `fixed CODE`, the shader after the
//! first fix of the first diagnostic with this code; `costs NAME…`, patterns that the costs
//! of the compiled code must contain, code by code and line by line; `compiled-hover
//! LINE:COLUMN NAME…`, a hover of the compiled shader; `view-ir NAME`, `view-spirv NAME`, `view-hex NAME`,
//! `view-registers NAME`, `view-waits NAME` and `side-by-side NAME…`, patterns of such a view, each line of which stands behind the
//! number of its source line; `changes NAME`, the same of what changed since the text in
//! the block `before`; `compiled-diagnostics NAME…`, patterns of all that is found of the
//! compile, one each. A blank in a pattern matches any white
//! space, ` ... ` anything.

use std::fmt::Write as _;

use source::{ColumnUnit, Diagnostic, LineIndex, Severity};

/// One test of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The heading.
    pub name: String,
    /// The line of the heading, from 1.
    pub line: usize,
    /// The fenced blocks, in order.
    pub blocks: Vec<Block>,
}

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The word after the fence.
    pub kind: String,
    /// The words after it.
    pub arguments: Vec<String>,
    /// The text between the fences, each line with its line end.
    pub text: String,
    /// The line of the opening fence, from 1.
    pub line: usize,
}

impl Case {
    /// The first block of a kind.
    pub fn block(&self, kind: &str) -> Option<&Block> {
        self.blocks.iter().find(|block| block.kind == kind)
    }
}

/// Reads a suite. Text outside headings and fences is for the reader.
pub fn read(suite: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = suite.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(name) = line.strip_prefix("## ") {
            let name = name.trim().to_owned();
            cases.push(Case { name, line: number + 1, blocks: Vec::new() });
        } else if let (Some(head), Some(case)) = (line.strip_prefix("```"), cases.last_mut()) {
            let mut words = head.split_whitespace().map(str::to_owned);
            let kind = words.next().unwrap_or_default();
            let body = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            let text = body.flat_map(|line| [line, "\n"]).collect();
            case.blocks.push(Block { kind, arguments: words.collect(), text, line: number + 1 });
        }
    }
    cases
}

impl Block {
    /// The place that the first argument names: line and column, both from 1.
    pub fn place(&self) -> Option<(u32, u32)> {
        let (line, column) = self.arguments.first()?.split_once(':')?;
        Some((line.parse().ok()?, column.parse().ok()?))
    }
}

/// Looks for patterns, one a line, in this order. Answers the first that is missing.
pub fn missing_pattern<'a>(text: &str, patterns: &'a str) -> Option<&'a str> {
    let mut rest = text.lines();
    patterns
        .lines()
        .filter(|pattern| !pattern.trim().is_empty())
        .find(|pattern| !rest.by_ref().any(|line| matches(line, pattern)))
}

/// Tells whether a line contains a pattern, all runs of white space being equal; ` ... ` in
/// the pattern stands for anything.
pub fn matches(line: &str, pattern: &str) -> bool {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (line, pattern) = (squeeze(line), squeeze(pattern));
    let mut rest = line.as_str();
    pattern.split(" ... ").all(|part| match rest.find(part) {
        Some(place) => {
            rest = &rest[place + part.len()..];
            true
        }
        None => false,
    })
}

/// Diagnostics, one a line: place, severity, code and words.
pub fn show_diagnostics(diagnostics: &[Diagnostic], text: &str) -> String {
    let lines = LineIndex::new(text);
    let mut shown = String::new();
    for diagnostic in diagnostics {
        let at = lines.line_column(text, diagnostic.range.start(), ColumnUnit::Utf32);
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let (line, column) = (at.line + 1, at.column + 1);
        let (code, message) = (diagnostic.code.0, &diagnostic.message);
        let _ = writeln!(shown, "{line}:{column} {severity} {code}: {message}");
    }
    shown
}

/// The text after the first fix of the first diagnostic with the block's code.
///
/// # Errors
/// Where there is no such diagnostic, or no fix.
pub fn apply_fixes(
    diagnostics: &[Diagnostic],
    text: &str,
    block: &Block,
) -> Result<String, String> {
    let code = block.arguments.first().ok_or("`fixed` wants a code")?;
    let found = diagnostics.iter().find(|diagnostic| diagnostic.code.0 == code);
    let found = found.ok_or_else(|| format!("nothing is found of {code}"))?;
    let fix = found.fixes.first().ok_or_else(|| format!("{code} has no fix"))?;
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| edit.range.start());
    let mut fixed = text.to_owned();
    for edit in edits.iter().rev() {
        fixed.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.insert);
    }
    Ok(fixed)
}

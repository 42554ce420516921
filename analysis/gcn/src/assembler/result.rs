//! The result of expansion: statements, symbols, kernels, problems.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use source::{Code, Diagnostic, Severity, TextRange};

use super::edited::Conditions;
use super::macros::Macro;
use super::sections::Section;
use super::sources::{Node, NodeId, NodeKind, SourceId, Sources, Span};
use super::symbols::{Symbol, SymbolId, Symbols};
pub(super) use crate::dialect::words::shifted;
use crate::dialect::{Dialect, Unsupported};
use crate::expression::Value;
use crate::target_id::Settings;
use crate::{Target, limits};

/// A text, expanded.
#[derive(Debug, Default)]
pub struct Expansion {
    /// The language it was read in.
    pub dialect: Dialect,
    /// The chip whose symbols were set before the text was read.
    pub assembled_for: Target,
    /// The statements that are left, in order.
    pub statements: Vec<Statement>,
    /// Every macro that was defined, in order of definition.
    pub macros: Vec<Macro>,
    /// The sections, in order of first use.
    pub sections: Vec<Section>,
    /// The kernels and their descriptors.
    pub kernels: Vec<Kernel>,
    /// Free text blocks: metadata.
    pub metadata: Vec<Metadata>,
    /// The target that a directive chose last, and where.
    pub target: Option<(Target, Span)>,
    /// The settings of its target id.
    pub settings: Settings,
    /// The chip of a later directive, where that is not supported.
    pub unsupported: Option<Unsupported>,
    /// Names in `.include` for which there was no text, each once.
    pub wanted: Vec<Wanted>,
    /// Names without a value that were told of, each once: once defined, every use is right.
    pub missing: BTreeSet<Box<str>>,
    /// The problems, in the order in which they were met.
    pub problems: Vec<Problem>,
    /// Tells whether something that was not known here decided what was read.
    pub incomplete: bool,
    /// Places where lines may be missing, each as the number of statements before, in order: a file
    /// that is not there, a call that went wrong, repetitions and conditions that are not known.
    pub unread: Vec<u32>,
    /// Tells whether a bound ended it early.
    pub stopped: bool,
    /// The work that expansion took: bytes read in macros, repetitions and includes, bodies
    /// looked through, texts between a line and its file, parameters of calls, expressions of
    /// symbols, names compared. Reading the file itself is free.
    pub work: u64,
    pub(super) sources: Sources,
    pub(super) nodes: Vec<Node>,
    pub(super) symbols: Symbols,
    pub(super) cleaned: Vec<Box<str>>,
    pub(super) conditions: Option<Conditions>,
    /// The statements whose registers or sizes decided something.
    pub(super) measured: u32,
}

/// A statement that is left after expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// The section it is put into: an index of `Expansion::sections`.
    pub section: u32,
    /// The place of its text.
    pub span: Span,
    /// The expansion it stands in.
    pub node: NodeId,
    pub(super) reading: Reading,
}

impl Statement {
    /// Tells whether a condition of which nothing is known was guessed to let it through.
    pub fn is_guessed(&self) -> bool {
        self.reading.0 & Reading::GUESSED != 0
    }

    /// Tells whether its text is that of its place: no comment within it was blanked.
    pub(crate) fn is_as_written(&self) -> bool {
        self.reading.cleaned().is_none()
    }
}

/// The number of a statement's cleaned text, where comments within it were blanked, and a bit for
/// a guess that let it through. A text has half a million statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading(u32);

impl Reading {
    const GUESSED: u32 = 1 << 31;

    /// Of a text as it is written, which nothing was guessed for.
    pub(super) const PLAIN: Reading = Reading(Reading::GUESSED - 1);

    /// Returns the same of a cleaned text, by its number.
    pub(super) fn of_cleaned(self, number: usize) -> Reading {
        let number = u32::try_from(number).unwrap_or(u32::MAX).min(Reading::PLAIN.0);
        Reading(self.0 & Reading::GUESSED | number)
    }

    /// Returns the same behind a guess.
    pub(super) fn guessed(self) -> Reading {
        Reading(self.0 | Reading::GUESSED)
    }

    /// Returns the same of a text as it is written.
    pub(super) fn as_written(self) -> Reading {
        Reading(self.0 | Reading::PLAIN.0)
    }

    fn cleaned(self) -> Option<usize> {
        let number = self.0 & Reading::PLAIN.0;
        (number != Reading::PLAIN.0).then_some(number as usize)
    }
}

/// The kinds of statement that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// `mnemonic operands`.
    Instruction,
    /// A label; its name is the text.
    Label(SymbolId),
    /// A numeric label; its number is the text.
    NumericLabel,
    /// Data of so many bytes, or of a number of bytes that is not known here.
    Data(Option<u32>),
    /// Padding up to a multiple of so many bytes.
    Align(u32),
    /// `.org`: the place is moved to so many bytes from the beginning of the section.
    Origin(u32),
    /// The place is moved to where is not known here.
    Moved,
    /// A directive with a meaning beyond expansion, such as `.globl`.
    Directive,
}

/// A kernel and what its descriptor says.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Its name; empty where no label or directive names it.
    pub name: Box<str>,
    /// The kind of its descriptor.
    pub kind: DescriptorKind,
    /// The directive that begins the descriptor.
    pub span: Span,
    /// The expansion it stands in.
    pub node: NodeId,
    /// The number of statements before.
    pub statement: u32,
    /// Its fields in order.
    pub fields: Vec<Field>,
}

/// The kinds of kernel descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DescriptorKind {
    /// `.amdhsa_kernel` with `.amdhsa_…` directives.
    Amdhsa,
    /// `.amd_kernel_code_t` with assignments.
    KernelCode,
    /// CLRX: `.kernel` with `.config`.
    Clrx,
    /// A name alone: `.amdgpu_hsa_kernel`.
    Symbol,
}

/// A field of a descriptor.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name as written: `.amdhsa_next_free_vgpr`, `wavefront_sgpr_count`, `.vgprsnum`.
    pub name: Box<str>,
    /// The text that stands for its value.
    pub text: Box<str>,
    /// The value where the text is one expression that is known.
    pub value: Option<i64>,
    /// All of it.
    pub span: Span,
}

/// A block of free text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// The directive that begins it.
    pub directive: Box<str>,
    /// The directive's place.
    pub span: Span,
    /// Its lines.
    pub text: String,
}

/// A file that is wanted and was not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The name as written.
    pub name: Box<str>,
    /// The place.
    pub span: Span,
}

/// Something wrong, with its place in the text in which it was met.
///
/// An error is certain: no command line or missing file could undo it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The stable name.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// A sentence that says what and why.
    pub message: String,
    /// The place, in a file or in a text that a macro made.
    pub span: Span,
    /// The expansion it is in.
    pub node: NodeId,
}

/// A step on the way from the file to a place in an expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpansionFrame {
    /// The thing that was expanded.
    pub kind: NodeKind,
    /// The call, in a file.
    pub call: Span,
}

/// A value of a symbol, seen from a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    /// The value.
    pub value: Value,
    /// Tells whether the definition comes after the statement.
    pub forward: bool,
    /// The first statement behind that may see another value: the statement itself where nothing
    /// is known of others.
    pub(super) until: u32,
}

impl Expansion {
    /// The text of a statement: comments within it are blank, so that offsets hold.
    pub fn text(&self, statement: &Statement) -> &str {
        match statement.reading.cleaned().and_then(|number| self.cleaned.get(number)) {
            Some(text) => text,
            None => self.source_text(statement.span),
        }
    }

    /// The text of a span.
    pub fn source_text(&self, span: Span) -> &str {
        self.sources.text(span.source).get(std::ops::Range::from(span.range)).unwrap_or_default()
    }

    /// All of a text.
    pub fn source(&self, source: SourceId) -> &Arc<str> {
        self.sources.text(source)
    }

    /// The files that were read: the given one first, then includes by their names.
    pub fn files(&self) -> impl Iterator<Item = (SourceId, &str)> {
        self.sources.files()
    }

    /// The place in a file that a place repeats; in a macro's text that is the
    /// place in its definition, or in the call for an argument.
    pub fn in_file(&self, span: Span) -> Span {
        self.sources.in_file(span)
    }

    /// The expansion of an index.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    /// The calls that lead from the file to an expansion, the outermost first.
    pub fn frames(&self, node: NodeId) -> Vec<ExpansionFrame> {
        let mut frames = Vec::new();
        let mut node = self.node(node);
        while node.kind != NodeKind::Root {
            frames.push(ExpansionFrame { kind: node.kind, call: self.in_file(node.call) });
            node = self.node(node.parent);
        }
        frames.reverse();
        frames
    }

    /// The range of the given file where a place is to be shown: itself, or the
    /// outermost call that leads to it. Runs of a repetition in the file count as
    /// the file: their lines are there to see.
    pub fn in_root(&self, span: Span, node: NodeId) -> TextRange {
        let place = self.in_file(span);
        let node = match place.source {
            SourceId::ROOT => self.node(self.node(node).outer),
            _ => self.node(node),
        };
        match node.kind {
            NodeKind::Root => place.range,
            _ => node.shown,
        }
    }

    /// A diagnostic of the given file about a place in any text: shown at the
    /// outermost call, with the place it means as a related one.
    pub fn diagnostic(
        &self,
        code: Code,
        severity: Severity,
        span: Span,
        node: NodeId,
        message: impl Into<String>,
    ) -> Diagnostic {
        let range = self.in_root(span, node);
        let origin = self.in_file(span);
        let mut message = message.into();
        let inner = self.frames(node).into_iter().rev().find_map(|step| match step.kind {
            NodeKind::Macro(index) => Some(format!("macro `{}`", self.macros[index as usize].name)),
            NodeKind::Include(file) => {
                Some(format!("file `{}`", self.sources.file_name(file).unwrap_or_default()))
            }
            NodeKind::Root | NodeKind::Iteration(_) => None,
        });
        if let Some(inner) = inner {
            let line = self.line_of(origin);
            message = match self.sources.file_name(origin.source) {
                Some(file) if origin.source != SourceId::ROOT => {
                    format!("{message} (in {inner}, line {line} of `{file}`)")
                }
                _ => format!("{message} (in {inner}, line {line})"),
            };
        }
        let diagnostic = Diagnostic::new(code, severity, range, message);
        if origin.source == SourceId::ROOT && origin.range != range {
            diagnostic.with_related(origin.range, "expanded here")
        } else {
            diagnostic
        }
    }

    /// The problems as diagnostics of the given file.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let problems = self.problems.iter();
        problems
            .map(|it| self.diagnostic(it.code, it.severity, it.span, it.node, it.message.as_str()))
            .collect()
    }

    /// The chip: that of the last directive which names one, or that of the options.
    pub(crate) fn chip(&self) -> Target {
        self.target.map_or(self.assembled_for, |(target, _)| target)
    }

    /// The kernel whose descriptor of a kind ends at a statement.
    pub(super) fn descriptor_before(&self, end: u32, kind: DescriptorKind) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.statement == end && kernel.kind == kind)
    }

    /// The line of a place in its text, counted from 1.
    pub fn line_of(&self, span: Span) -> usize {
        self.sources.line(span)
    }

    /// The symbols, in order of first definition.
    pub fn symbols(&self) -> &[Symbol] {
        self.symbols.all()
    }

    /// A symbol.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        self.symbols.get(id)
    }

    /// The symbol a name means, seen from a statement.
    pub fn find_symbol(&self, name: &str, statement: u32) -> Option<SymbolId> {
        self.symbols.find_at(name, statement)
    }

    /// The registers a register symbol names, as written behind `%`.
    pub fn registers(&self, index: u32) -> Option<&str> {
        self.symbols.registers.get(index as usize).map(|it| &**it)
    }

    /// The text of the expansions of calls, in their order: macros and repetitions
    /// expanded, with the comments of no one. One statement a line, and what is beyond
    /// [`limits::EXPANDED_TEXT`] left out.
    pub fn expanded_text(&self, calls: &[NodeId]) -> String {
        // A node comes after its parent: one pass over them, and one over the statements.
        let mut is_within = vec![false; self.nodes.len()];
        for call in calls {
            is_within[call.0 as usize] = true;
        }
        for index in 1..self.nodes.len() {
            is_within[index] |= is_within[self.nodes[index].parent.0 as usize];
        }
        let mut shown = String::new();
        for statement in self.statements.iter().filter(|it| is_within[it.node.0 as usize]) {
            if shown.len() > limits::EXPANDED_TEXT {
                shown.push_str("// the rest is left out\n");
                break;
            }
            let text = self.text(statement).trim();
            let _ = match statement.kind {
                StatementKind::Label(_) | StatementKind::NumericLabel => writeln!(shown, "{text}:"),
                _ => writeln!(shown, "\t{text}"),
            };
        }
        shown
    }
}

//! The machine that reads lines: a stack of texts, of which the last is read on.
//!
//! A call pushes a text, its end pops it; nothing recurses, so that no nesting
//! can exhaust the stack.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Code, Severity, TextRange};

use super::blocks::Block;
use super::conditions::{Branch, ConditionUncertainty};
use super::directives::{self, Switch};
use super::edited::Conditions;
use super::layout::Layout;
use super::lines::{Head, LogicalLine, head, read_line};
use super::locals;
use super::macros::Words;
use super::register_counts::RegisterCounts;
use super::repetition::Loop;
use super::result::{Expansion, Problem, Reading, Statement, StatementKind, shifted};
use super::sections::Sections;
use super::sources::{Node, NodeId, NodeKind, SourceId, Sources, Span};
use super::substitution::ExpandedText;
use super::symbols::{Definition, Setting, SymbolId, SymbolKind};
use super::{Abi, Options, target_symbols};
use crate::codes;
use crate::dialect::Dialect;
use crate::expression::{Address, Value};

/// A text that is being read.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) source: SourceId,
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) node: NodeId,
    /// The conditionals that were open when it began.
    pub(super) conditions: usize,
    pub(super) kind: FrameKind,
}

/// The reason why a text is read.
#[derive(Debug)]
pub(super) enum FrameKind {
    /// A file, or all of one.
    File,
    /// A macro's expansion.
    Macro,
    /// One run of a repetition, and what comes after it.
    Repetition(Loop),
}

/// A statement of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Here<'l> {
    pub(super) line: &'l str,
    /// The start of the line in its text.
    pub(super) base: usize,
    pub(super) source: SourceId,
    pub(super) node: NodeId,
    /// Bounds of the first word in the line.
    pub(super) name: (usize, usize),
    /// Bounds of what follows it, without blanks around.
    pub(super) rest: (usize, usize),
    /// Tells whether blanks stand for comments in the line.
    pub(super) cleaned: bool,
}

impl<'l> Here<'l> {
    pub(super) fn name(&self) -> &'l str {
        &self.line[self.name.0..self.name.1]
    }

    pub(super) fn rest(&self) -> &'l str {
        &self.line[self.rest.0..self.rest.1]
    }

    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        Span { source: self.source, range: shifted(self.base, from, to) }
    }

    pub(super) fn name_span(&self) -> Span {
        self.span(self.name.0, self.name.1)
    }

    pub(super) fn rest_span(&self) -> Span {
        self.span(self.rest.0, self.rest.1)
    }

    pub(super) fn whole(&self) -> Span {
        self.span(self.name.0, self.rest.1.max(self.name.1))
    }

    pub(super) fn words(&self, dialect: Dialect, alternate: Switch) -> Words<'l> {
        let base = self.base + self.rest.0;
        Words { text: self.rest(), source: self.source, base, dialect, alternate }
    }
}

/// The state of expansion.
pub(super) struct Expander<'a> {
    pub(super) options: &'a Options<'a>,
    pub(super) includes: &'a dyn Fn(&str) -> Option<Arc<str>>,
    checkpoint: &'a dyn Fn(),
    pub(super) dialect: Dialect,
    pub(super) abi: Abi,
    pub(super) out: Expansion,
    pub(super) frames: Vec<Frame>,
    pub(super) conditions: Vec<Branch>,
    pub(super) sections: Sections,
    pub(super) block: Block,
    pub(super) layout: Layout,
    pub(super) counts: RegisterCounts,
    pub(super) alternate: Switch,
    pub(super) macro_case: Switch,
    pub(super) macro_names: FxHashMap<Box<str>, u32>,
    /// The text of a call while it is put together.
    pub(super) made: ExpandedText,
    pub(super) counter: u64,
    /// The CLRX kernel that is open.
    pub(super) kernel: Option<u32>,
    /// The next number of `.enum` in each scope.
    pub(super) enumerations: FxHashMap<u32, i64>,
    pub(super) last_label: Option<SymbolId>,
    pub(super) files: FxHashMap<Box<str>, SourceId>,
    /// The names of files that are wanted and were not there.
    pub(super) absent: FxHashSet<Box<str>>,
    told: FxHashSet<(Code, Span)>,
    lines_left: u64,
    pub(super) bytes_left: usize,
    until_checkpoint: u32,
    /// Tells whether another frame is to be read now.
    pub(super) switched: bool,
    /// The doubts about the condition asked last.
    pub(super) asked: ConditionUncertainty,
    /// The first name an evaluation found no value for.
    pub(super) missing: Option<Box<str>>,
    /// Tells whether the last evaluation met a floating-point number.
    pub(super) saw_float: bool,
}

/// Bytes of a short line: room for so many statements is asked for at once. What
/// is not needed is address space, not memory.
const SHORT_LINE: usize = 20;

/// Lines between two calls of the checkpoint.
const CHECKPOINT_LINES: u32 = 1024;

impl<'a> Expander<'a> {
    pub(super) fn new(
        text: &Arc<str>,
        dialect: Dialect,
        includes: &'a dyn Fn(&str) -> Option<Arc<str>>,
        options: &'a Options<'a>,
        checkpoint: &'a dyn Fn(),
    ) -> Expander<'a> {
        let conditions = Conditions::of(options, text);
        let abi = conditions.abi;
        let mut sources = Sources::default();
        let mut problems = Vec::new();
        let fits = text.len() <= source::MAX_TEXT_LENGTH;
        if !fits {
            problems.push(Problem {
                code: codes::TOO_LARGE,
                severity: Severity::Warning,
                message: "the file is too large to be read".to_owned(),
                span: Span { source: SourceId::ROOT, range: TextRange::default() },
                node: NodeId::ROOT,
            });
        }
        let text = if fits { Arc::clone(text) } else { Arc::from("") };
        let end = text.len();
        let root = sources.add_file("", text);
        let call = Span { source: root, range: TextRange::default() };
        let out = Expansion {
            dialect,
            assembled_for: options.target,
            statements: Vec::with_capacity(end / SHORT_LINE),
            problems,
            sources,
            conditions: Some(conditions),
            nodes: vec![Node {
                parent: NodeId::ROOT,
                call,
                kind: NodeKind::Root,
                shown: call.range,
                outer: NodeId::ROOT,
            }],
            ..Expansion::default()
        };
        let mut expander = Expander {
            options,
            includes,
            checkpoint,
            dialect,
            abi,
            out,
            frames: vec![Frame {
                source: root,
                at: 0,
                end,
                node: NodeId::ROOT,
                conditions: 0,
                kind: FrameKind::File,
            }],
            conditions: Vec::new(),
            sections: Sections::default(),
            block: Block::None,
            layout: Layout::default(),
            counts: RegisterCounts::default(),
            alternate: Switch::Off,
            macro_case: if dialect == Dialect::Clrx { Switch::Off } else { Switch::On },
            macro_names: FxHashMap::default(),
            made: ExpandedText::default(),
            counter: 0,
            kernel: None,
            enumerations: FxHashMap::default(),
            last_label: None,
            files: FxHashMap::default(),
            absent: FxHashSet::default(),
            told: FxHashSet::default(),
            lines_left: options.limits.lines,
            bytes_left: options.limits.bytes,
            until_checkpoint: CHECKPOINT_LINES,
            switched: false,
            missing: None,
            saw_float: false,
            asked: ConditionUncertainty::default(),
        };
        expander.predefine();
        expander
    }

    fn predefine(&mut self) {
        if self.dialect == Dialect::Llvm
            && let Some(values) = self.options.version()
        {
            for (name, value) in target_symbols::names(self.abi).into_iter().zip(values) {
                self.set_predefined(name, value);
            }
        }
        for (name, value) in &self.options.symbols {
            self.set_predefined(name, *value);
        }
    }

    fn set_predefined(&mut self, name: &str, value: i64) {
        let id = self.out.symbols.define(name, SymbolKind::Predefined);
        let value = Value::Absolute(value);
        self.out.symbols.set(id, Setting { statement: 0, value, expression: None }, None);
    }

    pub(super) fn run(mut self) -> Expansion {
        while let Some(frame) = self.frames.last() {
            let text = Arc::clone(self.out.sources.text(frame.source));
            let (source, node) = (frame.source, frame.node);
            self.switched = false;
            while !self.switched {
                let Some(frame) = self.frames.last_mut() else { break };
                if frame.at >= frame.end {
                    self.end_of_frame();
                    break;
                }
                let line = read_line(&text, frame.at, frame.end, self.dialect);
                let bytes = line.next - frame.at;
                frame.at = line.next;
                if !self.charge(bytes) {
                    break;
                }
                self.line(&line, source, node);
            }
        }
        self.finish()
    }

    fn finish(mut self) -> Expansion {
        if !self.out.stopped {
            self.end_of_conditions();
            self.end_of_block();
            self.resolve_fields();
        }
        self.out.sections = std::mem::take(&mut self.sections.sections);
        let measured = self.counts.seen().max(self.layout.len());
        self.out.measured = u32::try_from(measured).unwrap_or(u32::MAX);
        self.out
    }

    /// Counts a line of so many bytes; false, once a bound is met. Lines of the file
    /// itself are free.
    pub(super) fn charge(&mut self, bytes: usize) -> bool {
        if self.frames.len() <= 1 {
            self.breathe();
            return true;
        }
        self.spend(bytes)
    }

    fn breathe(&mut self) {
        self.until_checkpoint = self.until_checkpoint.saturating_sub(1);
        if self.until_checkpoint == 0 {
            self.until_checkpoint = CHECKPOINT_LINES;
            (self.checkpoint)();
        }
    }

    /// Counts a line of so many bytes wherever it is; false, once a bound is met.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        self.breathe();
        match self.lines_left.checked_sub(1) {
            Some(left) => {
                self.lines_left = left;
                // Whoever asks for a line's place in a file goes through these.
                let source = self.frames.last().map_or(SourceId::ROOT, |frame| frame.source);
                self.work(bytes as u64 + u64::from(self.out.sources.origins(source)))
            }
            None => {
                let limit = self.options.limits.lines;
                self.stop(format!("expansion stops after {limit} lines"));
                false
            }
        }
    }

    /// Counts work, see [`Expansion::work`]; false, once the bound is met.
    pub(super) fn work(&mut self, steps: u64) -> bool {
        self.out.work = self.out.work.saturating_add(steps);
        let limit = self.options.limits.work;
        if self.out.work > limit && !self.out.stopped {
            self.stop(format!("expansion stops after {limit} steps of work"));
        }
        !self.out.stopped
    }

    /// Counts the lines that may still be read in macros, repetitions and includes.
    pub(super) fn lines_left(&self) -> u64 {
        self.lines_left
    }

    /// Ends expansion at a bound, naming what was being expanded.
    pub(super) fn stop(&mut self, what: String) {
        let node = self.frames.last().map_or(NodeId::ROOT, |frame| frame.node);
        let call = self.out.node(node).call;
        let inner = self.macro_around(node);
        let message = match inner {
            Some(name) => format!("{what}, within macro `{name}`"),
            None => format!("{what}, within a repetition or an included file"),
        };
        self.stop_at(call, node, message);
    }

    /// Ends expansion for a reason that stands at a place.
    pub(super) fn stop_at(&mut self, place: Span, node: NodeId, message: String) {
        // Not certain to be wrong: an assembler may have higher bounds.
        self.tell(codes::EXPANSION_LIMIT, Severity::Warning, place, node, message);
        self.out.stopped = true;
        self.out.incomplete = true;
        self.leave_unread();
        self.frames.clear();
        self.switched = true;
    }

    pub(super) fn macro_around(&self, mut node: NodeId) -> Option<&str> {
        loop {
            let here = self.out.node(node);
            match here.kind {
                NodeKind::Root => return None,
                NodeKind::Macro(index) => return Some(&self.out.macros[index as usize].name),
                NodeKind::Include(_) | NodeKind::Iteration(_) => node = here.parent,
            }
        }
    }

    /// Tells a problem once. After a gap in what is known no error is certain.
    pub(super) fn tell(
        &mut self,
        code: Code,
        severity: Severity,
        span: Span,
        node: NodeId,
        message: impl Into<String>,
    ) {
        let place = self.out.sources.in_file(span);
        if self.out.problems.len() >= self.options.limits.problems
            || !self.told.insert((code, place))
        {
            return;
        }
        let severity = match severity {
            Severity::Error if self.out.incomplete => Severity::Warning,
            other => other,
        };
        let message = message.into();
        self.out.problems.push(Problem { code, severity, message, span, node });
    }

    /// Tells whether a problem of this kind is still to be told there: what a message costs to
    /// make is spent only then.
    pub(super) fn is_news(&self, code: Code, span: Span) -> bool {
        self.out.problems.len() < self.options.limits.problems
            && !self.told.contains(&(code, self.out.sources.in_file(span)))
    }

    pub(super) fn error(
        &mut self,
        code: Code,
        here: &Here<'_>,
        span: Span,
        message: impl Into<String>,
    ) {
        self.tell(code, Severity::Error, span, here.node, message);
    }

    /// Notes that lines may be missing here.
    pub(super) fn leave_unread(&mut self) {
        let here = self.next_statement();
        if self.out.unread.last() != Some(&here) {
            self.out.unread.push(here);
        }
    }

    /// The index of the next statement.
    pub(super) fn next_statement(&self) -> u32 {
        u32::try_from(self.out.statements.len()).unwrap_or(u32::MAX)
    }

    fn line(&mut self, line: &LogicalLine<'_>, source: SourceId, node: NodeId) {
        let text = &*line.text;
        let trimmed = text.trim_ascii_end().len();
        let cleaned = matches!(line.text, std::borrow::Cow::Owned(_));
        let here = |name: (usize, usize), rest: usize| Here {
            line: text,
            base: line.start,
            source,
            node,
            name,
            rest: (rest.min(trimmed), trimmed.max(rest.min(trimmed))),
            cleaned,
        };
        if line.unterminated {
            let here = here((0, 0), trimmed);
            let message = "this comment is never closed";
            let from = text.len().min(trimmed);
            let span = here.span(from, from);
            self.error(codes::UNTERMINATED_COMMENT, &here, span, message);
        }
        if self.block.takes_text() {
            return self.block_text(here((0, 0), 0));
        }
        let mut from = 0;
        loop {
            match head(text, from, self.dialect) {
                Head::Empty => return,
                Head::Label { name, rest } => {
                    if !self.is_active() {
                        return;
                    }
                    self.label(&here(name, name.1));
                    from = rest;
                }
                Head::Assignment { name, rest } => {
                    if self.is_active() {
                        self.assignment(&here(name, rest));
                    }
                    return;
                }
                Head::Word { name, rest } => return self.word(&here(name, rest)),
            }
        }
    }

    fn word(&mut self, here: &Here<'_>) {
        let name = here.name();
        let is_directive = name.starts_with('.') && name.len() > 1;
        if !self.is_active() {
            if is_directive && let Some(action) = directives::action(name, self.dialect) {
                self.skipped_directive(action, here);
            }
            return;
        }
        if !self.macro_names.is_empty()
            && let Some(index) = self.find_macro(name)
        {
            return self.call_macro(index, here);
        }
        if is_directive {
            self.directive(here);
        } else if self.dialect == Dialect::Clrx
            && self.alternate == Switch::On
            && locals::is_declaration(name)
        {
            // Its names were replaced where the macro was called.
        } else {
            self.emit(StatementKind::Instruction, here, here.whole());
        }
    }

    pub(super) fn emit(&mut self, kind: StatementKind, here: &Here<'_>, span: Span) {
        let mut reading = Reading::PLAIN;
        if here.cleaned {
            let from = usize::from(span.range.start()) - here.base;
            let to = usize::from(span.range.end()) - here.base;
            reading = reading.of_cleaned(self.out.cleaned.len());
            self.out.cleaned.push(here.line[from..to].into());
        }
        if self.is_guess() {
            reading = reading.guessed();
        }
        let (node, section) = (here.node, self.sections.current);
        self.out.statements.push(Statement { kind, section, span, node, reading });
    }

    pub(super) fn here_place(&self) -> Address {
        Address { section: self.sections.current, statement: self.next_statement(), addend: 0 }
    }

    fn label(&mut self, here: &Here<'_>) {
        let name = here.name();
        let place = self.here_place();
        let span = here.name_span();
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            self.out.symbols.add_numeric_label(name, place);
            return self.emit(StatementKind::NumericLabel, here, span);
        }
        let id = self.out.symbols.define(name, SymbolKind::Label);
        let symbol = self.out.symbols.get(id);
        let has_value = |it: &Setting| it.value != Value::Undefined || it.expression.is_some();
        // A label may take the name of what may be set again.
        let is_fixed = symbol.kind != SymbolKind::Variable;
        if is_fixed && symbol.values.last().is_some_and(has_value) {
            let message = format!("`{name}` is already defined");
            self.error(codes::REDEFINITION, here, span, message);
        } else {
            self.out.symbols.set_kind(id, SymbolKind::Label);
            let setting = Setting {
                statement: place.statement,
                value: Value::Address(place),
                expression: None,
            };
            let definition = Definition { span, node: here.node };
            self.out.symbols.set(id, setting, Some(definition));
        }
        self.last_label = Some(id);
        self.emit(StatementKind::Label(id), here, span);
    }
}

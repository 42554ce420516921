//! Expansion after an edit: lines that did not change are not read again.
//!
//! An instruction, a label or a comment changes nothing of how the lines behind it are read. If
//! an edit is among such lines alone, reading goes on behind it in the state in which it went on
//! before: all else is taken over, with its places moved. Labels must stay the same,
//! and whatever was asked about the code before it (its registers, the distance of places) must
//! have the same answer. Any other edit has the text read as a whole.

use std::sync::Arc;

use source::{TextRange, TextSize};

use super::change::Change;
use super::lines::{Head, head, read_line};
use super::result::{Expansion, Reading, Statement, StatementKind, shifted};
use super::sources::{NodeId, SourceId, Span};
use super::{Abi, Limits, Options, locals};
use crate::dialect::{Dialect, Unsupported};
use crate::expression::{Address, Value};

/// The options of an expansion that its own fields do not say.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conditions {
    unsupported: Option<Unsupported>,
    symbols: Vec<(String, i64)>,
    pub(super) abi: Abi,
    outside: Arc<[Arc<str>]>,
    limits: Limits,
}

impl Conditions {
    pub(super) fn of(options: &Options<'_>, text: &str) -> Conditions {
        Conditions {
            unsupported: options.unsupported.clone(),
            symbols: options.symbols.clone(),
            abi: options.abi.unwrap_or_else(|| Abi::of(text)),
            outside: Arc::clone(&options.outside),
            limits: options.limits,
        }
    }
}

/// The statements that were taken over from an earlier text: those before `first`, and those
/// from `old_end` on, which are those from `new_end` on now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) first: u32,
    pub(crate) old_end: u32,
    pub(crate) new_end: u32,
}

impl Kept {
    /// The index in the earlier text of a statement that was taken over.
    pub(crate) fn earlier(self, statement: u32) -> Option<u32> {
        match statement {
            before if before < self.first => Some(before),
            behind if behind >= self.new_end => Some(behind - self.new_end + self.old_end),
            _ => None,
        }
    }

    /// The index now of a statement of the earlier text that was taken over.
    pub(crate) fn later(self, statement: u32) -> Option<u32> {
        match statement {
            before if before < self.first => Some(before),
            behind if behind >= self.old_end => Some(behind - self.old_end + self.new_end),
            _ => None,
        }
    }
}

/// The bytes around an edit that are looked at for lines, at most.
const MOST_READ: usize = 1 << 16;

/// A statement of a plain line, with its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plain {
    kind: PlainKind,
    range: TextRange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlainKind {
    Instruction,
    Label,
}

/// A reader of plain lines.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    statements: Vec<Plain>,
}

impl Lines<'_> {
    /// Reads a line; `None` where it is not plain.
    fn read(&mut self, of: &Expansion) -> Option<()> {
        let line = read_line(self.text, self.at, self.text.len(), of.dialect);
        // Comments within a line are rare.
        let std::borrow::Cow::Borrowed(text) = line.text else { return None };
        if line.unterminated {
            return None;
        }
        let mut from = 0;
        loop {
            match head(text, from, of.dialect) {
                Head::Empty => break,
                Head::Label { name, rest } => {
                    let range = shifted(line.start, name.0, name.1);
                    self.statements.push(Plain { kind: PlainKind::Label, range });
                    from = rest;
                }
                Head::Assignment { .. } => return None,
                Head::Word { name: (start, end), .. } => {
                    if !of.is_plain_word(&text[start..end]) {
                        return None;
                    }
                    let end = text.trim_ascii_end().len().max(end);
                    let range = shifted(line.start, start, end);
                    self.statements.push(Plain { kind: PlainKind::Instruction, range });
                    break;
                }
            }
        }
        self.at = line.next;
        Some(())
    }

    /// Reads lines up to a place; `None` where one is not plain.
    fn read_to(&mut self, end: usize, of: &Expansion) -> Option<()> {
        while self.at < end {
            self.read(of)?;
        }
        Some(())
    }

    fn of_kind(&self, kind: PlainKind) -> impl Iterator<Item = (u32, &Plain)> {
        (0..).zip(&self.statements).filter(move |(_, it)| it.kind == kind)
    }

    fn texts(&self, kind: PlainKind) -> impl Iterator<Item = &str> {
        self.of_kind(kind).map(|(_, it)| &self.text[std::ops::Range::from(it.range)])
    }
}

impl Expansion {
    /// Tells whether a line that begins with this word is an instruction, wherever it stands.
    fn is_plain_word(&self, word: &str) -> bool {
        let is_directive = word.starts_with('.') && word.len() > 1;
        let may_declare = self.dialect == Dialect::Clrx && locals::is_declaration(word);
        let is_macro = || self.macros.iter().any(|it| it.name.eq_ignore_ascii_case(word));
        !is_directive && !may_declare && !is_macro()
    }

    /// Expands a text of which an earlier state was expanded before, where nothing of what lies
    /// around the change could be read in another way: what comes out is the same as by reading
    /// all of it.
    pub(crate) fn after(
        &self,
        text: &Arc<str>,
        change: Change,
        dialect: Dialect,
        includes: &dyn Fn(&str) -> Option<Arc<str>>,
        options: &Options<'_>,
    ) -> Option<(Expansion, Moves)> {
        let fits = text.len() <= source::MAX_TEXT_LENGTH;
        let is_same = fits
            && !self.stopped
            && self.dialect == dialect
            && self.assembled_for == options.target
            && self.conditions.as_ref() == Some(&Conditions::of(options, text))
            && self.sources.are_files(includes)
            && self.wanted.iter().all(|it| includes(&it.name).is_none());
        if !is_same {
            return None;
        }
        let old = Arc::clone(self.source(SourceId::ROOT));
        let anchor = self.anchor(&old, change.start)?;
        let mut before = Lines { text: &old, at: anchor.next, statements: Vec::new() };
        let mut after = Lines { text, at: anchor.next, statements: Vec::new() };
        before.read_to(change.old_end, self)?;
        after.read_to(change.new_end, self)?;
        // Lines may be joined: both must go on at the same place.
        let old_place = |at: usize| at - change.new_end + change.old_end;
        while before.at != old_place(after.at) {
            let behind = if before.at < old_place(after.at) { &mut before } else { &mut after };
            let at = behind.at;
            behind.read(self)?;
            if behind.at == at {
                return None;
            }
        }
        let is_small = before.at.max(after.at) - anchor.next <= MOST_READ;
        is_small.then(|| self.with_lines(text, &anchor, &before, &after)).flatten()
    }

    /// Returns the start of a line at or before an offset of a file, from which lines can be read
    /// without those before: one that no comment, macro, condition or text of another language
    /// is around, where one is near.
    pub(crate) fn line_near(&self, file: SourceId, offset: TextSize) -> usize {
        if file != SourceId::ROOT {
            return 0;
        }
        self.anchor(self.source(file), offset.into()).map_or(0, |anchor| anchor.next)
    }

    /// The last line before a place, behind which the state is known.
    fn anchor(&self, text: &str, place: usize) -> Option<Anchor> {
        let line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let before = &text.as_bytes()[..place.min(text.len())];
        let line = before.iter().rposition(line_end).map_or(0, |end| end + 1);
        let is_before = |it: &Statement| {
            let is_written = it.span.source == SourceId::ROOT && it.node == NodeId::ROOT;
            is_written && usize::from(it.span.range.start()) < line
        };
        let Some(last) = self.statements.iter().rposition(is_before) else {
            return Some(Anchor { next: 0, statement: None });
        };
        let statement = self.statements[last];
        let start = usize::from(statement.span.range.start());
        let mut own = Lines { text, at: start, statements: Vec::new() };
        own.read(self)?;
        let [Plain { kind, range }] = own.statements[..] else { return None };
        let is_kind = match statement.kind {
            StatementKind::Instruction => kind == PlainKind::Instruction,
            StatementKind::Label(_) | StatementKind::NumericLabel => kind == PlainKind::Label,
            _ => false,
        };
        let ends = own.at <= line && text.as_bytes()[..own.at].ends_with(b"\n");
        (is_kind && ends && range == statement.span.range && statement.is_as_written())
            .then_some(Anchor { next: own.at, statement: Some(last) })
    }

    fn with_lines(
        &self,
        text: &Arc<str>,
        anchor: &Anchor,
        before: &Lines<'_>,
        after: &Lines<'_>,
    ) -> Option<(Expansion, Moves)> {
        let first = anchor.statement.map_or(0, |index| index + 1);
        let old_end = first + before.statements.len();
        let new_end = first + after.statements.len();
        let is_read = |(own, read): (&Statement, &Plain)| {
            let place = Span { source: SourceId::ROOT, range: read.range };
            own.span == place && own.node == NodeId::ROOT && own.is_as_written()
        };
        let own = self.statements.get(first..old_end)?;
        if !own.iter().zip(&before.statements).all(is_read)
            || !before.texts(PlainKind::Label).eq(after.texts(PlainKind::Label))
        {
            return None;
        }
        // What was counted or measured is so again where the instructions are the same.
        let same_code = || {
            let [old, new] = [before, after].map(|it| it.statements.iter().map(|own| own.kind));
            let code = [before, after].map(|it| it.texts(PlainKind::Instruction));
            let [old_code, new_code] = code;
            old.eq(new) && old_code.eq(new_code)
        };
        if self.measured as usize > first && !same_code() {
            return None;
        }
        let number = |index: usize| u32::try_from(index).ok();
        let kept =
            Kept { first: number(first)?, old_end: number(old_end)?, new_end: number(new_end)? };
        let labels = before.of_kind(PlainKind::Label).zip(after.of_kind(PlainKind::Label));
        let labels: Vec<_> = labels
            .map(|((old, at), (new, to))| Moved {
                statement: (kept.first + old, kept.first + new),
                range: (at.range, to.range),
            })
            .collect();
        // What is set before the first statement is set at it, as what stands in the lines is.
        let is_numbered_alike =
            old_end == new_end && labels.iter().all(|it| it.statement.0 == it.statement.1);
        if anchor.statement.is_none() && !is_numbered_alike {
            return None;
        }
        let moves =
            Moves { kept, start: anchor.next, old_end: before.at, new_end: after.at, labels };
        // The state that reading was in.
        let around = anchor.statement.map(|index| self.statements[index]);
        let template = Statement {
            kind: StatementKind::Instruction,
            section: around.map_or(0, |it| it.section),
            span: Span { source: SourceId::ROOT, range: TextRange::default() },
            node: NodeId::ROOT,
            reading: around.map_or(Reading::PLAIN, |it| it.reading.as_written()),
        };
        let mut old_labels = own.iter().map(|it| it.kind).filter(|it| is_label(*it));
        let mut lines = Vec::with_capacity(after.statements.len());
        for plain in &after.statements {
            let kind = match plain.kind {
                PlainKind::Instruction => StatementKind::Instruction,
                PlainKind::Label => old_labels.next()?,
            };
            let span = Span { range: plain.range, ..template.span };
            lines.push(Statement { kind, span, ..template });
        }
        Some((self.moved(text, &moves, &lines)?, moves))
    }

    /// All of it with its places moved, and other statements among those that stay.
    fn moved(&self, text: &Arc<str>, moves: &Moves, lines: &[Statement]) -> Option<Expansion> {
        let Kept { first, old_end, .. } = moves.kept;
        let (first, old_end) = (first as usize, old_end as usize);
        let mut statements = Vec::with_capacity(self.statements.len() + lines.len());
        statements.extend_from_slice(self.statements.get(..first)?);
        statements.extend_from_slice(lines);
        for statement in self.statements.get(old_end..)? {
            statements.push(Statement { span: moves.span(statement.span)?, ..*statement });
        }
        let mut macros = self.macros.clone();
        for own in &mut macros {
            moves.move_span(&mut own.definition)?;
            moves.move_span(&mut own.body)?;
            for parameter in &mut own.parameters {
                moves.move_span(&mut parameter.span)?;
                if let Some(default) = &mut parameter.default {
                    moves.move_span(&mut default.span)?;
                }
            }
        }
        let mut kernels = self.kernels.clone();
        for kernel in &mut kernels {
            moves.move_span(&mut kernel.span)?;
            kernel.statement = moves.statement(kernel.statement)?;
            for field in &mut kernel.fields {
                moves.move_span(&mut field.span)?;
            }
        }
        let mut metadata = self.metadata.clone();
        for own in &mut metadata {
            moves.move_span(&mut own.span)?;
        }
        let mut wanted = self.wanted.clone();
        for own in &mut wanted {
            moves.move_span(&mut own.span)?;
        }
        let mut problems = self.problems.clone();
        for own in &mut problems {
            moves.move_span(&mut own.span)?;
        }
        let mut nodes = self.nodes.clone();
        // The first is the text itself.
        for own in nodes.iter_mut().skip(1) {
            moves.move_span(&mut own.call)?;
            own.shown = moves.range(own.shown)?;
        }
        let unread = self.unread.iter().map(|before| moves.statement(*before));
        let target = match self.target {
            Some((target, span)) => Some((target, moves.span(span)?)),
            None => None,
        };
        Some(Expansion {
            dialect: self.dialect,
            assembled_for: self.assembled_for,
            statements,
            macros,
            sections: self.sections.clone(),
            kernels,
            metadata,
            target,
            settings: self.settings,
            unsupported: self.unsupported.clone(),
            wanted,
            missing: self.missing.clone(),
            problems,
            incomplete: self.incomplete,
            unread: unread.collect::<Option<_>>()?,
            stopped: self.stopped,
            work: self.work,
            sources: self.sources.moved(text, moves)?,
            nodes,
            symbols: self.symbols.moved(moves)?,
            cleaned: self.cleaned.clone(),
            conditions: self.conditions.clone(),
            measured: moves.statement(self.measured)?,
        })
    }
}

fn is_label(kind: StatementKind) -> bool {
    matches!(kind, StatementKind::Label(_) | StatementKind::NumericLabel)
}

/// The line before a change behind which the state of reading is known.
struct Anchor {
    /// The start of the next line.
    next: usize,
    /// Its statement; none for the beginning of the text.
    statement: Option<usize>,
}

/// A label within the lines that were read again, before and after.
#[derive(Debug)]
struct Moved {
    statement: (u32, u32),
    range: (TextRange, TextRange),
}

/// The way of places and statements of the earlier text to the later one.
#[derive(Debug)]
pub(crate) struct Moves {
    pub(crate) kept: Kept,
    /// The lines that were read again.
    start: usize,
    old_end: usize,
    new_end: usize,
    /// The labels in them.
    labels: Vec<Moved>,
}

impl Moves {
    pub(super) fn range(&self, range: TextRange) -> Option<TextRange> {
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        let moved = |at: usize| TextSize::new((at - self.old_end + self.new_end) as u32);
        if start >= self.old_end && (start < end || start > self.start) {
            return Some(TextRange::new(moved(start), moved(end)));
        }
        if end <= self.start && (start < end || end < self.start) {
            return Some(range);
        }
        if start <= self.start && end >= self.old_end && start < end {
            return Some(TextRange::new(range.start(), moved(end)));
        }
        self.labels.iter().find(|it| it.range.0 == range).map(|it| it.range.1)
    }

    pub(super) fn span(&self, span: Span) -> Option<Span> {
        match span.source {
            SourceId::ROOT => Some(Span { range: self.range(span.range)?, ..span }),
            _ => Some(span),
        }
    }

    pub(super) fn move_span(&self, span: &mut Span) -> Option<()> {
        *span = self.span(*span)?;
        Some(())
    }

    /// The number of statements before something, which is also the index of the next one.
    pub(super) fn statement(&self, before: u32) -> Option<u32> {
        let label = self.labels.iter().find(|it| it.statement.0 == before);
        label.map(|it| it.statement.1).or_else(|| self.kept.later(before))
    }

    pub(crate) fn address(&self, address: Address) -> Option<Address> {
        Some(Address { statement: self.statement(address.statement)?, ..address })
    }

    pub(super) fn value(&self, value: Value) -> Option<Value> {
        match value {
            Value::Address(address) => Some(Value::Address(self.address(address)?)),
            other => Some(other),
        }
    }
}

//! Answers to editors: the name at a place, where it is defined, where it is used, and what a
//! call expands to.
//!
//! Names are looked for in the files as they are written, not in what macros make
//! of them: a place an editor can go to is a place in a file.

use source::{TextRange, TextSize};

use super::directives::{self, Action};
use super::lines::end_of_name;
use super::lines::{Head, LogicalLine, end_of_string, head, is_word, read_line, skip_blanks};
use super::meanings::Meanings;
use super::result::{Expansion, StatementKind, shifted};
use super::sources::{NodeId, NodeKind, SourceId, Span};
use super::symbols::{Symbol, SymbolId};
use crate::dialect::Dialect;
use crate::expression::Value;

/// A name in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameAt {
    /// The thing it names.
    pub kind: NameKind,
    /// The name, without `\` or a label's colon.
    pub span: Span,
}

/// The things that names name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A macro: the index in `Expansion::macros`.
    Macro(u32),
    /// A parameter of a macro.
    Parameter {
        /// The macro's index.
        macro_index: u32,
        /// The parameter's.
        index: usize,
    },
    /// A symbol or label.
    Symbol(SymbolId),
    /// A numeric label, where it stands or as `1b` and `1f`.
    NumericLabel,
}

/// The role of a word in a line, as far as its place shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The first word of a statement.
    First,
    /// A label's or an assigned symbol's name.
    Defined,
    /// The name behind `.macro` or `.purgem`.
    MacroName,
    /// A word behind `\`.
    Parameter,
    /// Any other word.
    Other,
}

/// A word in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceWord<'a> {
    pub(super) text: &'a str,
    range: TextRange,
    pub(super) role: Role,
    /// The first word of its statement.
    pub(super) first: &'a str,
    /// Tells whether a single `=` follows.
    pub(super) keyword: bool,
}

impl Expansion {
    /// The name at a place of a file.
    pub fn name_at(&self, file: SourceId, offset: TextSize) -> Option<NameAt> {
        let mut found = None;
        self.words(file, Some(offset), &mut |word| {
            if word.range.contains_inclusive(offset) {
                let span = Span { source: file, range: word.range };
                let meanings = Meanings::of(self, word.text);
                found = meanings.meaning(word, span).map(|kind| NameAt { kind, span });
            }
        });
        found
    }

    /// Calls for every name in a file but those of numeric labels, in order.
    pub fn each_name(&self, file: SourceId, found: &mut dyn FnMut(NameAt)) {
        let meanings = Meanings::of_all(self);
        self.words(file, None, &mut |word| {
            let span = Span { source: file, range: word.range };
            if let Some(kind) = meanings.meaning(word, span)
                && kind != NameKind::NumericLabel
            {
                found(NameAt { kind, span });
            }
        });
    }

    /// Finds the definitions of the thing that a name names, in files.
    pub fn definitions(&self, name: &NameAt) -> Vec<Span> {
        match name.kind {
            NameKind::Macro(index) => vec![self.in_file(self.macros[index as usize].definition)],
            NameKind::Parameter { macro_index, index } => {
                let parameter = self.macros[macro_index as usize].parameters.get(index);
                parameter.map(|it| self.in_file(it.span)).into_iter().collect()
            }
            NameKind::Symbol(id) => {
                let mut places: Vec<Span> =
                    self.symbol(id).definitions.iter().map(|it| self.in_file(it.span)).collect();
                places.sort_by_key(|it| (it.source, it.range.start()));
                places.dedup();
                places
            }
            NameKind::NumericLabel => self.numeric_label_definition(name).into_iter().collect(),
        }
    }

    /// Every place in a file that names the same thing, definitions included.
    pub fn references(&self, name: &NameAt) -> Vec<Span> {
        let mut places = Vec::new();
        let wanted = self.source_text(name.span).to_owned();
        if name.kind == NameKind::NumericLabel {
            return self.numeric_label_references(name);
        }
        let meanings = Meanings::of(self, &wanted);
        for (file, _) in self.files() {
            self.words(file, None, &mut |word| {
                if word.text == wanted || self.folds(&name.kind, word.text, &wanted) {
                    let span = Span { source: file, range: word.range };
                    if meanings.meaning(word, span) == Some(name.kind) {
                        places.push(span);
                    }
                }
            });
        }
        places
    }

    /// Tells whether two spellings are one macro's name.
    fn folds(&self, kind: &NameKind, left: &str, right: &str) -> bool {
        let macro_name = matches!(kind, NameKind::Macro(_));
        macro_name && self.dialect == Dialect::Clrx && left.eq_ignore_ascii_case(right)
    }

    /// The words of a file outside of comments, or of one line of it.
    fn words(&self, file: SourceId, only: Option<TextSize>, found: &mut dyn FnMut(SourceWord<'_>)) {
        let text = self.source(file);
        let mut at = only.map_or(0, |only| self.line_near(file, only));
        let only = only.map(usize::from);
        while at < text.len() {
            let line = read_line(text, at, text.len(), self.dialect);
            if only.is_none_or(|only| only < line.next || line.next == text.len()) {
                self.words_of_line(&line, found);
            }
            if only.is_some_and(|only| only < line.next) {
                return;
            }
            at = line.next;
        }
    }

    fn words_of_line(&self, line: &LogicalLine<'_>, found: &mut dyn FnMut(SourceWord<'_>)) {
        let text = &*line.text;
        let range = |(from, to): (usize, usize)| shifted(line.start, from, to);
        let mut from = 0;
        let word = |bounds: (usize, usize), role: Role| SourceWord {
            text: &text[bounds.0..bounds.1],
            range: range(bounds),
            role,
            first: "",
            keyword: false,
        };
        let (first, rest) = loop {
            match head(text, from, self.dialect) {
                Head::Empty => return,
                Head::Label { name, rest } => {
                    found(word(name, Role::Defined));
                    from = rest;
                }
                Head::Assignment { name, rest } => {
                    found(word(name, Role::Defined));
                    break ("", rest);
                }
                Head::Word { name, rest } => {
                    let first = &text[name.0..name.1];
                    found(SourceWord { first, ..word(name, Role::First) });
                    break (first, rest);
                }
            }
        };
        let action = directives::action(first, self.dialect);
        let names_macro = matches!(action, Some(Action::Macro | Action::PurgeMacro));
        let bytes = text.as_bytes();
        let mut at = rest;
        let mut position = 0;
        while at < bytes.len() {
            let escaped = at > 0 && bytes[at - 1] == b'\\';
            if bytes[at] == b'"' && !escaped {
                // Only parameters are named in strings.
                let end = end_of_string(bytes, at);
                for (slash, _) in text[at..end].match_indices('\\') {
                    let start = at + slash + 1;
                    let end = end_of_letters(bytes, start);
                    if end > start {
                        found(SourceWord { first, ..word((start, end), Role::Parameter) });
                    }
                }
                at = end;
                continue;
            }
            let end = end_of_letters(bytes, at);
            if end == at {
                at += 1;
                continue;
            }
            let next = skip_blanks(bytes, end);
            let keyword = bytes.get(next) == Some(&b'=') && bytes.get(next + 1) != Some(&b'=');
            let role = match (escaped, names_macro && position == 0) {
                (true, _) => Role::Parameter,
                (false, true) => Role::MacroName,
                (false, false) => Role::Other,
            };
            found(SourceWord { first, keyword, ..word((at, end), role) });
            position += 1;
            at = end;
        }
    }

    fn numeric_label_definition(&self, name: &NameAt) -> Option<Span> {
        let text = self.source_text(name.span);
        let digits = text.trim_end_matches(['b', 'f']);
        if digits.len() == text.len() {
            return Some(name.span);
        }
        let mut places = Vec::new();
        self.words(name.span.source, None, &mut |word| {
            if word.role == Role::Defined && word.text == digits {
                places.push(word.range);
            }
        });
        let before = places.partition_point(|range| range.start() < name.span.range.start());
        let range = match text.ends_with('b') {
            true => places.get(before.checked_sub(1)?)?,
            false => places.get(before)?,
        };
        Some(Span { source: name.span.source, range: *range })
    }

    fn numeric_label_references(&self, name: &NameAt) -> Vec<Span> {
        let source = name.span.source;
        let Some(definition) = self.numeric_label_definition(name) else { return vec![name.span] };
        let digits = self.source_text(definition).to_owned();
        // Between the labels of the same number before and after.
        let (mut before, mut after) = (TextSize::new(0), TextSize::new(u32::MAX));
        let start = definition.range.start();
        self.words(source, None, &mut |word| {
            if word.role == Role::Defined && word.text == digits {
                if word.range.start() < start {
                    before = word.range.start();
                } else if word.range.start() > start && after == TextSize::new(u32::MAX) {
                    after = word.range.start();
                }
            }
        });
        let mut places = Vec::new();
        self.words(source, None, &mut |word| {
            let at = word.range.start();
            let uses = word.role != Role::Defined
                && ((at > before && at < start && word.text == format!("{digits}f"))
                    || (at > start && at < after && word.text == format!("{digits}b")));
            if uses || word.range == definition.range {
                places.push(Span { source, range: word.range });
            }
        });
        places
    }

    /// The expansions that a call or repetition at a place of a file made: the
    /// runs of one repetition, or one for each time a call was reached.
    pub fn expansions_at(&self, file: SourceId, offset: TextSize) -> Vec<NodeId> {
        let numbered = self.nodes.iter().enumerate().skip(1);
        let here = numbered.filter(|(_, node)| {
            let call = self.in_file(node.call);
            call.source == file && call.range.contains_inclusive(offset)
        });
        here.filter_map(|(index, _)| u32::try_from(index).ok().map(NodeId)).collect()
    }

    /// The expanded text of what stands at a place of a file: a call the first time
    /// it is reached, or all runs of a repetition. `None` where nothing is expanded.
    pub fn expanded_at(&self, file: SourceId, offset: TextSize) -> Option<String> {
        let mut nodes = self.expansions_at(file, offset);
        let first = self.node(*nodes.first()?);
        let (parent, call) = (first.parent, first.call);
        nodes.retain(|node| self.node(*node).parent == parent && self.node(*node).call == call);
        if !matches!(first.kind, NodeKind::Iteration(_)) {
            nodes.truncate(1);
        }
        Some(self.expanded_text(&nodes))
    }

    /// A text without macros, includes and conditionals that assembles to the same:
    /// instructions, data and labels, with each symbol set where its value changes.
    pub fn standalone(&self) -> Standalone {
        let mut shown = Standalone::default();
        let mut values = rustc_hash::FxHashMap::<&str, i64>::default();
        // Values that are used before they are given: last, in a fixed order.
        let mut later = std::collections::BTreeMap::<&str, i64>::new();
        for (number, statement) in (0_u32..).zip(&self.statements) {
            let text = self.text(statement).trim();
            match statement.kind {
                StatementKind::Label(_) | StatementKind::NumericLabel => {
                    shown.line(Some(number), &format!("{text}:"));
                    continue;
                }
                StatementKind::Directive if self.opens_no_section(text) => continue,
                // The place of a descriptor that is not text any more.
                StatementKind::Data(_)
                    if text.starts_with(".end_amd_kernel_code_t")
                        || text.starts_with(".end_amdhsa_kernel") =>
                {
                    continue;
                }
                _ => {}
            }
            for name in names(text, self.dialect) {
                let Some(resolved) = self.value(name, number) else { continue };
                let Value::Absolute(value) = resolved.value else { continue };
                if resolved.forward {
                    later.insert(name, value);
                } else if values.insert(name, value) != Some(value) {
                    shown.line(Some(number), &format!(".set {name}, {value}"));
                }
            }
            shown.line(Some(number), &format!("\t{text}"));
        }
        for (name, value) in later {
            if !values.contains_key(name) {
                shown.line(None, &format!(".set {name}, {value}"));
            }
        }
        shown
    }

    fn opens_no_section(&self, text: &str) -> bool {
        let word = text.split_ascii_whitespace().next().unwrap_or_default();
        let action = directives::action(word, self.dialect);
        !matches!(action, Some(Action::Section | Action::PushSection | Action::PopSection))
    }
}

/// An expanded text; see [`Expansion::standalone`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standalone {
    /// The text.
    pub text: String,
    /// For each of its lines the statement that it is of, an index of
    /// `Expansion::statements`.
    pub statements: Vec<Option<u32>>,
}

impl Standalone {
    /// Adds what a statement says, one line where it holds no line ends.
    fn line(&mut self, statement: Option<u32>, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        let lines = text.bytes().filter(|byte| *byte == b'\n').count() + 1;
        self.statements.extend(std::iter::repeat_n(statement, lines));
    }
}

impl Symbol {
    /// Its values in the order in which it gets them.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value> {
        self.values.iter().map(|setting| setting.value)
    }
}

/// The words of a statement that may be symbols.
pub(super) fn names(text: &str, dialect: Dialect) -> impl Iterator<Item = &str> {
    let mut at = 0;
    let words = std::iter::from_fn(move || {
        let begins = |byte: u8| is_word(byte) || (byte == b':' && dialect == Dialect::Clrx);
        loop {
            at += text.as_bytes()[at..].iter().position(|byte| begins(*byte))?;
            let end = end_of_name(text, at, dialect);
            if end == at {
                at += 1;
                continue;
            }
            let word = &text[at..end];
            at = end;
            return Some(word);
        }
    });
    words.filter(|word| !word.as_bytes()[0].is_ascii_digit())
}

/// Finds where the word at a place ends; parameters have no `@` in their names.
fn end_of_letters(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_word(**byte) && **byte != b'@').count()
}

//! Repetitions, and how a body is found.

use std::sync::Arc;

use source::{Severity, TextRange};

use super::directives::{self, Action};
use super::expand::{Expander, FrameKind, Here};
use super::lines::{Head, head, is_word, read_line};
use super::macros::{self, Argument, ParameterNames};
use super::result::shifted;
use super::sources::{NodeId, NodeKind, SourceId, Span};
use crate::codes;

/// A repetition that is running: what comes after the run at hand.
#[derive(Debug)]
pub(super) struct Loop {
    call: Span,
    parent: NodeId,
    /// Runs so far.
    runs: u32,
    next: Next,
}

/// The reason for the next run.
#[derive(Debug)]
enum Next {
    /// So many more runs over the same text.
    Times { left: u64, text: (SourceId, TextRange) },
    /// A run for each value, in place of the one parameter.
    Values { left: std::vec::IntoIter<Argument>, names: Arc<ParameterNames>, body: Span },
    /// Runs while the condition holds, with a symbol and the expression that it moves on to
    /// before each run but the first.
    While { condition: Box<str>, step: Option<(Box<str>, Box<str>)>, text: (SourceId, TextRange) },
}

impl Expander<'_> {
    /// The lines up to the directive that closes the one at hand; reading goes on
    /// behind it. `None`, and told, where nothing closes it.
    pub(super) fn body(&mut self, here: &Here<'_>, opened: Action) -> Option<Span> {
        let frame = self.frames.last()?;
        let (source, start, end) = (frame.source, frame.at, frame.end);
        let text = Arc::clone(self.out.sources.text(source));
        let mut at = start;
        let mut depth = 0_u32;
        while at < end {
            let line = read_line(&text, at, end, self.dialect);
            match self.nesting(&line.text, opened) {
                Nesting::Opens => depth += 1,
                Nesting::Closes if depth == 0 => {
                    self.frames.last_mut()?.at = line.next;
                    return Some(Span { source, range: shifted(0, start, at) });
                }
                Nesting::Closes => depth -= 1,
                Nesting::Neither => {}
            }
            let bytes = line.next - at;
            at = line.next;
            if !self.charge(bytes) {
                return None;
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.at = end;
        }
        let closing = if opened == Action::Macro { ".endm" } else { ".endr" };
        let message = format!("`{}` has no matching `{closing}`", here.name());
        self.error(codes::UNMATCHED_DIRECTIVE, here, here.whole(), message);
        None
    }

    fn nesting(&self, line: &str, opened: Action) -> Nesting {
        if !line.trim_ascii_start().starts_with('.') {
            return Nesting::Neither;
        }
        let Head::Word { name: (from, to), .. } = head(line, 0, self.dialect) else {
            return Nesting::Neither;
        };
        let action = directives::action(&line[from..to], self.dialect);
        match (opened, action) {
            (Action::Macro, Some(Action::Macro)) => Nesting::Opens,
            (Action::Macro, Some(Action::EndMacro)) => Nesting::Closes,
            (Action::Macro, _) => Nesting::Neither,
            (_, Some(action)) if action.repeats() => Nesting::Opens,
            (_, Some(Action::EndRepeat)) => Nesting::Closes,
            _ => Nesting::Neither,
        }
    }

    /// `.rept`, `.irp`, `.irpc`, `.for`, `.while`.
    pub(super) fn repetition(&mut self, action: Action, here: &Here<'_>) {
        // What the line says is read before the body, as its symbols stand now.
        let next = match action {
            Action::Repeat => self.times(here),
            Action::ForEach => self.each(here),
            Action::ForEachLetter => self.each_letter(here),
            Action::While => {
                let text = (here.source, TextRange::default());
                Some(Next::While { condition: here.rest().into(), step: None, text })
            }
            _ => self.for_(here),
        };
        let Some(body) = self.body(here, action) else { return };
        let Some(mut next) = next else { return self.leave_unread() };
        match &mut next {
            Next::Values { body: place, .. } => *place = body,
            Next::Times { text, .. } | Next::While { text, .. } => {
                let nothing = ParameterNames::default();
                match self.substituted(body, &nothing, &[], None, here.whole()) {
                    Some(made) => *text = made,
                    None => return,
                }
            }
        }
        if self.is_too_deep() {
            return;
        }
        self.repeat(Loop { call: here.whole(), parent: here.node, runs: 0, next });
    }

    fn times(&mut self, here: &Here<'_>) -> Option<Next> {
        let (count, end) = self.absolute(here, here.rest.0)?;
        if self.saw_float {
            let message = format!(
                "`{}` is not a whole number: nothing can be repeated so often",
                here.rest()
            );
            self.error(codes::EXPRESSION, here, here.rest_span(), message);
            return None;
        }
        self.expect_end(here, end);
        match u64::try_from(count) {
            Ok(runs) if runs > self.lines_left() => {
                // Every run costs a line at least: there is no need to try.
                let limit = self.options.limits.lines;
                let within = self
                    .macro_around(here.node)
                    .map(|name| format!(", within macro `{name}`"))
                    .unwrap_or_default();
                let message = format!(
                    "expansion stops here: {runs} runs exceed the limit of {limit} lines for \
                     macros and repetitions{within}"
                );
                self.stop_at(here.whole(), here.node, message);
                None
            }
            Ok(left) => Some(Next::Times { left, text: (here.source, TextRange::default()) }),
            Err(_) => {
                let message = format!("nothing can be repeated {count} times");
                self.error(codes::EXPRESSION, here, here.rest_span(), message);
                None
            }
        }
    }

    /// The parameter of `.irp` and where its values begin.
    fn parameter(&mut self, here: &Here<'_>) -> Option<(Arc<ParameterNames>, usize)> {
        let rest = here.rest();
        let end = super::lines::end_of_word(rest.as_bytes(), 0);
        if end == 0 {
            let message = "the name of a parameter was expected";
            self.error(codes::DIRECTIVE, here, here.whole(), message);
            return None;
        }
        let behind = rest[end..].trim_ascii_start();
        let from = match behind.strip_prefix(',') {
            Some(values) => rest.len() - values.trim_ascii_start().len(),
            None if self.dialect == super::Dialect::Clrx => rest.len() - behind.len(),
            None => {
                let span = here.span(here.rest.0 + end, here.rest.1);
                self.error(codes::DIRECTIVE, here, span, "a comma was expected");
                return None;
            }
        };
        let names = ParameterNames::from_iter([(Box::from(&rest[..end]), 0)]);
        Some((Arc::new(names), from))
    }

    fn each(&mut self, here: &Here<'_>) -> Option<Next> {
        let (names, from) = self.parameter(here)?;
        let mut words = here.words(self.dialect, self.alternate);
        words.text = &words.text[from..];
        words.base += from;
        match macros::values(words, &mut |text, at| self.number(text, at)) {
            Ok(values) => {
                Some(Next::Values { left: values.into_iter(), names, body: here.whole() })
            }
            Err(wrong) => {
                let span = words.span(wrong.from, wrong.to);
                self.error(codes::DIRECTIVE, here, span, wrong.message);
                None
            }
        }
    }

    fn each_letter(&mut self, here: &Here<'_>) -> Option<Next> {
        let (names, from) = self.parameter(here)?;
        let rest = here.rest();
        let letters = rest[from..].trim_matches('"');
        let base = here.rest.0 + rest.len() - rest[from..].trim_start_matches('"').len();
        let values: Vec<Argument> = letters
            .char_indices()
            .map(|(at, letter)| Argument {
                text: letter.to_string().into(),
                span: here.span(base + at, base + at + letter.len_utf8()),
            })
            .collect();
        Some(Next::Values { left: values.into_iter(), names, body: here.whole() })
    }

    /// `.for symbol=first, condition, step`.
    fn for_(&mut self, here: &Here<'_>) -> Option<Next> {
        let rest = here.rest();
        let mut parts = rest.splitn(3, ',');
        let (first, condition, step) = (parts.next(), parts.next(), parts.next());
        let start = first.and_then(|first| first.split_once('='));
        let (Some((symbol, first)), Some(condition), Some(step)) = (start, condition, step) else {
            let message = "`symbol=first, condition, next` was expected";
            self.error(codes::DIRECTIVE, here, here.whole(), message);
            return None;
        };
        let symbol = symbol.trim();
        if symbol.is_empty() || !symbol.bytes().all(|byte| is_word(byte) || byte == b':') {
            self.error(codes::DIRECTIVE, here, here.rest_span(), "a symbol was expected");
            return None;
        }
        let value = self.value_of_text(first, here.rest_span(), here.node)?;
        self.set_number(symbol, value, here.rest_span(), here.node);
        let text = (here.source, TextRange::default());
        let step = Some((symbol.into(), step.into()));
        Some(Next::While { condition: condition.into(), step, text })
    }

    /// Goes on with a repetition: another run, or what comes after it.
    pub(super) fn repeat(&mut self, mut running: Loop) {
        let spent = match &running.next {
            Next::Times { .. } | Next::Values { .. } => 1,
            Next::While { condition, step, .. } => {
                condition.len() + step.as_ref().map_or(0, |(_, step)| step.len())
            }
        };
        if !self.spend(spent) {
            return;
        }
        let (call, parent) = (running.call, running.parent);
        let text = match &mut running.next {
            Next::Times { left: 0, .. } => None,
            Next::Times { left, text } => {
                *left -= 1;
                Some(*text)
            }
            Next::Values { left, names, body } => match left.next() {
                None => None,
                Some(value) => {
                    let counter = Some(self.counter);
                    let made = self.substituted(*body, names, &[Some(value)], counter, call);
                    if made.is_none() {
                        return;
                    }
                    made
                }
            },
            Next::While { condition, step, text } => {
                if let Some((symbol, step)) = step.as_ref().filter(|_| running.runs > 0) {
                    match self.value_of_text(step, call, parent) {
                        Some(value) => self.set_number(symbol, value, call, parent),
                        None => return,
                    }
                }
                let goes_on = self.value_of_text(condition, call, parent);
                goes_on.is_some_and(|value| value != 0).then_some(*text)
            }
        };
        let Some((source, range)) = text else {
            self.switched = true;
            return;
        };
        let node = self.add_node(parent, call, NodeKind::Iteration(running.runs));
        running.runs = running.runs.saturating_add(1);
        self.enter(source, range, node, FrameKind::Repetition(running));
    }

    /// The number an expression stands for; told, and `None`, where it is none.
    fn value_of_text(&mut self, text: &str, span: Span, node: NodeId) -> Option<i64> {
        match self.number(text, 0) {
            Some((value, end)) if text[end..].trim().is_empty() => Some(value),
            _ => {
                let message = format!("the value of `{}` is not known here", text.trim());
                self.tell(codes::EXPRESSION, Severity::Warning, span, node, message);
                self.out.incomplete = true;
                self.leave_unread();
                None
            }
        }
    }
}

enum Nesting {
    Opens,
    Closes,
    Neither,
}

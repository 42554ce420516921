//! Diagnostics of lines that cannot be assembled, and their certainty.
//!
//! The text is not all that an assembler reads: a command line may define
//! symbols, and an included file may be missing here. A diagnostic that such a thing
//! could undo is a hint; only what holds whatever they say is an error.

use rustc_hash::FxHashSet;
use source::{Diagnostic, Fix, MAX_DIAGNOSTICS, Severity, SeverityCounts, TextRange, TextSize};

use super::Certainty;
use super::typo::{self, TypoFinder};
use crate::Generation;
use crate::assembler::result::Statement;
use crate::assembler::sources::{NodeId, SourceId, Span};
use crate::assembler::{Asked, Expansion};
use crate::codes;
use crate::dialect::Unsupported;
use crate::dialect::words::shifted;
use crate::instruction::suggest::write_instead;
use crate::instruction::{FixupKind, LineError};
use crate::limits::{NAMES_COMPARED, NEAR_NAMES};

/// Lines that are looked for in every generation: it costs as much as assembling them for every
/// chip. Those behind them are looked for where lines before them were found, and elsewhere only
/// if they are not there.
const COMPARED_WITH_ALL: usize = 256;

/// A suggestion that makes a line right.
#[derive(Debug)]
pub(super) enum Suggestion {
    /// Different operands or modifiers for what is meant.
    Rewrite(Fix),
    /// The word of which the written one seems a typo.
    Typo(Fix),
}

fn ask(diagnostic: &mut Diagnostic, fix: &Fix) {
    if let Some(edit) = fix.edits.first() {
        diagnostic.message.push_str(&format!("; did you mean `{}`?", edit.insert));
    }
}

/// Collects diagnostics: each of a place once, and no more than can be read.
#[derive(Debug)]
pub(super) struct DiagnosticSink {
    /// Each with the place in a file that it is about.
    diagnostics: Vec<(Diagnostic, Span)>,
    certainty: Certainty,
    reported: FxHashSet<(source::Code, Span)>,
    /// The first diagnostic of each list of generations that have such a line where the
    /// target is a guess: its place among the diagnostics, and how many are like it.
    elsewhere: Vec<(Vec<Generation>, usize, usize)>,
    /// Lines that were looked for in other generations.
    compared: usize,
    /// Names that nothing has.
    unknown_mnemonics: usize,
    /// Symbols that nothing defines.
    symbol_typos: TypoFinder,
    /// Diagnostics so far, and those that were left out: of each severity so many are kept
    /// as may be shown, so that none pushes out a worse one.
    kept: SeverityCounts,
    left_out: SeverityCounts,
}

impl DiagnosticSink {
    pub(super) fn new(expansion: &Expansion, certainty: Certainty) -> DiagnosticSink {
        let places = expansion.problems.iter().map(|it| expansion.in_file(it.span));
        let mut diagnostics: Vec<_> = expansion.diagnostics().into_iter().zip(places).collect();
        if certainty == Certainty::Guessed {
            // Texts refuse chips that they were not written for.
            for (diagnostic, _) in
                diagnostics.iter_mut().filter(|it| it.0.code == codes::USER_ERROR)
            {
                diagnostic.severity = Severity::Hint;
            }
        }
        typo::of_directives(expansion, &mut diagnostics);
        let kept = diagnostics.iter().map(|(it, _)| it.severity).collect();
        DiagnosticSink {
            diagnostics,
            certainty,
            reported: FxHashSet::default(),
            elsewhere: Vec::new(),
            compared: 0,
            unknown_mnemonics: 0,
            symbol_typos: TypoFinder::default(),
            kept,
            left_out: SeverityCounts::default(),
        }
    }

    /// Reports that the chip of the text is not supported, where no directive that was read
    /// has been told so: the metadata name it, or the file's name does.
    pub(super) fn report_unsupported(&mut self, unsupported: &Unsupported, range: TextRange) {
        let code = codes::UNKNOWN_TARGET;
        if self.diagnostics.iter().all(|(it, _)| it.code != code) {
            let diagnostic = Diagnostic::warning(code, range, unsupported.sentence());
            self.diagnostics.push((diagnostic, Span { source: SourceId::ROOT, range }));
        }
    }

    /// Reports that a statement is not an instruction. `suggest` is asked for a fix of the
    /// statement's text where the diagnostic is new, `has` for whether a generation
    /// has the line where this one is a guess.
    pub(super) fn report_line(
        &mut self,
        expansion: &Expansion,
        statement: &Statement,
        error: &LineError,
        asked: Asked,
        suggest: impl FnOnce() -> Option<Suggestion>,
        has: impl Fn(Generation) -> bool,
    ) {
        let severity = match (is_certain(expansion, statement, error, asked), error.cut) {
            (false, _) => Severity::Hint,
            // The assemblers take it: wrong is only what comes of it.
            (true, Some(_)) => Severity::Warning,
            (true, None) => Severity::Error,
        };
        let guessed = self.certainty != Certainty::Explicit;
        let range = shifted(0, error.range.start, error.range.end);
        let code = error.code;
        let diagnostic = self.report(expansion, statement, range, code, severity, &error.message);
        if diagnostic.is_none() {
            return;
        }
        if guessed && self.is_for_other_generations(has) {
            return;
        }
        let is_name = error.code == codes::UNKNOWN_MNEMONIC;
        let is_written = statement.span.source == SourceId::ROOT;
        if is_name {
            self.unknown_mnemonics += 1;
        }
        let is_asked = if is_name { self.unknown_mnemonics <= NEAR_NAMES } else { is_written };
        let near_macro = || {
            let word = expansion.text(statement).get(error.range.clone())?;
            let names = expansion.macros.iter().map(|it| &*it.name);
            let name = source::closest_match(word, names.take(NAMES_COMPARED))?;
            Some(write_instead(range, name))
        };
        let suggest =
            || suggest().or_else(|| near_macro().filter(|_| is_name).map(Suggestion::Typo));
        let Some(suggestion) = is_asked.then(suggest).flatten() else { return };
        let Some((diagnostic, _)) = self.diagnostics.last_mut() else { return };
        let mut fix = match suggestion {
            Suggestion::Rewrite(fix) if !is_name => fix,
            Suggestion::Rewrite(fix) | Suggestion::Typo(fix) => {
                ask(diagnostic, &fix);
                fix
            }
        };
        // What a macro made stands nowhere; a file's own text can be edited.
        if is_written {
            for edit in &mut fix.edits {
                edit.range += statement.span.range.start();
            }
            diagnostic.fixes.push(fix);
        }
    }

    /// Reports that a name in a statement is not defined, and what it seems a typo of.
    pub(super) fn report_undefined(
        &mut self,
        expansion: &Expansion,
        statement: &Statement,
        range: TextRange,
        severity: Severity,
        kind: FixupKind,
    ) {
        let name = &expansion.text(statement)[range];
        let message = format!("`{name}` is not defined in this text");
        let code = codes::UNDEFINED_SYMBOL;
        if self.report(expansion, statement, range, code, severity, &message).is_none() {
            return;
        }
        let Some(mut fix) = self.symbol_typos.of_symbol(name, kind, expansion) else { return };
        let Some((diagnostic, _)) = self.diagnostics.last_mut() else { return };
        ask(diagnostic, &fix);
        if statement.span.source == SourceId::ROOT {
            for edit in &mut fix.edits {
                edit.range += statement.span.range.start() + range.start();
            }
            diagnostic.fixes.push(fix);
        }
    }

    /// Reports unknown fields of kernel descriptors that seem typos of known ones.
    pub(super) fn report_unknown_fields(&mut self, expansion: &Expansion) {
        let mut searches = 0;
        for descriptor in &expansion.kernels {
            for field in descriptor.fields.iter().filter(|it| typo::is_unknown_field(&it.name)) {
                searches += 1;
                if searches > NEAR_NAMES {
                    return;
                }
                let near = source::closest_match(&field.name, typo::fields());
                let Some(near) = near else { continue };
                let place = expansion.in_file(field.span);
                if !self.admits(Severity::Hint) {
                    return;
                }
                let message =
                    format!("no field is called `{}`; did you mean `{near}`?", field.name);
                let code = codes::UNKNOWN_DIRECTIVE;
                let hint = Severity::Hint;
                let mut diagnostic =
                    expansion.diagnostic(code, hint, field.span, descriptor.node, message);
                if place.source == SourceId::ROOT && place == field.span {
                    let name = TextRange::at(place.range.start(), TextSize::of(&*field.name));
                    diagnostic.fixes.push(write_instead(name, near));
                }
                self.diagnostics.push((diagnostic, place));
            }
        }
    }

    /// Tells whether the last diagnostic is of a line that other generations have. Then it is a
    /// hint, and one of its kind stands for all.
    fn is_for_other_generations(&mut self, has: impl Fn(Generation) -> bool) -> bool {
        self.compared += 1;
        let known = || {
            let mut lists = self.elsewhere.iter().map(|(others, ..)| others);
            lists.find(|others| others.first().is_some_and(|first| has(*first))).cloned()
        };
        let known = (self.compared > COMPARED_WITH_ALL).then(known).flatten();
        let all = || Generation::ALL.into_iter().filter(|it| has(*it)).collect();
        let others: Vec<Generation> = known.unwrap_or_else(all);
        if others.is_empty() {
            return false;
        }
        match self.elsewhere.iter_mut().find(|(known, ..)| *known == others) {
            Some((_, _, count)) => {
                *count += 1;
                if let Some((diagnostic, _)) = self.diagnostics.pop() {
                    self.kept.remove(diagnostic.severity);
                }
            }
            None => {
                let Some(last) = self.diagnostics.len().checked_sub(1) else { return false };
                if self.certainty == Certainty::Guessed {
                    self.diagnostics[last].0.severity = Severity::Hint;
                }
                self.elsewhere.push((others, last, 0));
            }
        }
        true
    }

    /// Reports something about a range of a statement's text; gives the diagnostic if it
    /// is new.
    pub(super) fn report(
        &mut self,
        expansion: &Expansion,
        statement: &Statement,
        range: TextRange,
        code: source::Code,
        severity: Severity,
        message: &str,
    ) -> Option<&mut Diagnostic> {
        let Span { source, range: whole } = statement.span;
        let range = TextRange::new(
            (whole.start() + range.start()).min(whole.end()),
            (whole.start() + range.end()).min(whole.end()),
        );
        let (span, node) = (Span { source, range }, statement.node);
        // A line of a macro is wrong once, however often it is called.
        if !self.reported.insert((code, expansion.in_file(span))) {
            return None;
        }
        if !self.admits(severity) {
            return None;
        }
        let place = expansion.in_file(span);
        self.diagnostics.push((expansion.diagnostic(code, severity, span, node, message), place));
        self.diagnostics.last_mut().map(|(diagnostic, _)| diagnostic)
    }

    /// Reports something about a place of an expansion that is no statement.
    pub(super) fn report_at(
        &mut self,
        expansion: &Expansion,
        (span, node): (Span, NodeId),
        code: source::Code,
        severity: Severity,
        message: &str,
    ) {
        let place = expansion.in_file(span);
        if self.reported.insert((code, place)) && self.admits(severity) {
            let diagnostic = expansion.diagnostic(code, severity, span, node, message);
            self.diagnostics.push((diagnostic, place));
        }
    }

    /// Counts a diagnostic of a severity, and tells whether there is still room for it.
    fn admits(&mut self, severity: Severity) -> bool {
        let fits = self.kept.add(severity) <= MAX_DIAGNOSTICS;
        if !fits {
            self.kept.remove(severity);
            self.left_out.add(severity);
        }
        fits
    }

    /// The diagnostics in the order of the text, and of each the place in a file that
    /// it is about.
    pub(super) fn finish(mut self) -> (Vec<Diagnostic>, Vec<Span>) {
        for (others, place, count) in std::mem::take(&mut self.elsewhere) {
            let Some((diagnostic, _)) = self.diagnostics.get_mut(place) else { continue };
            let names: Vec<&str> = others.iter().map(|it| it.name()).collect();
            let names = names.join(", ");
            let like_it = match count {
                0 => String::new(),
                1 => ", as is one more line".to_owned(),
                more => format!(", as are {more} more lines"),
            };
            diagnostic.message.push_str(&format!(
                " (it is right on {names}{like_it}; the target is a guess, since nothing here \
                 names one)"
            ));
        }
        self.diagnostics.sort_by_key(|(diagnostic, _)| diagnostic.range.start());
        if self.left_out.worst().is_some() {
            let message = format!("too many diagnostics to show; left out: {}", self.left_out);
            let code = codes::MORE_DIAGNOSTICS;
            let place = Span { source: SourceId::ROOT, range: TextRange::default() };
            self.diagnostics.push((Diagnostic::hint(code, place.range, message), place));
        }
        self.diagnostics.into_iter().unzip()
    }
}

/// Tells whether nothing that is not known here could make the line right.
fn is_certain(
    expansion: &Expansion,
    statement: &Statement,
    error: &LineError,
    asked: Asked,
) -> bool {
    let depends_on_symbols = match asked {
        Asked::Nothing => false,
        Asked::Defined => expansion.incomplete,
        Asked::Undefined => true,
    };
    // What is not a mnemonic may be a macro of a file that is not here.
    let may_be_macro = error.code == codes::UNKNOWN_MNEMONIC
        && (expansion.incomplete || !expansion.wanted.is_empty());
    !(statement.is_guessed() || expansion.stopped || depends_on_symbols || may_be_macro)
}

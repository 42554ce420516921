//! Collects diagnostics: at most one error per statement, and one hint for all
//! places of a shader that share a leniency.

use source::{Code, Diagnostic, Fix, MAX_DIAGNOSTICS, Severity, Tag, TextEdit, TextRange};

use crate::codes;

/// The most places that a "fix all" fix edits; more would be a fix as large
/// as the text.
const MAX_EDITS: usize = 10_000;

/// The diagnostics of one parse.
#[derive(Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    dropped: usize,
    leniencies: Vec<Leniency>,
    /// Set where the current statement has its error; it gets no second one.
    pub(crate) broken: bool,
}

/// The error is reported; the statement cannot be read further.
pub(crate) struct Failed;

/// Leniencies that are told together: those of one code and key.
#[derive(Debug)]
pub(crate) struct LeniencyKind {
    code: Code,
    severity: Severity,
    /// Tells apart the leniencies of one code, such as two historic opcodes.
    key: &'static str,
}

impl From<(Code, Severity, &'static str)> for LeniencyKind {
    fn from((code, severity, key): (Code, Severity, &'static str)) -> LeniencyKind {
        LeniencyKind { code, severity, key }
    }
}

/// A hint, where the code has no more than one kind.
impl From<Code> for LeniencyKind {
    fn from(code: Code) -> LeniencyKind {
        LeniencyKind { code, severity: Severity::Hint, key: "" }
    }
}

/// A form that is read although the reference parser of today refuses it.
#[derive(Debug)]
struct Leniency {
    kind: LeniencyKind,
    range: TextRange,
    message: String,
    title: String,
    edits: Vec<TextEdit>,
    places: usize,
}

impl Report {
    /// Reports an error, unless the statement has one. The message is made
    /// only if it is kept. The failure is for readers that do not go on.
    #[cold]
    pub(crate) fn error<M: Into<String>>(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl FnOnce() -> M,
    ) -> Failed {
        self.fail(|| Diagnostic::error(code, range, message()))
    }

    /// Reports the first error of a statement, which is broken by it.
    fn fail(&mut self, diagnostic: impl FnOnce() -> Diagnostic) -> Failed {
        if !std::mem::replace(&mut self.broken, true) {
            self.push(diagnostic);
        }
        Failed
    }

    /// Reports an error with a fix, unless the statement has one.
    #[cold]
    pub(crate) fn error_with_fix(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl FnOnce() -> String,
        fix: impl FnOnce() -> (String, TextEdit),
    ) -> Failed {
        self.fail(|| {
            let (title, edit) = fix();
            Diagnostic::error(code, range, message()).with_fix(title, edit.range, edit.insert)
        })
    }

    /// Reports an error with the fix that is known for it, unless the statement has one.
    #[cold]
    pub(crate) fn error_with(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl FnOnce() -> String,
        fix: Option<Fix>,
    ) -> Failed {
        self.fail(|| {
            let mut diagnostic = Diagnostic::error(code, range, message());
            diagnostic.fixes.extend(fix);
            diagnostic
        })
    }

    /// Reports a word that is not known, unless the statement has its error. The word
    /// that was probably meant, if any, ends the message and is the fix.
    #[cold]
    pub(crate) fn unknown_word<C: AsRef<str>>(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl FnOnce() -> String,
        closest: impl FnOnce() -> Option<C>,
    ) -> Failed {
        self.fail(|| {
            let mut diagnostic = Diagnostic::error(code, range, message());
            let closest = closest();
            let Some(closest) = closest.as_ref().map(C::as_ref) else { return diagnostic };
            diagnostic.message.push_str(&format!("; did you mean `{closest}`?"));
            diagnostic.with_fix(format!("Replace by `{closest}`"), range, closest)
        })
    }

    /// Reports anything, made only if it is kept: further diagnostics are only counted.
    pub(crate) fn push(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS - 1 {
            self.diagnostics.push(diagnostic());
        } else {
            self.dropped += 1;
        }
    }

    /// The only fix of the error that was reported last, with the error's code.
    pub(crate) fn last_fix(&self) -> Option<(Code, &Fix)> {
        let last = self.diagnostics.last().filter(|it| it.severity == Severity::Error)?;
        if let [fix] = &last.fixes[..] { Some((last.code, fix)) } else { None }
    }

    /// Gives the error that was reported last a better fix than it has, if it is within a range.
    pub(crate) fn replace_last_fix(&mut self, range: TextRange, fix: Fix) {
        let is_here =
            |it: &&mut Diagnostic| it.severity == Severity::Error && range.contains_range(it.range);
        if let Some(error) = self.diagnostics.last_mut().filter(is_here) {
            error.fixes = vec![fix];
        }
    }

    /// Gives the errors within a range a better fix than they have.
    pub(crate) fn replace_fixes(&mut self, range: TextRange, fix: Fix) {
        let here =
            |it: &&mut Diagnostic| it.severity == Severity::Error && range.contains_range(it.range);
        if let Some(error) = self.diagnostics.iter_mut().find(here) {
            error.fixes = vec![fix];
        }
    }

    /// Reports what is accepted, but surely not meant.
    pub(crate) fn warning<M: Into<String>>(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl FnOnce() -> M,
    ) {
        self.push(|| Diagnostic::warning(code, range, message()));
    }

    /// Reports style, history or a doubt.
    pub(crate) fn hint<M: Into<String>>(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl FnOnce() -> M,
    ) {
        self.push(|| Diagnostic::hint(code, range, message()));
    }

    /// Notes a place of a leniency that has no fix.
    pub(crate) fn note<M: Into<String>>(
        &mut self,
        kind: impl Into<LeniencyKind>,
        range: TextRange,
        message: impl FnOnce() -> M,
    ) {
        self.lenient(kind, range, || (message(), ""), None);
    }

    /// Notes a place of a leniency. The first place of its code and key makes
    /// the message and the fix's title; `edit` fixes this place.
    pub(crate) fn lenient<M: Into<String>, T: Into<String>>(
        &mut self,
        kind: impl Into<LeniencyKind>,
        range: TextRange,
        words: impl FnOnce() -> (M, T),
        edit: Option<TextEdit>,
    ) {
        let kind = kind.into();
        let same =
            |known: &&mut Leniency| (known.kind.code, known.kind.key) == (kind.code, kind.key);
        if let Some(leniency) = self.leniencies.iter_mut().find(same) {
            leniency.places += 1;
            if leniency.edits.len() <= MAX_EDITS {
                leniency.edits.extend(edit);
            }
            return;
        }
        let (message, title) = words();
        let edits = edit.into_iter().collect();
        let (message, title) = (message.into(), title.into());
        self.leniencies.push(Leniency { kind, range, message, title, edits, places: 1 });
    }

    /// All diagnostics in order of the text; where there are more than
    /// [`MAX_DIAGNOSTICS`], the last one counts the rest.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        let dropped = self.dropped;
        let last = self.diagnostics.last().map(|diagnostic| diagnostic.range);
        let worst = self.diagnostics.iter().map(|diagnostic| diagnostic.severity).min();
        let worst = worst.unwrap_or(Severity::Hint);
        let room = MAX_DIAGNOSTICS - usize::from(dropped > 0);
        // Errors go first: a hint must never hide one.
        self.diagnostics.truncate(room);
        let hints = self.leniencies.into_iter().map(Leniency::into_diagnostic);
        let room = room - self.diagnostics.len();
        self.diagnostics.extend(hints.take(room));
        self.diagnostics
            .sort_by_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
        if let (Some(last), true) = (last, dropped > 0) {
            let message = format!("{dropped} more diagnostics are not shown");
            let place =
                self.diagnostics.partition_point(|found| found.range.start() <= last.start());
            let diagnostic = Diagnostic::new(codes::TOO_MANY_ERRORS, worst, last, message);
            self.diagnostics.insert(place, diagnostic);
        }
        self.diagnostics
    }
}

impl Leniency {
    fn into_diagnostic(self) -> Diagnostic {
        let mut message = self.message;
        match self.places {
            1 => {}
            2 => message.push_str(" (and in one more place)"),
            places => message.push_str(&format!(" (and in {} more places)", places - 1)),
        }
        let mut diagnostic =
            Diagnostic::new(self.kind.code, self.kind.severity, self.range, message);
        if self.edits.len() > 1 && self.edits.len() <= MAX_EDITS {
            let title = format!("{} everywhere in this shader", self.title);
            diagnostic.fixes.push(Fix { title, edits: self.edits.clone() });
        }
        if let Some(edit) = self.edits.into_iter().next() {
            diagnostic.fixes.insert(0, Fix { title: self.title, edits: vec![edit] });
        }
        let historic = [
            codes::HISTORIC_OPCODE,
            codes::HISTORIC_FILE,
            codes::HISTORIC_FORM,
            codes::HISTORIC_WORD,
            codes::HISTORIC_HEADER,
        ];
        if historic.contains(&self.kind.code) {
            diagnostic.tags.push(Tag::Deprecated);
        }
        diagnostic
    }
}

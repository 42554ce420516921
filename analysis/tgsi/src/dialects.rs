//! Dialects: what the readers of TGSI took at different times.
//!
//! Everything that any of them reads is read here, with a hint where others refuse
//! it. Where one is chosen, what it refuses is an error, and what was right in its
//! time gets no hint. Words follow the dates of their rows; forms have a table.

mod words;

use text::{Code, Diagnostic, Severity};

use crate::ast::Shader;
use crate::codes;

/// Who reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Reader {
    Mesa,
    Virglrenderer,
}

/// A reader of a time.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// What users call it.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// The day of its text, `YYYY-MM-DD`; a month in other tables is its first day.
    date: &'static str,
    reader: Reader,
}

/// A form of the text, and who read it when.
struct Form {
    code: &'static str,
    /// `never`, or the month in which Mesa began.
    since: &'static str,
    /// The month in which Mesa ended; empty where it did not.
    until: &'static str,
    virglrenderer: bool,
}

include!(concat!(env!("OUT_DIR"), "/dialects.rs"));

/// Findings about words whose time is over.
const HISTORIC: [Code; 4] =
    [codes::HISTORIC_OPCODE, codes::HISTORIC_WORD, codes::HISTORIC_FILE, codes::HISTORIC_OPERANDS];

impl Dialect {
    /// All dialects: those of Mesa from the oldest to the newest, then others.
    pub fn all() -> &'static [Dialect] {
        &ALL
    }

    /// Whether it is Mesa's, of some time.
    pub fn is_mesa(&self) -> bool {
        self.reader == Reader::Mesa
    }

    /// The dialect of a name.
    pub fn find(name: &str) -> Option<&'static Dialect> {
        ALL.iter().find(|dialect| dialect.name.eq_ignore_ascii_case(name))
    }

    /// Whether something that came and went at these dates is read.
    fn reads_at(&self, since: &str, until: &str) -> bool {
        since != "never" && since <= self.date && (until.is_empty() || until > self.date)
    }

    fn reads_form(&self, form: &Form) -> bool {
        match self.reader {
            Reader::Mesa => self.reads_at(form.since, form.until),
            Reader::Virglrenderer => form.virglrenderer,
        }
    }

    /// Turns the findings of a shader, whose parser takes what anyone reads, into those
    /// for this reader. Both are of `text`, and in its positions.
    pub fn judge(&self, shader: &Shader, text: &str, findings: &mut Vec<Diagnostic>) {
        let mut refused = words::refused(self, shader, text);
        findings.retain_mut(|finding| {
            if finding.severity == Severity::Error {
                return true;
            }
            if HISTORIC.contains(&finding.code) {
                let place = |it: &words::Refused| finding.range.contains_range(it.range);
                let Some(told) = refused.iter().position(place) else { return false };
                refused.swap_remove(told);
                finding.severity = Severity::Error;
                return true;
            }
            self.judge_form(finding)
        });
        refused.sort_by_key(|refused| refused.range.start());
        findings.extend(refused.into_iter().map(|refused| {
            let message = format!("{} {}", refused.why, self.name);
            Diagnostic::error(codes::DIALECT, refused.range, message)
        }));
        findings.sort_by_key(|finding| (finding.range.start(), finding.range.end()));
    }
}

impl Dialect {
    /// Judges a finding that is about a form of the text: an error where it is not read.
    /// Returns whether it is to be told at all; what only is no longer read was right in
    /// its time.
    pub fn judge_form(&self, finding: &mut Diagnostic) -> bool {
        let form = FORMS.iter().find(|form| form.code == finding.code.0);
        let Some(form) = form.filter(|_| finding.severity != Severity::Error) else { return true };
        let reads = self.reads_form(form);
        if !reads {
            finding.severity = Severity::Error;
        }
        !reads || form.until.is_empty()
    }
}

/// The dialects that read a shader of a text, of which these are the findings.
pub fn readers(shader: &Shader, text: &str, findings: &[Diagnostic]) -> Vec<&'static Dialect> {
    let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
    if findings.iter().any(is_error) {
        return Vec::new();
    }
    let refused = |dialect: &Dialect| {
        let form = |finding: &Diagnostic| FORMS.iter().find(|form| form.code == finding.code.0);
        let forms = findings.iter().filter_map(form);
        forms.into_iter().any(|form| !dialect.reads_form(form))
            || !words::refused(dialect, shader, text).is_empty()
    };
    ALL.iter().filter(|dialect| !refused(dialect)).collect()
}

#[cfg(test)]
mod tests;

//! Dialects: what the readers of TGSI took at different times.
//!
//! Everything that any of them reads is read here, with a hint where others refuse
//! it. Where one is chosen, what it refuses is an error, and what was right in its
//! time gets no hint. Words follow the dates of their rows; forms have a table.

mod today;
mod words;

use source::{Code, Diagnostic, Severity};

use crate::ast::Shader;
use crate::codes;

pub use today::check_today;

/// A reader of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Reader {
    Mesa,
    Virglrenderer,
}

/// A reader of a time.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// Its name for users.
    pub name: &'static str,
    /// Its kind.
    pub description: &'static str,
    /// The day of its text, `YYYY-MM-DD`; a month in other tables is its first day.
    date: &'static str,
    reader: Reader,
}

/// A form of the text, and who read it when.
struct SyntaxFeature {
    code: &'static str,
    /// `never`, or the month in which Mesa began.
    since: &'static str,
    /// The month in which Mesa ended; empty where it did not.
    until: &'static str,
    virglrenderer: bool,
}

include!(concat!(env!("OUT_DIR"), "/dialects.rs"));

/// Diagnostics about words whose time is over.
const HISTORIC: [Code; 4] =
    [codes::HISTORIC_OPCODE, codes::HISTORIC_WORD, codes::HISTORIC_FILE, codes::HISTORIC_OPERANDS];

impl Dialect {
    /// All dialects: those of Mesa from the oldest to the newest, then others.
    pub fn all() -> &'static [Dialect] {
        &ALL
    }

    /// Tells whether it is Mesa's, of some time.
    pub fn is_mesa(&self) -> bool {
        self.reader == Reader::Mesa
    }

    /// The dialect of a name.
    pub fn find(name: &str) -> Option<&'static Dialect> {
        ALL.iter().find(|dialect| dialect.name.eq_ignore_ascii_case(name))
    }

    /// Tells whether something that came and went at these dates is read.
    fn reads_at(&self, since: &str, until: &str) -> bool {
        since != "never" && since <= self.date && (until.is_empty() || until > self.date)
    }

    fn reads_form(&self, form: &SyntaxFeature) -> bool {
        match self.reader {
            Reader::Mesa => self.reads_at(form.since, form.until),
            Reader::Virglrenderer => form.virglrenderer,
        }
    }

    /// Turns the diagnostics of a shader, whose parser takes what anyone reads, into those
    /// for this reader. Both are of `text`, and in its positions.
    pub fn check(&self, shader: &Shader, text: &str, diagnostics: &mut Vec<Diagnostic>) {
        let mut refused = words::refused(self, shader, text);
        diagnostics.retain_mut(|diagnostic| {
            if diagnostic.severity == Severity::Error {
                return true;
            }
            if HISTORIC.contains(&diagnostic.code) {
                let place = |it: &words::Refused| diagnostic.range.contains_range(it.range);
                let Some(reported) = refused.iter().position(place) else { return false };
                refused.swap_remove(reported);
                diagnostic.severity = Severity::Error;
                return true;
            }
            self.check_form(diagnostic)
        });
        refused.sort_by_key(|refused| refused.range.start());
        diagnostics.extend(refused.into_iter().map(|refused| {
            let message = format!("{} {}", refused.why, self.name);
            Diagnostic::error(codes::DIALECT, refused.range, message)
        }));
        diagnostics.sort_by_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
    }
}

impl Dialect {
    /// Judges a diagnostic that is about a form of the text: an error where it is not read.
    /// Returns whether it is to be told at all; what only is no longer read was right in
    /// its time.
    pub fn check_form(&self, diagnostic: &mut Diagnostic) -> bool {
        let form = FORMS.iter().find(|form| form.code == diagnostic.code.0);
        let Some(form) = form.filter(|_| diagnostic.severity != Severity::Error) else {
            return true;
        };
        let reads = self.reads_form(form);
        if !reads {
            diagnostic.severity = Severity::Error;
        }
        !reads || form.until.is_empty()
    }
}

/// The dialects that read a shader of a text, of which these are the diagnostics.
pub fn readers(shader: &Shader, text: &str, diagnostics: &[Diagnostic]) -> Vec<&'static Dialect> {
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    if diagnostics.iter().any(is_error) {
        return Vec::new();
    }
    let refused = |dialect: &Dialect| {
        let form =
            |diagnostic: &Diagnostic| FORMS.iter().find(|form| form.code == diagnostic.code.0);
        let forms = diagnostics.iter().filter_map(form);
        forms.into_iter().any(|form| !dialect.reads_form(form))
            || !words::refused(dialect, shader, text).is_empty()
    };
    ALL.iter().filter(|dialect| !refused(dialect)).collect()
}

#[cfg(test)]
mod tests;

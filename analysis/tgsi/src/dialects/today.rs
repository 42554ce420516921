//! The verdict where no reader is chosen: what none in use today takes is an error, unless
//! an older one takes the whole text, which is then named.

use source::{Code, Diagnostic, Severity};

use super::{Dialect, FORMS, HISTORIC, Reader, words};
use crate::ast::Shader;
use crate::codes;

/// The readers that are in use.
const IN_USE: [&str; 3] = ["mesa-21", "mesa-24", "virglrenderer"];

/// Forms that are plain enough to be taken by us whoever refuses them, and that say nothing of
/// the age of a text.
const LENIENT: [Code; 7] = [
    codes::COMMENT,
    codes::WHITE_SPACE,
    codes::SHORT_SWIZZLE,
    codes::TARGET_SPELLING,
    codes::IMMEDIATE_WITHOUT_INDEX,
    codes::HISTORIC_HEADER,
    codes::CYLINDRICAL_WRAP,
];

/// Days between those of the readers that have a name, on which older texts were written.
const OTHER_TIMES: [&str; 12] = [
    "2007-12-31",
    "2008-06-30",
    "2008-12-31",
    "2009-06-30",
    "2009-08-15",
    "2009-12-31",
    "2010-03-31",
    "2011-04-30",
    "2012-03-31",
    "2013-06-30",
    "2015-03-31",
    "2017-03-31",
];

/// Turns the diagnostics of a shader, whose parser takes what anyone reads, into those for the
/// readers in use. Both are of `text`, and in its positions.
pub fn check_today(shader: &Shader, text: &str, diagnostics: &mut Vec<Diagnostic>) {
    let is_open = |diagnostic: &Diagnostic| {
        diagnostic.severity != Severity::Error && is_of_dialect(diagnostic.code)
    };
    if !diagnostics.iter().any(is_open) {
        return;
    }
    let in_use: Vec<Refusals<'_>> = IN_USE
        .iter()
        .filter_map(|name| Some(Refusals::of(Dialect::find(name)?, shader, text)))
        .collect();
    let is_refused = |diagnostic: &Diagnostic| in_use.iter().all(|reader| reader.holds(diagnostic));
    let refused: Vec<usize> = diagnostics
        .iter()
        .enumerate()
        .filter(|(_, diagnostic)| is_open(diagnostic) && is_refused(diagnostic))
        .map(|(place, _)| place)
        .collect();
    if refused.is_empty() {
        return;
    }
    let takes_all = |dialect: &Dialect| {
        let refusals = Refusals::of(dialect, shader, text);
        refusals.words.is_empty()
            && !diagnostics.iter().any(|it| is_of_dialect(it.code) && refusals.holds(it))
    };
    let named: Vec<&Dialect> = Dialect::all().iter().filter(|it| takes_all(it)).collect();
    let time = match (named.first(), named.last()) {
        (Some(first), Some(last)) if first == last => Some(first.name.to_owned()),
        (Some(first), Some(last)) => Some(format!("{} to {}", first.name, last.name)),
        _ => {
            let reader = |date| Dialect { name: "", description: "", date, reader: Reader::Mesa };
            let date = OTHER_TIMES.into_iter().find(|date| takes_all(&reader(date)));
            date.and_then(|date| Some(format!("about {}", date.split('-').next()?)))
        }
    };
    let Some(time) = time else {
        for place in refused {
            diagnostics[place].severity = Severity::Error;
        }
        return;
    };
    let message = format!("this is TGSI of {time}; no reader in use today takes it");
    let header = |it: &&mut Diagnostic| it.code == codes::HISTORIC_HEADER;
    match diagnostics.iter_mut().find(header) {
        // The header has said already that it is old.
        Some(known) => known.message = message,
        None => diagnostics.push(Diagnostic::hint(codes::DIALECT, shader.stage.range, message)),
    }
}

/// Tells whether a diagnostic is about what one reader takes and another does not.
fn is_of_dialect(code: Code) -> bool {
    !LENIENT.contains(&code)
        && (HISTORIC.contains(&code) || FORMS.iter().any(|form| form.code == code.0))
}

/// The words and forms that a reader refuses.
struct Refusals<'d> {
    dialect: &'d Dialect,
    words: Vec<words::Refused>,
}

impl<'d> Refusals<'d> {
    fn of(dialect: &'d Dialect, shader: &Shader, text: &str) -> Refusals<'d> {
        Refusals { dialect, words: words::refused(dialect, shader, text) }
    }

    /// Tells whether it refuses what a diagnostic is about.
    fn holds(&self, diagnostic: &Diagnostic) -> bool {
        if HISTORIC.contains(&diagnostic.code) {
            return self.words.iter().any(|it| diagnostic.range.contains_range(it.range));
        }
        let form = FORMS.iter().find(|form| form.code == diagnostic.code.0);
        form.is_some_and(|form| !self.dialect.reads_form(form))
    }
}

#[cfg(test)]
mod tests {
    use source::no_checkpoint;

    use super::*;

    /// The diagnostics of a dialect in a text, in short.
    fn judged(text: &str) -> Vec<String> {
        let parse = crate::parser::parse(text, &no_checkpoint);
        let shader = parse.shader.expect("a shader");
        let mut diagnostics = parse.diagnostics;
        check_today(&shader, text, &mut diagnostics);
        let told = diagnostics
            .into_iter()
            .filter(|it| it.code == codes::DIALECT || is_of_dialect(it.code));
        told.map(|it| format!("{:?} {}", it.severity, it.code.0)).collect()
    }

    #[test]
    fn old_words_are_errors_in_a_new_text_alone() {
        let old = "FRAG\nDCL IN[0], COLOR, LINEAR\nKIL IN[0]\nEND\n";
        assert_eq!(judged(old), ["Hint tgsi::historic-opcode", "Hint tgsi::dialect"]);
        // Buffers came when `KIL` was `KILL_IF`.
        let new = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL BUFFER[0]\nKIL IN[0]\nEND\n";
        assert_eq!(judged(new), ["Error tgsi::historic-opcode"]);
    }

    #[test]
    fn what_one_reader_in_use_takes_is_no_error() {
        let guest = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nSUB OUT[0], IN[0], IN[0]\nEND\n";
        assert_eq!(judged(guest), ["Hint tgsi::historic-opcode"]);
    }

    #[test]
    fn lenient_forms_say_nothing_of_the_age() {
        let text = "FRAG1.1\nDCL OUT[0], COLOR\nIMM FLT32 {1.0, 1.0, 1.0, 1.0}\nMOV OUT[0], IMM[0].x # one\nEND\n";
        assert_eq!(judged(text), [""; 0]);
    }
}

//! Diagnostics while a word is typed. A line that cannot be read yet has an unknown effect:
//! what is said of other lines would go and come back with each letter. Until typing pauses,
//! other lines keep what was said of them before the line broke; what is not found in the text of
//! now names that line.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use source::{Diagnostic, Related, Severity, TextRange, TextSize};

/// The diagnostics of a document that were shown last as they were found, shared with workers.
#[derive(Debug, Clone, Default)]
pub(crate) struct SteadyDiagnostics(Arc<Mutex<Option<Steady>>>);

#[derive(Debug)]
struct Steady {
    text: Arc<str>,
    diagnostics: Vec<Diagnostic>,
}

impl SteadyDiagnostics {
    /// The diagnostics to show of a text while somebody types in it: those found, but where one
    /// line alone has changed and has an error, the steady ones on all other lines.
    pub(crate) fn while_typing(
        &self,
        text: Arc<str>,
        mut found: Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let steady = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let edited = steady.as_ref().and_then(|it| EditedLine::between(&it.text, &text));
        let is_broken = |edited: &EditedLine| {
            let mut errors = found.iter().filter(|it| it.severity == Severity::Error);
            errors.any(|it| touches(&edited.after, it.range))
        };
        let (Some(steady), Some(edited)) = (steady.as_ref(), edited.filter(is_broken)) else {
            drop(steady);
            return self.at_rest(text, found);
        };
        let (own, others): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|it| touches(&edited.after, it.range));
        found = own;
        found.extend(steady.diagnostics.iter().filter_map(|it| {
            let mut moved = edited.moved(it)?;
            let is_same = |other: &Diagnostic| {
                (other.code, other.range, &other.message)
                    == (moved.code, moved.range, &moved.message)
            };
            if !others.iter().any(is_same) {
                moved.related.extend(edited.note());
            }
            Some(moved)
        }));
        found.sort_by_key(|it| (it.range.start(), it.range.end()));
        found
    }

    /// The diagnostics found, which are the steady ones from now on.
    pub(crate) fn at_rest(&self, text: Arc<str>, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut steady = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *steady = Some(Steady { text, diagnostics: found.clone() });
        found
    }

    /// Forgets them: something beside the text has changed.
    pub(crate) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The one line in which two texts differ, with its end; the last line ends behind the text.
struct EditedLine {
    /// Its range in the text of before, empty if the line is new.
    before: Range<usize>,
    /// Its range in the text of now.
    after: Range<usize>,
}

impl EditedLine {
    fn between(before: &str, after: &str) -> Option<EditedLine> {
        let is_same = |lines: &(&str, &str)| lines.0 == lines.1;
        let width = |lines: (&str, &str)| lines.0.len() + 1;
        let lines = before.split('\n').zip(after.split('\n'));
        let start: usize = lines.take_while(is_same).map(width).sum();
        let end: usize = match (before.get(start..), after.get(start..)) {
            (Some(before), Some(after)) => {
                let lines = before.rsplit('\n').zip(after.rsplit('\n'));
                lines.take_while(is_same).map(width).sum()
            }
            _ => 0,
        };
        let ends = |text: &str| text.len() + 1 - end;
        let edited = EditedLine { before: start..ends(before), after: start..ends(after) };
        let is_one = |text: &str, range: &Range<usize>| {
            text.get(range.start..range.end - 1).is_some_and(|line| !line.contains('\n'))
        };
        let was_one = edited.before.is_empty() || is_one(before, &edited.before);
        (was_one && !edited.after.is_empty() && is_one(after, &edited.after)).then_some(edited)
    }

    /// Says at the line that a diagnostic is from before its edit.
    fn note(&self) -> Option<Related> {
        let end = self.after.end.checked_sub(1)?;
        let range = source::text_range(self.after.start, end.max(self.after.start));
        Some(Related { range, message: "holds for this line as it was before its edit".to_owned() })
    }

    /// A steady diagnostic at its place in the text of now, if it lies on another line. Its fixes
    /// are left out, and related places on the line.
    fn moved(&self, diagnostic: &Diagnostic) -> Option<Diagnostic> {
        let range = self.moved_range(diagnostic.range)?;
        let mut moved = Diagnostic { range, fixes: Vec::new(), ..diagnostic.clone() };
        moved.related.retain_mut(|related| {
            let range = self.moved_range(related.range);
            related.range = range.unwrap_or(related.range);
            range.is_some()
        });
        Some(moved)
    }

    fn moved_range(&self, range: TextRange) -> Option<TextRange> {
        if touches(&self.before, range) {
            return None;
        }
        if usize::from(range.start()) < self.before.start {
            return Some(range);
        }
        let moved = |offset: TextSize| {
            TextSize::try_from(usize::from(offset) - self.before.end + self.after.end).ok()
        };
        Some(TextRange::new(moved(range.start())?, moved(range.end())?))
    }
}

/// Tells whether any of a range is in a line. An empty one at its first byte is.
fn touches(line: &Range<usize>, range: TextRange) -> bool {
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    start < line.end && (end > line.start || start == line.start)
}

#[cfg(test)]
mod tests {
    use engine::{Host, Language};
    use source::Code;

    use super::*;

    const SHADER: &str = "\
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL TEMP[0..2]
  0: MUL TEMP[0], IN[0], TEMP[5]

  1: MOV TEMP[2], IN[0]
  2: MOV OUT[0], TEMP[0]
  3: END
";
    const KERNEL: &str = "\
main:
  v_mov_b32 v1, 1.0
  v_mov_b32 v1, v0

  v_mov_b32 v2, v1
  v_nonsense v3
  exp mrt0 v2, v2, v2, v2 done vm
  s_endpgm
";

    /// All texts of few letters and lines.
    fn small_texts() -> Vec<String> {
        let mut texts = vec![String::new()];
        for from in 0..=340 {
            let shorter: String = texts[from].clone();
            if shorter.len() < 4 {
                texts.extend(["a", "b", "\n", "\r"].map(|sign| shorter.clone() + sign));
            }
        }
        texts
    }

    #[test]
    fn one_changed_or_new_line_is_found_in_all_small_texts() {
        let texts = small_texts();
        assert_eq!(texts.len(), 341);
        let mut found = 0;
        for (before, after) in texts.iter().flat_map(|it| texts.iter().map(move |to| (it, to))) {
            let (old, new): (Vec<&str>, Vec<&str>) =
                (before.split('\n').collect(), after.split('\n').collect());
            let differing = old.iter().zip(&new).filter(|(old, new)| old != new).count();
            let is_changed = old.len() == new.len() && differing == 1;
            let is_new = old.len() + 1 == new.len()
                && (0..new.len()).any(|line| [&new[..line], &new[line + 1..]].concat() == old);
            let edited = EditedLine::between(before, after);
            assert_eq!(edited.is_some(), is_changed || is_new, "{before:?} became {after:?}");
            let Some(edited) = edited else { continue };
            found += 1;
            let (before, after) = (format!("{before}\n"), format!("{after}\n"));
            assert_eq!(before[..edited.before.start], after[..edited.after.start]);
            assert_eq!(before[edited.before.end..], after[edited.after.end..]);
            assert_eq!(after[edited.after].matches('\n').count(), 1);
        }
        assert!(found > 10_000, "{found}");
    }

    fn diagnostic(severity: Severity, range: Range<u32>) -> Diagnostic {
        let range = TextRange::new(range.start.into(), range.end.into());
        Diagnostic::new(Code("test::code"), severity, range, "message")
    }

    #[test]
    fn diagnostics_behind_a_broken_line_move_with_it() {
        let related = |range: Range<u32>| Related {
            range: TextRange::new(range.start.into(), range.end.into()),
            message: String::new(),
        };
        let mut behind = diagnostic(Severity::Hint, 5..6).with_fix("Fix", TextRange::default(), "");
        behind.related = vec![related(0..1), related(2..3), related(4..6)];
        let before = vec![diagnostic(Severity::Warning, 0..1), behind.clone()];
        let steady = SteadyDiagnostics::default();
        assert_eq!(steady.while_typing("a\nb\n cd".into(), before.clone()), before);

        // The line is not whole: what is found elsewhere does not count.
        let error = diagnostic(Severity::Error, 2..2);
        let found = vec![error.clone(), diagnostic(Severity::Hint, 0..1)];
        let shown = steady.while_typing("a\nbxy\n cd".into(), found.clone());
        behind.range = TextRange::new(7.into(), 8.into());
        behind.related = vec![related(0..1), related(6..8)];
        behind.fixes.clear();
        // One is found no more, and says so at the line.
        let note = Related {
            message: "holds for this line as it was before its edit".to_owned(),
            ..related(2..5)
        };
        behind.related.push(note.clone());
        assert_eq!(shown, [before[0].clone(), error.clone(), behind.clone()]);
        let shown = steady.while_typing("a\nbxy\n cd".into(), vec![error.clone()]);
        let mut ahead = before[0].clone();
        ahead.related.push(note);
        assert_eq!(shown, [ahead, error, behind]);

        // Whole or at rest, or beside another change, it does.
        let whole = vec![diagnostic(Severity::Warning, 2..4)];
        assert_eq!(steady.while_typing("a\nbx\n cd".into(), whole.clone()), whole);
        assert_eq!(steady.while_typing("A\nB\n cd".into(), found.clone()), found);
        assert_eq!(steady.at_rest("A\nBx\n cd".into(), found.clone()), found);
    }

    /// The diagnostics that do not touch a line, and the texts that they are at.
    fn elsewhere(text: &str, line: usize, found: &[Diagnostic]) -> Vec<String> {
        let line_of = |it: &Diagnostic| text[..it.range.start().into()].matches('\n').count();
        let others = found.iter().filter(|it| line_of(it) != line);
        others.map(|it| format!("{} {} {}", it.code.0, it.message, &text[it.range])).collect()
    }

    #[test]
    fn nothing_elsewhere_changes_while_a_statement_cannot_be_read() {
        let typed = [
            (Language::Tgsi, SHADER, "ADD TEMP[0], TEMP[0], IN[0].xxxx"),
            (Language::Tgsi, SHADER, "  7: TEX TEMP[1], IN[0], SAMP[0], 2D"),
            (Language::Tgsi, SHADER, "DCL TEMP[5]"),
            (Language::Gcn, KERNEL, "  v_add_f32 v1, v1, v0"),
            (Language::Gcn, KERNEL, "  s_waitcnt vmcnt(0)"),
        ];
        let (mut letters, mut broken, mut kept) = (0, 0, 0);
        for (language, text, statement) in typed {
            let (above, below) = text.split_once("\n\n").expect("an empty line");
            let line = above.matches('\n').count() + 1;
            let mut host = Host::new(engine::Settings::default());
            let mut found = |text: &Arc<str>| {
                let file = host.set_file("file:///typed", Arc::clone(text), language);
                host.snapshot().all_diagnostics(file).expect("nobody cancels")
            };
            let steady = SteadyDiagnostics::default();
            let mut known = Vec::new();
            for end in 0..=statement.len() {
                let text: Arc<str> = format!("{above}\n{}\n{below}", &statement[..end]).into();
                let found = found(&text);
                let shown = steady.while_typing(Arc::clone(&text), found.clone());
                let (lost, now) = (elsewhere(&text, line, &found), elsewhere(&text, line, &shown));
                let on_line =
                    |it: &&Diagnostic| elsewhere(&text, line, &[(*it).clone()]).is_empty();
                let is_broken =
                    found.iter().filter(on_line).any(|it| it.severity == Severity::Error);
                if is_broken {
                    assert_eq!(now, known, "{text}");
                    kept += usize::from(lost != known);
                    broken += 1;
                } else {
                    assert_eq!(shown, found, "{text}");
                    known = now;
                }
                let here = |all: &[Diagnostic]| all.iter().filter(on_line).count();
                assert_eq!(here(&shown), here(&found), "{text}");
                letters += 1;
                if end == statement.len() {
                    assert_eq!(steady.at_rest(text, found.clone()), found);
                }
            }
        }
        assert!(broken > letters / 2, "{broken} of {letters} letters broke a line");
        assert!(kept > 20, "{kept} of {broken} times something else would have been shown");
    }
}

//! `tungsten check --fix`: fixes made in a text, round after round until none is left.

use std::collections::HashSet;

use engine::Cancelled;
use engine::ide::{FixScope, disjoint, fix_within};
use source::{Diagnostic, Fix, Severity, TextEdit, apply_edits};

/// Rounds of fixes, each of which may show what the next one fixes. What needs more comes to
/// no end.
const ROUNDS: usize = 1000;

/// A text as it is judged.
pub(super) struct Judged {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The shaders that are found in it.
    pub(super) shaders: usize,
}

impl Judged {
    fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|it| it.severity == Severity::Error).count()
    }

    /// Tells whether nothing of another text got lost, and nothing broke.
    fn is_no_worse_than(&self, other: &Judged) -> bool {
        // A shader that nobody finds any more has no errors.
        self.errors() <= other.errors() && self.shaders >= other.shaders
    }
}

/// A text with its fixes made.
pub(super) struct Fixed {
    pub(super) text: String,
    /// The number of fixes that were made.
    pub(super) made: usize,
    /// The diagnostics whose fixes were taken back, since they would have brought more errors.
    pub(super) taken_back: Vec<Diagnostic>,
}

/// Makes the fixes of a text. `judge` tells what is wrong with one; the last that it is asked
/// about is the text that is returned.
pub(super) fn fix(
    text: &str,
    scope: FixScope,
    judge: &mut impl FnMut(&str) -> Result<Judged, Cancelled>,
) -> Result<Fixed, Cancelled> {
    let mut fixed = Fixed { text: text.to_owned(), made: 0, taken_back: Vec::new() };
    let mut seen = HashSet::from([fixed.text.clone()]);
    let mut judged = judge(&fixed.text)?;
    for _ in 0..ROUNDS {
        let fixes = judged.diagnostics.iter().filter_map(|it| fix_within(it, scope));
        let mut waiting: Vec<&Fix> = fixes.collect();
        let mut round = Round { text: &fixed.text, made: Vec::new(), judged: None, judge };
        // Of those that touch, the second is asked only where the first is no good.
        while round.made.is_empty() && !waiting.is_empty() {
            let offered = disjoint(waiting.iter().copied());
            round.make(&judged, &offered)?;
            waiting.retain(|fix| !offered.contains(fix));
        }
        let (made, text) = (round.made.len(), round.with(&[]));
        let Some(better) = round.judged else {
            let is_left = |it: &Diagnostic| fix_within(it, scope).is_some();
            fixed.taken_back = judged.diagnostics.into_iter().filter(is_left).collect();
            break;
        };
        let Some(text) = text.filter(|text| seen.insert(text.clone())) else { break };
        fixed.made += made;
        fixed.text = text;
        judged = better;
    }
    judge(&fixed.text)?;
    Ok(fixed)
}

/// One round: the fixes that one text is offered, and those of them that are made.
struct Round<'a, Judge> {
    text: &'a str,
    made: Vec<&'a Fix>,
    /// The text with these.
    judged: Option<Judged>,
    judge: &'a mut Judge,
}

impl<'a, Judge: FnMut(&str) -> Result<Judged, Cancelled>> Round<'a, Judge> {
    /// Makes fixes: all together, or else those of either half that bring no error.
    fn make(&mut self, before: &Judged, fixes: &[&'a Fix]) -> Result<(), Cancelled> {
        let Some(text) = self.with(fixes).filter(|_| !fixes.is_empty()) else { return Ok(()) };
        let judged = (self.judge)(&text)?;
        if judged.is_no_worse_than(self.judged.as_ref().unwrap_or(before)) {
            self.made.extend(fixes);
            self.judged = Some(judged);
        } else if fixes.len() > 1 {
            let (first, second) = fixes.split_at(fixes.len() / 2);
            self.make(before, first)?;
            self.make(before, second)?;
        }
        Ok(())
    }

    /// The text with what is made and some more.
    fn with(&self, more: &[&Fix]) -> Option<String> {
        let fixes = self.made.iter().chain(more);
        let edits: Vec<TextEdit> = fixes.flat_map(|fix| fix.edits.iter().cloned()).collect();
        apply_edits(self.text, &edits)
    }
}

#[cfg(test)]
mod tests {
    use source::{Code, TextRange, TextSize};

    use super::*;

    const LETTER: Code = Code("test::letter");

    /// Every `a` is to be `b`, but a second `b` in a row is an error, and so is an `e`; every `x`
    /// is to be `y` and the reverse.
    fn judge(text: &str) -> Result<Judged, Cancelled> {
        let mut diagnostics = Vec::new();
        for (place, letter) in text.char_indices() {
            let range = TextRange::at(TextSize::new(place as u32), TextSize::new(1));
            let better = match letter {
                'a' => "b",
                'x' => "y",
                'y' => "x",
                _ => continue,
            };
            diagnostics.push(Diagnostic::hint(LETTER, range, "").with_fix("", range, better));
        }
        for (place, _) in text.match_indices("bb").chain(text.match_indices('e')) {
            let range = TextRange::empty(TextSize::new(place as u32));
            diagnostics.push(Diagnostic::error(LETTER, range, ""));
        }
        Ok(Judged { diagnostics, shaders: 1 })
    }

    fn fixed(text: &str) -> (String, usize, usize) {
        let fixed = fix(text, FixScope::Sure, &mut judge).expect("nobody cancels");
        (fixed.text, fixed.made, fixed.taken_back.len())
    }

    #[test]
    fn a_fix_that_brings_an_error_is_taken_back() {
        assert_eq!(fixed("a.a.a"), ("b.b.b".to_owned(), 3, 0));
        // Each could be made, but not both.
        assert_eq!(fixed("a.aa.e"), ("b.ba.e".to_owned(), 2, 1));
        assert_eq!(fixed("ab"), ("ab".to_owned(), 0, 1));
        assert_eq!(fixed("e"), ("e".to_owned(), 0, 0));
    }

    #[test]
    fn fixes_in_a_circle_come_to_an_end() {
        assert_eq!(fixed("x"), ("y".to_owned(), 1, 0));
    }

    #[test]
    fn a_shader_that_gets_lost_is_no_improvement() {
        let mut lose = |text: &str| {
            let mut judged = judge(text)?;
            judged.shaders = usize::from(text.contains('a'));
            Ok(judged)
        };
        let fixed = fix("a.e", FixScope::Sure, &mut lose).expect("nobody cancels");
        assert_eq!((fixed.text.as_str(), fixed.made), ("a.e", 0));
    }
}

//! The fixes of many diagnostics at once.

use source::{Code, Diagnostic, Fix, TextEdit, TextSize};

/// The fixes that are made without asking for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixScope {
    /// The fixes that leave no choice, lose nothing that was written and guess nothing.
    Sure,
    /// One of each diagnostic that has any: of several the first.
    Any,
}

/// Codes whose fixes lose text, or guess what was meant where readers take another meaning.
const GUESSES: [Code; 11] = [
    tgsi::codes::COMMENT,
    tgsi::codes::UNBALANCED,
    tgsi::codes::UNDECLARED_REGISTER,
    tgsi::codes::UNUSED_COMPONENT,
    tgsi::codes::PROPERTY_DEPENDENCY,
    tgsi::codes::INTEGER_INTERPOLATION,
    tgsi::codes::VALUE_TYPE,
    tgsi::codes::READ_ONLY_FILE,
    tgsi::codes::OPERAND_VALUE,
    tgsi::codes::DUPLICATE_CASE,
    gcn::codes::DEAD_WRITE,
];

/// The fix of a diagnostic that is made without asking.
pub fn fix_within(diagnostic: &Diagnostic, scope: FixScope) -> Option<&Fix> {
    match scope {
        FixScope::Sure if GUESSES.contains(&diagnostic.code) => None,
        FixScope::Sure => widest(&diagnostic.fixes),
        FixScope::Any => widest(&diagnostic.fixes).or_else(|| diagnostic.fixes.first()),
    }
}

/// The fix that does what each of some fixes does: one for all places beside one for the first.
/// `None` where they differ, so that somebody has to choose.
fn widest(fixes: &[Fix]) -> Option<&Fix> {
    let widest = fixes.iter().max_by_key(|fix| fix.edits.len())?;
    let holds = |fix: &Fix| fix.edits.iter().all(|edit| widest.edits.contains(edit));
    fixes.iter().all(holds).then_some(widest)
}

/// Returns the fixes that do not touch one another, the earlier ones first; each is whole or
/// left out.
pub fn disjoint<'a>(fixes: impl IntoIterator<Item = &'a Fix>) -> Vec<&'a Fix> {
    let mut taken: Vec<(TextSize, TextSize)> = Vec::new();
    let mut chosen = Vec::new();
    for fix in fixes {
        let is_free = |edit: &TextEdit| {
            // Places are disjoint and in order, so only the neighbours can touch.
            let next = taken.partition_point(|it| it.0 < edit.range.start());
            let before = next.checked_sub(1).and_then(|it| taken.get(it));
            before.is_none_or(|it| it.1 < edit.range.start())
                && taken.get(next).is_none_or(|it| edit.range.end() < it.0)
        };
        if fix.edits.iter().all(is_free) {
            // Diagnostics come in order, so that most of it goes to the end.
            for TextEdit { range, .. } in &fix.edits {
                let place = taken.partition_point(|it| it.0 < range.start());
                taken.insert(place, (range.start(), range.end()));
            }
            chosen.push(fix);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use source::TextRange;

    use super::*;

    fn fix(places: &[(u32, u32)]) -> Fix {
        let range =
            |(start, end): &(u32, u32)| TextRange::new(TextSize::new(*start), TextSize::new(*end));
        let edits = places.iter().map(|place| TextEdit::replace(range(place), "x"));
        Fix { title: String::new(), edits: edits.collect() }
    }

    #[test]
    fn fixes_that_touch_are_not_made_together() {
        let fixes =
            [fix(&[(4, 6), (20, 21)]), fix(&[(6, 8)]), fix(&[(0, 2), (21, 22)]), fix(&[(9, 9)])];
        assert_eq!(disjoint(&fixes), [&fixes[0], &fixes[3]]);
    }

    #[test]
    fn a_choice_is_made_by_nobody_but_the_user() {
        let of = |code, fixes: &[Fix]| {
            let mut diagnostic = Diagnostic::hint(code, TextRange::default(), "");
            diagnostic.fixes = fixes.to_vec();
            diagnostic
        };
        let [one, all, other] = [fix(&[(4, 6)]), fix(&[(4, 6), (8, 9)]), fix(&[(5, 6)])];
        let places = of(tgsi::codes::WRONG_LABEL, &[one.clone(), all.clone()]);
        assert_eq!(fix_within(&places, FixScope::Sure), Some(&all));
        let choice = of(tgsi::codes::WRONG_LABEL, &[one.clone(), other]);
        assert_eq!(fix_within(&choice, FixScope::Sure), None);
        assert_eq!(fix_within(&choice, FixScope::Any), Some(&one));
        let comment = of(tgsi::codes::COMMENT, std::slice::from_ref(&one));
        assert_eq!(fix_within(&comment, FixScope::Sure), None);
        assert_eq!(fix_within(&comment, FixScope::Any), Some(&one));
    }
}

//! From new text to few and small edits: a cursor in the old text stays where
//! it was, and an editor has little to redraw.

use source::{TextEdit, TextRange, TextSize};

use crate::lexer::Lexer;

/// Replaces the tokens of a range and the space between them, leaving alone
/// what is the same at either end and in between.
pub(super) fn replace_tokens(text: &str, range: TextRange, new: &str, edits: &mut Vec<TextEdit>) {
    let old = &text[range];
    if old == new {
        return;
    }
    let (before, after) = (tokens(old), tokens(new));
    let same = |a: &TextRange, b: &TextRange| old[*a] == new[*b];
    let head = before.iter().zip(&after).take_while(|(a, b)| same(a, b)).count();
    let rest = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(rest);
    let tail = tail.take_while(|(a, b)| same(a, b)).count();
    let mut edit = Editor { old, new, offset: range.start(), done: (0, 0), edits };
    for (a, b) in before.iter().zip(&after).take(head) {
        edit.keep(*a, *b);
    }
    let middle = (&before[head..before.len() - tail], &after[head..after.len() - tail]);
    let recased = middle.0.len() == middle.1.len()
        && middle.0.iter().zip(middle.1).all(|(a, b)| old[*a].eq_ignore_ascii_case(&new[*b]));
    if recased {
        for (a, b) in middle.0.iter().zip(middle.1) {
            edit.up_to(usize::from(a.start()), usize::from(b.start()));
            edit.up_to(usize::from(a.end()), usize::from(b.end()));
        }
    }
    let (before, after) = (&before[before.len() - tail..], &after[after.len() - tail..]);
    for (a, b) in before.iter().zip(after) {
        edit.keep(*a, *b);
    }
    edit.up_to(old.len(), new.len());
}

/// Replaces the space before a statement. The blanks that indent the
/// statement are an edit of their own, so that a line can be indented without
/// touching those above it.
pub(super) fn replace_gap(text: &str, range: TextRange, new: &str, edits: &mut Vec<TextEdit>) {
    let old = &text[range];
    if old == new {
        return;
    }
    let split = |text: &str| text.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let mut edit = Editor { old, new, offset: range.start(), done: (0, 0), edits };
    edit.up_to(split(old), split(new));
    edit.up_to(old.len(), new.len());
}

fn tokens(text: &str) -> Vec<TextRange> {
    let tokens = Lexer::new(text).filter(|(kind, _)| !kind.is_trivia());
    tokens.map(|(_, range)| range).collect()
}

/// Walks both texts side by side.
struct Editor<'a> {
    old: &'a str,
    new: &'a str,
    /// The beginning of the old text in the whole.
    offset: TextSize,
    /// The end of the part of each text that is done.
    done: (usize, usize),
    edits: &'a mut Vec<TextEdit>,
}

impl Editor<'_> {
    /// Makes equal what is before a token that stays, and takes the token.
    fn keep(&mut self, old: TextRange, new: TextRange) {
        self.up_to(old.start().into(), new.start().into());
        self.done = (old.end().into(), new.end().into());
    }

    /// Makes equal what is not done before these ends.
    fn up_to(&mut self, old_end: usize, new_end: usize) {
        let (old, new) = (&self.old[self.done.0..old_end], &self.new[self.done.1..new_end]);
        if old != new {
            let head = common(old.chars().zip(new.chars()));
            let rest = (old[head..].chars().rev()).zip(new[head..].chars().rev());
            let tail = common(rest);
            let start = self.offset + TextSize::new((self.done.0 + head) as u32);
            let end = self.offset + TextSize::new((old_end - tail) as u32);
            let insert = &new[head..new.len() - tail];
            self.edits.push(TextEdit::replace(TextRange::new(start, end), insert));
        }
        self.done = (old_end, new_end);
    }
}

/// The bytes of the leading characters that are the same.
fn common(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

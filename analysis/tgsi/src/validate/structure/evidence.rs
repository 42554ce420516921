//! The evidence at one place of the text: numbers, indentation, and code that nothing reaches.

use std::collections::BTreeMap;

use super::sequence::{Element, Sequence};
use crate::validate::{Block, Nesting};

/// The kinds of evidence, as places in [`Against`].
pub(super) const NUMBERS: usize = 0;
pub(super) const LABELS: usize = 1;
pub(super) const INDENTATION: usize = 2;
pub(super) const BODY: usize = 3;
pub(super) const USES: usize = 4;
pub(super) const UNWRITTEN: usize = 5;
pub(super) const UNREAD: usize = 6;
pub(super) const ENDLESS: usize = 7;

/// So many facts of each kind contradict a reading of the text.
pub(super) type Against = [u32; 8];

/// The facts beside each place of a sequence.
pub(super) struct Evidence<'a> {
    sequence: &'a Sequence,
    /// Of each place, the numbered elements before and behind it.
    numbers: Vec<Beside>,
    /// Of each place, the elements before and behind it whose indentation is known.
    indents: Vec<Beside>,
    style: Style,
    /// The levels that the elements before a place open, less those that they close.
    levels: Vec<i64>,
    /// The number of words before each place that were put in.
    put_in: Vec<i64>,
    /// The facts that contradict the sequence as it is.
    indentation: u32,
    body: u32,
}

/// The nearest elements of some kind on both sides of a place.
#[derive(Clone, Copy, Default)]
struct Beside {
    before: Option<usize>,
    behind: Option<usize>,
}

/// The way in which a text is indented.
struct Style {
    /// The columns of a level; 0 where nothing is indented.
    unit: i64,
    /// The levels that `SWITCH` indents its cases by. The dumper does not.
    switch: i64,
    /// The levels that a `CASE` indents what follows by.
    case: i64,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(sequence: &'a Sequence) -> Evidence<'a> {
        let elements = &sequence.elements;
        let numbers = beside(elements, |it| it.number.is_some());
        let indents = beside(elements, |it| it.indent.is_some());
        let style = Style::of(elements);
        let (mut levels, mut put_in) = (vec![0], vec![0]);
        for element in elements {
            let more = i64::from(element.instruction.is_none());
            put_in.push(put_in.last().unwrap_or(&0) + more);
            let (left, opened) = style.levels(element.nesting);
            levels.push(levels.last().unwrap_or(&0) + opened - left);
        }
        let mut evidence =
            Evidence { sequence, numbers, indents, style, levels, put_in, indentation: 0, body: 0 };
        for place in 1..elements.len() {
            if elements[place].indent.is_some() {
                evidence.indentation += evidence.steps(evidence.surplus(place));
            }
            evidence.body += idle(Some(&elements[place - 1]), Some(&elements[place]));
        }
        evidence
    }

    /// Counts what contradicts a word that is put in at a place, as far as that place shows it.
    pub(super) fn against(&self, place: usize, word: Nesting) -> Against {
        let mut against = Against::default();
        against[NUMBERS] = u32::from(self.sequence.numbered && !self.has_room(place));
        let (left, opened) = self.style.levels(Some(word));
        let surplus = self.surplus(place);
        let corrected = surplus - (opened - left) * self.style.unit;
        if self.indents[place].before.is_some() && self.indents[place].behind.is_some() {
            against[INDENTATION] = self.indentation - self.steps(surplus) + self.steps(corrected);
        } else {
            against[INDENTATION] = self.indentation;
        }
        let elements = &self.sequence.elements;
        let before = place.checked_sub(1).map(|before| &elements[before]);
        let behind = elements.get(place);
        let word = Element::put_in(word);
        against[BODY] = self.body - idle(before, behind)
            + idle(before, Some(&word))
            + idle(Some(&word), behind);
        against
    }

    /// The columns by which the element behind a place is too far to the right.
    fn surplus(&self, place: usize) -> i64 {
        let Beside { before: Some(before), behind: Some(behind) } = self.indents[place] else {
            return 0;
        };
        if self.style.unit == 0 {
            return 0;
        }
        let elements = &self.sequence.elements;
        let column = |at: usize| i64::from(elements[at].indent.unwrap_or_default());
        let (_, opened) = self.style.levels(elements[before].nesting);
        let (left, _) = self.style.levels(elements[behind].nesting);
        let levels = opened + self.levels[behind] - self.levels[before + 1] - left;
        column(behind) - column(before) - levels * self.style.unit
    }

    /// The levels that a number of columns is, rounded up.
    fn steps(&self, columns: i64) -> u32 {
        if self.style.unit == 0 {
            return 0;
        }
        let steps = columns.unsigned_abs().div_ceil(self.style.unit.unsigned_abs());
        u32::try_from(steps).unwrap_or(u32::MAX).min(MOST_STEPS)
    }

    /// Tells whether the numbers leave room for one more instruction at a place. Behind the last
    /// one there is always some.
    fn has_room(&self, place: usize) -> bool {
        let Beside { before, behind: Some(behind) } = self.numbers[place] else { return true };
        let elements = &self.sequence.elements;
        let put_in = self.put_in[behind] - before.map_or(0, |before| self.put_in[before]);
        let number = |at: usize| elements[at].number.map_or(-1, i64::from);
        number(behind) - before.map_or(-1, number) > 1 + put_in
    }

    /// Counts the instructions that the numbers leave out and nothing was put in for.
    pub(super) fn left_out(&self) -> i64 {
        let elements = &self.sequence.elements;
        let numbered = elements.iter().enumerate().filter_map(|(at, it)| Some((at, it.number?)));
        let numbered: Vec<(usize, u32)> = numbered.collect();
        let gap = |pair: &[(usize, u32)]| {
            let [(before, first), (behind, last)] = [pair[0], pair[1]];
            let put_in = self.put_in[behind] - self.put_in[before];
            (i64::from(last) - i64::from(first) - 1 - put_in).max(0)
        };
        numbered.windows(2).map(gap).sum()
    }

    /// The numbers that a word at a place may have, from the first to the last.
    pub(super) fn names_at(&self, place: usize) -> (u32, u32) {
        if !self.sequence.numbered {
            return (place as u32, place as u32);
        }
        let number = |at: usize| self.sequence.elements[at].number;
        let Beside { before, behind } = self.numbers[place];
        let first = before.and_then(number).map_or(0, |before| before.saturating_add(1));
        let last = behind.and_then(number).map_or(u32::MAX, |behind| behind.saturating_sub(1));
        (first, last)
    }

    /// The numbers that an element may have, once `more` words were put in before it.
    pub(super) fn names_of(&self, at: usize, more: u32) -> (u32, u32) {
        match self.sequence.elements[at].number {
            Some(number) => (number, number),
            None if self.sequence.numbered => self.names_at(at),
            None => (at as u32 + more, at as u32 + more),
        }
    }
}

/// One line may not outweigh all others.
const MOST_STEPS: u32 = 8;

impl Style {
    fn of(elements: &[Element]) -> Style {
        let known = |element: &Element| Some((i64::from(element.indent?), element.nesting));
        let mut widths: BTreeMap<i64, usize> = BTreeMap::new();
        let (mut switch, mut case) = (0, 0);
        for pair in elements.windows(2) {
            let (Some((before, word)), Some((behind, next))) = (known(&pair[0]), known(&pair[1]))
            else {
                continue;
            };
            let wider = behind - before;
            match (word, next) {
                (Some(Nesting::Open(Block::Switch)), Some(Nesting::Case)) => {
                    switch += wider.signum();
                }
                (Some(Nesting::Case), None) => case += wider.signum(),
                _ => {}
            }
            if wider > 0 {
                *widths.entry(wider).or_default() += 1;
            }
        }
        let unit = widths.iter().max_by_key(|(width, times)| (**times, -**width));
        Style {
            unit: unit.map_or(0, |(width, _)| *width),
            switch: i64::from(switch > 0),
            case: i64::from(case > 0),
        }
    }

    /// The levels that a word leaves before it stands, and those that it opens behind it.
    fn levels(&self, word: Option<Nesting>) -> (i64, i64) {
        match word {
            Some(Nesting::Open(Block::Switch)) => (0, self.switch + self.case),
            Some(Nesting::Close(Block::Switch)) => (self.switch + self.case, 0),
            Some(Nesting::Case) => (self.case, self.case),
            Some(Nesting::Open(_)) => (0, 1),
            Some(Nesting::Close(_)) => (1, 0),
            Some(Nesting::Else) => (1, 1),
            Some(Nesting::Break | Nesting::Continue | Nesting::End) | None => (0, 0),
        }
    }
}

/// The nearest elements of a kind on both sides of each place.
fn beside(elements: &[Element], is_of_kind: impl Fn(&Element) -> bool) -> Vec<Beside> {
    let mut all = vec![Beside::default(); elements.len() + 1];
    let (mut before, mut behind) = (None, None);
    for place in 0..=elements.len() {
        all[place].before = before;
        before = elements.get(place).filter(|it| is_of_kind(it)).map(|_| place).or(before);
        let place = elements.len() - place;
        behind = elements.get(place).filter(|it| is_of_kind(it)).map(|_| place).or(behind);
        all[place].behind = behind;
    }
    all
}

/// Counts what nobody writes: code that is never reached, and blocks that hold nothing.
fn idle(before: Option<&Element>, behind: Option<&Element>) -> u32 {
    let (Some(before), Some(behind)) = (before, behind) else { return 0 };
    let ends = matches!(
        behind.nesting,
        Some(Nesting::Close(_) | Nesting::Else | Nesting::Case | Nesting::End)
    );
    let useless = match (before.nesting, behind.nesting) {
        (Some(Nesting::Open(block)), Some(Nesting::Close(closed))) => block == closed,
        (Some(Nesting::Open(block)), Some(Nesting::Else)) => block == Block::If,
        (Some(Nesting::Else), Some(Nesting::Close(closed))) => closed == Block::If,
        (Some(Nesting::Open(Block::Switch)), _) => behind.nesting != Some(Nesting::Case),
        _ => before.leaves && !ends,
    };
    u32::from(useless)
}

//! Every place at which one word more makes the blocks close, with the evidence against each.
//!
//! A word at a place leaves the blocks before it as a reader from the front sees them, and those
//! behind it as a reader from the back does. So both read once, and a sweep over all places
//! compares the blocks that are open on both sides.

use super::calls::Calls;
use super::evidence::{Against, Evidence, LABELS, USES};
use super::sequence::{Element, Sequence};
use crate::validate::{Block, Nesting};

/// A word that may be missing at a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) place: usize,
    pub(super) word: Nesting,
    /// The element of the block that it opens, closes or parts.
    pub(super) partner: usize,
    pub(super) against: Against,
}

/// The words that may be missing: all that leave as few faults in the blocks as possible.
#[derive(Default)]
pub(super) struct Candidates {
    /// The faults that are left; 0 where all blocks close.
    pub(super) faults: u32,
    pub(super) all: Vec<Candidate>,
}

impl Candidates {
    fn add(&mut self, faults: u32, candidate: Candidate) {
        if faults < self.faults || self.all.is_empty() {
            self.all.clear();
            self.faults = faults;
        }
        if faults == self.faults {
            self.all.push(candidate);
        }
    }
}

/// A block that is open at a place, seen from one side.
#[derive(Clone, Copy)]
struct Open {
    block: Block,
    /// The word of it that is nearest to the place.
    nearest: usize,
    /// The word that opens or closes it.
    outer: usize,
    /// Set where `ELSE` was seen.
    alternative: bool,
}

/// The words that may be looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Words that open or close a block.
    Blocks,
    /// `ELSE`, without which all blocks close.
    Else,
}

/// Finds the candidates.
pub(super) fn candidates(
    sequence: &Sequence,
    evidence: &Evidence<'_>,
    wanted: Wanted,
) -> Candidates {
    let mut sweep = Sweep::new(sequence, evidence);
    let mut found = Candidates::default();
    for place in 0..=sequence.elements.len() {
        match wanted {
            Wanted::Blocks => sweep.block(place, &mut found),
            Wanted::Else => sweep.alternative(place, &mut found),
        }
        if place < sequence.elements.len() {
            sweep.pass(place);
        }
    }
    found
}

/// Counts the facts in the labels that contradict a sequence whose blocks close.
pub(super) fn wrong_labels(sequence: &Sequence, evidence: &Evidence<'_>) -> u32 {
    let mut front = Side::new(sequence.elements.len());
    for at in 0..sequence.elements.len() {
        front.forward(at, sequence, evidence);
    }
    front.labels
}

/// Tells whether all blocks of a sequence close, and hold only what may be in them.
pub(super) fn closes(sequence: &Sequence, evidence: &Evidence<'_>) -> bool {
    let elements = &sequence.elements;
    let mut front = Side::new(elements.len());
    for at in 0..elements.len() {
        front.forward(at, sequence, evidence);
    }
    front.open.is_empty() && front.faults == 0 && front.uses == 0
}

/// The blocks on one side of the place, and what is wrong on that side.
struct Side {
    open: Vec<Open>,
    /// The number of open blocks of each kind.
    counts: [usize; Block::COUNT],
    /// The length of the main program, its `END` included.
    main: usize,
    faults: u32,
    labels: u32,
    uses: u32,
}

/// A change of the open blocks.
enum Change {
    None,
    Opened,
    Closed(Open),
    Parted(Open),
}

impl Side {
    fn new(main: usize) -> Side {
        let counts = [0; Block::COUNT];
        Side { open: Vec::new(), counts, main, faults: 0, labels: 0, uses: 0 }
    }

    fn push(&mut self, open: Open) {
        self.counts[open.block as usize] += 1;
        self.open.push(open);
    }

    fn pop(&mut self) {
        if let Some(open) = self.open.pop() {
            self.counts[open.block as usize] -= 1;
        }
    }

    /// Reads on to the right.
    fn forward(&mut self, at: usize, sequence: &Sequence, evidence: &Evidence<'_>) {
        let element = &sequence.elements[at];
        let top = self.open.last().copied();
        self.judge(at, element);
        match element.nesting {
            Some(Nesting::Open(block)) => {
                self.push(Open { block, nearest: at, outer: at, alternative: false });
            }
            Some(Nesting::Close(block)) => match top {
                Some(top) if top.block == block => {
                    self.labels += pair(sequence, evidence, top.nearest, (at, 0));
                    self.labels += pair(sequence, evidence, at, (top.outer, 0));
                    self.pop();
                }
                _ => self.faults += 1,
            },
            Some(Nesting::Else) => match self.open.last_mut() {
                Some(top) if top.block == Block::If && !top.alternative => {
                    self.labels += pair(sequence, evidence, top.nearest, (at, 0));
                    *top = Open { nearest: at, alternative: true, ..*top };
                }
                _ => self.faults += 1,
            },
            _ => {}
        }
    }

    /// Reads on to the left. All that it sees stands behind the word that is put in.
    fn backward(&mut self, at: usize, sequence: &Sequence, evidence: &Evidence<'_>) -> Change {
        let element = &sequence.elements[at];
        let top = self.open.last().copied();
        let mut change = Change::None;
        match element.nesting {
            Some(Nesting::Close(block)) => {
                self.push(Open { block, nearest: at, outer: at, alternative: false });
                change = Change::Opened;
            }
            Some(Nesting::Open(block)) => match top {
                Some(top) if top.block == block => {
                    self.labels += pair(sequence, evidence, at, (top.nearest, 1));
                    self.labels += pair(sequence, evidence, top.outer, (at, 1));
                    self.pop();
                    change = Change::Closed(top);
                }
                _ => self.faults += 1,
            },
            Some(Nesting::Else) => match self.open.last_mut() {
                Some(top) if top.block == Block::If && !top.alternative => {
                    self.labels += pair(sequence, evidence, at, (top.nearest, 1));
                    change = Change::Parted(*top);
                    *top = Open { nearest: at, alternative: true, ..*top };
                }
                _ => self.faults += 1,
            },
            _ => {}
        }
        self.judge(at, element);
        change
    }

    /// Takes back what a step to the left changed.
    fn undo(&mut self, change: &Change) {
        match change {
            Change::None => {}
            Change::Opened => self.pop(),
            Change::Closed(open) => self.push(*open),
            Change::Parted(open) => {
                if let Some(top) = self.open.last_mut() {
                    *top = *open;
                }
            }
        }
    }

    /// Judges an element by the blocks around it.
    fn judge(&mut self, at: usize, element: &Element) {
        let is_open = |block: Block| self.counts[block as usize] > 0;
        match element.nesting {
            Some(Nesting::Break) => {
                self.uses += u32::from(!is_open(Block::Loop) && !is_open(Block::Switch));
            }
            Some(Nesting::Continue) => self.uses += u32::from(!is_open(Block::Loop)),
            Some(Nesting::Case) => {
                let inner = self.open.last().map(|it| it.block);
                self.uses += u32::from(inner != Some(Block::Switch));
            }
            Some(Nesting::End) => self.faults += u32::from(!self.open.is_empty()),
            Some(Nesting::Open(Block::Subroutine)) => {
                self.faults += u32::from(!self.open.is_empty());
            }
            Some(Nesting::Close(Block::Subroutine)) => {}
            // Behind the main program there are only subroutines.
            _ => self.faults += u32::from(at >= self.main && self.open.is_empty()),
        }
    }
}

/// Both sides of a place that moves to the right.
struct Sweep<'a> {
    sequence: &'a Sequence,
    evidence: &'a Evidence<'a>,
    front: Side,
    back: Side,
    /// Of each place, what is wrong behind it: faults, labels, uses.
    behind: Vec<[u32; 3]>,
    /// The steps of the reader from the back.
    changes: Vec<Change>,
    /// The faults and wrong labels of the blocks that lie on both sides.
    across: [u32; 2],
    calls: Calls,
}

impl<'a> Sweep<'a> {
    fn new(sequence: &'a Sequence, evidence: &'a Evidence<'a>) -> Sweep<'a> {
        let elements = &sequence.elements;
        let main = sequence.main();
        let mut back = Side::new(main);
        let mut behind = vec![[0; 3]];
        let mut changes = Vec::with_capacity(elements.len());
        for at in (0..elements.len()).rev() {
            changes.push(back.backward(at, sequence, evidence));
            behind.push([back.faults, back.labels, back.uses]);
        }
        behind.reverse();
        changes.reverse();
        let front = Side::new(main);
        let (across, calls) = ([0; 2], Calls::of(sequence));
        let mut sweep = Sweep { sequence, evidence, front, back, behind, changes, across, calls };
        for depth in 0..sweep.back.open.len() {
            sweep.count(depth, Sign::Plus);
        }
        sweep
    }

    /// Moves the place over an element.
    fn pass(&mut self, at: usize) {
        // Only the innermost blocks change.
        let (front, back) = (self.front.open.len(), self.back.open.len());
        let mut depths = [front.saturating_sub(1), front, back.saturating_sub(1), back];
        depths.sort_unstable();
        let touched = |number: &usize| *number == 0 || depths[*number - 1] != depths[*number];
        let touched = (0..depths.len()).filter(touched).map(|number| depths[number]);
        for depth in touched.clone() {
            self.count(depth, Sign::Minus);
        }
        self.front.forward(at, self.sequence, self.evidence);
        self.back.undo(&self.changes[at]);
        for depth in touched {
            self.count(depth, Sign::Plus);
        }
    }

    fn count(&mut self, depth: usize, sign: Sign) {
        let cost = self.cost(self.front.open.get(depth), self.back.open.get(depth));
        for (sum, cost) in self.across.iter_mut().zip(cost) {
            match sign {
                Sign::Plus => *sum += cost,
                Sign::Minus => *sum -= cost,
            }
        }
    }

    /// The faults and wrong labels where these two are one block.
    fn cost(&self, front: Option<&Open>, back: Option<&Open>) -> [u32; 2] {
        match (front, back) {
            (None, None) => [0, 0],
            (Some(front), Some(back)) if front.block == back.block => {
                let labels = pair(self.sequence, self.evidence, front.nearest, (back.nearest, 1))
                    + pair(self.sequence, self.evidence, back.outer, (front.outer, 0));
                [u32::from(front.alternative && back.alternative), labels]
            }
            _ => [1, 0],
        }
    }

    /// The candidate that opens or closes a block here.
    fn block(&self, place: usize, found: &mut Candidates) {
        let (front, back) = (&self.front.open, &self.back.open);
        let elements = &self.sequence.elements;
        let names = self.evidence.names_at(place);
        if front.len() > back.len()
            && let Some(open) = front.last()
        {
            let label = wrong(elements[open.nearest].label, names);
            let [faults, labels] = self.cost(Some(open), None);
            let cost = [self.across[0] - faults, self.across[1] - labels + label];
            let word = Nesting::Close(open.block);
            self.add(place, word, open.outer, cost, found);
        }
        if back.len() > front.len() {
            let open = back[front.len()];
            let misplaced = open.block == Block::Subroutine && !front.is_empty();
            let label = wrong(elements[open.outer].label, names);
            let cost = [self.across[0] - 1 + u32::from(misplaced), self.across[1] + label];
            self.add(place, Nesting::Open(open.block), open.outer, cost, found);
        }
    }

    /// The candidate that parts an `IF` here.
    fn alternative(&self, place: usize, found: &mut Candidates) {
        let (front, back) = (&self.front.open, &self.back.open);
        let (Some(open), Some(close)) = (front.last(), back.last()) else { return };
        let sole = !open.alternative && !close.alternative;
        if front.len() != back.len() || open.block != Block::If || close.block != Block::If || !sole
        {
            return;
        }
        let [_, labels] = self.cost(Some(open), Some(close));
        let label =
            wrong(self.sequence.elements[open.nearest].label, self.evidence.names_at(place));
        let outer = pair(self.sequence, self.evidence, close.outer, (open.outer, 0));
        let cost = [self.across[0], self.across[1] - labels + label + outer];
        self.add(place, Nesting::Else, open.outer, cost, found);
    }

    fn add(
        &self,
        place: usize,
        word: Nesting,
        partner: usize,
        [faults, labels]: [u32; 2],
        found: &mut Candidates,
    ) {
        let [faults_behind, labels_behind, uses_behind] = self.behind[place];
        let faults = faults + self.front.faults + faults_behind;
        if faults > found.faults && !found.all.is_empty() {
            return;
        }
        let mut against = self.evidence.against(place, word);
        let calls = self.calls.wrong(self.sequence, self.evidence, (place, word));
        against[LABELS] = labels + self.front.labels + labels_behind + calls;
        against[USES] = self.front.uses + uses_behind;
        found.add(faults, Candidate { place, word, partner, against });
    }
}

#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}

/// Returns 1 where the label of a word does not name the next one of its block, which comes with
/// the number of words that are put in before it.
fn pair(
    sequence: &Sequence,
    evidence: &Evidence<'_>,
    source: usize,
    (target, more): (usize, u32),
) -> u32 {
    let label = sequence.elements[source].label;
    if label.is_some() { wrong(label, evidence.names_of(target, more)) } else { 0 }
}

/// Returns 1 where a label names none of some numbers.
fn wrong(label: Option<u32>, (first, last): (u32, u32)) -> u32 {
    // Where the numbers leave no room it takes that of what stands there.
    let last = last.max(first);
    u32::from(label.is_some_and(|label| !(first..=last).contains(&label)))
}

//! Words that several invocations reach without a barrier between: nothing says which comes first.
//!
//! A run has one order. What it reads before another invocation changes it might as well be read
//! behind that: such a read is known at the end only, and is left open in the next run, which is
//! told ([`Changes::foresee`]).

use std::collections::{BTreeMap, BTreeSet};

use tgsi::Opcode;

/// The time of an access: invocations of a group meet at barriers, those of two groups nowhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    group: u32,
    /// Barriers that the group has passed.
    barriers: u32,
}

impl Turn {
    /// Tells whether no barrier is between it and another time, which is not before it in its group.
    fn is_unordered(self, now: Turn) -> bool {
        self.group != now.group || self.barriers >= now.barriers
    }
}

/// The instruction that changes a word, and for whom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Changer {
    pub(crate) invocation: usize,
    /// The number of the instruction.
    pub(crate) ordinal: u32,
    /// The atomic that it is, or `STORE` for a store at an open place; `None` for others.
    pub(crate) atomic: Option<Opcode>,
}

/// The changes of a word that no barrier keeps apart.
#[derive(Debug, Clone, PartialEq)]
struct Changed {
    /// The time of the last one.
    last: Turn,
    first: Changer,
    /// The invocations, each with the time of its change.
    by: BTreeSet<(Turn, usize)>,
    /// True if several instructions changed it, or one did so repeatedly for an invocation.
    is_repeated: bool,
    /// True if one atomic did it all, which leaves the same in any order.
    commutes: bool,
    /// True if it held another word in between than before.
    differs: bool,
    /// True if what is left depends on the order of several.
    is_open: bool,
}

/// A read that has no order with the changes of a word by others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Read {
    /// A load by an invocation.
    Load(Turn, usize),
    /// The words that atomics find: if each invocation changes the word once, by the same
    /// instruction, two orders of all quads tell whether these depend on others.
    Atomics(Turn),
}

/// The last changes of words. How words came to be is no part of what memory is: any two are equal,
/// and nothing is shown.
#[derive(Clone)]
pub(crate) struct Changes<K> {
    changed: BTreeMap<K, Changed>,
    /// The loads of each word that are not open.
    loads: BTreeMap<K, BTreeSet<(Turn, usize)>>,
    now: Turn,
    /// Reads without an order that earlier runs told of.
    foreseen: BTreeSet<(K, Read)>,
    /// Reads without an order that this run came to know too late.
    missed: BTreeSet<(K, Read)>,
}

impl<K> PartialEq for Changes<K> {
    fn eq(&self, _: &Changes<K>) -> bool {
        true
    }
}

impl<K> Default for Changes<K> {
    fn default() -> Changes<K> {
        Changes {
            changed: BTreeMap::new(),
            loads: BTreeMap::new(),
            now: Turn::default(),
            foreseen: BTreeSet::new(),
            missed: BTreeSet::new(),
        }
    }
}

impl<K: Ord + Clone> Changes<K> {
    /// Takes in the reads that a run of the same order came to know too late. Returns whether there
    /// are any that were not known.
    pub(crate) fn foresee(&mut self, run: &Changes<K>) -> bool {
        let known = self.foreseen.len();
        self.foreseen.extend(run.missed.iter().cloned());
        self.foreseen.len() > known
    }

    /// Goes on to invocations that never meet those before. Words that each group has for itself
    /// are new ones.
    pub(crate) fn begin_group(&mut self, is_own: impl Fn(&K) -> bool) {
        self.now = Turn { group: self.now.group.wrapping_add(1), barriers: 0 };
        self.changed.retain(|word, _| !is_own(word));
        self.loads.retain(|word, _| !is_own(word));
    }

    /// Lets all invocations of the group pass a barrier.
    pub(crate) fn pass_barrier(&mut self) {
        self.now.barriers = self.now.barriers.saturating_add(1);
    }

    /// Goes on to the time of the changes of other words.
    pub(crate) fn follow<L>(&mut self, others: &Changes<L>) {
        self.now = others.now;
    }

    /// The changes of a word that no barrier keeps apart from now.
    fn unordered(&self, word: &K) -> Option<&Changed> {
        self.changed.get(word).filter(|it| it.last.is_unordered(self.now))
    }

    fn is_own(&self, (turn, by): (Turn, usize), invocation: usize) -> bool {
        by == invocation && turn.group == self.now.group
    }

    /// Notes that an invocation loads a word. Returns whether another one changes it, before or
    /// after.
    pub(crate) fn load(&mut self, word: &K, invocation: usize) -> bool {
        let changes_before = self.unordered(word).is_some_and(|it| {
            it.is_open || it.differs && !it.by.iter().all(|own| self.is_own(*own, invocation))
        });
        let is_known = || self.foreseen.contains(&(word.clone(), Read::Load(self.now, invocation)));
        if changes_before || is_known() {
            return true;
        }
        self.loads.entry(word.clone()).or_default().insert((self.now, invocation));
        false
    }

    /// Tells whether what an atomic finds in a word depends on others in a way that two orders of all
    /// quads do not tell.
    pub(crate) fn is_contested(&self, word: &K) -> bool {
        let is_known = || self.foreseen.contains(&(word.clone(), Read::Atomics(self.now)));
        self.unordered(word).is_some_and(Changed::is_contested) || is_known()
    }

    /// Notes that a word is changed, and whether it becomes another one. Returns whether what is left
    /// depends on the order of several.
    pub(crate) fn note(&mut self, word: K, changer: Changer, differs: bool) -> bool {
        let own = (self.now, changer.invocation);
        let earlier = self.changed.remove(&word).filter(|it| it.last.is_unordered(self.now));
        let changed = match earlier {
            None => Changed {
                last: self.now,
                first: changer,
                by: BTreeSet::from([own]),
                is_repeated: false,
                commutes: changer.atomic.is_some_and(commutes),
                differs,
                is_open: false,
            },
            Some(mut changed) => {
                let is_own = |it: &(Turn, usize)| self.is_own(*it, changer.invocation);
                changed.last = self.now;
                changed.is_repeated |=
                    changed.first.ordinal != changer.ordinal || changed.by.iter().any(is_own);
                changed.commutes &= changed.first.atomic == changer.atomic;
                changed.is_open |= differs && !changed.commutes && !changed.by.iter().all(is_own);
                changed.differs |= differs;
                changed.by.insert(own);
                changed
            }
        };
        self.find_missed(&word, &changed);
        let is_open = changed.is_open;
        self.changed.insert(word, changed);
        is_open
    }

    /// Collects the reads that changes of a word have no order with.
    fn find_missed(&mut self, word: &K, changed: &Changed) {
        if changed.differs
            && let Some(loads) = self.loads.get(word)
        {
            let now = self.now;
            let by_another = |(turn, by): (Turn, usize)| {
                let other = |it: &(Turn, usize)| it.1 != by || it.0.group != turn.group;
                turn.is_unordered(now) && changed.by.iter().any(other)
            };
            let missed = loads.iter().filter(|it| by_another(**it));
            let missed = missed.map(|(turn, by)| (word.clone(), Read::Load(*turn, *by)));
            self.missed.extend(missed);
        }
        if changed.is_contested() {
            let turns = changed.by.iter().map(|(turn, _)| (word.clone(), Read::Atomics(*turn)));
            self.missed.extend(turns);
        }
    }
}

impl Changed {
    /// Tells whether what each change found depends on the order of several.
    fn is_contested(&self) -> bool {
        let mut invocations = self.by.iter().map(|(turn, by)| (turn.group, *by));
        let first = invocations.next();
        self.differs && self.is_repeated && invocations.any(|it| Some(it) != first)
    }
}

/// Tells whether changes by an atomic leave the same in any order, or stores at open places, by
/// each of which a word may stay as it is.
fn commutes(atomic: Opcode) -> bool {
    !matches!(atomic, Opcode::ATOMXCHG | Opcode::ATOMCAS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change by a store of an invocation.
    fn store(invocation: usize) -> Changer {
        Changer { invocation, ordinal: 7, atomic: None }
    }

    fn atomic(invocation: usize, ordinal: u32, atomic: Opcode) -> Changer {
        Changer { invocation, ordinal, atomic: Some(atomic) }
    }

    #[test]
    fn another_word_by_another_invocation_is_open_without_a_barrier() {
        let mut changes = Changes::default();
        assert!(!changes.note('a', store(0), true));
        assert!(!changes.note('a', store(0), true), "its own stores have an order");
        assert!(!changes.load(&'a', 0));
        assert!(changes.load(&'a', 1));
        assert!(!changes.note('a', store(1), false), "the same word");
        assert!(changes.note('a', store(2), true));
        assert!(changes.note('a', store(2), false), "it stays open");
        assert!(changes.load(&'a', 2));
        changes.pass_barrier();
        assert!(!changes.load(&'a', 1));
        assert!(!changes.note('a', store(1), true));
        assert!(!changes.note('c', store(1), true));
        changes.begin_group(|word| *word == 'c');
        assert!(changes.note('a', store(1), true), "no barrier is between groups");
        assert!(!changes.note('c', store(2), true), "the group's own word");
        assert!(!changes.load(&'b', 1));
    }

    #[test]
    fn sums_are_the_same_in_any_order() {
        let mut changes = Changes::default();
        for invocation in 0..3 {
            assert!(!changes.note('a', atomic(invocation, 1, Opcode::ATOMUADD), true));
        }
        for invocation in 0..3 {
            assert!(changes.load(&'a', invocation), "but not what was there before");
        }
        assert!(changes.note('a', atomic(3, 1, Opcode::ATOMUMAX), true));
        assert!(!changes.note('b', atomic(0, 1, Opcode::ATOMXCHG), true));
        assert!(changes.note('b', atomic(1, 1, Opcode::ATOMXCHG), true));
        assert!(!changes.note('c', store(0), true));
        assert!(!changes.note('c', atomic(0, 1, Opcode::ATOMUADD), true));
        assert!(changes.note('c', atomic(1, 1, Opcode::ATOMUADD), true), "before the store or not");
    }

    #[test]
    fn a_load_before_a_change_is_known_to_the_next_run() {
        let run = |changes: &mut Changes<char>| {
            let before = [0, 1].map(|invocation| changes.load(&'a', invocation));
            changes.note('a', store(1), true);
            changes.pass_barrier();
            let behind = [0, 1].map(|invocation| changes.load(&'a', invocation));
            (before, behind)
        };
        let mut first = Changes::default();
        assert_eq!(run(&mut first), ([false; 2], [false; 2]));
        let mut start = Changes::default();
        assert!(start.foresee(&first));
        let mut second = start.clone();
        // The one that changes it later does so behind its own load.
        assert_eq!(run(&mut second), ([true, false], [false; 2]));
        assert!(!start.foresee(&second), "nothing is new");
        let mut harmless = Changes::default();
        harmless.load(&'a', 0);
        harmless.note('a', store(1), false);
        assert!(!start.foresee(&harmless), "the same word");
        harmless.pass_barrier();
        harmless.note('a', store(1), true);
        assert!(!start.foresee(&harmless), "a barrier is between");
        harmless.pass_barrier();
        harmless.load(&'a', 0);
        harmless.begin_group(|_| false);
        harmless.note('a', store(0), true);
        assert!(start.foresee(&harmless), "another group's invocation of the same number");
    }

    #[test]
    fn atomics_of_several_instructions_find_words_of_no_order() {
        let add = |invocation, ordinal| atomic(invocation, ordinal, Opcode::ATOMUADD);
        let mut once = Changes::default();
        for invocation in 0..3 {
            once.note('a', add(invocation, 1), true);
            assert!(!once.is_contested(&'a'));
        }
        // The same one in the next round of a loop, or another one.
        for further in [add(0, 1), add(3, 2)] {
            let mut changes = once.clone();
            changes.note('a', further, true);
            assert!(changes.is_contested(&'a'));
            let mut next = Changes::default();
            assert!(next.foresee(&changes));
            assert!(next.is_contested(&'a') && !next.is_contested(&'b'));
        }
        let mut alone = Changes::default();
        alone.note('a', add(0, 1), true);
        alone.note('a', add(0, 2), true);
        assert!(!alone.is_contested(&'a'), "its own have an order");
    }
}

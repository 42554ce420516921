//! Words that several invocations reach without a barrier between: nothing says which comes first.

use std::collections::BTreeMap;

use tgsi::Opcode;

/// The time of an access: invocations of a group meet at barriers, those of two groups nowhere.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Turn {
    group: u32,
    /// Barriers that the group has passed.
    barriers: u32,
}

/// The last change of a word.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Change {
    invocation: usize,
    turn: Turn,
    /// The atomic that changed it; `None` for a store.
    atomic: Option<Opcode>,
    /// True if it holds another word than before the turn.
    differs: bool,
    /// True if several changed it in the turn, and what is left depends on their order.
    is_open: bool,
}

/// The last changes of words. How words came to be is no part of what memory is: any two are equal,
/// and nothing is shown.
#[derive(Clone)]
pub(crate) struct Changes<K> {
    last: BTreeMap<K, Change>,
    now: Turn,
}

impl<K> PartialEq for Changes<K> {
    fn eq(&self, _: &Changes<K>) -> bool {
        true
    }
}

impl<K> Default for Changes<K> {
    fn default() -> Changes<K> {
        Changes { last: BTreeMap::new(), now: Turn::default() }
    }
}

impl<K: Ord> Changes<K> {
    /// Goes on to invocations that never meet those before. Words that each group has for itself
    /// are new ones.
    pub(crate) fn begin_group(&mut self, is_own: impl Fn(&K) -> bool) {
        self.now = Turn { group: self.now.group.wrapping_add(1), barriers: 0 };
        self.last.retain(|word, _| !is_own(word));
    }

    /// Lets all invocations of the group pass a barrier.
    pub(crate) fn pass_barrier(&mut self) {
        self.now.barriers = self.now.barriers.saturating_add(1);
    }

    /// Goes on to the time of the changes of other words.
    pub(crate) fn follow<L>(&mut self, others: &Changes<L>) {
        self.now = others.now;
    }

    /// The last change of a word that no barrier keeps apart from now.
    fn unordered(&self, word: &K) -> Option<&Change> {
        let is_unordered =
            |it: &&Change| it.turn.group != self.now.group || it.turn.barriers >= self.now.barriers;
        self.last.get(word).filter(is_unordered)
    }

    /// Tells whether a word may be read before or after another invocation changes it.
    pub(crate) fn is_changed_by_another(&self, word: &K, invocation: usize) -> bool {
        let change = self.unordered(word);
        change.is_some_and(|it| it.is_open || it.differs && !self.is_own(it, invocation))
    }

    fn is_own(&self, change: &Change, invocation: usize) -> bool {
        change.invocation == invocation && change.turn.group == self.now.group
    }

    /// Notes that an invocation changes a word, and whether it becomes another one. Returns
    /// whether what is left depends on the order of several.
    pub(crate) fn note(
        &mut self,
        word: K,
        invocation: usize,
        atomic: Option<Opcode>,
        differs: bool,
    ) -> bool {
        let earlier = self.unordered(&word).copied();
        let is_open = earlier.is_some_and(|it| {
            let commutes = atomic.is_some_and(commutes) && atomic == it.atomic;
            it.is_open || differs && !commutes && !self.is_own(&it, invocation)
        });
        let differs = differs || earlier.is_some_and(|it| it.differs);
        let change = Change { invocation, turn: self.now, atomic, differs, is_open };
        self.last.insert(word, change);
        is_open
    }
}

/// Tells whether changes by an atomic leave the same in any order.
fn commutes(atomic: Opcode) -> bool {
    !matches!(atomic, Opcode::ATOMXCHG | Opcode::ATOMCAS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADD: Option<Opcode> = Some(Opcode::ATOMUADD);

    #[test]
    fn another_word_by_another_invocation_is_open_without_a_barrier() {
        let mut changes = Changes::default();
        assert!(!changes.note('a', 0, None, true));
        assert!(!changes.note('a', 0, None, true), "its own stores have an order");
        assert!(!changes.is_changed_by_another(&'a', 0));
        assert!(changes.is_changed_by_another(&'a', 1));
        assert!(!changes.note('a', 1, None, false), "the same word");
        assert!(changes.note('a', 2, None, true));
        assert!(changes.note('a', 2, None, false), "it stays open");
        assert!(changes.is_changed_by_another(&'a', 2));
        changes.pass_barrier();
        assert!(!changes.is_changed_by_another(&'a', 1));
        assert!(!changes.note('a', 1, None, true));
        assert!(!changes.note('c', 1, None, true));
        changes.begin_group(|word| *word == 'c');
        assert!(changes.note('a', 1, None, true), "no barrier is between groups");
        assert!(!changes.note('c', 2, None, true), "the group's own word");
        assert!(!changes.is_changed_by_another(&'b', 1));
    }

    #[test]
    fn sums_are_the_same_in_any_order() {
        let mut changes = Changes::default();
        for invocation in 0..3 {
            assert!(!changes.note('a', invocation, ADD, true));
        }
        assert!(changes.is_changed_by_another(&'a', 0), "but not what was there before");
        assert!(changes.note('a', 3, Some(Opcode::ATOMUMAX), true));
        assert!(!changes.note('b', 0, Some(Opcode::ATOMXCHG), true));
        assert!(changes.note('b', 1, Some(Opcode::ATOMXCHG), true));
    }
}

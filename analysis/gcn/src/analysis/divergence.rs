//! Divergence: the states that a lane may be in where EXEC is narrowed and widened again.
//!
//! A write of a vector register leaves inactive lanes as they are. Whether what
//! they hold is needed later depends on which saved masks have their bit: behind
//! an `if` the lanes of both its sides come back, those that were inactive before
//! it do not. So a lane at an instruction is of a *class*: its bits in EXEC and in
//! the scalar pairs that EXEC will be computed from. Every instruction that writes
//! such a pair moves lanes from classes to classes; what compares give is open.
//!
//! A class is a number whose bits are a lane's bits in the followed pairs, and a set of
//! classes is a `u64`: six pairs at once give 64 classes. The sets of classes form the
//! lattice of a forward dataflow analysis, joined by union; each block is cut into
//! [`MaskRegion`]s in which no followed mask changes, and between them stand tables from
//! each class to the set of classes that its lanes go to.
//!
//! This covers the idioms of LLVM, ACO and people alike, since nothing is matched
//! but the operations on masks. Of more than six pairs at once, in very long code of
//! fewer, the others are not followed: their bits are open then, and more registers may seem
//! live than are.

pub(super) mod mask_writes;
mod relevant_masks;
mod transitions;

use source::Checkpoint;

use super::cancellation::CancelTicker;
use super::cfg::{Block, Cfg, Direction};
use super::def_use::DefUse;
use crate::instruction::code::{EXEC, VCC};
use mask_writes::{MaskWrite, enables_lanes, mask_write, pair};
use relevant_masks::{at_end, limit_pairs, needed_before, relevant_masks};
use transitions::{is_excluded, successor_classes};

/// So many pairs are followed at once, EXEC among them: 64 classes.
const MAX_PAIRS: u32 = 6;

/// So many classes of all places together: in very long code that changes masks
/// everywhere fewer pairs are followed, so that time and room stay in bounds.
const MAX_CLASSES: usize = 1 << 21;

/// Returns the number of pairs that are followed in a code with `places` blocks and mask
/// writes.
fn max_pairs(places: usize) -> u32 {
    (2..MAX_PAIRS).rev().find(|pairs| places << (pairs + 1) <= MAX_CLASSES).map_or(2, |it| it + 1)
}

/// A class of lanes: their bits in the followed pairs, from the lowest pair to EXEC.
pub(crate) type LaneClass = usize;

/// A set of classes, a bit for each.
pub(crate) type LaneClassSet = u64;

/// A set of scalar pairs, a bit for each.
type PairSet = u64;

/// EXEC's bit in sets of pairs; the highest, so that EXEC's is the highest bit of
/// every class.
const EXEC_PAIR: PairSet = 1 << pair(EXEC);
const VCC_PAIR: PairSet = 1 << pair(VCC);
/// The classes of active lanes where no pair but EXEC is followed.
const ACTIVE: LaneClassSet = 0b10;

/// A stretch of a block in which no followed mask changes.
#[derive(Debug, Clone)]
pub(crate) struct MaskRegion {
    /// The instruction that it begins with. The one that changes masks is the last of
    /// its region: it still works on the lanes that were active.
    pub(crate) first: u32,
    /// The instruction behind it.
    pub(crate) end: u32,
    /// The followed pairs.
    tracked: PairSet,
    /// The classes that a lane may be of.
    pub(crate) reachable: LaneClassSet,
    /// True if lanes that were active at the start may not be here.
    pub(crate) narrowed: bool,
    /// The place in the transition sets where the next region's classes are listed for each
    /// of this one's; `None` for the last of a block.
    transitions: Option<u32>,
}

impl MaskRegion {
    /// Counts the classes.
    pub(crate) fn classes(&self) -> usize {
        1 << self.tracked.count_ones()
    }

    /// The classes whose lanes are active.
    pub(crate) fn active(&self) -> LaneClassSet {
        self.inactive() << (self.classes() / 2)
    }

    /// The classes whose lanes are not.
    pub(crate) fn inactive(&self) -> LaneClassSet {
        (1 << (self.classes() / 2)) - 1
    }

    /// All classes.
    fn all(&self) -> LaneClassSet {
        self.active() | self.inactive()
    }

    /// Tells whether a lane may be of a class.
    pub(crate) fn may_be(&self, class: LaneClass) -> bool {
        self.reachable >> class & 1 == 1
    }

    /// Tells whether lanes of a class are active.
    pub(crate) fn is_active(&self, class: LaneClass) -> bool {
        class >> (self.tracked.count_ones() - 1) & 1 == 1
    }
}

/// The classes of lanes throughout a code.
#[derive(Debug)]
pub(crate) struct Divergence {
    pub(crate) regions: Vec<MaskRegion>,
    /// For each block its regions.
    pub(crate) block_regions: Vec<std::ops::Range<usize>>,
    /// For each block and each of its two edges where the successor's classes are
    /// listed.
    edges: Vec<[Option<u32>; 2]>,
    /// Sets of classes.
    transition_sets: Vec<LaneClassSet>,
    /// The number of pairs that are followed.
    max_pairs: u32,
}

impl Divergence {
    /// Takes every lane for active everywhere, as holds for registers of the whole wave.
    pub(crate) fn uniform(cfg: &Cfg) -> Divergence {
        let region = |block: &Block| MaskRegion {
            first: block.first,
            end: block.end,
            tracked: EXEC_PAIR,
            reachable: if block.reachable { ACTIVE } else { 0 },
            narrowed: false,
            transitions: None,
        };
        Divergence {
            regions: cfg.blocks.iter().map(region).collect(),
            block_regions: (0..cfg.blocks.len()).map(|block| block..block + 1).collect(),
            edges: vec![[Some(0), Some(0)]; cfg.blocks.len()],
            transition_sets: vec![0, ACTIVE],
            max_pairs: 1,
        }
    }

    /// Follows the masks of a code for all lanes, also those that are inactive at the start
    /// and are woken only by a mask of which nothing is known.
    pub(crate) fn of_all_lanes(
        def_use: &[DefUse],
        cfg: &Cfg,
        checkpoint: Checkpoint<'_>,
    ) -> Divergence {
        let cancel = CancelTicker::new(checkpoint);
        let mut divergence = Divergence::of(def_use, cfg, &cancel);
        divergence.propagate(cfg, MaskRegion::all, &cancel);
        divergence
    }

    /// Follows the masks of a code.
    pub(crate) fn of(def_use: &[DefUse], cfg: &Cfg, cancel: &CancelTicker<'_>) -> Divergence {
        let write = |(index, def_use)| {
            cancel.step();
            mask_write(index, def_use)
        };
        let writes: Vec<MaskWrite> = def_use.iter().enumerate().filter_map(write).collect();
        // For each block its writes.
        let mut ranges = Vec::with_capacity(cfg.blocks.len());
        let mut at = 0;
        for block in &cfg.blocks {
            let end = writes.partition_point(|write| write.instruction < block.end);
            ranges.push(at..end);
            at = end;
        }
        let entering = relevant_masks(cfg, &writes, &ranges, cancel);
        let mut divergence = Divergence {
            regions: Vec::new(),
            block_regions: Vec::with_capacity(cfg.blocks.len()),
            edges: vec![[None, None]; cfg.blocks.len()],
            transition_sets: Vec::new(),
            max_pairs: max_pairs(writes.len() + cfg.blocks.len()),
        };
        for (index, range) in ranges.iter().enumerate() {
            cancel.step();
            divergence.add_block(cfg, index, &writes[range.clone()], &entering);
        }
        divergence.connect(cfg);
        // First only lanes that are active at the start: where one of them is inactive, the
        // code is divergent. Lanes that `s_wqm_b64` or a constant wakes come after that, or
        // all code of pixel shaders would be divergent for its helper lanes.
        divergence.propagate(cfg, MaskRegion::active, cancel);
        for region in &mut divergence.regions {
            region.narrowed = region.reachable & region.inactive() != 0;
        }
        if writes.iter().any(enables_lanes) {
            divergence.propagate(cfg, MaskRegion::all, cancel);
        }
        divergence
    }

    /// Returns the classes of the next region that lanes of a class may be of.
    pub(crate) fn next_classes(&self, region: &MaskRegion, class: LaneClass) -> LaneClassSet {
        region.transitions.map_or(0, |first| self.transition_sets[first as usize + class])
    }

    /// Returns the classes of the first region of an edge's block.
    fn edge_classes(&self, block: usize, edge: usize, class: LaneClass) -> LaneClassSet {
        self.edges[block][edge].map_or(0, |first| self.transition_sets[first as usize + class])
    }

    /// Returns the blocks behind a block, each with the classes that lanes of a class may be
    /// of at its start.
    pub(crate) fn leaving(
        &self,
        cfg: &Cfg,
        block: usize,
        class: LaneClass,
    ) -> impl Iterator<Item = (usize, LaneClassSet)> {
        let edges = cfg.blocks[block].edges.into_iter().enumerate();
        edges.filter_map(move |(place, edge)| {
            Some((edge?.to as usize, self.edge_classes(block, place, class)))
        })
    }

    /// Returns the regions of a block.
    pub(crate) fn regions_of(&self, block: usize) -> &[MaskRegion] {
        &self.regions[self.block_regions[block].clone()]
    }

    /// Cuts a block into regions at its writes of relevant masks.
    fn add_block(&mut self, cfg: &Cfg, index: usize, writes: &[MaskWrite], entering: &[u64]) {
        let start = self.regions.len();
        let block = &cfg.blocks[index];
        // Backwards from the end: which masks are relevant behind each write. A write of
        // none that is relevant moves no lane.
        let mut needed = at_end(cfg, index, entering);
        let mut cuts: Vec<(MaskWrite, u64)> = Vec::new();
        for write in writes.iter().rev() {
            if write.written & needed == 0 && !write.exchanges {
                continue;
            }
            cuts.push((*write, needed));
            needed = needed_before(write, needed);
        }
        // Then forwards: a region up to each write, with the table to the next one.
        let mut first = block.first;
        let mut tracked = limit_pairs(needed, self.max_pairs);
        for (write, after) in cuts.into_iter().rev() {
            let next = limit_pairs(after, self.max_pairs);
            if write.exchanges && first < write.instruction {
                let same = (0..1_u64 << tracked.count_ones()).map(|class| 1 << class);
                let transitions = self.add_transitions(same);
                self.add_region(first, write.instruction, tracked, Some(transitions));
                first = write.instruction;
            }
            let classes = 0..1_usize << tracked.count_ones();
            let outcomes =
                classes.map(|class| successor_classes(tracked, next, class, Some(&write)));
            let transitions = self.add_transitions(outcomes);
            self.add_region(first, write.instruction + 1, tracked, Some(transitions));
            first = write.instruction + 1;
            tracked = next;
        }
        self.add_region(first, block.end, tracked, None);
        self.block_regions.push(start..self.regions.len());
    }

    fn add_region(&mut self, first: u32, end: u32, tracked: PairSet, transitions: Option<u32>) {
        let (reachable, narrowed) = (0, false);
        self.regions.push(MaskRegion { first, end, tracked, reachable, narrowed, transitions });
    }

    /// Adds a table from classes to sets of classes, and returns its place.
    fn add_transitions(&mut self, sets: impl Iterator<Item = LaneClassSet>) -> u32 {
        let first = self.transition_sets.len() as u32;
        self.transition_sets.extend(sets);
        first
    }

    /// Makes the tables of the edges between blocks. No mask changes on an edge, but what a
    /// branch tests rules classes out, and the successor may follow other pairs.
    fn connect(&mut self, cfg: &Cfg) {
        for (index, block) in cfg.blocks.iter().enumerate() {
            let tracked = self.regions[self.block_regions[index].end - 1].tracked;
            for (place, edge) in block.edges.iter().enumerate() {
                let Some(edge) = edge else { continue };
                let next = self.regions[self.block_regions[edge.to as usize].start].tracked;
                let classes = 0..1_usize << tracked.count_ones();
                let sets = classes.map(|class| match is_excluded(edge, tracked, class) {
                    true => 0,
                    false => successor_classes(tracked, next, class, None),
                });
                self.edges[index][place] = Some(self.add_transitions(sets));
            }
        }
    }

    /// Propagates the classes of lanes forwards from those that there are at the entries:
    /// active ones alone, since lanes that never wake hold nothing that counts, or all where
    /// inactive ones may be woken.
    fn propagate(
        &mut self,
        cfg: &Cfg,
        at_entry: fn(&MaskRegion) -> LaneClassSet,
        cancel: &CancelTicker<'_>,
    ) {
        for entry in &cfg.entries {
            let first = &mut self.regions[self.block_regions[*entry as usize].start];
            first.reachable |= at_entry(first);
        }
        cfg.solve(Direction::Forward, &cfg.entries, |block| {
            cancel.step();
            let (mut set, mut reachable) = (0, 0);
            for region in self.block_regions[block].clone() {
                self.regions[region].reachable |= set;
                let own = &self.regions[region];
                reachable = own.reachable;
                set = union(reachable, |class| self.next_classes(own, class));
            }
            let mut changed = false;
            for (place, edge) in cfg.blocks[block].edges.iter().enumerate() {
                let Some(edge) = edge else { continue };
                let set = union(reachable, |class| self.edge_classes(block, place, class));
                let first = &mut self.regions[self.block_regions[edge.to as usize].start];
                changed |= set & !first.reachable != 0;
                first.reachable |= set;
            }
            changed
        });
    }
}

/// Joins the transitions of all classes of a set.
fn union(set: LaneClassSet, leads: impl Fn(LaneClass) -> LaneClassSet) -> LaneClassSet {
    bits(set).fold(0, |found, class| found | leads(class))
}

/// The members of a set, as the numbers of its bits.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// The set of some members.
pub(super) fn set_of(members: impl Iterator<Item = usize>) -> u64 {
    members.fold(0, |set, member| set | 1 << member)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_code_has_fewer_classes() {
        assert_eq!(max_pairs(1_000), 6);
        assert_eq!(max_pairs(100_000), 4);
        assert_eq!(max_pairs(10_000_000), 2);
        for places in [1, 100, 32_768, 32_769, 300_000] {
            let pairs = max_pairs(places);
            assert!((2..=MAX_PAIRS).contains(&pairs));
            assert!(places << pairs <= MAX_CLASSES || pairs == 2, "{places}");
        }
    }
}

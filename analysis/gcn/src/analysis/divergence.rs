//! What may be said of one lane where EXEC is narrowed and widened again.
//!
//! A write of a vector register leaves inactive lanes as they are. Whether what
//! they hold is needed later depends on which saved masks have their bit: behind
//! an `if` the lanes of both its sides come back, those that were inactive before
//! it do not. So a lane at an instruction is of a *class*: its bits in EXEC and in
//! the scalar pairs that EXEC will be computed from. Every instruction that writes
//! such a pair moves lanes from classes to classes; what compares give is open.
//!
//! This covers the idioms of LLVM, ACO and people alike, since nothing is matched
//! but the operations on masks. More than six pairs at once, in very long code
//! fewer, are not followed: then what the others hold is open too, and more registers may seem
//! needed than are.

mod mask_events;

use super::cancellation::Pace;
use super::cfg::{Block, Edge, Flow};
use super::code::Code;
use super::def_use::Effects;
use super::register_set::{EXEC, VCC};
use crate::behaviour::BranchCondition;
use mask_events::{Event, Source, Value, event, pair, widens};

/// So many pairs are followed at once, EXEC among them: 64 classes.
const MOST_PAIRS: u32 = 6;

/// So many classes of all places together: in very long code that changes masks
/// everywhere fewer pairs are followed, so that time and room stay in bounds.
const MOST_CLASSES: usize = 1 << 21;

/// How many pairs are followed in a code with so many blocks and changes of masks.
fn most_pairs(places: usize) -> u32 {
    (2..MOST_PAIRS).rev().find(|pairs| places << (pairs + 1) <= MOST_CLASSES).map_or(2, |it| it + 1)
}

/// EXEC's bit in sets of pairs; the highest, so that EXEC's is the highest bit of
/// every class.
const EXEC_PAIR: u64 = 1 << pair(EXEC);
const VCC_PAIR: u64 = 1 << pair(VCC);
/// The classes of active lanes where no pair but EXEC is followed.
const ACTIVE: u64 = 0b10;

/// A stretch of a block in which no followed mask changes.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    /// The instruction that it begins with. The one that changes masks is the last of
    /// its segment: it still works on the lanes that were active.
    pub(crate) first: u32,
    /// The instruction behind it.
    pub(crate) end: u32,
    /// The followed pairs.
    tracked: u64,
    /// The classes that a lane may be of.
    pub(crate) feasible: u64,
    /// Whether lanes that were active at the start may not be here.
    pub(crate) narrowed: bool,
    /// Where the classes of the next segment of the block are listed for each of this
    /// one's; `None` for the last of a block.
    step: Option<u32>,
}

impl Segment {
    /// How many classes there are.
    pub(crate) fn classes(&self) -> usize {
        1 << self.tracked.count_ones()
    }

    /// The classes whose lanes are active.
    pub(crate) fn active(&self) -> u64 {
        let half = self.classes() / 2;
        ((1 << half) - 1) << half
    }

    /// Whether lanes of a class are active.
    pub(crate) fn is_active(&self, class: usize) -> bool {
        class >> (self.tracked.count_ones() - 1) & 1 == 1
    }
}

/// The classes of lanes throughout a code.
#[derive(Debug)]
pub(crate) struct Masks {
    pub(crate) segments: Vec<Segment>,
    /// For each block its segments.
    pub(crate) of_block: Vec<std::ops::Range<u32>>,
    /// For each block and each of its two edges where the successor's classes are
    /// listed.
    edges: Vec<[Option<u32>; 2]>,
    /// Sets of classes.
    pool: Vec<u64>,
    /// How many pairs are followed.
    most: u32,
}

impl Masks {
    /// Every lane is active everywhere: what holds of registers that the whole wave has.
    pub(crate) fn none(flow: &Flow) -> Masks {
        let segment = |block: &Block| Segment {
            first: block.first,
            end: block.end,
            tracked: EXEC_PAIR,
            feasible: if block.reachable { ACTIVE } else { 0 },
            narrowed: false,
            step: None,
        };
        Masks {
            segments: flow.blocks.iter().map(segment).collect(),
            of_block: (0..flow.blocks.len() as u32).map(|block| block..block + 1).collect(),
            edges: vec![[Some(0), Some(0)]; flow.blocks.len()],
            pool: vec![0, ACTIVE],
            most: 1,
        }
    }

    /// Follows the masks of a code for all lanes, also those that are inactive at the start
    /// and are woken only by a mask of which nothing is known.
    pub(crate) fn of_all_lanes(code: &Code, effects: &[Effects], flow: &Flow) -> Masks {
        let pace = Pace::new(&text::no_checkpoint);
        let mut masks = Masks::of(code, effects, flow, &pace);
        masks.reach(flow, true, &pace);
        masks
    }

    /// Follows the masks of a code.
    pub(crate) fn of(code: &Code, effects: &[Effects], flow: &Flow, pace: &Pace<'_>) -> Masks {
        let events: Vec<Event> = effects
            .iter()
            .take(code.instructions.len())
            .enumerate()
            .filter_map(|(index, effects)| {
                pace.step();
                event(index, effects)
            })
            .collect();
        // For each block its events.
        let mut ranges = Vec::with_capacity(flow.blocks.len());
        let mut at = 0;
        for block in &flow.blocks {
            let start = at;
            while events.get(at).is_some_and(|event| event.instruction < block.end) {
                at += 1;
            }
            ranges.push(start..at);
        }
        let entering = relevant(flow, &events, &ranges, pace);
        let mut masks = Masks {
            segments: Vec::new(),
            of_block: Vec::with_capacity(flow.blocks.len()),
            edges: vec![[None, None]; flow.blocks.len()],
            pool: Vec::new(),
            most: most_pairs(events.len() + flow.blocks.len()),
        };
        for (index, range) in ranges.iter().enumerate() {
            pace.step();
            masks.add_block(flow, index, events.get(range.clone()).unwrap_or_default(), &entering);
        }
        masks.connect(flow);
        masks.reach(flow, false, pace);
        for segment in &mut masks.segments {
            let inactive = (1 << (segment.classes() / 2)) - 1;
            segment.narrowed = segment.feasible & inactive != 0;
        }
        if events.iter().any(widens) {
            masks.reach(flow, true, pace);
        }
        masks
    }

    /// The classes of the next segment that lanes of a class may be of.
    pub(crate) fn step(&self, segment: &Segment, class: usize) -> u64 {
        let at = segment.step.map(|step| step as usize + class);
        at.and_then(|at| self.pool.get(at)).copied().unwrap_or(0)
    }

    /// The classes of the first segment of an edge's block.
    pub(crate) fn edge(&self, block: usize, edge: usize, class: usize) -> u64 {
        let start = self.edges.get(block).and_then(|edges| edges.get(edge).copied().flatten());
        start.and_then(|start| self.pool.get(start as usize + class)).copied().unwrap_or(0)
    }

    /// The segments of a block.
    pub(crate) fn segments_of(&self, block: usize) -> &[Segment] {
        let range = self.of_block.get(block).cloned().unwrap_or(0..0);
        self.segments.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    fn add_block(&mut self, flow: &Flow, index: usize, events: &[Event], entering: &[u64]) {
        let start = self.segments.len() as u32;
        let Some(block) = flow.blocks.get(index) else { return };
        // Back from the end, then forward again with what counts where.
        let mut needed = at_end(flow, index, entering);
        let mut changes: Vec<(Event, u64, u64)> = Vec::new();
        for event in events.iter().rev() {
            if event.written & needed == 0 && !event.exchanges {
                continue;
            }
            let after = needed;
            needed = before(event, needed);
            changes.push((*event, needed, after));
        }
        let mut first = block.first;
        let mut tracked = clip(needed, self.most);
        for (event, _, after) in changes.into_iter().rev() {
            let next = clip(after, self.most);
            if event.exchanges && first < event.instruction {
                let step = self.pool.len() as u32;
                self.pool.extend((0..1_u64 << tracked.count_ones()).map(|class| 1 << class));
                let end = event.instruction;
                self.segments.push(Segment {
                    first,
                    end,
                    tracked,
                    feasible: 0,
                    narrowed: false,
                    step: Some(step),
                });
                first = end;
            }
            let step = self.pool.len() as u32;
            for class in 0..1_usize << tracked.count_ones() {
                self.pool.push(outcomes(tracked, next, class, Some(&event)));
            }
            let end = event.instruction + 1;
            self.segments.push(Segment {
                first,
                end,
                tracked,
                feasible: 0,
                narrowed: false,
                step: Some(step),
            });
            first = end;
            tracked = next;
        }
        let segment =
            Segment { first, end: block.end, tracked, feasible: 0, narrowed: false, step: None };
        self.segments.push(segment);
        self.of_block.push(start..self.segments.len() as u32);
    }

    fn connect(&mut self, flow: &Flow) {
        for (index, block) in flow.blocks.iter().enumerate() {
            let Some(tracked) = self.segments_of(index).last().map(|last| last.tracked) else {
                continue;
            };
            for (place, edge) in block.edges.iter().enumerate() {
                let Some(edge) = edge else { continue };
                let first = self.segments_of(edge.to as usize).first();
                let next = first.map_or(EXEC_PAIR, |first| first.tracked);
                let start = self.pool.len() as u32;
                for class in 0..1_usize << tracked.count_ones() {
                    let goes = !is_excluded(edge, tracked, class);
                    let set = if goes { outcomes(tracked, next, class, None) } else { 0 };
                    self.pool.push(set);
                }
                if let Some(edges) = self.edges.get_mut(index) {
                    edges[place] = Some(start);
                }
            }
        }
    }

    /// Which classes a lane may be of that is active at an entry, or, where lanes are
    /// woken, of any.
    fn reach(&mut self, flow: &Flow, wakes: bool, pace: &Pace<'_>) {
        let mut waiting = vec![false; flow.blocks.len()];
        for entry in &flow.entries {
            let range = self.of_block.get(*entry as usize).cloned().unwrap_or(0..0);
            if let Some(first) = self.segments.get_mut(range.start as usize) {
                let classes = first.classes();
                for class in 0..classes {
                    // Lanes that never wake hold nothing that counts.
                    if wakes || first.is_active(class) {
                        first.feasible |= 1 << class;
                    }
                }
            }
            if let Some(waiting) = waiting.get_mut(*entry as usize) {
                *waiting = true;
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for index in flow.order.iter().map(|block| *block as usize) {
                if !std::mem::take(&mut waiting[index]) {
                    continue;
                }
                pace.step();
                let range = self.of_block.get(index).cloned().unwrap_or(0..0);
                let mut set = 0;
                for segment in range.clone() {
                    let Some(own) = self.segments.get_mut(segment as usize) else { continue };
                    if segment > range.start {
                        own.feasible |= set;
                    }
                    let own = own.clone();
                    set = union(own.feasible, |class| self.step(&own, class));
                    if segment + 1 < range.end {
                        continue;
                    }
                    let edges = flow.blocks.get(index).map(|block| block.edges);
                    for (place, edge) in edges.unwrap_or_default().iter().enumerate() {
                        let Some(edge) = edge else { continue };
                        let to = edge.to as usize;
                        let set = union(own.feasible, |class| self.edge(index, place, class));
                        let first = self.of_block.get(to).map_or(0, |range| range.start);
                        let Some(first) = self.segments.get_mut(first as usize) else { continue };
                        if first.feasible | set != first.feasible {
                            first.feasible |= set;
                            waiting[to] = true;
                            changed = true;
                        }
                    }
                }
            }
        }
    }
}

/// What the classes of a set lead to.
fn union(set: u64, mut leads: impl FnMut(usize) -> u64) -> u64 {
    let mut found = 0;
    let mut rest = set;
    while rest != 0 {
        found |= leads(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
    found
}

/// The pairs that EXEC, here or later, is computed from, where each block begins.
fn relevant(
    flow: &Flow,
    events: &[Event],
    ranges: &[std::ops::Range<usize>],
    pace: &Pace<'_>,
) -> Vec<u64> {
    let mut entering = vec![EXEC_PAIR; flow.blocks.len()];
    let mut waiting = vec![true; flow.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for index in flow.order.iter().rev().map(|block| *block as usize) {
            if !std::mem::take(&mut waiting[index]) {
                continue;
            }
            pace.step();
            let own = ranges.get(index).and_then(|range| events.get(range.clone()));
            let mut needed = at_end(flow, index, &entering);
            for event in own.unwrap_or_default().iter().rev() {
                needed = before(event, needed);
            }
            if needed != entering[index] {
                entering[index] = needed;
                changed = true;
                for predecessor in &flow.blocks[index].predecessors {
                    waiting[*predecessor as usize] = true;
                }
            }
        }
    }
    entering
}

fn at_end(flow: &Flow, index: usize, entering: &[u64]) -> u64 {
    let mut needed = EXEC_PAIR;
    let edges = flow.blocks.get(index).map(|block| block.edges).unwrap_or_default();
    for edge in edges.into_iter().flatten() {
        needed |= entering.get(edge.to as usize).copied().unwrap_or(0);
        if matches!(
            edge.condition,
            Some((BranchCondition::VccZero | BranchCondition::VccNotZero, _))
        ) {
            needed |= VCC_PAIR;
        }
    }
    needed
}

fn before(event: &Event, after: u64) -> u64 {
    let mut needed = after & !event.written;
    for (pair, value) in event.values.iter().flatten() {
        if after >> pair & 1 == 0 {
            continue;
        }
        let sources = match *value {
            Value::Table(_, first, second) | Value::Either(first, second) => [first, second],
            Value::Widened(first) => [first, Source::Open],
            Value::Open | Value::ActiveOpen | Value::AsFirst => continue,
        };
        for source in sources {
            if let Source::Pair(pair) = source {
                needed |= 1 << pair;
            }
        }
    }
    needed | EXEC_PAIR
}

/// The pairs that are followed of those that count.
fn clip(mut needed: u64, most: u32) -> u64 {
    while needed.count_ones() > most {
        let others = needed & !EXEC_PAIR;
        needed &= !(1 << (63 - others.leading_zeros()));
    }
    needed | EXEC_PAIR
}

/// The bit of a pair in a class; `None` where it is not followed.
fn bit(tracked: u64, class: usize, pair: u8) -> Option<bool> {
    if tracked >> pair & 1 == 0 {
        return None;
    }
    let place = (tracked & ((1 << pair) - 1)).count_ones();
    Some(class >> place & 1 == 1)
}

/// The values that a bit may have: bit 0 for clear, bit 1 for set.
type Bits = u8;
const OPEN: Bits = 3;

fn bits_of(value: Option<bool>) -> Bits {
    match value {
        None => OPEN,
        Some(set) => 1 << u8::from(set),
    }
}

/// The classes that lanes of a class may be of behind an instruction.
fn outcomes(tracked: u64, next: u64, class: usize, event: Option<&Event>) -> u64 {
    let written = |pair: u8| {
        let event = event.filter(|event| event.written >> pair & 1 == 1)?;
        let value = event.values.iter().flatten().find(|(own, _)| *own == pair);
        Some(value.map_or(Value::Open, |(_, value)| *value))
    };
    let first = event.and_then(|event| event.values[0]);
    let mut found: u64 = 1;
    let mut place = 0;
    // The place of the first value's bit, which another may repeat.
    let mut repeated = None;
    let mut rest = next;
    while rest != 0 {
        let pair = rest.trailing_zeros() as u8;
        rest &= rest - 1;
        let bits = match written(pair) {
            None => bits_of(bit(tracked, class, pair)),
            Some(Value::AsFirst) => match (repeated, first) {
                (Some(earlier), _) => {
                    found = spread_as(found, place, earlier);
                    place += 1;
                    continue;
                }
                (None, Some((_, value))) => evaluate(value, tracked, class),
                (None, None) => OPEN,
            },
            Some(value) => evaluate(value, tracked, class),
        };
        if first.is_some_and(|(own, _)| own == pair) {
            repeated = Some(place);
        }
        let set = if bits & 2 != 0 { found << (1_u64 << place) } else { 0 };
        found = if bits & 1 != 0 { found } else { 0 } | set;
        place += 1;
    }
    found
}

/// Adds a bit to classes that is the same as an earlier one.
fn spread_as(classes: u64, place: u32, earlier: u32) -> u64 {
    let mut found = 0;
    let mut rest = classes;
    while rest != 0 {
        let class = rest.trailing_zeros();
        rest &= rest - 1;
        found |= 1 << (class | (class >> earlier & 1) << place);
    }
    found
}

fn evaluate(value: Value, tracked: u64, class: usize) -> Bits {
    let source = |source: Source| match source {
        Source::Pair(pair) => bits_of(bit(tracked, class, pair)),
        Source::Constant(set) => bits_of(Some(set)),
        Source::Open => OPEN,
    };
    match value {
        Value::Open | Value::AsFirst => OPEN,
        Value::ActiveOpen => match bit(tracked, class, pair(EXEC) as u8) {
            Some(false) => 1,
            _ => OPEN,
        },
        Value::Either(first, second) => source(first) | source(second),
        Value::Widened(first) => match source(first) {
            2 => 2,
            _ => OPEN,
        },
        Value::Table(table, first, second) => {
            let (first, second) = (source(first), source(second));
            let mut found = 0;
            for row in 0..4 {
                let (a, b) = (row & 1, row >> 1);
                if first >> a & 1 == 1 && second >> b & 1 == 1 {
                    found |= 1 << (table >> row & 1);
                }
            }
            found
        }
    }
}

/// Whether a branch tells that lanes of a class do not go this way: where EXEC or
/// VCC is zero, so is every lane's bit.
fn is_excluded(edge: &Edge, tracked: u64, class: usize) -> bool {
    let set = |code| bit(tracked, class, pair(code) as u8) == Some(true);
    match edge.condition {
        Some((BranchCondition::ExecZero, true) | (BranchCondition::ExecNotZero, false)) => {
            set(EXEC)
        }
        Some((BranchCondition::VccZero, true) | (BranchCondition::VccNotZero, false)) => set(VCC),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_code_has_fewer_classes() {
        assert_eq!(most_pairs(1_000), 6);
        assert_eq!(most_pairs(100_000), 4);
        assert_eq!(most_pairs(10_000_000), 2);
        for places in [1, 100, 32_768, 32_769, 300_000] {
            let pairs = most_pairs(places);
            assert!((2..=MOST_PAIRS).contains(&pairs));
            assert!(places << pairs <= MOST_CLASSES || pairs == 2, "{places}");
        }
    }
}

//! Transitions between classes: a mask write moves lanes of one class to others.

use super::mask_writes::{MaskSource, MaskValue, MaskWrite, pair};
use super::{LaneClass, LaneClassSet, PairSet, bits, set_of};
use crate::analysis::cfg::Edge;
use crate::behaviour::BranchCondition;
use crate::instruction::code::{EXEC, VCC};

/// Returns the bit of a pair in a class; `None` where it is not followed.
fn bit(tracked: PairSet, class: LaneClass, pair: u8) -> Option<bool> {
    if tracked >> pair & 1 == 0 {
        return None;
    }
    let place = (tracked & ((1 << pair) - 1)).count_ones();
    Some(class >> place & 1 == 1)
}

/// The values that a bit may have, a lattice: bit 0 for clear, bit 1 for set, both where
/// nothing is known.
type PossibleBits = u8;
const OPEN: PossibleBits = 3;

fn bits_of(value: Option<bool>) -> PossibleBits {
    match value {
        None => OPEN,
        Some(set) => 1 << u8::from(set),
    }
}

/// Returns the classes that lanes of a class may be of behind a mask write, or, without
/// one, where other pairs are followed.
pub(super) fn successor_classes(
    tracked: PairSet,
    next: PairSet,
    class: LaneClass,
    write: Option<&MaskWrite>,
) -> LaneClassSet {
    // Mostly the same pairs are followed behind an edge.
    if write.is_none() && tracked == next {
        return 1 << class;
    }
    let written = |pair: u8| {
        let write = write.filter(|write| write.written >> pair & 1 == 1)?;
        let value = write.values.iter().flatten().find(|(own, _)| *own == pair);
        Some(value.map_or(MaskValue::Open, |(_, value)| *value))
    };
    let first = write.and_then(|write| write.values[0]);
    // The set grows bit by bit: each followed pair doubles it where its bit is open, keeps
    // it where the bit is clear, and moves it up where the bit is set.
    let mut found: LaneClassSet = 1;
    // The place of the first value's bit, which another may repeat.
    let mut repeated = None;
    for (place, pair) in (0..).zip(bits(next).map(|pair| pair as u8)) {
        let possible = match written(pair) {
            None => bits_of(bit(tracked, class, pair)),
            Some(MaskValue::AsFirst) => match (repeated, first) {
                (Some(earlier), _) => {
                    found = spread_as(found, place, earlier);
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
        let set = if possible & 2 != 0 { found << (1_u64 << place) } else { 0 };
        found = if possible & 1 != 0 { found } else { 0 } | set;
    }
    found
}

/// Adds a bit to classes that equals an earlier one: EXEC and its copy are never open
/// apart from each other.
fn spread_as(classes: LaneClassSet, place: u32, earlier: u32) -> LaneClassSet {
    set_of(bits(classes).map(|class| class | (class >> earlier & 1) << place))
}

fn evaluate(value: MaskValue, tracked: PairSet, class: LaneClass) -> PossibleBits {
    let source = |source: MaskSource| match source {
        MaskSource::Pair(pair) => bits_of(bit(tracked, class, pair)),
        MaskSource::Constant(set) => bits_of(Some(set)),
        MaskSource::Open => OPEN,
    };
    match value {
        MaskValue::Open | MaskValue::AsFirst => OPEN,
        // A compare clears the bits of inactive lanes.
        MaskValue::ActiveOpen => match bit(tracked, class, pair(EXEC) as u8) {
            Some(false) => 1,
            _ => OPEN,
        },
        MaskValue::Either(first, second) => source(first) | source(second),
        MaskValue::Widened(first) => match source(first) {
            2 => 2,
            _ => OPEN,
        },
        MaskValue::Table(table, first, second) => {
            let (first, second) = (source(first), source(second));
            // The union over all rows of the truth table that the sources may select.
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

/// Tells whether a branch tells that lanes of a class do not go this way: where EXEC or VCC
/// is zero, so is every lane's bit.
pub(super) fn is_excluded(edge: &Edge, tracked: PairSet, class: LaneClass) -> bool {
    let set = |code| bit(tracked, class, pair(code) as u8) == Some(true);
    match edge.condition {
        Some((BranchCondition::ExecZero, true) | (BranchCondition::ExecNotZero, false)) => {
            set(EXEC)
        }
        Some((BranchCondition::VccZero, true) | (BranchCondition::VccNotZero, false)) => set(VCC),
        _ => false,
    }
}

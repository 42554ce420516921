//! Computations that are the same in each round of a loop, before it.

use gcn::analysis::RegisterSet;
use gcn::program::Options;

use super::dominance::Dominance;
use super::holding::{Writer, crosses_lanes, is_general, writers, writes_exec};
use super::listing::{Kind, Listing};
use super::text_of;

/// Loops that computations are moved out of, at most, one after the other.
const MOST_LOOPS: usize = 8;

/// The lines without computations in loops that could stand before them; `None` where there are
/// none. It pays where values have registers of their own.
pub(super) fn hoisted(lines: &[String], options: &Options) -> Option<Vec<String>> {
    let mut found: Option<Vec<String>> = None;
    for _ in 0..MOST_LOOPS {
        let listing = Listing::read(&text_of(found.as_deref().unwrap_or(lines)), options)?;
        let loops = 0..listing.cfg.loops.len();
        match loops.into_iter().find_map(|number| out_of(&listing, number)) {
            Some(lines) => found = Some(lines),
            None => break,
        }
    }
    found
}

/// The lines with what is the same in each round of a loop in front of it.
fn out_of(listing: &Listing, number: usize) -> Option<Vec<String>> {
    let (cfg, own) = (&listing.cfg, listing.cfg.loops.get(number)?);
    let writers = writers(listing)?;
    let dominance = Dominance::of(cfg)?;
    let is_inside = |block: usize| {
        let mut inner = cfg.blocks.get(block).and_then(|it| it.inner_loop);
        while let Some(around) = inner.filter(|it| *it as usize != number) {
            inner = cfg.loops.get(around as usize).and_then(|it| it.parent);
        }
        inner.is_some()
    };
    // One block leads to the loop, and nowhere else.
    let header = cfg.blocks.get(own.header as usize)?;
    let mut before = header.predecessors.iter().filter(|block| !is_inside(**block as usize));
    let (Some(before), None) = (before.next(), before.next()) else { return None };
    let before = cfg.blocks.get(*before as usize)?;
    if !own.reducible || before.successors().count() != 1 {
        return None;
    }
    let blocks = (0..cfg.blocks.len()).filter(|block| is_inside(*block));
    let places: Vec<usize> = blocks.flat_map(|block| cfg.blocks[block].instructions()).collect();
    let instruction = |place: usize| &listing.instructions[place];
    let keeps_lanes = places.iter().all(|place| !writes_exec(&instruction(*place).writes));
    let is_free = |place: usize| {
        let it = instruction(place);
        let is_vector = it.text.starts_with("v_");
        let plain = it.writes.registers().all(|register| {
            is_general(register) && writers.get(&register) == Some(&Writer::One(place))
        });
        let reads =
            it.reads.registers().filter(|register| !writes_exec(&RegisterSet::of(*register)));
        it.kind == Kind::Free
            && plain
            && reads.into_iter().all(is_general)
            && !it.writes.meets(listing.liveness.before(0))
            && !crosses_lanes(&it.text)
            && (keeps_lanes || !is_vector)
            && is_read_behind(listing, &dominance, place)
    };
    let mut written =
        places.iter().fold(RegisterSet::EMPTY, |all, place| all.union(&instruction(*place).writes));
    let mut moved = Vec::new();
    for place in places {
        if is_free(place) && !instruction(place).reads.meets(&written) {
            written = written.without(&instruction(place).writes);
            moved.push(instruction(place).line);
        }
    }
    let last = before.instructions().next_back()?;
    let is_jump = instruction(last).kind == Kind::Wall;
    let target = instruction(last).line + usize::from(!is_jump);
    if moved.is_empty() {
        return None;
    }
    let mut lines = Vec::with_capacity(listing.lines.len());
    for (line, text) in listing.lines.iter().enumerate() {
        if line == target {
            lines.extend(moved.iter().filter_map(|line| listing.lines.get(*line).cloned()));
        }
        if !moved.contains(&line) {
            lines.push(text.clone());
        }
    }
    Some(lines)
}

/// Tells whether what an instruction writes is read behind it alone.
fn is_read_behind(listing: &Listing, dominance: &Dominance, place: usize) -> bool {
    let writes = &listing.instructions[place].writes;
    let readers = listing.instructions.iter().enumerate().filter(|(_, it)| it.reads.meets(writes));
    readers.map(|(at, _)| at).all(|at| dominance.before(place, at))
}

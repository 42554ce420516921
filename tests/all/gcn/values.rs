//! Reaching definitions, against every path of a lane through random programs.

use std::collections::{BTreeMap, BTreeSet};

use gcn::Target;
use gcn::analysis::{Dataflow, MemberKind, Origin};
use gcn::instruction::{Bank, Register};
use proptest::prelude::*;
use tests::code_lines::from_lines;
use tests::lane_programs::{Bits, EXEC, Step, all_bits, next, number, reached_from, step, text_of};

/// The steps that may have written what a lane holds; the highest bit for the start.
type Writers = u64;
const START: Writers = 1 << 63;

fn dataflow(text: &str) -> Dataflow {
    let target = Target::find("vega10").expect("a chip");
    let code = from_lines(target, text);
    Dataflow::of(
        code.unwrap_or_else(|problem| panic!("{problem:?} in\n{text}")),
        &source::no_checkpoint,
    )
}

/// Returns how a step writes a register in a lane: not at all, a part of it or all.
fn writes(step: &Step, register: usize, bits: Bits) -> Option<bool> {
    match step {
        Step::Vector { text, write: Some((own, whole)), .. } if *own == register => {
            let any = text.starts_with("v_writelane");
            (any || bits[EXEC]).then_some(*whole)
        }
        Step::Swap { registers, .. } => {
            (bits[EXEC] && registers.contains(&register)).then_some(true)
        }
        _ => None,
    }
}

fn reads(step: &Step, register: usize, bits: Bits) -> bool {
    match step {
        Step::Vector { reads, .. } | Step::Compare { reads, .. } => {
            bits[EXEC] && reads.contains(&register)
        }
        Step::Swap { registers, .. } => bits[EXEC] && registers.contains(&register),
        Step::ReadLane { read, .. } => *read == register,
        _ => false,
    }
}

/// For each step that reads a register who may have written what it gets, found by going
/// through all states that a lane can be in.
fn read_from(steps: &[Step], register: usize) -> BTreeMap<usize, Writers> {
    let reached = reached_from(steps, all_bits());
    let mut held = vec![[0; 32]; steps.len()];
    held[0] = [START; 32];
    let mut changed = true;
    while changed {
        changed = false;
        for at in 0..steps.len() {
            for bits in all_bits().filter(|bits| reached[at][number(*bits)]) {
                let mut writers = held[at][number(bits)];
                match writes(&steps[at], register, bits) {
                    Some(true) => writers = 1 << at,
                    Some(false) => writers |= 1 << at,
                    None => {}
                }
                for (to, bits) in next(steps, at, bits) {
                    let place = &mut held[to][number(bits)];
                    changed |= *place | writers != *place;
                    *place |= writers;
                }
            }
        }
    }
    let mut found = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        for bits in all_bits().filter(|bits| reached[at][number(*bits)]) {
            if reads(step, register, bits) {
                *found.entry(at).or_default() |= held[at][number(bits)];
            }
        }
    }
    found
}

/// Joins sets that share a member.
fn joined(sets: Vec<BTreeSet<(usize, MemberKind)>>) -> Vec<BTreeSet<(usize, MemberKind)>> {
    let mut all: Vec<BTreeSet<(usize, MemberKind)>> = Vec::new();
    for mut set in sets {
        all.retain(|other| {
            let apart = other.is_disjoint(&set);
            if !apart {
                set.extend(other.iter().copied());
            }
            apart
        });
        all.push(set);
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_read_has_its_writes_on_every_path(
        numbers in prop::collection::vec(any::<[u8; 5]>(), 2..28)
    ) {
        let length = numbers.len() + 1;
        let mut steps: Vec<Step> = numbers.iter().map(|n| step(*n, length)).collect();
        steps.push(Step::End);
        let text = text_of(&steps);
        let cfg = dataflow(&text);
        for register in 0..5 {
            let single = Register { bank: Bank::Vector, first: register as u16, dwords: 1 };
            let expected = read_from(&steps, register);
            let mut sets = Vec::new();
            for (at, writers) in &expected {
                let mut found: Writers = 0;
                for origin in cfg.origins(*at as u32, single) {
                    found |= match origin {
                        Origin::Entry(_) => START,
                        Origin::Instruction(index) => 1 << index,
                        Origin::Call(_) => return Err(TestCaseError::fail("nothing is called")),
                    };
                }
                prop_assert_eq!(
                    found, *writers, "v{} in step {}: {:b}, not {:b}\n{}", register, at, found,
                    writers, text
                );
                let mut set = BTreeSet::from([(*at, MemberKind::Use)]);
                set.extend((0..64).filter(|bit| writers >> bit & 1 == 1).map(|bit| (bit, MemberKind::Def)));
                sets.push(set);
            }
            // A value's members are those that reads and writes join, and no others; a part
            // that nobody reads may stay with what it was written over.
            let webs = cfg.webs(single);
            let web_of = |(at, kind): (usize, MemberKind)| {
                let own = |it: &&gcn::analysis::Member| it.instruction as usize == at && it.kind == kind;
                webs.members.iter().filter(own).map(|it| it.web).collect::<BTreeSet<u32>>()
            };
            let groups = joined(sets);
            for group in &groups {
                let webs: BTreeSet<u32> =
                    group.iter().filter(|it| it.0 < 63).flat_map(|it| web_of(*it)).collect();
                let twice = |text: &str| text == format!("v_swap_b32 v{register}, v{register}");
                let lone = steps.iter().filter(|step| {
                    matches!(step, Step::Swap { text, .. } if twice(text))
                });
                prop_assert!(webs.len() <= 1 + lone.count(), "v{register}: {group:?} in\n{text}");
            }
            let partly = steps.iter().any(|it| matches!(it, Step::Vector { write: Some((own, false)), .. } if *own == register));
            if !partly {
                let read_webs: BTreeSet<u32> = webs.members.iter()
                    .filter(|it| it.kind == MemberKind::Use)
                    // Where no lane is ever active, nothing is read.
                    .filter(|it| expected.contains_key(&(it.instruction as usize)))
                    .map(|it| it.web).collect();
                prop_assert_eq!(read_webs.len(), groups.len(), "values of v{} in\n{}", register, text);
            }
        }
    }
}

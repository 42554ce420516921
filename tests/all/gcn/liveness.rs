//! Liveness against every path of a lane through random programs.

use gcn::Target;
use gcn::analysis::{Cfg, Code, DefUse, Liveness};
use proptest::prelude::*;
use tests::code_lines::from_lines;
use tests::lane_programs::{
    Branch, EXEC, Operand, Step, VCC, all_bits, next, number, reached, step, text_of,
};

fn analyse(target: Target, text: &str) -> (Code, Cfg, Liveness) {
    let code = from_lines(target, text).unwrap_or_else(|problem| panic!("{problem:?} in\n{text}"));
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    let liveness = Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint);
    (code, cfg, liveness)
}

/// The vector registers that some lane needs before each step, found by going through
/// all states that a lane can be in.
fn needs(steps: &[Step]) -> Vec<u8> {
    let reached = reached(steps);
    let mut needed = vec![[0_u8; 32]; steps.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..steps.len()).rev() {
            for bits in all_bits().filter(|bits| reached[at][number(*bits)]) {
                let ahead = next(steps, at, bits);
                let mut live =
                    ahead.iter().fold(0, |live, (to, bits)| live | needed[*to][number(*bits)]);
                match &steps[at] {
                    Step::Vector { reads, write, .. } if bits[EXEC] => {
                        if let Some((register, true)) = write {
                            live &= !(1 << register);
                        }
                        live = reads.iter().fold(live, |live, register| live | 1 << register);
                    }
                    Step::Compare { reads, .. } if bits[EXEC] => {
                        live = reads.iter().fold(live, |live, register| live | 1 << register);
                    }
                    Step::Swap { registers: [a, b], .. } if bits[EXEC] => {
                        let (one, other) = (live >> a & 1, live >> b & 1);
                        live = live & !(1 << a | 1 << b) | other << a | one << b;
                    }
                    Step::ReadLane { read, .. } => live |= 1 << read,
                    _ => {}
                }
                let place = &mut needed[at][number(bits)];
                changed |= *place != live;
                *place = live;
            }
        }
    }
    needed.iter().map(|states| states.iter().fold(0, |all, live| all | live)).collect()
}

/// The masks, EXEC aside, that are needed before each step: scalar registers follow the
/// control flow alone, whatever the lanes do.
fn scalar_needs(steps: &[Step]) -> Vec<u8> {
    let mut needed = vec![0_u8; steps.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..steps.len()).rev() {
            let mut live = 0;
            // Without lanes every branch may go both ways.
            let (stays, goes) = match &steps[at] {
                Step::End => (false, None),
                Step::Branch { kind: Branch::Always, to } => (false, Some(*to)),
                Step::Branch { to, .. } => (true, Some(*to)),
                _ => (true, None),
            };
            if stays {
                live |= needed[at + 1];
            }
            live |= goes.map_or(0, |to| needed[to]);
            let (written, read) = match &steps[at] {
                Step::Compare { mask, .. } => (Some(*mask), vec![]),
                Step::Mask { mask, sources, .. } => {
                    let read = sources.iter().filter_map(|source| match source {
                        Operand::Mask(mask) => Some(*mask),
                        Operand::Constant(_) => None,
                    });
                    (Some(*mask), read.collect())
                }
                Step::Open { mask, keep_set, .. } => {
                    (Some(*mask), keep_set.iter().copied().collect())
                }
                Step::Branch { kind: Branch::VccZero | Branch::VccNotZero, .. } => {
                    (None, vec![VCC])
                }
                _ => (None, vec![]),
            };
            live &= !written.map_or(0, |mask| 1 << mask);
            live |= read.iter().fold(0, |all, mask| all | 1 << mask);
            live &= !(1 << EXEC);
            changed |= needed[at] != live;
            needed[at] = live;
        }
    }
    needed
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_path_of_every_lane(numbers in prop::collection::vec(any::<[u8; 5]>(), 2..28)) {
        let length = numbers.len() + 1;
        let mut steps: Vec<Step> = numbers.iter().map(|n| step(*n, length)).collect();
        steps.push(Step::End);
        let text = text_of(&steps);
        let (_, _, liveness) = analyse(Target::find("vega10").unwrap(), &text);
        let expected = needs(&steps);
        for (index, expected) in expected.iter().enumerate() {
            let found = liveness.before(index).vector[0] as u8;
            prop_assert_eq!(found, *expected, "before step {} of\n{}", index, text);
        }
        let reached = |index: usize| !liveness.before(index).is_empty();
        for (index, expected) in scalar_needs(&steps).iter().enumerate() {
            let scalar = liveness.before(index).scalar;
            let pairs = [126, 106, 0, 2, 4].map(|code: u32| scalar >> code & 3);
            let found = (1..5).fold(0, |all, mask| all | u8::from(pairs[mask] == 3) << mask);
            prop_assert!(pairs[1..].iter().all(|pair| matches!(pair, 0 | 3)));
            if reached(index) || index == 0 {
                prop_assert_eq!(found, *expected, "masks before step {} of\n{}", index, text);
            }
        }
    }
}

//! Liveness against cases that were reasoned out, and against every path of a lane
//! through random programs.

use gcn::Target;
use gcn::cost::{AddressCounts, Code, Effects, Flow, Liveness};
use proptest::prelude::*;
use serde_json::Value;
use tests::corpora::shared;

fn analyse(target: Target, text: &str) -> (Code, Flow, Liveness) {
    let code = Code::from_lines(target, text, AddressCounts::Named)
        .unwrap_or_else(|problem| panic!("{problem:?} in\n{text}"));
    let effects = Effects::of_all(&code);
    let flow = Flow::of(&code, &effects);
    let liveness = Liveness::of(&code, &effects, &flow);
    (code, flow, liveness)
}

#[test]
fn cases_that_others_get_wrong() {
    let Some(path) = shared("data/perf/liveness_cases.json") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    for case in &cases {
        let target = Target::find(match case["gfx"].as_str().unwrap() {
            "gfx7" => "bonaire",
            // The last chips that have the instruction.
            _ if case["case"] == "movreld_indirect" => "polaris10",
            _ => "vega10",
        });
        let words = |key: &str| -> Vec<String> {
            let list = case[key].as_array().unwrap();
            list.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
        };
        let (_, _, liveness) = analyse(target.unwrap(), &words("asm").join("\n"));
        let vector = case["regs"] == "vgpr";
        let found: Vec<String> = liveness
            .before(0)
            .registers()
            .filter(|register| (register.bank == gcn::instruction::Bank::Vector) == vector)
            .filter(|register| vector || register.first < 102)
            .map(|register| format!("{}{}", if vector { 'v' } else { 's' }, register.first))
            .collect();
        assert_eq!(found, words("live_in"), "{}: {}", case["case"], case["why"]);
    }
    eprintln!("{} cases", cases.len());
    assert!(cases.len() >= 15);
}

/// Masks by index: EXEC, VCC, then pairs of numbered registers.
const MASKS: [&str; 5] = ["exec", "vcc", "s[0:1]", "s[2:3]", "s[4:5]"];
const EXEC: usize = 0;
const VCC: usize = 1;

#[derive(Debug, Clone, Copy)]
enum Branch {
    Always,
    Scalar,
    ExecZero,
    ExecNotZero,
    VccZero,
    VccNotZero,
}

#[derive(Debug, Clone)]
enum Step {
    /// Text, sources read, destination and whether all of it is written.
    Vector {
        text: String,
        reads: Vec<usize>,
        write: Option<(usize, bool)>,
    },
    /// Two registers are exchanged.
    Swap {
        text: String,
        registers: [usize; 2],
    },
    /// Text and the register of which an inactive lane may be read.
    ReadLane {
        text: String,
        read: usize,
    },
    /// A compare into a mask, and into EXEC too.
    Compare {
        text: String,
        reads: Vec<usize>,
        mask: usize,
        exec: bool,
    },
    /// `d = operation(a, b)`; with `save`, d gets EXEC and EXEC the result.
    Mask {
        text: String,
        table: u8,
        sources: [Operand; 2],
        mask: usize,
        save: bool,
    },
    /// A mask becomes anything.
    Open {
        text: String,
        mask: usize,
        keep_set: Option<usize>,
    },
    Branch {
        kind: Branch,
        to: usize,
    },
    End,
}

#[derive(Debug, Clone, Copy)]
enum Operand {
    Mask(usize),
    Constant(bool),
}

type Operation = (&'static str, fn(bool, bool) -> bool);

const OPERATIONS: [Operation; 6] = [
    ("and", |a, b| a && b),
    ("or", |a, b| a || b),
    ("xor", |a, b| a != b),
    ("andn2", |a, b| a && !b),
    ("orn2", |a, b| a || !b),
    ("nor", |a, b| !(a || b)),
];

fn step(numbers: [u8; 5], length: usize) -> Step {
    let [kind, a, b, c, d] = numbers.map(usize::from);
    let (va, vb, vc) = (a % 5, b % 5, c % 5);
    let mask = MASKS[1 + d % 4];
    let operand = |n: usize| match n % 8 {
        5 => Operand::Constant(false),
        6 => Operand::Constant(true),
        n => Operand::Mask(n % 5),
    };
    let name = |operand: Operand| match operand {
        Operand::Mask(mask) => MASKS[mask],
        Operand::Constant(false) => "0",
        Operand::Constant(true) => "-1",
    };
    let vector =
        |text: String, reads: &[usize], write| Step::Vector { text, reads: reads.to_vec(), write };
    match kind % 25 {
        0..=2 => vector(format!("v_mov_b32 v{va}, v{vb}"), &[vb], Some((va, true))),
        3 => vector(format!("v_mac_f32 v{va}, v{vb}, v{vc}"), &[va, vb, vc], Some((va, true))),
        4 => {
            let tail = "dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD";
            vector(format!("v_mov_b32_sdwa v{va}, v{vb} {tail}"), &[vb], Some((va, false)))
        }
        5 => vector(format!("v_writelane_b32 v{va}, s6, 3"), &[], Some((va, false))),
        6 => Step::ReadLane { text: format!("v_readlane_b32 s6, v{va}, 3"), read: va },
        7 | 8 => vector(format!("exp mrt0 v{va}, v{vb}, off, off vm"), &[va, vb], None),
        9 => vector(format!("v_mov_b32 v{va}, 1.0"), &[], Some((va, true))),
        10 | 11 => Step::Compare {
            text: format!("v_cmp_lt_f32 {mask}, v{va}, v{vb}"),
            reads: vec![va, vb],
            mask: 1 + d % 4,
            exec: false,
        },
        12 => Step::Compare {
            text: format!("v_cmpx_lt_f32 {mask}, v{va}, v{vb}"),
            reads: vec![va, vb],
            mask: 1 + d % 4,
            exec: true,
        },
        13 | 14 => {
            let (operation, _) = OPERATIONS[c % 6];
            let source = operand(a);
            Step::Mask {
                text: format!("s_{operation}_saveexec_b64 {mask}, {}", name(source)),
                table: (c % 6) as u8,
                sources: [source, Operand::Mask(EXEC)],
                mask: 1 + d % 4,
                save: true,
            }
        }
        15..=17 => {
            let (operation, _) = OPERATIONS[c % 6];
            let sources = [operand(a), operand(b)];
            let to = d % 5;
            Step::Mask {
                text: format!(
                    "s_{operation}_b64 {}, {}, {}",
                    MASKS[to],
                    name(sources[0]),
                    name(sources[1])
                ),
                table: (c % 6) as u8,
                sources,
                mask: to,
                save: false,
            }
        }
        18 => Step::Open {
            text: format!("s_load_dwordx2 {}, s[8:9], 0x0", MASKS[2 + d % 3]),
            mask: 2 + d % 3,
            keep_set: None,
        },
        19 => Step::Open {
            text: format!("s_wqm_b64 {}, {}", MASKS[d % 5], MASKS[a % 5]),
            mask: d % 5,
            keep_set: Some(a % 5),
        },
        20..=22 => {
            let kinds = [
                Branch::Scalar,
                Branch::ExecZero,
                Branch::ExecNotZero,
                Branch::VccZero,
                Branch::VccNotZero,
                Branch::Always,
            ];
            Step::Branch { kind: kinds[a % 6], to: (b * 7 + c) % length }
        }
        23 => Step::Swap { text: format!("v_swap_b32 v{va}, v{vb}"), registers: [va, vb] },
        _ => Step::End,
    }
}

fn text_of(steps: &[Step]) -> String {
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        let line = match step {
            Step::Vector { text, .. }
            | Step::Swap { text, .. }
            | Step::ReadLane { text, .. }
            | Step::Compare { text, .. }
            | Step::Mask { text, .. }
            | Step::Open { text, .. } => text.clone(),
            Step::Branch { kind, to } => {
                let name = match kind {
                    Branch::Always => "s_branch",
                    Branch::Scalar => "s_cbranch_scc1",
                    Branch::ExecZero => "s_cbranch_execz",
                    Branch::ExecNotZero => "s_cbranch_execnz",
                    Branch::VccZero => "s_cbranch_vccz",
                    Branch::VccNotZero => "s_cbranch_vccnz",
                };
                format!("{name} l{to}")
            }
            Step::End => "s_endpgm".to_owned(),
        };
        text.push_str(&format!("l{index}:\n{line}\n"));
    }
    text
}

/// One lane: its bit in every mask.
type Bits = [bool; 5];

/// Where a lane may be after a step, and with which bits.
fn next(steps: &[Step], at: usize, bits: Bits) -> Vec<(usize, Bits)> {
    let with = |index: usize, value: bool| {
        let mut bits = bits;
        bits[index] = value;
        bits
    };
    match &steps[at] {
        Step::Vector { .. } | Step::Swap { .. } | Step::ReadLane { .. } => vec![(at + 1, bits)],
        Step::Compare { mask, exec, .. } => {
            let values: &[bool] = if bits[EXEC] { &[false, true] } else { &[false] };
            let result = |value: bool| {
                let mut bits = with(*mask, value);
                if *exec {
                    bits[EXEC] = value;
                }
                (at + 1, bits)
            };
            values.iter().map(|value| result(*value)).collect()
        }
        Step::Mask { table, sources, mask, save, .. } => {
            let [a, b] = sources.map(|source| match source {
                Operand::Mask(mask) => bits[mask],
                Operand::Constant(set) => set,
            });
            let value = OPERATIONS[usize::from(*table)].1(a, b);
            let bits = if *save {
                let mut bits = with(*mask, bits[EXEC]);
                bits[EXEC] = value;
                bits
            } else {
                with(*mask, value)
            };
            vec![(at + 1, bits)]
        }
        Step::Open { mask, keep_set, .. } => {
            let set = keep_set.is_some_and(|source| bits[source]);
            let values: &[bool] = if set { &[true] } else { &[false, true] };
            values.iter().map(|value| (at + 1, with(*mask, *value))).collect()
        }
        Step::Branch { kind, to } => {
            // A lane's set bit tells that the whole is not zero.
            let (stays, goes) = match kind {
                Branch::Always => (false, true),
                Branch::Scalar => (true, true),
                Branch::ExecZero => (true, !bits[EXEC]),
                Branch::ExecNotZero => (!bits[EXEC], true),
                Branch::VccZero => (true, !bits[VCC]),
                Branch::VccNotZero => (!bits[VCC], true),
            };
            let mut all = Vec::new();
            if stays {
                all.push((at + 1, bits));
            }
            if goes {
                all.push((*to, bits));
            }
            all
        }
        Step::End => Vec::new(),
    }
}

fn all_bits() -> impl Iterator<Item = Bits> {
    (0..32_u8).map(|number| [0, 1, 2, 3, 4].map(|place| number >> place & 1 == 1))
}

fn number(bits: Bits) -> usize {
    bits.iter().enumerate().map(|(place, bit)| usize::from(*bit) << place).sum()
}

/// The vector registers that some lane needs before each step, found by going through
/// all states that a lane can be in.
fn needs(steps: &[Step]) -> Vec<u8> {
    let wakes = steps.iter().any(|step| match step {
        Step::Open { mask: EXEC, keep_set: Some(_), .. } => true,
        Step::Mask { mask, save, sources, .. } => {
            (*save || *mask == EXEC)
                && sources.iter().any(|source| matches!(source, Operand::Constant(true)))
        }
        _ => false,
    });
    let mut reached = vec![[false; 32]; steps.len()];
    let mut stack: Vec<(usize, Bits)> =
        all_bits().filter(|bits| wakes || bits[EXEC]).map(|bits| (0, bits)).collect();
    while let Some((at, bits)) = stack.pop() {
        if !std::mem::replace(&mut reached[at][number(bits)], true) {
            stack.extend(next(steps, at, bits));
        }
    }
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

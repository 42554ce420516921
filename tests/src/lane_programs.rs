//! Random programs of masks and branches, and every state that one of their lanes may be
//! in: what analyses of lanes are held against.

/// Masks by index: EXEC, VCC, then pairs of numbered registers.
const MASKS: [&str; 5] = ["exec", "vcc", "s[0:1]", "s[2:3]", "s[4:5]"];
/// EXEC among the masks.
pub const EXEC: usize = 0;
/// VCC among the masks.
pub const VCC: usize = 1;

/// The condition of a branch.
#[derive(Debug, Clone, Copy)]
pub enum Branch {
    /// Nothing.
    Always,
    /// SCC.
    Scalar,
    /// EXEC is zero.
    ExecZero,
    /// EXEC is not zero.
    ExecNotZero,
    /// VCC is zero.
    VccZero,
    /// VCC is not zero.
    VccNotZero,
}

/// One instruction.
#[derive(Debug, Clone)]
pub enum Step {
    /// Of active lanes.
    Vector {
        /// The line.
        text: String,
        /// The registers that it reads.
        reads: Vec<usize>,
        /// The register that it writes, and whether all of it.
        write: Option<(usize, bool)>,
    },
    /// Two registers are exchanged.
    Swap {
        /// The line.
        text: String,
        /// The registers.
        registers: [usize; 2],
    },
    /// Of one lane, active or not.
    ReadLane {
        /// The line.
        text: String,
        /// The register that it reads.
        read: usize,
    },
    /// A compare into a mask.
    Compare {
        /// The line.
        text: String,
        /// The registers that it reads.
        reads: Vec<usize>,
        /// The mask that it writes.
        mask: usize,
        /// True if EXEC gets the same.
        exec: bool,
    },
    /// `d = operation(a, b)`.
    Mask {
        /// The line.
        text: String,
        /// The operation, as a truth table.
        table: u8,
        /// `a` and `b`.
        sources: [Operand; 2],
        /// `d`.
        mask: usize,
        /// True if `d` gets EXEC, and EXEC the result.
        save: bool,
    },
    /// A mask becomes anything.
    Open {
        /// The line.
        text: String,
        /// The mask.
        mask: usize,
        /// A mask whose bits it keeps where they are set.
        keep_set: Option<usize>,
    },
    /// To another step, or the next.
    Branch {
        /// The condition on which it is taken.
        kind: Branch,
        /// The other step.
        to: usize,
    },
    /// The wave ends.
    End,
}

/// A source of an operation on masks.
#[derive(Debug, Clone, Copy)]
pub enum Operand {
    /// A mask.
    Mask(usize),
    /// All lanes alike.
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

/// An instruction of a program of a length, by numbers at random.
pub fn step(numbers: [u8; 5], length: usize) -> Step {
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

/// The program's text: every step has a label, `l` and its number.
pub fn text_of(steps: &[Step]) -> String {
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
pub type Bits = [bool; 5];

/// Returns the steps that may follow a step in a lane, with the lane's bits there.
pub fn next(steps: &[Step], at: usize, bits: Bits) -> Vec<(usize, Bits)> {
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

/// Every state of a lane.
pub fn all_bits() -> impl Iterator<Item = Bits> {
    (0..32_u8).map(|number| [0, 1, 2, 3, 4].map(|place| number >> place & 1 == 1))
}

/// A state's number, below 32.
pub fn number(bits: Bits) -> usize {
    bits.iter().enumerate().map(|(place, bit)| usize::from(*bit) << place).sum()
}

/// For each step the states in which a lane may come there that the code counts with:
/// lanes that are active at the start, or all where some step wakes others.
pub fn reached(steps: &[Step]) -> Vec<[bool; 32]> {
    let wakes = steps.iter().any(|step| match step {
        Step::Open { mask: EXEC, keep_set: Some(_), .. } => true,
        Step::Mask { mask, save, sources, .. } => {
            (*save || *mask == EXEC)
                && sources.iter().any(|source| matches!(source, Operand::Constant(true)))
        }
        _ => false,
    });
    reached_from(steps, all_bits().filter(|bits| wakes || bits[EXEC]))
}

/// The same from some states of the first step.
pub fn reached_from(steps: &[Step], first: impl Iterator<Item = Bits>) -> Vec<[bool; 32]> {
    let mut reached = vec![[false; 32]; steps.len()];
    let mut stack: Vec<(usize, Bits)> = first.map(|bits| (0, bits)).collect();
    while let Some((at, bits)) = stack.pop() {
        if !std::mem::replace(&mut reached[at][number(bits)], true) {
            stack.extend(next(steps, at, bits));
        }
    }
    reached
}

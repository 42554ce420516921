//! Random programs of lanes that keep all waits and distances, and what they leave when they
//! are run.

use gcn::Target;
use gcn::program::{Options, Program, assemble};
use gcn_emu::{LANES, Limits, Machine, NoImages, Wave};
use tests::lane_programs::{Step, step, text_of};
use tests::random_shaders::Numbers;

/// The end of a run, and what it exported.
#[derive(Debug, PartialEq)]
pub(super) struct Left {
    /// The way it ended.
    pub(super) ended: String,
    /// The exports, each with its instruction.
    pub(super) exports: Vec<(String, String)>,
}

impl Left {
    /// Tells whether the program came to its end.
    pub(super) fn is_whole(&self) -> bool {
        self.ended.starts_with("Ok")
    }

    /// The exports without their instructions.
    pub(super) fn values(&self) -> Vec<&str> {
        self.exports.iter().map(|(_, values)| values.as_str()).collect()
    }
}

pub(super) fn vega(text: &str) -> Program {
    let options = Options { target: Target::find("vega10"), ..Options::default() };
    assemble(text, &options, &|_| None, &source::no_checkpoint)
}

/// A program that keeps all waits and distances, and begins with values of its own.
pub(super) fn kernel(numbers: &mut Numbers) -> String {
    let length = 4 + numbers.below(20);
    let mut steps: Vec<Step> =
        (1..length).map(|_| step([0; 5].map(|_| numbers.below(256) as u8), length)).collect();
    steps.push(Step::End);
    let mut text = String::from("s_mov_b64 vcc, s[26:27]\n");
    for mask in [0, 2, 4] {
        text.push_str(&format!(
            "s_mov_b64 s[{mask}:{}], s[{}:{}]\n",
            mask + 1,
            20 + mask,
            21 + mask
        ));
    }
    for vector in 0..5 {
        text.push_str(&format!("v_mov_b32 v{vector}, v{}\n", 20 + vector));
    }
    for line in text_of(&steps).lines() {
        if line == "s_endpgm" {
            text.push_str("v_mov_b32 v5, s2\nexp mrt1 v0, v2, v5, off vm\n");
        }
        text.push_str(line);
        text.push('\n');
        if !line.ends_with(':') && !line.contains("branch") {
            text.push_str("s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\ns_nop 7\n");
        }
    }
    text
}

/// Returns the words of a program.
pub(super) fn words(program: &Program) -> Vec<u32> {
    let words = |it: &gcn::program::Instruction| it.assembled.expect("words").words().to_vec();
    program.instructions.iter().flat_map(words).collect()
}

/// Runs words and returns what they leave.
pub(super) fn run(target: Target, words: &[u32], seed: u64) -> Left {
    let mut numbers = Numbers::new(seed);
    let mut word = || (numbers.below(1 << 16) << 16 | numbers.below(1 << 16)) as u32;
    let mut wave = Wave::new(u64::from(word()) << 32 | u64::from(word()));
    for scalar in 0..100 {
        wave.set_scalar(scalar, word());
    }
    for lane in 0..LANES {
        for vector in 0..40 {
            wave.set_lane(vector, lane, word());
        }
    }
    wave.set_pair(8, 0x1000);
    let mut machine = Machine { waves: vec![wave], ..Machine::default() };
    machine.memory.map(0x1000, vec![0x5a; 64]).expect("free addresses");
    let code = gcn_emu::Program::prepare(target, words);
    let limits = Limits { steps: 3_000, records: 400 };
    let ended = format!("{:?}", machine.run(&code, &mut NoImages, limits));
    let exports = machine.exports.iter().map(|export| {
        let mut values = format!("{:b}", export.sent.enabled);
        // What inactive lanes and parts that are off hold goes nowhere.
        let parts =
            export.values.iter().zip(0..).filter(|(_, part)| export.sent.enabled >> part & 1 == 1);
        for (own, _) in parts {
            let active = own.iter().zip(0..).filter(|(_, lane)| export.lanes >> lane & 1 == 1);
            values.extend(active.map(|(value, lane)| format!(" {lane}:{value:x}")));
        }
        (export.instruction.to_string(), values)
    });
    Left { ended, exports: exports.collect() }
}

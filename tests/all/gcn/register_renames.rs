//! Registers that get other numbers at random: what is given out means the same. Every
//! read has the writes that it had, and machine code runs to the same end.

use std::time::Duration;

use gcn::Target;
use gcn::program::{Options, Program, assemble};
use gcn::service::View;
use gcn::service::registers::rename::rename;
use gcn_emu::{LANES, Limits, Machine, NoImages, Wave};
use source::apply_edits;
use tests::checks::register_renames::{
    Statistics, moved, reads, registers_are_renamed_or_the_reason_is_told, words,
};
use tests::corpus;
use tests::lane_programs::{Step, step, text_of};
use tests::random_shaders::Numbers;

#[test]
fn registers_of_own_kernels_are_renamed_or_the_reason_is_told() {
    let kernels = corpus::gcn_programs();
    let (done, files) =
        registers_are_renamed_or_the_reason_is_told(&kernels, Duration::from_secs(15));
    assert!(done > 10 && files >= 5, "{done} renamed in {files} files");
}

fn vega(text: &str) -> Program {
    let options = Options { target: Target::find("vega10"), ..Options::default() };
    assemble(text, &options, &|_| None, &source::no_checkpoint)
}

/// A program that keeps all waits and distances, and begins with values of its own.
fn kernel(numbers: &mut Numbers) -> String {
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

/// Runs a program and returns how it ended, and what it exported.
fn run(program: &Program, seed: u64) -> String {
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
    let words: Vec<u32> = program
        .instructions
        .iter()
        .flat_map(|it| it.assembled.expect("words").words().to_vec())
        .collect();
    let code = gcn_emu::Program::prepare(program.target, &words);
    let limits = Limits { steps: 3_000, records: 400 };
    let ended = machine.run(&code, &mut NoImages, limits);
    let mut left = format!("{ended:?}");
    for export in &machine.exports {
        left.push_str(&format!("\nexport {} {:b}", export.instruction, export.sent.enabled));
        // What inactive lanes and parts that are off hold goes nowhere.
        let parts =
            export.values.iter().zip(0..).filter(|(_, part)| export.sent.enabled >> part & 1 == 1);
        for (values, _) in parts {
            let active = values.iter().zip(0..).filter(|(_, lane)| export.lanes >> lane & 1 == 1);
            left.extend(active.map(|(value, lane)| format!(" {lane}:{value:x}")));
        }
    }
    left
}

#[test]
fn renamed_programs_run_to_the_same_end() {
    const PROGRAMS: usize = 120;
    let mut numbers = Numbers::new(3);
    let (mut statistics, mut ended, mut exported) = (Statistics::default(), 0, 0);
    for _ in 0..PROGRAMS {
        let text = kernel(&mut numbers);
        let program = vega(&text);
        assert!(program.instructions.iter().all(|it| it.assembled.is_some()), "{text}");
        let words = words(&text);
        for _ in 0..12 {
            let word = words[numbers.below(words.len())];
            let step = if text[word].starts_with('s') { 2 } else { 1 };
            let by = step * (numbers.below(13) as i64 - 6);
            let Some(new) = moved(&text[word], by).filter(|_| by != 0) else { continue };
            match rename(View::root(&program), word.start(), &new, &vega).expect("a register") {
                Err(reason) => statistics.refuse(&reason.to_string()),
                Ok(edits) => {
                    statistics.done += 1;
                    let after = vega(&apply_edits(&text, &edits).expect("edits"));
                    let shown = format!("{} to {new}:\n{text}", &text[word]);
                    let (was, is) = (reads(&program, 0, &|_| true), reads(&after, 0, &|_| true));
                    assert_eq!(was, is, "{shown}");
                    for seed in 1..4 {
                        let expected = run(&program, seed);
                        assert_eq!(run(&after, seed), expected, "{shown}");
                        ended += usize::from(expected.starts_with("Ok"));
                        exported += usize::from(expected.contains("export"));
                    }
                }
            }
        }
    }
    statistics.show("random programs");
    eprintln!("{ended} runs to the end, {exported} with exports");
    assert!(statistics.done > 200 && ended > 200 && exported > 200);
    assert!(statistics.refused.len() > 3);
}

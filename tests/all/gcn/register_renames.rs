//! Registers that get other numbers at random: what is given out means the same. Every
//! read has the writes that it had, and machine code runs to the same end.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use emulate::{LANES, Limits, Machine, NoImages, Wave};
use gcn::Target;
use gcn::cost::Origin;
use gcn::instruction::{Bank, Register};
use gcn::program::{Options, Program, assemble};
use gcn::service::View;
use gcn::service::registers::rename::rename;
use tests::corpora::shared;
use tests::kernels::{Kernel, kernels};
use tests::lane_programs::{Step, step, text_of};
use tests::random_shaders::Numbers;
use text::{TextEdit, TextRange, TextSize, apply_edits};

/// What became of the attempts: how many were done, and why others were not.
#[derive(Debug, Default)]
struct Tally {
    done: usize,
    refused: BTreeMap<String, usize>,
}

impl Tally {
    fn refuse(&mut self, reason: &str) {
        // Without names and numbers, reasons are few.
        let digits = reason.split('`').step_by(2).collect::<Vec<_>>().join("_");
        let plain: String = digits.chars().filter(|it| !it.is_ascii_digit()).collect();
        *self.refused.entry(plain).or_default() += 1;
    }

    fn show(&self, what: &str) {
        eprintln!("{what}: {} renamed", self.done);
        for (reason, count) in &self.refused {
            eprintln!("{count:6} {reason}");
        }
    }
}

/// The words of a text that name vector or scalar registers by number.
fn words(text: &str) -> Vec<TextRange> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'\\');
    for (at, byte) in bytes.iter().enumerate() {
        if !matches!(byte, b'v' | b's') || at > 0 && is_word(bytes[at - 1]) {
            continue;
        }
        let rest = &text[at + 1..];
        let length = match rest.strip_prefix('[') {
            Some(inside) => inside.find(']').map(|end| end + 2),
            None => Some(rest.bytes().take_while(u8::is_ascii_digit).count()).filter(|it| *it > 0),
        };
        let Some(length) = length.filter(|it| *it < 10) else { continue };
        let end = at + 1 + length;
        if bytes.get(end).is_none_or(|byte| !is_word(*byte)) {
            let place = |at: usize| TextSize::new(u32::try_from(at).expect("small"));
            found.push(TextRange::new(place(at), place(end)));
        }
    }
    found
}

/// A word with its numbers moved.
fn moved(word: &str, by: i64) -> Option<String> {
    let (letter, numbers) = (word.get(..1)?, word.get(1..)?.trim_matches(['[', ']']));
    let numbers: Option<Vec<i64>> =
        numbers.split(':').map(|number| Some(number.trim().parse::<i64>().ok()? + by)).collect();
    match numbers?.as_slice() {
        [first, last] if *first >= 0 => Some(format!("{letter}[{first}:{last}]")),
        [only] if *only >= 0 => Some(format!("{letter}{only}")),
        _ => None,
    }
}

/// Where the value of each read of a program's kernel comes from, as far as a register of
/// it is among some.
fn reads(program: &Program, kernel: usize, wanted: &dyn Fn(Register) -> bool) -> Reads {
    let values = &program.values(kernel).expect("values").values;
    let mut found = BTreeMap::new();
    for (index, effects) in (0..).zip(&values.effects) {
        for (place, access) in effects.reads().iter().enumerate() {
            for part in 0..access.register.dwords {
                let first = access.register.first + u16::from(part);
                let single = Register { first, dwords: 1, ..access.register };
                if wanted(single) {
                    found.insert((index, place, part), values.origins(index, single));
                }
            }
        }
    }
    found
}

type Reads = BTreeMap<(u32, usize, u8), Vec<Origin>>;

/// The registers that some edits take from and give to a text's words.
fn registers(text: &str, edits: &[TextEdit]) -> impl Fn(Register) -> bool {
    let mut bounds: Vec<(Bank, i64, i64)> = Vec::new();
    for word in edits.iter().flat_map(|edit| [&text[edit.range], edit.insert.as_str()]) {
        let bank = if word.starts_with(['v', 'V']) { Bank::Vector } else { Bank::Scalar };
        let numbers: Vec<i64> = word
            .split(|it: char| !it.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .collect();
        bounds.extend(numbers.first().zip(numbers.last()).map(|(from, to)| (bank, *from, *to)));
    }
    move |register: Register| {
        bounds.iter().any(|(bank, from, to)| {
            *bank == register.bank && (*from..=*to).contains(&i64::from(register.first))
        })
    }
}

fn vega(text: &str) -> Program {
    let options = Options { target: Target::find("vega10"), ..Options::default() };
    assemble(text, &options, &|_| None, &text::no_checkpoint)
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

/// What a program leaves behind: how it ended, and what it exported.
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
    let code = emulate::Program::prepare(program.target, &words);
    let limits = Limits { steps: 3_000, records: 400 };
    let ended = machine.run(&code, &mut NoImages, limits);
    let mut left = format!("{ended:?}");
    for export in &machine.exports {
        left.push_str(&format!("\nexport {} {:b}", export.instruction, export.enabled));
        // What inactive lanes and parts that are off hold goes nowhere.
        let parts =
            export.values.iter().zip(0..).filter(|(_, part)| export.enabled >> part & 1 == 1);
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
    let (mut tally, mut ended, mut exported) = (Tally::default(), 0, 0);
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
                Err(reason) => tally.refuse(&reason),
                Ok(edits) => {
                    tally.done += 1;
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
    tally.show("random programs");
    eprintln!("{ended} runs to the end, {exported} with exports");
    assert!(tally.done > 200 && ended > 200 && exported > 200);
    assert!(tally.refused.len() > 3);
}

fn real(kernel: &Kernel, text: &str) -> Program {
    let options = Options {
        target: Some(kernel.target),
        symbols: kernel.symbols.clone(),
        abi: kernel.abi,
        ..Options::default()
    };
    assemble(text, &options, &|name| kernel.include(name), &text::no_checkpoint)
}

#[test]
fn registers_of_real_kernels_are_renamed_or_the_reason_is_told() {
    const ATTEMPTS: usize = 6;
    let Some(root) = shared("corpora/gcn") else { return };
    let limit = Duration::from_secs(25);
    let (start, mut tally, mut files) = (Instant::now(), Tally::default(), 0);
    let mut numbers = Numbers::new(11);
    for kernel in kernels(&root).iter().filter(|kernel| kernel.assembles()) {
        if start.elapsed() > limit {
            break;
        }
        let text = kernel.text();
        let program = real(kernel, &text);
        let words = words(&text);
        if words.is_empty() || program.instructions.len() > 6_000 {
            continue;
        }
        files += 1;
        for _ in 0..ATTEMPTS {
            let word = words[numbers.below(words.len())];
            let by = 4 * (1 + numbers.below(12) as i64);
            let Some(new) = moved(&text[word], by) else { continue };
            let assemble = |text: &str| real(kernel, text);
            let Some(result) = rename(View::root(&program), word.start(), &new, &assemble) else {
                continue;
            };
            let edits = match result {
                Ok(edits) => edits,
                Err(reason) => {
                    tally.refuse(&reason);
                    continue;
                }
            };
            tally.done += 1;
            let after = real(kernel, &apply_edits(&text, &edits).expect("edits"));
            let shown = format!("{}: {} to {new}", kernel.file, &text[word]);
            assert_eq!(after.diagnostics.len(), program.diagnostics.len(), "{shown}");
            let wanted = registers(&text, &edits);
            let first = program.instruction_at(word.start()).expect("an instruction");
            let number = program.kernel_of(first).expect("a kernel");
            let was = reads(&program, number, &wanted);
            let is = reads(&after, number, &wanted);
            assert_eq!(was, is, "{shown}");
        }
    }
    tally.show(&format!("{files} files"));
    assert!(tally.done > 20 && files > 20, "{} renamed in {files} files", tally.done);
}

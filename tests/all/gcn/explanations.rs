//! Explanations of registers and waits: what is listed is what the pressure counts, and a
//! change that is said to free registers frees them and changes nothing else.

use gcn::analysis::{AddressCounts, Code, Explainer, Options, Report, analyse, peak_of};
use gcn::instruction::Bank;
use gcn::program::KernelCode;
use source::no_checkpoint;
use tests::corpus;
use tests::random_shaders::Numbers;

use super::lane_runs::{self, kernel, vega};
use crate::diff_exec::recorded::Recorded;

fn explainer<'a>(code: &'a Code, report: &'a Report) -> Explainer<'a> {
    Explainer::new(code, report, Options::default().timing, &no_checkpoint)
}

/// Holds explanations of some instructions of a code against its pressure. Returns how many
/// were explained, and how many savings they have.
fn sums_are_the_pressure(name: &str, code: &Code, report: &Report) -> (usize, usize) {
    let (mut explained, mut savings) = (0, 0);
    let mut explainer = explainer(code, report);
    for bank in Bank::ALL {
        let step = (report.def_use.len() / 3).max(1);
        let places = (0..report.def_use.len()).step_by(step);
        for at in places.chain(peak_of(report, bank)) {
            let found = explainer.registers(bank, at).expect("an instruction");
            let pressure = u32::from(report.liveness.pressure(at).of_bank(bank));
            let listed: u32 = found.values.iter().map(|value| value.count).sum();
            assert_eq!((listed, found.here), (pressure, pressure), "{name}: {at} of {bank:?}");
            explained += 1;
            for saving in found.values.iter().flat_map(|value| &value.savings) {
                savings += 1;
                let Some(edited) = saving.edited(code, &report.def_use) else { continue };
                let after = analyse(&edited, &Options::default(), &no_checkpoint);
                let peak = |report: &Report| u32::from(report.liveness.peak().of_bank(bank));
                assert_eq!(
                    peak(report).saturating_sub(peak(&after)),
                    saving.peak,
                    "{name}: {saving:?}"
                );
            }
        }
    }
    (explained, savings)
}

#[test]
fn values_of_compiled_shaders_are_what_the_pressure_counts() {
    let (mut explained, mut savings) = (0, 0);
    for own in Recorded::all() {
        let words: Vec<u32> = own
            .code
            .chunks_exact(4)
            .map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]]))
            .collect();
        let code = Code::from_words(own.target, &words);
        let report = analyse(&code, &Options::default(), &no_checkpoint);
        let found = sums_are_the_pressure(&own.name, &code, &report);
        explained += found.0;
        savings += found.1;
    }
    eprintln!("{explained} places, {savings} savings");
    assert!(explained > 300 && savings > 100);
}

#[test]
fn values_of_own_kernels_are_what_the_pressure_counts() {
    let (mut explained, mut savings, mut waits) = (0, 0, 0);
    for own in corpus::gcn_programs() {
        let program = own.assemble(&own.text());
        for number in &program.kernels {
            let counts = AddressCounts::Named;
            let code = KernelCode::of(&program, number, counts, &no_checkpoint).code;
            let report = analyse(&code, &Options::default(), &no_checkpoint);
            let found = sums_are_the_pressure(&own.file, &code, &report);
            explained += found.0;
            savings += found.1;
            let all: Vec<u32> = (0..code.instructions.len() as u32).collect();
            for wait in explainer(&code, &report).waits(&all) {
                let Some(cause) = wait.cause else { continue };
                waits += 1;
                let last = wait.chain.last().map(|link| link.instruction);
                assert_eq!(last, Some(cause.producer));
                let longest = wait.awaited.iter().map(|it| it.left).max().unwrap_or(0);
                // A wave goes on at the next issue cycle, of which there is one in four clocks.
                let late = wait.stall.wrapping_sub(longest);
                assert!(cause.kind.unit().is_some() || late < 4, "{}: {wait:?}", own.file);
            }
        }
    }
    eprintln!("{explained} places, {savings} savings, {waits} waits");
    assert!(explained > 500 && savings > 100 && waits > 50);
}

/// A random program with values that are made early and read late, in lines at random.
fn kernel_with_values(numbers: &mut Numbers) -> String {
    let text = kernel(numbers);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // Behind what the program begins with.
    let start = 9;
    for value in 0..4 {
        let (vector, scalar) = (30 + value, 40 + value);
        let [a, b] = [0; 2].map(|_| numbers.below(5));
        let made = match numbers.below(4) {
            0 => format!("v_mov_b32 v{vector}, 0x{:x}", 100 + value),
            1 => format!("v_add_f32 v{vector}, v{a}, v{b}"),
            2 => format!("v_mul_f32 v{vector}, v{a}, s{}", 50 + value),
            _ => {
                format!("s_mov_b32 s{scalar}, 0x{:x}\nv_mov_b32 v{vector}, s{scalar}", 200 + value)
            }
        };
        let readers = [
            format!("v_max_f32 v{a}, v{vector}, v{b}"),
            format!("v_add_f32 v{a}, v{vector}, v{vector}"),
            format!("exp mrt2 v{vector}, v{a}, off, off vm"),
        ];
        let first = start + numbers.below(4);
        let insert = |lines: &mut Vec<String>, at: usize, text: &str| {
            let slow = text.lines().map(|it| format!("{it}\ns_waitcnt expcnt(0)\ns_nop 7"));
            lines.insert(at.min(lines.len() - 1), slow.collect::<Vec<_>>().join("\n"));
        };
        for reader in readers.iter().take(1 + numbers.below(3)) {
            let at = first + 1 + numbers.below(lines.len().saturating_sub(first).max(2));
            insert(&mut lines, at, reader);
        }
        insert(&mut lines, first, &made);
    }
    lines.join("\n") + "\n"
}

#[test]
fn programs_with_a_saving_run_to_the_same_end() {
    const PROGRAMS: usize = 60;
    let mut numbers = Numbers::new(25);
    let (mut compared, mut kinds) = (0, std::collections::BTreeMap::new());
    for _ in 0..PROGRAMS {
        let text = kernel_with_values(&mut numbers);
        let program = vega(&text);
        let words = lane_runs::words(&program);
        let code = Code::from_words(program.target, &words);
        let report = analyse(&code, &Options::default(), &no_checkpoint);
        sums_are_the_pressure(&text, &code, &report);
        for bank in [Bank::Vector, Bank::Scalar] {
            let Some(at) = peak_of(&report, bank) else { continue };
            let values = explainer(&code, &report).registers(bank, at).expect("a peak").values;
            // The wait for a load is not moved with it.
            let savings = values.iter().flat_map(|it| &it.savings).filter(|it| !it.is_load);
            for saving in savings {
                let Some(edited) = saving.edited(&code, &report.def_use) else { continue };
                let edited: Vec<u32> =
                    edited.instructions.iter().flat_map(|it| it.words().to_vec()).collect();
                for seed in 1..4 {
                    let was = lane_runs::run(program.target, &words, seed);
                    let is = lane_runs::run(program.target, &edited, seed);
                    // Distances that hazards need are not kept.
                    if !was.is_whole() || !is.is_whole() {
                        continue;
                    }
                    assert_eq!(is.values(), was.values(), "{saving:?} of\n{text}");
                    compared += 1;
                    *kinds.entry(saving.kind.name()).or_insert(0) += 1;
                }
            }
        }
    }
    eprintln!("{compared} runs compared: {kinds:?}");
    assert!(compared > 100 && kinds.len() == 3, "{compared}: {kinds:?}");
}

//! Wait counters and hazards: every one of the tables has a program that is stopped and one
//! that is not.

use std::collections::BTreeSet;

use super::{CHIPS, machine, run};
use crate::{Machine, Reason};

/// A machine whose registers are addresses and descriptors of memory that exists.
fn ready() -> Machine {
    let mut machine = machine();
    machine.memory.map(0, vec![0; 0x2000]).expect("a mapping");
    machine.share = vec![0; 0x400];
    machine.global_share = vec![0; 0x400];
    let wave = &mut machine.waves[0];
    wave.set_scalar(6, 0x1000);
    wave.set_scalar(7, 0x2_7fac);
    wave.set_scalar(gcn::cost::M0, 0x400);
    machine
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let rows = text.lines().filter(|row| !row.starts_with('#')).skip(1);
    rows.map(|row| row.split('\t').collect())
}

#[test]
fn missing_waits_are_caught_and_others_are_not() {
    let mut seen = BTreeSet::new();
    let mut count = 0;
    for row in rows(include_str!("../../data/waits.tsv")) {
        let [chips, counters, program, verdict, _source] = row[..] else { panic!("{row:?}") };
        for chip in CHIPS.into_iter().filter(|it| chips == "all" || chips.contains(it)) {
            let ended = run(chip, &program.replace("\\n", "\n"), &mut ready());
            match verdict {
                "clean" => assert!(ended.is_ok(), "{chip} {program}: {ended:?}"),
                _ => {
                    let reason = ended.expect_err(program).reason;
                    assert!(matches!(reason, Reason::MissingWait(_)), "{chip} {program}: {reason}");
                }
            }
            seen.extend(counters.split(' ').map(|counter| (chip, counter, verdict)));
            count += 1;
        }
    }
    eprintln!("{count} programs that wait or do not");
    for chip in CHIPS {
        for counter in ["vmcnt", "lgkmcnt", "expcnt"] {
            for verdict in ["caught", "clean"] {
                assert!(seen.contains(&(chip, counter, verdict)), "{chip} {counter} {verdict}");
            }
        }
    }
}

#[test]
fn every_hazard_of_the_table_is_caught_and_enough_states_are_enough() {
    let programs: Vec<_> = rows(include_str!("../../data/hazards.tsv")).collect();
    let mut used = BTreeSet::new();
    let (mut caught, mut open) = (0, 0);
    for row in rows(include_str!("../../../gcn/data/hazards.tsv")) {
        let [generations, first, through, then, states, agreed, _source] = row[..] else {
            panic!("{row:?}")
        };
        let states: usize = states.parse().expect("a number");
        let found = programs.iter().find(|it| it[..3] == [first, through, then]);
        let program = found.unwrap_or_else(|| panic!("no program for {first} {through} {then}"));
        let [.., one, other] = program[..] else { panic!("{program:?}") };
        used.insert((first, through, then));
        // Of gfx9 only MI100 has matrices.
        let matrices =
            [one, other].iter().any(|it| it.contains("_mfma_") || it.contains("_accvgpr_"));
        let last = if matrices { "arcturus" } else { "vega10" };
        let chips = [("tahiti", "6"), ("bonaire", "7"), ("polaris10", "8"), (last, "9")];
        for (chip, digit) in chips {
            if !generations.contains(digit) {
                continue;
            }
            let with = |states: usize| {
                let between = "s_nop 0\n".repeat(states);
                run(chip, &format!("{one}\n{between}{other}"), &mut ready())
            };
            let is_hazard = |ended: &Result<(), crate::Stop>| matches!(ended, Err(stop) if matches!(stop.reason, Reason::Hazard(_)));
            let (few, enough) = (with(states - 1), with(states));
            if agreed == "yes" {
                assert!(is_hazard(&few), "{chip} {one} {other}: {few:?}");
                assert!(enough.is_ok(), "{chip} {one} {other}: {enough:?}");
                caught += 1;
            } else {
                // What not everybody asks for is not certain to go wrong. Another row may
                // ask for less, and agree.
                assert!(!is_hazard(&few), "{chip} {one} {other}: {few:?}");
                open += 1;
            }
        }
    }
    eprintln!("{caught} hazards caught, {open} that are not certain");
    assert_eq!(used.len(), programs.len(), "a program for a row that is not there");
}

//! Wait counters and hazards: every one of the tables has a program that is stopped and one
//! that is not.

use std::collections::BTreeSet;

use gcn::Target;
use isa::gcn::Hazard;

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
    wave.set_scalar(gcn::analysis::M0, 0x400);
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
    for row in Hazard::all() {
        let (first, through, then) = (row.producer.name(), row.via.name(), row.consumer.name());
        let states = usize::from(row.states);
        let found = programs.iter().find(|it| it[..3] == [first, through, then]);
        let program = found.unwrap_or_else(|| panic!("no program for {first} {through} {then}"));
        let [.., one, other] = program[..] else { panic!("{program:?}") };
        used.insert((first, through, then));
        let chips = ["tahiti", "bonaire", "polaris10", "vega10", "arcturus"];
        let has = |chip: &&str| row.holds(Target::find(chip).expect(chip).features());
        // MI100 has all that its generation has: one of the two is enough.
        let own: Vec<&str> = chips.into_iter().filter(has).collect();
        for chip in own.iter().copied().filter(|it| *it != "arcturus" || own.len() == 1) {
            let with = |states: usize| {
                let between = "s_nop 0\n".repeat(states);
                run(chip, &format!("{one}\n{between}{other}"), &mut ready())
            };
            let is_hazard = |ended: &Result<(), crate::Stop>| matches!(ended, Err(stop) if matches!(stop.reason, Reason::Hazard(_)));
            let (few, enough) = (with(states - 1), with(states));
            if row.only.is_none() {
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

//! Wait counters and hazards: every one of the tables has a program that is stopped and one
//! that is not.

use std::collections::BTreeSet;

use gcn::Target;
use gcn::analysis::{Cfg, DefUse, hazards};
use isa::gcn::hazard::Certainty;
use isa::gcn::{Hazard, Opcode};
use source::Severity;

use super::code_lines::from_lines;
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
        let found = programs.iter().find(|it| it[..3] == [first, through, then]);
        let program = found.unwrap_or_else(|| panic!("no program for {first} {through} {then}"));
        let [.., one, other] = program[..] else { panic!("{program:?}") };
        used.insert((first, through, then));
        let chips = ["tahiti", "bonaire", "polaris10", "vega10", "arcturus"];
        let has = |chip: &&str| row.holds(Target::find(chip).expect(chip).features());
        let states = states(row, one, "arcturus");
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

/// The states that a row asks for after an instruction on a chip.
fn states(row: &Hazard, first: &str, chip: &str) -> usize {
    let subtarget = Target::find(chip).expect(chip).row().subtarget;
    let opcode = first.split(' ').next().and_then(Opcode::find);
    let product = opcode.and_then(|it| it.matrix_product(subtarget));
    usize::from(row.states.after(product.map(|it| it.passes)))
}

/// The chips that the emulator does not run: their pairs are judged without a run.
#[test]
fn every_hazard_of_later_chips_is_found_and_enough_states_are_enough() {
    let programs: Vec<_> = rows(include_str!("../../data/hazards.tsv")).collect();
    let (mut found, mut missing) = (BTreeSet::new(), BTreeSet::new());
    for (row, chip) in
        Hazard::all().flat_map(|row| ["gfx90a", "gfx942", "gfx950"].map(|it| (row, it)))
    {
        let target = Target::find(chip).expect(chip);
        let key = (row.producer.name(), row.via.name(), row.consumer.name());
        let program = programs.iter().find(|it| it[..3] == [key.0, key.1, key.2]);
        let [.., one, other] = program.expect("a program")[..] else { panic!("{key:?}") };
        let states = states(row, one, chip);
        let severity = |between: usize| {
            let one = one.replace(" / ", "\n");
            let code =
                from_lines(target, &format!("{one}\n{}{other}", "s_nop 0\n".repeat(between)));
            let code = code.ok()?;
            let def_use = DefUse::of_all(&code, &source::no_checkpoint);
            let cfg = Cfg::of(&code, &def_use);
            let all = hazards(&code, &def_use, &cfg, &source::no_checkpoint);
            let last = code.instructions.len() - 1;
            Some(all.iter().find(|it| it.instruction as usize == last).map(|it| it.severity))
        };
        let between = states.saturating_sub(one.matches(" / ").count());
        let (true, 1.., Some(few)) =
            (row.holds(target.features()), between, severity(between.saturating_sub(1)))
        else {
            // What the emulator runs on older chips, it judges there.
            let older = row.holds(Target::find("vega10").expect("a chip").features());
            if row.holds(target.features()) && !older {
                missing.insert((key, chip));
            }
            continue;
        };
        let wanted = match row.certainty {
            Certainty::Error => Severity::Error,
            Certainty::Warning => Severity::Warning,
            Certainty::Hint => Severity::Hint,
        };
        assert!(few.is_some_and(|few| few <= wanted), "{chip} {one} {other}: {few:?} {wanted:?}");
        // Another row may ask for more.
        let enough = (between..=20).find(|states| severity(*states) == Some(None));
        assert!(enough.is_some(), "{chip} {one} {other}");
        found.insert(key);
    }
    // A pair that one of the chips has is enough.
    missing.retain(|(key, _)| !found.contains(key));
    assert!(missing.is_empty(), "{missing:?}");
    assert!(found.len() >= 45, "{}", found.len());
}

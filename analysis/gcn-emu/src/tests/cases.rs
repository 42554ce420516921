//! Single instructions, from the table of cases.

use std::collections::BTreeSet;

use super::{CHIPS, assembled, machine};
use crate::{Limits, Machine, NoImages, Program, Wave};

/// A register by its name in the table.
fn set(wave: &mut Wave, name: &str, value: u32) {
    let number = |rest: &str| rest.parse::<u16>().expect("a register's number");
    match name {
        "vcc" => wave.set_pair(gcn::analysis::VCC, value.into()),
        "exec" => wave.set_exec(value.into()),
        "scc" => wave.scc = value != 0,
        "m0" => wave.set_scalar(gcn::analysis::M0, value),
        _ => match name.split_at(1) {
            ("v", rest) => wave.set_lane(number(rest).into(), 0, value),
            (_, rest) => wave.set_scalar(number(rest), value),
        },
    }
}

fn get(wave: &Wave, name: &str) -> u32 {
    let number = |rest: &str| rest.parse::<u16>().expect("a register's number");
    match name {
        "vcc" => wave.vcc() as u32,
        "exec" => wave.exec() as u32,
        "scc" => u32::from(wave.scc),
        _ => match name.split_at(1) {
            ("v", rest) => wave.lane(number(rest).into(), 0),
            (_, rest) => wave.scalar(number(rest)),
        },
    }
}

fn registers(cell: &str) -> impl Iterator<Item = (&str, u32)> {
    cell.split_ascii_whitespace().map(|word| {
        let (name, value) = word.split_once('=').expect("name=value");
        (name, u32::from_str_radix(value, 16).expect("hexadecimal"))
    })
}

/// The rows of the table: chips, instruction, before, after.
fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    let rows = include_str!("../../data/cases.tsv").lines().filter(|row| !row.starts_with('#'));
    rows.skip(1).map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [chips, instruction, before, after, _source] = cells[..] else { panic!("{row}") };
        [chips, instruction, before, after]
    })
}

/// The programs of a row, with their chips. What holds for a chip of gfx9 holds for the later
/// ones that have the instruction, and for its long form, where there is one.
fn programs(chips: &str, instruction: &str) -> Vec<(&'static str, Program)> {
    let text = format!("{}\ns_endpgm", instruction.replace("\\n", "\n"));
    let mut programs = Vec::new();
    for chip in CHIPS.into_iter().chain(LATER) {
        let named = chips == "all" && !LATER.contains(&chip) || chips.contains(chip);
        let follows = LATER.contains(&chip)
            && ["all", "vega10", "vega20"].iter().any(|before| chips.contains(before));
        match assembled(chip, &text) {
            Ok(program) if named || follows => programs.push((chip, program)),
            Err(problem) if named => panic!("{chip}: {problem}"),
            _ => continue,
        }
        let (name, operands) = text.split_once(' ').unwrap_or((&text, ""));
        if name.starts_with("v_") && gcn::mnemonics::base_name(name) == name {
            let long = assembled(chip, &format!("{name}_e64 {operands}"));
            programs.extend(long.ok().map(|program| (chip, program)));
        }
    }
    programs
}

/// The last chips of gfx9, each with instructions of its own.
const LATER: [&str; 5] = ["vega20", "arcturus", "gfx90a", "gfx942", "gfx950"];

/// The chips, names and encodings that a row of the table is about.
pub(super) fn covered() -> BTreeSet<(&'static str, &'static str, &'static str)> {
    let mut covered = BTreeSet::new();
    for [chips, instruction, ..] in rows() {
        for (chip, program) in programs(chips, instruction) {
            let descs = program.def_use.iter().filter_map(|def_use| def_use.desc);
            covered.extend(descs.map(|desc| (chip, desc.name(), desc.encoding.name())));
        }
    }
    covered
}

#[test]
fn every_case_of_the_table_holds() {
    let mut count = 0;
    for row in rows() {
        let [chips, instruction, before, after] = row;
        for (chip, program) in programs(chips, instruction) {
            let mut wave = Wave::new(1);
            registers(before).for_each(|(name, value)| set(&mut wave, name, value));
            let mut machine = Machine { waves: vec![wave], ..machine() };
            let ended = machine.run(&program, &mut NoImages, Limits::default());
            ended.unwrap_or_else(|stop| panic!("{chip} {row:?}: {stop:?}"));
            for (name, value) in registers(after) {
                let found = get(&machine.waves[0], name);
                assert_eq!(found, value, "{chip}: {instruction}: {name} is {found:08x}");
            }
            count += 1;
        }
    }
    assert!(count > 1000, "{count} cases");
}

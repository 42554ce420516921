//! Single instructions, from the table of cases.

use super::{CHIPS, machine, run};
use crate::{Machine, Wave};

/// A register by its name in the table.
fn set(wave: &mut Wave, name: &str, value: u32) {
    let number = |rest: &str| rest.parse::<u16>().expect("a register's number");
    match name {
        "vcc" => wave.set_pair(gcn::cost::VCC, value.into()),
        "exec" => wave.set_exec(value.into()),
        "scc" => wave.scc = value != 0,
        "m0" => wave.set_scalar(gcn::cost::M0, value),
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

#[test]
fn every_case_of_the_table_holds() {
    let mut count = 0;
    for row in include_str!("../../data/cases.tsv").lines().filter(|row| !row.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [chips, instruction, before, after, _source] = cells[..] else { panic!("{row}") };
        if chips == "chips" {
            continue;
        }
        let later = ["vega20", "arcturus"].into_iter().filter(|it| chips.contains(it));
        let usual = CHIPS.into_iter().filter(|it| chips == "all" || chips.contains(it));
        for chip in usual.chain(later) {
            let mut wave = Wave::new(1);
            registers(before).for_each(|(name, value)| set(&mut wave, name, value));
            let mut machine = Machine { waves: vec![wave], ..machine() };
            let text = instruction.replace("\\n", "\n");
            run(chip, &text, &mut machine).unwrap_or_else(|stop| panic!("{chip} {row}: {stop:?}"));
            for (name, value) in registers(after) {
                let found = get(&machine.waves[0], name);
                assert_eq!(found, value, "{chip}: {instruction}: {name} is {found:08x}");
            }
            count += 1;
        }
    }
    assert!(count > 300, "{count} cases");
}

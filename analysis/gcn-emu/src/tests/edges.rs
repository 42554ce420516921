//! Effects of instructions on numbers at the edges of every format, pinned by checksums: of
//! every vector opcode in several modes and with every modifier, of every selection of lanes
//! and parts, and of every format of a buffer.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gcn::Target;
use gcn::encoding::{Encoding, base};
use gcn::instruction::{Layout, fields};
use gcn::mnemonics::{self, OpEncoding};

use super::recorded::{END, MEMORY, run, table};
use crate::{LANES, Machine, Mode, Program, Wave};

const CHIPS: [&str; 4] = ["gfx600", "gfx704", "gfx803", "gfx908"];

/// Low words: edges of floats of 32 bits, of halves and of integers.
const LOW: [u32; 32] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x3fc0_0000,
    0x4b80_0001,
    0xcf00_0000,
    0x4f80_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7f80_0001,
    0xffa0_0000,
    0x7fc0_0000,
    0x7c00_3c00,
    0xfc01_7bff,
    0x7e00_0400,
    0x03ff_8001,
    0xbc00_7d00,
    0x7fff_ffff,
    0xffff_ffff,
    31,
    64,
    0x0000_ffff,
    0x7fff_8000,
    0x4049_0fdb,
    0x1234_5678,
];
/// High words of numbers of 64 bits.
const HIGH: [u32; 16] = [
    0,
    0x8000_0000,
    0x000f_ffff,
    0x0010_0000,
    0x3ff0_0000,
    0xbff0_0000,
    0x3fe0_0000,
    0x4004_0000,
    0x41f0_0000,
    0xc1e0_0000,
    0x7fef_ffff,
    0x7ff0_0000,
    0xfff0_0000,
    0x7ff4_0000,
    0x7ff8_0000,
    0xffff_ffff,
];

/// Rounding and denormals of both widths, the clamp of NaNs, the quieting of NaNs.
const MODES: [u16; 8] = [0x0c0, 0x0f0, 0x000, 0x1f5, 0x2fa, 0x3cf, 0x23f, 0x0d6];

/// The first of two registers of each source, and of the results.
const SOURCES: [u64; 3] = [4, 6, 8];
const RESULTS: u64 = 12;

/// A machine whose sources are edges: of two sources each pair is in some lane of some turn.
fn machine(turn: usize) -> Machine {
    let mut wave = Wave::new(if turn % 4 == 3 { 0x0f0f_ffff_0000_8421 } else { u64::MAX });
    for lane in 0..LANES {
        let places = [lane + turn * 8, lane / 8 * 5 + turn * 3, lane * 7 + turn];
        for (source, place) in SOURCES.into_iter().zip(places) {
            wave.set_lane(source as usize, lane, LOW[place % LOW.len()]);
            wave.set_lane(source as usize + 1, lane, HIGH[(place + place / 32) % HIGH.len()]);
        }
        for register in RESULTS as usize..RESULTS as usize + 4 {
            wave.set_lane(register, lane, 0x5eed_0000 + lane as u32);
        }
    }
    for code in (0..104).chain([106, 107]) {
        wave.set_scalar(code, LOW[(usize::from(code) * 3 + turn) % LOW.len()]);
    }
    wave.mode = Mode { bits: MODES[turn % MODES.len()].into() };
    wave.scc = turn % 2 == 1;
    Machine { waves: vec![wave], ..Machine::default() }
}

/// The words of a form with these values of fields, by their names.
fn words(
    form: OpEncoding,
    layout: Option<Layout>,
    target: Target,
    values: &[(&str, u64)],
) -> [u32; 2] {
    let generation = target.generation();
    let features = generation.features();
    let mut bits = u64::from(base(form.encoding, form.opcode, generation).expect("an encoding"));
    let mut set = |layout: Layout| {
        for field in fields(layout, features) {
            let value = values.iter().rev().find(|(name, _)| *name == field.name);
            let value = value.map_or(0, |(_, value)| *value) & ((1 << field.width) - 1);
            bits |= value << field.low;
        }
    };
    set(Layout::Of(form.encoding));
    layout.into_iter().for_each(set);
    [bits as u32, (bits >> 32) as u32]
}

fn say(out: &mut String, target: Target, words: [u32; 2], before: &Machine) {
    let one = [words[0], END];
    let two = [words[0], words[1], END];
    let program = Program::prepare(target, &two);
    // What has no second word is followed by the end.
    let is_long = program.instructions.get(1).is_some_and(|it| it.offset == 8);
    let program = if is_long { program } else { Program::prepare(target, &one) };
    run(out, &program, before, 4);
}

/// Runs the vector opcodes of a chip.
fn vector_opcodes(chip: &str) {
    let mut records = table(&format!("edges_{chip}.tsv"));
    let target = Target::find(chip).expect(chip);
    let machines: Vec<Machine> = (0..16).map(machine).collect();
    let mut groups = BTreeMap::<(String, &str), String>::new();
    for info in mnemonics::all().iter().filter(|it| it.name.starts_with("v_")) {
        for form in info.forms(target) {
            let name = form.encoding.name();
            if !name.starts_with("VOP") {
                continue;
            }
            let group: String = info.name.chars().take(9).collect();
            let out = groups.entry((group, name)).or_default();
            let _ = writeln!(out, "{}", info.name);
            let long = name.starts_with("VOP3");
            let turns = if long { 16 } else { 8 };
            for (turn, machine) in machines.iter().enumerate().take(turns) {
                let modifiers = turn as u64 * 3 % 8;
                let plain = turn < 4;
                let modifier = |value: u64| if plain || !long { 0 } else { value };
                let values = [
                    ("src0", 256 + SOURCES[0]),
                    ("src1", 256 + SOURCES[1]),
                    ("src2", 256 + SOURCES[2]),
                    ("vsrc1", SOURCES[1]),
                    ("vdst", RESULTS),
                    ("abs", modifier(modifiers)),
                    ("neg", modifier((modifiers / 2) ^ 5)),
                    ("neg_lo", modifier(modifiers)),
                    ("neg_hi", modifier(modifiers ^ 3)),
                    ("op_sel", modifier(turn as u64)),
                    ("op_sel_hi", 3 ^ modifier(modifiers)),
                    ("omod", modifier(turn as u64 % 4)),
                    ("clamp", modifier(turn as u64 / 2 % 2)),
                ];
                // Without a third source, or more, where there is none.
                let fewer =
                    [&values[..], &[("src2", 0)], &[("src1", 0)], &[("omod", 0), ("neg", 0)]];
                let mut given = Vec::new();
                for more in fewer {
                    given.extend_from_slice(more);
                    let words = words(*form, None, target, &given);
                    let program = Program::prepare(target, &words);
                    let first = program.instructions.first();
                    if first.is_some_and(|it| it.opcode == Some(info.opcode)) {
                        say(out, target, words, machine);
                        break;
                    }
                }
            }
        }
    }
    assert!(groups.len() > 100, "{}", groups.len());
    for ((group, encoding), said) in &groups {
        records.add(group, encoding, said);
    }
    records.check();
}

#[test]
fn edges_of_southern_islands() {
    vector_opcodes(CHIPS[0]);
}

#[test]
fn edges_of_sea_islands() {
    vector_opcodes(CHIPS[1]);
}

#[test]
fn edges_of_volcanic_islands() {
    vector_opcodes(CHIPS[2]);
}

#[test]
fn edges_of_mi100() {
    vector_opcodes(CHIPS[3]);
}

/// The form of a mnemonic in an encoding.
fn form(name: &str, encoding: Encoding, target: Target) -> OpEncoding {
    let info = mnemonics::all().iter().find(|it| it.name == name).expect(name);
    *info.forms(target).iter().find(|it| it.encoding == encoding).expect(name)
}

#[test]
fn every_selection_of_lanes() {
    let mut records = table("lanes.tsv");
    for chip in ["gfx803", "gfx908"] {
        let target = Target::find(chip).expect(chip);
        let form = form("v_mov_b32", Encoding::Vop1, target);
        for row in 0..32 {
            let mut said = String::new();
            for control in row * 16..row * 16 + 16 {
                for (turn, (masks, bound)) in
                    [(0xff, 0), (0xff, 1), (0x5f, 0), (0xf6, 1), (0x3a, 0)].into_iter().enumerate()
                {
                    let values = [
                        ("src0", SOURCES[0]),
                        ("vdst", RESULTS),
                        ("dpp_ctrl", control),
                        ("row_mask", masks >> 4),
                        ("bank_mask", masks & 15),
                        ("bound_ctrl", bound),
                    ];
                    let mut words = words(form, Some(Layout::Dpp), target, &values);
                    words[0] = words[0] & !0x1ff | 250;
                    words[1] |= SOURCES[0] as u32;
                    say(&mut said, target, words, &machine(turn));
                }
            }
            records.add(&row.to_string(), chip, &said);
        }
    }
    records.check();
}

#[test]
fn every_selection_of_parts() {
    let mut records = table("parts.tsv");
    for chip in ["gfx803", "gfx908"] {
        let target = Target::find(chip).expect(chip);
        for name in ["v_add_f32", "v_add_u16", "v_and_b32", "v_max_f16"] {
            let form = form(name, Encoding::Vop2, target);
            let mut said = String::new();
            for number in 0..512_u64 {
                let (to, one, two) = (number % 8, number / 8 % 8, number / 64);
                let values = [
                    ("vsrc1", SOURCES[1]),
                    ("vdst", RESULTS),
                    ("dst_sel", to),
                    ("dst_unused", number % 3),
                    ("src0_sel", one),
                    ("src1_sel", two),
                    ("src0_sext", number / 3 % 2),
                    ("src1_sext", number / 5 % 2),
                    ("src0_neg", number / 7 % 2),
                    ("src1_abs", number / 11 % 2),
                    ("clamp", number / 13 % 2),
                ];
                let mut words = words(form, Some(Layout::Sdwa), target, &values);
                words[0] = words[0] & !0x1ff | 249;
                words[1] |= SOURCES[0] as u32;
                say(&mut said, target, words, &machine(number as usize % 8));
            }
            records.add(name, chip, &said);
        }
    }
    records.check();
}

#[test]
fn every_format_of_a_buffer() {
    let mut records = table("formats.tsv");
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        for data_format in 0..16_u32 {
            let mut said = String::new();
            for number_format in 0..8 {
                for (turn, name) in
                    ["buffer_load_format_xyzw", "buffer_store_format_xyzw", "buffer_load_format_x"]
                        .into_iter()
                        .enumerate()
                {
                    let mut before = machine(turn + number_format as usize);
                    let bytes = (0..0x400_u32).flat_map(|at| {
                        let edge = LOW[(at * 5 + at / 64) as usize % LOW.len()];
                        (if at % 3 == 0 { at.wrapping_mul(0x0123_4567) } else { edge })
                            .to_le_bytes()
                    });
                    before.memory.map(MEMORY, bytes.collect()).expect("a mapping");
                    let rest = 0xfac | number_format << 12 | data_format << 15;
                    for (place, word) in [MEMORY as u32, 16 << 16, 64, rest].into_iter().enumerate()
                    {
                        before.waves[0].set_scalar(4 + place as u16, word);
                    }
                    for lane in 0..LANES {
                        before.waves[0].set_lane(0, lane, lane as u32);
                    }
                    // The lane's number is the index.
                    let values =
                        [("idxen", 1), ("srsrc", 1), ("soffset", 128), ("vdata", 4), ("vaddr", 0)];
                    let form = form(name, Encoding::Mubuf, target);
                    let words = words(form, None, target, &values);
                    say(&mut said, target, words, &before);
                }
            }
            records.add(&data_format.to_string(), chip, &said);
        }
    }
    records.check();
}

#[test]
fn every_hardware_register() {
    let mut records = table("registers.tsv");
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        let mut said = String::new();
        for number in 0..64_u64 {
            for (turn, field) in
                [31 << 11, 3 << 11 | 4 << 6, 15 << 11 | 16 << 6].into_iter().enumerate()
            {
                for name in ["s_getreg_b32", "s_setreg_b32"] {
                    let form = form(name, Encoding::Sopk, target);
                    let values = [("simm16", number | field), ("sdst", 24 + turn as u64)];
                    let words = words(form, None, target, &values);
                    let _ = writeln!(said, "{name} {number}");
                    say(&mut said, target, words, &machine(turn));
                }
            }
        }
        records.add("registers", chip, &said);
    }
    records.check();
}

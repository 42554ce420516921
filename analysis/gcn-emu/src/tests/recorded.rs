//! Effects of instructions with random fields on a machine, pinned by checksums: every opcode
//! in every form, alone, and many behind one another.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use gcn::Target;
use gcn::encoding::{Encoding, base};
use gcn::instruction::{Layout, fields};
use gcn::mnemonics::{self, OpEncoding, OpInfo};
use isa::gcn::Feature;

use crate::wave::ACCUMULATORS;
use crate::{
    Apertures, Attribute, Conversion, ImageError, ImageRequest, Images, LANES, Limits, Machine,
    Memory, Mode, Program, Stop, Wave,
};

#[path = "../../../../tests/src/records.rs"]
mod records;
use records::Records;
#[path = "../../../../tests/src/chance.rs"]
pub(super) mod chance;
use chance::Chance;

/// One chip of each set of instructions that differs much.
const CHIPS: [&str; 4] = ["gfx600", "gfx704", "gfx803", "gfx908"];

/// Programs of each form.
const EACH: usize = 16;

/// `s_endpgm`.
pub(super) const END: u32 = 0xbf81_0000;

/// The bytes of memory begin here.
pub(super) const MEMORY: u64 = 0x1000;

pub(super) fn table(name: &str) -> Records {
    Records::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("records").join(name))
}

/// Numbers by chance for one kind of instructions.
struct Numbers {
    chance: Chance,
    /// Vector registers that instructions name.
    registers: usize,
}

impl Numbers {
    fn new(state: u64) -> Numbers {
        Numbers { chance: Chance(state), registers: 36 }
    }

    fn next(&mut self) -> u64 {
        self.chance.next()
    }

    fn below(&mut self, limit: usize) -> usize {
        self.chance.below(limit)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        self.chance.one(of)
    }

    /// A word that is likely to be at an edge of some format.
    fn word(&mut self) -> u32 {
        const EDGES: [u32; 24] = [
            0,
            1,
            2,
            31,
            64,
            0xffff_ffff,
            0x7fff_ffff,
            0x8000_0000,
            0x3f80_0000,
            0xbf00_0000,
            0x4049_0fdb,
            0x42f6_e979,
            0x0000_8000,
            0x007f_ffff,
            0x0080_0000,
            0x7f7f_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x7fa0_1234,
            0x3c00_bc00,
            0x7bff_0001,
            0x7c00_fe00,
            0x0403_83ff,
        ];
        match self.below(3) {
            0 => self.next() as u32,
            1 => self.below(200) as u32,
            _ => self.one(&EDGES),
        }
    }
}

/// Answers by what it is asked and keeps the questions.
#[derive(Default)]
struct Asked(String);

impl Images for Asked {
    fn access(
        &mut self,
        request: &ImageRequest<'_>,
        _: &mut Memory,
    ) -> Result<Box<[[u32; 4]; LANES]>, ImageError> {
        let it = request;
        let conversion = match it.access.conversion {
            Conversion::Format => "Format",
            Conversion::Bits => "Bits",
            Conversion::SignedBits => "SignedBits",
        };
        let _ = writeln!(
            self.0,
            "{:?} {} {} {} {} {} {} {} {} {} {:x} {:x?} {:x?} {:x}",
            it.operation,
            conversion,
            it.access.level || it.access.level_zero,
            it.access.level_zero,
            it.access.bias,
            it.access.reference,
            it.access.derivatives,
            it.access.least_level,
            it.unnormalized,
            it.array,
            it.components,
            it.resource,
            it.sampler,
            it.lanes,
        );
        for lane in [0, 5, 63] {
            let (address, data) = (&it.addresses[lane], it.data[lane]);
            let _ = writeln!(self.0, "{address:x?} {data:x?} {:x}", it.changed([77, 0], lane)[0]);
        }
        Ok(Box::new(std::array::from_fn(|lane| {
            std::array::from_fn(|component| 0x3c01_4200 + (component * 64 + lane) as u32)
        })))
    }
}

/// A machine with numbers everywhere: v0 to v7 are small, v8 to v11 addresses; descriptors
/// begin at s4, s8 and s12, and s16 and s18 have addresses.
fn machine(numbers: &mut Numbers) -> Machine {
    let lanes = numbers.one(&[u64::MAX, u64::MAX, 1, 0xffff_0000_8421, 0]);
    let mut wave = Wave::new(lanes);
    for register in 0..40 {
        for lane in 0..LANES {
            let value = match register {
                0..=3 => 4 * lane as u32,
                4..=7 => numbers.below(300) as u32,
                8 | 10 => MEMORY as u32 + 4 * numbers.below(700) as u32,
                9 => 0,
                11 => numbers.one(&[0, 0, 0x7000, 0x9000]),
                _ => numbers.word(),
            };
            wave.set_lane(register, lane, value);
        }
    }
    for code in (0..104).chain([106, 107]) {
        wave.set_scalar(code, numbers.word());
    }
    for first in [4, 8, 12] {
        let stride = numbers.one(&[0, 0, 4, 12, 16]) | numbers.one(&[0, 0, 1 << 15]);
        let words = [
            MEMORY as u32 + 16 * numbers.below(4) as u32,
            stride << 16,
            numbers.one(&[16, 64, 200, 0x800]),
            0x0fac
                | (numbers.next() as u32 & 0x80ff_f000)
                | numbers.one(&[0, 1, 2, 3, 4, 5, 6, 7]) << 28,
        ];
        for (place, word) in words.into_iter().enumerate() {
            wave.set_scalar(first + place as u16, word);
        }
    }
    wave.set_pair(16, MEMORY);
    wave.set_pair(18, MEMORY + 0x100);
    wave.set_scalar(20, 8);
    wave.set_scalar(gcn::analysis::M0, numbers.one(&[u32::MAX, 0x1_0000, 0x100, 0x40_0080, 3]));
    wave.scc = numbers.below(2) == 1;
    wave.mode = Mode { bits: numbers.one(&[0xc0, 0xf0, 0x1c0, 0x2ff, 0x3c5, 0xca]) };
    wave.apertures = Apertures { shared: 0x7000, private: 0x9000, ..Apertures::default() };
    let value = |at: usize| at as f32 * 0.75 - 3.0;
    wave.attributes = (0..3)
        .map(|attribute| Attribute {
            components: std::array::from_fn(|component| {
                std::array::from_fn(|part| value(attribute * 12 + component * 3 + part))
            }),
            quad: (attribute == 2).then(|| {
                std::array::from_fn(|component| std::array::from_fn(|it| value(component * it)))
            }),
        })
        .collect();
    let mut bytes = |count: usize| (0..count).map(|_| numbers.next() as u8).collect::<Vec<_>>();
    let (memory, share, global_share) = (bytes(0x1000), bytes(0x400), bytes(0x200));
    let mut machine = Machine { waves: vec![wave], share, global_share, ..Machine::default() };
    machine.memory.map(MEMORY, memory).expect("a mapping");
    machine
}

/// A value of a field, of the kind that its name asks for.
fn value(numbers: &mut Numbers, name: &str, width: u8) -> u64 {
    let rarely = |numbers: &mut Numbers| u64::from(numbers.below(8) == 0);
    match name {
        "s0" | "s1" | "soffset" if width > 1 => {
            numbers.one(&[4, 16, 17, 20, 22, 30, 31, 106, 124, 126, 128, 130, 193, 208, 242, 253])
        }
        "sdst" | "sdata" => numbers.one(&[24, 25, 28, 32, 36, 40, 106, 124, 126]),
        "sbase" => numbers.one(&[2, 4, 6, 8, 8, 9]),
        "src0" | "src1" | "src2" if width == 9 => match numbers.below(10) {
            0..=6 => 256 + numbers.below(numbers.registers) as u64,
            7 => numbers.one(&[4, 20, 22, 31, 106, 124, 126, 253, 255]),
            8 => numbers.one(&[128, 129, 193, 200, 240, 242, 245, 247, 248]),
            _ => numbers.one(&[249, 250]),
        },
        "addr" | "vaddr" => numbers.one(&[0, 1, 2, 4, 8, 8, 10, 10]),
        "src0" | "vsrc" | "vsrc1" | "vdst" | "vdata" | "data" | "data0" | "data1" => {
            numbers.below(numbers.registers) as u64
        }
        "srsrc" | "ssamp" => 1 + numbers.below(4) as u64,
        "saddr" => numbers.one(&[0x7f, 0x7f, 16, 18]),
        "attr" => numbers.below(4) as u64,
        "offset" | "offset0" | "offset1" => numbers.one(&[0, 0, 4, 7, 16, 33, 0xfc]),
        "simm16" => numbers.one(&[0, 1, 4, 33, 0x7fff, 0x8000, 0xf801, 0xfffe]),
        "gds" | "tfe" | "lds" | "acc" | "nv" => rarely(numbers),
        _ => numbers.next() & ((1 << width) - 1),
    }
}

/// The words of a form with random fields, without a second and a third source if asked.
fn words(numbers: &mut Numbers, form: OpEncoding, target: Target, left_out: &[&str]) -> Vec<u32> {
    let generation = target.generation();
    let features = target.features();
    let mut bits = u64::from(base(form.encoding, form.opcode, generation).expect("an encoding"));
    for field in fields(Layout::Of(form.encoding), features) {
        let value = value(numbers, field.name, field.width);
        if !left_out.contains(&field.name) {
            bits |= (value & ((1 << field.width) - 1)) << field.low;
        }
    }
    let extension = match (form.encoding, bits & 0x1ff) {
        (Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc, 249) => Some(Layout::Sdwa),
        (Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc, 250) => Some(Layout::Dpp),
        _ => None,
    };
    if let Some(layout) = extension {
        for field in fields(layout, features) {
            let value = value(numbers, field.name, field.width) & ((1 << field.width) - 1);
            bits |= value << field.low;
        }
    }
    // What has one word has a constant in the second, if any.
    if bits >> 32 == 0 {
        bits |= u64::from(numbers.word()) << 32;
    }
    vec![bits as u32, (bits >> 32) as u32]
}

/// The words of an opcode: of several attempts the first that is an instruction.
fn instruction(
    numbers: &mut Numbers,
    info: &OpInfo,
    form: OpEncoding,
    target: Target,
) -> Option<Vec<u32>> {
    let attempts: [&[&str]; 4] =
        [&[], &["src2"], &["src1", "src2"], &["src1", "src2", "omod", "neg"]];
    attempts.into_iter().find_map(|left_out| {
        let mut words = words(numbers, form, target, left_out);
        let program = Program::prepare(target, &words);
        program.instructions.first().filter(|it| it.opcode == Some(info.opcode))?;
        if program.instructions.get(1).is_some_and(|it| it.offset == 4) {
            words.pop();
        }
        Some(words)
    })
}

/// The changes of a run.
fn changes(out: &mut String, before: &Machine, after: &Machine, ended: Result<u64, Stop>) {
    let _ = match ended {
        Ok(steps) => writeln!(out, "{steps} steps"),
        Err(stop) => writeln!(out, "{} {} {}", stop.wave, stop.instruction, stop.reason),
    };
    let (old, new) = (&before.waves[0], &after.waves[0]);
    for (number, (old, new)) in old.vectors.iter().zip(&new.vectors).enumerate() {
        if old != new {
            let _ = writeln!(out, "v{number} {new:x?}");
        }
    }
    for (number, (old, new)) in old.scalars.iter().zip(&new.scalars).enumerate() {
        if old != new {
            let _ = writeln!(out, "s{number} {new:x}");
        }
    }
    for (number, (old, new)) in old.writers.iter().zip(&new.writers).enumerate() {
        if old != new {
            let _ = writeln!(out, "v{number} by {new}");
        }
    }
    let accumulators = new.vectors.get(ACCUMULATORS..).filter(|more| !more.is_empty());
    if let Some(accumulators) = accumulators {
        let _ = writeln!(out, "{accumulators:x?}");
    }
    let _ = writeln!(out, "{} {:x} {} {}", new.scc, new.mode.bits, new.trap_status, new.counter);
    for (name, old, new) in [
        ("share", &before.share, &after.share),
        ("global share", &before.global_share, &after.global_share),
    ] {
        if old != new {
            let _ = writeln!(out, "{name} {new:x?}");
        }
    }
    if before.memory != after.memory {
        let _ = writeln!(out, "memory {:x?}", after.memory.words(MEMORY));
    }
    let _ = writeln!(out, "{:?} {:?}", after.exports, after.signals);
    for it in &after.messages {
        let _ = writeln!(out, "{it:?} {} {} {}", it.id(), it.operation(), it.stream());
    }
}

pub(super) fn run(out: &mut String, program: &Program, before: &Machine, steps: u64) {
    let mut after = before.clone();
    let mut images = Asked::default();
    let limits = Limits { steps, ..Limits::default() };
    let ended = after.run(program, &mut images, limits);
    changes(out, before, &after, ended);
    *out += &images.0;
}

/// Runs every opcode of a chip; those that begin alike make one row.
fn every_opcode(chip: &str) {
    let mut records = table(&format!("{chip}.tsv"));
    let target = Target::find(chip).expect(chip);
    let mut numbers = Numbers::new(target.generation() as u64);
    let machines: Vec<Machine> = (0..8).map(|_| machine(&mut numbers)).collect();
    let mut groups = BTreeMap::<(String, &str), String>::new();
    let mut executed = 0;
    // The numbers at random are those of an opcode's place among those that chips before MI200
    // have, so that newer ones change no answer.
    let older: Vec<Target> = Target::all().filter(|it| !it.has(Feature::Gfx90aInsts)).collect();
    let is_old = |info: &&OpInfo| older.iter().any(|it| !info.forms(*it).is_empty());
    for (number, info) in mnemonics::all().iter().filter(is_old).enumerate() {
        for form in info.forms(target) {
            let group: String = info.name.chars().take(6).collect();
            let out = groups.entry((group, form.encoding.name())).or_default();
            let mut numbers = Numbers::new(number as u64);
            for attempt in 0..EACH {
                let Some(mut words) = instruction(&mut numbers, info, *form, target) else {
                    continue;
                };
                words.push(END);
                let program = Program::prepare(target, &words);
                let _ = writeln!(out, "{}", info.name);
                run(out, &program, &machines[(number + attempt) % machines.len()], 8);
                executed += 1;
            }
        }
    }
    assert!(executed > 1500, "{executed} programs");
    for ((group, encoding), said) in &groups {
        records.add(group, encoding, said);
    }
    records.check();
}

#[test]
fn every_opcode_of_southern_islands() {
    every_opcode(CHIPS[0]);
}

#[test]
fn every_opcode_of_sea_islands() {
    every_opcode(CHIPS[1]);
}

#[test]
fn every_opcode_of_volcanic_islands() {
    every_opcode(CHIPS[2]);
}

#[test]
fn every_opcode_of_mi100() {
    every_opcode(CHIPS[3]);
}

/// Beginnings of the opcodes between which waits and wait states are needed.
const SLOW: [&str; 26] = [
    "s_load",
    "s_store",
    "s_setreg",
    "s_getreg",
    "s_sendmsg",
    "buffer_load",
    "buffer_store_d",
    "flat_load_d",
    "ds_read",
    "ds_write",
    "ds_add",
    "image_load",
    "image_sample",
    "exp",
    "v_readlane",
    "v_writelane",
    "v_readfirst",
    "v_div_fmas",
    "v_cmpx_eq",
    "v_mfma",
    "v_accvgpr",
    "v_interp",
    "s_mov_b",
    "v_mov_b32",
    "v_add_",
    "s_movrel",
];

/// Tells whether an instruction comes to its end alone.
fn runs(target: Target, words: &[u32], machine: &Machine) -> bool {
    let program = Program::prepare(target, &[words, &[END]].concat());
    machine.clone().run(&program, &mut Asked::default(), Limits::default()).is_ok()
}

#[test]
fn many_instructions_behind_one_another() {
    let mut records = table("sequences.tsv");
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        let mut numbers = Numbers { chance: Chance(7), registers: 14 };
        let machines: Vec<Machine> = (0..4).map(|_| machine(&mut numbers)).collect();
        let mut groups = Vec::<Vec<(&OpInfo, OpEncoding)>>::new();
        for begin in SLOW {
            let own = mnemonics::all().iter().filter(|info| info.name.starts_with(begin));
            groups.push(
                own.flat_map(|info| info.forms(target).iter().map(move |it| (info, *it))).collect(),
            );
        }
        groups.retain(|group| !group.is_empty());
        let waits = [0xbf8c_0000_u32, 0xbf8c_0f70, 0xbf8c_007f, 0xbf8c_0f0f, 0xbf8c_0071];
        for row in 0..12 {
            let mut said = String::new();
            for number in 0..80 {
                let before = &machines[number % machines.len()];
                let mut words = Vec::new();
                for _ in 0..9 {
                    let group = &groups[numbers.below(groups.len())];
                    let (info, form) = numbers.one(group);
                    let Some(own) = instruction(&mut numbers, info, form, target) else { continue };
                    if !runs(target, &own, before) {
                        continue;
                    }
                    words.extend(own);
                    match numbers.below(4) {
                        0 => words.push(numbers.one(&waits)),
                        1 => words.push(0xbf80_0000 | numbers.below(6) as u32),
                        _ => {}
                    }
                }
                words.push(END);
                let program = Program::prepare(target, &words);
                run(&mut said, &program, before, 30);
            }
            records.add(&format!("{row}"), chip, &said);
        }
    }
    records.check();
}

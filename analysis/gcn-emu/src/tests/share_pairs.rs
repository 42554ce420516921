//! Instructions of the share on two places: every one against what its name says.

use gcn::mnemonics::{self, OpInfo};
use gcn::{Target, encoding};

use super::bounds::Words;
use super::formula::{self, Names};
use crate::{Limits, Machine, NoImages, Program, Wave};

const CHIPS: [&str; 4] = ["gfx600", "gfx704", "gfx803", "gfx900"];

/// The instructions on two places.
pub(super) fn covered(target: Target) -> impl Iterator<Item = &'static OpInfo> {
    let starts = ["ds_read2", "ds_write2", "ds_wrxchg2"];
    mnemonics::all()
        .iter()
        .filter(move |info| {
            starts.iter().any(|start| info.name.starts_with(start)) || info.name.contains("_src2_")
        })
        .filter(move |info| !info.forms(target).is_empty())
}

fn number(bytes: &[u8], place: usize, size: usize) -> u64 {
    bytes[place..place + size].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

fn put(bytes: &mut [u8], place: usize, size: usize, value: u64) {
    bytes[place..place + size].copy_from_slice(&value.to_le_bytes()[..size]);
}

/// Computes the share after an instruction, and the registers of its result.
fn expected(name: &str, before: &[u8], address: usize, data: [u64; 2]) -> (Vec<u8>, Vec<u64>) {
    let size = if name.ends_with("64") { 8 } else { 4 };
    let unit = if name.contains("st64") { size * 64 } else { size };
    let mut after = before.to_vec();
    if name.contains("_src2_") {
        // Two words behind the first place.
        let second = number(before, address + 8, size);
        let first = number(before, address, size);
        let ty = name.rsplit('_').next().expect("a type").replace('b', "u");
        let ty = ty.replace("32", "");
        let operation = name.split('_').nth(1).expect("an operation");
        let text = match operation {
            "write" => format!("M.{ty} = DATA.{ty}"),
            "add" => format!("M.{ty} = M.{ty} + DATA.{ty}"),
            "sub" => format!("M.{ty} = M.{ty} - DATA.{ty}"),
            "rsub" => format!("M.{ty} = DATA.{ty} - M.{ty}"),
            "inc" => format!("M.{ty} = M.{ty} >= DATA.{ty} ? 0 : M.{ty} + 1"),
            "dec" => format!("M.{ty} = M.{ty} == 0 || M.{ty} > DATA.{ty} ? DATA.{ty} : M.{ty} - 1"),
            "and" => format!("M.{ty} = M.{ty} & DATA.{ty}"),
            "or" => format!("M.{ty} = M.{ty} | DATA.{ty}"),
            "xor" => format!("M.{ty} = M.{ty} ^ DATA.{ty}"),
            _ => format!("M.{ty} = {operation}(M.{ty}, DATA.{ty})"),
        };
        let mut names: Names = [("M", first), ("DATA", second)]
            .map(|(name, bits)| (name.to_owned(), bits.into()))
            .into();
        formula::run(&text, &mut names).expect(&text);
        put(&mut after, address, size, names["M"] as u64);
        return (after, Vec::new());
    }
    let places = [address + 2 * unit, address + 5 * unit];
    let old = places.map(|place| number(before, place, size)).to_vec();
    if !name.starts_with("ds_read2") {
        for (place, value) in places.into_iter().zip(data) {
            put(&mut after, place, size, value);
        }
    }
    (after, if name.starts_with("ds_write2") { Vec::new() } else { old })
}

#[test]
fn every_instruction_on_two_places_does_what_its_name_says() {
    let mut words = Words(3);
    let mut count = 0;
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        for info in covered(target) {
            let form = info.forms(target)[0];
            let first = encoding::base(form.encoding, form.opcode, target.generation());
            // Offsets of two and of five units; of the second operand two words.
            let offsets = if info.name.contains("_src2_") { 2 } else { 2 | 5 << 8 };
            let second = 1 | 4 << 8 | 8 << 16 | 12 << 24;
            let program =
                Program::prepare(target, &[first.expect(info.name) | offsets, second, 0xbf81_0000]);
            for _ in 0..4 {
                let mut wave = Wave::new(1);
                wave.set_scalar(gcn::analysis::M0, u32::MAX);
                wave.set_lane(1, 0, 64);
                // Floats of moderate size are integers too.
                let mut any = || 0x3e00_0000 | words.next() & 0x81ff_ffff;
                let mut data = [0; 2];
                for (place, value) in data.iter_mut().enumerate() {
                    *value = u64::from(any()) | u64::from(any()) << 32;
                    wave.set_lane(4 + 4 * place, 0, *value as u32);
                    wave.set_lane(5 + 4 * place, 0, (*value >> 32) as u32);
                }
                let share: Vec<u8> = (0..1024).flat_map(|_| any().to_le_bytes()).collect();
                let (after, results) = expected(info.name, &share, 64, data);
                let mut machine = Machine { waves: vec![wave], share, ..Machine::default() };
                let ended = machine.run(&program, &mut NoImages, Limits::default());
                ended.unwrap_or_else(|stop| panic!("{chip} {}: {stop:?}", info.name));
                assert!(machine.share == after, "{chip} {}", info.name);
                let size = if info.name.ends_with("64") { 2 } else { 1 };
                for (place, expected) in results.into_iter().enumerate() {
                    let lane =
                        |word: usize| u64::from(machine.waves[0].lane(12 + place * size + word, 0));
                    let found = lane(0) | if size == 2 { lane(1) << 32 } else { 0 };
                    assert_eq!(found, expected, "{chip} {}", info.name);
                }
            }
            count += 1;
        }
    }
    eprintln!("{count} instructions on two places");
    assert!(count > 150, "{count}");
}

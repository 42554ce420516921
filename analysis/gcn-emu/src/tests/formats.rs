//! Instructions on buffers that convert: every one against the components that its name
//! has, in formats that need no conversion and in one that does.

use gcn::mnemonics::{self, OpInfo};
use gcn::{Target, encoding};

use crate::{Limits, Machine, NoImages, Program, Wave};

const CHIPS: [&str; 4] = ["gfx600", "gfx704", "gfx803", "gfx900"];

/// The instructions that convert.
pub(super) fn covered(target: Target) -> impl Iterator<Item = &'static OpInfo> {
    mnemonics::all()
        .iter()
        .filter(move |info| info.name.contains("buffer_") && info.name.contains("_format_"))
        .filter(move |info| !info.forms(target).is_empty())
}

/// Four floats and their halves.
const FLOATS: [f32; 4] = [1.0, -2.5, 0.125, 96.0];
const HALVES: [u32; 4] = [0x3c00, 0xc100, 0x3000, 0x5600];
const DATA: usize = 8;

/// Returns the registers of a lane's components: a word each, a half of a word each, two to
/// a word, or one in an upper half.
fn registers(info: &OpInfo, chip: &str) -> Vec<u32> {
    let count = info.name.rsplit('_').next().expect("components").len();
    let half = |place: usize| if place < count { HALVES[place] } else { 0 };
    match () {
        () if info.name.contains("d16_hi") => vec![0x1234 | HALVES[0] << 16],
        () if info.name.contains("d16") && chip == "gfx900" => {
            (0..count.div_ceil(2)).map(|word| half(2 * word) | half(2 * word + 1) << 16).collect()
        }
        () if info.name.contains("d16") => (0..count).map(half).collect(),
        () => FLOATS[..count].iter().map(|value| value.to_bits()).collect(),
    }
}

#[test]
fn every_conversion_moves_the_components_of_its_name() {
    let mut count = 0;
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        for info in covered(target) {
            // 32 bits each, or 16; floats.
            for (format, bytes) in [(14, 4), (12, 2)] {
                let form = info.forms(target)[0];
                let first = encoding::base(form.encoding, form.opcode, target.generation());
                let mut first = first.expect(info.name);
                if info.name.starts_with('t') {
                    first |= format << 19 | 7 << 23;
                }
                let second = (DATA as u32) << 8 | 1 << 16 | 0x80 << 24;
                let mut wave = Wave::new(1);
                // All components as memory has them; floats; the format.
                let rest = 0xfac | 7 << 12 | format << 15;
                for (place, value) in [0x1000, 0, 64, rest].into_iter().enumerate() {
                    wave.set_scalar(4 + place as u16, value);
                }
                let given = registers(info, chip);
                let stores = info.name.contains("store");
                for (place, register) in given.iter().enumerate() {
                    wave.set_lane(DATA + place, 0, if stores { *register } else { 0x1234 });
                }
                let mut machine = Machine { waves: vec![wave], ..Machine::default() };
                let component = |place: usize| -> Vec<u8> {
                    match bytes {
                        4 => FLOATS[place].to_bits().to_le_bytes().to_vec(),
                        _ => (HALVES[place] as u16).to_le_bytes().to_vec(),
                    }
                };
                let full: Vec<u8> = (0..4).flat_map(component).collect();
                let memory = if stores { vec![0xee; full.len()] } else { full.clone() };
                machine.memory.map(0x1000, memory).expect("a mapping");
                let program = Program::prepare(target, &[first, second, 0xbf81_0000]);
                let ended = machine.run(&program, &mut NoImages, Limits::default());
                ended.unwrap_or_else(|stop| panic!("{chip} {}: {stop:?}", info.name));
                if stores {
                    let components = info.name.rsplit('_').next().expect("components").len();
                    // Components that are not given are stored as 0.
                    let mut expected = full.clone();
                    expected[components * bytes..].fill(0);
                    let words = machine.memory.words(0x1000);
                    let found: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    assert_eq!(found, expected, "{chip} {} {format}", info.name);
                } else {
                    for (place, expected) in given.iter().enumerate() {
                        let found = machine.waves[0].lane(DATA + place, 0);
                        assert_eq!(found, *expected, "{chip} {} {format}", info.name);
                    }
                }
                count += 1;
            }
        }
    }
    eprintln!("{count} conversions");
    assert!(count > 150, "{count}");
}

#[test]
fn small_floats_have_no_sign() {
    use crate::storage::format::packed;
    const FLOAT: u8 = 7;
    for (number, expected) in [(-0.0_f32, 0), (-1.0, 0), (f32::NAN, 0), (1.0, 0x3c0), (0.0, 0)] {
        assert_eq!(packed(number.to_bits(), 11, FLOAT), expected, "{number}");
    }
    assert_eq!(packed(1.0_f32.to_bits(), 10, FLOAT), 0x1e0);
}

#[test]
fn sums_of_short_floats_in_memory_stay_nan() {
    use isa::gcn::operation::Atomic;

    use crate::mode::Mode;
    use crate::storage::atomic::{AtomicInputs, apply};
    // The lower half is a NaN of all ones, whose rounding must not carry; the upper 1 + 1.
    let inputs = AtomicInputs { old: 0x3f80_7fff, data: 0x3f80_3f80, other: 0 };
    assert_eq!(apply(Atomic::ShortFloatsAdd, inputs, 32, Mode::OF_MEMORY), 0x4000_7fff);
}

//! Conversions of scaled floats, on numbers whose bits were worked out by hand.

use gcn::mnemonics;

use super::{machine, run};
use crate::Reason;

/// A format: its name in mnemonics, its bits, the codes of 1, 2, 3 and -0.5 and, if it can hold
/// them, of eight times as much.
struct Format {
    name: &'static str,
    bits: usize,
    plain: [u32; 4],
    times_eight: Option<[u32; 4]>,
}

const FORMATS: [Format; 8] = [
    Format {
        name: "f32",
        bits: 32,
        plain: [0x3f80_0000, 0x4000_0000, 0x4040_0000, 0xbf00_0000],
        times_eight: Some([0x4100_0000, 0x4180_0000, 0x41c0_0000, 0xc080_0000]),
    },
    Format {
        name: "f16",
        bits: 16,
        plain: [0x3c00, 0x4000, 0x4200, 0xb800],
        times_eight: Some([0x4800, 0x4c00, 0x4e00, 0xc400]),
    },
    Format {
        name: "bf16",
        bits: 16,
        plain: [0x3f80, 0x4000, 0x4040, 0xbf00],
        times_eight: Some([0x4100, 0x4180, 0x41c0, 0xc080]),
    },
    Format { name: "fp8", bits: 8, plain: [0x38, 0x40, 0x44, 0xb0], times_eight: None },
    Format { name: "bf8", bits: 8, plain: [0x3c, 0x40, 0x42, 0xb8], times_eight: None },
    Format { name: "fp6", bits: 6, plain: [0x08, 0x10, 0x14, 0x24], times_eight: None },
    Format { name: "bf6", bits: 6, plain: [0x0c, 0x10, 0x12, 0x28], times_eight: None },
    Format { name: "fp4", bits: 4, plain: [0x2, 0x4, 0x5, 0x9], times_eight: None },
];

fn format(name: &str) -> &'static Format {
    FORMATS.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("no format {name}"))
}

/// Words that hold so many numbers after one another, the four codes in turn from `first` on and
/// every `step`-th of them.
fn packed(codes: [u32; 4], bits: usize, count: usize, [first, step]: [usize; 2]) -> Vec<u32> {
    let mut words = vec![0_u32; (count * bits).div_ceil(32)];
    for number in 0..count {
        for bit in 0..bits {
            let is_set = codes[(first + number * step) % 4] >> bit & 1;
            words[(number * bits + bit) / 32] |= is_set << ((number * bits + bit) % 32);
        }
    }
    words
}

/// The registers of an operand: `v10`, `v[10:12]`.
fn registers(first: usize, words: usize) -> String {
    match words {
        1 => format!("v{first}"),
        _ => format!("v[{first}:{}]", first + words - 1),
    }
}

/// Every scaled conversion of the chip, with the scale 8: eight times as much on the way to a
/// wide format, an eighth on the way to a narrow one. All numbers are exact, so that random bits
/// change nothing, and what lies beside a narrow result is kept.
#[test]
fn every_scaled_conversion_gives_the_numbers_of_the_formats() {
    let mut seen = 0;
    for info in mnemonics::all() {
        let Some(name) = info.name.strip_prefix("v_cvt_scalef32_") else { continue };
        seen += 1;
        let (random, name) = match name.strip_prefix("sr_") {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let (count, name) = [("pk32_", 32), ("2xpk16_", 32), ("pk_", 2)]
            .into_iter()
            .find_map(|(prefix, count)| Some((count, name.strip_prefix(prefix)?)))
            .unwrap_or((1, name));
        let (to, from) =
            name.split_once('_').map(|(to, from)| (format(to), format(from))).expect(name);
        let is_up = to.bits > from.bits;
        let wide = |it: &Format| it.times_eight.expect("a wide format");
        let (given, expected) = match is_up {
            true => (from.plain, wide(to)),
            false => (wide(from), to.plain),
        };
        // Floats of 32 bits come from two operands in turn, where no random bits take the second.
        let is_apart = from.name == "f32" && count > 1 && !random;
        let sources = match is_apart {
            true => [0, 1].map(|first| packed(given, 32, count / 2, [first, 2])).to_vec(),
            false => vec![packed(given, from.bits, count, [0, 1])],
        };
        let result = packed(expected, to.bits, count, [0, 1]);

        let mut machine = machine();
        let mut operands = vec![registers(128, result.len())];
        for (place, source) in sources.iter().enumerate() {
            operands.push(registers(32 * place, source.len()));
            for (word, value) in source.iter().enumerate() {
                machine.waves[0].set_lane(32 * place + word, 7, *value);
            }
        }
        if random {
            operands.push("v100".to_owned());
            machine.waves[0].set_lane(100, 7, 0x9e37_79b9);
        }
        operands.push("v101".to_owned());
        machine.waves[0].set_lane(101, 7, 8.0_f32.to_bits());
        machine.waves[0].set_lane(128, 7, u32::MAX);
        let text = format!("{} {}", info.name, operands.join(", "));
        run("gfx950", &text, &mut machine).unwrap_or_else(|stop| panic!("{text}: {stop}"));
        let beside = match count * to.bits {
            bits @ ..32 => u32::MAX << bits,
            _ => 0,
        };
        for (word, value) in result.iter().enumerate() {
            let found = machine.waves[0].lane(128 + word, 7);
            assert_eq!(found, value | beside, "{text}: word {word}");
        }
    }
    assert_eq!(seen, 49);
}

/// Between two numbers of a format the random bits decide: none of them rounds towards zero, all
/// of them away from it. The second number takes the next random bits.
#[test]
fn random_bits_decide_between_two_numbers() {
    let half = |bits: [u16; 2]| u32::from(bits[0]) | u32::from(bits[1]) << 16;
    for (text, source, random, expected) in [
        // 1.0625 lies between 1 and 1.125.
        ("v_cvt_scalef32_sr_fp8_f32 v8, v6, v9, v7", 1.0625_f32.to_bits(), 0, 0xffff_ff38_u32),
        ("v_cvt_scalef32_sr_fp8_f32 v8, v6, v9, v7", 1.0625_f32.to_bits(), u32::MAX, 0xffff_ff39),
        // -1.125 lies between -1 and -1.25.
        ("v_cvt_scalef32_sr_bf8_f32 v8, v6, v9, v7", (-1.125_f32).to_bits(), 0, 0xffff_ffbc),
        ("v_cvt_scalef32_sr_bf8_f32 v8, v6, v9, v7", (-1.125_f32).to_bits(), u32::MAX, 0xffff_ffbd),
        // 1.25 lies between 1 and 1.5; zero comes after random bits that are all zero.
        ("v_cvt_scalef32_sr_pk_fp4_f16 v8, v6, v9, v7", half([0x3d00, 0x3d00]), 0, 0xffff_ff22),
    ] {
        let mut machine = machine();
        for (register, value) in [(6, source), (7, 1.0_f32.to_bits()), (8, u32::MAX), (9, random)] {
            machine.waves[0].set_lane(register, 0, value);
        }
        run("gfx950", text, &mut machine).expect(text);
        assert_eq!(machine.waves[0].lane(8, 0), expected, "{text} {random:x}");
    }
}

/// Values beyond the range become the largest number of 6 and 4 bits; a NaN has no code there.
#[test]
fn formats_of_6_and_4_bits_have_neither_infinity_nor_nan() {
    for (text, given, expected) in [
        ("v_cvt_scalef32_pk_fp4_f32 v8, v6, v6, v7", f32::INFINITY, Some(0xffff_ff77_u32)),
        ("v_cvt_scalef32_pk_fp4_f32 v8, v6, v6, v7", -1000.0, Some(0xffff_ffff)),
        ("v_cvt_scalef32_pk_fp4_f32 v8, v6, v6, v7", f32::NAN, None),
        ("v_cvt_scalef32_2xpk16_fp6_f32 v[128:133], v[32:47], v[48:63], v7", f32::NAN, None),
    ] {
        let mut machine = machine();
        for register in std::iter::once(6).chain(32..64) {
            machine.waves[0].set_lane(register, 0, given.to_bits());
        }
        machine.waves[0].set_lane(7, 0, 1.0_f32.to_bits());
        machine.waves[0].set_lane(8, 0, u32::MAX);
        match (run("gfx950", text, &mut machine), expected) {
            (Ok(()), Some(expected)) => assert_eq!(machine.waves[0].lane(8, 0), expected, "{text}"),
            (Err(stop), None) => {
                assert!(matches!(stop.reason, Reason::Unsupported(_)), "{text}: {stop}");
            }
            (found, _) => panic!("{text}: {found:?}"),
        }
    }
}

/// Worked out by hand: small floats are multiplied by the scale on their way out, and divided by
/// it on their way in.
#[test]
fn small_floats_are_scaled() {
    let bits = |value: f32| value.to_bits();
    // 1 and 2 as floats of 8 bits and of 4 bits; 3 and -0.5 beside them in the upper half.
    let (bytes, bf8, nibbles) = (0xb044_4038_u32, 0x4038_403c_u32, 0x0000_0042_u32);
    for (text, sources, expected) in [
        ("v_cvt_scalef32_pk_f32_fp8 v[10:11], v6, v7", [bytes, 0, bits(4.0)], [4.0, 8.0]),
        (
            "v_cvt_scalef32_pk_f32_fp8 v[10:11], v6, v7 op_sel:[1,0]",
            [bytes, 0, bits(4.0)],
            [12.0, -2.0],
        ),
        ("v_cvt_scalef32_pk_f32_bf8 v[10:11], v6, v7", [bf8, 0, bits(0.5)], [0.5, 1.0]),
        ("v_cvt_scalef32_pk_f32_fp4 v[10:11], v6, v7", [nibbles, 0, bits(8.0)], [8.0, 16.0]),
    ] {
        let mut machine = machine();
        machine.waves[0].set_lane(6, 0, sources[0]);
        machine.waves[0].set_lane(7, 0, sources[2]);
        run("gfx950", text, &mut machine).expect(text);
        let found = [10, 11].map(|it| f32::from_bits(machine.waves[0].lane(it, 0)));
        assert_eq!(found, expected, "{text}");
    }
    for (text, expected) in [
        ("v_cvt_scalef32_pk_fp8_f32 v8, v6, v9, v7", 0xffff_4038_u32),
        ("v_cvt_scalef32_pk_fp8_f32 v8, v6, v9, v7 op_sel:[0,0,0,1]", 0x4038_ffff),
        ("v_cvt_scalef32_pk_fp4_f32 v8, v6, v9, v7", 0xffff_ff42),
    ] {
        let mut machine = machine();
        for (register, value) in [(6, 8.0_f32), (9, 16.0), (7, 8.0)] {
            machine.waves[0].set_lane(register, 0, bits(value));
        }
        machine.waves[0].set_lane(8, 0, u32::MAX);
        run("gfx950", text, &mut machine).expect(text);
        assert_eq!(machine.waves[0].lane(8, 0), expected, "{text}: what is beside it is kept");
    }
}

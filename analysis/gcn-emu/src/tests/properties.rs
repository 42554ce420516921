//! Properties that hold whatever the numbers: quotients are those of IEEE 754, numbers come
//! back from their parts, wide arithmetic is narrow arithmetic with carries, pairs are two
//! of their halves.

use proptest::prelude::*;

use super::{CHIPS, machine, run};
use crate::{LANES, Machine};
use softfloat::Exact;
use softfloat::{Rounding, to_half};

/// Denormals of 32 bits are numbers like others.
const DENORMALS: &str = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n";

/// A machine with a number of 32 or 64 bits in each lane of registers from a number on.
fn with(columns: &[(usize, &[u64; LANES])]) -> Machine {
    let mut machine = machine();
    for (first, numbers) in columns {
        for (lane, number) in numbers.iter().enumerate() {
            machine.waves[0].set_lane(*first, lane, *number as u32);
            machine.waves[0].set_lane(first + 1, lane, (number >> 32) as u32);
        }
    }
    machine
}

fn single(machine: &Machine, register: usize, lane: usize) -> u32 {
    machine.waves[0].lane(register, lane)
}

fn double(machine: &Machine, register: usize, lane: usize) -> u64 {
    let word = |place: usize| u64::from(machine.waves[0].lane(register + place, lane));
    word(0) | word(1) << 32
}

/// Floats of 32 bits, of all kinds: any bits, small wholes, the edges of the format.
fn singles() -> impl Strategy<Value = u64> {
    let edges = [0, 1, 0x7f_ffff, 0x80_0000, 0x3f7f_ffff, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000];
    let edge = prop::sample::select(edges.to_vec());
    let signed = (edge, any::<bool>()).prop_map(|(bits, sign)| bits | u32::from(sign) << 31);
    let whole = (-100..100_i16).prop_map(|value| f32::from(value).to_bits());
    prop_oneof![4 => any::<u32>(), 1 => signed, 1 => whole].prop_map(u64::from)
}

fn doubles() -> impl Strategy<Value = u64> {
    let edges = [0, 1, (1 << 52) - 1, 1 << 52, 0x3ff0 << 48, f64::MAX.to_bits(), 0x7ff0 << 48];
    let edge = prop::sample::select(edges.to_vec());
    let signed = (edge, any::<bool>()).prop_map(|(bits, sign)| bits | u64::from(sign) << 63);
    let whole = (-100..100_i16).prop_map(|value| f64::from(value).to_bits());
    prop_oneof![4 => any::<u64>(), 1 => signed, 1 => whole]
}

/// Powers of two within every format's reach and far beyond it.
fn powers() -> impl Strategy<Value = u64> {
    let edge = prop::sample::select(vec![i32::MIN, -1500, -150, 0, 150, 1500, i32::MAX]);
    prop_oneof![2 => any::<i32>(), 4 => -300..300, 1 => edge]
        .prop_map(|power| u64::from(power as u32))
}

fn lanes(of: impl Strategy<Value = u64>) -> impl Strategy<Value = [u64; LANES]> {
    prop::collection::vec(of, LANES).prop_map(|all| std::array::from_fn(|lane| all[lane]))
}

/// The steps by which compilers divide numbers of 32 bits exactly: v2 by v4, into v6.
const DIVISION: &str = "
    v_div_scale_f32 v8, s[4:5], v4, v4, v2
    v_div_scale_f32 v9, vcc, v2, v4, v2
    v_rcp_f32 v10, v8
    v_fma_f32 v11, -v8, v10, 1.0
    v_fma_f32 v10, v11, v10, v10
    v_mul_f32 v11, v9, v10
    v_fma_f32 v12, -v8, v11, v9
    v_fma_f32 v11, v12, v10, v11
    v_fma_f32 v12, -v8, v11, v9
    v_div_fmas_f32 v6, v12, v10, v11
    v_div_fixup_f32 v6, v6, v4, v2";

/// The same of 64 bits: v[2:3] by v[4:5], into v[6:7].
const WIDE_DIVISION: &str = "
    v_div_scale_f64 v[8:9], s[4:5], v[4:5], v[4:5], v[2:3]
    v_rcp_f64 v[10:11], v[8:9]
    v_fma_f64 v[12:13], -v[8:9], v[10:11], 1.0
    v_fma_f64 v[10:11], v[10:11], v[12:13], v[10:11]
    v_fma_f64 v[12:13], -v[8:9], v[10:11], 1.0
    v_fma_f64 v[10:11], v[10:11], v[12:13], v[10:11]
    v_div_scale_f64 v[14:15], vcc, v[2:3], v[4:5], v[2:3]
    v_mul_f64 v[12:13], v[14:15], v[10:11]
    v_fma_f64 v[16:17], -v[8:9], v[12:13], v[14:15]
    s_nop 3
    v_div_fmas_f64 v[6:7], v[16:17], v[10:11], v[12:13]
    v_div_fixup_f64 v[6:7], v[6:7], v[4:5], v[2:3]";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn quotients_are_those_of_ieee(a in lanes(singles()), b in lanes(singles())) {
        for chip in CHIPS {
            let mut machine = with(&[(2, &a), (4, &b)]);
            run(chip, &format!("{DENORMALS}{DIVISION}"), &mut machine).expect(chip);
            for lane in 0..LANES {
                let [x, y] = [a[lane], b[lane]].map(|bits| f32::from_bits(bits as u32));
                let (found, expected) = (f32::from_bits(single(&machine, 6, lane)), x / y);
                let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                prop_assert!(same, "{chip}: {x:e} / {y:e} is {found:e}, not {expected:e}");
            }
        }
    }

    #[test]
    fn wide_quotients_are_those_of_ieee(a in lanes(doubles()), b in lanes(doubles())) {
        for chip in CHIPS {
            let mut machine = with(&[(2, &a), (4, &b)]);
            run(chip, WIDE_DIVISION, &mut machine).expect(chip);
            for lane in 0..LANES {
                let [x, y] = [a[lane], b[lane]].map(f64::from_bits);
                let (found, expected) = (f64::from_bits(double(&machine, 6, lane)), x / y);
                let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                prop_assert!(same, "{chip}: {x:e} / {y:e} is {found:e}, not {expected:e}");
            }
        }
    }

    #[test]
    fn numbers_come_back_from_their_parts(a in lanes(singles()), b in lanes(doubles())) {
        let text = format!("{DENORMALS}
            v_frexp_mant_f32 v6, v2
            v_frexp_exp_i32_f32 v7, v2
            v_ldexp_f32 v6, v6, v7
            v_frexp_mant_f64 v[8:9], v[4:5]
            v_frexp_exp_i32_f64 v10, v[4:5]
            v_ldexp_f64 v[8:9], v[8:9], v10");
        for chip in CHIPS {
            let mut machine = with(&[(2, &a), (4, &b)]);
            run(chip, &text, &mut machine).expect(chip);
            for lane in 0..LANES {
                let (given, found) = (a[lane] as u32, single(&machine, 6, lane));
                prop_assert!(given == found || f32::from_bits(given).is_nan(), "{chip} {given:x} {found:x}");
                let (given, found) = (b[lane], double(&machine, 8, lane));
                prop_assert!(given == found || f64::from_bits(given).is_nan(), "{chip} {given:x} {found:x}");
            }
        }
    }

    #[test]
    fn powers_of_any_size_scale_numbers(a in lanes(singles()), powers in lanes(powers())) {
        let text = format!("{DENORMALS}
            v_cvt_f64_f32 v[6:7], v2
            v_ldexp_f64 v[6:7], v[6:7], v4
            v_ldexp_f32 v8, v2, v4");
        for chip in CHIPS {
            let mut machine = with(&[(2, &a), (4, &powers)]);
            run(chip, &text, &mut machine).expect(chip);
            for lane in 0..LANES {
                // Small enough for the processor here to round once, and as good as any other.
                let (number, power) = (f32::from_bits(a[lane] as u32), powers[lane] as i32);
                let wide = f64::from(number) * 2_f64.powi(power.clamp(-800, 800));
                let found = f32::from_bits(single(&machine, 8, lane));
                let same = found.to_bits() == (wide as f32).to_bits() || number.is_nan() && found.is_nan();
                prop_assert!(same, "{chip}: {number:e} by {power}: {found:e}");
                let found = f64::from_bits(double(&machine, 6, lane));
                let expected = match power {
                    -800..=800 => wide,
                    1300.. => number as f64 * f64::INFINITY,
                    ..=-1300 => number as f64 * 0.0,
                    _ => continue,
                };
                let is_open = number.is_nan() || expected.is_nan();
                prop_assert!(is_open || found.to_bits() == expected.to_bits(), "{chip}: {number:e} by {power}: {found:e}");
            }
        }
    }

    #[test]
    fn wide_sums_and_products_are_narrow_ones(a in lanes(any::<u64>()), b in lanes(any::<u64>())) {
        for chip in CHIPS {
            let (add, carry) = match chip {
                "vega10" => ("v_add_co_u32", "v_addc_co_u32"),
                "polaris10" => ("v_add_u32", "v_addc_u32"),
                _ => ("v_add_i32", "v_addc_u32"),
            };
            let text = format!("{add} v6, vcc, v2, v4\n{carry} v7, vcc, v3, v5, vcc\n\
                v_mul_lo_u32 v8, v2, v4\nv_mul_hi_u32 v9, v2, v4\n\
                v_mul_hi_i32 v10, v2, v4");
            let mut machine = with(&[(2, &a), (4, &b)]);
            run(chip, &text, &mut machine).expect(chip);
            for lane in 0..LANES {
                prop_assert_eq!(double(&machine, 6, lane), a[lane].wrapping_add(b[lane]));
                let [x, y] = [a[lane], b[lane]].map(|bits| bits as u32);
                prop_assert_eq!(double(&machine, 8, lane), u64::from(x) * u64::from(y));
                let signed = i64::from(x as i32) * i64::from(y as i32);
                prop_assert_eq!(single(&machine, 10, lane), (signed >> 32) as u32);
            }
        }
    }

    #[test]
    fn pairs_are_two_of_their_halves(
        a in lanes(any::<u64>()), b in lanes(any::<u64>()), c in lanes(any::<u64>()), way in 0..4_u32
    ) {
        for (pair, one, kind) in [
            ("v_pk_add_f16", "v_add_f16", ""),
            ("v_pk_mul_f16", "v_mul_f16", ""),
            ("v_pk_min_f16", "v_min_f16", ""),
            ("v_pk_max_f16", "v_max_f16", ""),
            ("v_pk_fma_f16", "v_fma_f16", ", v6"),
            ("v_pk_add_u16", "v_add_u16", ""),
            ("v_pk_mad_u16", "v_mad_u16", ", v6"),
            ("v_pk_mad_i16", "v_mad_i16", ", v6"),
            ("v_pk_lshrrev_b16", "v_lshrrev_b16", ""),
            ("v_pk_ashrrev_i16", "v_ashrrev_i16", ""),
            ("v_pk_min_i16", "v_min_i16", ""),
        ] {
            let text = format!("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 2, 2), {way}
                {pair} v8, v2, v4{kind}
                {one} v9, v2, v4{kind}
                v_lshrrev_b32 v2, 16, v2
                v_lshrrev_b32 v4, 16, v4
                v_lshrrev_b32 v6, 16, v6
                {one} v10, v2, v4{kind}");
            let mut machine = with(&[(2, &a), (4, &b), (6, &c)]);
            run("vega10", &text, &mut machine).expect(pair);
            for lane in 0..LANES {
                let [low, high] = [9, 10].map(|register| single(&machine, register, lane) & 0xffff);
                prop_assert_eq!(single(&machine, 8, lane), low | high << 16, "{}", pair);
            }
        }
    }

    #[test]
    fn parts_of_registers_are_shifted_registers(a in lanes(any::<u64>()), b in lanes(any::<u64>())) {
        for chip in ["polaris10", "vega10"] {
            for (part, shift, mask) in [
                ("BYTE_0", 0, 0xff), ("BYTE_1", 8, 0xff), ("BYTE_2", 16, 0xff), ("BYTE_3", 24, 0xff_u32),
                ("WORD_0", 0, 0xffff), ("WORD_1", 16, 0xffff), ("DWORD", 0, u32::MAX),
            ] {
                let text = format!("v_mov_b32 v6, v4\nv_and_b32_sdwa v6, v2, v4 dst_sel:{part} \
                    dst_unused:UNUSED_PRESERVE src0_sel:{part} src1_sel:DWORD");
                let mut machine = with(&[(2, &a), (4, &b)]);
                run(chip, &text, &mut machine).expect(chip);
                for lane in 0..LANES {
                    let [x, y] = [a[lane], b[lane]].map(|bits| bits as u32);
                    let result = (x >> shift & mask) & y;
                    let expected = y & !(mask << shift) | (result & mask) << shift;
                    prop_assert_eq!(single(&machine, 6, lane), expected, "{} {}", chip, part);
                }
            }
        }
    }

    #[test]
    fn halves_are_rounded_as_exact_numbers_are(bits in any::<u32>(), near in 0x3300_0000..0x4780_0000_u32) {
        for value in [bits, near, near | 1 << 31].map(f32::from_bits).map(f64::from) {
            let Some(exact) = Exact::of(value) else { continue };
            for way in [Rounding::Nearest, Rounding::Up, Rounding::Down, Rounding::TowardsZero] {
                prop_assert_eq!(u64::from(to_half(value, way)), exact.rounded(16, way), "{} {:?}", value, way);
            }
        }
    }
}

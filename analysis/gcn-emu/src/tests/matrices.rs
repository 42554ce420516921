//! Products of matrices: every one against the product of the matrices that were put
//! where AMD's tables say that elements are.

use gcn::encoding::base;
use gcn::mnemonics::{self, OpInfo};
use gcn::{Generation, Target};

use super::bounds::Words;
use super::{machine, run};
use crate::wave::ACCUMULATORS;
use crate::{LANES, Limits, Machine, NoImages, Program, Wave};

/// The instructions that multiply.
pub(super) fn covered(target: Target) -> impl Iterator<Item = &'static OpInfo> {
    let all = mnemonics::all().iter().filter(|info| info.name.starts_with("v_mfma_"));
    all.filter(move |info| !info.forms(target).is_empty())
}

/// A small whole number as bits of an element.
fn bits(ty: &str, value: i32) -> u32 {
    match ty {
        "f32" => (value as f32).to_bits(),
        "f16" => softfloat::to_half(value.into(), softfloat::Rounding::Nearest).into(),
        "bf16" => (value as f32).to_bits() >> 16,
        _ => value as u8 as u32,
    }
}

const A: usize = 8;
const B: usize = 16;
const C: usize = 32;
const D: usize = 128;

/// Splits a name into result, side, depth and elements.
fn parts(name: &str) -> (&str, usize, usize, &str) {
    let mut words = name.split('_').skip(2);
    let (result, shape) = (words.next().expect(name), words.next().expect(name));
    let mut sizes = shape.splitn(3, 'x');
    let side = sizes.next().expect(name).parse().expect(name);
    let rest = sizes.nth(1).expect(name);
    let end = rest.find(|letter: char| letter.is_ascii_alphabetic()).expect(name);
    (result, side, rest[..end].parse().expect(name), &rest[end..])
}

/// Returns the register and lane of a result.
fn result_place(side: usize, block: usize, row: usize, column: usize) -> (usize, usize) {
    match side {
        32 => (16 * block + 4 * (row / 8) + row % 4, column + 32 * (row / 4 % 2)),
        16 => (4 * block + row % 4, column + 16 * (row / 4)),
        _ => (row, column + 4 * block),
    }
}

#[test]
fn every_product_is_that_of_its_matrices() {
    let target = Target::find("gfx908").expect("a chip");
    let mut words = Words(5);
    let mut small = || (words.next() % 15) as i32 - 7;
    let mut count = 0;
    for info in covered(target) {
        let (result, side, depth, ty) = parts(info.name);
        let width = match ty {
            "f32" => 32,
            "i8" => 8,
            _ => 16,
        };
        // Elements of a lane: those of one register, of halves in two.
        let held = if ty == "f16" { 4 } else { 32 / width };
        let blocks = LANES / side * held / depth;
        let mut wave = Wave::new(u64::MAX);
        let mut put = |wave: &mut Wave, first: usize, block: usize, along: usize, deep: usize| {
            let value = small();
            let lane = along + side * (block * (depth / held).max(1) + deep / held);
            let at = deep % held * width;
            let register = first + at / 32;
            let old = wave.lane(register, lane);
            wave.set_lane(register, lane, old | bits(ty, value) << (at % 32));
            value
        };
        let mut expected = Vec::new();
        for block in 0..blocks {
            let mut matrix = |wave: &mut Wave, first: usize| -> Vec<Vec<i32>> {
                let rows = (0..side).map(|along| {
                    (0..depth).map(|deep| put(wave, first, block, along, deep)).collect()
                });
                rows.collect()
            };
            let (a, b) = (matrix(&mut wave, A), matrix(&mut wave, B));
            for (row, left) in a.iter().enumerate() {
                for (column, right) in b.iter().enumerate() {
                    let product: i32 = left.iter().zip(right).map(|(x, y)| x * y).sum();
                    let (register, lane) = result_place(side, block, row, column);
                    let addend = (row as i32) - 2 * (column as i32);
                    let ty = if result == "i32" { "word" } else { result };
                    let of = |value: i32| if ty == "word" { value as u32 } else { bits(ty, value) };
                    wave.set_lane(ACCUMULATORS + C + register, lane, of(addend));
                    expected.push((register, lane, of(product + addend)));
                }
            }
        }
        let form = info.forms(target)[0];
        let first = base(form.encoding, form.opcode, Generation::Gfx9).expect(info.name);
        let second = (256 + A) | (256 + B) << 9 | (256 + C) << 18;
        let code = [first | D as u32, second as u32, 0xbf81_0000];
        let mut machine = Machine { waves: vec![wave], ..Machine::default() };
        let ended = Program::prepare(target, &code);
        let ended = machine.run(&ended, &mut NoImages, Limits::default());
        ended.unwrap_or_else(|stop| panic!("{}: {stop:?}", info.name));
        for (register, lane, value) in expected {
            let found = machine.waves[0].lane(ACCUMULATORS + D + register, lane);
            assert_eq!(found, value, "{} {register} {lane}", info.name);
        }
        count += 1;
    }
    eprintln!("{count} products of matrices");
    assert_eq!(count, 20);
}

/// The instruction set manual of MI200: denormals of 16 bits are zero. Its neighbours keep them.
#[test]
fn one_chip_takes_denormals_of_16_bits_for_zero() {
    for (chip, name, keeps) in [
        ("gfx908", "v_mfma_f32_16x16x16f16", true),
        ("gfx90a", "v_mfma_f32_16x16x16f16", false),
        ("gfx942", "v_mfma_f32_16x16x16_f16", true),
    ] {
        let mut machine = machine();
        for lane in 0..LANES {
            for register in [A, A + 1] {
                machine.waves[0].set_lane(register, lane, 0x0001_0001);
            }
            for register in [B, B + 1] {
                machine.waves[0].set_lane(register, lane, 0x3c00_3c00);
            }
        }
        // The first has its sums in registers of their own.
        let (sums, first) = match chip {
            "gfx908" => ("a[0:3]", ACCUMULATORS),
            _ => ("v[32:35]", 32),
        };
        let text = format!("{name} {sums}, v[{A}:{}], v[{B}:{}], {sums}", A + 1, B + 1);
        run(chip, &text, &mut machine).expect(chip);
        let found = f32::from_bits(machine.waves[0].lane(first, 0));
        // Sixteen times the smallest half.
        let expected = if keeps { 16.0 * 2.0_f32.powi(-24) } else { 0.0 };
        assert_eq!(found, expected, "{chip}");
    }
}

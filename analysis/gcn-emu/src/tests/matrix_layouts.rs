//! Products of matrices of every chip that has them: small whole numbers, which no rounding
//! touches, put where the layouts say, against the product of the matrices by hand.

use gcn::encoding::{Encoding, base};
use gcn::matrix::{Element, Layout, Part, Place, index_parts, index_place};
use gcn::mnemonics::{self, OpInfo};
use gcn::{Generation, Target};
use isa::gcn::matrix::{FirstModifier, MatrixProduct, MatrixType, SecondModifier};

use super::bounds::Words;
use crate::wave::ACCUMULATORS;
use crate::{LANES, Limits, Machine, NoImages, Program, Wave};
use softfloat::{Overflow, SmallFormat};

const CHIPS: [&str; 4] = ["gfx908", "gfx90a", "gfx942", "gfx950"];

const A: usize = 8;
const B: usize = 24;
const INDEX: usize = 40;
const SCALES: usize = 48;
const C: usize = 64;
const D: usize = 128;

/// A small whole number that every type of elements has, as its bits.
fn bits(ty: MatrixType, value: i32, chip: &str) -> u64 {
    let small = |format: SmallFormat| {
        let found = format.nearest(value.into(), Overflow::Special).expect("a number");
        assert_eq!(format.value(found), f64::from(value), "{ty:?} has {value}");
        found.into()
    };
    let one_zero = chip == "gfx942";
    match ty {
        MatrixType::F64 => f64::from(value).to_bits(),
        MatrixType::F32 | MatrixType::Xf32 => (value as f32).to_bits().into(),
        MatrixType::I32 => u64::from(value as u32),
        MatrixType::I8 => u64::from(value as u8),
        MatrixType::F16 => small(SmallFormat::F16),
        MatrixType::Bf16 => small(SmallFormat::BF16),
        MatrixType::Fp8 if one_zero => small(SmallFormat::FP8_FNUZ),
        MatrixType::Bf8 if one_zero => small(SmallFormat::BF8_FNUZ),
        MatrixType::Fp8 | MatrixType::ByFormat => small(SmallFormat::FP8),
        MatrixType::Bf8 => small(SmallFormat::BF8),
        MatrixType::Fp6 => small(SmallFormat::FP6),
        MatrixType::Bf6 => small(SmallFormat::BF6),
        MatrixType::Fp4 => small(SmallFormat::FP4),
    }
}

/// Puts bits into registers, which hold zeros there.
fn put(wave: &mut Wave, first: usize, place: Place, value: u64) {
    let lane = place.lane as usize;
    let value = u128::from(value) << place.bit;
    for word in 0..3 {
        let part = (value >> (32 * word)) as u32;
        let register = first + place.register as usize + word;
        if part != 0 {
            let old = wave.lane(register, lane);
            wave.set_lane(register, lane, old | part);
        }
    }
}

/// A matrix's numbers, by block, row and column.
type Numbers = Vec<Vec<Vec<i32>>>;

/// Fills registers with a matrix at random.
fn filled(
    wave: &mut Wave,
    first: usize,
    layout: &Layout,
    chip: &str,
    next: &mut dyn FnMut() -> i32,
) -> Numbers {
    let (rows, columns) = layout.size();
    let mut all = vec![vec![vec![0; columns as usize]; rows as usize]; layout.blocks as usize];
    for (block, rows) in all.iter_mut().enumerate() {
        for (row, numbers) in rows.iter_mut().enumerate() {
            for (column, number) in numbers.iter_mut().enumerate() {
                *number = next();
                let element =
                    Element { row: row as u32, column: column as u32, block: block as u32 };
                let place = layout.place(element).expect("a place");
                put(wave, first, place, bits(layout.ty, *number, chip));
            }
        }
    }
    all
}

/// Words of a case beside its registers.
struct Modifiers {
    cbsz: u32,
    abid: u32,
    blgp: u32,
}

/// A sparse matrix in full: what registers hold, where the indexes say.
fn dense(
    wave: &mut Wave,
    layout: &Layout,
    held: &Numbers,
    modifiers: &Modifiers,
    words: &mut Words,
) -> Numbers {
    let part = if modifiers.cbsz == 0 { modifiers.abid % index_parts(layout) } else { 0 };
    let rows = held[0].iter().enumerate().map(|(row, numbers)| {
        let mut full = vec![0; 2 * numbers.len()];
        for (pair, two) in numbers.chunks(2).enumerate() {
            // Two of four columns, the lower first.
            let (low, high) =
                [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)][words.next() as usize % 6];
            for (place, (number, column)) in two.iter().zip([low, high]).enumerate() {
                full[4 * pair + column] = *number;
                let element =
                    Element { row: row as u32, column: (2 * pair + place) as u32, block: 0 };
                let at = index_place(layout, element, part).expect("an index");
                put(wave, INDEX, at, column as u64);
            }
        }
        full
    });
    vec![rows.collect()]
}

/// The lane that a lane takes its part of B from, in the words of the ISA documents.
fn source_lane(pattern: u32, lane: u32) -> u32 {
    let (half, quarter) = (lane % 32, lane % 16);
    [lane, half, half + 32, (lane + 16) % 64, quarter, quarter + 16, quarter + 32, quarter + 48]
        [pattern as usize]
}

fn checked(target: Target, info: &OpInfo, product: &MatrixProduct, case: u32, words: &mut Words) {
    let chip = target.name();
    let mut wave = Wave::new(u64::MAX);
    // Case 0 is without modifiers.
    let mut own_words = Words(u64::from(case) + 1);
    let mut any = |limit: u32| if case == 0 { 0 } else { own_words.next() % limit };
    let mut modifiers = Modifiers { cbsz: 0, abid: 0, blgp: 0 };
    match product.first_modifier {
        FirstModifier::Broadcast => {
            modifiers.cbsz = any(product.blocks.ilog2() + 1);
            modifiers.abid = any(1 << modifiers.cbsz);
        }
        FirstModifier::Format => (modifiers.cbsz, modifiers.blgp) = (case % 5, case / 5 % 5),
        FirstModifier::Index => (modifiers.cbsz, modifiers.abid) = (any(2), any(2)),
        FirstModifier::Ignored => {}
    }
    if matches!(product.second_modifier, SecondModifier::Lanes | SecondModifier::Negate) {
        modifiers.blgp = any(8);
    }
    let accumulates: [u32; 3] = match chip {
        "gfx908" => [any(2), any(2), 1],
        _ => [any(2), any(2), any(2)],
    };
    let of = |bit: u32| if bit == 1 { ACCUMULATORS } else { 0 };
    let formats = [modifiers.cbsz as u8, modifiers.blgp as u8];
    let [a, b, d] = Part::ALL.map(|part| Layout::of(product, part, formats).expect("a layout"));
    let mut small = || (words.next() % 9) as i32 - 4;
    let left = filled(&mut wave, A + of(accumulates[0]), &a, chip, &mut small);
    let right = filled(&mut wave, B + of(accumulates[1]), &b, chip, &mut small);
    // What is added to is the destination, where products are sparse.
    let from = if product.is_sparse() { D } else { C };
    let addend = filled(&mut wave, from + of(accumulates[2]), &d, chip, &mut small);
    let full = match product.is_sparse() {
        true => dense(&mut wave, &a, &left, &modifiers, words),
        false => left,
    };
    let form = info.forms(target)[0];
    let is_scaled = form.encoding == Encoding::Vop3px;
    let first = base(Encoding::Vop3p, form.opcode, Generation::Gfx9).expect(info.name);
    let third = if product.is_sparse() { INDEX } else { C };
    let first = first
        | D as u32
        | modifiers.cbsz << 8
        | modifiers.abid << 11
        | if chip == "gfx908" { 0 } else { accumulates[2] << 15 };
    let second = (256 + A as u32)
        | (256 + B as u32) << 9
        | (256 + third as u32) << 18
        | accumulates[0] << 27
        | accumulates[1] << 28
        | modifiers.blgp << 29;
    // Bytes of the registers of scales, and the scales that they are.
    let chosen: [u32; 2] = if is_scaled { [any(4), any(4)] } else { [0; 2] };
    let mut scales = [[1; LANES]; 2];
    for (which, lanes) in scales.iter_mut().enumerate().filter(|_| is_scaled) {
        for (lane, scale) in lanes.iter_mut().enumerate() {
            let powers = [0; 4].map(|_| (words.next() % 3) as u8);
            wave.set_lane(SCALES + which, lane, u32::from_le_bytes(powers.map(|it| 127 + it)));
            *scale = 1 << powers[chosen[which] as usize];
        }
    }
    let [low, high] = [0, 1].map(|bit| (chosen[0] >> bit & 1) | (chosen[1] >> bit & 1) << 1);
    let pair = (256 + SCALES as u32) | (257 + SCALES as u32) << 9 | high << 27;
    let code: &[u32] = match is_scaled {
        // A bit of the third word is always set (llvm-mc 22).
        true => &[0xd3ac_0000 | low << 11, pair, first | 1 << 11, second, 0xbf81_0000],
        false => &[first, second, 0xbf81_0000],
    };
    let program = Program::prepare(target, code);
    let mut machine = Machine { waves: vec![wave], ..Machine::default() };
    let ended = machine.run(&program, &mut NoImages, Limits::default());
    ended.unwrap_or_else(|stop| panic!("{chip} {}: {stop:?}", info.name));
    let wave = &machine.waves[0];
    let negates = |place: u32| {
        product.second_modifier == SecondModifier::Negate && modifiers.blgp >> place & 1 == 1
    };
    let sign = if negates(0) != negates(1) { -1 } else { 1 };
    let side = product.side as usize;
    for block in 0..product.blocks as usize {
        let group = match product.first_modifier {
            FirstModifier::Broadcast => 1 << modifiers.cbsz,
            _ => 1,
        };
        let block_of_a =
            block - block % group + if group == 1 { 0 } else { modifiers.abid as usize };
        for (row, column) in (0..side).flat_map(|row| (0..side).map(move |it| (row, it))) {
            let mut expected = addend[block][row][column] * if negates(2) { -1 } else { 1 };
            for deep in 0..product.depth as usize {
                let own = Element { row: deep as u32, column: column as u32, block: block as u32 };
                let mut of_b = right[block][deep][column];
                if product.second_modifier == SecondModifier::Lanes {
                    let mut place = b.place(own).expect("a place");
                    place.lane = source_lane(modifiers.blgp, place.lane);
                    let other = b.element(place).expect("an element");
                    of_b = right[other.block as usize][other.row as usize][other.column as usize];
                }
                let lane = |line: usize| line + side * (deep / 32) % LANES;
                let scale =
                    if is_scaled { scales[0][lane(row)] * scales[1][lane(column)] } else { 1 };
                expected += sign * full[block_of_a][row][deep] * of_b * scale;
            }
            let element = Element { row: row as u32, column: column as u32, block: block as u32 };
            let place = d.place(element).expect("a place");
            let register = D + of(accumulates[2]) + place.register as usize;
            let dwords = d.ty.bits() as usize / 32;
            let found = wave.number(register, place.lane as usize, dwords);
            let plus = |bits: u64| if bits == 1 << (32 * dwords - 1) { 0 } else { bits };
            assert_eq!(
                plus(found),
                bits(d.ty, expected, chip),
                "{chip} {} cbsz:{} abid:{} blgp:{} {element:?}",
                info.name,
                modifiers.cbsz,
                modifiers.abid,
                modifiers.blgp,
            );
        }
    }
}

#[test]
fn products_of_every_chip_are_those_of_their_matrices() {
    let mut counts = Vec::new();
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        let mut words = Words(11);
        let mut count = 0;
        for info in mnemonics::all().iter().filter(|info| !info.forms(target).is_empty()) {
            let product = info.opcode.matrix_product(target.row().subtarget);
            let Some(product) = product else { continue };
            let cases = if product.first_modifier == FirstModifier::Format { 25 } else { 4 };
            // Products of any format are large: a few of their pairs, all over the cases.
            for case in (0..cases).step_by(if cases == 25 { 4 } else { 1 }) {
                checked(target, info, product, case, &mut words);
            }
            count += 1;
        }
        eprintln!("{count} products of {chip}");
        counts.push(count);
    }
    assert_eq!(LANES, 64);
    assert_eq!(counts, [20, 27, 46, 68]);
}

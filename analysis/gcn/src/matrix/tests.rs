//! Layouts: a map both ways, and places that AMD has published.

use std::collections::HashSet;

use isa::gcn::matrix::FirstModifier;

use super::*;
use crate::Target;
use crate::mnemonics;

/// Every product of every processor, with formats of 8, 6 and 4 bits where it has a choice.
fn products() -> Vec<(&'static str, &'static MatrixProduct, [u8; 2])> {
    let mut all = Vec::new();
    for target in Target::all().filter(|it| it.name() == it.row().processor) {
        for info in mnemonics::all().iter().filter(|info| !info.forms(target).is_empty()) {
            let Some(product) = info.opcode.matrix_product(target.row().subtarget) else {
                continue;
            };
            let formats = if product.a == MatrixType::ByFormat { 0..5 } else { 0..1 };
            all.extend(formats.map(|format| (info.name, product, [format, 4 - format])));
        }
    }
    assert!(all.len() > 19, "{}", all.len());
    all
}

#[test]
fn every_element_has_one_place_and_every_place_one_element() {
    for (name, product, formats) in products() {
        for part in Part::ALL {
            let layout = Layout::of(product, part, formats).expect("a layout");
            let (rows, columns) = layout.size();
            let mut seen = HashSet::new();
            for block in 0..product.blocks {
                for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |it| (row, it)))
                {
                    let element = Element { row, column, block };
                    let place = layout.place(element).expect("a place");
                    assert!(seen.insert(place), "{name} {part:?} {element:?}: twice {place:?}");
                    assert_eq!(layout.element(place), Some(element), "{name} {part:?} {place:?}");
                    assert!(place.lane < LANES && place.register < layout.registers(), "{name}");
                }
            }
            let dwords = LANES * layout.registers();
            assert_eq!(seen.len() as u32 * layout.ty.bits(), dwords * 32, "{name} {part:?}: full");
            assert_eq!(layout.place(Element { row: rows, column: 0, block: 0 }), None);
            let end = Place { lane: LANES, register: 0, bit: 0 };
            assert_eq!(layout.element(end), None);
            assert_eq!(
                layout.element(Place { lane: 0, register: layout.registers(), bit: 0 }),
                None
            );
        }
    }
}

#[test]
fn layouts_take_the_registers_of_the_table() {
    for (name, product, formats) in products() {
        let own = Part::ALL.map(|part| Layout::of(product, part, formats).map(|it| it.registers()));
        let of_bits = |ty: Option<MatrixType>, registers: u8| {
            ty.map(|ty| {
                if ty.bits() < 8 { u32::from(registers) * ty.bits() / 8 } else { registers.into() }
            })
        };
        let [a, b, d] = product.registers;
        let wanted = [
            of_bits(product.a.with_format(formats[0]), a),
            of_bits(product.b.with_format(formats[1]), b),
            Some(u32::from(d)),
        ];
        assert_eq!(own, wanted, "{name}");
    }
}

/// Finds the product of an opcode on a chip.
fn product(chip: &str, name: &str) -> &'static MatrixProduct {
    let target = Target::find(chip).expect(chip);
    let info = mnemonics::op_info(name).expect(name);
    info.opcode.matrix_product(target.row().subtarget).expect(name)
}

#[test]
fn places_are_those_that_amd_has_published() {
    let place = |name, part, [row, column, block]: [u32; 3]| {
        let layout = Layout::of(product("gfx908", name), part, [0, 0]).expect(name);
        let Place { lane, register, bit } =
            layout.place(Element { row, column, block }).expect(name);
        (lane, register, bit)
    };
    assert_eq!(place("v_mfma_f32_32x32x8f16", Part::A, [5, 7, 0]), (37, 1, 16));
    assert_eq!(place("v_mfma_f32_32x32x8f16", Part::B, [2, 31, 0]), (31, 1, 0));
    assert_eq!(place("v_mfma_f32_32x32x8f16", Part::D, [13, 2, 0]), (34, 5, 0));
    assert_eq!(place("v_mfma_f32_32x32x1f32", Part::A, [3, 0, 1]), (35, 0, 0));
    assert_eq!(place("v_mfma_f32_32x32x1f32", Part::D, [4, 0, 1]), (32, 16, 0));
    assert_eq!(place("v_mfma_f32_16x16x1f32", Part::D, [9, 3, 2]), (35, 9, 0));
    assert_eq!(place("v_mfma_f32_4x4x1f32", Part::D, [3, 2, 15]), (62, 3, 0));
    assert_eq!(place("v_mfma_i32_16x16x16i8", Part::A, [1, 6, 0]), (17, 0, 16));
}

#[test]
fn every_opcode_of_the_matrix_unit_is_a_product() {
    use crate::behaviour::Unit;
    for target in Target::all().filter(|it| it.name() == it.row().processor) {
        let subtarget = target.row().subtarget;
        for info in mnemonics::all().iter().filter(|info| !info.forms(target).is_empty()) {
            // It brings the scales of the product that follows in the same words.
            if info.opcode == crate::mnemonics::Opcode::v_mfma_ld_scale_b32 {
                continue;
            }
            let unit = info.opcode.behaviour(subtarget).map(|it| it.unit);
            let product = info.opcode.matrix_product(subtarget);
            let (name, chip) = (info.name, target.name());
            assert_eq!(unit == Some(Unit::Matrix), product.is_some(), "{name} on {chip}");
        }
    }
}

#[test]
fn indexes_of_a_sparse_matrix_fill_the_part_that_is_chosen() {
    for (name, product, formats) in products() {
        if product.first_modifier != FirstModifier::Index {
            continue;
        }
        let layout = Layout::of(product, Part::A, formats).expect(name);
        let parts = index_parts(&layout);
        let mut seen = HashSet::new();
        for chosen in 0..parts {
            for column in 0..product.held_depth() {
                let element = Element { row: 3, column, block: 0 };
                let place = index_place(&layout, element, chosen).expect(name);
                assert!(seen.insert(place), "{name}: twice {place:?}");
            }
        }
        assert_eq!(seen.len() as u32, layout.groups() * 16, "{name}: two bits of 32 each");
        assert_eq!(index_place(&layout, Element { row: 0, column: 0, block: 0 }, parts), None);
    }
}

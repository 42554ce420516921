//! Our tables of instructions against measured facts.

use gcn::image::{Dimension, address};
use gcn::{Target, mnemonics};
use tests::corpora::shared;

/// Every shape of image gives an address of a size that the reference assembler
/// takes, and no smaller or larger one is taken than the shapes explain.
#[test]
fn image_addresses_have_the_sizes_that_the_assembler_takes() {
    let folder = shared("data/gcn/facts");
    let text = std::fs::read_to_string(folder.join("mimg-vaddr.tsv")).unwrap();
    let mut lines = text.lines();
    let chips: Vec<Target> =
        lines.next().unwrap().split('\t').skip(2).map(|name| Target::find(name).unwrap()).collect();
    let (mut rows, mut sizes) = (0, 0);
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let info = mnemonics::op_info(cells[0]).unwrap_or_else(|| panic!("no {line}"));
        for (chip, cell) in chips.iter().zip(&cells[2..]) {
            assert_eq!(*cell == "-", info.forms(*chip).is_empty(), "{chip} {line}");
            let taken: Vec<usize> = cell.split(',').filter_map(|size| size.parse().ok()).collect();
            let ours: Vec<usize> = Dimension::ALL
                .into_iter()
                .filter_map(|dimension| address(info.opcode, dimension))
                .map(|registers| registers.len())
                .collect();
            if taken.is_empty() {
                continue;
            }
            for size in &ours {
                assert!(taken.contains(size), "{chip} {line}: {size}");
                sizes += 1;
            }
            rows += 1;
        }
    }
    eprintln!("{rows} image instructions of chips, {sizes} address sizes");
    assert!(rows > 300 && sizes > 1_500, "{rows} {sizes}");
}

/// The opcodes that chips have and others lack are in the rows of behaviour too.
#[test]
fn every_sampled_opcode_has_unit_class_description_and_formula() {
    let folder = shared("data/gcn/opcodes");
    let mut checked = 0;
    for (file, name) in [
        ("gcn10-si-gfx600.tsv", "gfx600"),
        ("gcn11-ci-gfx704.tsv", "gfx704"),
        ("gcn12-vi-gfx803.tsv", "gfx803"),
        ("gcn14-vega-gfx900.tsv", "gfx900"),
        ("gcn141-vega20-gfx906.tsv", "gfx906"),
    ] {
        let subtarget = Target::find(name).unwrap().row().subtarget;
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            // What only the other disassembler names is in no manual.
            if cells[6] == "clrx-only" {
                continue;
            }
            let info = mnemonics::op_info(cells[3]).unwrap_or_else(|| panic!("{line}"));
            assert!(info.opcode.behaviour(subtarget).is_some(), "{name} {line}");
            assert!(info.opcode.formula(subtarget).is_some(), "{name} {line}");
            assert!(!info.summary.is_empty(), "{name} {line}");
            checked += 1;
        }
    }
    eprintln!("{checked} opcodes");
    assert!(checked > 7_000, "{checked}");
}

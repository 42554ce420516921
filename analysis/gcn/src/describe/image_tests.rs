//! Hovers and pages of image instructions.

use super::{mnemonic_on, operand_word, written_instruction};
use crate::Target;
use crate::analysis::image_address;
use crate::dialect::Dialect;
use crate::instruction::{InstructionSet, NoSymbols, assemble_line};
use crate::mnemonics::op_info;

fn target(chip: &str) -> Target {
    Target::find(chip).expect(chip)
}

/// The page of a line, with the registers of the address as it names them.
fn page(chip: &str, line: &str) -> String {
    page_in(Dialect::Llvm, chip, line)
}

fn page_in(dialect: Dialect, chip: &str, line: &str) -> String {
    let set = InstructionSet::in_dialect(target(chip), dialect);
    let assembled = assemble_line(line, set, &NoSymbols);
    let assembled = assembled.unwrap_or_else(|error| panic!("{line}: {error:?}"));
    let address = image_address(line, assembled.words(), set.target());
    written_instruction(assembled.words(), address, set).expect(line)
}

#[test]
fn every_register_of_an_address_is_named() {
    let line = "image_sample_c_cd_cl_o v[0:3], v[4:13], s[0:7], s[8:11] dmask:0xf da";
    let text = page("gfx803", line);
    let held = "v4 offsets, v5 reference, v6 dx/dh, v7 dy/dh, v8 dx/dv, v9 dy/dv, v10 x, v11 y, \
                v12 layer, v13 clamp";
    assert!(text.contains(&format!("| 2D array | {held} |")), "{text}");
    assert!(text.contains("| cube | v4 offsets") && !text.contains("| 2D |"), "{text}");
    // The operand stays as it is written, in the text and among the fields.
    assert!(text.starts_with(&format!("```gcn\n{line}\n")), "{text}");
    assert!(text.contains("| vaddr | 0x4 | v[4:13] |"), "{text}");
    assert!(text.contains("Data: v0 red, v1 green, v2 blue, v3 alpha."), "{text}");
}

#[test]
fn halves_and_padding_are_told() {
    let text =
        page("gfx900", "image_sample_l v[0:1], v[4:5], s[0:7], s[8:11] dmask:0x5 a16 tfe d16");
    assert!(text.contains("| 2D | v4 x & y, v5 level |"), "{text}");
    assert!(text.contains("Data: v0 red & blue, v1 status."), "{text}");
    // Of eight registers five are read.
    let text = page("gfx803", "image_sample_b_cl v0, v[4:11], s[0:7], s[8:11] dmask:0x1");
    assert!(text.contains("| 3D | v4 bias, v5 x, v6 y, v7 z, v8 clamp |"), "{text}");
    assert!(!text.contains("| 2D |"), "{text}");
    let text = page("gfx803", "image_sample_d v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf");
    assert!(text.contains("No image has an address of 2 registers"), "{text}");
    assert!(text.contains("| 1D | v4 dx/dh, v5 dx/dv, v6 x |"), "{text}");
}

#[test]
fn clrx_names_four_registers_of_a_gather() {
    let line = "image_gather4 v[0:3], v[4:5], s[0:7], s[8:11] dmask:0x1 tfe";
    let text = page_in(Dialect::Clrx, "gfx803", line);
    assert!(text.starts_with(&format!("```gcn\n{line}\n")), "{text}");
    assert!(text.contains("v3 (X, Y), v4 status."), "{text}");
    // Half of a swap is nothing, but the assembler takes it.
    let text = page_in(Dialect::Clrx, "gfx803", "image_atomic_cmpswap v0, v4, s[0:7] unorm");
    assert!(text.contains("Data: v0 value."), "{text}");
}

#[test]
fn an_atomic_says_its_width() {
    let text = page("gfx803", "image_atomic_add v[2:3], v[4:5], s[0:7] dmask:0x3 unorm glc");
    assert!(text.contains("M.u64 = M.u64 + v[2:3].u64; if (glc) v[2:3].u64 = old"), "{text}");
    let text = page("gfx803", "image_atomic_cmpswap v[2:3], v[4:5], s[0:7] dmask:0x3 unorm glc");
    let swap = "M.u = M.u == v3.u ? v2.u : M.u; if (glc) v2.u = old";
    assert!(text.contains(swap), "{text}");
    let text = page("gfx803", "image_atomic_cmpswap v[2:5], v[6:7], s[0:7] dmask:0xf unorm glc");
    let swap = "M.u64 = M.u64 == v[4:5].u64 ? v[2:3].u64 : M.u64; if (glc) v[2:3].u64 = old";
    assert!(text.contains(swap), "{text}");
}

#[test]
fn a_page_is_about_the_chip_that_is_asked_for() {
    let info = op_info("image_atomic_swap").expect("it");
    let on = |chip| mnemonic_on(info, Some(target(chip)));
    assert!(on("gfx600").contains("| gfx600 | MIMG 15 |"), "{}", on("gfx600"));
    assert!(!on("gfx600").contains("on gfx"), "{}", on("gfx600"));
    assert!(on("gfx803").contains("| gfx803 | MIMG 16 |"), "{}", on("gfx803"));
    let info = op_info("image_atomic_fmin").expect("it");
    let text = mnemonic_on(info, Some(target("gfx803")));
    assert!(text.contains("gfx803 does not have it. gfx6 and gfx7 have it."), "{text}");
    let of = |name: &str, chip: &str| operand_word(name, Some(target(chip)));
    assert!(of("d16", "gfx900").is_some_and(|page| page.contains("bit 63")));
    assert!(of("MIMG", "gfx900").is_some_and(|page| page.contains("| `image_gather4h` | 66 |")));
    assert!(of("MIMG", "gfx803").is_some_and(|page| !page.contains("image_gather4h")));
    assert_eq!(of("nothing", "gfx803"), None);
}

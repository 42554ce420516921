//! Pages on products of matrices, as people read them.

use expect_test::expect;

use super::*;
use crate::instruction::{InstructionSet, NoSymbols, assemble_line};
use crate::mnemonics::op_info;

/// Returns what the page of an instruction says of its product.
fn said(chip: &str, text: &str) -> String {
    let target = Target::find(chip).expect(chip);
    let set = InstructionSet::of(target);
    let assembled = assemble_line(text, set, &NoSymbols).expect(text);
    let page = instruction(assembled.words(), set).expect(text);
    let begin = page.find("M = ").unwrap_or_else(|| panic!("{text}: {page}"));
    let end = page.find(" have it").or(page.find(" has it")).expect("the chips");
    let end = page[..end].rfind("\n\n").expect("an end");
    page[begin..end].to_owned()
}

#[test]
fn a_product_with_its_registers() {
    expect![[r#"
        M = 32, N = 32, K = 8, 1 block: A of f16, B of f16, C and D of f32.

        - XDL, 16 passes (64 clocks): 1,024 FLOPs per clock and compute unit
        - other vector instructions can run for 56 of these clocks
        - `blgp:4`: all lanes take B of lanes 0–15

        | A[i][k] in `v[2:3]` | lanes 0–31 | lanes 32–63 |
        |---|---|---|
        | v[2:3] | k = 0–3 | k = 4–7 |

        i = lane mod 32; elements of 16 bits follow each other from the lowest bit on.

        | B[k][j] in `v[4:5]` | lanes 0–31 | lanes 32–63 |
        |---|---|---|
        | v[4:5] | k = 0–3 | k = 4–7 |

        j = lane mod 32; elements of 16 bits follow each other from the lowest bit on.

        | C and D[i][j] in `a[16:31]` | lanes 0–31 | lanes 32–63 |
        |---|---|---|
        | a[16:19] | i = 0–3 | i = 4–7 |
        | a[20:23] | i = 8–11 | i = 12–15 |
        | a[24:27] | i = 16–19 | i = 20–23 |
        | a[28:31] | i = 24–27 | i = 28–31 |

        j = lane mod 32."#]]
    .assert_eq(&said("gfx908", "v_mfma_f32_32x32x8f16 a[16:31], v[2:3], v[4:5], a[16:31] blgp:4"));
}

#[test]
fn blocks_in_lanes_and_in_registers() {
    expect![[r#"
        M = 16, N = 16, K = 1, 4 blocks: A of f32, B of f32, C and D of f32.

        - SGEMM, 8 passes (32 clocks): 256 FLOPs per clock and compute unit
        - other vector instructions can run for 24 of these clocks
        - `cbsz:1 abid:1`: of every 2 blocks all take block 1 of A
        - `blgp`: lanes of B rearranged: 1, 2 the first or last 32 for all, 3 turned by 16, 4 to 7 one group of 16 for all

        | A[i][k] in `v2` | lanes 0–63 |
        |---|---|
        | v2 | k = 0 |

        i = lane mod 16, block = lane / 16.

        | B[k][j] in `a3` | lanes 0–63 |
        |---|---|
        | a3 | k = 0 |

        j = lane mod 16, block = lane / 16.

        | C and D[i][j] in `a[0:15]` | lanes 0–15 | lanes 16–31 | lanes 32–47 | lanes 48–63 |
        |---|---|---|---|---|
        | a[0:3] | i = 0–3, block 0 | i = 4–7, block 0 | i = 8–11, block 0 | i = 12–15, block 0 |
        | a[4:7] | i = 0–3, block 1 | i = 4–7, block 1 | i = 8–11, block 1 | i = 12–15, block 1 |
        | a[8:11] | i = 0–3, block 2 | i = 4–7, block 2 | i = 8–11, block 2 | i = 12–15, block 2 |
        | a[12:15] | i = 0–3, block 3 | i = 4–7, block 3 | i = 8–11, block 3 | i = 12–15, block 3 |

        j = lane mod 16."#]].assert_eq(&said(
        "gfx908",
        "v_mfma_f32_16x16x1f32 a[0:15], v2, a3, a[0:15] cbsz:1 abid:1",
    ));
    expect![[r#"
        M = 4, N = 4, K = 4, 16 blocks: A of f16, B of f16, C and D of f32.

        - XDL, 2 passes (8 clocks): 1,024 FLOPs per clock and compute unit
        - no other vector instruction runs on the SIMD meanwhile
        - `cbsz:n abid:m`: of every 2ⁿ blocks all take block m of A
        - `blgp`: lanes of B rearranged: 1, 2 the first or last 32 for all, 3 turned by 16, 4 to 7 one group of 16 for all

        | A[i][k] in `v[2:3]` | lanes 0–63 |
        |---|---|
        | v[2:3] | k = 0–3 |

        i = lane mod 4, block = lane / 4; elements of 16 bits follow each other from the lowest bit on.

        | B[k][j] in `v[4:5]` | lanes 0–63 |
        |---|---|
        | v[4:5] | k = 0–3 |

        j = lane mod 4, block = lane / 4; elements of 16 bits follow each other from the lowest bit on.

        | D[i][j] in `a[0:3]`, C in `a[4:7]` | lanes 0–63 |
        |---|---|
        | a[0:3] | i = 0–3 |

        j = lane mod 4, block = lane / 4."#]].assert_eq(&said("gfx908", "v_mfma_f32_4x4x4f16 a[0:3], v[2:3], v[4:5], a[4:7]"));
}

#[test]
fn the_page_of_a_mnemonic_counts_passes_where_chips_differ() {
    let page = mnemonic(op_info("v_mfma_f64_16x16x4_f64").expect("an opcode"));
    let begin = page.find("| chip | passes |").expect("passes");
    let end = begin + page[begin..].find("\n\n").expect("an end");
    expect![[r#"
        | chip | passes |
        |---|---|
        | gfx942 | 8 |
        | gfx950 | 16 |
        | gfx9-4-generic | 8 |"#]]
    .assert_eq(&page[begin..end]);
}

#[test]
fn the_map_of_a_small_product() {
    let map = matrix_layout("layout:v_mfma_f32_16x16x4f32").expect("a map");
    let begin = map.find("## C and D").expect("a part");
    let shown: Vec<&str> = map[begin..].lines().collect();
    let shown = [&shown[..6], &["…"], &shown[19..26]].concat().join("\n");
    expect![[r#"
        ## C and D[i][j]: 16 × 16 of f32

        | j  | i = 0–3      | i = 4–7      | i = 8–11     | i = 12–15    |
        |----|--------------|--------------|--------------|--------------|
        | 0  | lane 0: 0–3  | lane 16: 0–3 | lane 32: 0–3 | lane 48: 0–3 |
        | 1  | lane 1: 0–3  | lane 17: 0–3 | lane 33: 0–3 | lane 49: 0–3 |
        …
        | 15 | lane 15: 0–3 | lane 31: 0–3 | lane 47: 0–3 | lane 63: 0–3 |

        What each lane holds:

        | lane | registers 0–3     |
        |------|-------------------|
        | 0    | j = 0, i = 0–3    |"#]]
    .assert_eq(&shown);
    let named = "layout:v_mfma_f32_32x32x2f32 operands:a[16:31],v2,v3,a[32:47]";
    let map = matrix_layout(named).expect("a map");
    for part in [
        "## A[i][k] in `v2`: 32 × 2",
        "| 0  | lane 0  | lane 32 |",
        "## D[i][j] in `a[16:31]`, C in `a[32:47]`: 32 × 32",
        "| 0  | lane 0: a[16:19]  | lane 32: a[16:19] | lane 0: a[20:23]  |",
    ] {
        assert!(map.contains(part), "{part}: {map}");
    }
    assert_eq!(matrix_layout("layout:v_mfma_f32_16x16x4f32 operands:v0,v1"), None);
    assert_eq!(matrix_layout("layout:v_mov_b32"), None);
    assert_eq!(matrix_layout("layout:"), None);
    assert_eq!(matrix_layout("layout:v_mfma_f32_16x16x4f32 cbsz"), None);
    assert_eq!(matrix_layout("layout:v_mfma_f32_16x16x4f32 cbsz:300"), None);
}

#[test]
fn every_product_has_a_map_that_names_every_element_once() {
    let mut maps = 0;
    for info in crate::mnemonics::all().iter().filter(|info| !matrix::products(info).is_empty()) {
        let map = matrix_layout(&format!("{LAYOUT}{}", info.name)).expect(info.name);
        assert_eq!(map.matches("What each lane holds").count(), 3, "{}", info.name);
        let product = matrix::products(info)[0].1;
        let lines = map.lines().filter(|line| line.starts_with('|')).count() as u32;
        let lanes = 3 * crate::matrix::LANES;
        assert_eq!(lines, 3 * product.side * product.blocks + lanes + 3 * 4, "{}", info.name);
        maps += 1;
    }
    assert!(maps >= 20, "{maps}");
}

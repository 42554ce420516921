//! Pairs that violate a hazard, and their diagnostics.

use super::*;
use crate::Target;
use crate::code_lines::from_lines;

fn found(chip: &str, text: &str) -> Vec<(u32, Severity, String)> {
    let target = Target::find(chip).expect(chip);
    let code = from_lines(target, text).expect(text);
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    hazards(&code, &def_use, &cfg, &source::no_checkpoint)
        .into_iter()
        .map(|diagnostic| {
            let fix = match diagnostic.fix.map(|fix| fix.change) {
                Some(Change::InsertBefore(text)) => text,
                _ => String::new(),
            };
            (diagnostic.instruction, diagnostic.severity, fix)
        })
        .collect()
}

#[test]
fn pairs_and_what_they_lack() {
    use Severity::{Error, Hint};
    for (chip, text, expected) in [
        (
            "tahiti",
            "v_readfirstlane_b32 s4, v0\ns_nop 0\ns_load_dword s6, s[4:5], 0x0",
            Some((Error, "s_nop 2")),
        ),
        ("bonaire", "v_readfirstlane_b32 s4, v0\ns_nop 0\ns_load_dword s6, s[4:5], 0x0", None),
        (
            "tahiti",
            "s_mov_b32 s4, 0\ns_buffer_load_dword s0, s[4:7], 0x0",
            Some((Error, "s_nop 3")),
        ),
        // LLVM waits for an offset as well, ACO for the descriptor alone.
        ("tahiti", "s_mov_b32 s8, 0\ns_buffer_load_dword s0, s[4:7], s8", Some((Hint, "s_nop 3"))),
        (
            "polaris10",
            "v_readfirstlane_b32 s4, v0\nbuffer_load_dword v1, off, s[4:7], 0",
            Some((Error, "s_nop 4")),
        ),
        (
            "tahiti",
            "v_readfirstlane_b32 s4, v0\nbuffer_load_dword v1, off, s[4:7], 0",
            Some((Hint, "s_nop 4")),
        ),
        (
            "polaris10",
            "v_readfirstlane_b32 s4, v0\ns_nop 4\nbuffer_load_dword v1, off, s[4:7], 0",
            None,
        ),
        (
            "polaris10",
            "v_readfirstlane_b32 s4, v0\ns_mov_b32 s4, 0\nbuffer_load_dword v1, off, s[4:7], 0",
            None,
        ),
        (
            "tahiti",
            "v_cmp_lt_f32 vcc, v0, v1\nv_div_fmas_f32 v0, v1, v2, v3",
            Some((Error, "s_nop 3")),
        ),
        (
            "tahiti",
            "v_readfirstlane_b32 s4, v0\nv_readlane_b32 s5, v1, s4",
            Some((Error, "s_nop 3")),
        ),
        (
            "vega10",
            "v_mov_b32 v1, v2\nv_mov_b32_dpp v3, v1 row_shr:1 row_mask:0xf bank_mask:0xf",
            Some((Error, "s_nop 1")),
        ),
        (
            "vega10",
            "v_mov_b32 v3, v2\nv_mov_b32_dpp v3, v1 row_shr:1 row_mask:0xf bank_mask:0xf",
            None,
        ),
        (
            "vega10",
            "v_cmpx_lt_f32 vcc, v0, v1\nv_mov_b32_dpp v3, v1 row_shr:1 row_mask:0xf bank_mask:0xf",
            Some((Error, "s_nop 4")),
        ),
        ("vega10", "s_mov_b32 m0, 0\nv_interp_p1_f32 v0, v1, attr0.x", Some((Error, "s_nop 0"))),
        ("polaris10", "s_mov_b32 m0, 0\nv_interp_p1_f32 v0, v1, attr0.x", None),
        (
            "polaris10",
            "s_mov_b32 m0, 0\ns_sendmsg sendmsg(MSG_INTERRUPT)",
            Some((Error, "s_nop 0")),
        ),
        (
            "bonaire",
            "buffer_store_dwordx4 v[0:3], v4, s[0:3], 0 offen\nv_mov_b32 v2, 0",
            Some((Error, "s_nop 0")),
        ),
        ("bonaire", "buffer_store_dwordx4 v[0:3], v4, s[0:3], s9 offen\nv_mov_b32 v2, 0", None),
        ("bonaire", "buffer_store_dwordx2 v[0:1], v4, s[0:3], 0 offen\nv_mov_b32 v1, 0", None),
        (
            "polaris10",
            "s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s0\ns_getreg_b32 s1, hwreg(HW_REG_MODE)",
            Some((Error, "s_nop 1")),
        ),
        (
            "polaris10",
            "s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s0\ns_getreg_b32 s1, hwreg(HW_REG_STATUS)",
            None,
        ),
        (
            "arcturus",
            "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]\ns_nop 7\nv_accvgpr_read_b32 v2, a31",
            Some((Error, "s_nop 9")),
        ),
        (
            "arcturus",
            "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]\ns_nop 7\nv_accvgpr_read_b32 v2, a32",
            None,
        ),
        // The unit passes a whole result on by itself.
        (
            "arcturus",
            "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]\nv_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]",
            None,
        ),
        (
            "arcturus",
            "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]\nv_mfma_f32_4x4x1f32 a[4:7], v0, v1, a[1:4]",
            Some((Error, "s_nop 1")),
        ),
        // The unit is still reading the sum that it began with.
        (
            "arcturus",
            "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[32:63]\nv_accvgpr_write_b32 a32, v2",
            Some((Error, "s_nop 12")),
        ),
        (
            "arcturus",
            "v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[16:31]\nv_accvgpr_write_b32 a31, v2",
            Some((Error, "s_nop 4")),
        ),
        (
            "arcturus",
            "v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[4:7]\nv_accvgpr_write_b32 a4, v2",
            None,
        ),
        // An accumulation register is not a vector register of the same number.
        ("arcturus", "v_mov_b32 v5, v0\nv_mfma_f32_4x4x1f32 a[0:3], a5, v1, a[0:3]", None),
        (
            "tahiti",
            "v_interp_p1_f32 v0, v1, attr0.x\nv_readfirstlane_b32 s0, v0",
            Some((Hint, "s_nop 0")),
        ),
    ] {
        let found = found(chip, &format!("{text}\ns_endpgm"));
        let last = text.lines().count() as u32 - 1;
        let expected: Vec<_> =
            expected.iter().map(|(severity, fix)| (last, *severity, (*fix).to_owned())).collect();
        assert_eq!(found, expected, "{chip}: {text}");
    }
}

/// Finds what is said at the second of two instructions with states between them.
fn said(chip: &str, one: &str, states: u8, other: &str) -> Option<(Severity, String)> {
    let between = "s_nop 0\n".repeat(states.into());
    let target = Target::find(chip).expect(chip);
    let code = from_lines(target, &format!("{one}\n{between}{other}\ns_endpgm")).expect(other);
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let cfg = Cfg::of(&code, &def_use);
    let found = hazards(&code, &def_use, &cfg, &source::no_checkpoint);
    found.into_iter().next().map(|it| (it.severity, it.message))
}

#[test]
fn states_after_a_matrix_product_are_by_its_passes() {
    use Severity::{Error, Hint, Warning};
    let wide = "v_mfma_f32_32x32x8_f16 v[0:15], v[32:33], v[34:35], v[0:15]";
    let severity = |chip, states| said(chip, wide, states, "v_mov_b32 v40, v3").map(|it| it.0);
    // 8 passes: 11 states, 12 by LLVM on gfx950.
    assert_eq!(severity("gfx942", 10), Some(Error));
    assert_eq!(severity("gfx942", 11), None);
    assert_eq!(severity("gfx950", 10), Some(Error));
    assert_eq!(severity("gfx950", 11), Some(Warning));
    assert_eq!(severity("gfx950", 12), None);
    let (_, message) = said("gfx950", wide, 3, "v_mov_b32 v40, v3").expect("a hazard");
    assert_eq!(
        message,
        "`v_mov_b32` violates a hazard: it needs 12 wait states after `v3` of \
         `v_mfma_f32_32x32x8_f16`, 9 more than it has (it reads the result, after 8 passes)"
    );
    let (_, message) = said("gfx950", wide, 11, "v_mov_b32 v40, v3").expect("a hazard");
    assert!(message.ends_with("; LLVM keeps this distance, AITER does not"), "{message}");
    // A chain needs none; of two opcodes nobody is sure.
    assert_eq!(said("gfx950", wide, 0, wide), None);
    let other = "v_mfma_f32_32x32x8_bf16 v[0:15], v[32:33], v[34:35], v[0:15]";
    assert_eq!(said("gfx942", wide, 0, other), None);
    assert_eq!(said("gfx950", wide, 0, other).map(|it| it.0), Some(Hint));
    // Of a result that another product wrote again, the first no longer counts; of two
    // products the slower one does.
    let short = "v_mfma_f32_16x16x16_f16 v[16:19], v[32:33], v[34:35], v[16:19]";
    let read = "v_pk_add_f32 v[40:41], v[0:1], v[16:17]";
    let both = format!("{wide}\n{short}");
    assert!(said("gfx942", &both, 8, read).is_some_and(|it| it.1.contains("11 wait states")));
    assert_eq!(said("gfx942", &both, 10, read), None);
    let again = "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[32:33], v[34:35], v[0:3]";
    assert!(said("gfx942", &format!("{wide}\n{again}"), 9, "v_mov_b32 v40, v0").is_some());
}

#[test]
fn passes_and_registers_of_a_scaled_product_are_by_its_formats() {
    let product = |modifiers: &str, a: &str, b: &str| {
        format!("v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], {a}, {b}, v[0:15], v60, v61 {modifiers}")
    };
    let needed = |product: &str| {
        let (_, message) = said("gfx950", product, 0, "v_mov_b32 v70, v3").expect("a hazard");
        let at = message.find(" wait states").expect("states");
        message[..at].rsplit(' ').next().map(str::to_owned)
    };
    // 8 passes, 16 where one of the two has elements of 8 bits.
    let small = product("cbsz:4 blgp:4", "v[20:23]", "v[30:33]");
    assert_eq!(needed(&small).as_deref(), Some("12"));
    let wide = product("cbsz:4", "v[20:23]", "v[30:37]");
    assert_eq!(needed(&wide).as_deref(), Some("20"));
    // What lies after a small matrix is not read.
    let write = "v_mov_b32 v24, v70";
    assert_eq!(said("gfx950", write, 0, &small), None);
    assert!(said("gfx950", "v_mov_b32 v23, v70", 0, &small).is_some());
}

#[test]
fn halves_that_are_kept_and_packed_operations_differ() {
    let next = "v_mov_b32 v5, v1";
    let half = "v_cvt_pk_fp8_f32 v1, v2, v3 op_sel:[0,0,1]";
    assert_eq!(said("gfx942", half, 0, next).map(|it| it.0), Some(Severity::Error));
    assert_eq!(said("gfx942", half, 1, next), None);
    assert_eq!(said("gfx942", "v_cvt_pk_fp8_f32 v1, v2, v3", 0, next), None);
    assert_eq!(said("gfx942", "v_pk_add_f16 v1, v2, v3", 0, next), None);
    assert_eq!(said("gfx90a", "v_rcp_f32 v1, v2", 0, next), None);
    assert_eq!(said("gfx942", "v_rcp_f32 v1, v2", 0, next).map(|it| it.0), Some(Severity::Error));
}

#[test]
fn scalar_results_are_late_for_constants_and_in_time_for_lane_masks() {
    use Severity::{Error, Hint};
    let severity = |chip, one, states, other| said(chip, one, states, other).map(|it| it.0);
    let (compare, add) = ("v_cmp_gt_u32 s[4:5], v1, v2", "v_add_co_u32 v1, vcc, v2, v3");
    for (one, other, said) in [
        (compare, "v_mov_b32 v3, s4", Error),
        (compare, "v_cndmask_b32 v3, v4, v5, s[4:5]", Hint),
        ("v_cmp_gt_u32 vcc, v1, v2", "v_cndmask_b32 v3, v4, v5, vcc", Hint),
        (add, "v_mov_b32 v1, vcc_lo", Error),
        (add, "v_addc_co_u32 v4, vcc, v5, v6, vcc", Hint),
        (add, "v_addc_co_u32 v4, s[6:7], v5, v6, vcc", Hint),
        ("v_cmpx_gt_u32 vcc, v1, v2", "v_mov_b32 v3, exec_lo", Error),
    ] {
        assert_eq!(severity("gfx942", one, 1, other), Some(said), "{one}; {other}");
        assert_eq!(severity("gfx942", one, 2, other), None, "{one}; {other}");
        assert_eq!(severity("gfx90a", one, 0, other), None, "{one}; {other}");
    }
}

#[test]
fn loads_into_the_share_read_m0_and_stores_read_accumulators() {
    use Severity::{Error, Hint};
    let severity = |chip, one, states, other| said(chip, one, states, other).map(|it| it.0);
    for load in ["global_load_lds_dword v[0:1], off", "scratch_load_lds_dword v0, off"] {
        assert_eq!(severity("gfx942", "s_mov_b32 m0, s0", 0, load), Some(Error), "{load}");
        assert_eq!(severity("gfx942", "s_mov_b32 m0, s0", 1, load), None, "{load}");
        assert_eq!(severity("gfx942", "s_mov_b32 s4, s0", 0, load), None, "{load}");
    }
    // The manual does not name loads of buffers, and AITER's kernels do without.
    let load = "buffer_load_dword v0, s[0:3], 0 offen lds";
    assert_eq!(severity("gfx942", "s_mov_b32 m0, s0", 0, load), Some(Hint));
    assert_eq!(severity("gfx90a", "s_mov_b32 m0, s0", 0, load), Some(Error));
    let load = "global_load_dword v[0:1], off lds";
    assert_eq!(severity("gfx90a", "s_mov_b32 m0, s0", 0, load), Some(Error));
    let store = "global_store_dwordx4 v[0:1], a[0:3], off";
    assert_eq!(severity("gfx90a", store, 0, "v_accvgpr_write_b32 a2, v9"), Some(Error));
    assert_eq!(severity("gfx90a", store, 0, "v_mov_b32 v1, v9"), None);
    assert_eq!(severity("gfx90a", store, 1, "v_accvgpr_write_b32 a2, v9"), None);
    let short = "global_store_dwordx2 v[0:1], a[0:1], off";
    assert_eq!(severity("gfx90a", short, 0, "v_accvgpr_write_b32 a1, v9"), None);
}

#[test]
fn only_the_selection_of_a_lane_is_a_lane_select() {
    let severity = |one, states, other| said("gfx900", one, states, other).map(|it| it.0);
    let read = "v_readlane_b32 s20, v21, 0";
    assert_eq!(severity(read, 0, "v_writelane_b32 v18, s20, 0"), None, "that is data");
    assert_eq!(severity(read, 0, "v_writelane_b32 v18, 5, s20"), Some(Severity::Error));
    assert_eq!(severity(read, 3, "v_readlane_b32 s4, v18, s20"), Some(Severity::Error));
    assert_eq!(severity(read, 4, "v_readlane_b32 s4, v18, s20"), None);
}

#[test]
fn products_between_take_their_time() {
    let product = |first: u8| {
        let last = first + 3;
        format!("v_mfma_f32_16x16x32_fp8_fp8 v[{first}:{last}], a[0:1], a[2:3], 0\n")
    };
    // Seven states; each product waits four passes for the one before.
    let text = |count: u8| {
        let others: String = (1..=count).map(|it| product(4 * it)).collect();
        format!("{}{others}", product(0))
    };
    let severity = |count: u8| said("gfx942", &text(count), 0, "v_mov_b32 v90, v0").map(|it| it.0);
    assert_eq!(severity(1), Some(Severity::Error), "issued after 4 and 1");
    assert_eq!(severity(2), Some(Severity::Hint), "issued after 8 and 1");
    assert_eq!(severity(7), None);
    let (_, message) = said("gfx942", &text(2), 0, "v_mov_b32 v90, v0").expect("a hint");
    assert!(message.ends_with("the products between take longer than that"), "{message}");
}

#[test]
fn a_pair_over_a_branch_is_a_warning() {
    let text = "v_readfirstlane_b32 s4, v0\ns_cbranch_scc1 there\ns_nop 4\nthere:\n\
                buffer_load_dword v1, off, s[4:7], 0\ns_endpgm";
    assert_eq!(found("vega10", text), [(3, Severity::Warning, "s_nop 3".to_owned())]);
}

#[test]
fn one_nop_makes_as_many_states_as_the_chip_reads_of_its_operand() {
    let load =
        |nop: &str| format!("v_readfirstlane_b32 s0, v0\n{nop}\ns_load_dword s4, s[0:1], 0x0");
    // gfx6 reads three bits: 8 is 0, one state of the four that are needed.
    assert_eq!(found("gfx600", &load("s_nop 8")), [(2, Severity::Error, "s_nop 2".to_owned())]);
    assert_eq!(found("gfx600", &load("s_nop 3")), []);
    assert_eq!(found("gfx600", &load("s_nop 11")), []);
}

#[test]
fn more_states_than_one_nop_makes_are_split() {
    let close = |nops: &str| {
        format!(
            "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]\n{nops}v_accvgpr_read_b32 v2, a0\ns_endpgm"
        )
    };
    let fix = "s_nop 15\ns_nop 1";
    assert_eq!(found("gfx908", &close("")), [(1, Severity::Error, fix.to_owned())]);
    assert_eq!(found("gfx908", &close(&format!("{fix}\n"))), [], "the fix makes it right");
    assert_eq!(found("gfx908", &close("s_nop 15\ns_nop 0\n"))[0].2, "s_nop 0");
    assert_eq!(nops(8, 8), "s_nop 7");
    assert_eq!(nops(9, 8), "s_nop 7\ns_nop 0");
}

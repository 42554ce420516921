//! Registers that instructions read and write, kind by kind: those of operands, and implicit
//! ones.

use expect_test::{Expect, expect};

use super::{AccessKind, DefUse, EXEC, M0, SCC, VCC};
use crate::Target;
use crate::analysis::Access;
use crate::code_lines::from_lines;
use crate::instruction::Bank;

/// Writes a register and how it is used: `v[2:3]`, `exec`, `v1?`.
fn word(access: &Access) -> String {
    let register = access.register;
    let letter = match register.bank {
        Bank::Vector => "v",
        Bank::Accumulator => "a",
        Bank::Scalar => "s",
    };
    let special = [(EXEC, "exec"), (VCC, "vcc"), (SCC, "scc"), (M0, "m0")];
    let named =
        special.iter().find(|(code, _)| register.bank == Bank::Scalar && *code == register.first);
    let last = u32::from(register.first) + u32::from(register.dwords) - 1;
    let name = match (named, register.dwords) {
        (Some((_, name)), 1) if name.len() == 2 || *name == "scc" => (*name).to_owned(),
        (Some((_, name)), 2) => (*name).to_owned(),
        (Some((_, name)), _) => format!("{name}*{}", register.dwords),
        (None, 1) => format!("{letter}{}", register.first),
        (None, _) => format!("{letter}[{}:{last}]", register.first),
    };
    let kind = match access.kind {
        AccessKind::Full => "",
        AccessKind::Partial => "/part",
        AccessKind::CrossLane => "/lane",
        AccessKind::Indexed => "/relative",
        AccessKind::Unknown => "?",
    };
    format!("{name}{kind}")
}

/// Lists the reads and writes of each line of a text.
fn check(chip: &str, text: &str, expected: &Expect) {
    let target = Target::find(chip).expect("a chip");
    let mut out = String::new();
    for line in text.lines().map(str::trim) {
        let code = from_lines(target, line);
        let code = code.unwrap_or_else(|problem| panic!("{line}: {problem:?}"));
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let words = |list: &[Access]| list.iter().map(word).collect::<Vec<_>>().join(" ");
        for def_use in &def_use {
            let (reads, writes) = (words(def_use.reads()), words(def_use.writes()));
            out += format!("{line}: {reads} -> {writes}\n").as_str();
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn scalar_instructions() {
    check(
        "polaris10",
        "s_mov_b32 s0, s1
        s_mov_b64 s[0:1], exec
        s_cmov_b32 s0, s1
        s_add_u32 s0, s1, 5
        s_addc_u32 s0, s1, s2
        s_cselect_b64 s[0:1], s[2:3], 0
        s_and_saveexec_b64 s[0:1], vcc
        s_movrels_b32 s0, s1
        s_movreld_b64 s[0:1], s[2:3]
        s_bitset1_b32 s0, s1
        s_movk_i32 s0, 0x7
        s_cmovk_i32 s0, 0x7
        s_addk_i32 s0, 0x7
        s_cmpk_eq_i32 s0, 0x7
        s_cmp_lt_i32 s0, s1
        s_setvskip s0, s1
        s_getpc_b64 s[0:1]
        s_setpc_b64 s[0:1]
        s_swappc_b64 s[0:1], s[2:3]
        s_getreg_b32 s0, hwreg(HW_REG_MODE)
        s_setreg_b32 hwreg(HW_REG_MODE), s0
        s_cbranch_scc1 0
        s_cbranch_vccz 0
        s_cbranch_execz 0
        s_sendmsg sendmsg(MSG_INTERRUPT)
        s_waitcnt vmcnt(0)
        s_barrier
        s_load_dword s0, s[2:3], 0x0
        s_load_dwordx16 s[16:31], s[2:3], s4
        s_buffer_load_dwordx2 s[0:1], s[4:7], 0x10
        s_store_dword s0, s[2:3], 0x0
        s_load_dwordx16 s[0:15], s[16:17], 0x0 glc
        s_store_dword s0, s[2:3], 0x0 glc
        s_memtime s[0:1]
        s_dcache_inv",
        &expect![[r#"
            s_mov_b32 s0, s1: s1 -> s0
            s_mov_b64 s[0:1], exec: exec -> s[0:1]
            s_cmov_b32 s0, s1: s0 s1 scc -> s0
            s_add_u32 s0, s1, 5: s1 -> s0 scc
            s_addc_u32 s0, s1, s2: s1 s2 scc -> s0 scc
            s_cselect_b64 s[0:1], s[2:3], 0: s[2:3] scc -> s[0:1]
            s_and_saveexec_b64 s[0:1], vcc: vcc exec -> s[0:1] exec scc
            s_movrels_b32 s0, s1: s[1:105]/relative m0 -> s0
            s_movreld_b64 s[0:1], s[2:3]: s[2:3] m0 -> s[0:105]/relative
            s_bitset1_b32 s0, s1: s0 s1 -> s0
            s_movk_i32 s0, 0x7:  -> s0
            s_cmovk_i32 s0, 0x7: s0 scc -> s0
            s_addk_i32 s0, 0x7: s0 -> s0 scc
            s_cmpk_eq_i32 s0, 0x7: s0 -> scc
            s_cmp_lt_i32 s0, s1: s0 s1 -> scc
            s_setvskip s0, s1: s0 s1 -> 
            s_getpc_b64 s[0:1]:  -> s[0:1]
            s_setpc_b64 s[0:1]: s[0:1] -> 
            s_swappc_b64 s[0:1], s[2:3]: s[2:3] -> s[0:1]
            s_getreg_b32 s0, hwreg(HW_REG_MODE):  -> s0
            s_setreg_b32 hwreg(HW_REG_MODE), s0: s0 -> 
            s_cbranch_scc1 0: scc -> 
            s_cbranch_vccz 0: vcc -> 
            s_cbranch_execz 0: exec -> 
            s_sendmsg sendmsg(MSG_INTERRUPT): m0 -> 
            s_waitcnt vmcnt(0):  -> 
            s_barrier:  -> 
            s_load_dword s0, s[2:3], 0x0: s[2:3] -> s0
            s_load_dwordx16 s[16:31], s[2:3], s4: s[2:3] s4 -> s[16:31]
            s_buffer_load_dwordx2 s[0:1], s[4:7], 0x10: s[4:7] -> s[0:1]
            s_store_dword s0, s[2:3], 0x0: s0 s[2:3] -> 
            s_load_dwordx16 s[0:15], s[16:17], 0x0 glc: s[16:17] -> s[0:15]
            s_store_dword s0, s[2:3], 0x0 glc: s0 s[2:3] -> 
            s_memtime s[0:1]:  -> s[0:1]
            s_dcache_inv:  -> 
        "#]],
    );
}

#[test]
fn vector_instructions() {
    check(
        "polaris10",
        "v_mov_b32 v0, v1
        v_mov_b32 v0, s1
        v_mov_b32 v0, 0x12345678
        v_add_f32 v0, v1, v2
        v_add_u32 v0, vcc, v1, v2
        v_addc_u32 v0, vcc, v1, v2, vcc
        v_addc_u32_e64 v0, s[0:1], v1, v2, s[2:3]
        v_cndmask_b32 v0, v1, v2, vcc
        v_cndmask_b32_e64 v0, v1, v2, s[0:1]
        v_cmp_lt_f32 vcc, v0, v1
        v_cmp_lt_f64_e64 s[0:1], v[0:1], v[2:3]
        v_cmpx_lt_f32 vcc, v0, v1
        v_mac_f32 v0, v1, v2
        v_mad_f32 v0, v1, s2, v3
        v_div_scale_f32 v0, vcc, v1, v2, v3
        v_div_fmas_f32 v0, v1, v2, v3
        v_readlane_b32 s0, v1, s2
        v_readfirstlane_b32 s0, v1
        v_writelane_b32 v0, s1, 3
        v_movrels_b32 v0, v1
        v_movreld_b32 v0, v1
        v_movrelsd_b32 v0, v1
        v_mul_f64 v[0:1], v[2:3], v[4:5]
        v_mul_hi_u32 v0, v1, v2
        v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]
        v_interp_p1_f32 v0, v1, attr0.x
        v_interp_mov_f32 v0, p0, attr0.x
        v_mov_b32_sdwa v0, v1 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
        v_mov_b32_sdwa v0, v1 dst_sel:BYTE_0 dst_unused:UNUSED_PAD src0_sel:DWORD
        v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf
        v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0x1 bank_mask:0xf
        v_nop",
        &expect![[r#"
            v_mov_b32 v0, v1: v1 exec -> v0
            v_mov_b32 v0, s1: s1 exec -> v0
            v_mov_b32 v0, 0x12345678: exec -> v0
            v_add_f32 v0, v1, v2: v1 v2 exec -> v0
            v_add_u32 v0, vcc, v1, v2: v1 v2 exec -> v0 vcc
            v_addc_u32 v0, vcc, v1, v2, vcc: v1 v2 vcc exec -> v0 vcc
            v_addc_u32_e64 v0, s[0:1], v1, v2, s[2:3]: v1 v2 s[2:3] exec -> v0 s[0:1]
            v_cndmask_b32 v0, v1, v2, vcc: v1 v2 vcc exec -> v0
            v_cndmask_b32_e64 v0, v1, v2, s[0:1]: v1 v2 s[0:1] exec -> v0
            v_cmp_lt_f32 vcc, v0, v1: v0 v1 exec -> vcc
            v_cmp_lt_f64_e64 s[0:1], v[0:1], v[2:3]: v[0:1] v[2:3] exec -> s[0:1]
            v_cmpx_lt_f32 vcc, v0, v1: v0 v1 exec -> vcc exec
            v_mac_f32 v0, v1, v2: v0 v1 v2 exec -> v0
            v_mad_f32 v0, v1, s2, v3: v1 s2 v3 exec -> v0
            v_div_scale_f32 v0, vcc, v1, v2, v3: v1 v2 v3 exec -> v0 vcc
            v_div_fmas_f32 v0, v1, v2, v3: v1 v2 v3 vcc exec -> v0
            v_readlane_b32 s0, v1, s2: v1/lane s2 -> s0
            v_readfirstlane_b32 s0, v1: v1 exec -> s0
            v_writelane_b32 v0, s1, 3: s1 -> v0/lane
            v_movrels_b32 v0, v1: v[1:255]/relative exec m0 -> v0
            v_movreld_b32 v0, v1: v1 exec m0 -> v[0:254]/relative
            v_movrelsd_b32 v0, v1: v[1:255]/relative exec m0 -> v[0:254]/relative
            v_mul_f64 v[0:1], v[2:3], v[4:5]: v[2:3] v[4:5] exec -> v[0:1]
            v_mul_hi_u32 v0, v1, v2: v1 v2 exec -> v0
            v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]: v2 v3 v[4:5] exec -> v[0:1] vcc
            v_interp_p1_f32 v0, v1, attr0.x: v1 exec m0 -> v0
            v_interp_mov_f32 v0, p0, attr0.x: exec m0 -> v0
            v_mov_b32_sdwa v0, v1 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD: v1 exec -> v0/part
            v_mov_b32_sdwa v0, v1 dst_sel:BYTE_0 dst_unused:UNUSED_PAD src0_sel:DWORD: v1 exec -> v0
            v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf: v1 exec -> v0
            v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0x1 bank_mask:0xf: v1 exec -> v0/part
            v_nop: exec -> 
        "#]],
    );
    check(
        "gfx908",
        "v_swap_b32 v0, v1
        v_pk_add_f16 v0, v1, v2
        v_fma_mix_f32 v0, v1, v2, v3
        v_add_u32 v0, v1, v2
        v_add_co_u32 v0, vcc, v1, v2
        v_accvgpr_read_b32 v0, a1
        v_accvgpr_write_b32 a0, v1
        v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[8:11]
        v_fma_mixlo_f16 v0, v1, v2, v3
        v_fma_mixhi_f16 v0, v1, v2, v3",
        &expect![[r#"
            v_swap_b32 v0, v1: v0 v1 exec -> v0 v1
            v_pk_add_f16 v0, v1, v2: v1 v2 exec -> v0
            v_fma_mix_f32 v0, v1, v2, v3: v1 v2 v3 exec -> v0
            v_add_u32 v0, v1, v2: v1 v2 exec -> v0
            v_add_co_u32 v0, vcc, v1, v2: v1 v2 exec -> v0 vcc
            v_accvgpr_read_b32 v0, a1: a1 exec -> v0
            v_accvgpr_write_b32 a0, v1: v1 exec -> a0
            v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[8:11]: v4 v5 a[8:11] -> a[0:3]
            v_fma_mixlo_f16 v0, v1, v2, v3: v1 v2 v3 exec -> v0/part
            v_fma_mixhi_f16 v0, v1, v2, v3: v1 v2 v3 exec -> v0/part
        "#]],
    );
}

#[test]
fn memory_instructions() {
    check(
        "polaris10",
        "buffer_load_dword v0, off, s[4:7], s8
        buffer_load_dword v0, v1, s[4:7], s8 idxen
        buffer_load_dword v0, v[2:3], s[4:7], s8 idxen offen
        buffer_load_dword v1, s[4:7], 0 offen lds
        buffer_load_dword v[0:1], off, s[4:7], 0 tfe
        buffer_store_dwordx4 v[0:3], v4, s[4:7], 0 offen
        buffer_load_format_d16_x v0, off, s[4:7], 0
        buffer_atomic_add v0, v1, s[4:7], 0 offen
        buffer_atomic_add v0, v1, s[4:7], 0 offen glc
        buffer_atomic_cmpswap v[0:1], v2, s[4:7], 0 offen glc
        tbuffer_load_format_xy v[0:1], off, s[4:7], 0 format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_FLOAT]
        buffer_wbinvl1
        image_load v[0:3], v[4:7], s[8:15] dmask:0xf unorm
        image_sample v0, v[4:5], s[8:15], s[16:19] dmask:0x1
        image_store v0, v[4:5], s[8:15] dmask:0x1 unorm
        image_atomic_add v0, v[4:5], s[8:15] dmask:0x1 unorm glc
        image_gather4 v[0:3], v[4:5], s[8:15], s[16:19] dmask:0x1
        flat_load_dword v0, v[2:3]
        flat_store_dwordx2 v[0:1], v[2:3]
        flat_atomic_add v0, v[2:3], v4 glc
        flat_atomic_add v[2:3], v4
        ds_read_b32 v0, v1
        ds_read2_b32 v[0:1], v2 offset1:1
        ds_read2st64_b64 v[0:3], v4 offset1:1
        ds_write_b64 v0, v[2:3]
        ds_write2_b32 v0, v1, v2 offset1:1
        ds_add_rtn_u32 v0, v1, v2
        ds_cmpst_b32 v0, v1, v2
        ds_add_u32 v0, v1 gds
        ds_append v0
        ds_swizzle_b32 v0, v1
        ds_bpermute_b32 v0, v1, v2
        ds_gws_init v0 gds
        exp mrt0 v0, v1, v2, v3
        exp mrt0 v0, off, off, v3
        exp null off, off, off, off done",
        &expect![[r#"
            buffer_load_dword v0, off, s[4:7], s8: s[4:7] s8 exec -> v0
            buffer_load_dword v0, v1, s[4:7], s8 idxen: v1 s[4:7] s8 exec -> v0
            buffer_load_dword v0, v[2:3], s[4:7], s8 idxen offen: v[2:3] s[4:7] s8 exec -> v0
            buffer_load_dword v1, s[4:7], 0 offen lds: v1 s[4:7] exec m0 -> 
            buffer_load_dword v[0:1], off, s[4:7], 0 tfe: s[4:7] exec -> v[0:1]/part
            buffer_store_dwordx4 v[0:3], v4, s[4:7], 0 offen: v[0:3] v4 s[4:7] exec -> 
            buffer_load_format_d16_x v0, off, s[4:7], 0: s[4:7] exec -> v0
            buffer_atomic_add v0, v1, s[4:7], 0 offen: v0 v1 s[4:7] exec -> 
            buffer_atomic_add v0, v1, s[4:7], 0 offen glc: v0 v1 s[4:7] exec -> v0
            buffer_atomic_cmpswap v[0:1], v2, s[4:7], 0 offen glc: v[0:1] v2 s[4:7] exec -> v0
            tbuffer_load_format_xy v[0:1], off, s[4:7], 0 format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_FLOAT]: s[4:7] exec -> v[0:1]
            buffer_wbinvl1: exec -> 
            image_load v[0:3], v[4:7], s[8:15] dmask:0xf unorm: v[4:6] v7? s[8:15] exec -> v[0:3]
            image_sample v0, v[4:5], s[8:15], s[16:19] dmask:0x1: v[4:5] s[8:15] s[16:19] exec -> v0
            image_store v0, v[4:5], s[8:15] dmask:0x1 unorm: v0 v[4:5] s[8:15] exec -> 
            image_atomic_add v0, v[4:5], s[8:15] dmask:0x1 unorm glc: v0 v[4:5] s[8:15] exec -> v0
            image_gather4 v[0:3], v[4:5], s[8:15], s[16:19] dmask:0x1: v[4:5] s[8:15] s[16:19] exec -> v[0:3]
            flat_load_dword v0, v[2:3]: v[2:3] exec m0 s[102:103]? -> v0
            flat_store_dwordx2 v[0:1], v[2:3]: v[0:1] v[2:3] exec m0 s[102:103]? -> 
            flat_atomic_add v0, v[2:3], v4 glc: v[2:3] v4 exec m0 s[102:103]? -> v0
            flat_atomic_add v[2:3], v4: v[2:3] v4 exec m0 s[102:103]? -> 
            ds_read_b32 v0, v1: v1 exec m0 -> v0
            ds_read2_b32 v[0:1], v2 offset1:1: v2 exec m0 -> v[0:1]
            ds_read2st64_b64 v[0:3], v4 offset1:1: v4 exec m0 -> v[0:3]
            ds_write_b64 v0, v[2:3]: v0 v[2:3] exec m0 -> 
            ds_write2_b32 v0, v1, v2 offset1:1: v0 v1 v2 exec m0 -> 
            ds_add_rtn_u32 v0, v1, v2: v1 v2 exec m0 -> v0
            ds_cmpst_b32 v0, v1, v2: v0 v1 v2 exec m0 -> 
            ds_add_u32 v0, v1 gds: v0 v1 exec m0 -> 
            ds_append v0: exec m0 -> v0
            ds_swizzle_b32 v0, v1: v1 exec m0 -> v0
            ds_bpermute_b32 v0, v1, v2: v1 v2 exec m0 -> v0
            ds_gws_init v0 gds: v0 exec m0 -> 
            exp mrt0 v0, v1, v2, v3: v0 v1 v2 v3 exec -> 
            exp mrt0 v0, off, off, v3: v0 v3 exec -> 
            exp null off, off, off, off done: exec -> 
        "#]],
    );
    check(
        "vega10",
        "ds_read_b32 v0, v1
        ds_read_u16_d16 v0, v1
        ds_read_u16_d16_hi v0, v1
        buffer_load_short_d16_hi v0, off, s[4:7], 0
        buffer_load_format_d16_x v0, off, s[4:7], 0
        global_load_dword v0, v[2:3], off
        global_load_dword v0, v1, s[2:3]
        global_store_dword v[2:3], v0, off
        scratch_load_dword v0, off, s1
        scratch_load_dword v0, v1, off
        flat_load_dword v0, v[2:3]
        s_scratch_load_dword s0, s[2:3], s4
        s_atomic_add s0, s[2:3], 0x0 glc",
        &expect![[r#"
            ds_read_b32 v0, v1: v1 exec -> v0
            ds_read_u16_d16 v0, v1: v1 exec -> v0/part
            ds_read_u16_d16_hi v0, v1: v1 exec -> v0/part
            buffer_load_short_d16_hi v0, off, s[4:7], 0: s[4:7] exec -> v0/part
            buffer_load_format_d16_x v0, off, s[4:7], 0: s[4:7] exec -> v0
            global_load_dword v0, v[2:3], off: v[2:3] exec -> v0
            global_load_dword v0, v1, s[2:3]: v1 s[2:3] exec -> v0
            global_store_dword v[2:3], v0, off: v[2:3] v0 exec -> 
            scratch_load_dword v0, off, s1: s1 exec s[102:103] -> v0
            scratch_load_dword v0, v1, off: v1 exec s[102:103] -> v0
            flat_load_dword v0, v[2:3]: v[2:3] exec s[102:103]? -> v0
            s_scratch_load_dword s0, s[2:3], s4: s[2:3] s4 -> s0
            s_atomic_add s0, s[2:3], 0x0 glc: s0 s[2:3] -> s0
        "#]],
    );
    check(
        "tahiti",
        "ds_read_b32 v0, v1
        s_load_dword s0, s[2:3], s4
        buffer_load_dword v0, v[2:3], s[4:7], 0 addr64
        v_movrels_b32 v0, v1
        v_readlane_b32 s0, v1, 3",
        &expect![[r#"
            ds_read_b32 v0, v1: v1 exec m0 -> v0
            s_load_dword s0, s[2:3], s4: s[2:3] s4 -> s0
            buffer_load_dword v0, v[2:3], s[4:7], 0 addr64: v[2:3] s[4:7] exec -> v0
            v_movrels_b32 v0, v1: v[1:255]/relative exec m0 -> v0
            v_readlane_b32 s0, v1, 3: v1/lane -> s0
        "#]],
    );
}

#[test]
fn an_index_register_widens_what_is_indexed() {
    let text = "s_set_gpr_idx_on s0, 0x1\nv_mov_b32 v0, v1\ns_set_gpr_idx_mode 0x8\n\
                v_mov_b32 v0, v1\ns_set_gpr_idx_off\nv_mov_b32 v0, v1";
    let target = Target::find("polaris10").expect("a chip");
    let code = from_lines(target, text).expect("assembles");
    let def_use = DefUse::of_all(&code, &source::no_checkpoint);
    let words = |list: &[Access]| list.iter().map(word).collect::<Vec<_>>().join(" ");
    let lines =
        def_use.iter().map(|it| format!("{} -> {}\n", words(it.reads()), words(it.writes())));
    expect![[r#"
        s0 m0 -> m0
        v[1:255]/relative exec m0 -> v0
        m0 -> m0
        v1 exec m0 -> v[0:254]/relative
         -> 
        v1 exec -> v0
    "#]]
    .assert_eq(&lines.collect::<String>());
}

//! Lines of CLRX's dialect beside what LLVM's says in their place.

use crate::Target;
use crate::codes;
use crate::dialect::Dialect;
use crate::instruction::{InstructionSet, LineError, NoSymbols, assemble_line};

fn words(target: &str, dialect: Dialect, line: &str) -> Result<Vec<u32>, LineError> {
    let target = Target::find(target).expect("a processor");
    let set = InstructionSet::in_dialect(target, dialect);
    assemble_line(line, set, &NoSymbols).map(|assembled| assembled.words().to_vec())
}

#[test]
fn lines_mean_what_their_likes_mean_in_the_other_dialect() {
    for (target, clrx, llvm) in [
        ("gfx803", "v_add_f32 v1, v2, v3 vop3", "v_add_f32_e64 v1, v2, v3"),
        ("gfx803", "V_Add_F32 V1, -abs(V2), v3 # sum", "v_add_f32_e64 v1, -|v2|, v3"),
        ("gfx803", "v_add_f32 v1, v2, v3 neg:2 abs:[1,0]", "v_add_f32_e64 v1, |v2|, -v3"),
        ("gfx803", "v_add_f32 v1, v2, v3 clamp:1 omod:1", "v_add_f32_e64 v1, v2, v3 clamp mul:2"),
        ("gfx803", "v_add_f32 v1, v2, v3 mul:4 clamp", "v_add_f32_e64 v1, v2, v3 clamp mul:4"),
        (
            "gfx803",
            "v_mov_b32 v1, v2 dst_un:preserve dst_sel:b1",
            "v_mov_b32_sdwa v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
        ),
        (
            "gfx803",
            "v_add_f32 v1, v2, v3 sdwa src1_sel:word1",
            "v_add_f32_sdwa v1, v2, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD \
             src1_sel:WORD_1",
        ),
        (
            "gfx803",
            "v_mov_b32 v1, v2 row_bcast15 bound_ctrl",
            "v_mov_b32_dpp v1, v2 row_bcast:15 row_mask:0xf bank_mask:0xf bound_ctrl:0",
        ),
        (
            "gfx803",
            "v_mov_b32 v1, v2 wave_shl bank_mask:3",
            "v_mov_b32_dpp v1, v2 wave_shl:1 row_mask:0xf bank_mask:0x3",
        ),
        ("gfx803", "image_load v1, v[2:5], s[8:15]", "image_load v1, v[2:5], s[8:15] dmask:0x1"),
        ("gfx803", "s_sendmsg sendmsg(gs, emit, 1)", "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 1)"),
        ("gfx803", "s_sendmsg @0x12", "s_sendmsg 0x12"),
        ("gfx803", "s_getreg_b32 s1, hwreg(mode, 0, 32)", "s_getreg_b32 s1, hwreg(HW_REG_MODE)"),
        ("gfx803", "s_getreg_b32 s1, hwreg(PC_LO, 1, 2)", "s_getreg_b32 s1, hwreg(8, 1, 2)"),
        ("gfx803", "s_waitcnt vmcnt(1) lgkmcnt(2)", "s_waitcnt vmcnt(1) & lgkmcnt(2)"),
        ("gfx803", "s_waitcnt lgkmcnt(0) :0xc07f", "s_waitcnt 0xc07f"),
        ("gfx803", "s_mov_b32 s0, 7 // 2 # three", "s_mov_b32 s0, 3"),
        ("gfx803", "s_mov_b32 s0, -8 >>> 1", "s_mov_b32 s0, -4"),
        ("gfx803", "s_nop 1; s_nop 2", "s_nop 1"),
        (
            "gfx803",
            "buffer_load_dword v1, off, s[4:7], s1 slc offset:16 glc:0",
            "buffer_load_dword v1, off, s[4:7], s1 offset:16 slc",
        ),
        (
            "gfx803",
            "tbuffer_load_format_x v1, v2, s[4:7], 0 idxen format:[32_32,float]",
            "tbuffer_load_format_x v1, v2, s[4:7], 0 \
             format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_FLOAT] idxen",
        ),
        ("gfx600", "v_add_u32 v1, vcc, v2, v3", "v_add_i32_e32 v1, vcc, v2, v3"),
        ("gfx803", "v_cmp_lg_u32 vcc, v1, v2", "v_cmp_ne_u32_e32 vcc, v1, v2"),
        ("gfx900", "v_add_f32 v1, s[3], v2", "v_add_f32_e32 v1, s3, v2"),
        ("gfx803", "v_sub_f32 v3, v4, v5 neg:2", "v_sub_f32_e64 v3, v4, -v5"),
        ("gfx600", "v_mul_f32 v3, v4, v5 neg:[1,1] abs:1", "v_mul_f32_e64 v3, -|v4|, -v5"),
        ("gfx803", "v_interp_p2_f32 v1, v2, attr3.y neg:2", "v_interp_p2_f32_e64 v1, -v2, attr3.y"),
        ("gfx803", "v_interp_p1_f32 v1, v2, Attr03 . Y", "v_interp_p1_f32_e32 v1, v2, attr3.y"),
        ("gfx803", "s_mov_b32 vcc[1], exec[0]", "s_mov_b32 vcc_hi, exec_lo"),
        ("gfx803", "s_and_b64 vcc[0:1], exec, s[2:3]", "s_and_b64 vcc, exec, s[2:3]"),
        ("gfx803", "v_cmp_t_f32 vcc, v1, v2", "v_cmp_tru_f32_e32 vcc, v1, v2"),
        (
            "gfx600",
            "v_cmpx_t_f64 s[4:5], v[0:1], v[2:3]",
            "v_cmpx_tru_f64_e64 s[4:5], v[0:1], v[2:3]",
        ),
        ("gfx803", "v_cmp_class_f64 vcc, v[2:3], v[4:5]", "v_cmp_class_f64_e32 vcc, v[2:3], v4"),
        (
            "gfx803",
            "buffer_load_dword v1, s[4:7], s8 offset : 16 idxen:0",
            "buffer_load_dword v1, off, s[4:7], s8 offset:16",
        ),
        (
            "gfx803",
            "buffer_load_dword v[1:2], v3, s[4:7], s8 tfe:5 idxen",
            "buffer_load_dword v[1:2], v3, s[4:7], s8 idxen tfe",
        ),
        (
            "gfx803",
            "buffer_store_lds_dword s[4:7], s8 offset:16 lds",
            "buffer_store_lds_dword s[4:7], s8 offset:16 lds",
        ),
        ("gfx803", "ds_gws_sema_v v0 gds", "ds_gws_sema_v gds"),
        ("gfx803", "exp param007, v0, v1, v2, v3", "exp param7 v0, v1, v2, v3"),
        (
            "gfx900",
            "s_getreg_b32 s1, hwreg(sq_shader_tba_lo, 0, 32)",
            "s_getreg_b32 s1, hwreg(HW_REG_TBA_LO)",
        ),
        ("gfx803", "s_sendmsg sendmsg(system)", "s_sendmsg 15"),
        (
            "gfx803",
            "v_mov_b32 v1, sext(v2) dst_sel : @4 dst_unused:@2",
            "v_mov_b32_sdwa v1, sext(v2) dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
        ),
        (
            "gfx803",
            "v_mov_b32 v1, v2 row_shr:3 bound_ctrl:1:0",
            "v_mov_b32_dpp v1, v2 row_shr:3 row_mask:0xf bank_mask:0xf",
        ),
        (
            "gfx900",
            "global_load_dword v1, v2, s[4:5] inst_offset:-8 glc:3",
            "global_load_dword v1, v2, s[4:5] offset:-8 glc",
        ),
        (
            "gfx600",
            "v_mqsad_u8 v[0:1], v[2:3], v4, v[6:7]",
            "v_mqsad_pk_u16_u8 v[0:1], v[2:3], v4, v[6:7]",
        ),
    ] {
        let expected = words(target, Dialect::Llvm, llvm);
        assert!(expected.is_ok(), "{llvm}: {expected:?}");
        assert_eq!(words(target, Dialect::Clrx, clrx), expected, "{clrx}");
    }
}

#[test]
fn what_only_this_dialect_can_say() {
    for (line, expected) in [
        ("s_mov_b32 s0, lit(4)", vec![0xbe80_00ff, 4]),
        ("v_mov_b32 v1, 1.5h", vec![0x7e02_02ff, 0x3e00]),
        ("v_mov_b32 v1, lit(1.0)", vec![0x7e02_02ff, 0x3f80_0000]),
        ("v_add_f32 v1, 0x3f800000, v2", vec![0x0202_04ff, 0x3f80_0000]),
        ("v_mul_f64 v[0:1], s[5:6], v[2:3]", vec![0xd281_0000, 0x0002_0405]),
        ("s_mov_fed_b32 s1, s2", vec![0xbe81_3102]),
        ("s_add_u32_e64 s1, s2, 3", vec![0x8001_ff02, 3]),
        ("v_readfirstlane_b32 s1, v2 vop3", vec![0xd142_0001, 0x0102]),
        ("v_writelane_b32 v1, v2, s3", vec![0xd28a_0001, 0x0702]),
        ("s_set_gpr_idx_mode 0x105", vec![0xbf9d_0105]),
        ("exp mrt0, v1, off, off, off compr", vec![0xc400_0401, 1]),
        ("v_mov_b32 v1, sext(-abs(v2)) src0_sel:b1", vec![0x7e02_02f9, 0x0039_0602]),
        ("v_cmp_class_f32 vcc, -v1, v2 row_mirror", vec![0x7c20_04fa, 0xff11_4001]),
    ] {
        assert_eq!(words("gfx803", Dialect::Clrx, line), Ok(expected), "{line}");
    }
}

#[test]
fn messages_name_the_rule() {
    for (target, line, code, part) in [
        (
            "gfx600",
            "v_mqsad_pk_u16_u8 v[0:1], v[2:3], v4, v[6:7]",
            codes::UNKNOWN_MNEMONIC,
            "`v_mqsad_u8`",
        ),
        ("gfx700", "buffer_wbinvl1_vol", codes::UNKNOWN_MNEMONIC, "`buffer_wbinvl1_sc`"),
        ("gfx803", "s_getreg_b32 s1, hwreg(HW_REG_MODE, 0, 1)", codes::OPERAND, "HWREG_MODE"),
        ("gfx803", "s_waitcnt vmcnt(16)", codes::RANGE, "0 to 15; CLRX cuts"),
        ("gfx803", "v_mov_b32 v0, v1 row_shl:32", codes::RANGE, "no such value"),
        ("gfx803", "v_add_f32 v1, v2, v3 bogus", codes::MODIFIER, "bogus"),
        ("gfx803", "v_mul_f64 v[0:1], s[3:4], v[2:3]", codes::REGISTER, "group of four"),
        ("gfx803", "image_load v1, v[2:5], s[8:15] dmask:0", codes::DATA_SIZE, "moves nothing"),
        ("gfx803", "image_store v1, v[2:5], s[8:15]", codes::MODIFIER, "unorm"),
        ("gfx803", "s_store_dword s1, s[2:3], s4", codes::OPERAND, "m0"),
        ("gfx803", "v_mov_b32_e32 v1, v2 sdwa", codes::MODIFIER, "suffix"),
        ("gfx803", "s_load_dword s1, s[2:3], 0x100000", codes::RANGE, "1048575"),
        ("gfx600", "s_mov_b32 s1, s2 neg:1", codes::MODIFIER, "change sources"),
        ("gfx803", "v_mov_b32 v1, v2 neg:2", codes::MODIFIER, "does not have"),
        ("gfx803", "exp mrt0, v1, v2, v3, v3 compr", codes::OPERAND, "same register"),
        (
            "gfx803",
            "buffer_load_dword v[1:2], v3, s[4:7], s8 idxen lds tfe",
            codes::MODIFIER,
            "exclude",
        ),
        ("gfx803", "s_mov_b32 vcc[2], s1", codes::REGISTER, "0 and 1"),
        ("gfx803", "s_add_u32_e64 s1, s2, s3", codes::MODIFIER, "one word"),
        ("gfx803", "buffer_load_dword v1, s[4:7], s8 offset:x", codes::SYNTAX, "later line"),
        ("gfx803", "v_cmp_class_f64 vcc, v[2:3], v4", codes::OPERAND, "2 vector registers"),
    ] {
        let error = words(target, Dialect::Clrx, line).expect_err(line);
        assert_eq!(error.code, code, "{line}: {}", error.message);
        assert!(error.message.contains(part), "{line}: {}", error.message);
    }
}

#[test]
fn what_does_not_fit_is_cut_with_a_warning() {
    let set = InstructionSet::in_dialect(Target::find("gfx803").expect("a chip"), Dialect::Clrx);
    for (line, same) in [
        ("s_load_dword s1, s[2:3], 0x100004", "s_load_dword s1, s[2:3], 4"),
        (
            "buffer_load_dword v1, s[4:7], s8 offset:0x1010",
            "buffer_load_dword v1, s[4:7], s8 offset:16",
        ),
        (
            "image_load v[0:1], v[2:5], s[8:15] dmask:0x13",
            "image_load v[0:1], v[2:5], s[8:15] dmask:3",
        ),
        ("s_mov_b32 s1, 0x123456789", "s_mov_b32 s1, 0x23456789"),
        ("s_waitcnt vmcnt(33) & lgkmcnt(27)", "s_waitcnt vmcnt(1) & lgkmcnt(11)"),
        ("v_mov_b32 v0, v1 row_ror:35", "v_mov_b32 v0, v1 row_ror:3"),
    ] {
        let error = assemble_line(line, set, &NoSymbols).expect_err(line);
        assert_eq!(error.code, codes::RANGE, "{line}: {}", error.message);
        assert!(error.message.ends_with("CLRX cuts it off"), "{line}: {}", error.message);
        let cut = error.cut.map(|it| it.words().to_vec());
        assert_eq!(cut, words("gfx803", Dialect::Clrx, same).ok(), "{line}");
    }
}

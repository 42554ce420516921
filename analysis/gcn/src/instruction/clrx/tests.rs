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
        ("gfx803", "s_waitcnt vmcnt(16)", codes::RANGE, "0 to 15"),
        ("gfx803", "v_add_f32 v1, v2, v3 bogus", codes::MODIFIER, "bogus"),
        ("gfx803", "v_mul_f64 v[0:1], s[3:4], v[2:3]", codes::REGISTER, "group of four"),
        ("gfx803", "image_load v1, v[2:5], s[8:15] dmask:0", codes::DATA_SIZE, "moves nothing"),
        ("gfx803", "image_store v1, v[2:5], s[8:15]", codes::MODIFIER, "unorm"),
        ("gfx803", "s_store_dword s1, s[2:3], s4", codes::OPERAND, "m0"),
        ("gfx803", "v_mov_b32_e32 v1, v2 sdwa", codes::MODIFIER, "suffix"),
        ("gfx803", "s_load_dword s1, s[2:3], 0x100000", codes::RANGE, "1048575"),
    ] {
        let error = words(target, Dialect::Clrx, line).expect_err(line);
        assert_eq!(error.code, code, "{line}: {}", error.message);
        assert!(error.message.contains(part), "{line}: {}", error.message);
    }
}

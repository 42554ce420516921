//! Answers about lines that stand at a corner of a dialect, pinned by checksums: each with
//! what the services say of it. Names and pages of the tables.

use std::fmt::Write as _;

use source::{TextRange, TextSize, apply_edits};

use crate::Target;
use crate::analysis::timing::{Bound, UnitGroup};
use crate::assembler::{Dialect, result::StatementKind};
use crate::occupancy::{self, Usage};
use crate::program::{Options, assemble};
use crate::recorded_tests::{asking::everywhere, code, converted, diagnostics, table};
use crate::service::{self, View};
use crate::{describe, mnemonics};

const CHIPS: [&str; 4] = ["tahiti", "bonaire", "fiji", "vega10"];

/// Lines of LLVM's dialect.
const LLVM: [&str; 108] = [
    "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0",
    "s_setreg_b32 hwreg(1, 4, 33), s0",
    "s_setreg_b32 hwreg(64), s0",
    "s_setreg_b32 hwreg(HW_REG_NONE), s0",
    "s_setreg_b32 hwreg(1, 32, 1), s0",
    "s_setreg_b32 {id: 1, offset: 2, size: 3}, s0",
    "s_setreg_b32 {id: HW_REG_MODE}, s0",
    "s_setreg_b32 {}, s0",
    "s_setreg_b32 {id: 1, id: 2}, s0",
    "s_setreg_b32 {offset: 40}, s0",
    "s_setreg_b32 {size: 0, id: 3}, s0",
    "s_setreg_b32 {width: 3}, s0",
    "s_setreg_b32 {id 3}, s0",
    "s_setreg_b32 {id: 3; offset: 1}, s0",
    "s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0x12345678",
    "s_getreg_b32 s0, 0x1234",
    "s_getreg_b32 s0, 0x12345",
    "s_waitcnt vmcnt(3) expcnt(1) lgkmcnt(2)",
    "s_waitcnt vmcnt(3), expcnt(1) & lgkmcnt(70)",
    "s_waitcnt vmcnt_sat(99) lgkmcnt_sat(99)",
    "s_waitcnt nocnt(1)",
    "s_waitcnt 3()",
    "s_waitcnt 0x0f70",
    "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 2)",
    "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)",
    "s_sendmsg sendmsg(MSG_SYSMSG, SYSMSG_OP_ECC_ERR_INTERRUPT)",
    "s_sendmsg sendmsg(MSG_INTERRUPT)",
    "s_sendmsg sendmsg(MSG_NONE, 1, 2)",
    "s_sendmsg sendmsg(2, 9, 5)",
    "s_sendmsghalt 0x10003",
    "ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM, 0, 1, 2, 3)",
    "ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM, 0, 1, 2, 4)",
    "ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, \"01pip\")",
    "ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, \"01pi\")",
    "ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, 3)",
    "ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST, 8, 7)",
    "ds_swizzle_b32 v0, v1 offset:swizzle(SWAP, 16)",
    "ds_swizzle_b32 v0, v1 offset:swizzle(REVERSE, 3)",
    "ds_swizzle_b32 v0, v1 offset:swizzle(OTHER, 1)",
    "v_interp_p1_f32 v0, v1, attr3.w",
    "v_interp_p1_f32 v0, v1, attr64.x",
    "v_interp_p1_f32 v0, v1, attr.x",
    "v_interp_mov_f32 v0, p10, attr0.y",
    "v_interp_mov_f32 v0, p30, attr0.y",
    "exp mrt7 v0, v1, v2, v3 done vm",
    "exp mrt8 v0, v1, v2, v3",
    "exp pos3 off, v1, off, v3 compr",
    "exp param31 v0, v0, v1, v1 compr vm",
    "exp param32 v0, v0, v1, v1",
    "exp null off, off, off, off done",
    "exp invalid_target_10 v0, v1, v2, v3",
    "v_mov_b32 v0, lit(1.5)",
    "v_mov_b32 v0, lit(1.5",
    "v_mov_b32 v0, 'a'",
    "s_mov_b32 s0, '\\n'",
    "s_mov_b32 s0, 1 ? 2",
    "s_mov_b32 s0, 4/0",
    "s_mov_b32 s[0:1], 0x123456789",
    "v_add_f64 v[0:1], v[2:3], 0x40080000",
    "v_add_f64 v[0:1], [v2,v3], [v4,v6]",
    "s_mov_b64 [s0,s1], exec",
    "s_mov_b64 [s1,s0], exec",
    "v_add_f32 v0, s0, s1",
    "v_add_f32 v0, 0x1234, 0x1235",
    "v_fma_f32 v0, s0, 0x1234, v1",
    "v_add_f32_e64 v0, -|v1|, neg(v2) mul:4 clamp",
    "v_add_f32_e64 v0, abs(v1), -v2 div:2",
    "v_add_f32_e64 v0, v1, v2 mul:3",
    "v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0] row_mask:0xa bank_mask:0x5 bound_ctrl:0",
    "v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0x0",
    "v_mov_b32_dpp v0, v1 row_shr:16",
    "v_mov_b32_dpp v0, v1 wave_ror:1",
    "v_mov_b32_dpp v0, v1 row_bcast:15",
    "v_mov_b32_dpp v0, v1 row_bcast:16",
    "v_mov_b32_dpp v0, v1 row_half_mirror bound_ctrl:1",
    "v_mov_b32_sdwa v0, sext(v1) dst_sel:BYTE_3 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1",
    "v_mov_b32_sdwa v0, v1 dst_sel:BYTE_4",
    "v_mov_b32_sdwa v0, v1 dst_unused:UNUSED_NONE",
    "v_cmp_eq_u32_sdwa vcc, v1, v2 src0_sel:BYTE_1 src1_sel:DWORD",
    "v_pk_add_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,1] neg_hi:[0,1]",
    "v_pk_add_f16 v0, v1, v2 op_sel:[1,0,1,1,0]",
    "v_pk_add_f16 v0, v1, v2 op_sel:[2]",
    "buffer_load_dword v0, off, s[4:7], s1 offset:4095 glc slc tfe",
    "buffer_load_dword v0, off, s[4:7], s1 offset:4096",
    "buffer_load_dword v0, v[1:2], s[4:7], 0 idxen offen",
    "buffer_load_dword v0, v[1:2], s[4:7], 0 addr64",
    "buffer_load_dword v0, s[4:7], s1 lds",
    "buffer_load_dword off, s[4:7], s1 lds",
    "tbuffer_load_format_xyzw v[0:3], v4, s[4:7], 0 idxen dfmt:14 nfmt:7",
    "tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]",
    "tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_NUM_FORMAT_FLOAT]",
    "tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_DATA_FORMAT_32,BUF_DATA_FORMAT_8]",
    "tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_DATA_FORMAT_32",
    "tbuffer_load_format_x v0, off, s[4:7], 0 format:200",
    "image_sample v[0:3], v[4:7], s[8:15], s[16:19] dmask:0xf da lwe",
    "image_sample v0, v[4:7], s[8:15], s[16:19] dmask:0x10",
    "image_load v[0:1], v[4:7], s[8:11] dmask:0x3 r128",
    "image_load v[0:1], v[4:7], s[8:15] dmask:0x3 a16 d16",
    "flat_load_dword v0, v[2:3] offset:8 glc",
    "global_load_dword v0, v2, s[4:5] offset:-4096",
    "global_load_dword v0, v[2:3], off offset:4096",
    "s_load_dword s0, s[2:3], 0x100000",
    "s_load_dword s0, s[2:3], s4",
    "s_load_dwordx16 s[0:15], s[2:3], 0xff glc",
    "v_cndmask_b32 v0, v1, v2, s[4:5]",
    "v_div_scale_f32 v0, s[2:3], v1, v2, v3",
    "s_mov_b32 ttmp0, flat_scratch_lo",
    "v_mov_b32 v0, v1, v2, v3, v4, v5, v6, v7, v8, v9",
];

/// Lines of CLRX's dialect.
const CLRX: [&str; 92] = [
    "s_setreg_b32 hwreg(mode, 0, 4), s0",
    "s_setreg_b32 hwreg(@8, 4, 33), s0",
    "s_setreg_b32 hwreg(mode, 40, 1), s0",
    "s_setreg_b32 hwreg(nothing, 0, 1), s0",
    "s_getreg_b32 s0, hwreg(sh_mem_bases, 0, 32)",
    "s_setreg_b32 0x1234, s0",
    "s_setreg_b32 0x12345, s0",
    "s_sendmsg sendmsg(gs, emit, 2)",
    "s_sendmsg sendmsg(gs_done, nop)",
    "s_sendmsg sendmsg(@4, emit, 4)",
    "s_sendmsg sendmsg(@20)",
    "s_sendmsg sendmsg(interrupt)",
    "s_sendmsg sendmsg(early_prim_dealloc)",
    "s_sendmsg 0x12345",
    "s_waitcnt vmcnt(3) & expcnt(1) & lgkmcnt(2)",
    "s_waitcnt vmcnt(99)",
    "s_waitcnt nocnt(1)",
    "v_interp_p1_f32 v0, v1, attr3.w",
    "v_interp_p1_f32 v0, v1, attr64.x",
    "v_interp_p1_f32 v0, v1, attr3.q",
    "exp mrt0, v0, v1, v2, v3 done vm",
    "exp param40, v0, v1, v2, v3",
    "exp mrtz, off, v1, off, v3 compr",
    "v_add_f32 v0, v1, v2 vop3",
    "v_add_f32 v0, v1, v2 vop3:0",
    "v_add_f32 v0, v1, v2 clamp:0 abs:1 neg:[0,1]",
    "v_add_f32 v0, v1, v2 abs:[1,1] neg:3 omod:2",
    "v_add_f32 v0, v1, v2 omod:4",
    "v_add_f32 v0, v1, v2 sdwa",
    "v_add_f32 v0, v1, v2 dpp",
    "v_add_f32 v0, v1, v2 vop3 omod=3",
    "v_add_f32 v0, v1, v2 vop3 nothing=3",
    "v_mov_b32 v0, v1 quad_perm:[3,2,1,0] bank_mask:5 row_mask:10",
    "v_mov_b32 v0, v1 bank_mask:16",
    "v_mov_b32 v0, v1 row_shl:1 bound_ctrl",
    "v_mov_b32 v0, v1 row_ror:16",
    "v_mov_b32 v0, v1 wave_shl",
    "v_mov_b32 v0, v1 wave_rol:1",
    "v_mov_b32 v0, v1 wave_shr:2",
    "v_mov_b32 v0, v1 wave_ror",
    "v_mov_b32 v0, v1 row_mirror",
    "v_mov_b32 v0, v1 row_hmirror bound_ctrl:0",
    "v_mov_b32 v0, v1 row_bcast15",
    "v_mov_b32 v0, v1 row_bcast31",
    "v_mov_b32 v0, v1 dst_sel:b3 dst_un:preserve src0_sel:w1",
    "v_mov_b32 v0, v1 dst_sel:byte_2 dst_unused:unused_sext src0_sel:word0",
    "v_mov_b32 v0, v1 dst_sel:byte4",
    "v_mov_b32 v0, v1 dst_sel:word2 dst_unused:none",
    "v_mov_b32 v0, v1 sext:1 src0_sel:byte0",
    "v_pk_add_f16 v0, v1, v2 op_sel:1 op_sel_hi:[0,1] neg_lo:3 neg_hi:[1,0]",
    "v_pk_add_f16 v0, v1, v2 op_sel:16",
    "tbuffer_load_format_x v0, v1, s[4:7], s1 offen format:[32,float]",
    "tbuffer_load_format_x v0, v1, s[4:7], s1 offen format:[float]",
    "tbuffer_load_format_x v0, v1, s[4:7], s1 offen format:[@4,@7]",
    "tbuffer_load_format_x v0, v1, s[4:7], s1 offen format:[@16,@7]",
    "tbuffer_load_format_x v0, v1, s[4:7], s1 offen format:[@4,@8]",
    "tbuffer_load_format_x v0, v1, s[4:7], s1 offen format:@100",
    "tbuffer_load_format_x v0, v1, s[4:7], s1 offen format:@128",
    "tbuffer_load_format_x v0, v1, s[4:7], s1 offen format:[32,nothing]",
    "tbuffer_load_format_x v0, v1, s[4:7], s1 offen format:[32,16]",
    "buffer_load_dword v0, v1, s[4:7], 1 offen glc slc tfe offset:4095",
    "buffer_load_dword v0, v1, s[4:7], 1 offset:4096",
    "buffer_load_dword v0, v[1:2], s[4:7], s1 addr64 glc:0",
    "image_sample v[0:3], v[4:7], s[8:15], s[16:19] dmask:15 unorm da",
    "image_load v[0:1], v[4:7], s[8:11] dmask:3 r128",
    "ds_swizzle_b32 v0, v1 offset:0x8055",
    "ds_read2_b32 v[0:1], v2 offset0:1 offset1:256",
    "flat_load_dword v0, v[2:3] inst_offset:8 glc",
    "global_load_dword v0, v[2:3], off offset:-8",
    "s_load_dword s0, s[2:3], s4",
    "s_load_dword s0, s[2:3], 0x400",
    "s_mov_b32 s0, lit(4)",
    "v_mov_b32 v0, 1.5s",
    "v_mov_b32 v0, 1.5h",
    "v_mov_b32 v0, 1.5l",
    "v_add_f64 v[0:1], v[2:3], 1.5d",
    "v_mov_b32 v0, 0x1_0000_0000",
    "v_mov_b32 v0, @later",
    "v_mov_b32 v0, $1",
    "v_mov_b32 v0, 'a'",
    "s_mov_b32 s0, 7 <@ 8",
    "v_nothing_b32 v0",
    "v_mov_b32 v300, v0",
    "v_mov_b32 v0, %v1",
    "s_mov_b64 s[1:2], s[4:5]",
    "s_mov_b64 s[4:5:6], exec",
    "s_mov_b64 exec, vcc",
    "s_mov_b32 xnack_mask_lo, 1",
    "s_mov_b32 tma_lo, 1",
    "v_cndmask_b32 v0, v1, v2, s[4:5]",
    "v_readlane_b32 s0, v1, m0",
    "v_add_f32 v0, v1, v2, v3, v4, v5, v6, v7, v8, v9",
];

/// Texts of several lines, of both dialects.
const BOTH: [&str; 44] = [
    ".macro m a:req, a\n.endm",
    ".macro m a:vararg, b\n.endm",
    ".macro m a:odd\n.endm",
    ".macro m 1\n.endm",
    ".macro m a=1, b:req\ns_nop \\a\n.endm\nm\nm 2\nm b=3\nm 1,2,3\nm a=1, a=2",
    ".macro m a, b:vararg\n.long \\a\n.ascii \"\\b\"\n.endm\nm 1, 2, \"x\"\nm \"a b\" c",
    ".altmacro\n.macro m a, b\n.long \\a, \\b\n.endm\nm %1+2, <3>\nm <1!>, %x\nm a=b, 1\n.noaltmacro",
    ".macro m a\n.if \\a\ns_nop \\a\nm \\a-1\n.endif\n.endm\nm 3\nm 300",
    ".macro m\ns_nop \\@\n.exitm\ns_nop 9\n.endm\nm\nm\n.purgem m\nm\n.purgem none",
    ".rept 3\ns_nop 1\n.endr\n.rept -1\ns_nop 2\n.endr\n.rept later\n.endr\n.rept 1/0\n.endr",
    ".irp a, 1, 2, <3 4>\n.long \\a\n.endr\n.irp\n.endr\n.irp 1, 2\n.endr",
    ".irpc a, 12 3\n.byte \\a\n.endr\n.irpc a\n.endr",
    ".if 1\n.if 0\ns_nop 1\n.else\ns_nop 2\n.endif\n.elseif 1\ns_nop 3\n.else\ns_nop 4\n.endif\n.endif",
    ".if later\ns_nop 1\n.else\ns_nop 2\n.endif\nlater = 1",
    ".ifdef x\ns_nop 1\n.endif\nx = 1\n.ifdef x\ns_nop 2\n.endif\n.ifnotdef x\n.else\ns_nop 3\n.endif",
    ".ifc a b, a b\ns_nop 1\n.endif\n.ifnc a,b\ns_nop 2\n.endif\n.ifeqs \"a\", \"a\"\ns_nop 3\n.endif",
    ".ifb\ns_nop 1\n.endif\n.ifnb x\ns_nop 2\n.endif\n.ifge 0\ns_nop 3\n.endif\n.iflt 1\ns_nop 4\n.endif",
    ".byte 1, 256, -129, 'a', x\n.short 70000\n.long 1<<33\n.quad 1<<63, -1\n.octa 5\nx = 3",
    ".ascii \"a\\t\\r\\b\\f\\n\\\\\\\"\\101\\x41\", \"b\"\n.asciz \"c\\q\"\n.string \"d\" \"e\"",
    ".float 1.5, -0, inf, nan, 1e50\n.double 1.5, 1e400\n.single 0x1p3\n.half 1.5",
    ".fill 3, 2, 0x1234\n.fill 2\n.fill -1\n.fill 2, 9, 1\n.skip 4, 7\n.space later\n.zero 3\nlater = 2",
    ".align 3\n.byte 1\n.balign 8, 0xff\n.p2align 2,,3\n.align 16, 1, 2\n.p2align 99\n.balign -4",
    ".org 16\n.byte 1\n.org 8\n.org .+4\n.org later\nlater:",
    "x = 1\nx = x + 1\n.set x, x*2\n.equ x, x-1\n.equiv x, 9\n.equiv y, 9\n.equiv y, 9\n.long x, y",
    "x = y\ny = z\nz = 4\n.long x\na = b\nb = a\n.long a",
    "1:\ns_branch 1b\n1:\ns_branch 1b\ns_branch 1f\ns_branch 2f\n1:\n.long 1b-1b, 1f",
    "a:\ns_nop 0\nb:\n.long b-a, a-b, (b-a)*2, b, a+4, -a, a*2, a-b+c\nc:\na:",
    ".section .data\na: .long 1\n.text\n.long a, a-.\n.section .data\n.long .-a\n.previous\n.popsection",
    ".section .other, \"ax\", @progbits\ns_nop 0\n.pushsection .rodata\n.long 1\n.popsection\ns_nop 1",
    ".rodata\n.long 1\n.text 1\ns_nop 0\n.bss\n.skip 4\n.section\n.section \"odd name\"",
    ".globl a, b\n.global c\n.local d\n.weak a\n.type a, @function\n.type b,@object\n.size a, .-a\na:\nb:",
    ".error \"one\"\n.warning \"two\"\n.print \"three\"\n.err\n.if 0\n.error \"four\"\n.endif\n.warning",
    ".include\n.include \"none\"\n.include \"a\" \"b\"\n.incbin \"none\", 1, 2\n.incbin",
    ".loc 1 2 3\n.file 1 \"a\"\n.ident \"b\"\n.cfi_startproc\n.p2alignl 6, 0xbf800000\n.nothing 1",
    "s_branch a+4\ns_branch a-b\ns_cbranch_scc0 70000\ns_branch .\ns_branch .+8\na:\nb:\ns_call_b64 s[0:1], a",
    "s_nop 0 /* a\nb */ s_nop 1 // c\ns_nop 2 # d\ns_nop 3 ; s_nop 4\n/* open",
    "v_mov_b32 v0, v1 /* a */\nv_mov_b32 /* b */ v0, v1\nv_mov_b32 v0 /* c, v1\ns_nop 0 */ s_nop 1",
    "a: b: s_nop 0\nA: s_nop 1\n.L1: s_nop 2\n$x: s_nop 3\n1a: s_nop 4\nv0: s_nop 5\na.b: s_nop 6",
    ".end\ns_nop 1",
    "s_nop 0\n.endif\n.else\n.endm\n.endr\n.elseif 1\n.ends\n.popsection",
    ".rept 2\n.macro m\n.endm\n.endr\n.macro n\n.rept 2\n.endm\n.endr",
    ".while 0\n.endr\n.for i = 0, i < 2, i + 1\n.byte i\n.endr\n.for i\n.endr\n.for i = 0\n.endr",
    ".scope a\nx = 1\n.ends\n.long a::x\n.scope a\n.long x\n.ends\n.using a\n.long x, none::x, ::y\n.unusing a",
    ".enum > 3, a, b\n.enum c\n.enum\n.enum a\n.long a, b, c\n.regvar r:v:2, s:s, t\nv_mov_b32 r, r[1]",
];

/// All that is asked about a text.
fn said(text: &str, chip: &str, dialect: Dialect) -> String {
    let target = Some(Target::find(chip).expect("a chip"));
    let options = Options { target, dialect, ..Options::default() };
    let program = assemble(text, &options, &|_| None, &source::no_checkpoint);
    let mut out = code(&program) + &diagnostics(&program);
    let view = View::root(&program);
    let all = TextRange::up_to(TextSize::of(text));
    let edits = service::formatting::edits(view, all);
    let _ = writeln!(out, "{:?}", apply_edits(text, &edits));
    let _ = writeln!(out, "{}", converted(view, all));
    let _ = writeln!(out, "{:?}", service::tokens::tokens(view, all));
    let _ = writeln!(out, "{:?}", service::outline::outline(view));
    for statement in &program.expansion.statements {
        let text = program.expansion.text(statement).trim();
        let colon = match statement.kind {
            StatementKind::Label(_) | StatementKind::NumericLabel => ":",
            _ => "",
        };
        let _ = writeln!(out, "{statement:?} {text}{colon}");
    }
    out
}

/// Returns what the services say at each place of a text.
fn places(text: &str, dialect: Dialect) -> String {
    let options = Options { target: Target::find("vega10"), dialect, ..Options::default() };
    let program = assemble(text, &options, &|_| None, &source::no_checkpoint);
    let view = View::root(&program);
    everywhere(text, |at| {
        let at = TextSize::new(at as u32);
        let completed = service::completion::complete(view, at);
        (
            service::signature::signature(view, at),
            service::highlight::highlights(view, at),
            service::rename::rename(view, at, "other"),
            completed.map(|it| it.items.len()),
        )
    })
}

#[test]
fn lines_at_the_corners_of_a_dialect() {
    let mut records = table("corners.tsv");
    for (dialect, lines) in [(Dialect::Llvm, &LLVM[..]), (Dialect::Clrx, &CLRX[..])] {
        for line in lines {
            let text = format!("a:\n{line}\ns_nop 0\nlater = 4\n");
            let mut all: String = CHIPS.iter().map(|chip| said(&text, chip, dialect)).collect();
            all += &places(&text, dialect);
            records.add(line, dialect.name(), &all);
        }
    }
    for (number, text) in BOTH.iter().enumerate() {
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            let all = said(text, "fiji", dialect) + &places(text, dialect);
            records.add(&format!("text {number}"), dialect.name(), &all);
        }
    }
    records.check();
}

#[test]
fn words_of_the_tables_and_their_pages() {
    let mut records = table("pages.tsv");
    let mut pages = String::new();
    for list in ["gcn-mnemonic", "gcn-directive", "gcn-word", "nothing"] {
        let names = mnemonics::all().iter().step_by(5).map(|it| it.name);
        let names = names.chain(describe::directives().iter().map(|it| it.name));
        for name in names.chain(["glc", "offset", "vmcnt", "row_shl", "nothing"]) {
            let _ = writeln!(pages, "{list} {name} {:?}", service::completion::page(list, name));
        }
    }
    records.add("pages", "said", &pages);
    records.add("directives", "said", &describe::directive_reference());
    let groups = UnitGroup::ALL.map(|it| (it.name(), Bound::Unit(it).name()));
    records.add("groups", "said", &format!("{groups:?} {}", Bound::Waves.name()));
    let mut limits = String::new();
    for target in Target::all() {
        for number in 0..64_u32 {
            let usage = Usage {
                vgprs: number * 5 % 270,
                agprs: 0,
                sgprs: number * 7 % 110,
                lds: number * number * 31 % 70_000,
                waves_per_group: 1 + number % 17,
                interpolants: number % 40,
            };
            let found = occupancy::occupancy(usage, target);
            let _ = writeln!(limits, "{} {found:?} {}", target.name(), found.limiter.name());
        }
        let _ = writeln!(limits, "{:?}", occupancy::ladder(target).collect::<Vec<_>>());
    }
    records.add("limits", "said", &limits);
    records.check();
}

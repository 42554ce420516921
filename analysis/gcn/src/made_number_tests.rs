//! Numbers at the limits of every modifier and of every type of operand, pinned by checksums.

use std::fmt::Write as _;

use crate::Target;
use crate::assembler::Dialect;
use crate::instruction::{InstructionSet, NoSymbols, assemble_line};
use crate::recorded_tests::table;

const CHIPS: [&str; 4] = ["tahiti", "bonaire", "fiji", "vega10"];

/// Instructions that take modifiers, without any.
const LINES: [&str; 18] = [
    "v_add_f32_e64 v0, v1, v2",
    "v_add_f16_e64 v0, v1, v2",
    "v_mad_f32 v0, v1, v2, v3",
    "v_pk_add_f16 v0, v1, v2",
    "v_pk_fma_f16 v0, v1, v2, v3",
    "v_mad_mix_f32 v0, v1, v2, v3",
    "v_add_f32_sdwa v0, v1, v2",
    "v_mov_b32_dpp v0, v1",
    "ds_read_b32 v0, v1",
    "ds_read2_b32 v[0:1], v2",
    "ds_swizzle_b32 v0, v1",
    "buffer_load_dword v0, v1, s[4:7], s1",
    "tbuffer_load_format_x v0, v1, s[4:7], s1",
    "image_sample v[0:3], v[4:5], s[8:15], s[4:7]",
    "flat_load_dword v0, v[1:2]",
    "global_load_dword v0, v[1:2], off",
    "scratch_load_dword v0, v1, off",
    "s_load_dword s0, s[2:3], 0x10",
];

/// The modifiers that have numbers.
const KEYS: [&str; 26] = [
    "offset",
    "offset0",
    "offset1",
    "dmask",
    "omod",
    "mul",
    "div",
    "op_sel",
    "op_sel_hi",
    "neg_lo",
    "neg_hi",
    "abs",
    "neg",
    "row_mask",
    "bank_mask",
    "bound_ctrl",
    "row_shl",
    "row_shr",
    "row_ror",
    "row_bcast",
    "wave_shl",
    "quad_perm",
    "dfmt",
    "nfmt",
    "inst_offset",
    "clamp",
];

const VALUES: [&str; 24] = [
    "-4097", "-4096", "-1", "0", "1", "2", "3", "4", "7", "8", "14", "15", "16", "31", "63", "64",
    "127", "128", "255", "256", "4095", "4096", "65535", "65536",
];

#[test]
fn numbers_of_modifiers() {
    let mut records = table("made_numbers.tsv");
    for chip in CHIPS {
        let target = Target::find(chip).expect("a chip");
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            let set = InstructionSet::in_dialect(target, dialect);
            for key in KEYS {
                let mut said = String::new();
                for (line, value) in LINES.iter().flat_map(|line| VALUES.map(|it| (line, it))) {
                    let line = format!("{line} {key}:{value}");
                    let read = assemble_line(&line, set, &NoSymbols);
                    let read = read.map(|it| it.words().to_vec());
                    let _ = writeln!(said, "{line} {read:x?}");
                }
                records.add(&format!("{chip} {}", dialect.name()), key, &said);
            }
        }
    }
    records.check();
}

/// Instructions with a number in place of `#`.
const TYPES: [&str; 20] = [
    "v_add_f32 v0, #, v1",
    "v_add_f32_e64 v0, v1, #",
    "v_mul_f16 v0, #, v1",
    "v_add_f64 v[0:1], v[2:3], #",
    "v_rcp_f64 v[0:1], #",
    "v_cmp_lt_f64 vcc, #, v[2:3]",
    "v_pk_add_f16 v0, v1, #",
    "v_pk_add_u16 v0, v1, #",
    "v_and_b32 v0, #, v1",
    "v_lshlrev_b64 v[0:1], 3, #",
    "v_madak_f32 v0, v1, v2, #",
    "v_mul_i32_i24 v0, #, v1",
    "v_add_u16 v0, #, v1",
    "s_mov_b32 s0, #",
    "s_mov_b64 s[0:1], #",
    "s_movk_i32 s0, #",
    "s_add_u32 s0, s1, #",
    "s_load_dword s0, s[2:3], #",
    "s_nop #",
    "s_cbranch_scc0 #",
];

const NUMBERS: [&str; 44] = [
    "0",
    "1",
    "64",
    "65",
    "-16",
    "-17",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "1048575",
    "1048576",
    "-1048577",
    "0x7fffffff",
    "0x80000000",
    "0xffffffff",
    "0x100000000",
    "0x3ff0000000000000",
    "0xffffffffffffffff",
    "-0x80000000",
    "0b101",
    "017",
    "0.0",
    "-0.0",
    "0.5",
    "-4.0",
    "1.0",
    "2.5",
    "0.1",
    "0.15915494",
    "0.15915493667125702",
    "65504.0",
    "65520.0",
    "1e-8",
    "6e-8",
    "1e38",
    "1e39",
    "1e-46",
    "1e-310",
    "1e308",
    "1e309",
    "1.5h",
];

#[test]
fn numbers_of_operands() {
    let mut records = table("made_constants.tsv");
    for chip in CHIPS {
        let target = Target::find(chip).expect("a chip");
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            let set = InstructionSet::in_dialect(target, dialect);
            for line in TYPES {
                let mut said = String::new();
                for number in NUMBERS {
                    let line = line.replace('#', number);
                    let read = assemble_line(&line, set, &NoSymbols);
                    let read = read.map(|it| it.words().to_vec());
                    let _ = writeln!(said, "{line} {read:x?}");
                }
                let name = line.split(' ').next().unwrap_or_default();
                records.add(&format!("{chip} {}", dialect.name()), name, &said);
            }
        }
    }
    records.check();
}

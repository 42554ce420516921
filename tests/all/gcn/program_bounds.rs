//! Bad programs: no panic, an end, diagnostics within the text; time grows with
//! length alone.

use std::path::Path;
use std::time::Duration;

use gcn::assembler::Dialect;
use proptest::prelude::*;
use tests::checks::answers::damaged_documents_are_answered;
use tests::checks::assembly_damage::{check, damaged_kernels_are_assembled, read};
use tests::checks::objects::{damaged_bundles_are_read, damaged_objects_are_listed};
use tests::corpus;
use tests::measure::Stopwatch;

/// The texts that are damaged.
fn texts() -> Vec<String> {
    let own = corpus::gcn_programs().into_iter().map(|kernel| kernel.text());
    BUILT_IN.map(str::to_owned).into_iter().chain(own).collect()
}

#[test]
fn damaged_own_kernels_are_assembled() {
    damaged_kernels_are_assembled(texts(), Dialect::Llvm, SECONDS);
}

#[test]
fn damaged_own_kernels_of_clrx_are_assembled() {
    damaged_kernels_are_assembled(corpus::clrx_texts(), Dialect::Clrx, SECONDS);
}

#[test]
fn damaged_own_objects_are_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gcn/object");
    damaged_objects_are_listed(&folder, SECONDS);
}

#[test]
fn damaged_bundles_of_own_objects_are_read() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gcn");
    damaged_bundles_are_read(&data.join("object"), &data.join("bundle"), SECONDS);
}

#[test]
fn damaged_documents_of_both_languages_are_answered() {
    let tgsi = corpus::tgsi_programs().into_iter().map(|program| program.text).collect();
    let gcn = texts().into_iter().chain(corpus::clrx_texts()).collect();
    damaged_documents_are_answered(tgsi, gcn, SECONDS);
}

/// Lines that lead to every part: encoder, labels, data, descriptors.
const LINES: [&str; 40] = [
    "v_mov_b32 v0, v1",
    "v_add_f32_e32 v0, v1, s2",
    "v_add_f32_e64 v0, s1, s2",
    "v_mad_f32 v[x], v1, v2, v3",
    "s_mov_b32 s0, x",
    "s_mov_b32 s0, a-b",
    "s_branch a",
    "s_branch 1b",
    "s_branch 1f",
    "s_cbranch_scc1 .",
    "image_load v[0:3], v[0:1], s[0:7] dmask:0xf",
    "buffer_load_dword v0, off, s[0:3], 0 offset:5000",
    "s_waitcnt vmcnt(0) & lgkmcnt(x)",
    "a:",
    "b:",
    "1:",
    "x = 3",
    "x = a - b",
    ".set y, x + y",
    ".long a, b - a, x, 1 << 70",
    ".quad -1",
    ".byte 1, 2, \"",
    ".ascii \"a\\x41\\777\\",
    ".asciz \"a\", \"b\"",
    ".float 1.5, nan",
    ".fill 3, 2, 5",
    ".fill 1 << 60, 8, 5",
    ".space 1 << 40",
    ".space -1",
    ".p2align 8",
    ".p2align 31",
    ".align 0",
    ".org 64",
    ".section .rodata",
    ".text",
    ".amdhsa_kernel a",
    ".amdhsa_next_free_vgpr 1",
    ".end_amdhsa_kernel",
    ".amd_kernel_code_t",
    ".end_amd_kernel_code_t",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_lines_are_assembled(lines in prop::collection::vec(prop::sample::select(&LINES[..]), 0..30)) {
        // Sections with room for a terabyte are not written.
        let text = lines.join("\n");
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            let program = read(&text, dialect);
            check(&text, &program);
            if !text.contains("<<") && !text.contains(".p2align 31") {
                for section in 0..program.expansion.sections.len() as u32 {
                    let _ = program.image(section);
                }
            }
        }
    }

    #[test]
    fn any_text_is_assembled(text in "[a-z0-9_.:,;\\[\\]()\"'\\\\ \n+*/#-]{0,200}") {
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            check(&text, &read(&text, dialect));
        }
    }
}

/// The time of the search for faults on damaged texts, in seconds; `TUNGSTEN_FUZZ_SECONDS`
/// makes it longer.
const SECONDS: f64 = 4.0;

/// Kernels that are there on every machine: code of our own with what the
/// assembler has.
const BUILT_IN: [&str; 2] = [
    ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n.macro step to, from:req, by=1\n\
     v_add_f32 \\to, \\from, \\to // sum\n.if \\by > 1\n step \\to, \\from, (\\by-1)\n.endif\n.endm\n\
     .set width, 4\n.rept 3\n s_add_u32 s0, s0, width\n.endr\n.irp r, 1, 2, 3\n step v\\r, v0, \\r\n.endr\n\
     loop:\n buffer_load_dword v1, v0, s[4:7], 0 offen offset:16\n s_waitcnt vmcnt(0) & lgkmcnt(0)\n\
     image_sample v[0:3], v[0:1], s[8:15], s[16:19] dmask:0xf unorm\n s_cbranch_scc1 loop\n\
     1: v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf\n s_branch 1b\n s_endpgm\n\
     .p2align 8\n.long loop - ., width, 0x12345678\n.asciz \"a\\n\\x41\"\n",
    ".text\nmain:\n/* long\n   comment */ s_load_dwordx4 s[0:3], s[4:5], 0x0\n\
     v_cmp_lt_f32 vcc, v0, |v1|\n v_cndmask_b32 v2, -v0, v1, vcc\n ds_read_b64 v[2:3], v4 offset:8\n\
     exp mrt0 v0, v1, off, off compr vm done\n v_mad_f32 v0, s0, v1, 1.0 clamp mul:2\n\
     .amdhsa_kernel main\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n",
];

#[test]
fn time_grows_with_length_alone() {
    let time = |count: usize| {
        // Every line wrong, every jump to the last label, and a call with a mistake.
        let text = ".macro m a\n v_mov_b33 v[\\a], 0\n.endm\n".to_owned()
            + &" v_mov_b32 s0, 0\n s_branch end\n m 3\n .long end - ., 1\n".repeat(count)
            + "end:\n";
        let start = Stopwatch::start();
        let program = read(&text, Dialect::Llvm);
        assert!(!program.diagnostics.is_empty());
        start.elapsed()
    };
    let (short, long) = (time(500), time(5_000));
    eprintln!("{short:?} {long:?}");
    assert!(long < short * 40 + Duration::from_millis(300), "{short:?} {long:?}");
}

//! Programs, assembled: words, places, kernels and diagnostics.

use std::ops::Range;

use expect_test::{Expect, expect};
use source::{Severity, TextSize};

use super::{Options, Program, assemble};
use crate::Target;
use crate::assembler::Dialect;

fn read(text: &str) -> Program {
    let options = Options { target: Target::find("gfx803"), ..Options::of(text, "") };
    assemble(text, &options, &|_| None, &source::no_checkpoint)
}

/// Each instruction with its place and words, each kernel, each diagnostic.
fn shown(text: &str) -> String {
    use std::fmt::Write as _;
    let program = read(text);
    let mut shown = String::new();
    for instruction in &program.instructions {
        let words = match &instruction.assembled {
            Some(assembled) => format!("{:08x?}", assembled.words()),
            None => "-".to_owned(),
        };
        let text = program.text(instruction);
        writeln!(shown, "{}+{:x} {words} {text}", instruction.section, instruction.offset).unwrap();
    }
    for kernel in &program.kernels {
        writeln!(shown, "kernel {:?} {:?}", kernel.name, kernel.instructions).unwrap();
    }
    for diagnostic in &program.diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let at = &text[diagnostic.range];
        writeln!(shown, "{severity} {} at `{at}`: {}", diagnostic.code.0, diagnostic.message)
            .unwrap();
    }
    shown
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&shown(text));
}

#[test]
fn jumps_go_to_labels() {
    let text = "start:\n s_nop 0\n1: s_cbranch_scc1 end\n s_branch 1b\n s_branch start\n s_branch .\nend: s_endpgm\n";
    check(
        text,
        &expect![[r#"
        0+0 [bf800000] s_nop 0
        0+4 [bf850003] s_cbranch_scc1 end
        0+8 [bf82fffe] s_branch 1b
        0+c [bf82fffc] s_branch start
        0+10 [bf82ffff] s_branch .
        0+14 [bf810000] s_endpgm
        kernel "" 0..6
    "#]],
    );
}

#[test]
fn literals_take_later_values_and_distances() {
    let text = "a:\n s_mov_b32 s0, later\n s_add_u32 s1, s2, b-a\nb:\n s_mov_b32 s0, nowhere\n s_branch nowhere\n.set later, 0x12345678\n";
    check(
        text,
        &expect![[r#"
        0+0 [be8000ff, 12345678] s_mov_b32 s0, later
        0+8 [8001ff02, 00000010] s_add_u32 s1, s2, b-a
        0+10 [be8000ff, 00000000] s_mov_b32 s0, nowhere
        0+18 [bf820000] s_branch nowhere
        kernel "" 0..4
        hint gcn::undefined-symbol at `nowhere`: `nowhere` is not defined in this text
        warning gcn::undefined-symbol at `nowhere`: `nowhere` is not defined in this text
    "#]],
    );
}

#[test]
fn errors_in_macros_are_shown_at_the_call() {
    let text =
        ".macro twice r\n v_mov_b32 \\r, 0\n v_mov_b33 \\r, 0\n.endm\n twice v1\n twice s2\n";
    check(
        text,
        &expect![[r#"
            0+0 [7e020280] v_mov_b32 v1, 0
            0+4 - v_mov_b33 v1, 0
            0+0 - v_mov_b32 s2, 0
            0+0 - v_mov_b33 s2, 0
            kernel "" 0..4
            error gcn::unknown-mnemonic at `twice v1`: no instruction is called `v_mov_b33` (in macro `twice`, line 3); did you mean `v_mov_b32`?
            error gcn::operand at `twice s2`: `v_mov_b32` takes one vector register here (in macro `twice`, line 6)
        "#]],
    );
}

#[test]
fn another_type_is_no_slip() {
    let found = |line: &str| {
        let options = Options { target: Target::find("gfx900"), ..Options::of(line, "") };
        let program = assemble(line, &options, &|_| None, &source::no_checkpoint);
        program.diagnostics.iter().map(|it| it.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        found("v_lshl_or_u64 v[0:1], v[2:3], 2, s[2:3]\n"),
        ["no instruction is called `v_lshl_or_u64`"]
    );
    let typo = found("v_lshl_ad_u32 v0, v1, 2, v3\n");
    assert_eq!(typo, ["no instruction is called `v_lshl_ad_u32`; did you mean `v_lshl_add_u32`?"]);
}

#[test]
fn what_is_not_known_gives_no_error() {
    let text =
        ".include \"missing.inc\"\n unknown_macro v0\n v_mov_b32 v[count], 0\n v_mov_b32 s0, 0\n";
    check(
        text,
        &expect![[r#"
        0+0 - unknown_macro v0
        0+0 - v_mov_b32 v[count], 0
        0+0 - v_mov_b32 s0, 0
        kernel "" 0..3
        warning gcn::include at `"missing.inc"`: `missing.inc` was not found: what it defines is not known
        hint gcn::unknown-mnemonic at `unknown_macro`: no instruction is called `unknown_macro`
        hint gcn::syntax at `count`: this must be a number that is known here
        error gcn::operand at `s0`: `v_mov_b32` takes one vector register here
    "#]],
    );
    let text = ".if count > 1\n v_mov_b32 s0, 0\n.endif\n v_mov_b32 s1, 0\n";
    check(
        text,
        &expect![[r#"
            0+0 - v_mov_b32 s0, 0
            0+0 - v_mov_b32 s1, 0
            kernel "" 0..2
            warning gcn::undefined-symbol at `count > 1`: `count` is not defined in this text, so this condition is not evaluated; a command line or another file may define it
            hint gcn::operand at `s0`: `v_mov_b32` takes one vector register here
            error gcn::operand at `s1`: `v_mov_b32` takes one vector register here
        "#]],
    );
}

#[test]
fn descriptors_and_functions_begin_kernels() {
    let text = "\
s_nop 7
.type helper,@function
helper:
 s_setpc_b64 s[30:31]
main:
 s_nop 0
loop:
 s_endpgm
.section .rodata
.amdhsa_kernel main
 .amdhsa_next_free_vgpr 4
 .amdhsa_next_free_sgpr 4
.end_amdhsa_kernel
";
    check(
        text,
        &expect![[r#"
        0+0 [bf800007] s_nop 7
        0+4 [be801d1e] s_setpc_b64 s[30:31]
        0+8 [bf800000] s_nop 0
        0+c [bf810000] s_endpgm
        kernel "" 0..1
        kernel "helper" 1..2
        kernel "main" 2..4
    "#]],
    );
}

#[test]
fn places_lead_to_instructions() {
    let text = ".macro two\n s_nop 1\n s_nop 2\n.endm\n s_nop 0\n two\n s_nop 3\n";
    let program = read(text);
    let at = |part: &str| TextSize::new(u32::try_from(text.find(part).unwrap()).unwrap());
    assert_eq!(program.instruction_at(at("s_nop 0")), Some(0));
    let call = at(" two\n s_nop 3") + TextSize::new(1);
    assert_eq!(program.instruction_at(call), Some(1));
    let range = source::TextRange::new(call, call + TextSize::new(3));
    assert_eq!(program.instructions_in(range).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(program.instruction_at(at("s_nop 3")), Some(3));
    assert!(program.is_written(&program.instructions[0]));
    assert!(!program.is_written(&program.instructions[1]));
}

#[test]
fn a_name_without_a_value_is_messages_of_once() {
    let text = ".if given == 1\n s_nop 0\n.endif\n.if given == 2\n s_nop 1\n.endif\n.if other\n.endif\n s_endpgm\n";
    let program = read(text);
    let messages: Vec<&str> = program.diagnostics.iter().map(|it| &*it.message).collect();
    assert_eq!(messages.len(), 2, "{messages:#?}");
    assert!(
        messages[0].starts_with("`given`") && messages[1].starts_with("`other`"),
        "{messages:#?}"
    );
}

#[test]
fn data_that_does_not_fit_is_messages() {
    let text = ".set big, 300\n.byte -128, 255, later\n.byte 1, big\n.byte 256, (200 + 100)\n\
                .short 65535, 65536\n.long -0x80000000, 0x1ffffffff\n.quad -1\n.set later, 300\n";
    check(
        text,
        &expect![[r#"
        error gcn::range at `big`: 300 does not fit into the 8 bits of `.byte`
        error gcn::range at `256`: 256 does not fit into the 8 bits of `.byte`
        error gcn::range at `(200 + 100)`: 300 does not fit into the 8 bits of `.byte`
        error gcn::range at `65536`: 65536 does not fit into the 16 bits of `.short`
        error gcn::range at `0x1ffffffff`: 8589934591 does not fit into the 32 bits of `.long`
    "#]],
    );
}

#[test]
fn code_for_an_assumed_chip_says_which_chips_have_a_line() {
    let text = "v_add_u32 v0, vcc, v1, v2\nv_mov_b32 v1, v2\nglobal_load_dword v1, v[2:3], off\n";
    let shown_of = |text: &str| {
        let program = assemble(text, &Options::of(text, ""), &|_| None, &source::no_checkpoint);
        let found = program.diagnostics.iter();
        let found: Vec<_> = found.map(|it| format!("{:?}: {}", it.severity, it.message)).collect();
        found.join("\n")
    };
    expect![[r#"
        Error: `global_load_dword` needs gfx900 or later; the target is gfx803 (it is right on gfx9; the target is a guess, since nothing here names one)"#]]
    .assert_eq(&shown_of(text));
    let named = format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n{text}");
    expect!["Error: `global_load_dword` needs gfx900 or later; the target is gfx803"]
        .assert_eq(&shown_of(&named));
}

#[test]
fn a_line_that_no_chip_has_is_told_behind_many_of_other_chips() {
    let gfx8 = "v_add_u32 v0, vcc, v1, v2\n".repeat(301);
    let gfx9 = "global_load_dword v1, v[2:3], off\n".repeat(300);
    let text = format!("{gfx8}{gfx9}v_mov_b32 v1\nv_mvo_b32 v1, v2\n");
    let program = assemble(&text, &Options::of(&text, ""), &|_| None, &source::no_checkpoint);
    let found: Vec<_> = program.diagnostics.iter().map(|it| &*it.message).collect();
    expect![[r#"
        `global_load_dword` needs gfx900 or later; the target is gfx803 (it is right on gfx9, as are 299 more lines; the target is a guess, since nothing here names one)
        `v_mov_b32` also needs one vector register
        no instruction is called `v_mvo_b32`; did you mean `v_mov_b32`?"#]]
    .assert_eq(&found.join("\n"));
}

#[test]
fn a_former_name_of_a_chip_is_told() {
    let told = |chip: &str| {
        let text = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{chip}\"\nbuffer_inv sc1\n");
        let options = Options::of(&text, "");
        let found = assemble(&text, &options, &|_| None, &source::no_checkpoint);
        let one = |it: &source::Diagnostic| (it.severity, it.code.0, it.message.clone());
        found.diagnostics.iter().map(one).collect::<Vec<_>>()
    };
    let message = "gfx940 is gfx942 today: LLVM after version 19 knows no gfx940, and the code is \
                   the same";
    assert_eq!(told("gfx940"), [(Severity::Hint, "gcn::target-id", message.to_owned())]);
    assert_eq!(told("gfx941").len(), 1);
    assert_eq!(told("gfx942"), []);
}

#[test]
fn for_a_chip_that_is_not_supported_no_instruction_is_judged() {
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n.if .amdgcn.gfx_generation_number == 11\n\
                k: s_load_b128 s[4:7], s[0:1], 0x0\n v_mov_b32 v0, v1\n.else\n.error \"no\"\n.endif\n\
                .amdhsa_kernel k\n.amdhsa_wavefront_size32 1\n.amdhsa_next_free_vgpr 4\n.end_amdhsa_kernel\n";
    let options = Options::of(text, "");
    let found = assemble(text, &options, &|_| None, &source::no_checkpoint);
    assert_eq!(found.unsupported.as_ref().map(|it| it.name()), Some("gfx1100"));
    assert!(found.instructions.iter().all(|it| it.assembled.is_none()));
    assert_eq!(found.instructions.len(), 2);
    let told: Vec<_> = found.diagnostics.iter().map(|it| (it.severity, it.code.0)).collect();
    assert_eq!(told, [(Severity::Warning, "gcn::unknown-target")]);
    // The user's own word wins.
    let target = Target::find("gfx900");
    let asked = Options { target, ..options };
    let found = assemble(text, &asked, &|_| None, &source::no_checkpoint);
    assert_eq!((found.unsupported, found.target), (None, target.unwrap()));
    // A file's name says it where the text does not, and the metadata where no directive does.
    for (text, name, range) in [
        ("s_endpgm\n", "gemm_gfx1201.s", 0..0),
        (
            ".amdgpu_metadata\namdhsa.target: amdgcn-amd-amdhsa--gfx1201\n.end_amdgpu_metadata\n",
            "",
            17..58,
        ),
    ] {
        let found = assemble(text, &Options::of(text, name), &|_| None, &source::no_checkpoint);
        let told: Vec<Range<usize>> = found.diagnostics.iter().map(|it| it.range.into()).collect();
        assert_eq!(told, [range], "{:?}", found.diagnostics);
    }
}

#[test]
fn errors_under_a_condition_of_the_command_line_are_hints() {
    let severity = |condition: &str| {
        let text = format!("{condition}\n v_mov_b32 v0\n.endif\n");
        let target = Target::find("gfx803");
        let options = Options { target, dialect: Dialect::Clrx, ..Options::default() };
        let found = assemble(&text, &options, &|_| None, &source::no_checkpoint).diagnostics;
        found.iter().map(|it| it.severity).collect::<Vec<_>>()
    };
    assert_eq!(severity(".ifarch GCN1.2"), [Severity::Error]);
    for condition in [".iffmt raw", ".ifnfmt raw", ".iffmt amd"] {
        assert_eq!(severity(condition), [Severity::Hint], "{condition}");
    }
}

/// Lines of other chips are told once, and take no room of others.
#[test]
fn lines_of_other_chips_are_counted_beside_as_many_errors_as_are_kept() {
    let own = " v_add_u32 v0, vcc, v1, v2\n".repeat(2000);
    let wrong = " v_mov_b32 v0, 1, 2, 3\n".repeat(source::MAX_DIAGNOSTICS - 10);
    let others = " v_add_co_u32 v0, vcc, v1, v2\n".repeat(60);
    let text = format!("{own}{wrong}{others}");
    let found = assemble(&text, &Options::of(&text, ""), &|_| None, &source::no_checkpoint);
    let told: Vec<&str> = found.diagnostics.iter().map(|it| &*it.message).collect();
    assert_eq!(told.len(), source::MAX_DIAGNOSTICS - 9);
    assert!(told.last().is_some_and(|it| it.contains("as are 59 more lines")), "{:?}", told.last());
}

/// Places are counted in 32 bits, and from 0 again where these do not suffice.
#[test]
fn places_beyond_4_gib_are_not_known() {
    let text = " s_nop 0\n .space 0xfffffff0\n s_nop 0\na:\n .space 0x10\nb:\n v_mov_b32 v0, b-a\n";
    let program = read(text);
    let offsets: Vec<u32> = program.instructions.iter().map(|it| it.offset).collect();
    assert_eq!(offsets, [0, 0xffff_fff4, 0]);
    // A distance over that end is none, and no error either.
    let words = program.instructions[2].assembled.map(|it| it.words().to_vec());
    assert_eq!(words, Some(vec![0x7e00_02ff, 0]));
    let told: Vec<_> = program.diagnostics.iter().map(|it| (it.severity, &it.message)).collect();
    assert!(!told.iter().any(|it| it.0 == Severity::Error), "{told:?}");
}

/// llvm-mc 19 and clrxasm judge so.
#[test]
fn a_label_takes_a_name_that_may_be_set_again_and_keeps_it() {
    let text = "x = 3\n s_movk_i32 s0, x\nx:\n s_branch x\nlater = y\nlater:\n s_branch later\n\
                x = 4\nx:\n.equiv once, 5\nonce:\n.equiv open, y\nopen:\n";
    check(
        text,
        &expect![[r#"
        0+0 [b0000003] s_movk_i32 s0, x
        0+4 [bf82ffff] s_branch x
        0+8 [bf82ffff] s_branch later
        kernel "" 0..3
        error gcn::redefinition at `x`: `x` is already defined
        error gcn::redefinition at `x`: `x` is already defined
        error gcn::redefinition at `once`: `once` is already defined
        error gcn::redefinition at `open`: `open` is already defined
    "#]],
    );
}

//! Texts written in the other dialect, or the reason why they are not.

use gcn::assembler::Dialect;
use gcn::convert::convert;
use gcn::program::{Options, Program, assemble};
use gcn::service::View;
use source::{TextRange, TextSize};

fn program(text: &str, dialect: Dialect) -> Program {
    let options = Options { dialect, ..Options::default() };
    assemble(text, &options, &|_| None, &source::no_checkpoint)
}

fn converted(text: &str, from: Dialect) -> Result<String, String> {
    let program = program(text, from);
    let whole = TextRange::up_to(TextSize::of(text));
    let conversion = convert(View::root(&program), whole);
    match conversion.refused.first() {
        None => Ok(conversion.applied(text)),
        Some(refusal) => Err(format!("{}: {}", &text[refusal.range], refusal.reason)),
    }
}

#[test]
fn a_whole_text_keeps_names_labels_and_comments() {
    let llvm = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n\
        size = 4 // bytes\n\
        /* a kernel */\n\
        main:\n\
        \ts_getreg_b32 s0, hwreg(HW_REG_MODE) ; all of it\n\
        \ts_waitcnt vmcnt(0), lgkmcnt(0)\n\
        again: v_mov_b32_e32 v0, size\n\
        \texp mrt0 v0, v0, v0, v0 done vm\n\
        \tv_cmp_ne_u32_e32 vcc, v0, v1\n\
        \ts_cbranch_vccnz again\n\
        \ts_endpgm\n\
        .long 1, size, main-again\n";
    let clrx = converted(llvm, Dialect::Llvm).expect("a form in CLRX");
    for line in [
        ".gpu fiji",
        "size = 4 # bytes",
        "/* a kernel */",
        "\ts_getreg_b32 s0, hwreg(MODE, 0, 32) # all of it",
        "\ts_waitcnt vmcnt(0) & lgkmcnt(0)",
        "again: v_mov_b32_e32 v0, size",
        "\texp mrt0, v0, v0, v0, v0 done vm",
        "\ts_cbranch_vccnz again",
    ] {
        assert!(clrx.lines().any(|it| it == line), "{line} in\n{clrx}");
    }
    let bytes = |text: &str, dialect| {
        let program = program(text, dialect);
        assert_eq!(program.target.row().processor, "gfx803", "{text}");
        (0..program.expansion.sections.len() as u32)
            .map(|section| program.image(section).bytes)
            .filter(|it| !it.is_empty())
            .collect::<Vec<_>>()
    };
    assert_eq!(bytes(&clrx, Dialect::Clrx), bytes(llvm, Dialect::Llvm));
    let back = converted(&clrx, Dialect::Clrx).expect("a form in LLVM's");
    assert_eq!(bytes(&back, Dialect::Llvm), bytes(llvm, Dialect::Llvm));
}

/// The bytes of the sections that have any.
fn sections(program: &Program) -> Vec<Vec<u8>> {
    let sections = 0..program.expansion.sections.len() as u32;
    sections.map(|section| program.image(section).bytes).filter(|it| !it.is_empty()).collect()
}

const COMPILED: &str = "\
\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"
\t.amdhsa_code_object_version 5
\t.text
\t.protected\tadd ; -- Begin function add
\t.globl\tadd
\t.p2align\t8
\t.type\tadd,@function
add: ; @add
; %bb.0:
\ts_load_dwordx2 s[0:1], s[4:5], 0x0
\tv_xor_b32_e32 v1, 0xfc, v0
\ts_waitcnt lgkmcnt(0)
\ts_endpgm
\t.section\t.rodata,\"a\",@progbits
\t.p2align\t6, 0x0
\t.amdhsa_kernel add
\t\t.amdhsa_group_segment_fixed_size 16 ; shared
\t\t.amdhsa_next_free_vgpr 2
\t\t.amdhsa_next_free_sgpr 6
\t.end_amdhsa_kernel
\t.text
.Lend:
\t.size\tadd, .Lend-add
\t.section\t.strings,\"aMS\",@progbits,1
\t.asciz\t\"a\\tb\"
\t.uleb128 300
\t.ident\t\"a compiler\"
\t.section\t\".note.GNU-stack\",\"\",@progbits
\t.addrsig
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .name: add
...
\t.end_amdgpu_metadata
";

#[test]
fn what_a_compiler_wrote_keeps_its_code_data_and_descriptors() {
    let clrx = converted(COMPILED, Dialect::Llvm).expect("a form in CLRX");
    for line in [
        "\t.gpu gfx900",
        "\t# .amdhsa_code_object_version 5",
        "\t# .protected add # -- Begin function add",
        "\t.section .rodata,\"a\",@progbits",
        "\tadd.kd: # .amdhsa_kernel add",
        "\t\t# .amdhsa_group_segment_fixed_size 16 ; shared",
        "\tv_xor_b32 v1, 0xfc, v0",
        "\t.section .strings,\"a\",@progbits",
        "\t.byte 0x61, 0x09, 0x62, 0x00",
        "\t.byte 0xac, 0x02",
        "  # - .name: add",
    ] {
        assert!(clrx.lines().any(|it| it == line), "{line} in\n{clrx}");
    }
    let entry = ".int 0x10, 0x0, 0x0, 0x0; .quad add-add.kd; .int ";
    assert!(clrx.contains(entry), "{clrx}");
    let (before, after) = (program(COMPILED, Dialect::Llvm), program(&clrx, Dialect::Clrx));
    assert_eq!(sections(&before), sections(&after));
    assert_eq!(sections(&before).iter().map(Vec::len).collect::<Vec<_>>(), [24, 64, 6]);
    assert!(after.diagnostics.iter().all(|it| it.severity > source::Severity::Warning));
}

/// The own programs in LLVM's dialect are written in CLRX's with the same bytes, or a line
/// stands in the way.
#[test]
fn own_programs_are_converted_or_say_which_line_stands_in_the_way() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gcn/llvm");
    let (mut written, mut refused) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|it| it != "s") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let options = Options { dialect: Dialect::Llvm, ..Options::of(&text, &name) };
        let before = assemble(&text, &options, &|_| None, &source::no_checkpoint);
        let whole = TextRange::up_to(TextSize::of(&*text));
        let conversion = convert(View::root(&before), whole);
        if let Some(refusal) = conversion.refused.first() {
            assert!(refusal.range.len() < TextSize::of(&*text), "{name}: {}", refusal.reason);
            refused += 1;
            continue;
        }
        let clrx = conversion.applied(&text);
        let options = Options { target: Some(before.target), dialect: Dialect::Clrx, ..options };
        let after = assemble(&clrx, &options, &|_| None, &source::no_checkpoint);
        assert_eq!(sections(&before), sections(&after), "{name}");
        written += 1;
    }
    eprintln!("{written} programs in CLRX's dialect, {refused} with a line that has no form there");
    assert!(written >= 20, "{written} written, {refused} refused");
}

#[test]
fn what_is_not_certain_is_refused_with_the_reason() {
    let chip = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n";
    for (line, reason) in [
        (".macro a\n s_nop 0\n.endm\n", "`.macro` has no certain counterpart"),
        ("x = 7 >> 1\n", "`>` is not read alike"),
        ("image_load v0, v[0:3], s[0:7]\n", "has no way to write"),
        ("s_nop 0 /* a */ ; b\n", "a comment"),
        ("s_nope 0\n", "it is not an instruction"),
        ("twice\n", "it is not an instruction"),
        (".rept 2\n s_nop 0\n.endr\n", "no certain counterpart"),
    ] {
        let refused = converted(&format!("{chip}{line}"), Dialect::Llvm).expect_err(line);
        assert!(refused.contains(reason), "{line}: {refused}");
    }
    // `//` divides in CLRX's dialect.
    let refused = converted(".gpu fiji\nx = 7 // 2\n", Dialect::Clrx).expect_err("a division");
    assert!(refused.contains("not read alike"), "{refused}");
}

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

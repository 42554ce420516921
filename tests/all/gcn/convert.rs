//! Lines written in the other dialect have the same bytes, or there is a reason why they
//! are not written.

use std::io::Read as _;

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::convert::{self, convert};
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};
use gcn::program::{Options, Program, assemble};
use gcn::service::View;
use tests::conversion::samples;
use text::{TextRange, TextSize};

fn decompress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

/// Every so many lines; the example `gcn_convert` looks at all.
const STEP: usize = 23;

/// Lines that have a form in the other dialect, in percent: what is missing there is
/// above all `dmask:0`, and on gfx8 compares that select no bytes of their result.
const WRITTEN: f64 = 93.0;

#[test]
fn a_line_in_the_other_dialect_has_the_same_bytes() {
    let Some(samples) = samples(STEP, decompress) else { return };
    for (from, to) in [(Dialect::Llvm, Dialect::Clrx), (Dialect::Clrx, Dialect::Llvm)] {
        let (mut all, mut written) = (0, 0);
        for sample in &samples {
            let target = Target::find(&sample.class).expect("a class");
            let [from, to] = [from, to].map(|it| InstructionSet::in_dialect(target, it));
            let Ok(before) = assemble_line(&sample.line, from, &NoSymbols) else { continue };
            all += 1;
            let Ok(line) = convert::instruction(&sample.line, from, to, &NoSymbols) else {
                continue;
            };
            let after = assemble_line(&line, to, &NoSymbols).expect("an instruction");
            assert_eq!(after.words(), before.words(), "{} as {line}", sample.line);
            written += 1;
            // And there and back again.
            if let Ok(back) = convert::instruction(&line, to, from, &NoSymbols) {
                let back = assemble_line(&back, from, &NoSymbols).expect("an instruction");
                assert_eq!(back.words(), before.words(), "{line}");
            }
        }
        eprintln!("to {}: {written} of {all} lines", to.name());
        assert!(all > 4000, "{all} lines");
        assert!(100.0 * f64::from(written) / f64::from(all) >= WRITTEN, "{written} of {all}");
    }
}

fn program(text: &str, dialect: Dialect) -> Program {
    let options = Options { dialect, ..Options::default() };
    assemble(text, &options, &|_| None, &text::no_checkpoint)
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
        ("s_nope 0\n", "it is no instruction"),
        ("twice\n", "it is no instruction"),
        (".rept 2\n s_nop 0\n.endr\n", "no certain counterpart"),
    ] {
        let refused = converted(&format!("{chip}{line}"), Dialect::Llvm).expect_err(line);
        assert!(refused.contains(reason), "{line}: {refused}");
    }
    // `//` divides in CLRX's dialect.
    let refused = converted(".gpu fiji\nx = 7 // 2\n", Dialect::Clrx).expect_err("a division");
    assert!(refused.contains("not read alike"), "{refused}");
}

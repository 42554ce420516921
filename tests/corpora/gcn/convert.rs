//! Lines written in the other dialect have the same bytes.

use std::collections::BTreeMap;

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::convert;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};
use gcn::program::{Options, Program, assemble};
use gcn::service::View;
use source::{TextRange, TextSize};
use tests::conversion::samples;
use tests::corpora::shared;
use tests::kernels::kernels;

/// The distance of the lines that are taken; the example `gcn_convert` looks at all.
const STEP: usize = 23;

/// Lines that have a form in the other dialect, in percent: what is missing there is
/// above all `dmask:0`, and on gfx8 compares that select no bytes of their result.
const WRITTEN: f64 = 93.0;

/// Kernels that people wrote: most use macros and includes, which are no lines of one dialect.
const CONVERTED: usize = 8;

#[test]
fn a_kernel_in_the_other_dialect_has_the_same_bytes() {
    let sections = |program: &Program| -> Vec<Vec<u8>> {
        let sections = 0..program.expansion.sections.len() as u32;
        sections.map(|it| program.image(it).bytes).filter(|it| !it.is_empty()).collect()
    };
    let (mut written, mut refused) = (0, BTreeMap::<String, usize>::new());
    for kernel in kernels(&shared("corpora/gcn")) {
        let (text, program) = (kernel.text(), kernel.assemble(&kernel.text()));
        let whole = TextRange::up_to(TextSize::of(&*text));
        let conversion = convert::convert(View::root(&program), whole);
        if let Some(refusal) = conversion.refused.first() {
            *refused.entry(refusal.reason.to_string()).or_default() += 1;
            continue;
        }
        let options =
            Options { target: Some(kernel.target), dialect: Dialect::Clrx, ..Options::default() };
        let clrx = conversion.applied(&text);
        let after = assemble(&clrx, &options, &|_| None, &source::no_checkpoint);
        assert_eq!(sections(&program), sections(&after), "{}", kernel.file);
        written += 1;
    }
    eprintln!("{written} kernels written, refused by reason: {refused:#?}");
    assert!(written >= CONVERTED, "{written} of them");
}

#[test]
fn a_line_in_the_other_dialect_has_the_same_bytes() {
    let samples = samples(STEP);
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

//! The programs that were made worse: there are enough of them, and they are worse.

use std::path::Path;

use engine::Language;
use gcn::analysis::{Options, analyse};
use gcn::program::{KernelCode, assemble};
use source::{Severity, no_checkpoint};
use tests::advising::{advised, compiler};
use tests::inefficiencies::{Inefficiency, Spoiled, all, held_out};

#[test]
fn half_of_them_are_no_inverse_of_a_move() {
    for (all, least) in [(all(), 40), (held_out(), 20)] {
        let others = all.iter().filter(|it| it.spoiled == Spoiled::Other).count();
        assert!(all.len() >= least, "{}", all.len());
        assert!(others * 2 >= all.len(), "{others}");
        assert!(all.iter().all(|it| it.original != it.worse));
    }
}

/// Programs that the search was written with, and the others.
fn both() -> Vec<Inefficiency> {
    [all(), held_out()].concat()
}

#[test]
fn shaders_of_both_kinds_are_sound() {
    let all = both();
    for it in all.iter().filter(|it| it.language == Language::Tgsi) {
        for text in [&it.original, &it.worse] {
            let parse = tgsi::parser::parse(text, &no_checkpoint);
            let errors: Vec<_> =
                parse.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
            assert!(errors.is_empty() && parse.shader.is_some(), "{}: {errors:?}", it.name);
        }
    }
}

/// Waves and clocks of a kernel.
fn costs(it: &Inefficiency, text: &str) -> (u32, f64) {
    let options = gcn::program::Options {
        target: Some(it.target),
        ..gcn::program::Options::of(text, &it.name)
    };
    let program = assemble(text, &options, &|_| None, &no_checkpoint);
    let kernel = program.kernels.first().expect("a kernel");
    let code = KernelCode::of(&program, kernel, program.address_counts(), &no_checkpoint);
    assert_eq!(code.missing, 0, "{}", it.name);
    let options = Options { declared: code.declared, ..Options::default() };
    let report = analyse(&code.code, &options, &no_checkpoint);
    (report.occupancy.waves, report.timing.totals.latency)
}

#[test]
fn kernels_cost_more_than_their_originals() {
    for it in both().iter().filter(|it| it.language == Language::Gcn) {
        let ((waves, clocks), (worse_waves, worse_clocks)) =
            (costs(it, &it.original), costs(it, &it.worse));
        assert!(worse_waves <= waves && worse_clocks >= clocks, "{}", it.name);
        assert!(worse_waves < waves || worse_clocks > clocks, "{}", it.name);
    }
}

/// Programs that a few variants are enough for, with the number that may be tried.
const SAMPLE: &[(&str, usize)] = &[
    ("rows_early_waits.s", 24),
    ("horner_high_registers.s", 24),
    ("axpby_waits_for_all.s", 24),
    ("load_again.tgsi", 8),
    ("smaller_by_branch.tgsi", 40),
    ("read_back.tgsi", 24),
    ("guarded_twice.tgsi", 24),
];

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_sample_of_them_gets_back_what_it_lost() {
    let library = llvm::library::choose(None).expect("a libLLVM").path;
    let mut compiler = compiler(Path::new(crate::TUNGSTEN), &library);
    let all = all();
    for (name, most) in SAMPLE {
        let program = all.iter().find(|it| it.name == *name).expect("it is planted");
        let advised = advised(program, &mut compiler, *most, 120);
        assert!(advised.outcome.differing.is_empty(), "{name}: {:?}", advised.outcome.differing);
        // An older compiler may do by itself what was undone.
        assert!(advised.is_found() || !advised.was_worse(), "{name}: {advised:?}");
    }
}

//! Faults in the lowering and in machine code are found: a bounded sample of the shaders
//! that are made from the opcode table, on one chip of each generation. The example
//! `agreement_mutants` takes any number of them, and the corpora.

use diff_exec::Random;
use gcn::Target;
use tests::agreement::{compiler, meaningless};
use tests::lower_shaders;
use tests::mutation::faults::Kind;
use tests::mutation::{Effort, Fate, Scores, count, found, mutants};

const TARGETS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];
/// The sampling of made shaders: one in this many for each chip.
const EVERY: usize = 400;
const EFFORT: Effort = Effort { sets: 8, more: 96, faults: 6 };
/// The share of faults that change something and have to be found, in parts of a hundred.
const FLOOR: usize = 95;
/// With every modifier, which shaders made from the table lack: in it more faults are made.
const MODIFIERS: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
    DCL CONST[0..1]\nDCL TEMP[0..1]\nMAD_SAT TEMP[0], IN[0].wzyx, -CONST[0], CONST[1].yxwz\n\
    ADD TEMP[1], |IN[0].yzwx|, -TEMP[0].zwxy\nMUL_SAT OUT[0], TEMP[1], -IN[0].zzxw\nEND\n";
const MODIFIER_FAULTS: usize = 18;
/// Kinds of which none may survive.
const CERTAIN: [Kind; 4] = [Kind::Swizzle, Kind::Saturate, Kind::Sign, Kind::Wait];

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn faults_are_found() {
    let (mut compiler, version) = compiler(crate::TUNGSTEN.as_ref(), None).expect("a libLLVM");
    let mut random = Random::new(11);
    let mut scores = Scores::new();
    let mut survivors = Vec::new();
    let made = lower_shaders::all();
    for (turn, target) in TARGETS.iter().filter_map(|name| Target::find(name)).enumerate() {
        let effort = Effort { faults: MODIFIER_FAULTS, ..EFFORT };
        let found = mutants(MODIFIERS, target, effort, &mut random, &mut compiler);
        let found = found.expect("both sides agree on it");
        count(&mut scores, &found);
        let survived = found.into_iter().filter(|it| it.fate == Fate::Survived);
        survivors.extend(survived.map(|it| format!("modifiers: {}", it.what)));
        for made in made.iter().skip(turn * EVERY / TARGETS.len()).step_by(EVERY) {
            if meaningless(&made.name).is_some() {
                continue;
            }
            let found = mutants(&made.text, target, EFFORT, &mut random, &mut compiler);
            let found = found.unwrap_or_default();
            count(&mut scores, &found);
            let survived = found.into_iter().filter(|it| it.fate == Fate::Survived);
            survivors.extend(survived.map(|it| format!("{}: {}", made.name, it.what)));
        }
    }
    let mut all = [0; 2];
    for fates in scores.values() {
        let (shown, real) = found(fates);
        all = [all[0] + shown, all[1] + real];
    }
    let [shown, real] = all;
    eprintln!("LLVM {version}: {shown} of {real} faults are found; not these: {survivors:#?}");
    assert!(real > 60, "{real} faults: {scores:?}");
    assert!(shown * 100 >= real * FLOOR, "{shown} of {real}");
    for kind in CERTAIN {
        let found = scores.get(&kind).map(found);
        let all = found.is_some_and(|(shown, real)| shown == real && real > 0);
        assert!(all, "{}: {found:?}", kind.name());
    }
}

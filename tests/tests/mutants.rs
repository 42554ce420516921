//! Faults in the lowering and in machine code are found: a bounded sample of the shaders
//! that are made from the opcode table, on one chip of each generation. The example
//! `agreement_mutants` takes any number of them, and the corpora.
//!
//! A `main` of its own, since the process also serves as the compile worker.

mod lower_shaders;

use agreement::Random;
use gcn::Target;
use tests::agreement::{compiler, left_open};
use tests::bench::serve_if_worker;
use tests::mutation::faults::Kind;
use tests::mutation::{Effort, Fate, Scores, count, found, mutants};

const TARGETS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];
/// Of the made shaders, so many are taken: one of so many for each chip.
const EVERY: usize = 400;
const EFFORT: Effort = Effort { sets: 8, more: 24, faults: 6 };
/// The share of faults that change something and have to be found, in parts of a hundred.
const FLOOR: usize = 80;

fn main() {
    serve_if_worker();
    let Some((mut compiler, version)) = compiler(None) else {
        eprintln!("skipped: no libLLVM on this machine");
        return;
    };
    let mut random = Random::new(11);
    let mut scores = Scores::new();
    let mut survivors = Vec::new();
    let made = lower_shaders::all();
    for (turn, target) in TARGETS.iter().filter_map(|name| Target::find(name)).enumerate() {
        for made in made.iter().skip(turn * EVERY / TARGETS.len()).step_by(EVERY) {
            if left_open(&made.name).is_some() {
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
    // A wait that is missing is found by the machine wherever it comes by.
    let waits = scores.get(&Kind::Wait).map(found);
    assert!(waits.is_some_and(|(shown, real)| shown == real && real > 10), "{waits:?}");
}

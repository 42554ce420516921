//! Compiled code does what its shader says: a bounded sample of the shaders that are made
//! from the opcode table and of the examples, on one chip of each generation, against the
//! interpreter. The example of the same name runs all of them, and the corpora.
//!
//! A `main` of its own, since the process also serves as the compile worker.

mod lower_shaders;

use agreement::Verdict;
use gcn::Target;
use tests::agreement::{compiler, job, judge, left_open, parsed};
use tests::bench::serve_if_worker;

const TARGETS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];
/// Of the made shaders, so many are taken: one of so many for each chip.
const EVERY: usize = 40;
const SETS: u64 = 4;

fn main() {
    serve_if_worker();
    let Some((mut compiler, version)) = compiler(None) else {
        eprintln!("skipped: no libLLVM on this machine");
        return;
    };
    let (mut compared, mut skipped) = (0, 0);
    let mut differences = Vec::new();
    for (turn, target) in TARGETS.iter().filter_map(|name| Target::find(name)).enumerate() {
        let made = lower_shaders::all();
        for made in made.iter().skip(turn * EVERY / TARGETS.len()).step_by(EVERY) {
            let shader = parsed(&made.text).filter(|_| left_open(&made.name).is_none());
            let Some(shader) = shader else { continue };
            let Ok(job) = job(&shader, target) else { continue };
            match judge(&shader, target, &job, SETS, &mut compiler, &mut |_, _| {}) {
                Verdict::Agree => compared += 1,
                Verdict::Skipped(_) => skipped += 1,
                Verdict::Differ(difference) => {
                    differences.push(format!("{} on {}: {difference}", made.name, target.name()));
                }
            }
        }
    }
    eprintln!("LLVM {version}: {compared} shaders agree, {skipped} are not compared");
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(compared > 40, "{compared} compared, {skipped} not");
    fault_is_found(&mut compiler);
}

/// A comparison that finds nothing would agree with everything.
fn fault_is_found(compiler: &mut llvm::Compiler) {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0]\n\
                ADD OUT[0], IN[0], CONST[0]\nEND\n";
    let shader = parsed(text).expect("a shader");
    let target = Target::find("polaris10").expect("a chip");
    let good = job(&shader, target).expect("it is lowered");
    let bad = llvm::Job { ir: good.ir.replacen("fadd float", "fsub float", 1), ..good.clone() };
    assert_ne!(bad.ir, good.ir);
    let verdict = judge(&shader, target, &good, SETS, compiler, &mut |_, _| {});
    assert_eq!(verdict, Verdict::Agree);
    let verdict = judge(&shader, target, &bad, SETS, compiler, &mut |_, _| {});
    let Verdict::Differ(difference) = verdict else { panic!("{verdict:?}") };
    assert_eq!(difference.ordinal, 1, "{difference}");
}

//! Seeded faults: shaders of the corpora are lowered, one thing at a time is changed in the
//! lowered text or in the machine code, and both sides are compared, to learn whether
//! faults would be found.
//!
//! `cargo run --release -p long-tests --bin agreement_mutants -- [--every N] [--from N] [--faults N] [--sets N] [--more N] [--show] [--made] [TARGET]`
//!
//! `--made` takes the shaders that are made from the opcode table, whose outputs show all
//! that is computed. Prints for every kind of fault how many were found by the shader's own
//! outputs, how many by a probe (an output more), how many were proven to change nothing,
//! and how many survived; `--show` prints these.

use std::process::ExitCode;

use diff_exec::Random;
use gcn::Target;
use tests::agreement::{compiler, meaningless};
use tests::bench::{own_program, serve_if_worker};
use tests::corpora::tgsi_programs;
use tests::lower_shaders;
use tests::mutation::{Effort, Fate, Scores, count, found, mutants};

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let (mut every, mut from) = (25, 0);
    let mut effort = Effort { sets: 12, more: 48, faults: 6 };
    let (mut show, mut made) = (false, false);
    let mut target = Target::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|it| it.parse::<u64>().ok()).unwrap_or(1);
        match argument.as_str() {
            "--every" => every = number().max(1),
            "--from" => from = number(),
            "--faults" => effort.faults = number() as usize,
            "--sets" => effort.sets = number(),
            "--more" => effort.more = number(),
            "--show" => show = true,
            "--made" => made = true,
            chip => match Target::find(chip) {
                Some(found) => target = found,
                None => {
                    eprintln!("no target {chip}");
                    return ExitCode::from(2);
                }
            },
        }
    }
    let programs: Vec<(String, String)> = if made {
        let all = lower_shaders::all().into_iter();
        all.filter(|it| meaningless(&it.name).is_none()).map(|it| (it.name, it.text)).collect()
    } else {
        let programs = tgsi_programs();
        let accepted = programs.into_iter().filter(|it| it.accepted);
        accepted.map(|it| (it.name, it.text)).collect()
    };
    let Some((mut compiler, version)) = compiler(&own_program(), None) else {
        eprintln!("there is no libLLVM on this machine: nothing was compared");
        return ExitCode::FAILURE;
    };
    let mut random = Random::new(7);
    let mut scores = Scores::new();
    let mut shaders = 0;
    for (name, text) in programs.iter().skip(from as usize).step_by(every as usize) {
        let made = mutants(text, target, effort, &mut random, &mut compiler);
        let Some(made) = made else { continue };
        shaders += 1;
        count(&mut scores, &made);
        for mutant in made.iter().filter(|it| show && it.fate == Fate::Survived) {
            println!("  survived: {} in {name}: {}", mutant.kind.name(), mutant.what);
        }
    }
    println!("LLVM {version}, {}, {shaders} shaders, {} sets each", target.name(), effort.sets);
    println!("  {:<22} {:>6} {:>6} {:>10} {:>8}", "", "found", "probed", "equivalent", "survived");
    let mut all = [0; 2];
    for (kind, fates) in &scores {
        let of = |fate| fates.get(&fate).copied().unwrap_or(0);
        let own = [Fate::Found, Fate::Probed, Fate::Equivalent, Fate::Survived].map(of);
        let [one, two, three, four] = own;
        println!("  {:<22} {one:>6} {two:>6} {three:>10} {four:>8}", kind.name());
        let (shown, real) = found(fates);
        all = [all[0] + shown, all[1] + real];
    }
    let [shown, real] = all;
    let share = 100.0 * shown as f64 / f64::from(real.max(1) as u32);
    println!("  {shown} of {real} faults that change something are found: {share:.1} %");
    ExitCode::SUCCESS
}

//! Asks for advice on the programs that were made worse, and says how many of them get back what
//! they lost.
//!
//! `cargo run --release -p long-tests --bin advise_planted -- [--seconds N] [--variants N]
//! [--every N] [--only WORD] [--llvm MAJOR] [--held-out] [--show]`
//!
//! A program counts as found where a variant that was proven has as many waves as the original
//! and takes no more clocks. Exit status 1 where fewer are found than `FLOORS` says, or where a
//! variant that is better does something else. The aim is nine of ten of all
//! (`tests/results/advice.md`). With `--held-out` the programs are those that no move was written with.

#![allow(clippy::print_stdout)] // The table is what it is run for.

use std::process::ExitCode;

use tests::advising::{Arguments, advised, compiler};
use tests::bench::{libraries, own_program, serve_if_worker};
use tests::inefficiencies::{Spoiled, all, held_out};

/// Of a hundred programs so many must be found: of those that are the inverse of a move, and of
/// the others.
const FLOORS: [usize; 2] = [90, 72];

fn main() -> ExitCode {
    serve_if_worker();
    let arguments = Arguments::of_process();
    let (seconds, most) =
        (arguments.number("--seconds", 20), arguments.number("--variants", usize::MAX));
    let major = arguments.value("--llvm").unwrap_or_default();
    let Some(library) = libraries().into_iter().rev().find(|it| it.version.starts_with(major))
    else {
        eprintln!("there is no such libLLVM on this machine");
        return ExitCode::FAILURE;
    };
    let mut compiler = compiler(&own_program(), &library.path);
    println!("with LLVM {}, at most {seconds} s each\n", library.version);
    println!("| program | spoiled | chip | original | spoiled to | found | tried | |");
    println!("|---|---|---|---|---|---|---|---|");
    let (mut found, mut asked, mut differing) = ([0; 2], [0; 2], 0);
    let programs = if arguments.has("--held-out") { held_out() } else { all() };
    for it in programs.iter().step_by(arguments.number("--every", 1)) {
        if arguments.value("--only").is_some_and(|word| !it.name.contains(word)) {
            continue;
        }
        let advised = advised(it, &mut compiler, most, seconds as u64);
        let shown = |figures: Option<&advise::Figures>| match figures {
            Some(it) => format!("{} waves, {} VGPRs, {} clocks", it.waves, it.vgprs, it.clocks),
            None => "none".to_owned(),
        };
        let kind = usize::from(it.spoiled == Spoiled::Other);
        let word = match (advised.was_worse(), advised.is_found()) {
            (false, _) => "not worse",
            (true, true) => "found",
            (true, false) => "missed",
        };
        if advised.was_worse() {
            asked[kind] += 1;
            found[kind] += usize::from(advised.is_found());
        }
        let outcome = &advised.outcome;
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {word} |",
            it.name,
            if kind == 0 { "inverse" } else { "other" },
            it.target.name(),
            shown(advised.original.as_ref()),
            shown(outcome.before.as_ref()),
            shown(outcome.found.as_ref().map(|it| &it.figures)),
            outcome.tried
        );
        if arguments.has("--show") {
            for change in outcome.found.iter().flat_map(|it| &it.changes) {
                println!("    {change}");
            }
            println!("    unproven: {:?}", outcome.unproven);
            if let Some(found) = &outcome.found {
                println!("{}", found.text);
            }
        }
        for (changes, place) in &outcome.differing {
            eprintln!("{}: {changes:?} differs: {place}", it.name);
            differing += 1;
        }
    }
    let (all_found, all_asked) = (found[0] + found[1], asked[0] + asked[1]);
    println!(
        "\nfound {all_found} of {all_asked}: {} of {} that are the inverse of a move, {} of {} others",
        found[0], asked[0], found[1], asked[1]
    );
    let is_enough = (0..2).all(|kind| found[kind] * 100 >= asked[kind] * FLOORS[kind]);
    let is_good = all_asked > 0 && is_enough && differing == 0;
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

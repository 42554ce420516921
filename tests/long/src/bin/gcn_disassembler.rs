//! Prints how our decoder agrees with libLLVM's disassembler on random words:
//! `cargo run --release -p long-tests --bin gcn_disassembler [LIBRARY [COUNT]]`. Fails
//! where there is no library, or no disassembler for one of the chips.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use gcn::Target;
use tests::disassembler::{Disassembler, compare};

/// The most groups of a kind that are shown.
const MOST: usize = 25;

fn show(title: &str, groups: &BTreeMap<String, (usize, String)>) {
    let total: usize = groups.values().map(|(count, _)| count).sum();
    println!("  {title}: {total}");
    let mut groups: Vec<_> = groups.iter().collect();
    groups.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (name, (count, example)) in groups.into_iter().take(MOST) {
        println!("    {count:6} {name}: {example}");
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let library = arguments
        .next()
        .map(PathBuf::from)
        .or_else(|| llvm::library::choose(None).ok().map(|found| found.path));
    let Some(library) = library else {
        eprintln!("there is no libLLVM on this machine: nothing was compared");
        return ExitCode::FAILURE;
    };
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(1_000_000);
    println!("{}", library.display());
    let mut all = true;
    for processor in ["gfx801", "gfx803", "gfx810", "gfx900", "gfx906"] {
        let target = Target::find(processor).expect("a processor");
        let Some(theirs) = Disassembler::new(&library, processor) else {
            eprintln!("the library has no disassembler for {processor}");
            all = false;
            continue;
        };
        let found = compare(&theirs, target, count, 0x9e37_79b9_7f4a_7c15);
        println!(
            "{processor}: {} pairs of words; both read {}, {} alike ({:.3} %); neither {} ({} not asked); only we, \
             naming ignored bits, {}; round trips {}, {} naming ignored bits, {} that break a rule, {} to other words",
            found.tried,
            found.both(),
            found.equal,
            100.0 * found.equal as f64 / found.both().max(1) as f64,
            found.neither,
            found.not_asked,
            found.only_ours_ignoring,
            found.round_trips,
            found.round_trips_ignoring,
            found.refused,
            found.other_words,
        );
        for (reason, count) in &found.explained {
            println!("    {count:6} differ: {reason}");
        }
        for (reason, count) in &found.explained_theirs {
            println!("    {count:6} only the library: {reason}");
        }
        show("different", &found.different);
        show("only we", &found.only_ours);
        show("only the library", &found.only_theirs);
        show("lost in the round trip", &found.lost);
    }
    if all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

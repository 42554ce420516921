//! The analyses of costs on code that compilers made and people tested: it is
//! correct, so nothing in it may be called wrong for certain.

use gcn::analysis::{Code, DefUse, Instruction};
use source::Severity;
use tests::checks::costs::{Statistics, kernels_have_no_errors};
use tests::corpora::shared;
use tests::kernels::kernels;
use tests::listings::{Listing, listings};

fn words(listing: &Listing) -> Vec<u32> {
    listing.lines.iter().flat_map(|(_, words)| words.iter().copied()).collect()
}

#[test]
fn drivers_listings_have_no_errors() {
    let listings = listings();
    let mut statistics = Statistics::default();
    for listing in &listings {
        let code = Code::from_words(listing.target, &words(listing));
        let name = format!("{} {} {:?}", listing.shader, listing.target.name(), listing.backend);
        statistics.add(&name, &code);
    }
    statistics.print("drivers' listings");
    assert!(statistics.programs >= 480 && statistics.instructions > 60_000);
    assert_eq!((statistics.unknown, statistics.count(Severity::Error)), (0, 0));
    assert_eq!(statistics.count(Severity::Warning), 0, "compilers wait on every path");
}

/// Checks the checks that find nothing in correct code: waits and wait states are taken out
/// of it one by one.
#[test]
fn what_is_taken_out_of_them_is_missed() {
    let listings = listings();
    let (mut waits, mut missed_waits, mut pauses, mut missed_pauses) = (0, 0, 0, 0);
    for listing in listings.iter().step_by(7) {
        let code = Code::from_words(listing.target, &words(listing));
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let name = |index: usize| def_use[index].desc.map_or("", |desc| desc.name());
        for index in 0..code.instructions.len() {
            let is_wait = name(index) == "s_waitcnt";
            if !is_wait && name(index) != "s_nop" {
                continue;
            }
            let mut other = code.clone();
            let instruction = &code.instructions[index];
            // One state is left of a pause, and all of the distance of a wait: jumps keep
            // their targets.
            other.instructions[index] = Instruction::new(instruction.offset, &[0xbf80_0000], None);
            if !is_wait {
                // Another mnemonic that does nothing takes no longer than its word.
                other.instructions.remove(index);
            }
            let found = Statistics::default().add("", &other);
            let wanted = if is_wait { "gcn::missing-wait" } else { "gcn::missing-wait-states" };
            let missed = !found.iter().any(|diagnostic| diagnostic.code.0 == wanted);
            if is_wait {
                (waits, missed_waits) = (waits + 1, missed_waits + usize::from(missed));
            } else {
                (pauses, missed_pauses) = (pauses + 1, missed_pauses + usize::from(missed));
            }
        }
    }
    eprintln!("{waits} waits taken out, {missed_waits} not missed");
    eprintln!("{pauses} pauses taken out, {missed_pauses} not missed");
    assert!(waits > 400);
    // What is left waits for stores, or for what nothing reads.
    assert!(missed_waits * 20 <= waits, "{missed_waits} of {waits}");
    assert!(missed_pauses * 2 <= pauses, "{missed_pauses} of {pauses}");
}

#[test]
fn real_kernels_have_no_errors() {
    let statistics = kernels_have_no_errors(&kernels(&shared("corpora/gcn")));
    assert!(statistics.programs > 60 && statistics.instructions > 180_000);
}

//! Our decoder beside libLLVM's disassembler, on random words. More words and
//! other libraries: the example `gcn_disassembler`.

use gcn::Target;
use tests::disassembler::{Disassembler, compare};

const COUNT: usize = 20_000;

/// Texts are alike where both read the words, but for reasons that are known; what
/// we read assembles to the same words, or we say what is lost.
#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn random_words_read_as_the_library_reads_them() {
    let found = llvm::library::choose(None).expect("a libLLVM");
    for processor in ["gfx803", "gfx810", "gfx900", "gfx906"] {
        let target = Target::find(processor).unwrap();
        let theirs = Disassembler::new(&found.path, processor).expect("a disassembler");
        let found = compare(&theirs, target, COUNT, 0x2545_f491_4f6c_dd1d);
        eprintln!(
            "{processor}: both read {} of {COUNT}, {} alike, {} for known reasons; {} round trips, \
             {} say what is lost, {} break a rule",
            found.both(),
            found.equal,
            found.explained.values().sum::<usize>(),
            found.round_trips,
            found.round_trips_ignoring,
            found.refused,
        );
        for (reason, count) in &found.explained {
            eprintln!("    {count} {reason}");
        }
        let different: usize = found.different.values().map(|(count, _)| count).sum();
        assert!(found.equal > COUNT / 4, "{processor}: {found:?}");
        assert!(different * 2_000 <= found.both(), "{processor}: {:?}", found.different);
        assert!(found.other_words * 500 <= COUNT, "{processor}: {}", found.other_words);
        assert!(found.lost.is_empty(), "{processor}: {:?}", found.lost);
        let only_theirs: usize = found.only_theirs.values().map(|(count, _)| count).sum();
        assert!(only_theirs * 1_000 <= COUNT, "{processor}: {:?}", found.only_theirs);
    }
}

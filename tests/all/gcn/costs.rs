//! The analyses of costs on own kernels, in which nothing is wrong, and on any words.

use gcn::analysis::{Cfg, Code, DefUse, Liveness};
use proptest::prelude::*;
use tests::checks::costs::{Statistics, kernels_have_no_errors};
use tests::corpus;
use tests::measure::Stopwatch;

#[test]
fn own_kernels_have_no_errors() {
    let statistics = kernels_have_no_errors(&corpus::gcn_programs());
    assert!(statistics.programs >= 5, "{}", statistics.programs);
}

/// A word of random code: any, or a branch that leads somewhere near, or a wait.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        6 => any::<u32>(),
        2 => (2_u32..10, -20_i16..20).prop_map(|(op, to)| 0xbf80_0000 | op << 16 | u32::from(to as u16)),
        1 => any::<u16>().prop_map(|counters| 0xbf8c_0000 | u32::from(counters)),
        1 => any::<u16>().prop_map(|low| 0x7e00_0000 | u32::from(low)),
        1 => any::<u16>().prop_map(|low| 0xbe80_2000 | u32::from(low)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any words have costs, and the diagnostics name instructions that there are.
    #[test]
    fn any_words_are_survived(words in prop::collection::vec(word(), 0..300), chip in 0_usize..4) {
        let target = ["tahiti", "bonaire", "polaris10", "vega10"][chip];
        let target = gcn::Target::find(target).unwrap();
        let code = Code::from_words(target, &words);
        let diagnostics = Statistics::default().add("", &code);
        for diagnostic in diagnostics {
            prop_assert!((diagnostic.instruction as usize) < code.instructions.len());
            for (other, _) in diagnostic.related {
                prop_assert!((other as usize) < code.instructions.len());
            }
        }
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let liveness = Liveness::of(&code, &def_use, &cfg, &source::no_checkpoint);
        let middle = code.instructions.len() / 2;
        let live_across = liveness.live_across(&cfg, &def_use, middle);
        for value in live_across {
            prop_assert!(value.definitions.iter().all(|it| (*it as usize) < def_use.len()));
        }
    }
}

/// A hundred thousand instructions of branches that lead everywhere take no more than
/// a fair multiple of ten thousand.
#[test]
fn long_tangles_take_linear_time() {
    let time = |count: u32| {
        let mut state = 7_u32;
        let words: Vec<u32> = (0..count)
            .map(|index| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                match state >> 28 {
                    0..3 => 0xbf84_0000 | u32::from(((state >> 8) as i16 / 64) as u16),
                    3 => 0xbe80_0000 | 0x7e << 8,
                    4 => 0xd860_0000,
                    _ => 0x7e00_0300 | (index % 200) << 17,
                }
            })
            .collect();
        let code = Code::from_words(gcn::Target::find("bonaire").unwrap(), &words);
        let start = Stopwatch::start();
        Statistics::default().add("", &code);
        start.elapsed().as_secs_f64() / f64::from(count)
    };
    // The tables are read at the first use.
    time(100);
    let (short, long) = (time(10_000), time(100_000));
    eprintln!("{:.2} and {:.2} microseconds an instruction", short * 1e6, long * 1e6);
    assert!(long < 12.0 * short, "{short} {long}");
}

//! Binary tokens, in every era.

use proptest::prelude::*;
use tests::checks::tokens::{
    damaged_streams_are_survived, eras_are_told_apart, every_era_reads_what_it_writes,
};
use tests::corpus::{self, Program};
use tests::measure::Stopwatch;
use tests::survival::check_words as survive;
use tgsi::Opcode;
use tgsi::tokens::{self, Layout};

/// Programs of opcodes that still are: numbers of others were given to new ones, and words do
/// not tell those apart.
fn programs() -> Vec<Program> {
    let has_own_number = |opcode: Opcode| opcode.row().until.is_empty();
    let mut programs = corpus::tgsi_programs();
    programs.retain(|program| {
        let shader = tgsi::parser::parse(&program.text, &source::no_checkpoint).shader;
        let mut opcodes = shader.iter().flat_map(|it| it.instructions()).map(|it| it.opcode.value);
        // A property that was renamed comes back by the name of the era.
        let renamed = program.text.contains("LEGACY_MATH_RULES");
        program.accepted && !renamed && opcodes.all(has_own_number)
    });
    programs
}

#[test]
fn every_era_reads_what_it_writes_of_own_programs() {
    let counts = every_era_reads_what_it_writes(&programs());
    // Few of what the suites compile had words in the first specifications.
    let many = counts.iter().filter(|(_, count)| *count > 50).count();
    assert!(many + 2 >= Layout::ALL.len(), "{counts:?}");
}

#[test]
fn eras_of_own_programs_are_told_apart() {
    eras_are_told_apart(&programs());
}

#[test]
fn damaged_own_programs_are_survived() {
    let words = |program: &Program| {
        let shader = tgsi::parser::parse(&program.text, &source::no_checkpoint).shader?;
        tokens::encode(&shader, Layout::Y2016).ok()
    };
    let streams: Vec<Vec<u32>> = programs().iter().filter_map(words).collect();
    assert!(damaged_streams_are_survived(&streams) > 200);
}

const STREAM: [u32; 20] = [
    0x0000_1202,
    0x0000_0001,
    0x006f_2040,
    0x0000_0000,
    0x0000_0001,
    0x0000_0001,
    0x002f_3030,
    0x0000_0000,
    0x0000_0001,
    0x001f_1030,
    0x0002_0001,
    0x0000_0001,
    0x01a1_0062,
    0x0000_00f3,
    0x3900_0002,
    0x3900_00a1,
    0x0001_0000,
    0x3900_0061,
    0x0001_0000,
    0x0007_5002,
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_words_are_survived(words in proptest::collection::vec(any::<u32>(), 0..80)) {
        survive(&words);
        let mut with_header = vec![(words.len() as u32) << 8 | 2, 0];
        with_header.extend(&words);
        survive(&with_header);
        with_header.insert(0, 0x0101);
        survive(&with_header);
    }

    #[test]
    fn real_words_with_damage_are_survived(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), 0u32..32, 0u8..4), 1..6)
    ) {
        let mut words = STREAM.to_vec();
        for (place, bit, kind) in damage {
            let at = place.index(words.len());
            match kind {
                0 => words.truncate(at.max(1)),
                1 => words.insert(at, 1 << bit),
                _ => words[at] ^= 1 << bit,
            }
        }
        survive(&words);
    }
}

#[test]
fn large_streams_take_linear_time() {
    let size = if cfg!(debug_assertions) { 1 << 15 } else { 1 << 20 };
    let cases: [(&str, &[u32]); 9] = [
        ("zeros", &[0]),
        ("ones", &[u32::MAX]),
        ("ends", &[0x0007_5002]),
        ("open blocks", &[0x0004_a002 | 1 << 23, 0x3900_0004]),
        ("declarations", &[0x000f_4020, 0xffff_0000]),
        ("unknown tokens", &[0x0000_001f]),
        ("immediates", &[0x0000_0051, 1, 2, 3, 4]),
        ("extensions", &[0x8000_0002]),
        ("dimensions", &[0x0000_0003]),
    ];
    for (name, pattern) in cases {
        for version in [&[][..], &[0x0101]] {
            let mut words = version.to_vec();
            words.extend([(size as u32) << 8 | 2, 0]);
            words.extend(pattern.iter().cycle().take(size));
            let start = Stopwatch::start();
            let found = tokens::detect(&words);
            let decoded = tokens::decode(&words, found.layout);
            let taken = start.elapsed();
            eprintln!("{name}: {} bytes of text in {taken:?}", decoded.text.len());
            assert!(taken < std::time::Duration::from_secs(20), "{name} took {taken:?}");
        }
    }
}

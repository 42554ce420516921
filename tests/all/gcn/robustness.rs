//! Bad input: no panic, no hang, statements that cover what they say.

use std::time::Duration;

use gcn::compiled::read;
use gcn::encoding::shape;
use gcn::service::statement::{First, statements};
use gcn::{Dialect, Generation, Target};
use proptest::prelude::*;
use tests::measure::Stopwatch;

/// Words of assembly text, so that random texts reach deep.
const WORDS: [&str; 24] = [
    "v_mov_b32",
    "s_endpgm",
    "v0",
    "v[0:3]",
    "s[",
    "]",
    ",",
    ":",
    "main",
    ".loc 1 2 3",
    ".section",
    ".AMDGPU.config",
    ".text",
    ".long",
    "4",
    "; NumVgprs: 3",
    "\n",
    "\n",
    "/*",
    "*/",
    "\"",
    "#",
    ".p2align 6",
    "=",
];

fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => prop::sample::select(&WORDS[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn statements_stand_in_order_and_in_the_text(text in text()) {
        let mut end = 0.into();
        for statement in statements(&text, Dialect::Llvm) {
            let range = statement.range();
            prop_assert!(range.start() >= end && usize::from(range.end()) <= text.len());
            let first = match statement.first {
                First::None => None,
                First::Assigned(name) | First::Word(name) => Some(name),
            };
            for name in statement.labels.iter().copied().chain(first) {
                prop_assert!(range.contains_range(name) && !text[range].is_empty());
                prop_assert_eq!(usize::from(name.len()), statement.slice(name).len());
            }
            end = range.end();
        }
    }

    #[test]
    fn any_text_and_bytes_get_an_answer(text in text(), code in prop::collection::vec(any::<u8>(), 0..200)) {
        for target in Target::all() {
            let _ = read(&text, &code, target);
        }
    }

    #[test]
    fn any_words_have_a_shape_or_none(words in prop::collection::vec(any::<u32>(), 0..4)) {
        for generation in Generation::ALL {
            if let Ok(shape) = shape(&words, generation) {
                prop_assert!(usize::from(shape.words) <= words.len());
            }
        }
    }
}

/// Texts of which a part of a line, or a line, repeats `count` times.
fn monotonous(count: usize) -> Vec<String> {
    let repeated = [
        "x: ",
        "a",
        "\n",
        "/*",
        "# #",
        "\"",
        "s_nop 0\n",
        ".type a,@function\na:\nb:\n",
        "; NumVgprs\n",
        "\0",
        "x = ",
        "s_branch .L,\n",
    ];
    let mut texts: Vec<String> = repeated.iter().map(|part| part.repeat(count)).collect();
    texts.push(format!("v_mov_b32 {}", "v[".repeat(count)));
    texts.push(format!("v_mov_b32 {}", "a[b ".repeat(count)));
    texts
}

fn time(text: &str, code: &[u8]) -> Duration {
    let start = Stopwatch::start();
    assert!(statements(text, Dialect::Llvm).count() <= text.len());
    let _ = read(text, code, Target::default());
    start.elapsed()
}

#[test]
fn time_grows_with_the_text_and_no_faster() {
    const COUNT: usize = 5_000;
    let code = [0, 0, 0x80, 0xbf].repeat(8 * COUNT);
    for (small, large) in monotonous(COUNT).iter().zip(monotonous(8 * COUNT)) {
        // The best of some tries: other work on the machine only adds.
        let best = |text: &str| (0..3).map(|_| time(text, &code)).min().unwrap_or_default();
        let (small, large_time) = (best(small), best(&large));
        let name: String = large.chars().take(16).collect();
        eprintln!("{small:?}, {large_time:?} for eight times {name:?}");
        // Eight times the text; a quadratic reader needs 64 times as long.
        assert!(large_time < 24 * small + Duration::from_millis(100), "{name:?}");
    }
}

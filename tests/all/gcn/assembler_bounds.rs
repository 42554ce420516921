//! Bad input to the assembler's front end: no panic, an end, places that exist.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use gcn::assembler::sources::SourceId;
use gcn::assembler::{Dialect, Expansion, Limits, Options, expand};
use gcn::dialect;
use proptest::prelude::*;
use tests::measure::Stopwatch;

/// Words of assembly text, so that random texts reach deep.
const WORDS: [&str; 64] = [
    ".macro m",
    ".macro m a, b=2 c:req d:vararg",
    ".endm",
    "m 1",
    "m a=1, 2",
    ".exitm",
    ".purgem m",
    ".rept 3",
    ".rept 1<<62",
    ".irp x, 1, 2",
    ".irpc x, abc",
    ".for i=0, i<3, i+1",
    ".while i",
    ".endr",
    ".if 1",
    ".if x",
    ".if x - y",
    ".elseif 2",
    ".else",
    ".endif",
    ".ifc a, a",
    ".ifdef x",
    ".altmacro",
    ".include \"self\"",
    ".include \"none\"",
    ".set x, y",
    ".set y, x+x",
    "x = .",
    "x:",
    "1:",
    "1b",
    "1f",
    "\\a",
    "\\@",
    "\\()",
    "\\x",
    "%",
    "<a!>",
    "(",
    ")",
    "\"",
    "'a'",
    "/*",
    "*/",
    "//",
    "#",
    ";",
    "\\",
    ",",
    "=",
    "::a::b",
    ".scope a",
    ".ends",
    ".using a",
    ".amdhsa_kernel k",
    ".end_amdhsa_kernel",
    ".amd_kernel_code_t",
    ".amdgpu_metadata",
    ".end_amdgpu_metadata",
    ".kernel k",
    ".config",
    ".p2align 4",
    "v[x:x+3]",
    ".long .amdgcn.next_free_vgpr",
];

fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => prop::sample::select(&WORDS[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    let end = prop::sample::select(&["\n", "\n", "\n", " ", ""][..]);
    prop::collection::vec((word, end), 0..80)
        .prop_map(|words| words.into_iter().map(|(word, end)| word + end).collect())
}

fn read(text: &str, dialect: Dialect, limits: Limits) -> Expansion {
    let own: Arc<str> = Arc::from(text);
    let includes = |name: &str| (name == "self").then(|| Arc::clone(&own));
    let options = Options { limits, ..Options::default() };
    expand(text, dialect, &includes, &options, &source::no_checkpoint)
}

/// Small enough that thousands of texts can meet them.
const SMALL: Limits =
    Limits { depth: 40, lines: 20_000, bytes: 1 << 20, work: 1 << 22, problems: 50 };

proptest! {
    #[test]
    fn any_text_is_expanded_within_bounds(text in text()) {
        for language in [Dialect::Llvm, Dialect::Clrx] {
            let expansion = read(&text, language, SMALL);
            prop_assert!(expansion.statements.len() <= 20_000 + text.len());
            prop_assert!(expansion.problems.len() <= 50);
            for (index, statement) in expansion.statements.iter().enumerate().take(500) {
                prop_assert!(!expansion.text(statement).is_empty());
                let place = expansion.in_file(statement.span);
                let file = expansion.source(place.source);
                prop_assert!(usize::from(place.range.end()) <= file.len());
                let shown = expansion.in_root(statement.span, statement.node);
                prop_assert!(text.get(usize::from(shown.start())..usize::from(shown.end())).is_some());
                let _ = expansion.value("x", index as u32);
                prop_assert!(expansion.frames(statement.node).len() <= 41);
            }
            for diagnostic in expansion.diagnostics() {
                let range = usize::from(diagnostic.range.start())..usize::from(diagnostic.range.end());
                prop_assert!(text.get(range).is_some(), "{diagnostic:?}");
            }
        }
        let _ = (dialect::detect(&text), dialect::target_in(&text, &text));
    }

    #[test]
    fn any_place_answers_an_editor(text in text()) {
        for language in [Dialect::Llvm, Dialect::Clrx] {
            let expansion = read(&text, language, SMALL);
            for offset in (0..=text.len() as u32).step_by(7) {
                let Some(name) = expansion.name_at(SourceId::ROOT, offset.into()) else { continue };
                let word = text.get(usize::from(name.span.range.start())..usize::from(name.span.range.end()));
                prop_assert!(word.is_some_and(|word| !word.is_empty()));
                let _ = (expansion.definitions(&name), expansion.references(&name));
            }
            let _ = expansion.expanded_at(SourceId::ROOT, 3.into());
        }
    }
}

/// Texts that would take for ever or more memory than there is.
#[test]
fn hostile_texts_end_soon() {
    let nested = |open: &str, close: &str, count: usize| open.repeat(count) + &close.repeat(count);
    let chain: String =
        (0..5000).map(|index| format!(".set a{}, a{index} + a{index}\n", index + 1)).collect();
    let doubling: String =
        (1..60).map(|index| format!(".macro m{index}\n m{0}\n m{0}\n.endm\n", index - 1)).collect();
    let texts = [
        ("nested repetitions", nested(".rept 9\n", ".endr\n", 5000)),
        ("nested conditionals", nested(".if 1\n", ".endif\n", 100_000)),
        ("nested macros", nested(".macro m\n", ".endm\n", 5000)),
        ("parentheses", format!(".if {}1{}\n.endif\n", "(".repeat(100_000), ")".repeat(100_000))),
        ("signs", format!("x = {}1\n", "-".repeat(1_000_000))),
        ("choices", format!("x = {}\n", "1?1:".repeat(100_000))),
        ("an endless repetition", ".rept 1<<62\n.endr\n".to_owned()),
        ("an endless loop", ".while 1\n.endr\n".to_owned()),
        ("a macro of itself", ".macro m\n m\n m\n.endm\n m\n".to_owned()),
        ("doubling", format!(".macro m0\n s_nop 0\n.endm\n{doubling} m59\n")),
        ("growing arguments", ".macro m a:vararg\n m \\a, \\a\n.endm\n m 1\n".to_owned()),
        ("a chain of symbols", chain + ".if a5000\n.endif\n"),
        ("a ring of symbols", ".set a, b + b\n.set b, a + a\n.if a\n.endif\n".to_owned()),
        ("an open comment", "/*".repeat(500_000)),
        ("open strings", ".ascii \"\n".repeat(100_000)),
        ("includes of itself", ".include \"self\"\n".repeat(50)),
        ("many arguments", ".macro m a\n.endm\n m ".to_owned() + &"1,".repeat(500_000) + "\n"),
        ("many symbols", (0..100_000).map(|index| format!("x{index} = {index}\n")).collect()),
        ("scopes", ".scope\n".repeat(100_000) + "x = y\n"),
        ("labels on a line", "a:".repeat(300_000)),
    ];
    // The usual bounds are ten times as wide, and the build that is tested slow.
    let limits = Limits { lines: 200_000, ..Limits::default() };
    for (what, text) in texts {
        for language in [Dialect::Llvm, Dialect::Clrx] {
            let start = Stopwatch::start();
            let expansion = read(&text, language, limits);
            let _ = expansion.diagnostics();
            let elapsed = start.elapsed();
            eprintln!(
                "{what} ({}): {elapsed:?}, {} statements",
                language.name(),
                expansion.statements.len()
            );
            assert!(elapsed < Duration::from_secs(20), "{what}: {elapsed:?}");
        }
    }
}

#[test]
fn time_grows_with_length_alone() {
    let time = |count: usize| {
        let text = ".macro m a\n v_mov_b32 v[\\a], v[i]\n i = i + 1\n.endm\ni = 0\n".to_owned()
            + &" m 3\n s_nop 0 // x\n.if i == 3\n s_nop 1\n.endif\n".repeat(count);
        let start = Stopwatch::start();
        let expansion = read(&text, Dialect::Llvm, Limits::default());
        assert!(!expansion.stopped);
        (start.elapsed(), expansion.statements.len())
    };
    let (short, long) = (time(4_000), time(40_000));
    eprintln!("{short:?} {long:?}");
    assert!(long.0 < short.0 * 40 + Duration::from_millis(200), "{short:?} {long:?}");
}

#[test]
fn the_checkpoint_is_called_throughout() {
    let calls = Cell::new(0);
    let checkpoint = || calls.set(calls.get() + 1);
    let text = ".rept 100000\n s_nop 0\n.endr\n".to_owned() + &"s_nop 1\n".repeat(100_000);
    let none = |_: &str| None;
    let expansion = expand(&text, Dialect::Llvm, &none, &Options::default(), &checkpoint);
    assert_eq!(expansion.statements.len(), 200_000);
    assert!(calls.get() > 150, "{} calls", calls.get());
}

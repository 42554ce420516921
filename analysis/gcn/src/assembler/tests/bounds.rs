//! Texts that ask for far more than they hold: each ends at a budget, which is counted.

use source::Severity;

use super::super::{Dialect, Expansion, Limits, Options};
use super::read;
use crate::codes;
use crate::limits::{EXPANSION_LINES, EXPANSION_WORK, MISSING_FILES, SCOPES};

fn expanded(text: &str) -> Expansion {
    read(text, Dialect::Llvm, &Options::default())
}

/// The work of reading a text is at most the budget, and a line more than that is read.
fn assert_bounded(text: &str, dialect: Dialect) {
    let limits = Limits { work: BUDGET, ..Limits::default() };
    let expansion = read(text, dialect, &Options { limits, ..Options::default() });
    assert!(expansion.stopped, "{}", expansion.work);
    assert!(expansion.work <= BUDGET + text.len() as u64, "{}", expansion.work);
    let last = expansion.problems.last().expect("told");
    assert!(last.message.contains("steps of work"), "{}", last.message);
}

/// Steps, of which the texts here ask for many times more.
const BUDGET: u64 = 1 << 20;

#[test]
fn more_runs_than_lines_are_refused_before_the_first() {
    for text in [
        ".rept 1000000000\n.foo v_c\n.endr\n",
        ".rept 1000000000\n v_nop\n.endr\n",
        "x = 1 << 62\n.rept x\n.endr\n",
    ] {
        let expansion = expanded(text);
        let [problem] = expansion.problems.as_slice() else { panic!("{:?}", expansion.problems) };
        assert_eq!((problem.code, problem.severity), (codes::EXPANSION_LIMIT, Severity::Warning));
        assert!(problem.message.contains(&EXPANSION_LINES.to_string()), "{}", problem.message);
        assert!(expansion.stopped && expansion.statements.len() < 3);
        assert!(expansion.work < 1000, "{}", expansion.work);
    }
}

#[test]
fn a_fraction_counts_nothing() {
    for count in ["3.5", "15.set", "1 + 2.0", "(1e3)"] {
        let text = format!(".rept {count}\n v_nop\n.endr\n s_endpgm\n");
        let expansion = expanded(&text);
        let [problem] = expansion.problems.as_slice() else { panic!("{:?}", expansion.problems) };
        assert!(problem.message.contains("not a whole number"), "{count}: {}", problem.message);
        assert_eq!(problem.severity, Severity::Error);
        // What follows is read.
        assert_eq!((expansion.statements.len(), expansion.stopped), (1, false), "{count}");
    }
}

#[test]
fn a_directive_that_nobody_knows_is_compared_once() {
    let once = expanded(".rept 1\n.foo v_c\n.endr\n").work;
    let often = expanded(".rept 10000\n.foo v_c\n.endr\n").work;
    // Nothing but its nine bytes and the line's end is added by each run.
    assert!(often - once <= 10_000 * 10, "{once} and {often}");
    let many: String = (0..5000).map(|number| format!(".unknown{number}\n")).collect();
    let expansion = expanded(&many);
    assert_eq!(expansion.problems.len(), crate::limits::EXPANSION_PROBLEMS);
    assert!(expansion.work < 200 * 1000, "{}", expansion.work);
}

#[test]
fn lines_count_by_the_texts_between_them_and_their_file() {
    // The text of each macro defines the next, and that of the last a macro of one line.
    let text = |levels: usize, runs: usize| {
        let heads = (0..levels).map(|it| format!(".macro m{it} a{it}\n .long \\a{it}\n"));
        let ends = ".endm\n".repeat(levels);
        let calls: String = (0..levels).map(|it| format!(" m{it} 1\n")).collect();
        let line = ".macro line\n s_nop 0\n.endm\n";
        format!("{}{line}{ends}{calls}.rept {runs}\n line\n.endr\n", heads.collect::<String>())
    };
    let work = |levels: usize| {
        let [once, often] = [1, 1001].map(|runs| {
            let expansion = expanded(&text(levels, runs));
            assert_eq!(expansion.statements.len(), levels + runs, "{:?}", expansion.problems);
            expansion.work
        });
        (often - once) / 1000
    };
    assert_eq!(work(100), work(1) + 99);
}

#[test]
fn long_lines_count_by_their_length() {
    let line = "x".repeat(100_000);
    let text = format!(".rept 1000000\n // {line}\n.endr\n");
    assert_bounded(&text, Dialect::Llvm);
}

#[test]
fn calls_count_the_parameters_and_the_body_of_their_macro() {
    let parameters: Vec<String> = (0..30_000).map(|number| format!("p{number}")).collect();
    let text = format!(".macro m {}\n.endm\n{}", parameters.join(", "), "m\n".repeat(30_000));
    assert_bounded(&text, Dialect::Llvm);
    let body = "\\()".repeat(100_000);
    let text = format!(".macro m\n.exitm\n// {body}\n.endm\n{}", "m\n".repeat(30_000));
    assert_bounded(&text, Dialect::Llvm);
}

#[test]
fn symbols_that_stand_for_much_are_counted() {
    let sum = "+1".repeat(100_000);
    let uses = ".if x\n.endif\n".repeat(30_000);
    let text = format!(".set x, later{sum}\n.set later, 1\n{uses}");
    assert_bounded(&text, Dialect::Llvm);
    // The budget of every text is stated.
    assert_eq!(Limits::default().work, EXPANSION_WORK);
    // Each doubles what it stands for.
    let mut chain = String::from(".set s0, end+end\n");
    for number in 1..40 {
        let before = number - 1;
        chain.push_str(&format!(".set s{number}, s{before}+s{before}+end\n"));
    }
    let text = format!("{chain}{}", ".if s39\n.endif\n".repeat(30_000));
    assert_bounded(&text, Dialect::Llvm);
}

#[test]
fn a_condition_counts_at_each_run() {
    let text =
        format!("i = 0\n.while i < 1000000{}\ni = i + 1\n.endr\n", " ".repeat(100_000) + "+1");
    assert_bounded(&text, Dialect::Clrx);
}

#[test]
fn files_that_are_missing_are_named_up_to_a_bound() {
    let text: String = (0..5000).map(|number| format!(".include \"f{number}\"\n")).collect();
    assert_eq!(expanded(&text).wanted.len(), MISSING_FILES);
}

#[test]
fn doubts_reach_into_every_depth() {
    let deep = format!(".if unknown\n{}.error \"no\"\n", ".if 1\n".repeat(50_000));
    let expansion = expanded(&deep);
    let told = expansion.problems.iter().find(|it| it.message == "no").expect("told");
    assert_eq!(told.severity, Severity::Hint);
}

#[test]
fn scopes_in_use_are_bounded_and_the_last_counts() {
    let mut text = String::new();
    for number in 0..SCOPES + 50 {
        text.push_str(&format!(".scope s{number}\nx = {number}\n.ends\n.using s{number}\n"));
    }
    text.push_str("y = x\n");
    let expansion = read(&text, Dialect::Clrx, &Options::default());
    let last = u32::try_from(expansion.statements.len()).expect("few");
    let value = format!("{:?}", expansion.value("y", last).map(|it| it.value));
    assert_eq!(value, format!("Some(Absolute({}))", SCOPES + 49));
}

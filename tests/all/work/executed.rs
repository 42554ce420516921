//! The readers of binary files, and execution.

use std::time::Duration;

use gcn::Target;
use tests::measure::Stopwatch;
use tgsi::tokens::{self, Layout};

use super::shapes::TGSI;
use super::{SIZE, judge};

fn time(work: impl FnOnce()) -> Duration {
    let start = Stopwatch::start();
    work();
    start.elapsed()
}

/// Some work on inputs of a size, by name.
type Work = (&'static str, fn(usize) -> Duration);

const WORKS: [Work; 9] = [
    ("listing of instructions", |bytes| list(&[0x7e00_02ff, 0x1234_5678].repeat(bytes / 8))),
    ("listing of jumps", |bytes| list(&[0xbf82_0004].repeat(bytes / 4))),
    ("listing of words that are none", |bytes| list(&[u32::MAX].repeat(bytes / 4))),
    ("symbols at one place", |bytes| object(bytes, |_| 0)),
    ("symbols everywhere", |bytes| object(bytes, |number| 4 * number)),
    ("tokens", |bytes| {
        let text = TGSI[0].text(bytes);
        let shader = tgsi::parser::parse(&text, &text::no_checkpoint).shader.expect("a shader");
        let layout = Layout::ALL[Layout::ALL.len() - 1];
        let words = tokens::encode(&shader, layout).expect("words");
        time(|| drop(tokens::decode(&words, layout)))
    }),
    ("a file of inputs", |bytes| {
        let text = format!("[buf]\n0 = [{}]\n", "1, ".repeat(bytes / 3));
        time(|| assert!(run::inputs::Inputs::read(&text).is_ok()))
    }),
    ("inputs of registers", |bytes| {
        let lines: String = (0..bytes / 24).map(|it| format!("{} = [1.0]\n", it % 4096)).collect();
        let text = format!("[in]\n{lines}");
        time(|| drop(run::inputs::Inputs::read(&text)))
    }),
    ("a run", |bytes| {
        let text = TGSI[0].text(bytes);
        let shader = tgsi::parser::parse(&text, &text::no_checkpoint).shader.expect("a shader");
        time(|| {
            let program = run::Program::prepare(&shader).expect("it can be run");
            let inputs = run::launch::QuadInputs { mask: 0xf, ..Default::default() };
            let mut resources = run::Resources::default();
            let limits = run::Limits::default();
            assert!(run::launch::run_quad(&program, &mut resources, &inputs, limits).is_ok());
        })
    }),
];

fn list(words: &[u32]) -> Duration {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    time(|| {
        let listing = gcn::object::listing(&bytes, Target::find("gfx803")).expect("bytes");
        assert!(!listing.text().is_empty());
    })
}

/// The listing of an object with a symbol for each 24 bytes, at such places.
fn object(bytes: usize, place: fn(usize) -> usize) -> Duration {
    let file = tests::writers::objects::with_symbols(bytes / 24, place);
    time(|| drop(gcn::object::listing(&file, Target::find("gfx803")).expect("an object").text()))
}

#[test]
fn what_is_listed_and_run_takes_time_in_proportion() {
    let wrong =
        WORKS.iter().filter_map(|(name, work)| judge(name, || (work(SIZE), work(4 * SIZE))));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

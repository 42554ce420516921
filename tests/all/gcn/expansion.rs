//! The time of the expansion of macros.

use std::time::Duration;

use gcn::assembler::{Dialect, Options, expand};
use tests::measure::Stopwatch;

#[test]
fn expansion_is_fast() {
    let mut text = String::new();
    for index in 0..100_000 {
        text.push_str(&format!("\tv_mad_f32 v{}, v1, v2, v3 // lane\n", index % 256));
    }
    let start = Stopwatch::start();
    let none = |_: &str| None;
    let expansion =
        expand(&text, Dialect::Llvm, &none, &Options::default(), &source::no_checkpoint);
    let elapsed = start.elapsed();
    eprintln!("100000 lines in {elapsed:?}");
    assert_eq!(expansion.statements.len(), 100_000);
    assert!(elapsed < Duration::from_secs(2), "{elapsed:?}");
}

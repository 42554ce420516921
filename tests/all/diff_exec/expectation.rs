//! The range of results that several runs of the interpreter allow.

use diff_exec::{Expectation, Indeterminate};

fn wanted(runs: &[f32], inexact: u32) -> Result<Expectation, Indeterminate> {
    Expectation::of(runs.iter().map(|it| Ok(it.to_bits())), 2, inexact)
}

#[test]
fn the_range_is_that_of_the_runs() {
    let one = wanted(&[1.0, 1.0, 0.5, 2.0], 1).expect("it is defined");
    assert!(one.holds(0.5_f32.to_bits()) && one.holds(2.0_f32.to_bits()));
    assert!(!one.holds(0.499_f32.to_bits()) && !one.holds(2.001_f32.to_bits()));
    // Four together may go twice as far.
    let four = wanted(&[1.0, 1.0, 0.5, 1.5], 4).expect("it is defined");
    assert!(four.holds(0.0_f32.to_bits()) && four.holds(2.0_f32.to_bits()));
    assert!(!four.holds((-0.001_f32).to_bits()) && !four.holds(2.001_f32.to_bits()));
}

#[test]
fn exact_results_have_no_range() {
    let exact = wanted(&[1.0, 1.0, 1.0], 9).expect("it is defined");
    assert!(!exact.holds(1.000_001_f32.to_bits()));
    assert_eq!(exact, Expectation::exactly(1.0_f32.to_bits()));
}

#[test]
fn what_the_runs_do_not_say_is_open() {
    assert_eq!(wanted(&[1.0, 2.0], 0), Err(Indeterminate::Undefined));
    let diverging =
        |wanted: Result<Expectation, Indeterminate>| wanted.is_ok_and(Expectation::is_diverging);
    assert!(diverging(wanted(&[1.0, 1.0, f32::NAN], 0)));
    assert!(diverging(Expectation::of(
        [Ok(1), Ok(1), Err(Indeterminate::Diverging)].into_iter(),
        2,
        0
    )));
    assert!(!diverging(wanted(&[1.0, 1.0, 2.0], 0)));
    let negative = [-3_i32, -3, -4].map(|it| Ok(it as u32));
    let integers = Expectation::of(negative.into_iter(), 2, 1).expect("it is defined");
    assert!(integers.holds(-4_i32 as u32) && !integers.holds(-5_i32 as u32));
}

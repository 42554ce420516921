//! The words of a result that several runs of the interpreter allow.

use diff_exec::Expectation;
use open_bits::{Rule, Word};
use tgsi_interp::patch::Order;

#[test]
fn a_result_may_be_what_it_is_in_any_run() {
    let run = |order, bits| (order, bits, Word::exactly(bits));
    let of = |runs: Vec<(Order, u32, Word)>| Expectation::of(runs.into_iter()).expect("a run");
    let two = of(vec![run(Order::Forward, 1), run(Order::Forward, 7)]);
    assert!(two.word.holds(1) && two.word.holds(7) && !two.word.holds(3));
    assert_eq!(two.bits, 1);
    let ordered = of(vec![run(Order::Forward, 1), run(Order::Backward, 2)]);
    assert!(ordered.word.is_any() && ordered.word.rules().has(Rule::InvocationOrder));
    let alike = of(vec![run(Order::Forward, 1), run(Order::Backward, 1)]);
    assert_eq!(alike, Expectation::exactly(1));
    assert_eq!(Expectation::of(std::iter::empty()), None);
}

//! The search, on a game of digits.

use advise::{Bench, Figures, Moves, Outcome, Promise, Proof, Variant, search};

/// A game: a text of digits costs their sum; a move lowers one digit by one or swaps two.
struct Digits;

impl Moves for Digits {
    fn moves(&self, text: &str) -> Vec<Variant> {
        let bytes = text.as_bytes();
        let mut variants = Vec::new();
        for place in 0..bytes.len() {
            if bytes[place] > b'0' {
                let mut next = bytes.to_vec();
                next[place] -= 1;
                let text = String::from_utf8(next).unwrap();
                let change = format!("lower {place}");
                let assumes = String::new();
                variants.push(Variant { text, change, assumes, promise: Promise::Some });
            }
        }
        variants
    }
}

struct Referee {
    left: usize,
    measured: usize,
    verdict: fn(&str) -> Proof,
}

impl Bench for Referee {
    fn measure(&mut self, text: &str) -> Option<Figures> {
        self.measured += 1;
        let clocks = text.bytes().map(|byte| u64::from(byte - b'0')).sum();
        Some(Figures { waves: 8, clocks, ..Figures::default() })
    }

    fn prove(&mut self, text: &str) -> Proof {
        (self.verdict)(text)
    }

    fn goes_on(&mut self, tried: usize, _: &Figures) -> bool {
        tried < self.left
    }
}

fn referee(left: usize) -> Referee {
    Referee { left, measured: 0, verdict: |_| Proof::Equal { inputs: 32, open: 0 } }
}

#[test]
fn the_best_form_is_found_and_the_way_to_it_is_told() {
    let outcome = search("213", &Digits, &mut referee(1000), 1);
    let found = outcome.found.expect("a better one");
    assert_eq!((found.text.as_str(), found.figures.clocks), ("000", 0));
    assert_eq!(found.changes.len(), 6);
    // All digits from 000 to 213, each once, but for the first text.
    assert_eq!((outcome.tried, outcome.is_complete), (3 * 2 * 4 - 1, true));
}

#[test]
fn the_same_seed_tries_the_same() {
    let one = search("9753", &Digits, &mut referee(40), 5);
    assert_eq!(one, search("9753", &Digits, &mut referee(40), 5));
    assert_eq!(one.tried, 40);
    assert!(!one.is_complete);
}

#[test]
fn without_time_nothing_is_measured_and_nothing_offered() {
    let mut bench = referee(0);
    assert_eq!(search("99", &Digits, &mut bench, 1), Outcome::default());
    assert_eq!(bench.measured, 0);
}

#[test]
fn what_is_not_proven_is_not_offered() {
    let mut bench = referee(1000);
    bench.verdict = |_| Proof::Unproven("no inputs".to_owned());
    let outcome = search("12", &Digits, &mut bench, 1);
    assert_eq!((outcome.found, outcome.unproven.as_deref()), (None, Some("no inputs")));
}

#[test]
fn a_variant_that_differs_is_told_and_the_next_best_is_taken() {
    let mut bench = referee(1000);
    bench.verdict = |text| match text {
        "00" => Proof::Differs("at the end".to_owned()),
        _ => Proof::Equal { inputs: 32, open: 3 },
    };
    let outcome = search("12", &Digits, &mut bench, 1);
    assert_eq!(outcome.differing.len(), 1);
    let found = outcome.found.expect("the next one");
    assert_eq!((found.figures.clocks, found.inputs, found.open), (1, 32, 3));
}

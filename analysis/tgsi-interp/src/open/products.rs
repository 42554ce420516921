//! Products and their sums on sets: rounded once or twice, and added in any order.

use open_bits::{Image, Rule, Rules, Word, apply};
use tgsi::Opcode;

use super::arithmetic::Sources;
use crate::float::{Computed, ONE, f};
use crate::products::{Ieee, Product, ZeroWins};

/// The rule of a shader for zero times anything.
#[derive(Clone, Copy)]
struct Arithmetic {
    zero_wins: bool,
}

/// A result of arithmetic: what of it may be flushed, and zeros of either sign.
fn rounded(word: Word) -> Word {
    word.flushable().either_zero()
}

impl Arithmetic {
    fn product(self, a: f32, b: f32) -> f32 {
        if self.zero_wins { ZeroWins::of(a, b) } else { Ieee::of(a, b) }
    }

    fn fused(self, a: f32, b: f32, c: f32) -> f32 {
        if self.zero_wins { ZeroWins::fused(a, b, c) } else { Ieee::fused(a, b, c) }
    }

    fn multiply(self, a: &Word, b: &Word) -> Word {
        rounded(apply(&[a, b], &[], true, |v, image: &mut Image| {
            image.add(self.product(f(v[0]), f(v[1])).bits());
        }))
    }

    /// `a * b + c`, rounded once or twice.
    fn multiply_add(self, a: &Word, b: &Word, c: &Word) -> Word {
        if let Some([a, b, c]) = ordinary([a, b, c]) {
            let product = self.product(a, b);
            if is_ordinary(product) {
                let [twice, once] = [product + c, self.fused(a, b, c)];
                if is_ordinary(twice) && is_ordinary(once) {
                    let rules = Rules::of(Rule::Contraction);
                    return Word::of_floats(vec![twice.bits(), once.bits()], rules);
                }
            }
        }
        let twice = self.add(&self.multiply(a, b), c);
        let once = apply(&[a, b, c], &[], true, |v, image: &mut Image| {
            image.add(self.fused(f(v[0]), f(v[1]), f(v[2])).bits());
        });
        joined(twice, &rounded(once), Rule::Contraction)
    }

    fn add(self, a: &Word, b: &Word) -> Word {
        rounded(apply(&[a, b], &[], true, |v, image: &mut Image| {
            image.add((f(v[0]) + f(v[1])).bits());
        }))
    }

    fn subtract(self, a: &Word, b: &Word) -> Word {
        self.add(a, &negated(b))
    }

    /// The sum of products and another term, in any order.
    fn sum(self, pairs: &[[&Word; 2]], term: Option<&Word>) -> Word {
        if let Some(word) = self.ordinary_sum(pairs, term) {
            return word;
        }
        let count = pairs.len() + usize::from(term.is_some());
        let mut result: Option<Word> = None;
        for order in orders(count) {
            let mut sum: Option<Word> = None;
            for place in order {
                let next = match (pairs.get(place), sum) {
                    (Some([a, b]), None) => self.multiply(a, b),
                    (Some([a, b]), Some(sum)) => self.multiply_add(a, b, &sum),
                    (None, None) => term.cloned().unwrap_or_default(),
                    (None, Some(sum)) => self.add(&sum, term.unwrap_or(&Word::default())),
                };
                sum = Some(next);
            }
            let sum = sum.unwrap_or_default();
            result = Some(match result {
                None => sum,
                Some(all) => joined(all, &sum, Rule::SumOrder),
            });
        }
        result.unwrap_or_default()
    }

    /// The same of numbers that nothing is open of but how they are rounded.
    fn ordinary_sum(self, pairs: &[[&Word; 2]], term: Option<&Word>) -> Option<Word> {
        let number = |word: &Word| word.bits().map(f).filter(|it| is_ordinary(*it));
        let mut factors = [[0.0; 2]; 4];
        for (own, pair) in factors.iter_mut().zip(pairs) {
            *own = [number(pair[0])?, number(pair[1])?];
        }
        let products = factors.map(|[a, b]| self.product(a, b));
        if !products[..pairs.len()].iter().all(|it| is_ordinary(*it)) {
            return None;
        }
        let term = match term {
            Some(term) => Some(number(term)?),
            None => None,
        };
        let count = pairs.len() + usize::from(term.is_some());
        let mut values = Vec::new();
        for order in orders(count) {
            // Each further product is rounded by itself, or with the sum.
            for fusions in 0..1_u32 << (count - 1) {
                let mut sum = 0.0;
                for (step, place) in order.iter().enumerate() {
                    sum = match (place.cmp(&pairs.len()), step) {
                        (std::cmp::Ordering::Less, 0) => products[*place],
                        (std::cmp::Ordering::Less, _) if fusions >> (step - 1) & 1 == 1 => {
                            self.fused(factors[*place][0], factors[*place][1], sum)
                        }
                        (std::cmp::Ordering::Less, _) => sum + products[*place],
                        (_, 0) => term.unwrap_or(0.0),
                        _ => sum + term.unwrap_or(0.0),
                    };
                    if !is_ordinary(sum) {
                        return None;
                    }
                }
                values.push(sum.bits());
            }
        }
        let rules = Rules::of(Rule::SumOrder).with(Rule::Contraction);
        Some(Word::of_floats(values, rules))
    }
}

/// Tells whether a number is neither zero nor denormal nor infinite nor NaN: nothing of it is open.
fn is_ordinary(value: f32) -> bool {
    value.is_normal()
}

fn ordinary<const N: usize>(words: [&Word; N]) -> Option<[f32; N]> {
    let mut values = [0.0; N];
    for (value, word) in values.iter_mut().zip(words) {
        *value = word.bits().map(f).filter(|it| is_ordinary(*it))?;
    }
    Some(values)
}

fn negated(word: &Word) -> Word {
    word.map_sign(|bits| bits ^ 0x8000_0000)
}

fn joined(one: Word, two: &Word, rule: Rule) -> Word {
    let all = one.join(two);
    // The rule is one only where it adds a word.
    if all == one { all } else { all.by(Rules::of(rule)) }
}

/// The orders in which so many terms may be added one after another.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = all.iter().flat_map(|order: &Vec<usize>| {
            (0..count).filter(|it| !order.contains(it)).map(|it| {
                let mut next = order.clone();
                next.push(it);
                next
            })
        });
        all = longer.collect();
    }
    all
}

/// Returns what an opcode with products gives; `None` of other opcodes.
pub(super) fn lifted(opcode: Opcode, v: &Sources, zero_wins: bool) -> Option<[Word; 4]> {
    use Opcode as Op;
    let it = Arithmetic { zero_wins };
    let pairs = |count: usize| -> Vec<[&Word; 2]> {
        (0..count).map(|place| [&v[0][place], &v[1][place]]).collect()
    };
    let each = |of: &dyn Fn(usize) -> Word| [0, 1, 2, 3].map(of);
    let all = |word: Word| [0; 4].map(|_| word.clone());
    let one = || Word::exactly(ONE);
    Some(match opcode {
        Op::MAD | Op::FMA => each(&|c| it.multiply_add(&v[0][c], &v[1][c], &v[2][c])),
        Op::LRP => each(&|c| {
            let [share, first, second] = [&v[0][c], &v[1][c], &v[2][c]];
            let rest = it.subtract(&one(), share);
            let one = it.multiply_add(share, first, &it.multiply(&rest, second));
            joined(
                one,
                &it.multiply_add(&rest, second, &it.multiply(share, first)),
                Rule::Contraction,
            )
        }),
        Op::DP2 => all(it.sum(&pairs(2), None)),
        Op::DP3 => all(it.sum(&pairs(3), None)),
        Op::DP4 => all(it.sum(&pairs(4), None)),
        Op::DPH => all(it.sum(&pairs(3), Some(&v[1][3]))),
        Op::DP2A | Op::DP2ADD | Op::DOT2ADD => all(it.sum(&pairs(2), Some(&v[2][0]))),
        Op::DST => [one(), it.multiply(&v[0][1], &v[1][1]), v[0][2].clone(), v[1][3].clone()],
        Op::XPD | Op::CRS | Op::CROSSPRODUCT => {
            let term = |a: usize, b: usize| {
                let other = negated(&v[1][a]);
                it.sum(&[[&v[0][a], &v[1][b]], [&other, &v[0][b]]], None)
            };
            [term(1, 2), term(2, 0), term(0, 1), one()]
        }
        Op::X2D => {
            let [even, odd] = [0, 1].map(|axis| {
                let pairs = [[&v[1][0], &v[2][axis * 2]], [&v[1][1], &v[2][axis * 2 + 1]]];
                it.sum(&pairs, Some(&v[0][axis]))
            });
            [even.clone(), odd.clone(), even, odd]
        }
        _ => return None,
    })
}

/// Returns the dot product of the first components of two vectors.
pub(super) fn dot(left: &[Word; 4], right: &[Word; 4], count: usize, zero_wins: bool) -> Word {
    let pairs: Vec<[&Word; 2]> = left.iter().zip(right).take(count).map(|(a, b)| [a, b]).collect();
    Arithmetic { zero_wins }.sum(&pairs, None)
}

/// Returns the components of each source that a component of the result follows from, a bit
/// each, of the opcodes with a rule for every component.
pub(super) fn components_read(opcode: Opcode, component: usize) -> [u8; 5] {
    use Opcode as Op;
    match (opcode, component) {
        (Op::LIT, 1) => [1, 0, 0, 0, 0],
        (Op::LIT, 2) => [0b1011, 0, 0, 0, 0],
        (Op::LIT | Op::SCS | Op::SINCOS | Op::EXP | Op::LOG, 0 | 3) if opcode == Op::LIT => [0; 5],
        (Op::SCS | Op::SINCOS | Op::EXP | Op::LOG, _) => [1, 0, 0, 0, 0],
        (Op::UP2US | Op::UP4UB | Op::UP4B, _) => [1, 0, 0, 0, 0],
        (Op::PK2US, _) => [0b11, 0, 0, 0, 0],
        _ => [0xf; 5],
    }
}

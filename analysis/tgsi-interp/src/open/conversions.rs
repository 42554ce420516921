//! Conversions that do not fit, and packed numbers.

use open_bits::{Rule, Rules, Word};
use softfloat::{Rounding, from_half, to_half};
use tgsi::Opcode;

use super::arithmetic::Sources;

/// Returns the rule by which a conversion is undefined.
pub(super) fn undefined(opcode: Opcode, arguments: &[u32]) -> Option<Rule> {
    use Opcode as Op;
    let value = f64::from(f32::from_bits(arguments.first().copied().unwrap_or(0)));
    let fits = |least: f64, most: f64| (value > least - 1.0) && value < most + 1.0;
    let fits = match opcode {
        Op::F2I => fits(-2_147_483_648.0, 2_147_483_647.0),
        Op::F2U => (0.0..4_294_967_296.0).contains(&value),
        Op::ARL => fits_in_words(value.floor()),
        Op::ARR => fits_in_words(value.round_ties_even()),
        _ => true,
    };
    (!fits).then_some(Rule::Conversion)
}

fn fits_in_words(value: f64) -> bool {
    (-2_147_483_648.0..2_147_483_648.0).contains(&value)
}

/// Returns what packing and unpacking give where more than their formula is open.
pub(super) fn lifted(opcode: Opcode, sources: &Sources) -> Option<[Word; 4]> {
    match opcode {
        Opcode::PK2H => {
            let [low, high] = [0, 1].map(|position| halves(&sources[0][position]));
            let rules = low.1.plus(high.1);
            let (Some(low), Some(high)) = (low.0, high.0) else {
                return Some(std::array::from_fn(|_| Word::any(rules)));
            };
            let all = low.iter().flat_map(|low| high.iter().map(move |high| low | high << 16));
            let word = Word::of_bits(all.collect(), rules);
            Some(std::array::from_fn(|_| word.clone()))
        }
        Opcode::UP2H => {
            let members = sources[0][0].members(64)?;
            let rules = sources[0][0].rules();
            let part = |shift: u32| {
                let all = members.iter().flat_map(|word| {
                    let half = (word >> shift) as u16;
                    let value = from_half(half).to_bits();
                    let flushed = half & 0x7c00 == 0;
                    [value, if flushed { value & 0x8000_0000 } else { value }]
                });
                let all: Vec<u32> = all.collect();
                let tiny =
                    all.iter().any(|it| f32::from_bits(*it).abs() < 6.103_515_6e-5 && it << 1 != 0);
                Word::of_floats(all, if tiny { rules.with(Rule::Denormal) } else { rules })
            };
            let [low, high] = [part(0), part(16)];
            Some([low.clone(), high.clone(), low, high])
        }
        _ => None,
    }
}

/// The halves that a float may be packed to; `None` for more than can be listed.
fn halves(word: &Word) -> (Option<Vec<u32>>, Rules) {
    let mut rules = word.rules();
    let Some(members) = word.members(16) else { return (None, rules) };
    let mut all = Vec::new();
    for bits in members {
        let value = f64::from(f32::from_bits(bits));
        if value.is_nan() {
            return (None, rules.with(Rule::NanPayload));
        }
        let [near, low] =
            [Rounding::Nearest, Rounding::TowardsZero].map(|it| u32::from(to_half(value, it)));
        if near != low {
            rules = rules.with(Rule::HalfRounding);
        }
        all.extend([near, low]);
        for half in [near, low] {
            if half & 0x7c00 == 0 && half & 0x3ff != 0 {
                rules = rules.with(Rule::Denormal);
                all.push(half & 0x8000);
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    (Some(all), rules)
}

//! Values of 64 bits as pairs of sets.

use open_bits::{Points, Rule, Rules, Word};
use tgsi::Opcode;
use tgsi::opcodes::ValueType;

use crate::float::Computed;
use crate::program::MicroOp;

/// Combinations that are tried, at most.
const MOST: usize = 1024;

const SIGN: u64 = 1 << 63;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;

/// The values that a pair may be, where they can be listed or bounded.
struct Values {
    all: Vec<u64>,
    /// True if there are others between them.
    dense: bool,
}

fn values(pair: &[Word; 2], ty: ValueType) -> Values {
    if let [Some(low), Some(high)] = [0, 1].map(|half| pair[half].members(64)) {
        let all = high
            .iter()
            .flat_map(|high| low.iter().map(move |low| u64::from(*high) << 32 | u64::from(*low)));
        return Values { all: all.collect(), dense: false };
    }
    if !ty.is_wide() {
        // One word, as a number with sign or without: of an integer the bits of a NaN count, too.
        let word = match ty {
            ValueType::Float => pair[0].clone(),
            _ => pair[0].as_bits(),
        };
        let all = Points::of(&word, &[]).values.into_iter().map(u64::from);
        return Values { all: all.collect(), dense: true };
    }
    // As doubles: of each sign that is possible the smallest and the largest magnitude, and NaN.
    let [low, high] = [0, 1].map(|half| pair[half].known_bits());
    let join = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    let least = join(low.least(), high.least()) & !SIGN;
    let most = join(low.greatest(), high.greatest()) & !SIGN;
    let signs = [0, SIGN].into_iter().filter(|sign| {
        let sign = (sign >> 32) as u32;
        high.open >> 31 == 1 || (high.value ^ sign) >> 31 == 0
    });
    let all = signs.flat_map(|sign| {
        let ends = [least, most.min(INFINITY)].into_iter().filter(|it| *it <= INFINITY);
        let nan = (most > INFINITY).then_some(most.max(INFINITY + 1));
        ends.chain(nan).map(move |it| it | sign).collect::<Vec<u64>>()
    });
    Values { all: all.collect(), dense: true }
}

/// A pair of words as the 64-bit sources' modifiers change it.
pub(super) fn modified(op: &MicroOp, number: usize, ty: ValueType, bare: [Word; 2]) -> [Word; 2] {
    let Some(source) = op.instruction.sources.get(number) else { return bare };
    // The modifiers of a bare word were applied to both halves: they belong to the upper one.
    if !source.absolute && !source.negate {
        return bare;
    }
    let integer = matches!(ty, ValueType::Signed64 | ValueType::Unsigned64);
    let change = |bits: u64| {
        let mut bits = bits;
        if source.absolute {
            bits = if integer { (bits as i64).unsigned_abs() } else { bits & !SIGN };
        }
        if source.negate {
            bits = if integer { bits.wrapping_neg() } else { bits ^ SIGN };
        }
        bits
    };
    let rules = bare[0].rules().plus(bare[1].rules());
    let found = values(&bare, ty);
    match found.dense {
        true => [Word::any(rules), Word::any(rules)],
        false => split(&found.all.into_iter().map(change).collect::<Vec<_>>(), rules),
    }
}

/// The halves of all values.
fn split(all: &[u64], rules: Rules) -> [Word; 2] {
    let half =
        |shift: u32| Word::of_bits(all.iter().map(|it| (it >> shift) as u32).collect(), rules);
    [half(0), half(32)]
}

/// Results of a function at all that its sources may be; `None` where they are too many, or it
/// is not monotone between.
fn tried<T>(
    op: &MicroOp,
    sources: &[[Word; 2]],
    mut function: impl FnMut([u64; 3]) -> T,
) -> (Option<(Vec<T>, bool)>, Rules) {
    let mut rules = Rules::NONE;
    for pair in sources {
        rules = rules.plus(pair[0].rules()).plus(pair[1].rules());
    }
    let types = op.instruction.info().source_types;
    let ty = |number: usize| types.get(number).copied().unwrap_or(ValueType::Untyped);
    let mut found = sources.iter().enumerate().map(|(number, pair)| values(pair, ty(number)));
    let mut each = || found.next().unwrap_or(Values { all: vec![0], dense: false });
    let own = [each(), each(), each()];
    let count = own.iter().map(|it| it.all.len()).product::<usize>();
    let dense = own.iter().any(|it| it.dense);
    let monotone = ty(0) == ValueType::Double && op.formula() != Opcode::DFRAC;
    if count > MOST || dense && !monotone {
        return (None, rules);
    }
    let mut results = Vec::with_capacity(count);
    for first in &own[0].all {
        for second in &own[1].all {
            for third in &own[2].all {
                results.push(function([*first, *second, *third]));
            }
        }
    }
    (Some((results, dense)), rules)
}

/// Returns the rule by which a 64-bit result is undefined.
fn undefined(opcode: Opcode, v: [u64; 3]) -> Option<Rule> {
    use Opcode as Op;
    let single = f64::from(f32::from_bits(v[0] as u32));
    let double = f64::from_bits(v[0]);
    let fits = |value: f64, least: f64, beyond: f64| (least..beyond).contains(&value);
    let (long, unsigned) = (9_223_372_036_854_775_808.0, 18_446_744_073_709_551_616.0);
    let fits = match opcode {
        Op::F2I64 => fits(single, -long, long),
        Op::F2U64 => fits(single, 0.0, unsigned),
        Op::D2I64 => fits(double, -long, long),
        Op::D2U64 => fits(double, 0.0, unsigned),
        Op::D2I => double > -2_147_483_649.0 && double < 2_147_483_648.0,
        Op::D2U => fits(double, 0.0, 4_294_967_296.0),
        Op::I64DIV | Op::I64MOD => {
            let overflows = v[0] == SIGN && v[1] == u64::MAX;
            return (v[1] == 0 || overflows).then_some(Rule::Quotient);
        }
        _ => true,
    };
    (!fits).then_some(Rule::Conversion)
}

/// A 64-bit result.
pub(super) fn lifted(
    op: &MicroOp,
    sources: &[[Word; 2]],
    function: fn([u64; 3]) -> u64,
) -> [Word; 2] {
    let opcode = op.formula();
    let double = op.instruction.info().destination_types.first() == Some(&ValueType::Double);
    let mut rule = None;
    let (found, mut rules) = tried(op, sources, |v| {
        rule = rule.or(undefined(opcode, v));
        if op.precision.is_some_and(|it| it.leaves_wide_open(v)) {
            rule = rule.or(Some(Rule::Approximation));
        }
        let fused = match opcode {
            // It rounds once or twice.
            Opcode::DMAD => {
                softfloat::fused(f64::from_bits(v[0]), f64::from_bits(v[1]), f64::from_bits(v[2]))
                    .bits()
            }
            Opcode::DFMA => {
                (f64::from_bits(v[0]) * f64::from_bits(v[1]) + f64::from_bits(v[2])).bits()
            }
            _ => function(v),
        };
        // Doubles that are not normal may be taken for zero where so little is promised.
        let flushed = match op.precision {
            Some(_) => function(v.map(|it| match f64::from_bits(it).is_subnormal() {
                true => it & SIGN,
                false => it,
            })),
            None => function(v),
        };
        [function(v), fused, flushed]
    });
    if let Some(rule) = rule {
        return [Word::any(rules.with(rule)), Word::any(rules.with(rule))];
    }
    let Some((results, mut dense)) = found else { return [Word::any(rules), Word::any(rules)] };
    let mut all: Vec<u64> = results.iter().flatten().copied().collect();
    if results.iter().any(|[one, two, _]| one != two) {
        rules = rules.with(Rule::Contraction);
    }
    if results.iter().any(|[one, _, flushed]| one != flushed) {
        rules = rules.with(Rule::Denormal);
    }
    if double {
        if let Some(precision) = op.precision {
            let ends: Vec<u64> = all.iter().flat_map(|it| precision.wide_ends(*it)).collect();
            if ends.iter().any(|it| !all.contains(it)) {
                rules = rules.with(Rule::Approximation);
                dense = true;
            }
            all.extend(ends);
        }
        if op.instruction.saturate {
            all = all.into_iter().map(crate::wide::saturate).collect();
        }
        if all.iter().any(|it| f64::from_bits(*it).is_nan()) {
            rules = rules.with(Rule::NanPayload);
            return [Word::any(rules), Word::any(rules)];
        }
        if all.iter().any(|it| it << 1 == 0) {
            rules = rules.with(Rule::ZeroSign);
            all.extend([0, SIGN]);
        }
        if all.iter().any(|it| f64::from_bits(*it).is_subnormal()) {
            rules = rules.with(Rule::Denormal);
            all.extend([0, SIGN]);
        }
    }
    if !dense {
        return split(&all, rules);
    }
    let keys = all.iter().map(|it| it >> 63);
    let one_sign = keys.clone().min() == keys.max();
    let ends = all.iter().min().zip(all.iter().max()).filter(|_| one_sign);
    let Some((least, greatest)) = ends else { return [Word::any(rules), Word::any(rules)] };
    let [least_high, greatest_high] = [least, greatest].map(|it| (it >> 32) as u32);
    let high = Word::known(open_bits::KnownBits::between(least_high, greatest_high), rules);
    let low = match least_high == greatest_high {
        true => Word::known(open_bits::KnownBits::between(*least as u32, *greatest as u32), rules),
        false => Word::any(rules),
    };
    [low, high]
}

/// The outcome of a comparison of 64-bit values.
pub(super) fn compared(
    op: &MicroOp,
    sources: &[[Word; 2]],
    function: fn([u64; 3]) -> bool,
) -> Word {
    let (found, rules) = tried(op, sources, function);
    let both = || Word::of_bits(vec![0, u32::MAX], rules);
    match found {
        // Between two ends an equal pair may lie.
        Some((_, true)) | None => both(),
        Some((results, false)) => {
            Word::of_bits(results.into_iter().map(crate::float::all_if).collect(), rules)
        }
    }
}

/// A 32-bit result of 64-bit sources.
pub(super) fn narrowed(op: &MicroOp, sources: &[[Word; 2]], function: fn([u64; 3]) -> u32) -> Word {
    let opcode = op.formula();
    let mut rule = None;
    let (found, rules) = tried(op, sources, |v| {
        rule = rule.or(undefined(opcode, v));
        function(v)
    });
    let floats = op.instruction.info().destination_types.first() == Some(&ValueType::Float);
    match (rule, found) {
        (Some(rule), _) => Word::any(rules.with(rule)),
        (None, Some((results, dense))) if floats && dense => Word::spanned(&results, false, rules),
        (None, Some((results, _))) if floats => Word::of_floats(results, rules),
        (None, Some((results, false))) => Word::of_bits(results, rules),
        _ => Word::any(rules),
    }
}

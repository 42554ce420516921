//! Members of sets at random, through every operation: the set of results holds their results.

use proptest::prelude::*;

use open_bits::{Image, KnownBits, Rule, Rules, Word, apply, float_key, from_key};

fn special() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        (-64i32..64).prop_map(|it| (it as f32 / 8.0).to_bits()),
        prop::sample::select(vec![
            0,
            0x8000_0000,
            1,
            0x8000_0001,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000
        ]),
    ]
}

/// A set and one of its members.
fn member() -> impl Strategy<Value = (Word, u32)> {
    let rules = Rules::of(Rule::Approximation);
    let few = (prop::collection::vec(special(), 1..5), any::<prop::sample::Index>()).prop_map(
        move |(values, index)| {
            let member = values[index.index(values.len())];
            (Word::of_bits(values, rules), member)
        },
    );
    let floats = (special(), special(), special()).prop_map(move |(a, b, c)| {
        let number = |bits: u32| if f32::from_bits(bits).is_nan() { 0x3f80_0000 } else { bits };
        let mut keys = [a, b, c].map(|it| float_key(number(it)));
        keys.sort_unstable();
        let [least, inside, greatest] = keys.map(from_key);
        (Word::spanned(&[least, greatest], false, rules), inside)
    });
    let bits = (special(), any::<u32>(), any::<u32>()).prop_map(move |(value, open, other)| {
        let set = KnownBits { value: value & !open, open };
        (Word::known(set, rules), value & !open | other & open)
    });
    prop_oneof![few, floats, bits]
}

fn known() -> impl Strategy<Value = (KnownBits, u32)> {
    (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(value, open, other)| {
        let open = if open & 1 == 0 { open & other } else { open >> 20 };
        (KnownBits { value: value & !open, open }, value & !open | other.rotate_left(7) & open)
    })
}

fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// Tells whether a set holds a result; of NaN any.
fn holds(word: &Word, bits: u32) -> bool {
    word.holds(bits)
}

#[test]
fn members_are_listed_where_there_are_few() {
    let word = |open| Word::known(KnownBits { value: 0x4000, open }, Rules::default());
    for open in [0b101_u32, 0x8000_0421, 0x0fff, u32::MAX] {
        let count = 1 << open.count_ones().min(62);
        assert_eq!(word(open).members(count - 1), None, "{open:#x}");
        if count <= 4096 {
            let members = word(open).members(count).expect("few");
            assert_eq!(members.len(), count, "{open:#x}");
            assert!(members.iter().all(|it| it & !open == 0x4000 & !open), "{open:#x}");
        }
    }
}

proptest! {
    #[test]
    fn members_are_held((word, member) in member()) {
        prop_assert!(word.holds(member), "{word} {member:#x}");
        prop_assert!(word.known_bits().holds(member), "{word} {member:#x}");
        prop_assert!(word.as_bits().holds(member));
        prop_assert!(word.open_bits() <= 32.0);
        prop_assert!(word.bits().is_none_or(|bits| bits == member));
    }

    #[test]
    fn words_of_both_are_held((one, first) in member(), (two, second) in member()) {
        let both = one.join(&two);
        prop_assert!(both.holds(first) && both.holds(second), "{one} and {two}: {both}");
    }

    #[test]
    fn what_arithmetic_may_read_is_held((word, member) in member()) {
        let flushed = if float(member).is_subnormal() { member & 0x8000_0000 } else { member };
        let all = word.flushable();
        prop_assert!(all.holds(member) && all.holds(flushed), "{word}: {all}");
        let zeros = all.either_zero();
        let other = if flushed << 1 == 0 { flushed ^ 0x8000_0000 } else { flushed };
        prop_assert!(zeros.holds(flushed) && zeros.holds(other), "{all}: {zeros}");
        let turned = word.map_sign(|bits| bits ^ 0x8000_0000);
        prop_assert!(turned.holds(member ^ 0x8000_0000), "{word}: {turned}");
        let cleared = word.map_sign(|bits| bits & 0x7fff_ffff);
        prop_assert!(cleared.holds(member & 0x7fff_ffff), "{word}: {cleared}");
        let any = word.any_payload();
        prop_assert!(any.holds(member));
        prop_assert!(!float(member).is_nan() || word.bits().is_none() || any.holds(0xffc1_2345));
    }

    #[test]
    fn results_of_members_are_held((one, first) in member(), (two, second) in member()) {
        type Function = fn(f32, f32) -> f32;
        let all: [(&str, Function); 5] = [
            ("+", |a, b| a + b),
            ("*", |a, b| a * b),
            ("/", |a, b| a / b),
            ("min", |a, b| if a < b { a } else { b }),
            ("floor", |a, _| a.floor()),
        ];
        for (name, function) in all {
            let of = |a: u32, b: u32| function(float(a), float(b)).to_bits();
            // Arithmetic does not tell zeros apart, which an interval of both signs needs.
            let [one, two] = [&one, &two].map(Word::either_zero);
            let result = apply(&[&one, &two], &[], true, |v, image: &mut Image| {
                image.add(of(v[0], v[1]));
            });
            let wanted = of(first, second);
            prop_assert!(holds(&result, wanted), "{one} {name} {two}: {result}, {wanted:#x}");
        }
        let less = apply(&[&one, &two], &[], false, |v, image: &mut Image| {
            image.add(u32::from(float(v[0]) < float(v[1])));
        });
        prop_assert!(less.holds(u32::from(float(first) < float(second))));
        let equal = apply(&[&one, &two], &[], false, |v, image: &mut Image| {
            image.add(u32::from(float(v[0]) == float(v[1])));
        });
        prop_assert!(equal.holds(u32::from(float(first) == float(second))), "{one} {two} {equal}");
    }

    #[test]
    fn a_condition_holds_or_fails_as_it_does_of_members((word, member) in member()) {
        for condition in [|bits: u32| float(bits) < 0.0, |bits: u32| bits != 0] {
            let [may, may_not] = word.outcomes(condition);
            prop_assert!(if condition(member) { may } else { may_not }, "{word} {member:#x}");
        }
    }

    #[test]
    fn known_bits_of_results_are_known((one, a) in known(), (two, b) in known(), count in 0u32..32) {
        let all = [
            (one.and(two), a & b),
            (one.or(two), a | b),
            (one.xor(two), a ^ b),
            (one.complement(), !a),
            (one.plus(two), a.wrapping_add(b)),
            (one.negate(), a.wrapping_neg()),
            (one.multiply(two), a.wrapping_mul(b)),
            (one.shift_left(count), a << count),
            (one.shift_right(count), a >> count),
            (one.shift_right_signed(count), (a as i32 >> count) as u32),
            (one.reverse(), a.reverse_bits()),
            (KnownBits::between(a.min(b), a.max(b)), a.midpoint(b)),
        ];
        for (place, (bits, result)) in all.into_iter().enumerate() {
            prop_assert!(bits.holds(result), "{place}: {bits:x?} {result:#x}");
            prop_assert_eq!(bits.value & bits.open, 0);
        }
        prop_assert!((one.least()..=one.greatest()).contains(&a));
        let [least, greatest] = one.signed().map(|it| it as i32);
        prop_assert!((least..=greatest).contains(&(a as i32)));
        prop_assert!(!one.is_apart(two) || a != b);
    }
}

#[test]
fn rules_have_names_and_documents() {
    let names: std::collections::BTreeSet<&str> = Rule::ALL.iter().map(|it| it.name()).collect();
    assert_eq!(names.len(), Rule::ALL.len());
    assert!(Rule::ALL.iter().all(|it| it.explanation().ends_with('.') && !it.source().is_empty()));
    let two = Rules::of(Rule::Denormal).with(Rule::ZeroSign);
    assert_eq!(two.to_string(), "zero-sign, denormal");
}

#[test]
fn what_is_exact_stays_exact() {
    let [one, two] = [1.5_f32, 2.0].map(|it| Word::exactly(it.to_bits()));
    let sum = apply(&[&one, &two], &[], true, |v, image: &mut Image| {
        image.add((float(v[0]) + float(v[1])).to_bits());
    });
    assert_eq!(sum, Word::exactly(3.5_f32.to_bits()));
    assert_eq!(sum.open_bits(), 0.0);
    // Carries are followed up to the first open bit and beyond it.
    let low = KnownBits { value: 0xff00, open: 0xf };
    assert_eq!(low.plus(KnownBits::exactly(0x10)), KnownBits { value: 0xff10, open: 0xf });
}

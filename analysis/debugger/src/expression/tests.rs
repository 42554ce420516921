//! Expressions on a made-up machine of four lanes.

use proptest::prelude::*;

use super::*;

/// Lane n holds n in `i`, n / 2 in `f`, and `f[k]` NaN where k is n.
fn register(lane: usize, reference: &Reference) -> Result<Value, ExpressionError> {
    let bits = |value: f32| Value::Bits(value.to_bits(), ValueKind::Float);
    match (&*reference.name, &reference.indices[..]) {
        ("i", []) => Ok(Value::Bits(lane as u32, ValueKind::Integer)),
        ("f", []) => Ok(bits(lane as f32 / 2.0)),
        ("f", [number]) if *number == lane as i64 => Ok(bits(f32::NAN)),
        ("f", [_]) => Ok(bits(1.0)),
        ("vec", []) => Ok(Value::Vector((0..4).map(|it| bits(it as f32)).collect())),
        (name, _) => Err(format!("there is no `{name}`").into()),
    }
}

fn context() -> Context<'static> {
    Context { lane: 2, active: 0b0111, register: &register }
}

fn value(text: &str) -> Result<Value, String> {
    let expression = Expression::parse(text).map_err(|error| error.0)?;
    expression.evaluate(&context()).map_err(|error| error.0)
}

#[test]
fn operators_have_their_precedence() {
    assert_eq!(value("1 + 2 * 3 == 7 && !(1 > 2)"), Ok(Value::Truth(true)));
    assert_eq!(value("7 & 3 | 8"), Ok(Value::Integer(11)));
    assert_eq!(value("1 << 3 - 1"), Ok(Value::Integer(4)));
    assert_eq!(value("-2 - -3"), Ok(Value::Integer(1)));
    assert_eq!(value("0x10 % 7"), Ok(Value::Integer(2)));
    assert_eq!(value("1.5e+1 / 2"), Ok(Value::Float(7.5)));
}

#[test]
fn bits_have_the_type_of_what_is_beside_them() {
    assert_eq!(value("f == 1.0"), Ok(Value::Truth(true)));
    assert_eq!(value("f == 0x3f800000"), Ok(Value::Truth(true)));
    assert_eq!(value("i + 1"), Ok(Value::Integer(3)));
    assert_eq!(value("f + f"), Ok(Value::Float(2.0)));
    assert_eq!(value("bits(f) >> 23"), Ok(Value::Integer(127)));
    assert_eq!(value("float(bits(1.0)) > 1.0e9"), Ok(Value::Truth(true)));
    assert_eq!(value("max(i, 1)"), Ok(Value::Bits(2, ValueKind::Integer)));
}

#[test]
fn lanes_are_asked_together() {
    assert_eq!(value("lane"), Ok(Value::Integer(2)));
    assert_eq!(value("any(isnan(f[1]))"), Ok(Value::Truth(true)));
    assert_eq!(value("any(isnan(f[3]))"), Ok(Value::Truth(false)), "lane 3 is not active");
    assert_eq!(value("count(i >= 1)"), Ok(Value::Integer(2)));
    assert_eq!(value("all(i < 3)"), Ok(Value::Truth(true)));
    assert_eq!(value("any(vec > 2.5)"), Ok(Value::Truth(true)));
    let first = |text: &str| {
        Expression::parse(text).expect("an expression").first_lane(&context()).expect("a value")
    };
    assert_eq!(first("f > 0.1 && lane != 1"), Some(2));
    assert_eq!(first("lane == 3"), None);
    // The side that has no value is not asked for.
    assert_eq!(value("lane == 2 || nothing"), Ok(Value::Truth(true)));
}

#[test]
fn mistakes_are_told() {
    let message = |text: &str| value(text).expect_err("a mistake");
    assert_eq!(message("1 +"), "a number, a register or a function is expected at the end");
    assert_eq!(message("(1"), "`)` is expected at the end");
    assert_eq!(message("1 2"), "`2`: an operator or the end is expected");
    assert_eq!(message("f.q"), "`.q`: components are x, y, z and w");
    assert_eq!(message("sin(1)").split(';').next(), Some("`sin` is not a function"));
    assert_eq!(message("min(1)"), "`min` takes two arguments");
    assert_eq!(message("q"), "there is no `q`");
    assert_eq!(message("1 / 0"), "a division by zero");
    assert_eq!(message("f & 1.0"), "an operator on bits takes integers; `bits(…)` makes one");
    assert_eq!(message("12ab"), "`12ab` is not a number");
    assert_eq!(message(&"(".repeat(999)), "more than 50 parts within each other");
    assert_eq!(message(&"-".repeat(999)), "more than 50 parts within each other");
    assert_eq!(message(&"1+".repeat(499)), "more than 50 parts within each other");
    assert_eq!(message(&"1".repeat(1001)), "an expression has at most 1000 characters");
}

proptest! {
    #[test]
    fn no_text_is_too_odd(text in "[-+*/%!~&|^<>=()\\[\\].,a-z0-9 é]{0,60}") {
        if let Ok(expression) = Expression::parse(&text) {
            let _ = expression.evaluate(&context());
        }
    }
}

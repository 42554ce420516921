//! The notation of the instruction set's formulas, evaluated: a second opinion on what
//! instructions compute, which shares nothing with the functions that execute them.
//!
//! Integers are exact until they are assigned, so carries need no rules of their own;
//! each operation on floats is rounded to their width. What is prose is refused.

use std::collections::BTreeMap;

use softfloat::{Rounding, from_half, to_half};

/// The error of a formula that is not evaluated: it has words that are not notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prose;

/// The values of names, as bits; after [`run`], their new ones.
pub(super) type Names = BTreeMap<String, u128>;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Integer(i128),
    Float(f64),
}

/// A number and the bits of its type, or of the part of a register that it is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Value {
    number: Number,
    width: u32,
}

fn integer(value: i128, width: u32) -> Value {
    Value { number: Number::Integer(value), width }
}

fn flag(value: bool) -> Value {
    integer(value.into(), 1)
}

/// A float as its width holds it.
fn float(value: f64, width: u32) -> Value {
    let value = match width {
        16 => from_half(to_half(value, Rounding::Nearest)).into(),
        32 => (value as f32).into(),
        _ => value,
    };
    Value { number: Number::Float(value), width }
}

impl Value {
    fn float(self) -> f64 {
        match self.number {
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        }
    }

    fn integer(self) -> Result<i128, Prose> {
        match self.number {
            Number::Integer(value) => Ok(value),
            Number::Float(_) => Err(Prose),
        }
    }

    fn is_float(self) -> bool {
        matches!(self.number, Number::Float(_))
    }

    fn truth(self) -> Result<bool, Prose> {
        Ok(self.integer()? != 0)
    }
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The letter and the bits of a type: `f64`, `u`.
fn type_of(word: &str) -> Result<(char, u32), Prose> {
    let mut letters = word.chars();
    let letter = letters.next().ok_or(Prose)?;
    let width = if letters.as_str().is_empty() { Ok(32) } else { letters.as_str().parse() };
    matches!(letter, 'f' | 'i' | 'u' | 'b')
        .then_some((letter, width.map_err(|_| Prose)?))
        .ok_or(Prose)
}

fn typed(bits: u128, letter: char, width: u32) -> Value {
    let bits = bits & mask(width);
    match (letter, width) {
        ('f', 16) => float(from_half(bits as u16).into(), 16),
        ('f', 32) => float(f32::from_bits(bits as u32).into(), 32),
        ('f', _) => float(f64::from_bits(bits as u64), 64),
        ('i', _) if width > 0 => integer((bits << (128 - width)) as i128 >> (128 - width), width),
        _ => integer(bits as i128, width),
    }
}

/// Tells whether a number is ones from its lowest bit on.
fn is_ones(value: i128) -> bool {
    value >= 0 && (value as u128 + 1).is_power_of_two()
}

/// The bits of a value in a type: integers wrap, floats become whole numbers that fit.
fn bits_of(value: Value, letter: char, width: u32) -> u128 {
    if letter == 'f' {
        let number = value.float();
        return match width {
            16 => to_half(number, Rounding::Nearest).into(),
            32 => (number as f32).to_bits().into(),
            _ => number.to_bits().into(),
        };
    }
    let exact = match value.number {
        Number::Integer(value) => value,
        Number::Float(value) if letter == 'i' => {
            let most = (1_i128 << (width - 1)) - 1;
            (value as i128).clamp(-most - 1, most)
        }
        Number::Float(value) => (value as i128).clamp(0, mask(width.min(64)) as i128),
    };
    exact as u128 & mask(width)
}

/// Runs the statements of a formula.
pub(super) fn run(formula: &str, names: &mut Names) -> Result<(), Prose> {
    let mut formula = formula.replace("MEM[ADDR]", "M");
    let zero_wins = formula.ends_with(", 0 × anything = 0");
    if zero_wins {
        formula.truncate(formula.len() - ", 0 × anything = 0".len());
    }
    if let Some(each) = formula.strip_prefix("for both halves: ") {
        return halves(each, names);
    }
    let mut last = None;
    for statement in formula.split("; ") {
        statement_of(statement, names, zero_wins, &mut last)?;
    }
    Ok(())
}

/// A statement for the lower and the upper half of all names.
fn halves(statement: &str, names: &mut Names) -> Result<(), Prose> {
    let target = stem(statement).to_owned();
    let mut whole = 0;
    for shift in [0, 16] {
        let mut own: Names =
            names.iter().map(|(name, bits)| (name.clone(), bits >> shift & 0xffff)).collect();
        statement_of(statement, &mut own, false, &mut None)?;
        whole |= (own.get(&target).ok_or(Prose)? & 0xffff) << shift;
    }
    let rest = names.get(&target).copied().unwrap_or(0) & !0xffff_ffff;
    names.insert(target, rest | whole);
    Ok(())
}

/// The last assignment: the exact value and the range of its type.
type Last = Option<(i128, char, u32)>;

fn statement_of(
    text: &str,
    names: &mut Names,
    zero_wins: bool,
    last: &mut Last,
) -> Result<(), Prose> {
    if let Some(rest) = text.strip_prefix("if (") {
        let (condition, then) = rest.split_once(") ").ok_or(Prose)?;
        let holds = Reader::new(condition, names, zero_wins).whole()?.truth()?;
        return if holds { statement_of(then, names, zero_wins, last) } else { Ok(()) };
    }
    let (target, expression) = text.split_once(" = ").ok_or(Prose)?;
    if target.contains(' ') {
        return Err(Prose);
    }
    // Bits that move from name to name, whatever they mean.
    if expression == "old" {
        let bits = *names.get("old").ok_or(Prose)?;
        names.insert(stem(target).to_owned(), bits);
        return Ok(());
    }
    if matches!(expression, "carry" | "borrow" | "overflow") {
        let (exact, letter, width) = last.ok_or(Prose)?;
        let signed = letter == 'i' || expression == "overflow";
        let (least, most) = match signed {
            true => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
            false => (0, mask(width) as i128),
        };
        names.insert(stem(target).to_owned(), (exact < least || exact > most).into());
        return Ok(());
    }
    let value = Reader::new(expression, names, zero_wins).whole()?;
    assign(target, value, names, last)
}

/// The name without what stands behind a point or a bracket.
fn stem(target: &str) -> &str {
    target.split(['.', '[']).next().unwrap_or(target)
}

fn assign(target: &str, value: Value, names: &mut Names, last: &mut Last) -> Result<(), Prose> {
    let name = stem(target).to_owned();
    let Some((before, ty)) = target.split_once('.') else {
        names.insert(name, bits_of(value, 'u', 128));
        return Ok(());
    };
    if before != name {
        return Err(Prose);
    }
    let Some((ty, part)) = ty.split_once('[') else {
        let (letter, width) = type_of(ty)?;
        if let Number::Integer(exact) = value.number {
            *last = Some((exact, letter, width));
        }
        names.insert(name, bits_of(value, letter, width));
        return Ok(());
    };
    let part = part.strip_suffix(']').ok_or(Prose)?;
    let (_, width) = type_of(ty)?;
    let numbers = part
        .split_once(':')
        .and_then(|(high, low)| Some((high.parse::<u32>().ok()?, low.parse::<u32>().ok()?)));
    let (high, low) = match numbers {
        Some(both) => both,
        None => {
            let place = Reader::new(part, names, false).whole()?.integer()? as u32;
            (place, place)
        }
    };
    let own = mask(high - low + 1) << low;
    let old = names.get(&name).copied().unwrap_or(0) & mask(width.max(32));
    let bits = bits_of(value, 'u', high - low + 1) << low;
    names.insert(name, old & !own | bits & own);
    Ok(())
}

/// Reads an expression and computes it on the way.
struct Reader<'a> {
    rest: &'a str,
    names: &'a Names,
    zero_wins: bool,
}

/// Operators of two operands, the loosest first; of those of one row the longest first.
const OPERATORS: [&[&str]; 9] = [
    &["||"],
    &["&&"],
    &["|"],
    &["&"],
    &["==", "!=", "<>"],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["×", "/"],
];

impl<'a> Reader<'a> {
    fn new(text: &'a str, names: &'a Names, zero_wins: bool) -> Reader<'a> {
        Reader { rest: text, names, zero_wins }
    }

    fn whole(mut self) -> Result<Value, Prose> {
        let value = self.choice()?;
        self.space();
        if self.rest.is_empty() { Ok(value) } else { Err(Prose) }
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, text: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &str) -> Result<(), Prose> {
        self.take(text).then_some(()).ok_or(Prose)
    }

    fn choice(&mut self) -> Result<Value, Prose> {
        let condition = self.operation(0)?;
        if !self.take("?") {
            return Ok(condition);
        }
        let yes = self.choice()?;
        self.expect(":")?;
        let no = self.choice()?;
        Ok(if condition.truth()? { yes } else { no })
    }

    fn operation(&mut self, level: usize) -> Result<Value, Prose> {
        let Some(operators) = OPERATORS.get(level) else { return self.power() };
        let mut left = self.operation(level + 1)?;
        loop {
            self.space();
            let found = operators.iter().find(|it| {
                let rest = self.rest.strip_prefix(**it);
                // A bar that begins a longer operator, or ends an absolute value, is none.
                rest.is_some_and(|rest| {
                    (**it != "|" || rest.starts_with(' ') && !rest.starts_with("|"))
                        && (**it != "&" || !rest.starts_with('&'))
                        && (!matches!(**it, "<" | ">") || !rest.starts_with(['<', '>']))
                })
            });
            let Some(operator) = found else { return Ok(left) };
            self.take(operator);
            let right = self.operation(level + 1)?;
            left = self.combined(left, operator, right)?;
        }
    }

    fn power(&mut self) -> Result<Value, Prose> {
        let left = self.one()?;
        if !self.take("^") {
            return Ok(left);
        }
        let right = self.power()?;
        match (left.number, right.is_float()) {
            (Number::Integer(2), true) if left.width == 0 => {
                Ok(float(right.float().exp2(), right.width))
            }
            // Of a number that is scaled: what counts is that it is exact.
            (Number::Integer(2), false) if left.width == 0 => {
                let exponent = right.integer()?.clamp(-1000, 1000) as i32;
                Ok(Value { number: Number::Float(2.0_f64.powi(exponent)), width: 0 })
            }
            _ => Ok(integer(left.integer()? ^ right.integer()?, left.width.max(right.width))),
        }
    }

    fn combined(&self, left: Value, operator: &str, right: Value) -> Result<Value, Prose> {
        let width = left.width.max(right.width);
        if left.is_float() || right.is_float() {
            let (a, b) = (left.float(), right.float());
            return Ok(match operator {
                "+" => float(a + b, width),
                "-" => float(a - b, width),
                "×" if self.zero_wins && (a == 0.0 || b == 0.0) => float(0.0, width),
                "×" => float(a * b, width),
                "/" => float(a / b, width),
                "==" => flag(a == b),
                "!=" => flag(a != b),
                "<>" => flag(a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_ne)),
                "<" => flag(a < b),
                "<=" => flag(a <= b),
                ">" => flag(a > b),
                ">=" => flag(a >= b),
                _ => return Err(Prose),
            });
        }
        let (a, b) = (left.integer()?, right.integer()?);
        Ok(match operator {
            "||" => flag(a != 0 || b != 0),
            "&&" => flag(a != 0 && b != 0),
            "|" => integer(a | b, width),
            // A mask of the lowest bits says how many count.
            "&" if right.width == 0 && is_ones(b) => {
                integer(a & b, 128 - (b as u128).leading_zeros())
            }
            "&" => integer(a & b, width),
            "==" => flag(a == b),
            "!=" => flag(a != b),
            "<" => flag(a < b),
            "<=" => flag(a <= b),
            ">" => flag(a > b),
            ">=" => flag(a >= b),
            "<<" => integer(((a as u128) << b) as i128, left.width),
            ">>" => integer(a >> b, left.width),
            "+" => integer(a.wrapping_add(b), width),
            "-" => integer(a.wrapping_sub(b), width),
            "×" => integer(a.wrapping_mul(b), width),
            _ => return Err(Prose),
        })
    }

    fn one(&mut self) -> Result<Value, Prose> {
        if self.take("!") {
            let value = self.one()?;
            return Ok(flag(!value.truth()?));
        }
        if self.take("~") {
            let value = self.one()?;
            return Ok(integer(!value.integer()?, value.width));
        }
        if self.take("(") {
            let value = self.choice()?;
            self.expect(")")?;
            return Ok(value);
        }
        if self.take("|") {
            let value = self.operation(7)?;
            self.expect("|")?;
            return Ok(integer(value.integer()?.abs(), value.width));
        }
        if self.take("{") {
            let mut all = 0;
            let mut width = 0;
            loop {
                let part = self.choice()?;
                let letter = if part.is_float() { 'f' } else { 'u' };
                all = all << part.width | bits_of(part, letter, part.width);
                width += part.width;
                if self.take("}") {
                    return Ok(integer(all as i128, width));
                }
                self.expect(",")?;
            }
        }
        self.name_or_number()
    }

    fn word(&mut self) -> &'a str {
        self.space();
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let length = self.rest.find(|letter| !is_word(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        word
    }

    fn name_or_number(&mut self) -> Result<Value, Prose> {
        let word = self.word();
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            if self.take("π") {
                let value = word.parse::<f64>().map_err(|_| Prose)? * std::f64::consts::PI;
                // Angles are not rounded before their function is taken.
                return Ok(Value { number: Number::Float(value), width: 64 });
            }
            if self.rest.starts_with('.') {
                let decimals = self.rest[1..].find(|it: char| !it.is_ascii_digit());
                let (after, rest) =
                    self.rest.split_at(decimals.map_or(self.rest.len(), |end| end + 1));
                self.rest = rest;
                let value = format!("{word}{after}").parse().map_err(|_| Prose)?;
                return Ok(Value { number: Number::Float(value), width: 0 });
            }
            let digits = word.strip_prefix("0x");
            let value = digits.map_or_else(|| word.parse(), |it| i128::from_str_radix(it, 16));
            return Ok(integer(value.map_err(|_| Prose)?, 0));
        }
        if self.rest.starts_with('(') {
            return self.function(word);
        }
        let mut name = word.to_owned();
        if self.take("[lane]") {
            return Ok(flag(self.names.get(&name).ok_or(Prose)? & 1 == 1));
        }
        for place in ["[0]", "[1]"] {
            if self.names.contains_key(&format!("{word}{place}")) && self.take(place) {
                name.push_str(place);
            }
        }
        let bits = *self.names.get(&name).ok_or(Prose)?;
        if !self.rest.starts_with('.') {
            let width = match word {
                "SCC" => 1,
                "SIMM16" => 16,
                _ => 64,
            };
            return Ok(typed(bits, 'u', width));
        }
        self.expect(".")?;
        let (letter, width) = type_of(self.word())?;
        if !self.rest.starts_with('[') {
            return Ok(typed(bits, letter, width));
        }
        self.expect("[")?;
        let high = self.choice()?.integer()? as u32;
        let low = if self.take(":") { self.choice()?.integer()? as u32 } else { high };
        self.expect("]")?;
        Ok(typed((bits & mask(width)) >> low, letter, high - low + 1))
    }

    fn function(&mut self, name: &str) -> Result<Value, Prose> {
        self.expect("(")?;
        let mut all = vec![self.choice()?];
        while self.take(",") {
            all.push(self.choice()?);
        }
        self.expect(")")?;
        match (name, &all[..]) {
            ("min" | "max", [a, b]) => Ok(extreme(name == "min", *a, *b)),
            ("clamp", [a, b, c]) => Ok(integer(a.integer()?.clamp(b.integer()?, c.integer()?), 8)),
            ("fma", [a, b, c]) if a.width == 32 => {
                let [a, b, c] = [a, b, c].map(|it| it.float() as f32);
                Ok(float(softfloat::fused_f32(a, b, c).into(), 32))
            }
            ("fma", [a, b, c]) => {
                Ok(float(softfloat::fused(a.float(), b.float(), c.float()), a.width))
            }
            (_, [a]) => function_of_one(name, *a),
            _ => Err(Prose),
        }
    }
}

fn extreme(least: bool, a: Value, b: Value) -> Value {
    let takes_first = match (a.number, b.number) {
        (Number::Integer(a), Number::Integer(b)) => (a < b) == least,
        _ => {
            let (x, y) = (a.float(), b.float());
            match () {
                () if x.is_nan() => false,
                () if y.is_nan() => true,
                () => (x.total_cmp(&y).is_lt()) == least,
            }
        }
    };
    if takes_first { a } else { b }
}

fn function_of_one(name: &str, a: Value) -> Result<Value, Prose> {
    let rounded = |function: fn(f64) -> f64| Ok(float(function(a.float()), a.width));
    match name {
        "signExtend" => {
            let bits = a.integer()? as u128;
            Ok(typed(bits, 'i', a.width))
        }
        "zeroExtend" => Ok(typed(a.integer()? as u128, 'u', a.width)),
        "convert" => Ok(a),
        "float" => Ok(Value { number: Number::Float(a.float()), width: 0 }),
        "int" => Ok(a),
        "isNaN" => Ok(flag(a.float().is_nan())),
        "roundUp" => rounded(f64::ceil),
        "roundDown" => rounded(f64::floor),
        "roundToZero" => rounded(f64::trunc),
        "roundToEven" => rounded(f64::round_ties_even),
        "sqrt" => rounded(f64::sqrt),
        "log2" => rounded(f64::log2),
        "sin" => rounded(f64::sin),
        "cos" => rounded(f64::cos),
        "countOnes" => Ok(integer((a.integer()? as u128 & mask(a.width)).count_ones().into(), 32)),
        "countZeros" => {
            let ones = (a.integer()? as u128 & mask(a.width)).count_ones();
            Ok(integer((a.width - ones).into(), 32))
        }
        "reverseBits" => {
            let bits = (a.integer()? as u128 & mask(a.width)).reverse_bits();
            Ok(integer((bits >> (128 - a.width)) as i128, a.width))
        }
        _ => Err(Prose),
    }
}

#[test]
fn the_notation_is_read_as_its_head_says() {
    let names: Names = [("S0", 0xffff_fff8_u128), ("S1", 3), ("S2", 0x3fc0_0000), ("SCC", 1)]
        .map(|(name, bits)| (name.to_owned(), bits))
        .into();
    for (formula, name, expected) in [
        ("D.u = S0.u + S1.u × 4; SCC = carry", "SCC", 1),
        ("D.i = S0.i + S1.i; SCC = overflow", "SCC", 0),
        ("D.i = |S0.i|; SCC = D.i != 0", "D", 8),
        ("D.u = (S0.u >> S1.u[4:0]) & ((1 << 4) - 1)", "D", 15),
        ("D.i = signExtend((S0.i >> S1.u[4:0]) & ((1 << 4) - 1))", "D", 0xffff_ffff),
        ("D.u = { S1.u[15:0], S0.u[15:0] }", "D", 0x3_fff8),
        ("D.f = S2.f × S2.f + S2.f", "D", 0x4070_0000),
        ("if (SCC) D.u = S1.u", "D", 3),
        ("D.u[S1.u[4:0]] = 1", "D", 8),
        ("D[lane] = !(S0.i < S1.i)", "D", 0),
        ("D.u = S0.u | S1.u & 1", "D", 0xffff_fff9),
        ("D.i = max(S0.i, S1.i)", "D", 3),
    ] {
        let mut own = names.clone();
        run(formula, &mut own).expect(formula);
        assert_eq!(own.get(name), Some(&expected), "{formula}");
    }
    assert_eq!(run("D.u = bits from the top", &mut names.clone()), Err(Prose));
}

//! Operands as they are written, before it is known which slots they fill.

use std::cell::Cell;
use std::ops::Range;

use super::constant::Encoded;
use super::cursor::Cursor;
use super::error::LineError;
use super::expression;
use super::form::SlotKind;
use super::modifier::{self, Flag, Key};
use super::register::Register;
use super::register_operand as register;
use super::special;
use crate::encoding::Encoding;
use crate::expression::Symbols;
use crate::{Target, codes};
use isa::gcn::Feature;

/// The value of an operand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    Register(Register),
    Integer(i64),
    Float(f64),
    /// A constant that its dialect has encoded already.
    Encoded(Encoded),
    /// A name or an expression with names whose value comes later.
    Unresolved,
    /// `key:value`, the value as the encoding has it.
    Keyed(Key, i64),
    /// A list after a key: its elements as bits, and their count.
    List(Key, u8, u8),
    /// A word that switches something on, or off with `no` before it.
    Flag(Flag, bool),
    /// `glc` and `slc` in any order.
    CachePolicy(u8),
}

impl Value {
    /// Tells whether it is an operand between commas, and no modifier behind them.
    pub(super) fn is_positional(self) -> bool {
        !matches!(
            self,
            Value::Keyed(..) | Value::List(..) | Value::Flag(..) | Value::CachePolicy(_)
        )
    }

    /// Returns its number, where it is an integer.
    pub(super) fn integer(self) -> Option<i64> {
        if let Value::Integer(value) = self { Some(value) } else { None }
    }

    /// Returns its number, where it is that of a key.
    pub(super) fn keyed(self, key: Key) -> Option<i64> {
        if let Value::Keyed(given, value) = self { (given == key).then_some(value) } else { None }
    }

    /// Returns its elements, where it is the list of a key.
    pub(super) fn list(self, key: Key) -> Option<u8> {
        if let Value::List(given, bits, _) = self { (given == key).then_some(bits) } else { None }
    }

    /// Tells whether a word is switched on, where it is that word.
    pub(super) fn flag(self, flag: Flag) -> Option<bool> {
        if let Value::Flag(given, on) = self { (given == flag).then_some(on) } else { None }
    }
}

/// An operand and its place in the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parsed {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) value: Value,
    pub(crate) negated: bool,
    pub(crate) absolute: bool,
    pub(crate) sign_extended: bool,
    /// Tells whether its registers are chosen by an allocator; their count is known.
    pub(crate) allocated: bool,
    /// Tells whether the constant is to follow the instruction, though it may have a code.
    pub(crate) literal: bool,
}

impl Parsed {
    pub(crate) fn has_modifiers(&self) -> bool {
        self.negated | self.absolute | self.sign_extended
    }

    /// Returns its registers, where it has some.
    pub(super) fn register(&self) -> Option<Register> {
        if let Value::Register(register) = self.value { Some(register) } else { None }
    }

    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// No instruction takes as many.
pub(crate) const MOST_OPERANDS: usize = 16;

/// The operands of a line.
#[derive(Debug, PartialEq)]
pub(crate) struct Operands {
    items: [Parsed; MOST_OPERANDS],
    count: usize,
}

pub(crate) const NOTHING: Parsed = Parsed {
    start: 0,
    end: 0,
    value: Value::Unresolved,
    negated: false,
    absolute: false,
    sign_extended: false,
    allocated: false,
    literal: false,
};

impl Operands {
    pub(crate) fn new() -> Operands {
        Operands { items: [NOTHING; MOST_OPERANDS], count: 0 }
    }

    pub(crate) fn as_slice(&self) -> &[Parsed] {
        &self.items[..self.count]
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [Parsed] {
        &mut self.items[..self.count]
    }

    pub(crate) fn push(&mut self, parsed: Parsed) -> Result<(), LineError> {
        let Some(place) = self.items.get_mut(self.count) else {
            return Err(LineError::new(
                codes::EXTRA_OPERAND,
                parsed.range(),
                "no instruction takes so many operands",
            ));
        };
        *place = parsed;
        self.count += 1;
        Ok(())
    }
}

/// The context of the reader of operands.
pub(crate) struct Context<'a> {
    pub(crate) target: Target,
    pub(crate) symbols: &'a dyn Symbols,
    /// The operands that are written in their own way, by place.
    pub(crate) special: [Option<(usize, SlotKind)>; 2],
    /// The encoding, some of whose words mean something else elsewhere.
    pub(crate) encoding: Encoding,
    /// The first number of the line that was cut to the bits of its field.
    pub(crate) cut: Cell<Option<CutNumber>>,
}

/// A number that was cut to the bits of its field, as CLRX does with a warning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CutNumber {
    /// Its bytes in the line.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The highest number that the field holds.
    pub(crate) highest: i64,
}

impl Context<'_> {
    /// Cuts a number to a field whose bits are those of `highest`, and remembers its place.
    pub(crate) fn cut(&self, value: i64, highest: i64, place: Range<usize>) -> i64 {
        if !(0..=highest).contains(&value) && self.cut.get().is_none() {
            self.cut.set(Some(CutNumber { start: place.start, end: place.end, highest }));
        }
        value & highest
    }
}

/// Reads the operands up to the end of the line. Commas between them may be left
/// out, as both references allow.
pub(crate) fn parse_operands(
    cursor: &mut Cursor<'_>,
    operands: &mut Operands,
) -> Result<(), LineError> {
    while !cursor.is_at_end() {
        let start = cursor.at;
        let special =
            cursor.context.special.iter().flatten().find(|(index, _)| *index == operands.count);
        let mut parsed = match special {
            Some((_, kind)) => {
                let value = special::parse(cursor, *kind)?;
                Parsed { value, ..NOTHING }
            }
            // Most operands are registers.
            None => match register::parse_plain(cursor) {
                Some(register) => Parsed { value: Value::Register(register), ..NOTHING },
                None => parse_operand(cursor)?,
            },
        };
        parsed.start = start as u32;
        parsed.end = cursor.at as u32;
        operands.push(parsed)?;
        cursor.take(b',');
    }
    Ok(())
}

fn parse_operand(cursor: &mut Cursor<'_>) -> Result<Parsed, LineError> {
    match cursor.peek() {
        byte if byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'.' | b'[') => {
            // In an image instruction `a16` is not an accumulation register.
            let is_a16 = byte == b'a' && cursor.context.encoding == Encoding::Mimg && {
                let mut ahead = *cursor;
                ahead.word() == "a16"
            };
            if is_a16 {
                return parse_word(cursor);
            }
            // Behind the operands of memory `scc` is a word of the cache policy.
            let is_policy = byte == b's' && is_behind_blank(cursor) && {
                let mut ahead = *cursor;
                ahead.word() == "scc"
            };
            if !is_policy && let Some(register) = register::parse(cursor)? {
                return Ok(Parsed { value: Value::Register(register), ..NOTHING });
            }
            parse_word(cursor)
        }
        b'-' => parse_minus(cursor),
        b'|' => parse_modified(cursor),
        _ => parse_number(cursor),
    }
}

/// Tells whether no comma stands before a word of an instruction of vector memory, on chips
/// that can name a scope of caches there.
fn is_behind_blank(cursor: &Cursor<'_>) -> bool {
    use Encoding::{Flat, Global, Mimg, Mtbuf, Mubuf, Scratch};
    let encoding = cursor.context.encoding;
    let is_memory = matches!(encoding, Mubuf | Mtbuf | Mimg | Flat | Global | Scratch);
    let before = cursor.text.get(..cursor.at).map_or("", str::trim_ascii_end);
    is_memory && cursor.context.target.has(Feature::Gfx90aInsts) && !before.ends_with(',')
}

fn parse_word(cursor: &mut Cursor<'_>) -> Result<Parsed, LineError> {
    let start = cursor.at;
    let word = cursor.word();
    let end = cursor.at;
    cursor.skip_blanks();
    match cursor.peek() {
        b'(' if matches!(word, "neg" | "abs" | "sext") => {
            cursor.at = start;
            return parse_modified(cursor);
        }
        b'(' if matches!(word, "lit" | "lit64") => {
            cursor.at += 1;
            let mut parsed = parse_number(cursor)?;
            // As in LLVM since version 21; those before write the short code all the same.
            parsed.literal = true;
            cursor.expect(b')', "the closing parenthesis of `lit` is missing")?;
            return Ok(parsed);
        }
        b':' => {
            // The other dialect's word for the offset of flat memory.
            let flat = matches!(
                cursor.context.encoding,
                Encoding::Flat | Encoding::Global | Encoding::Scratch
            );
            let word = if flat && word == "inst_offset" { "offset" } else { word };
            if let Some(key) = modifier::key(word) {
                cursor.at += 1;
                let value = modifier::parse_value(cursor, key)?;
                return Ok(Parsed { value, ..NOTHING });
            }
        }
        _ => {
            if let Some(movement) = modifier::bare_movement(word) {
                cursor.at = end;
                let value = Value::Keyed(Key::DppCtrl, movement);
                return Ok(Parsed { value, ..NOTHING });
            }
            if modifier::cache_policy(word).is_some() && !is_operator(cursor) {
                cursor.at = start;
                let bits = parse_cache_policy(cursor)?;
                return Ok(Parsed { value: Value::CachePolicy(bits), ..NOTHING });
            }
            if let Some((flag, on)) = modifier::flag(word)
                && !is_operator(cursor)
            {
                cursor.at = end;
                return Ok(Parsed { value: Value::Flag(flag, on), ..NOTHING });
            }
        }
    }
    // A symbol, perhaps the beginning of an expression.
    cursor.at = end;
    let first = cursor.context.symbols.value(word);
    let value = expression::continue_from(cursor, first)?;
    // Blanks before the next operand are not part of this one.
    let trimmed = cursor.text.get(..cursor.at).map_or(end, |text| text.trim_ascii_end().len());
    cursor.at = trimmed.max(end);
    Ok(Parsed { value: number(value), ..NOTHING })
}

/// Tells whether an expression goes on: `gds+4` is a symbol and no modifier.
fn is_operator(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.peek(), b'+' | b'-' | b'*')
        || (cursor.peek() == b'/' && !matches!(cursor.second(), b'/' | b'*'))
}

/// Reads the words of the cache policy, the first of which was looked at.
fn parse_cache_policy(cursor: &mut Cursor<'_>) -> Result<u8, LineError> {
    let (mut bits, mut seen) = (0, 0);
    loop {
        let end = cursor.at;
        let word = cursor.word();
        let Some((bit, on)) = modifier::cache_policy(word) else {
            cursor.at = end;
            return Ok(bits);
        };
        if seen & bit != 0 {
            let range = cursor.at - word.len()..cursor.at;
            return Err(LineError::new(codes::MODIFIER, range, format!("`{word}` is given twice")));
        }
        seen |= bit;
        bits |= if on { bit } else { 0 };
    }
}

/// `-` before a register, a magnitude, or a number.
fn parse_minus(cursor: &mut Cursor<'_>) -> Result<Parsed, LineError> {
    let mut ahead = *cursor;
    ahead.at += 1;
    ahead.skip_blanks();
    match ahead.peek() {
        b'-' => {
            return Err(LineError::new(
                codes::SYNTAX,
                cursor.at..ahead.at + 1,
                "two minus signs; `neg(…)` negates a negative number",
            ));
        }
        b'|' => return parse_modified(cursor),
        byte if byte.is_ascii_alphabetic() || byte == b'[' => {
            let word_start = ahead;
            let is_register = register::parse(&mut ahead)?.is_some();
            ahead = word_start;
            let is_magnitude = ahead.word() == "abs" && {
                ahead.skip_blanks();
                ahead.peek() == b'('
            };
            if is_register || is_magnitude {
                return parse_modified(cursor);
            }
        }
        _ => {}
    }
    parse_number(cursor)
}

/// `-`, `neg()`, `abs()`, `| |` and `sext()` around a register or number.
fn parse_modified(cursor: &mut Cursor<'_>) -> Result<Parsed, LineError> {
    let mut parsed = NOTHING;
    let mut to_close: [u8; 2] = [0; 2];
    let mut open = 0;
    loop {
        cursor.skip_blanks();
        let start = cursor.at;
        let closing = match cursor.peek() {
            b'-' if !parsed.has_modifiers() && is_sign_modifier(cursor) => {
                cursor.at += 1;
                parsed.negated = true;
                continue;
            }
            b'|' if !parsed.absolute && !parsed.sign_extended => {
                cursor.at += 1;
                parsed.absolute = true;
                b'|'
            }
            byte if byte.is_ascii_lowercase() => {
                let word = cursor.word();
                cursor.skip_blanks();
                let call = cursor.peek() == b'(';
                match word {
                    "neg" if call && !parsed.has_modifiers() => parsed.negated = true,
                    "abs" if call && !parsed.absolute && !parsed.sign_extended => {
                        parsed.absolute = true;
                    }
                    "sext" if call && !parsed.has_modifiers() => parsed.sign_extended = true,
                    _ => {
                        cursor.at = start;
                        break;
                    }
                }
                cursor.at += 1;
                b')'
            }
            _ => break,
        };
        if let Some(place) = to_close.get_mut(open) {
            *place = closing;
        }
        open += 1;
        if open == to_close.len() {
            break;
        }
    }
    cursor.skip_blanks();
    let bars = to_close.contains(&b'|');
    parsed.value = match register::parse(cursor)? {
        Some(register) => Value::Register(register),
        None if bars => parse_primary(cursor)?,
        None => parse_number(cursor)?.value,
    };
    for closing in to_close[..open].iter().rev() {
        let what = if *closing == b'|' {
            "the closing `|` is missing"
        } else {
            "a closing parenthesis is missing"
        };
        cursor.expect(*closing, what)?;
    }
    Ok(parsed)
}

/// Tells whether the minus at the cursor belongs to a register or magnitude.
fn is_sign_modifier(cursor: &Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    ahead.at += 1;
    ahead.skip_blanks();
    ahead.peek() == b'|' || ahead.peek() == b'[' || ahead.peek().is_ascii_alphabetic()
}

/// A number without operators, since `|` ends it.
fn parse_primary(cursor: &mut Cursor<'_>) -> Result<Value, LineError> {
    let negative = cursor.take(b'-');
    cursor.skip_blanks();
    if let Some(value) = expression::float(cursor) {
        return Ok(Value::Float(if negative { -value } else { value }));
    }
    let value = expression::primary(cursor)?;
    Ok(match number(value) {
        Value::Integer(value) if negative => Value::Integer(value.wrapping_neg()),
        value => value,
    })
}

fn parse_number(cursor: &mut Cursor<'_>) -> Result<Parsed, LineError> {
    cursor.skip_blanks();
    if let Some(value) = expression::plain_number(cursor) {
        return Ok(Parsed { value: Value::Integer(value), ..NOTHING });
    }
    let start = cursor.at;
    let negative = cursor.take(b'-');
    cursor.skip_blanks();
    if let Some(value) = expression::float(cursor) {
        let value = Value::Float(if negative { -value } else { value });
        return Ok(Parsed { value, ..NOTHING });
    }
    cursor.at = start;
    let value = expression::trimmed(cursor)?;
    Ok(Parsed { value: number(value), ..NOTHING })
}

/// The value of an expression, `None` for one that comes later.
pub(super) fn number(value: Option<i64>) -> Value {
    value.map_or(Value::Unresolved, Value::Integer)
}

//! Forms of operands that only the first years had, in the words that extend those of
//! registers: complement, bias, scale and signs, constants in a swizzle, factors of a result and
//! conditions. Text of 2008 has a spelling for each.

use source::TextRange;

use super::{Codec, Result, Token, numbers};
use crate::ast::{Component, HistoricForm, Source, Swizzle};
use crate::words::Modifier;

/// The condition that is always true, which new condition words are filled
/// with. The enumerators were renumbered once, without a trace in the version.
const ALWAYS: [u32; 2] = [6, 7];

/// The divisor that is one.
const DIVIDE_BY_ONE: u32 = 5;

/// Components of an extended swizzle by their numbers.
const LETTERS: [char; 6] = ['X', 'Y', 'Z', 'W', '0', '1'];

/// Factors of a result by their numbers.
const FACTORS: [&str; 7] = ["_1X", "_2X", "_4X", "_8X", "_D2", "_D4", "_D8"];

/// The historic forms of one operand.
pub(super) struct Forms<'a> {
    /// The number of the operand, destinations counted first.
    pub(super) operand: usize,
    /// The forms of the whole instruction that are to be written.
    pub(super) given: &'a [HistoricForm],
    /// The forms of the whole instruction that its words have.
    pub(super) found: &'a mut Vec<HistoricForm>,
}

impl<'a> Forms<'a> {
    /// The form of a kind that is to be written.
    pub(super) fn given(&self, kind: Modifier) -> Option<&'a HistoricForm> {
        self.given.iter().find(|form| form.operand == self.operand && form.kind == kind)
    }

    /// The form whose spelling has the signs of a source.
    pub(super) fn given_signs(&self) -> Option<&'a HistoricForm> {
        let kinds = [Modifier::Complement, Modifier::Bias, Modifier::Scale, Modifier::Group];
        kinds.into_iter().find_map(|kind| self.given(kind))
    }

    fn find(&mut self, kind: Modifier, range: TextRange, spelling: String) {
        let operand = self.operand;
        self.found.push(HistoricForm { range, operand, kind, spelling });
    }
}

/// Returns the factor that a result is multiplied by.
pub(super) fn factor(codec: &mut impl Codec, word: &Token, forms: &mut Forms<'_>) -> Result<()> {
    let given = forms.given(Modifier::Factor);
    let number = given.and_then(|form| FACTORS.iter().position(|it| *it == form.spelling));
    let number = codec.number(word, "Modulate", number.unwrap_or(0) as u32)?;
    match FACTORS.get(number as usize) {
        None => codec.error(word, format!("{number} is the number of no factor")),
        Some(_) if number == 0 => {}
        Some(spelling) => {
            codec.explain(word, || (*spelling).to_owned());
            forms.find(Modifier::Factor, word.range, (*spelling).to_owned());
        }
    }
    Ok(())
}

/// Returns the condition under which components of a result are written: `EQ1.xyww`.
pub(super) fn condition(codec: &mut impl Codec, word: &Token, forms: &mut Forms<'_>) -> Result<()> {
    let given = forms.given(Modifier::ConditionCode).map(|form| form.spelling.as_str());
    let (code, letters) = given.and_then(|it| it.split_once('.')).unwrap_or(("TR", "xyzw"));
    let test = code.trim_end_matches(|it: char| it.is_ascii_digit());
    let register = code[test.len()..].parse().unwrap_or(0);
    let number = match numbers::number(codec.layout(), numbers::CONDITIONS, test) {
        Some(number) => number,
        None if test == "TR" => ALWAYS[0],
        None => {
            let layout = codec.layout();
            let message = format!("the tokens of {layout} have no sure number for `{test}`");
            return Err(codec.stop(word, message));
        }
    };
    let number = codec.number(word, "CondMask", number)?;
    let mut swizzle = Swizzle::IDENTITY.0;
    for (slot, letter) in swizzle.iter_mut().zip(letters.chars()) {
        *slot = Component::from_letter(letter).unwrap_or(*slot);
    }
    let names = ["CondSwizzleX", "CondSwizzleY", "CondSwizzleZ", "CondSwizzleW"];
    let swizzle = codec.components(word, names, swizzle)?;
    let register = codec.number(word, "CondSrcIndex", register)?;
    if ALWAYS.contains(&number) {
        return Ok(());
    }
    let Some(test) = numbers::word(codec.layout(), numbers::CONDITIONS, number) else {
        codec.error(word, format!("{number} is the number of no condition"));
        return Ok(());
    };
    let register = if register == 0 { String::new() } else { register.to_string() };
    let letters: String = swizzle.into_iter().map(Component::letter).collect();
    let spelling = format!("{test}{register}.{letters}");
    codec.explain(word, || format!("({spelling})"));
    forms.find(Modifier::ConditionCode, word.range, spelling);
    Ok(())
}

/// Returns the components that a source reads, of those of its own word: a number stands for
/// one of these, or for a constant, and each has a sign.
pub(super) fn extended_swizzle(
    codec: &mut impl Codec,
    word: &Token,
    own: Swizzle,
    forms: &mut Forms<'_>,
) -> Result<Swizzle> {
    let given = forms.given(Modifier::ExtendedSwizzle).map_or("XYZW", |form| &form.spelling);
    let (mut components, mut signs) = ([0; 4], [0; 4]);
    let mut place = 0;
    for letter in given.chars().filter(|letter| *letter != '-').take(4) {
        let number = LETTERS.iter().position(|it| *it == letter).unwrap_or(0);
        components[place] = number as u32;
        place += 1;
    }
    place = 0;
    for letter in given.chars() {
        match letter {
            '-' => signs[place & 3] = 1,
            _ => place += 1,
        }
    }
    let names = ["ExtSwizzleX", "ExtSwizzleY", "ExtSwizzleZ", "ExtSwizzleW"];
    let components = codec.numbers(word, names, components)?;
    let signs = codec.numbers(word, ["NegateX", "NegateY", "NegateZ", "NegateW"], signs)?;
    let divides = codec.has(word, "ExtDivide")
        && codec.number(word, "ExtDivide", DIVIDE_BY_ONE)? != DIVIDE_BY_ONE;
    if divides {
        codec.lost(word, "division by a component");
    }
    if components.iter().any(|number| *number as usize >= LETTERS.len()) {
        codec.error(word, "a component of the extended swizzle is none".to_owned());
        return Ok(own);
    }
    let read = |number: u32| *own.0.get(number as usize).unwrap_or(&Component::X);
    let swizzle = Swizzle(components.map(read));
    let mut spelling = String::new();
    for (number, sign) in components.into_iter().zip(signs) {
        if sign != 0 {
            spelling.push('-');
        }
        spelling.push(if number > 3 { LETTERS[number as usize] } else { read(number).letter() });
    }
    let spelling = spelling.to_ascii_uppercase();
    codec.explain(word, || format!(".{}", spelling.to_ascii_lowercase()));
    if spelling.contains(['-', '0', '1']) {
        forms.find(Modifier::ExtendedSwizzle, word.range, spelling);
    }
    Ok(swizzle)
}

/// The signs before a register, as two words have them: from the outside to the inside
/// `-(|2*((1-(-REGISTER))-0.5)|)`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signs {
    pub(super) outer: bool,
    pub(super) absolute: bool,
    pub(super) scale: bool,
    pub(super) bias: bool,
    pub(super) complement: bool,
    pub(super) inner: bool,
}

impl Signs {
    /// The signs of a source to be written, all but the absolute value and sign of words that
    /// have them both.
    pub(super) fn of(
        codec: &mut impl Codec,
        word: &Token,
        source: &Source,
        forms: &Forms<'_>,
    ) -> Result<Signs> {
        if let Some(form) = forms.given_signs() {
            return Signs::read(&form.spelling).ok_or_else(|| {
                let message = "words of 2007 complement first, then bias, then scale".to_owned();
                codec.stop(&Token { range: form.range, ..*word }, message)
            });
        }
        if source.absolute && !codec.has(word, "Absolute") {
            return Ok(Signs { absolute: true, outer: source.negate, ..Signs::default() });
        }
        Ok(Signs { inner: source.negate, ..Signs::default() })
    }

    /// Reads the signs of a spelling; nothing where they stand in another order.
    fn read(spelling: &str) -> Option<Signs> {
        let mut rest = spelling;
        let mut has = |sign: &str| match rest.strip_prefix(sign) {
            Some(after) => {
                rest = after;
                true
            }
            None => false,
        };
        let signs = Signs {
            outer: has("-("),
            absolute: has("|"),
            scale: has("2*("),
            bias: has("("),
            complement: has("1-("),
            inner: has("-"),
        };
        rest.is_empty().then_some(signs)
    }

    /// Tells whether they need a word of their own.
    pub(super) fn extend(self) -> bool {
        self != Signs { inner: self.inner, ..Signs::default() }
    }

    /// The signs of the word that has all but the inner one.
    pub(super) fn word(self, codec: &mut impl Codec, word: &Token) -> Result<Signs> {
        let names = ["Complement", "Bias", "Scale2X", "Absolute", "Negate"];
        let given = [self.complement, self.bias, self.scale, self.absolute, self.outer];
        let [complement, bias, scale, absolute, outer] =
            codec.numbers(word, names, given.map(u32::from))?.map(|bit| bit != 0);
        Ok(Signs { outer, absolute, scale, bias, complement, inner: false })
    }

    /// Tells whether the value that is read is the opposite, where nothing else changes it: a
    /// sign within the bars counts for nothing.
    pub(super) fn negate(self) -> bool {
        self.outer != (self.inner && !self.absolute)
    }

    /// Adds the forms that a source needs beside a sign and bars of today.
    pub(super) fn find(self, range: TextRange, forms: &mut Forms<'_>) {
        let kinds = [
            (self.complement, Modifier::Complement),
            (self.bias, Modifier::Bias),
            (self.scale, Modifier::Scale),
        ];
        let mut kinds: Vec<Modifier> =
            kinds.into_iter().filter_map(|(is, kind)| is.then_some(kind)).collect();
        // A sign directly within the bars counts for nothing.
        let is_of_today = if self.absolute { !(self.inner && self.outer) } else { !self.outer };
        if kinds.is_empty() && !is_of_today {
            kinds.push(Modifier::Group);
        }
        let signs = [
            (self.outer, "-("),
            (self.absolute, "|"),
            (self.scale, "2*("),
            (self.bias, "("),
            (self.complement, "1-("),
            (self.inner, "-"),
        ];
        let spelling: String =
            signs.into_iter().filter_map(|(is, sign)| is.then_some(sign)).collect();
        for kind in kinds {
            forms.find(kind, range, spelling.clone());
        }
    }
}

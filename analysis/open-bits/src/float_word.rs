//! Words as floats: flushed or not, zeros and NaN of any kind, and their signs.

use crate::float_order::{is_denormal, is_nan, is_zero};
use crate::known_bits::KnownBits;
use crate::rule::{Rule, Rules};
use crate::word::{INFINITY, MINUS_ZERO, Set, Word};

impl Word {
    /// The floats, and zero where a denormal among them may become one.
    #[must_use]
    pub fn flushable(&self) -> Word {
        if self.bits().is_some_and(|bits| !is_denormal(bits)) {
            return self.clone();
        }
        let rule = Rules::of(Rule::Denormal);
        if let Some((mut values, nan)) = self.listed() {
            let zeros: Vec<u32> =
                values.iter().filter(|it| is_denormal(**it)).map(|it| it & MINUS_ZERO).collect();
            if zeros.is_empty() {
                return self.clone();
            }
            values.extend(zeros);
            return Word::merged(values, nan, self.rules.plus(rule));
        }
        // Of known bits those that a denormal has may be those of a zero, too.
        if let Set::Bits(bits) = &self.set
            && bits.holds(bits.value & MINUS_ZERO)
        {
            return self.clone();
        }
        let Some((least, greatest, nan)) = self.floats() else { return self.clone() };
        let [mut low, mut high] = [least, greatest];
        if is_denormal(least) && least >> 31 == 0 {
            low = 0;
        }
        if is_denormal(greatest) && greatest >> 31 == 1 {
            high = MINUS_ZERO;
        }
        // Of known bits zero need not be one, although it lies between.
        let tiny = matches!(&self.set, Set::Bits(bits) if bits.value & INFINITY == 0);
        match tiny || (low, high) != (least, greatest) {
            true => Word::between(low, high, nan, self.rules.plus(rule)),
            false => self.clone(),
        }
    }

    /// The floats, and the zero of the other sign where there is one among them.
    #[must_use]
    pub fn either_zero(&self) -> Word {
        if self.bits().is_some_and(|bits| !is_zero(bits)) {
            return self.clone();
        }
        let rules = self.rules.with(Rule::ZeroSign);
        if let Some((mut values, nan)) = self.listed() {
            if !values.iter().any(|it| is_zero(*it)) {
                return self.clone();
            }
            values.extend([0, MINUS_ZERO]);
            return Word::merged(values, nan, rules);
        }
        match self.floats() {
            Some((0, greatest, nan)) => Word::between(MINUS_ZERO, greatest, nan, rules),
            Some((least, MINUS_ZERO, nan)) => Word::between(least, 0, nan, rules),
            _ => self.clone(),
        }
    }

    /// The floats, and every NaN where one is among them.
    #[must_use]
    pub fn any_payload(&self) -> Word {
        let rules = self.rules.with(Rule::NanPayload);
        match &self.set {
            Set::One(bits) if is_nan(*bits) => Word::of_floats(vec![*bits], rules),
            Set::Few { values, .. } if values.iter().any(|it| is_nan(*it)) => {
                let values = values.to_vec();
                Word::of_floats(values, rules)
            }
            _ => self.clone(),
        }
    }

    /// The words with their sign bits changed: cleared or turned, all alike.
    #[must_use]
    pub fn map_sign(&self, change: impl Fn(u32) -> u32) -> Word {
        match &self.set {
            Set::One(bits) => Word::exactly(change(*bits)),
            Set::Few { values, nan } => {
                let values = values.iter().map(|it| change(*it)).collect();
                Word::merged(values, *nan, self.rules)
            }
            Set::Floats { least, greatest, nan } => {
                let mut ends = vec![change(*least), change(*greatest)];
                if least >> 31 != greatest >> 31 {
                    ends.extend([change(0), change(MINUS_ZERO)]);
                }
                Word::spanned(&ends, *nan, self.rules)
            }
            Set::Bits(bits) => {
                let open_sign = bits.open & MINUS_ZERO;
                let [one, two] = [bits.value, bits.value | open_sign]
                    .map(|it| KnownBits { value: change(it), open: bits.open & !MINUS_ZERO });
                Word::known(one.join(two), self.rules)
            }
        }
    }
}

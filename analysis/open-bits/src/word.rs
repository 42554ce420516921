//! The words that a result may be.

use crate::float_order::{float_key, from_key, is_nan};
use crate::known_bits::KnownBits;
use crate::rule::{Rule, Rules};

/// Words that are listed one by one, at most.
pub(crate) const FEW: usize = 16;

pub(crate) const INFINITY: u32 = 0x7f80_0000;
pub(crate) const MINUS_ZERO: u32 = 0x8000_0000;
/// The NaNs of both signs.
const NANS: f64 = 2.0 * 8_388_607.0;

/// The words that a result may be, and why they are more than one.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    pub(crate) set: Set,
    pub(crate) rules: Rules,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Set {
    One(u32),
    /// Words in their order, and every NaN where `nan` is set.
    Few {
        values: Box<[u32]>,
        nan: bool,
    },
    /// All floats between two, by the order of [`float_key`], and every NaN where `nan` is set.
    Floats {
        least: u32,
        greatest: u32,
        nan: bool,
    },
    Bits(KnownBits),
}

impl Default for Word {
    fn default() -> Word {
        Word::exactly(0)
    }
}

impl Word {
    /// One word.
    pub const fn exactly(bits: u32) -> Word {
        Word { set: Set::One(bits), rules: Rules::NONE }
    }

    /// Any word.
    pub fn any(rules: Rules) -> Word {
        Word { set: Set::Bits(KnownBits::ANY), rules }
    }

    /// Words with known bits.
    pub fn known(bits: KnownBits, rules: Rules) -> Word {
        match bits.open {
            0 => Word::exactly(bits.value),
            _ => Word { set: Set::Bits(bits), rules },
        }
    }

    /// These words: all of them where they are few, else those with the bits that all have.
    pub fn of_bits(values: Vec<u32>, rules: Rules) -> Word {
        Word::of_set(values, false, rules).unwrap_or_else(|values| {
            let joined = values.iter().map(|it| KnownBits::exactly(*it)).reduce(KnownBits::join);
            Word::known(joined.unwrap_or(KnownBits::ANY), rules)
        })
    }

    /// These floats, of which a NaN stands for all: all of them where they are few, else the
    /// interval that they span.
    pub fn of_floats(values: Vec<u32>, rules: Rules) -> Word {
        let nan = values.iter().any(|it| is_nan(*it));
        let rules = if nan { rules.with(Rule::NanPayload) } else { rules };
        let numbers: Vec<u32> = values.into_iter().filter(|it| !is_nan(*it)).collect();
        Word::of_set(numbers, nan, rules)
            .unwrap_or_else(|values| Word::spanned(&values, nan, rules))
    }

    /// The interval that floats span.
    pub fn spanned(numbers: &[u32], nan: bool, rules: Rules) -> Word {
        let keys = || numbers.iter().filter(|it| !is_nan(**it)).map(|it| float_key(*it));
        let nan = nan || numbers.iter().any(|it| is_nan(*it));
        match keys().min().zip(keys().max()) {
            Some((least, greatest)) => {
                Word::between(from_key(least), from_key(greatest), nan, rules)
            }
            None => Word::of_set(Vec::new(), nan, rules).unwrap_or_default(),
        }
    }

    /// All floats from one to another.
    pub(crate) fn between(least: u32, greatest: u32, nan: bool, rules: Rules) -> Word {
        let count = float_key(greatest).saturating_sub(float_key(least)) as usize;
        if count < FEW {
            let values = (float_key(least)..=float_key(greatest)).map(from_key).collect();
            return Word::of_set(values, nan, rules).unwrap_or_default();
        }
        Word { set: Set::Floats { least, greatest, nan }, rules }
    }

    fn of_set(mut values: Vec<u32>, nan: bool, rules: Rules) -> Result<Word, Vec<u32>> {
        values.sort_unstable();
        values.dedup();
        match (&values[..], nan) {
            ([one], false) => Ok(Word::exactly(*one)),
            _ if values.len() <= FEW => {
                Ok(Word { set: Set::Few { values: values.into(), nan }, rules })
            }
            _ => Err(values),
        }
    }

    /// Returns the word, where there is one only.
    pub fn bits(&self) -> Option<u32> {
        match self.set {
            Set::One(bits) => Some(bits),
            _ => None,
        }
    }

    /// The rules by which there is more than one; none of a single word.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The same words, by these rules too.
    #[must_use]
    pub fn by(mut self, rules: Rules) -> Word {
        if self.bits().is_none() {
            self.rules = self.rules.plus(rules);
        }
        self
    }

    /// Tells whether a word is among them.
    pub fn holds(&self, word: u32) -> bool {
        match &self.set {
            Set::One(bits) => *bits == word,
            Set::Few { values, nan } => values.binary_search(&word).is_ok() || *nan && is_nan(word),
            Set::Floats { nan, .. } if is_nan(word) => *nan,
            Set::Floats { least, greatest, .. } => {
                (float_key(*least)..=float_key(*greatest)).contains(&float_key(word))
            }
            Set::Bits(bits) => bits.holds(word),
        }
    }

    /// Returns how many bits are open: the logarithm of the number of words.
    pub fn open_bits(&self) -> f64 {
        let and_nan = |count: f64, nan: bool| count + if nan { NANS } else { 0.0 };
        match &self.set {
            Set::One(_) => 0.0,
            Set::Few { values, nan } => and_nan(values.len() as f64, *nan).log2(),
            Set::Floats { least, greatest, nan } => {
                and_nan(f64::from(float_key(*greatest) - float_key(*least)) + 1.0, *nan).log2()
            }
            Set::Bits(bits) => f64::from(bits.open.count_ones()),
        }
    }

    /// Tells whether both are the same words, by whatever rules.
    pub fn is_same(&self, other: &Word) -> bool {
        self.set == other.set
    }

    /// Tells whether all that is known is that it is a word.
    pub fn is_any(&self) -> bool {
        matches!(self.set, Set::Bits(KnownBits::ANY))
    }

    /// The words of both.
    #[must_use]
    pub fn join(&self, other: &Word) -> Word {
        if self.set == other.set {
            return self.clone().by(other.rules);
        }
        let rules = self.rules.plus(other.rules);
        match (self.listed(), other.listed()) {
            (Some((mut one, first)), Some((two, second))) => {
                one.extend(two);
                let nan = first || second;
                let floats = nan || one.len() > FEW;
                Word::of_set(one, nan, rules).unwrap_or_else(|values| match floats && nan {
                    true => Word::spanned(&values, nan, rules),
                    false => Word::of_bits(values, rules),
                })
            }
            _ if self.is_float() || other.is_float() => match (self.floats(), other.floats()) {
                (Some(one), Some(two)) => {
                    Word::spanned(&[one.0, one.1, two.0, two.1], one.2 || two.2, rules)
                }
                _ => Word::known(self.known_bits().join(other.known_bits()), rules),
            },
            _ => Word::known(self.known_bits().join(other.known_bits()), rules),
        }
    }

    fn is_float(&self) -> bool {
        matches!(self.set, Set::Floats { .. })
    }

    /// Returns the words and whether every NaN is among them, where the others can be listed.
    pub(crate) fn listed(&self) -> Option<(Vec<u32>, bool)> {
        match &self.set {
            Set::One(bits) => Some((vec![*bits], false)),
            Set::Few { values, nan } => Some((values.to_vec(), *nan)),
            Set::Bits(bits) if bits.open.count_ones() <= 4 => Some((bits.words().collect(), false)),
            _ => None,
        }
    }

    /// Returns the ends of the interval of numbers that they hold, where they are one.
    pub fn interval(&self) -> Option<(f32, f32)> {
        match &self.set {
            Set::Floats { .. } | Set::Bits(_) => self
                .floats()
                .map(|(least, greatest, _)| (f32::from_bits(least), f32::from_bits(greatest))),
            _ => None,
        }
    }

    /// Tells whether they are listed, each number for itself.
    pub fn is_listed(&self) -> bool {
        match &self.set {
            Set::One(_) | Set::Few { .. } => true,
            Set::Floats { .. } => false,
            Set::Bits(bits) => bits.open.count_ones() <= 4,
        }
    }

    /// The words as bits: where every NaN is among them, those with the bits that all have.
    #[must_use]
    pub fn as_bits(&self) -> Word {
        match &self.set {
            Set::Few { nan: true, .. } | Set::Floats { .. } => {
                Word::known(self.known_bits(), self.rules)
            }
            _ => self.clone(),
        }
    }

    /// Returns all words, where they are no more than so many and none stands for all NaNs.
    pub fn members(&self, most: usize) -> Option<Vec<u32>> {
        match &self.set {
            Set::Bits(bits)
                if bits.open.count_ones() < usize::BITS && 1 << bits.open.count_ones() <= most =>
            {
                Some(bits.words().collect())
            }
            _ => {
                let listed = self.listed().filter(|(values, nan)| !nan && values.len() <= most);
                listed.map(|(values, _)| values)
            }
        }
    }

    /// Returns the least and the greatest number that they hold as floats, and whether they hold
    /// a NaN; `None` where there is no number among them.
    pub(crate) fn floats(&self) -> Option<(u32, u32, bool)> {
        let of = |numbers: &[u32], nan: bool| {
            let keys = || numbers.iter().filter(|it| !is_nan(**it)).map(|it| float_key(*it));
            let nan = nan || numbers.iter().any(|it| is_nan(*it));
            Some((from_key(keys().min()?), from_key(keys().max()?), nan))
        };
        match &self.set {
            Set::One(bits) => of(&[*bits], false),
            Set::Few { values, nan } => of(values, *nan),
            Set::Floats { least, greatest, nan } => Some((*least, *greatest, *nan)),
            Set::Bits(bits) => {
                // Of each sign that is possible the smallest and the largest magnitude.
                let magnitudes =
                    KnownBits { value: bits.value & !MINUS_ZERO, open: bits.open & !MINUS_ZERO };
                let nan = magnitudes.greatest() > INFINITY;
                let least = magnitudes.least();
                if least > INFINITY {
                    return None;
                }
                let most = magnitudes.greatest().min(INFINITY);
                let signs = [0, MINUS_ZERO]
                    .into_iter()
                    .filter(|sign| bits.open & MINUS_ZERO != 0 || bits.value & MINUS_ZERO == *sign);
                let ends: Vec<u32> = signs.flat_map(|sign| [least | sign, most | sign]).collect();
                of(&ends, nan)
            }
        }
    }

    /// Returns the bits that all of them have.
    pub fn known_bits(&self) -> KnownBits {
        let nans = KnownBits { value: INFINITY, open: !INFINITY };
        let with = |bits: Option<KnownBits>, nan: bool| match (bits, nan) {
            (Some(bits), true) => bits.join(nans),
            (Some(bits), false) => bits,
            (None, _) => nans,
        };
        match &self.set {
            Set::One(bits) => KnownBits::exactly(*bits),
            Set::Few { values, nan } => {
                let all = values.iter().map(|it| KnownBits::exactly(*it));
                with(all.reduce(KnownBits::join), *nan)
            }
            // Of both signs nothing is known but by the magnitudes, which begin at 0.
            Set::Floats { least, greatest, nan } => {
                let bits = match (least >> 31, greatest >> 31) {
                    (1, 0) => KnownBits::between(0, (least & !MINUS_ZERO).max(*greatest))
                        .join(KnownBits { value: 0, open: MINUS_ZERO }),
                    _ => KnownBits::between(*least, *greatest),
                };
                with(Some(bits), *nan)
            }
            Set::Bits(bits) => *bits,
        }
    }

    pub(crate) fn merged(values: Vec<u32>, nan: bool, rules: Rules) -> Word {
        Word::of_set(values, nan, rules).unwrap_or_else(|values| Word::spanned(&values, nan, rules))
    }

    /// Returns whether something holds of any of the words, and whether it fails of any. The
    /// condition may change at zero and at NaN, and is else the same between two floats.
    pub fn outcomes(&self, holds: impl Fn(u32) -> bool) -> [bool; 2] {
        let points = crate::Points::of(self, &[]);
        let all = || points.values.iter().map(|it| holds(*it));
        [all().any(|it| it), all().any(|it| !it)]
    }
}

impl KnownBits {
    /// The words, where few bits are open.
    fn words(self) -> impl Iterator<Item = u32> {
        let places: Vec<u32> = (0..32).filter(|bit| self.open >> bit & 1 == 1).collect();
        (0..1_u32 << places.len()).map(move |number| {
            let set = places.iter().enumerate().filter(|(place, _)| number >> place & 1 == 1);
            set.fold(self.value, |word, (_, bit)| word | 1 << bit)
        })
    }
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let float = |bits: u32| f32::from_bits(bits);
        match &self.set {
            Set::One(bits) => write!(f, "{bits:#010x}")?,
            Set::Few { values, nan } => {
                let mut all: Vec<String> = values.iter().map(|it| format!("{it:#010x}")).collect();
                all.extend(nan.then(|| "any NaN".to_owned()));
                write!(f, "{}", all.join(" or "))?;
            }
            Set::Floats { least, greatest, nan } => {
                write!(f, "{:?} to {:?}", float(*least), float(*greatest))?;
                if *nan {
                    write!(f, " or any NaN")?;
                }
            }
            Set::Bits(KnownBits::ANY) => write!(f, "any word")?,
            Set::Bits(bits) => {
                write!(f, "{:#010x} with the bits {:#010x} open", bits.value, bits.open)?
            }
        }
        match self.rules {
            Rules::NONE => Ok(()),
            rules => write!(f, " (open by {rules})"),
        }
    }
}

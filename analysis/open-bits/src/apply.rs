//! Functions on sets: evaluated where they can be largest, smallest or change.
//!
//! Of a listed set every member is tried. Of an interval its ends, zero inside of it and the
//! places that the caller names: that is enough for a function that is monotone in each
//! argument between these. Of known bits the least and the greatest word of each sign.

use crate::float_order::{float_key, is_nan};
use crate::rule::{Rule, Rules};
use crate::word::{Set, Word};

/// A NaN in place of all.
const NAN: u32 = 0x7fc0_0000;

/// Combinations of arguments that are tried, at most.
const MOST: usize = 2048;

/// The members of a set that are tried.
#[derive(Debug, Clone)]
pub struct Points {
    /// The members.
    pub values: Vec<u32>,
    /// True if there are others between them.
    pub dense: bool,
    /// True if one of them stands for every NaN.
    pub nan: bool,
}

impl Points {
    /// Returns the points of a word, with the places at which a function may change.
    pub fn of(word: &Word, places: &[u32]) -> Points {
        if let Some((mut values, nan)) = word.listed() {
            values.extend(nan.then_some(NAN));
            return Points { values, dense: false, nan };
        }
        let mut values = Vec::new();
        let mut nan = false;
        if let Set::Bits(bits) = &word.set {
            let [least, greatest] = bits.signed();
            values.extend([bits.least(), bits.greatest(), least, greatest]);
        }
        if let Some((least, greatest, some)) = word.floats() {
            nan = some;
            let range = float_key(least)..=float_key(greatest);
            let inside = |bits: &&u32| !is_nan(**bits) && range.contains(&float_key(**bits));
            values.extend([least, greatest]);
            values.extend([0, 0x8000_0000].iter().chain(places).filter(inside));
        }
        values.extend(nan.then_some(NAN));
        values.sort_unstable();
        values.dedup();
        Points { values, dense: true, nan }
    }
}

/// The results of a function at the points that are tried.
#[derive(Debug, Clone, Default)]
pub struct Image {
    values: Vec<u32>,
    /// True if the results between these are results, too.
    dense: bool,
    /// True if any word may come out.
    any: bool,
    rules: Rules,
}

impl Image {
    /// Adds a result.
    pub fn add(&mut self, bits: u32) {
        self.values.push(bits);
        // What has gathered is thinned out, so that memory is bounded.
        if self.values.len() > 4 * MOST {
            self.values.sort_unstable();
            self.values.dedup();
        }
    }

    /// Adds the results from one to another.
    pub fn add_between(&mut self, bounds: [u32; 2], rule: Rule) {
        self.values.extend(bounds);
        self.dense |= bounds[0] != bounds[1];
        self.rules = self.rules.with(rule);
    }

    /// Lets any word be a result.
    pub fn leave(&mut self, rule: Rule) {
        self.any = true;
        self.rules = self.rules.with(rule);
    }

    /// Lets several words be results by a rule.
    pub fn by(&mut self, rule: Rule) {
        self.rules = self.rules.with(rule);
    }

    fn finished(self, rules: Rules, floats: bool) -> Word {
        let rules = self.rules.plus(rules);
        match () {
            () if self.any => Word::any(rules),
            () if floats && self.dense => Word::spanned(&self.values, false, rules),
            () if floats => Word::of_floats(self.values, rules),
            () if self.dense => {
                // Integers between the least and the greatest, of one sign or any.
                let signs = self.values.iter().map(|it| it >> 31);
                let one_sign = signs.clone().min() == signs.max();
                let ends = self.values.iter().min().zip(self.values.iter().max());
                match ends.filter(|_| one_sign) {
                    Some((least, greatest)) if greatest - least < 16 => {
                        Word::of_bits((*least..=*greatest).collect(), rules)
                    }
                    Some((least, greatest)) => {
                        Word::known(crate::KnownBits::between(*least, *greatest), rules)
                    }
                    None => Word::any(rules),
                }
            }
            () => Word::of_bits(self.values, rules),
        }
    }
}

/// Applies a function to sets: `points` are those of each argument, `floats` says whether its
/// results are floats. Between the points of an interval it has to be monotone in each argument.
pub fn apply(
    sources: &[&Word],
    places: &[u32],
    floats: bool,
    mut function: impl FnMut(&[u32], &mut Image),
) -> Word {
    let rules = sources.iter().fold(Rules::NONE, |all, word| all.plus(word.rules()));
    // An end of one interval may lie inside of another: there two arguments may be equal.
    let mut ends = places.to_vec();
    if sources.len() > 1 {
        for word in sources {
            match word.bits() {
                Some(bits) => ends.push(bits),
                None => ends.extend(Points::of(word, &[]).values),
            }
        }
    }
    let points: Vec<Points> = sources.iter().map(|word| Points::of(word, &ends)).collect();
    let combinations = points
        .iter()
        .try_fold(1_usize, |count, it| count.checked_mul(it.values.len()).filter(|it| *it <= MOST));
    let mut image = Image { dense: points.iter().any(|it| it.dense), ..Image::default() };
    let Some(combinations) = combinations else { return Word::any(rules) };
    let mut arguments = vec![0; sources.len()];
    for number in 0..combinations {
        let mut rest = number;
        for (argument, own) in arguments.iter_mut().zip(&points) {
            *argument = own.values[rest % own.values.len()];
            rest /= own.values.len();
        }
        function(&arguments, &mut image);
    }
    image.finished(rules, floats)
}

//! The values that something had while it ran, and the comparison of two such records.

/// Values of an instruction of the machine that are kept, by invocation: the first ones.
pub(super) const MOST_OF_MACHINE: usize = 6;
/// Values of an instruction of the shader that are kept: more, for the machine may have one of
/// several turns of a loop only.
pub(super) const MOST_OF_SHADER: usize = 48;

/// Values by invocation, each invocation's in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Series {
    runs: Vec<Vec<u32>>,
}

/// The extent to which two records are the same, which differ nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Agreement {
    /// Invocations that both have values of.
    pub(super) invocations: usize,
    /// Different values among those of the machine, up to [`ENOUGH`].
    pub(super) distinct: usize,
}

/// Invocations that may differ, at most, and how many there have to be for each.
const MOST_EDGES: usize = 8;
const EACH_EDGE: usize = 7;

/// Different values that say as much as any more.
pub(super) const ENOUGH: usize = 3;

impl Series {
    /// Adds the next value of an invocation, unless it has as many as are kept.
    pub(super) fn push(&mut self, invocation: usize, value: u32, most: usize) {
        if self.runs.len() <= invocation {
            self.runs.resize(invocation + 1, Vec::new());
        }
        if let Some(own) = self.runs.get_mut(invocation)
            && own.len() < most
        {
            own.push(value);
        }
    }

    /// All values.
    pub(super) fn values(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().flatten().copied()
    }

    /// Tells whether the values of each invocation stand in this order among those of another
    /// record, as `same` compares, but for a few invocations: rules at the edges of a type may
    /// differ. An invocation that one of both does not have is passed over.
    pub(super) fn within(
        &self,
        other: &Series,
        same: impl Fn(u32, u32) -> bool,
    ) -> Option<Agreement> {
        let mut agreement = Agreement::default();
        let mut seen: Vec<u32> = Vec::with_capacity(ENOUGH);
        let mut others_differ = 0;
        let both = self.runs.iter().zip(&other.runs);
        for (own, others) in both.filter(|(own, others)| !own.is_empty() && !others.is_empty()) {
            agreement.invocations += 1;
            let mut rest = others.iter();
            if !own.iter().all(|value| rest.any(|it| same(*value, *it))) {
                others_differ += 1;
                // Most differ at once.
                if others_differ > MOST_EDGES {
                    return None;
                }
                continue;
            }
            for value in own {
                if seen.len() < ENOUGH && !seen.contains(value) {
                    seen.push(*value);
                }
            }
        }
        agreement.distinct = seen.len();
        let holds = agreement.invocations >= (1 + others_differ) * EACH_EDGE
            || others_differ == 0 && agreement.invocations > 0;
        holds.then_some(agreement)
    }

    /// The only value that there is.
    pub(super) fn constant(&self) -> Option<u32> {
        let mut values = self.values();
        let first = values.next()?;
        values.all(|it| it == first).then_some(first)
    }
}

/// Units in the last place within which two results count as the same: opcodes that are not exact
/// may be computed in steps.
const NEAR: u32 = 1 << 9;
/// The smallest float that is no denormal. Below it are small integers, which are exact.
const SMALLEST: u32 = 0x0080_0000;
/// The sign of a float.
const SIGN: u32 = 0x8000_0000;

/// Tells whether two results are the same, or as near as two ways to compute a float come.
pub(super) fn is_near(one: u32, other: u32) -> bool {
    let magnitude = one.min(other) & 0x7fff_ffff;
    let is_nan = |word: u32| f32::from_bits(word).is_nan();
    one == other
        || is_nan(one) && is_nan(other)
        || one.abs_diff(other) <= NEAR && one >> 31 == other >> 31 && magnitude >= SMALLEST
}

/// Tells whether a value by itself says where it comes from: no small integer, and no float with
/// few digits.
pub(super) fn is_telling(word: u32) -> bool {
    word > 0xffff && word < 0xffff_0000 && word & 0x7fff != 0
}

/// Tells whether two constants are the same, but for their sign.
pub(super) fn is_constant(one: u32, other: u32) -> bool {
    one & !SIGN == other & !SIGN || one.wrapping_neg() == other
}

/// Tells whether an operand is the contents of a register: denormals are read as zeros.
pub(super) fn is_read(register: u32, operand: u32) -> bool {
    register == operand || operand & !SIGN == 0 && register & !SIGN < SMALLEST
}

/// Tells whether two operands are the same: a sign may be changed where one is read.
pub(super) fn is_operand(one: u32, other: u32) -> bool {
    is_near(one & !SIGN, other & !SIGN) || is_read(one, other) || is_near(one.wrapping_neg(), other)
}

/// The truth that a word of a condition stands for.
pub(super) fn truth(word: u32) -> Option<bool> {
    const ONE: u32 = 0x3f80_0000;
    match word {
        0 => Some(false),
        1 | u32::MAX | ONE => Some(true),
        _ => None,
    }
}

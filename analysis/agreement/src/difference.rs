//! What comes of a comparison.

/// Whether both sides agree.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// All outputs are equal.
    Agree,
    /// They differ.
    Differ(Box<Difference>),
    /// They were not compared; why.
    Skipped(String),
}

impl From<String> for Verdict {
    fn from(reason: String) -> Verdict {
        Verdict::Skipped(reason)
    }
}

impl From<&str> for Verdict {
    fn from(reason: &str) -> Verdict {
        Verdict::Skipped(reason.to_owned())
    }
}

/// What a comparison comes to: it goes on, or it has ended with a verdict.
pub(crate) type Judged<T = ()> = Result<T, Verdict>;

/// Where two sides first differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What differs.
    pub place: Place,
    /// The lane.
    pub lane: usize,
    /// What the interpreter has.
    pub expected: u32,
    /// What the machine has.
    pub found: u32,
    /// The machine instruction that made the value, as text, with its offset; empty where
    /// none is known.
    pub instruction: String,
    /// The vector register that it wrote.
    pub register: Option<u8>,
    /// The instruction of TGSI that it comes from, from 1; 0 where several share it.
    pub ordinal: u32,
}

/// What differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A component of an output register.
    Output {
        /// The register's number.
        register: u32,
        /// The component.
        component: usize,
    },
    /// Whether a pixel is alive.
    Alive,
    /// A word of a resource.
    Memory {
        /// Which: `BUFFER[0]`.
        resource: String,
        /// The word.
        word: usize,
    },
    /// The run itself: it stopped.
    Run(String),
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Difference { lane, expected, found, .. } = self;
        match &self.place {
            Place::Output { register, component } => {
                let letter = ["x", "y", "z", "w"].get(*component).unwrap_or(&"?");
                write!(f, "OUT[{register}].{letter} lane {lane}")?;
            }
            Place::Alive => write!(f, "alive, lane {lane}")?,
            Place::Memory { resource, word } => write!(f, "{resource} word {word}")?,
            Place::Run(what) => write!(f, "{what}")?,
        }
        if !matches!(self.place, Place::Run(_)) {
            let float = |bits: u32| f32::from_bits(bits);
            write!(
                f,
                ": {expected:#010x} ({:?}) expected, {found:#010x} ({:?}) found",
                float(*expected),
                float(*found)
            )?;
        }
        if let Some(register) = self.register {
            write!(f, ", in v{register}")?;
        }
        if !self.instruction.is_empty() {
            write!(f, ", by `{}` of instruction {}", self.instruction, self.ordinal)?;
        }
        Ok(())
    }
}

/// How far apart results may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tolerance {
    /// Not at all, but for the sign of zero: there are no floats but copied ones.
    Bits,
    /// As floats, only by what is left open: denormals, NaN.
    Exact,
}

/// Whether a result is as expected. Which bits NaN has is left open by the documents, and the
/// sign of zero by them and by the compiler's options. What becomes of a NaN that arithmetic
/// gave is not asked here: runs of the interpreter give it other bits, and leave it open.
pub(crate) fn same(expected: u32, found: u32, tolerance: Tolerance) -> bool {
    let [one, two] = [expected, found].map(f32::from_bits);
    if expected == found || is_zero(expected) && is_zero(found) {
        return true;
    }
    if tolerance == Tolerance::Bits {
        return false;
    }
    // Where a denormal is made zero is left open too: operations that change nothing may
    // be left out, and with them what they would have made of it.
    let tiny = |value: f32| value == 0.0 || value.is_subnormal();
    let near = !tiny(one) || !tiny(two) || is_zero(expected) || is_zero(found);
    one.is_nan() && two.is_nan() || near && (one - two).abs() <= 4.0 * f32::MIN_POSITIVE
}

/// Whether bits are zero with either sign.
fn is_zero(bits: u32) -> bool {
    bits & 0x7fff_ffff == 0
}

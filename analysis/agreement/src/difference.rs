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
    /// Equal, but for the bits of NaN and the sign of zero.
    Exact,
    /// As floats, by so many parts in 2^24 of the larger, or of 1 where both are smaller.
    Parts(u32),
}

/// Whether a result is as expected. Any NaN is as good as another; the sign of zero is
/// left open by the documents and by the compiler's options.
pub(crate) fn same(expected: u32, found: u32, tolerance: Tolerance) -> bool {
    let [one, two] = [expected, found].map(f32::from_bits);
    if expected == found || one.is_nan() && two.is_nan() {
        return true;
    }
    if is_zero(expected) && is_zero(found) {
        return true;
    }
    let Tolerance::Parts(parts) = tolerance else { return false };
    let size = f64::from(one.abs().max(two.abs()).max(1.0));
    let distance = (f64::from(one) - f64::from(two)).abs();
    distance <= size * f64::from(parts) / f64::from(1 << 24)
}

/// Whether bits are zero with either sign.
fn is_zero(bits: u32) -> bool {
    bits & 0x7fff_ffff == 0
}

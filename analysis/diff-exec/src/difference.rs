//! The results of a comparison.

use open_bits::Word;

use crate::error::Error;

/// The result of a comparison of both sides.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// All outputs are equal.
    Agree,
    /// They differ.
    Differ(Box<Difference>),
    /// They were not compared; why.
    Skipped(String),
}

impl From<Error> for Verdict {
    fn from(error: Error) -> Verdict {
        Verdict::Skipped(error.to_string())
    }
}

/// A step of a comparison: an error ends it with a verdict.
pub(crate) type Checked<T = ()> = Result<T, Verdict>;

/// The first difference between the two sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The value that differs.
    pub place: Observed,
    /// The lane.
    pub lane: usize,
    /// The interpreter's value.
    pub expected: u32,
    /// All that the language allows in its place.
    pub allowed: Word,
    /// The machine's value.
    pub found: u32,
    /// The machine instruction that made the value, as text, with its offset; empty where
    /// none is known.
    pub instruction: String,
    /// The vector register that it wrote.
    pub register: Option<u8>,
    /// The instruction of TGSI that it comes from, from 1; 0 where several share it.
    pub ordinal: u32,
}

/// The location of a value that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observed {
    /// A component of an output register.
    Output {
        /// The register's number.
        register: u32,
        /// The component.
        component: usize,
    },
    /// The liveness of a pixel: one side killed it.
    Alive,
    /// A word of a resource.
    Memory {
        /// The resource's name: `BUFFER[0]`.
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
            Observed::Output { register, component } => {
                let letter = ["x", "y", "z", "w"].get(*component).unwrap_or(&"?");
                write!(f, "OUT[{register}].{letter} lane {lane}")?;
            }
            Observed::Alive => write!(f, "alive, lane {lane}")?,
            Observed::Memory { resource, word } => write!(f, "{resource} word {word}")?,
            Observed::Run(what) => write!(f, "{what}")?,
        }
        if !matches!(self.place, Observed::Run(_)) {
            let float = |bits: u32| f32::from_bits(bits);
            write!(
                f,
                ": {expected:#010x} ({:?}) expected, {found:#010x} ({:?}) found",
                float(*expected),
                float(*found)
            )?;
            if self.allowed.bits().is_none() {
                write!(f, ", where {} would do", self.allowed)?;
            }
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

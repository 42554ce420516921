//! Verdicts on runs that were repeated.

/// The outcome of a repeated run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As recorded.
    Same,
    /// Otherwise.
    Differs,
    /// No way to repeat it.
    Skipped,
}

impl Verdict {
    /// The word that scripts read.
    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Differs => "differs",
            Verdict::Skipped => "skipped",
        }
    }
}

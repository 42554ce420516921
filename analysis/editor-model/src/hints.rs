//! Words about the text, beside and over it.

use source::{TextRange, TextSize};

/// Markdown about the thing under the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The thing.
    pub range: TextRange,
    /// Markdown.
    pub markdown: String,
    /// Places that it leads to: declarations and the like, for links below the text.
    pub links: Vec<HoverLink>,
}

/// A link below a hover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoverLink {
    /// The words at its end: `DCL TEMP[0..3]`.
    pub title: String,
    /// The range in the file.
    pub range: TextRange,
}

/// A word shown within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlayHint {
    /// The offset at which it is drawn.
    pub offset: TextSize,
    /// The word.
    pub label: String,
    /// Markdown shown over it.
    pub tooltip: String,
    /// Its kind, by which the user switches it off.
    pub kind: InlayHintKind,
}

/// The kind of a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InlayHintKind {
    /// The number of machine instructions that an instruction became.
    MachineCode,
    /// The value of a number that is read as another type, or what an operand reads of an
    /// immediate.
    Value,
    /// The values that an instruction wrote in a run on inputs that the text names.
    Run,
    /// Clocks of the line: `4+28 clk` are those of issue and of waiting.
    Clocks,
    /// Vector registers: `V 23/24` are those needed here, and those allocated.
    VectorRegisters,
    /// Scalar registers, in the same way.
    ScalarRegisters,
}

impl InlayHintKind {
    /// All of them.
    pub const ALL: [InlayHintKind; 6] = [
        InlayHintKind::MachineCode,
        InlayHintKind::Value,
        InlayHintKind::Run,
        InlayHintKind::Clocks,
        InlayHintKind::VectorRegisters,
        InlayHintKind::ScalarRegisters,
    ];
}

/// The hints that are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedHints {
    /// Their kinds.
    pub kinds: Vec<InlayHintKind>,
    /// The lines that say what they became and cost. Values stand wherever there are some.
    pub lines: CostedLines,
}

impl WantedHints {
    /// Some kinds, at every line that has them.
    pub fn everywhere(kinds: &[InlayHintKind]) -> WantedHints {
        WantedHints { kinds: kinds.to_vec(), lines: CostedLines::All }
    }

    /// Tells whether a kind is asked for.
    pub fn has(&self, kind: InlayHintKind) -> bool {
        self.kinds.contains(&kind)
    }
}

/// The lines that say what they became and what they cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostedLines {
    /// Lines that wait, that cost most, or at which most registers are needed.
    Important,
    /// Every line that became instructions.
    All,
    /// No line.
    Off,
}

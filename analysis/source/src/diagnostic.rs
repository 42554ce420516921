//! Diagnostics as plain data: the mistake, its range, and fixes for it.
//!
//! One type serves every language and every surface: the language server, the
//! terminal and the JSON output only convert it.

use std::fmt;

use crate::{TextEdit, TextRange};

/// The severity: how sure a diagnostic is, and how bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Certain: the program cannot mean what it says, or no reader in use takes it.
    Error,
    /// Accepted, but undefined, wrong on hardware, or surely not meant.
    Warning,
    /// Style, history, leniency, improvement.
    Hint,
}

impl Severity {
    /// Every severity, the worst first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Hint];
}

/// Counts diagnostics by severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeverityCounts([usize; 3]);

impl SeverityCounts {
    /// Counts one more, and returns how many of its severity there are now.
    pub fn add(&mut self, severity: Severity) -> usize {
        self.0[severity as usize] += 1;
        self.0[severity as usize]
    }

    /// Takes back one that was counted.
    pub fn remove(&mut self, severity: Severity) {
        self.0[severity as usize] = self.0[severity as usize].saturating_sub(1);
    }

    /// Returns the worst severity that was counted.
    pub fn worst(&self) -> Option<Severity> {
        Severity::ALL.into_iter().find(|it| self.0[*it as usize] > 0)
    }
}

impl fmt::Display for SeverityCounts {
    /// As in `2 errors, 1 warning, 40 hints`; what there is none of is left out.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for (count, word) in self.0.iter().zip(["error", "warning", "hint"]) {
            if *count > 0 {
                let plural = if *count == 1 { "" } else { "s" };
                write!(formatter, "{between}{count} {word}{plural}")?;
                between = ", ";
            }
        }
        Ok(())
    }
}

impl FromIterator<Severity> for SeverityCounts {
    fn from_iter<I: IntoIterator<Item = Severity>>(severities: I) -> SeverityCounts {
        let mut counts = SeverityCounts::default();
        for severity in severities {
            counts.add(severity);
        }
        counts
    }
}

/// A stable name such as `tgsi::unknown-opcode`; each has a page that
/// `tungsten explain` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

/// Names codes as constants, and all of them in `ALL`, so that no list of them can
/// miss one: `codes! { /// A mistake. NAME = "language::name"; … }`.
#[macro_export]
macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident = $code:literal;)*) => {
        $($(#[$meta])* pub const $name: $crate::Code = $crate::Code($code);)*

        /// Every code of this crate.
        pub const ALL: &[$crate::Code] = &[$($name),*];
    };
}

/// The style in which an editor may draw the range, beside its severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Dead or unused: drawn faded.
    Unnecessary,
    /// Historic: drawn struck through.
    Deprecated,
}

/// A range that helps to explain the diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Related {
    /// The range, in the same text.
    pub range: TextRange,
    /// The reason for which it is named.
    pub message: String,
}

/// A fix that is sure, offered as a quick fix.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fix {
    /// The effect, in the imperative: "Replace by `MAD`".
    pub title: String,
    /// Edits of the same text, disjoint, in order.
    pub edits: Vec<TextEdit>,
}

/// One diagnostic in one text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// The stable name.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The range, in bytes of the text that was analysed.
    pub range: TextRange,
    /// The mistake, in one sentence without a full stop.
    pub message: String,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// Fixes that are sure.
    pub fixes: Vec<Fix>,
    /// The styles in which to draw it.
    pub tags: Vec<Tag>,
}

impl Diagnostic {
    /// Creates a diagnostic without related places, fixes or tags.
    pub fn new(
        code: Code,
        severity: Severity,
        range: TextRange,
        message: impl Into<String>,
    ) -> Self {
        Diagnostic {
            code,
            severity,
            range,
            message: message.into(),
            related: Vec::new(),
            fixes: Vec::new(),
            tags: Vec::new(),
        }
    }

    /// A certain mistake.
    pub fn error(code: Code, range: TextRange, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, range, message)
    }

    /// Accepted, but surely not meant.
    pub fn warning(code: Code, range: TextRange, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, range, message)
    }

    /// Style, history, leniency, improvement.
    pub fn hint(code: Code, range: TextRange, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Hint, range, message)
    }

    /// Adds a fix that replaces `range` by `insert`.
    #[must_use]
    pub fn with_fix(
        mut self,
        title: impl Into<String>,
        range: TextRange,
        insert: impl Into<String>,
    ) -> Self {
        self.fixes.push(Fix { title: title.into(), edits: vec![TextEdit::replace(range, insert)] });
        self
    }

    /// Adds a fix of some edits: of the same text, disjoint, in order.
    #[must_use]
    pub fn with_edits(mut self, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        self.fixes.push(Fix { title: title.into(), edits });
        self
    }

    /// Adds a place that explains the diagnostic.
    #[must_use]
    pub fn with_related(mut self, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push(Related { range, message: message.into() });
        self
    }

    /// Adds a way to draw it.
    #[must_use]
    pub fn with_tag(mut self, tag: Tag) -> Self {
        self.tags.push(tag);
        self
    }

    /// The same diagnostic in a text in which the analysed one begins at `offset`.
    #[must_use]
    pub fn shifted(mut self, offset: crate::TextSize) -> Self {
        self.range += offset;
        for related in &mut self.related {
            related.range += offset;
        }
        for edit in self.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.range += offset;
        }
        self
    }
}

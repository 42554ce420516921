//! Hints about shaders that are right: they are read only where they are few.

use source::{Severity, no_checkpoint};

/// The most hints for 100 lines of shaders that drivers made.
pub const MOST_HINTS: f64 = 1.0;

/// The lines of some shaders, and the hints about them.
#[derive(Debug, Default)]
pub struct Hints {
    /// All lines.
    pub lines: usize,
    /// All hints.
    pub hints: usize,
}

impl Hints {
    /// Counts those of some texts, each of which may hold several shaders.
    pub fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Hints {
        let mut all = Hints::default();
        for text in texts {
            for region in tgsi::regions::split(text).shaders {
                let own = region.text(text);
                all.lines += own.lines().count();
                let parse = tgsi::parser::parse(own, &no_checkpoint);
                let validated = parse.shader.map(|shader| tgsi::validate(&shader, &no_checkpoint));
                let found = parse.diagnostics.into_iter().chain(validated.unwrap_or_default());
                all.hints += found.filter(|it| it.severity == Severity::Hint).count();
            }
        }
        all
    }

    /// Hints for 100 lines.
    pub fn density(&self) -> f64 {
        100.0 * self.hints as f64 / self.lines as f64
    }
}

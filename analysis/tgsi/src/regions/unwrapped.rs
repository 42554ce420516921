//! Shaders in text that had to be taken out of something first.

use std::sync::Arc;

use source::{Escapes, LineBreaks, SegmentedText, TextRange, TextSize};

use super::Region;
use super::likeness::HeaderRule;
use super::scan::{Context, Scan};

/// The most pieces that one text is taken together from: bounds the memory
/// that a hostile text can ask for. What comes after is looked at by itself.
pub(super) const MAX_PIECES: usize = 1 << 20;

/// The shaders that are worth showing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All.
    All,
    /// Shaders with an `END`: in a program's source others are parts that are put together when it
    /// runs.
    Ended,
}

/// A text that was taken out of its file.
pub(super) struct Unwrapped {
    pub(super) text: SegmentedText,
    pub(super) escapes: Escapes,
    pub(super) breaks: LineBreaks,
    /// The offset of the first condition of which only one branch is read.
    pub(super) condition: Option<usize>,
    /// The first offset of the file behind it.
    pub(super) end: usize,
}

impl Unwrapped {
    /// All of the text as one region of the file.
    pub(super) fn whole(&self, file_text: &str) -> Region {
        self.region(file_text, TextRange::up_to(TextSize::of(self.text.text())))
    }

    fn region(&self, file_text: &str, part: TextRange) -> Region {
        let map = self.text.map(file_text, part, self.escapes, self.breaks);
        let text = (!map.is_contiguous()).then(|| Arc::from(&self.text.text()[part]));
        Region { text, map }
    }

    /// The shaders in the text, as regions of the file.
    pub(super) fn shaders(&self, file_text: &str, wanted: Wanted) -> Vec<Region> {
        let inner = self.text.text();
        let found = Scan::new(inner, Context::Log, HeaderRule::Certain).run();
        let shaders = found.shaders.iter().zip(&found.ended);
        shaders
            .filter(|(_, ended)| wanted == Wanted::All || **ended)
            .map(|(shader, _)| self.region(file_text, shader.range()))
            .collect()
    }
}

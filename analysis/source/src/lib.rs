//! Text as every other crate sees it: byte ranges, lines, edits, diagnostics.
//!
//! This crate knows no language and does no I/O. Positions are byte offsets
//! ([`TextSize`]) everywhere in the analysis; line and column numbers exist
//! only at the edge, through [`LineIndex`].

mod align;
mod cover;
mod diagnostic;
pub mod digits;
mod edit;
mod line_index;
pub mod misread;
mod pages;
mod printable;
mod segments;
mod snippet;
mod suggest;

pub use align::align;
pub use cover::Cover;
pub use diagnostic::{Code, Diagnostic, Fix, Related, Severity, SeverityCounts, Tag};
pub use edit::{LineEnding, TextEdit, apply_edits, join_edits};
pub use line_index::{ColumnUnit, LineColumn, LineIndex};
pub use pages::page;
pub use printable::{Printable, is_hidden};
pub use segments::{Escapes, LineBreaks, SegmentMap, SegmentedText};
pub use snippet::without_places;
pub use suggest::{close_matches, closest_match, nearest_matches};
pub use text_size::{TextLen, TextRange, TextSize};

/// Called now and then by long loops, so that the caller may cancel them by
/// unwinding. Pass [`no_checkpoint`] where nothing cancels.
pub type Checkpoint<'a> = &'a (dyn Fn() + 'a);

/// A checkpoint that never cancels.
pub fn no_checkpoint() {}

/// The largest text that is analysed, in bytes. A larger file gets one
/// diagnostic that says so. Kernels that programs wrote have 500,000 lines at most; what is
/// known of each byte takes much more memory than the byte.
pub const MAX_TEXT_LENGTH: usize = 32 << 20;

/// The most shaders of one file that are analysed: the first ones. A diagnostic says so.
pub const MAX_SHADERS: usize = 10_000;

/// The most diagnostics that one text reports; the rest are counted in a last one.
pub const MAX_DIAGNOSTICS: usize = 500;

/// The reason for which a file that another one names is not read, with the user's remedy.
pub const OUTSIDE: &str = "it is outside of the folders that may be read here; allow its folder \
    with `--trust FOLDER`, or by `trustedFolders` in your own configuration file \
    (`tungsten doctor` says where that is)";

/// The range from one offset to another; texts are shorter than [`MAX_TEXT_LENGTH`].
pub fn text_range(start: usize, end: usize) -> TextRange {
    TextRange::new(text_size(start), text_size(end))
}

/// An offset of a text.
pub fn text_size(offset: usize) -> TextSize {
    TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX))
}

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The eras of the token format.

/// An era of the token format, named by the year it began in.
///
/// Within an era words kept their places and numbers; where a detail changed
/// inside of one, the era is represented by its last release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Layout {
    /// The specification of 2007, opcodes numbered as in November 2007: a
    /// version word, declarations by range or mask, extension words.
    Y2007,
    /// Gallium 0.1, March 2008 to November 2009: as before, but declarations
    /// carry usage masks and semantics, and opcodes were renumbered.
    Y2008,
    /// Mesa 7.7 to 8.0: no version word, no extension words, properties.
    Y2009,
    /// Mesa 9 to 11: sampler views beside resources, interpolation words,
    /// array numbers.
    Y2012,
    /// Mesa 12 to 22.1, in the form of 17.2 and later: stages renumbered,
    /// images, buffers, memory words. What is written where nobody asks for another.
    #[default]
    Y2016,
    /// Mesa 22.2 and later: stages renumbered again, and formats.
    Y2022,
}

impl Layout {
    /// Every era, the oldest first.
    pub const ALL: [Layout; 6] =
        [Layout::Y2007, Layout::Y2008, Layout::Y2009, Layout::Y2012, Layout::Y2016, Layout::Y2022];

    /// The year that names it.
    pub fn name(self) -> &'static str {
        ["2007", "2008", "2009", "2012", "2016", "2022"][self as usize]
    }

    /// The era that a year names.
    pub fn from_name(name: &str) -> Option<Layout> {
        Layout::ALL.into_iter().find(|layout| layout.name() == name)
    }

    /// Tells whether a version word comes first and words may be extended.
    pub(super) fn has_extensions(self) -> bool {
        self <= Layout::Y2008
    }
}

impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

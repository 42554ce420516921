//! Comparing a value with a texel, which makes shadows.

/// The comparisons, in the order of their numbers in Gallium (`PIPE_FUNC_*`)
/// and in the samplers of GCN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Compare {
    /// Never true.
    Never,
    /// The value is less than the texel.
    Less,
    /// They are equal.
    Equal,
    /// The value is less or equal.
    #[default]
    LessEqual,
    /// The value is greater.
    Greater,
    /// They are not equal; the only one that NaN fulfils, besides always.
    NotEqual,
    /// The value is greater or equal.
    GreaterEqual,
    /// Always true.
    Always,
}

impl Compare {
    /// All, by number.
    pub const ALL: [Compare; 8] = [
        Compare::Never,
        Compare::Less,
        Compare::Equal,
        Compare::LessEqual,
        Compare::Greater,
        Compare::NotEqual,
        Compare::GreaterEqual,
        Compare::Always,
    ];

    /// Tells whether a value passes the test against a texel.
    pub fn passes(self, value: f32, texel: f32) -> bool {
        match self {
            Compare::Never => false,
            Compare::Less => value < texel,
            Compare::Equal => value == texel,
            Compare::LessEqual => value <= texel,
            Compare::Greater => value > texel,
            Compare::NotEqual => value != texel,
            Compare::GreaterEqual => value >= texel,
            Compare::Always => true,
        }
    }
}

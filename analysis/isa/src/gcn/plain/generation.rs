//! The generations of the instruction set.

spelled! {
    /// A generation of the instruction set, the oldest first.
    pub enum Generation {
        /// GCN 1.0, Southern Islands, gfx600-602.
        Gfx6,
        /// GCN 1.1, Sea Islands, gfx700-705.
        Gfx7,
        /// GCN 1.2, Volcanic Islands, gfx801-810.
        Gfx8,
        /// GCN 1.4, Vega, gfx900-90c.
        Gfx9,
    }
}

impl Generation {
    /// All, the oldest first.
    pub const ALL: [Generation; 4] =
        [Generation::Gfx6, Generation::Gfx7, Generation::Gfx8, Generation::Gfx9];

    /// Returns the name that the tables use: `gfx6`.
    pub const fn name(self) -> &'static str {
        match self {
            Generation::Gfx6 => "gfx6",
            Generation::Gfx7 => "gfx7",
            Generation::Gfx8 => "gfx8",
            Generation::Gfx9 => "gfx9",
        }
    }
}

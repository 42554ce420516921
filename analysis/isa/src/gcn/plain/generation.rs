//! The generations of the instruction set.

named! {
    /// A generation of the instruction set, the oldest first.
    Generation {
        /// GCN 1.0, Southern Islands, gfx600-602.
        Gfx6 "gfx6",
        /// GCN 1.1, Sea Islands, gfx700-705.
        Gfx7 "gfx7",
        /// GCN 1.2, Volcanic Islands, gfx801-810.
        Gfx8 "gfx8",
        /// GCN 1.4, Vega, gfx900-90c.
        Gfx9 "gfx9",
    }
}

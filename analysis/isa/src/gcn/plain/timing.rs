//! Clocks: how the tables of time say them.

/// A cell of clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clocks {
    /// As many on every chip.
    Fixed(u32),
    /// By the rate of 64-bit arithmetic: 1/2, 1/4, 1/8, 1/16.
    ByRate([u32; 4]),
    /// By the rate of 32-bit fused multiply-add: full, or a quarter.
    ByMultiplyAdd([u32; 2]),
    /// By the version of Mesa: 22.3, 25.0.
    ByProfile([u32; 2]),
    /// By whether a branch is taken: no, yes.
    ByBranch([u32; 2]),
    /// The model has none.
    Unknown,
}

named! {
    /// Something whose result comes later than its issue.
    Operation {
        /// A load of vector memory.
        VectorLoad "vector-load",
        /// A store of vector memory.
        VectorStore "vector-store",
        /// An access of flat memory, as the data share counts it.
        FlatShare "flat-share",
        /// A scalar load at a fixed offset.
        ScalarNear "scalar-near",
        /// Any other scalar load or store.
        ScalarFar "scalar-far",
        /// The clock, and control of the scalar cache.
        ScalarClock "scalar-clock",
        /// An access of the data share.
        Share "share",
        /// A message.
        Message "message",
        /// An export.
        Export "export",
        /// Data registers being read.
        DataRead "data-read",
    }
}

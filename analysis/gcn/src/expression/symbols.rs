//! Symbols as instructions see them.

/// Gives names their values.
pub trait Symbols {
    /// Returns the number of a name; `None` for an address, and for what another file or a
    /// later line gives.
    fn value(&self, name: &str) -> Option<i64>;

    /// Returns the number that a later line gives a name.
    fn later(&self, _name: &str) -> Option<i64> {
        None
    }

    /// Returns the registers that a name stands for, as CLRX writes them: `v[4:7]`, or
    /// `v:4` where an allocator chooses them.
    fn registers(&self, _name: &str) -> Option<&str> {
        None
    }
}

/// Symbols none of which has a value yet.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSymbols;

impl Symbols for NoSymbols {
    fn value(&self, _name: &str) -> Option<i64> {
        None
    }
}

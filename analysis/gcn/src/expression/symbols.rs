//! Symbols as instructions see them.

/// The value of a name in an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolValue {
    /// A number that is known now.
    Absolute(i64),
    /// An address, or something that another file or a later line gives.
    Later,
}

/// Gives names their values.
pub trait Symbols {
    /// Returns the value of a name.
    fn value(&self, name: &str) -> SymbolValue;

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
    fn value(&self, _name: &str) -> SymbolValue {
        SymbolValue::Later
    }
}

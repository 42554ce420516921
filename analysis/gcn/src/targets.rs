//! The chips: processor names, marketing names, generation, limits.

/// A generation of the instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// A chip: a row of the table. Two targets are equal if they are the same row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target(u16);

/// What is known of a chip.
#[derive(Debug)]
pub struct Row {
    /// The name users know: `polaris10`, or the processor's own: `gfx803`.
    pub name: &'static str,
    /// The name LLVM takes: `gfx803`.
    pub processor: &'static str,
    /// The generation.
    pub generation: Generation,
}

impl Target {
    /// The target of a chip or processor name; letter case does not count.
    pub fn find(name: &str) -> Option<Target> {
        let _ = name;
        None
    }
}

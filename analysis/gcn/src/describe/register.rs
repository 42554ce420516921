//! Registers with names.

/// A register with a name.
pub(crate) struct NamedRegister {
    pub(crate) name: &'static str,
    pub(crate) page: &'static str,
    pub(crate) dwords: u8,
    /// True if no instruction may write it.
    pub(crate) is_read_only: bool,
}

const fn special(name: &'static str, dwords: u8, page: &'static str) -> NamedRegister {
    NamedRegister { name, page, dwords, is_read_only: false }
}

const fn read_only(name: &'static str, page: &'static str) -> NamedRegister {
    NamedRegister { name, page, dwords: 1, is_read_only: true }
}

/// The registers with names.
pub(crate) const NAMED_REGISTERS: [NamedRegister; 13] = [
    special("vcc", 2, "a bit for every lane, written by compares and carries"),
    special("vcc_lo", 1, "the lower half of `vcc`"),
    special("vcc_hi", 1, "the upper half of `vcc`"),
    special("exec", 2, "a bit for every lane: those that take part"),
    special("exec_lo", 1, "the lower half of `exec`"),
    special("exec_hi", 1, "the upper half of `exec`"),
    special("m0", 1, "the scalar register of indices, limits of the local data share, messages"),
    read_only("scc", "the bit that scalar compares and carries write"),
    read_only("vccz", "whether `vcc` is zero"),
    read_only("execz", "whether `exec` is zero"),
    special("flat_scratch", 2, "where flat addresses find the scratch memory"),
    special("flat_scratch_lo", 1, "the lower half of `flat_scratch`"),
    special("flat_scratch_hi", 1, "the upper half of `flat_scratch`"),
];

/// Finds a register by its name.
pub(crate) fn named_register(name: &str) -> Option<&'static NamedRegister> {
    NAMED_REGISTERS.iter().find(|known| known.name == name)
}

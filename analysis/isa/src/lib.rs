//! Instruction sets, each instruction described once.
//!
//! The tables in `data` are read by the build, which makes enums and constants of them: a
//! wrong cell ends the build with its table and line, and no table is read when the program
//! runs. Everything that knows an opcode matches on its enum or asks its row.

pub mod gcn;
mod hash;
pub mod tgsi;

/// Searches a hash index, whose slots hold one more than the number of a name.
fn find(slots: &[u16], name: &[u8], spelled: impl Fn(usize) -> &'static str) -> Option<usize> {
    hash::probes(name, slots.len())
        .map_while(|at| slots[at].checked_sub(1))
        .map(usize::from)
        .find(|number| spelled(*number).as_bytes() == name)
}

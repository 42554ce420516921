//! Registers that keep a value: who writes them, and in which lanes.

use gcn::analysis::{AccessKind, EXEC, RegisterSet};
use gcn::instruction::{Bank, Register};
use rustc_hash::FxHashMap;

use super::listing::{Listing, leads_elsewhere};
use super::registers::file;

/// The instructions that write a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    One(usize),
    Many,
}

/// The lanes that are active before an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Mask {
    /// The lanes of the start.
    Start,
    /// Lanes that an instruction of the block left.
    After(usize),
    /// Lanes with which a block is entered.
    Entered(u32),
}

/// The writers of each register that is written; `None` where it is not known which registers are
/// meant, or where instructions change their meaning.
pub(super) fn writers(listing: &Listing) -> Option<FxHashMap<Register, Writer>> {
    let changes_mode = |text: &str| {
        ["s_setreg", "s_round_mode", "s_denorm_mode", "s_set_gpr"]
            .iter()
            .any(|it| text.starts_with(it))
    };
    let mut writers: FxHashMap<Register, Writer> = FxHashMap::default();
    for (place, instruction) in listing.instructions.iter().enumerate() {
        let own = listing.def_use.get(place)?;
        // Whoever is called writes what it likes.
        if leads_elsewhere(own) {
            return None;
        }
        let accesses = || own.reads().iter().chain(own.writes());
        let is_unclear =
            accesses().any(|it| matches!(it.kind, AccessKind::Indexed | AccessKind::Unknown));
        if is_unclear || changes_mode(&instruction.text) {
            return None;
        }
        for register in instruction.writes.registers() {
            let one = writers.entry(register).or_insert(Writer::One(place));
            if *one != Writer::One(place) {
                *one = Writer::Many;
            }
        }
    }
    Some(writers)
}

/// Tells whether a register is one of those that code numbers as it likes.
pub(super) fn is_general(register: Register) -> bool {
    usize::from(register.first) < file(register.bank)
}

/// Tells whether EXEC is among written registers.
pub(super) fn writes_exec(writes: &RegisterSet) -> bool {
    writes.touches(Register { bank: Bank::Scalar, first: EXEC, dwords: 2 })
}

/// Tells whether an instruction reads other lanes, or where it stands.
pub(super) fn crosses_lanes(text: &str) -> bool {
    let words =
        ["dpp", "row_", "quad_perm", "wave_", "lane", "permute", "swizzle", "s_getpc", "movrel"];
    words.iter().any(|word| text.contains(word))
}

/// The mask before each instruction.
pub(super) fn masks(listing: &Listing) -> Vec<Mask> {
    let cfg = &listing.cfg;
    let writes = |place: usize| writes_exec(&listing.instructions[place].writes);
    // Blocks that control may enter after EXEC was written.
    let mut changed = vec![false; cfg.blocks.len()];
    let mut open: Vec<usize> = (0..cfg.blocks.len())
        .filter(|block| cfg.blocks[*block].instructions().any(writes))
        .collect();
    while let Some(block) = open.pop() {
        for next in cfg.blocks[block].successors() {
            if !std::mem::replace(&mut changed[next], true) {
                open.push(next);
            }
        }
    }
    let mut masks = vec![Mask::Start; listing.instructions.len()];
    for (number, block) in (0_u32..).zip(&cfg.blocks) {
        let mut now = if changed[number as usize] { Mask::Entered(number) } else { Mask::Start };
        for place in block.instructions() {
            masks[place] = now;
            if writes(place) {
                now = Mask::After(place);
            }
        }
    }
    masks
}

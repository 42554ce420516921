//! Every opcode of the tables, in every form of every chip: executed, or on the list of
//! what is not, with the reason.

use std::collections::{BTreeMap, BTreeSet};

use gcn::Target;
use gcn::encoding::{Encoding, base};
use gcn::mnemonics::{self, OpEncoding};
use isa::gcn::Opcode;
use isa::gcn::encoding::base_bits;

use crate::Program;
use crate::program::Action;

/// One chip of each set of instructions.
pub(super) const CHIPS: [&str; 10] = [
    "gfx600", "gfx704", "gfx803", "gfx900", "gfx904", "gfx906", "gfx908", "gfx90a", "gfx942",
    "gfx950",
];

/// Words of a form with plain operands. Which bits an instruction must have beside its
/// opcode differs, so several are tried.
fn attempts(form: OpEncoding, target: Target) -> Vec<[u32; 4]> {
    if form.encoding == Encoding::Vop3px {
        let bits = base_bits(form.encoding, form.opcode, target.generation()).unwrap_or_default();
        let pair = 0x100 | 256 << 9;
        return vec![[bits as u32, pair, (bits >> 64) as u32, pair | 256 << 18]];
    }
    let Some(first) = base(form.encoding, form.opcode, target.generation()) else {
        return Vec::new();
    };
    let three = 256 | 256 << 9 | 256 << 18;
    let (first, seconds): (u32, &[u32]) = match form.encoding {
        Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc => (first | 256, &[0]),
        Encoding::Vop3 | Encoding::Vop3p => {
            (first, &[0x100, 0x100 | 256 << 9, three, 0, 256 << 9, 0x100 | 3 << 27 | 256 << 9])
        }
        Encoding::Smrd => (first | 1 << 8, &[0]),
        Encoding::Smem => (first | 1 << 17, &[0]),
        Encoding::Mimg => (first | 1 << 8, &[0]),
        Encoding::Mubuf => (first, &[0x80 << 24]),
        _ => (first, &[0]),
    };
    // The bits of `gds`, of `lds`, and of the halves of a third source.
    let also = match form.encoding {
        Encoding::Ds => vec![0, 1 << 16, 1 << 17],
        Encoding::Mubuf => vec![0, 1 << 16],
        Encoding::Vop3p => vec![0, 1 << 14],
        _ => vec![0],
    };
    let with = |bit: u32| seconds.iter().map(move |second| [first | bit, *second, 0, 0]);
    also.into_iter().flat_map(with).collect()
}

/// The treatment of an opcode by the emulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Treatment {
    Executed,
    /// Decoded, but nothing is done.
    Unsupported,
    /// No words of it are an instruction for the decoder.
    Undecodable,
}

fn treatment(opcode: Opcode, form: OpEncoding, target: Target) -> Treatment {
    let mut found = Treatment::Undecodable;
    for words in attempts(form, target) {
        let program = Program::prepare(target, &words);
        let Some(first) = program.instructions.first() else { continue };
        match first.action {
            _ if first.opcode != Some(opcode) => {}
            Action::Undecodable => {}
            Action::Unsupported(_) => found = Treatment::Unsupported,
            _ => return Treatment::Executed,
        }
    }
    found
}

/// Rows of the list: mnemonics, chips, reason.
fn listed() -> Vec<(&'static str, &'static str)> {
    let rows = include_str!("../../data/not_executed.tsv").lines();
    let rows = rows.filter(|row| !row.starts_with('#')).skip(1);
    let cells = rows.map(|row| row.split('\t').collect::<Vec<_>>());
    cells
        .flat_map(|cells| {
            let [names, chips, reason] = cells[..] else { panic!("{cells:?}") };
            assert!(reason.len() > 10, "{names}: a reason");
            names.split(' ').map(move |name| (name, chips)).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_opcode_of_the_tables_is_executed_or_listed() {
    let mut counts: BTreeMap<(&str, Treatment), usize> = BTreeMap::new();
    let mut missing: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for chip in CHIPS {
        let target = Target::find(chip).expect(chip);
        for info in mnemonics::all() {
            for form in info.forms(target) {
                let treatment = treatment(info.opcode, *form, target);
                *counts.entry((chip, treatment)).or_default() += 1;
                if treatment != Treatment::Executed {
                    missing.entry(info.name).or_default().insert(chip);
                }
            }
        }
    }
    for ((chip, treatment), count) in &counts {
        eprintln!("{chip} {treatment:?}: {count} forms");
    }
    let missing: BTreeSet<String> = missing
        .iter()
        .map(|(name, chips)| {
            format!("{name}\t{}", chips.iter().copied().collect::<Vec<_>>().join(" "))
        })
        .collect();
    let listed: BTreeSet<String> =
        listed().into_iter().map(|(name, chips)| format!("{name}\t{chips}")).collect();
    let holes: Vec<_> = missing.difference(&listed).collect();
    let stale: Vec<_> = listed.difference(&missing).collect();
    assert!(holes.is_empty(), "neither executed nor listed: {holes:#?}");
    assert!(stale.is_empty(), "listed, but executed or unknown: {stale:#?}");
    let all: usize = counts.values().sum();
    let executed = counts.iter().filter(|((_, treatment), _)| *treatment == Treatment::Executed);
    let executed: usize = executed.map(|(_, count)| count).sum();
    eprintln!("{executed} of {all} forms are executed, {} mnemonics are listed", listed.len());
}

/// Codes of operands that are not read, by which instruction, and why.
const NOT_READ: [(&str, std::ops::RangeInclusive<u32>, &str); 9] = [
    ("v_mov_b32", 209..=234, "no operand has these"),
    ("v_mov_b32", 235..=238, "the apertures have 64 bits, of which LLVM has vectors read none"),
    ("v_mov_b32", 239..=239, "a pixel's turn among overlapping ones, which no launch here has"),
    ("v_mov_b32", 249..=250, "no operand has these before gfx8"),
    ("s_mov_b64", 209..=234, "no operand has these"),
    ("s_mov_b64", 235..=238, "no operand has these before gfx9"),
    ("s_mov_b64", 239..=239, "a pixel's turn among overlapping ones, which no launch here has"),
    ("s_mov_b64", 249..=250, "no operand of the scalar unit has these"),
    ("s_mov_b64", 254..=254, "the scalar unit cannot read the share (Vega ISA 5.2)"),
];

/// Every code that may stand in the place of a source is read, or listed.
#[test]
fn every_source_is_read_or_listed() {
    let mut unread = BTreeSet::new();
    for (name, encoding, codes) in
        [("v_mov_b32", Encoding::Vop1, 0..512), ("s_mov_b64", Encoding::Sop1, 0..256)]
    {
        for chip in CHIPS {
            let target = Target::find(chip).expect(chip);
            let info = mnemonics::op_info(name).expect("it");
            let form = info.forms(target).iter().find(|form| form.encoding == encoding);
            let form = form.expect("a short form");
            let first = base(form.encoding, form.opcode, target.generation()).expect("it");
            for code in codes.clone() {
                let program = Program::prepare(target, &[first | code, 0x1234, 0]);
                let Some(first) = program.instructions.first() else { continue };
                match first.action {
                    Action::Undecodable => {}
                    Action::Unsupported(_) => drop(unread.insert((name, code))),
                    _ => {}
                }
            }
        }
    }
    let listed = |(name, code): &(&str, u32)| {
        NOT_READ.iter().any(|(own, codes, _)| own == name && codes.contains(code))
    };
    let holes: Vec<_> = unread.iter().filter(|unread| !listed(unread)).collect();
    assert!(holes.is_empty(), "{holes:?}");
    for (name, codes, reason) in NOT_READ {
        let stale = !codes.clone().any(|code| unread.contains(&(name, code)));
        assert!(!stale, "stale: {name} {codes:?} {reason}");
    }
}

/// Tells whether some form of an opcode is executed on a chip.
pub(super) fn is_executed(info: &mnemonics::OpInfo, target: Target) -> bool {
    info.forms(target).iter().any(|form| is_executed_as(info, *form, target))
}

/// Tells whether a form of an opcode is executed on a chip.
pub(super) fn is_executed_as(info: &mnemonics::OpInfo, form: OpEncoding, target: Target) -> bool {
    treatment(info.opcode, form, target) == Treatment::Executed
}

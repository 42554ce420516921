//! Computations that a dominating instruction made already: global value numbering.
//!
//! Values need registers of their own for it, since a result must still be there where it is read
//! again. A register that one instruction writes holds its value wherever that
//! instruction dominates, in loops as well: whoever writes it again passes its readers first.
//! A vector result is there for the lanes that were active: those of the start, or those of the
//! same stretch between two writes of EXEC.

use std::collections::BTreeMap;

use gcn::analysis::{AccessKind, EXEC, RegisterSet};
use gcn::instruction::{Bank, Register};
use rustc_hash::FxHashMap;

use super::copies::{copied, idle};
use super::dominance::Dominance;
use super::holding::{Mask, Writer, crosses_lanes, is_general, masks, writers, writes_exec};
use super::listing::{Kind, Listing};
use super::registers::{file, named, renamed};
use super::text_of;
use gcn::program::Options;

/// Rounds, at most: each finds what became equal, or unread, in the one before.
const MOST_ROUNDS: usize = 4;

/// The lines without computations that were made before; `None` where there is none.
pub(super) fn numbered(lines: &[String], options: &Options) -> Option<Vec<String>> {
    let mut found: Option<Vec<String>> = None;
    for _ in 0..MOST_ROUNDS {
        let text = text_of(found.as_deref().unwrap_or(lines));
        let listing = Listing::read(&text, options)?;
        let Some(lines) = Numbering::of(&listing).and_then(Numbering::equal) else { break };
        let listing = Listing::read(&text_of(&lines), options)?;
        let idle = idle(&listing);
        found = Some(listing.without(|place| idle.binary_search(&place).is_ok()));
    }
    found
}

/// Everything that decides what an instruction computes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    /// The register as it is at the start.
    Input(Register),
    /// A part of a result: opcode with operands, the registers that no operand names, and the
    /// mask where it decides.
    Computed(String, Vec<(Register, u32)>, Option<Mask>, u16),
    /// Nobody knows.
    Unknown(usize, Register),
}

struct Numbering<'l> {
    listing: &'l Listing,
    dominance: Dominance,
    writers: FxHashMap<Register, Writer>,
    inputs: RegisterSet,
    masks: Vec<Mask>,
    /// Set where lanes may become active that were not at the start.
    is_widened: bool,
    numbers: FxHashMap<Key, u32>,
    /// The number of the value that each register has whose one writer was passed.
    written: FxHashMap<Register, u32>,
    /// Registers that hold a value, with the instruction that writes them.
    homes: FxHashMap<u32, Vec<(Register, usize)>>,
}

impl<'l> Numbering<'l> {
    /// Prepares the numbers of a listing; `None` where it is not known which registers are meant.
    fn of(listing: &'l Listing) -> Option<Numbering<'l>> {
        let writers = writers(listing)?;
        Some(Numbering {
            dominance: Dominance::of(&listing.cfg)?,
            masks: masks(listing),
            is_widened: listing
                .instructions
                .iter()
                .any(|it| writes_exec(&it.writes) && widens(&it.text)),
            inputs: *listing.liveness.before(0),
            listing,
            writers,
            numbers: FxHashMap::default(),
            written: FxHashMap::default(),
            homes: FxHashMap::default(),
        })
    }

    /// The lines where every computation that was made before is read from its first result.
    fn equal(mut self) -> Option<Vec<String>> {
        let mut moved: BTreeMap<(bool, usize), usize> = BTreeMap::new();
        let mut gone = Vec::new();
        for block in self.listing.cfg.reverse_postorder.clone() {
            let range = self.listing.cfg.blocks.get(block as usize)?.instructions();
            let mut local: FxHashMap<Register, u32> = FxHashMap::default();
            for place in range {
                let results = self.results(place, &mut local);
                match self.home(place, &results) {
                    Some(homes) => {
                        moved.extend(homes.into_iter().map(|(from, to)| {
                            let key = (from.bank == Bank::Vector, usize::from(from.first));
                            (key, usize::from(to.first))
                        }));
                        gone.push(self.listing.instructions[place].line);
                    }
                    None => self.settle(place, &results),
                }
                for (register, number) in results {
                    local.insert(register, number);
                    if self.writers.get(&register) == Some(&Writer::One(place)) {
                        self.written.insert(register, number);
                    }
                }
            }
        }
        if gone.is_empty() {
            return None;
        }
        let mut lines = self.listing.lines.clone();
        for instruction in &self.listing.instructions {
            let mut text = instruction.text.clone();
            for bank in [Bank::Vector, Bank::Scalar] {
                let new = |number| {
                    let key = (bank == Bank::Vector, number);
                    (number, moved.get(&key).copied().unwrap_or(number))
                };
                text = renamed(&text, bank, &(0..file(Bank::Vector)).map(new).collect())?;
            }
            let line = lines.get_mut(instruction.line)?;
            *line = line.replacen(&instruction.text, &text, 1);
        }
        gone.sort_unstable();
        gone.into_iter().rev().for_each(|line| drop(lines.remove(line)));
        Some(lines)
    }

    fn number(&mut self, key: Key) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(key).or_insert(next)
    }

    /// The number of the value that a register has before an instruction.
    fn read(
        &mut self,
        place: usize,
        register: Register,
        local: &mut FxHashMap<Register, u32>,
    ) -> u32 {
        if let Some(known) = local.get(&register) {
            return *known;
        }
        let known = match self.writers.get(&register) {
            None => Some(self.number(Key::Input(register))),
            Some(Writer::One(writer)) if self.dominance.before(*writer, place) => {
                self.written.get(&register).copied()
            }
            Some(_) => None,
        };
        let number = known.unwrap_or_else(|| self.number(Key::Unknown(place, register)));
        local.insert(register, number);
        number
    }

    /// The registers that an instruction writes, each with the number of its value.
    fn results(
        &mut self,
        place: usize,
        local: &mut FxHashMap<Register, u32>,
    ) -> Vec<(Register, u32)> {
        let instruction = &self.listing.instructions[place];
        let writes: Vec<Register> = instruction.writes.registers().collect();
        let known = self.copied(place, local).or_else(|| self.computed(place, &writes, local));
        let known = known.unwrap_or_else(|| vec![None; writes.len()]);
        let numbers = writes.iter().zip(known).map(|(register, known)| {
            // In lanes that are not active an older value stays.
            let is_whole = register.bank == Bank::Scalar
                || self.masks[place] == Mask::Start
                || self.is_single(*register, place);
            let number = known.filter(|_| is_whole);
            (*register, number.unwrap_or_else(|| self.number(Key::Unknown(place, *register))))
        });
        numbers.collect()
    }

    /// The numbers that a copy leaves in its targets.
    fn copied(
        &mut self,
        place: usize,
        local: &mut FxHashMap<Register, u32>,
    ) -> Option<Vec<Option<u32>>> {
        let text = &self.listing.instructions[place].text;
        let (bank, (_, from, count)) = [Bank::Vector, Bank::Scalar]
            .into_iter()
            .find_map(|bank| Some((bank, copied(text, bank)?)))?;
        let sources =
            (from..from + count).map(|first| Register { bank, first: first as u16, dwords: 1 });
        Some(sources.map(|register| Some(self.read(place, register, local))).collect())
    }

    /// The numbers of the results of a computation; `None` where more decides than it names.
    fn computed(
        &mut self,
        place: usize,
        writes: &[Register],
        local: &mut FxHashMap<Register, u32>,
    ) -> Option<Vec<Option<u32>>> {
        let instruction = &self.listing.instructions[place];
        let own = self.listing.def_use.get(place)?;
        let is_plain = |kind| kind == AccessKind::Full;
        let all = own.reads().iter().chain(own.writes());
        if instruction.kind != Kind::Free
            || writes_exec(&instruction.writes)
            || !all.map(|it| it.kind).all(is_plain)
            || crosses_lanes(&instruction.text)
        {
            return None;
        }
        let mut targets: Vec<u8> = own.writes().iter().filter_map(|it| it.operand).collect();
        targets.sort_unstable();
        targets.dedup();
        let (opcode, operands) = instruction.text.split_once(char::is_whitespace)?;
        let mut key = opcode.to_owned();
        for operand in operands.split(',').skip(targets.len().max(1)) {
            key.push(',');
            key.push_str(&self.operand(place, operand.trim(), local));
        }
        let unnamed = instruction.reads.registers().filter(|it| !is_general(*it) && !is_exec(*it));
        let unnamed: Vec<Register> = unnamed.collect();
        let unnamed: Vec<(Register, u32)> =
            unnamed.into_iter().map(|it| (it, self.read(place, it, local))).collect();
        let numbers = writes.iter().zip(0..).map(|(register, part)| {
            // A result of all lanes has zeros for those that are not active.
            let is_of_lanes = opcode.starts_with("v_") && register.bank == Bank::Scalar;
            let mask = is_of_lanes.then_some(self.masks[place]);
            Some(self.number(Key::Computed(key.clone(), unnamed.clone(), mask, part)))
        });
        Some(numbers.collect())
    }

    /// An operand with the numbers of values for its registers.
    fn operand(
        &mut self,
        place: usize,
        operand: &str,
        local: &mut FxHashMap<Register, u32>,
    ) -> String {
        let mut out = operand.to_owned();
        for bank in [Bank::Vector, Bank::Scalar] {
            for name in named(&out, bank).into_iter().rev() {
                let registers = (name.first..=name.last).map(|first| Register {
                    bank,
                    first: first as u16,
                    dwords: 1,
                });
                let numbers = registers.map(|it| format!("#{}", self.read(place, it, local)));
                out.replace_range(name.range, &numbers.collect::<String>());
            }
        }
        out
    }

    /// Tells whether an instruction alone writes a register, so that it is never read with
    /// another value.
    fn is_single(&self, register: Register, place: usize) -> bool {
        self.writers.get(&register) == Some(&Writer::One(place))
            && (self.masks[place] == Mask::Start || !self.inputs.touches(register))
    }

    /// Remembers the registers that hold the results of an instruction from now on.
    fn settle(&mut self, place: usize, results: &[(Register, u32)]) {
        for (register, number) in results {
            if is_general(*register) && self.is_single(*register, place) {
                self.homes.entry(*number).or_default().push((*register, place));
            }
        }
    }

    /// The registers that an instruction can go without, each with the one that holds its value
    /// already.
    fn home(&self, place: usize, results: &[(Register, u32)]) -> Option<Vec<(Register, Register)>> {
        let live = self.listing.liveness.after(&self.listing.cfg, place);
        let kept: Vec<_> = results.iter().filter(|(it, _)| live.touches(*it)).collect();
        let (first, number) = kept.first()?;
        // What is read together stays together.
        let is_whole = kept.iter().zip(first.first..).all(|((it, _), at)| {
            it.bank == first.bank && it.first == at && is_general(*it) && self.is_single(*it, place)
        });
        if !is_whole || !self.is_read_behind(place, *first, kept.len()) {
            return None;
        }
        let step = match first.bank {
            Bank::Scalar => kept.len().next_power_of_two().min(4) as u16,
            _ => 1,
        };
        let holds = |wanted: Register, number: &u32| {
            let mut own = self.homes.get(number).into_iter().flatten();
            own.any(|(it, writer)| *it == wanted && self.holds(*it, *writer, place))
        };
        let starts = self.homes.get(number)?.iter().map(|(home, _)| *home);
        let mut starts = starts.filter(|home| home.bank == first.bank);
        let start = starts.find(|home| {
            let parts = kept.iter().zip(home.first..);
            home.first % step == first.first % step
                && parts
                    .into_iter()
                    .all(|((_, number), at)| holds(Register { first: at, ..*home }, number))
        })?;
        let homes = (start.first..).map(|at| Register { first: at, ..start });
        Some(kept.iter().map(|(register, _)| *register).zip(homes).collect())
    }

    /// Tells whether a register that an instruction wrote has its value at another one.
    fn holds(&self, register: Register, writer: usize, place: usize) -> bool {
        let (old, new) = (self.masks[writer], self.masks[place]);
        let lanes = old == new || old == Mask::Start && !self.is_widened;
        self.dominance.before(writer, place) && (register.bank == Bank::Scalar || lanes)
    }

    /// Tells whether registers are read behind an instruction alone, and never beside others.
    fn is_read_behind(&self, place: usize, first: Register, count: usize) -> bool {
        let own = Register { dwords: count as _, ..first };
        let end = usize::from(first.first) + count;
        let reads = self.listing.def_use.iter().enumerate();
        let mut reads =
            reads.flat_map(|(at, it)| it.reads().iter().map(move |read| (at, read.register)));
        reads.all(|(at, read)| {
            let start = usize::from(read.first);
            let is_inside =
                start >= usize::from(first.first) && start + usize::from(read.dwords) <= end;
            !RegisterSet::of(own).touches(read) || is_inside && self.dominance.before(place, at)
        })
    }
}

fn is_exec(register: Register) -> bool {
    register.bank == Bank::Scalar && (EXEC..EXEC + 2).contains(&register.first)
}

/// Tells whether a write of EXEC may make lanes active that were not at the start: masks in
/// registers come from EXEC, constants and complements do not.
fn widens(text: &str) -> bool {
    let opcode = text.split_whitespace().next().unwrap_or_default();
    let complements = ["not", "nand", "nor", "orn", "xnor", "wqm", "bfm", "brev"];
    let constant =
        |operand: &str| operand.trim().starts_with(|it: char| it.is_ascii_digit() || it == '-');
    complements.iter().any(|word| opcode.contains(word)) || text.split(',').skip(1).any(constant)
}

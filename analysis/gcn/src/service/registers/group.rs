//! The words that get another register together: every read and write of a value, and of
//! the values that share a word with it. A load of `v[2:5]` and a read of `v3` that it
//! reaches move by the same distance, and so does all that `v[2:5]` is else.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Found;
use super::words::{Mention, accesses, mentions};
use crate::analysis::{Access, AccessKind, AddressCounts, DefUse, Origin, Webs, sets_index_mode};
use crate::instruction::{Bank, Class, Register};
use crate::service::RenameError;
use crate::service::rename_error::not_renameable;

/// Words that get another register together.
pub(super) struct RenameGroup {
    /// By instruction of the code and operand.
    pub(super) words: BTreeMap<(u32, u8), Mention>,
    /// The single registers of their values.
    pub(super) registers: Vec<Register>,
}

/// The values of a register, and for each its members.
struct Sorted {
    webs: Webs,
    of_web: Vec<Vec<(u32, Option<u8>)>>,
}

/// Collects a group from one of its words.
struct Collector<'a> {
    found: &'a Found<'a>,
    webs: FxHashMap<Register, Sorted>,
    seen: FxHashSet<(Register, u32)>,
    waiting: Vec<(Register, u32)>,
    words: BTreeMap<(u32, u8), Mention>,
}

impl Sorted {
    fn of(webs: Webs) -> Sorted {
        let mut of_web = vec![Vec::new(); webs.webs.len()];
        for member in &webs.members {
            of_web[member.web as usize].push((member.instruction, member.operand));
        }
        Sorted { webs, of_web }
    }
}

/// The group of a word, else a sentence why it cannot have another register.
pub(super) fn group(found: &Found<'_>) -> Result<RenameGroup, RenameError> {
    found.sort_can_move()?;
    let mut collector = Collector {
        found,
        webs: FxHashMap::default(),
        seen: FxHashSet::default(),
        waiting: Vec::new(),
        words: BTreeMap::new(),
    };
    collector.add(found.instruction, found.operand)?;
    if collector.seen.is_empty() {
        return Err(not_renameable("control never reaches this"));
    }
    while let Some((register, web)) = collector.waiting.pop() {
        collector.follow(register, web)?;
    }
    let mut registers: Vec<Register> =
        collector.seen.into_iter().map(|(register, _)| register).collect();
    registers.sort_unstable_by_key(|register| register.first);
    registers.dedup();
    Ok(RenameGroup { words: collector.words, registers })
}

impl Collector<'_> {
    /// Adds an operand with the values of all its registers.
    fn add(&mut self, instruction: u32, operand: u8) -> Result<(), RenameError> {
        if self.words.contains_key(&(instruction, operand)) {
            return Ok(());
        }
        let found = self.found;
        let word = found.plain_word(instruction, operand)?;
        self.words.insert((instruction, operand), word);
        for (access, kind) in accesses(found.def_use(instruction), operand) {
            if matches!(access.kind, AccessKind::Indexed | AccessKind::Unknown) {
                return Err(found.by_index(instruction));
            }
            for register in access.register.singles() {
                let sorted = || Sorted::of(found.values.values.webs(register));
                let webs = &self.webs.entry(register).or_insert_with(sorted).webs;
                let first = webs.members.partition_point(|it| it.instruction < instruction);
                let member = webs.members[first..]
                    .iter()
                    .take_while(|it| it.instruction == instruction)
                    .find(|it| it.operand == Some(operand) && it.kind == kind);
                let Some(web) = member.map(|member| member.web) else { continue };
                if self.seen.insert((register, web)) {
                    self.waiting.push((register, web));
                }
            }
        }
        Ok(())
    }

    /// Adds every word that reads or writes a value.
    fn follow(&mut self, register: Register, web: u32) -> Result<(), RenameError> {
        let found = self.found;
        let name = register.name(found.program.target);
        let Some(Sorted { webs, of_web }) = self.webs.get(&register) else { return Ok(()) };
        let own = &webs.webs[web as usize];
        match own.given.first() {
            None => {}
            Some(Origin::Call(index)) => {
                let line = found.line(*index);
                return Err(not_renameable(format!(
                    "the call in line {line} may have written `{name}`"
                )));
            }
            Some(_) => {
                return Err(not_renameable(format!(
                    "`{name}` may hold what it held when the code was entered: an input stays \
                         where it is given"
                )));
            }
        }
        if let Some(index) = own.leaves {
            let line = found.line(index);
            return Err(not_renameable(format!(
                "code that is not seen may read `{name}` after line {line}"
            )));
        }
        for (instruction, operand) in of_web[web as usize].clone() {
            let Some(operand) = operand else {
                let line = found.line(instruction);
                return Err(not_renameable(format!("line {line} uses `{name}` without naming it")));
            };
            self.add(instruction, operand)?;
        }
        Ok(())
    }
}

impl Found<'_> {
    /// Checks that registers of this sort can be exchanged for others in this code at all.
    fn sort_can_move(&self) -> Result<(), RenameError> {
        let register = self.word.register;
        let numbers =
            u16::try_from(self.program.target.row().limits.sgpr_addressable).unwrap_or(u16::MAX);
        let expansion = &self.program.expansion;
        let obstacles = [
            (
                register.bank == Bank::Accumulator,
                "accumulation registers are not renumbered: matrix instructions have rules of \
                 their own about them",
            ),
            (
                !self.word.numbered || register.bank == Bank::Scalar && register.first >= numbers,
                "a special register cannot be exchanged for another",
            ),
            (
                self.program.listing.is_some(),
                "the words of a listing would no longer be those of its code",
            ),
            (
                !expansion.wanted.is_empty() || expansion.incomplete,
                "a part of the program is not known; it may use the register",
            ),
            (
                self.values.missing > 0,
                "a line of this kernel is not an instruction of the chip; it may use the register",
            ),
        ];
        if let Some((_, why)) = obstacles.iter().find(|(is_there, _)| *is_there) {
            return Err(not_renameable(*why));
        }
        if let Some(index) = self.values.unclear {
            let line = self.line_of_program(index);
            return Err(not_renameable(format!(
                "where the branch in line {line} goes is not known"
            )));
        }
        for (def_use, index) in self.values.values.def_use.iter().zip(0..) {
            if def_use.desc.is_none() {
                return Err(not_renameable(format!(
                    "line {} is not an instruction of the chip",
                    self.line(index)
                )));
            }
            if self.reaches_by_index(def_use) {
                return Err(self.by_index(index));
            }
        }
        Ok(())
    }

    /// Tells whether an instruction reaches registers of the word's kind that it does not
    /// name: by an index, or by an address of an image whose length the text does not say.
    fn reaches_by_index(&self, def_use: &DefUse) -> bool {
        let bank = self.word.register.bank;
        let is_indexed = |it: &Access| it.register.bank == bank && it.kind == AccessKind::Indexed;
        if def_use.accesses().any(|(access, _)| is_indexed(access)) {
            return true;
        }
        let addresses = self.program.address_counts();
        let open = addresses == AddressCounts::Unknown;
        bank == Bank::Vector
            && def_use.desc.is_some_and(|desc| {
                sets_index_mode(desc.opcode()) || open && desc.class() == Class::Image
            })
    }

    fn by_index(&self, index: u32) -> RenameError {
        let line = self.line(index);
        not_renameable(format!(
            "line {line} reaches registers that it does not name: which ones is not known"
        ))
    }

    /// The word of an operand, where it is written in the given file with numbers.
    fn plain_word(&self, instruction: u32, operand: u8) -> Result<Mention, RenameError> {
        let own = self
            .of_program(instruction)
            .ok_or_else(|| not_renameable("the instruction is not known"))?;
        if !self.program.is_written(own) {
            let span = self.program.statement(own).span;
            return Err(not_renameable(match self.program.expansion.in_file(span) == span {
                true => "an included file uses it, and others may include that".to_owned(),
                false => format!("the macro in line {} uses it", self.line(instruction)),
            }));
        }
        let words = mentions(self.program, own, self.def_use(instruction));
        let word = words.into_iter().find(|it| it.operand == Some(operand) && it.numbered);
        word.ok_or_else(|| {
            let line = self.line(instruction);
            not_renameable(format!("line {line} names it by more than its number"))
        })
    }

    /// The line, counted from 1, in which an instruction of the code is shown.
    pub(super) fn line(&self, instruction: u32) -> usize {
        self.values.instructions.get(instruction as usize).map_or(0, |it| self.line_of_program(*it))
    }

    fn line_of_program(&self, index: u32) -> usize {
        let own = self.program.instructions.get(index as usize);
        own.map_or(0, |own| self.program.expansion.line_of(super::place_of(self.program, own)))
    }
}

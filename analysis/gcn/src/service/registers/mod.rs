//! Registers as symbols: a register's name at a place means the value that it holds
//! there. Where that was written, who else reads and writes it, and another register for
//! it come from the kernel's flow of values ([`crate::analysis::Dataflow`]).

mod check;
mod group;
pub mod rename;
pub(crate) mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use editor_model::HighlightKind;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Checkpoint, TextRange, TextSize};

use super::View;
use crate::analysis::{DefUse, Member, MemberKind, Origin, Webs};
use crate::assembler::sources::{SourceId, Span};
use crate::instruction::Register;
use crate::program::{Instruction, KernelValues, Program};
use words::{Mention, accesses, mentions};

/// A word that names registers, in an instruction whose values are known.
pub(crate) struct Found<'a> {
    program: &'a Program,
    /// The kernel, by its place among the program's.
    kernel: usize,
    values: &'a KernelValues,
    /// The instruction of the kernel's code.
    instruction: u32,
    pub(crate) word: Mention,
    /// The operand that the word is.
    operand: u8,
}

/// A place to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OriginSpan {
    /// All of the statement.
    pub whole: Span,
    /// The word in it.
    pub word: Span,
}

/// A place that reads or writes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The word; for what no word names, the mnemonic or the macro's call.
    pub span: Span,
    /// The side of the value.
    pub kind: HighlightKind,
}

/// Works out what questions about the word at an offset will need, where it names
/// registers; `checkpoint` is called on the way, and may unwind.
pub fn follow(view: View<'_>, offset: TextSize, checkpoint: Checkpoint<'_>) {
    let kernel = rename::register_word(view, offset)
        .and_then(|_| view.program.kernel_of(instruction_at(view, offset)?));
    if let Some(kernel) = kernel {
        let _ = view.program.values(kernel, checkpoint);
    }
}

/// The word at an offset of a file that names registers; `None` where there is none, or
/// nothing is known of its instruction.
pub(crate) fn find<'a>(view: View<'a>, offset: TextSize) -> Option<Found<'a>> {
    let program = view.program;
    let index = instruction_at(view, offset)?;
    let kernel = program.kernel_of(index)?;
    // `follow` came first, where anybody may cancel.
    let values = program.values(kernel, &source::no_checkpoint)?;
    let instruction = values.position(index)?;
    let def_use = values.values.def_use.get(instruction as usize)?;
    let own = program.instructions.get(index as usize)?;
    let word = words::at(mentions(program, own, def_use), offset)?;
    Some(Found { program, kernel, values, instruction, word, operand: word.operand? })
}

/// The instruction that is written at an offset of a file, and no macro's.
fn instruction_at(view: View<'_>, offset: TextSize) -> Option<u32> {
    let program = view.program;
    let is_here = |index: &u32| {
        let own = program.instructions.get(*index as usize);
        own.is_some_and(|own| {
            let span = program.statement(own).span;
            span.source == view.source && span.range.contains_inclusive(offset)
        })
    };
    if view.source == SourceId::ROOT {
        return program.instructions_in(TextRange::empty(offset)).find(is_here);
    }
    (0..program.instructions.len() as u32).find(is_here)
}

/// The word under the cursor, and where what it reads was written: every write that may
/// reach it, and where the code is entered or comes back from a call where the value may
/// be there already. A word that writes leads to itself. Where lines of the kernel are no
/// instructions, nobody knows that the value was there from the start.
pub fn definitions(view: View<'_>, offset: TextSize) -> Option<(TextRange, Vec<OriginSpan>)> {
    let found = find(view, offset)?;
    let mut seen = FxHashSet::default();
    let whole = found.values.missing == 0;
    let origins = found.origins().into_iter();
    let origins = origins.filter(|(_, origin)| whole || !matches!(origin, Origin::Entry(_)));
    let places = origins.map(|(register, origin)| found.place(register, origin));
    let places: Vec<OriginSpan> = places.filter(|place| seen.insert(*place)).collect();
    (!places.is_empty()).then_some((found.word.range, places))
}

/// Every place that reads or writes the values of the word at an offset, in the order of
/// the code.
pub fn uses(view: View<'_>, offset: TextSize) -> Option<Vec<Use>> {
    let found = find(view, offset)?;
    let mut uses: BTreeSet<(u32, Option<u8>, MemberKind)> = BTreeSet::new();
    found.members(&mut |member, _| {
        uses.insert((member.instruction, member.operand, member.kind));
    });
    let mut places: Vec<Use> = Vec::new();
    let mut known: FxHashMap<Span, usize> = FxHashMap::default();
    for (instruction, operand, kind) in uses {
        // Nearly everything reads EXEC.
        if operand.is_none() && found.is_exec() {
            continue;
        }
        let kind = match kind {
            MemberKind::Use => HighlightKind::Read,
            MemberKind::Def => HighlightKind::Write,
        };
        let span = found.span(instruction, operand);
        let place = *known.entry(span).or_insert_with(|| {
            places.push(Use { span, kind });
            places.len() - 1
        });
        if kind == HighlightKind::Write {
            places[place].kind = kind;
        }
    }
    Some(places)
}

/// Returns how many instructions write and read the values of a word, in words; nothing where
/// control never comes.
pub(crate) fn summary(found: &Found<'_>) -> String {
    let (mut writes, mut reads) = (FxHashSet::default(), FxHashSet::default());
    let (mut given, mut leaves) = ("", "");
    found.members(&mut |member, webs| {
        match member.kind {
            MemberKind::Use => reads.insert(member.instruction),
            MemberKind::Def => writes.insert(member.instruction),
        };
        let web = &webs.webs[member.web as usize];
        if !web.given.is_empty() {
            given = ", may be there when the code is entered";
        }
        if web.leaves.is_some() {
            leaves = ", may be read by code that is not seen";
        }
    });
    if writes.len() + reads.len() == 0 {
        return String::new();
    }
    let times = |count: usize, what: &str| match count {
        1 => format!("{what} once"),
        more => format!("{what} {more} times"),
    };
    let (writes, reads) = (times(writes.len(), "written"), times(reads.len(), "read"));
    format!("\n\nThe value here: {writes}, {reads}{given}{leaves}\n")
}

impl Found<'_> {
    /// The registers that an instruction of the code reads and writes.
    fn def_use(&self, instruction: u32) -> &DefUse {
        &self.values.values.def_use[instruction as usize]
    }

    /// The single registers of the word that its instruction reads or writes.
    fn registers(&self) -> Vec<(Register, MemberKind)> {
        let mut found = Vec::new();
        for (access, kind) in accesses(self.def_use(self.instruction), self.operand) {
            let own = access.register.singles().filter(|it| self.word.register.holds(*it));
            found.extend(own.map(|register| (register, kind)));
        }
        found
    }

    /// For each register where its value comes from.
    pub(crate) fn origins(&self) -> Vec<(Register, Origin)> {
        let mut found = Vec::new();
        for (register, kind) in self.registers() {
            match kind {
                MemberKind::Use => {
                    let origins = self.values.values.origins(self.instruction, register);
                    found.extend(origins.into_iter().map(|origin| (register, origin)));
                }
                MemberKind::Def => found.push((register, Origin::Instruction(self.instruction))),
            }
        }
        found.sort_by_key(|(_, origin)| *origin);
        found.dedup();
        found
    }

    /// Every member of the values that the word reads and writes.
    fn members(&self, each: &mut dyn FnMut(&Member, &Webs)) {
        let mut seen = Vec::new();
        for (register, _) in self.registers() {
            if seen.contains(&register) {
                continue;
            }
            seen.push(register);
            let webs = self.values.values.webs(register);
            let here = |member: &&Member| {
                member.instruction == self.instruction && member.operand == Some(self.operand)
            };
            let own: Vec<u32> = webs.members.iter().filter(here).map(|it| it.web).collect();
            let same = webs.members.iter().filter(|member| own.contains(&member.web));
            same.for_each(|member| each(member, &webs));
        }
    }

    fn is_exec(&self) -> bool {
        self.word.register.is_exec()
    }

    /// The program's instruction.
    fn of_program(&self, instruction: u32) -> Option<&Instruction> {
        let index = self.values.instructions.get(instruction as usize)?;
        self.program.instructions.get(*index as usize)
    }

    /// Returns the place of an origin of a register's value.
    fn place(&self, register: Register, origin: Origin) -> OriginSpan {
        match origin {
            Origin::Instruction(index) => {
                let mut writes = self.def_use(index).writes().iter();
                let write = writes.find(|it| it.register.holds(register));
                let word = self.span(index, write.and_then(|it| it.operand));
                OriginSpan { whole: self.whole(index), word }
            }
            Origin::Call(index) => OriginSpan { whole: self.whole(index), word: self.whole(index) },
            Origin::Entry(index) => {
                let whole = self.label_before(index).unwrap_or_else(|| self.whole(index));
                OriginSpan { whole, word: whole }
            }
        }
    }

    /// The label that an entry has, the kernel's own before others.
    fn label_before(&self, instruction: u32) -> Option<Span> {
        let index = *self.values.instructions.get(instruction as usize)?;
        let name = &self.program.kernels.get(self.kernel)?.name;
        let labels = self.program.labels.iter().filter(|label| label.instruction == index);
        let label = labels.max_by_key(|label| *label.name == **name)?;
        let statement = self.program.expansion.statements.get(label.statement as usize)?;
        Some(self.program.expansion.in_file(statement.span))
    }

    /// The statement of an instruction, in a file; a macro's call where a macro makes it.
    fn whole(&self, instruction: u32) -> Span {
        let nowhere = Span { source: SourceId::ROOT, range: TextRange::empty(TextSize::new(0)) };
        self.of_program(instruction).map_or(nowhere, |own| place_of(self.program, own))
    }

    /// The word of an operand of an instruction; its mnemonic where no word is the
    /// operand, and a macro's call where a macro makes it.
    fn span(&self, instruction: u32, operand: Option<u8>) -> Span {
        let whole = self.whole(instruction);
        let Some(own) = self.of_program(instruction) else { return whole };
        if self.program.statement(own).span != whole {
            return whole;
        }
        let words = mentions(self.program, own, self.def_use(instruction));
        let word = words.iter().find(|word| operand.is_some() && word.operand == operand);
        let text = self.program.text(own);
        let mnemonic = TextSize::of(text.split_whitespace().next().unwrap_or_default());
        let range = word.map_or(TextRange::at(whole.range.start(), mnemonic), |word| word.range);
        Span { range, ..whole }
    }
}

/// Returns the place where an instruction is shown: its own place in a file, or the outermost
/// call of a macro that makes it.
fn place_of(program: &Program, instruction: &Instruction) -> Span {
    let span = program.statement(instruction).span;
    if program.expansion.in_file(span) == span {
        return span;
    }
    Span { source: SourceId::ROOT, range: program.range(instruction) }
}

//! Editor services of assembly: pure functions from a program and a place in one of its files
//! to plain data, in bytes of that file.
//!
//! Words are read from the files as they are written, not from what macros make of
//! them; what a word means comes from the assembled program. What serves a text
//! while it is typed needs no line to be right.

mod blocks;
pub mod completion;
pub mod folding;
pub mod formatting;
pub mod highlight;
pub mod hover;
pub mod includes;
pub mod names;
pub mod outline;
pub mod registers;
pub mod rename;
mod rename_error;
pub mod selection;
pub mod signature;
mod skeletons;
pub mod statement;
pub mod tokens;

#[cfg(test)]
mod tests;

pub use rename_error::RenameError;
use source::{TextRange, TextSize};

use crate::assembler::sources::SourceId;
use crate::dialect::Part;
use crate::program::Program;

/// A file of a program: the given one or an included one.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The program.
    pub program: &'a Program,
    /// The file among the program's.
    pub source: SourceId,
}

impl<'a> View<'a> {
    /// The file that was given.
    pub fn root(program: &'a Program) -> View<'a> {
        View { program, source: SourceId::ROOT }
    }

    /// The file's text.
    pub fn text(&self) -> &'a str {
        self.program.expansion.source(self.source)
    }

    /// The start of a line at or before an offset, from which lines can be read.
    pub(crate) fn line_near(&self, offset: TextSize) -> usize {
        self.program.expansion.line_near(self.source, offset)
    }

    /// The parts of the file, where it is a dump.
    pub(crate) fn parts(&self) -> &'a [Part] {
        if self.source == SourceId::ROOT { &self.program.parts } else { &[] }
    }

    /// The text of a dump at a range: labels of its code may have other names there.
    pub(crate) fn printed(&self, range: TextRange) -> Option<&'a str> {
        self.program.printed.get(std::ops::Range::from(range)).filter(|_| !self.parts().is_empty())
    }

    /// The first instruction that is written at an offset, and no macro's.
    pub(crate) fn instruction_at(
        &self,
        offset: TextSize,
    ) -> Option<&'a crate::program::Instruction> {
        if self.source != SourceId::ROOT {
            return None;
        }
        let program = self.program;
        let mut found = program.instructions_in(TextRange::empty(offset));
        found.find_map(|index| {
            let instruction = program.instructions.get(index as usize)?;
            program.is_written(instruction).then_some(instruction)
        })
    }
}

//! The instructions of a shader as the search for missing words sees them.

use crate::ast::{Instruction, Shader};
use crate::opcodes::Control;
use crate::validate::{Block, Nesting, nesting};

/// One instruction, or a word that was put between them.
pub(super) struct Element {
    pub(super) nesting: Option<Nesting>,
    /// Set where nothing behind it in its block is reached.
    pub(super) leaves: bool,
    /// The number that its label says. A 0 says nothing.
    pub(super) label: Option<u32>,
    pub(super) number: Option<u32>,
    pub(super) indent: Option<u32>,
    /// Its place among the instructions; `None` of a word that was put in.
    pub(super) instruction: Option<usize>,
}

impl Element {
    /// A word that is missing in the text.
    pub(super) fn put_in(word: Nesting) -> Element {
        Element {
            nesting: Some(word),
            leaves: false,
            label: None,
            number: None,
            indent: None,
            instruction: None,
        }
    }
}

/// All instructions in a row.
pub(super) struct Sequence {
    pub(super) elements: Vec<Element>,
    /// Set where instructions are called by the numbers that are printed before them, else by
    /// their places.
    pub(super) numbered: bool,
}

impl Sequence {
    /// Gathers the instructions of a shader. Where some may not have been counted, labels that
    /// name places say nothing.
    pub(super) fn of(shader: &Shader, counted: Counted) -> Sequence {
        let printed = shader.instructions().filter(|it| it.number.is_some()).count();
        let total = shader.instructions().count();
        let numbered = printed * 2 > total;
        let labelled = numbered || counted == Counted::All;
        let element = |(place, instruction): (usize, &Instruction)| Element {
            nesting: nesting(instruction.opcode.value),
            leaves: matches!(
                instruction.info().control,
                Control::Break | Control::Continue | Control::Return
            ) && instruction.info().sources == 0,
            label: instruction.label.map(|it| it.value).filter(|it| labelled && *it != 0),
            number: instruction.number.map(|it| it.value).filter(|_| numbered),
            indent: instruction.indent.filter(|_| instruction.number.is_some() == numbered),
            instruction: Some(place),
        };
        Sequence { elements: shader.instructions().enumerate().map(element).collect(), numbered }
    }

    /// The length of the main program, its `END` included. A library has none: it begins or ends
    /// with a word of a subroutine.
    pub(super) fn main(&self) -> usize {
        let elements = &self.elements;
        let end = elements.iter().position(|it| it.nesting == Some(Nesting::End));
        let word = |element: Option<&Element>| element.and_then(|it| it.nesting);
        let is_library = word(elements.first()) == Some(Nesting::Open(Block::Subroutine))
            || word(elements.last()) == Some(Nesting::Close(Block::Subroutine));
        match end {
            Some(end) => end + 1,
            None if is_library => 0,
            None => elements.len(),
        }
    }

    /// The first and the last of the places at which a word gives the same text: those between the
    /// same instructions, and those beside words like it.
    pub(super) fn same_place(&self, place: usize, word: Nesting) -> (usize, usize) {
        let has_operands = matches!(word, Nesting::Open(Block::If | Block::Switch));
        let is_same = |it: &&Element| match it.instruction {
            Some(_) => it.nesting == Some(word) && !has_operands && it.label.is_none(),
            None => true,
        };
        let before = self.elements[..place].iter().rev().take_while(is_same).count();
        let behind = self.elements[place..].iter().take_while(is_same).count();
        (place - before, place + behind)
    }

    /// The place among the instructions of the text before which a place of the sequence lies.
    pub(super) fn in_text(&self, place: usize) -> usize {
        place - self.elements[..place].iter().filter(|it| it.instruction.is_none()).count()
    }
}

/// The instructions that were counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    All,
    /// Others may stand between them.
    Some,
}

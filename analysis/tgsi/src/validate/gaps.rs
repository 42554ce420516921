//! Broken statements, as checks see them: what may be declared, read, written or closed without
//! anybody knowing.

use source::{TextRange, TextSize};

use crate::Opcode;
use crate::ast::{
    Counts, Declares, Instruction, Numbers, Shader, Statement, StatementKind, Unread,
};
use crate::words::File;

/// So many bytes that are no word may stand between two parts of a broken word.
const SIGNS: u32 = 2;

/// The unknown parts of a shader, all broken statements together.
#[derive(Default)]
pub(super) struct Gaps<'a> {
    /// Files of which more may be declared, one bit each.
    files: u32,
    properties: bool,
    /// Set where blocks may open or close.
    pub(super) steer: bool,
    /// Set where there may be more instructions.
    pub(super) count: bool,
    /// Set where instructions have a number and no statement.
    pub(super) misspelt: bool,
    /// The broken statements that may be instructions, each with the number of instructions
    /// before it; that of a broken instruction is its own.
    places: Vec<(usize, &'a Unread)>,
    /// The places of statements that stand in for broken ones.
    stand_ins: Vec<TextRange>,
}

impl<'a> Gaps<'a> {
    pub(super) fn new(shader: &'a Shader) -> Gaps<'a> {
        let mut gaps = Gaps::default();
        if shader.unread.is_empty() {
            return gaps;
        }
        let is_instruction =
            |statement: &&Statement| matches!(statement.kind, StatementKind::Instruction(_));
        let starts: Vec<_> =
            shader.statements.iter().filter(is_instruction).map(|it| it.range.start()).collect();
        // The rest of a word behind an `END` makes it another: `END@IF`.
        let ends = shader.statements.iter().filter(|statement| match &statement.kind {
            StatementKind::Instruction(instruction) => instruction.info().opcode == Opcode::END,
            _ => false,
        });
        let ends: Vec<_> = ends.map(|statement| statement.range.end()).collect();
        for unread in &shader.unread {
            if unread.meant.is_some() {
                gaps.stand_ins.push(unread.range);
                continue;
            }
            let before = ends.partition_point(|end| *end <= unread.range.start());
            let distance = |end: &TextSize| u32::from(unread.range.start() - *end);
            gaps.steer |= ends[..before].last().is_some_and(|end| distance(end) <= SIGNS);
            match unread.declares {
                Some(Declares::File(file)) => gaps.files |= 1 << file as u32,
                Some(Declares::Property) => gaps.properties = true,
                Some(Declares::Anything) => {
                    gaps.files = u32::MAX;
                    gaps.properties = true;
                }
                None => {}
            }
            gaps.steer |= unread.steers;
            gaps.count |= unread.counts == Counts::Perhaps;
            gaps.misspelt |= unread.counts == Counts::One;
            if unread.counts != Counts::None || unread.declares.is_none() {
                let number = starts.partition_point(|start| *start < unread.range.start());
                gaps.places.push((number, unread));
            }
        }
        gaps
    }

    /// Tells whether the effect of any statement is unknown.
    pub(super) fn exist(&self) -> bool {
        self.files != 0 || self.properties || !self.places.is_empty()
    }

    /// Tells whether more of a file may be declared.
    pub(super) fn hide(&self, file: File) -> bool {
        self.files & 1 << file as u32 != 0
    }

    /// Tells whether there may be more properties.
    pub(super) fn hide_properties(&self) -> bool {
        self.properties
    }

    /// The broken statements that may be instructions.
    pub(super) fn statements(&self) -> impl Iterator<Item = &'a Unread> {
        self.places.iter().map(|(_, unread)| *unread)
    }

    /// Statements that stand at an instruction: before it, or in its place.
    pub(super) fn at(&self, number: usize) -> impl Iterator<Item = &'a Unread> {
        let first = match self.places.is_empty() {
            true => 0,
            false => self.places.partition_point(|(place, _)| *place < number),
        };
        let here = self.places[first..].iter();
        here.take_while(move |(place, _)| *place == number).map(|(_, unread)| *unread)
    }

    /// Tells whether an instruction is itself broken.
    pub(super) fn is_broken(&self, number: usize, instruction: &Instruction) -> bool {
        if self.stand_ins.is_empty() && self.places.is_empty() {
            return false;
        }
        let place = instruction.opcode.range;
        self.stand_ins.binary_search_by_key(&place.start(), |it| it.start()).is_ok()
            || self.at(number).any(|unread| unread.range.contains_range(place))
    }
}

impl Unread {
    /// Tells whether it may write what its instruction does not say.
    pub(super) fn writes_unknown(&self) -> bool {
        self.writes != Numbers::default()
    }
}

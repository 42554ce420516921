//! Declarations, properties and instructions of a shader, gathered once for the checks that need
//! more than one statement.

use std::cell::OnceCell;

use source::TextRange;

use super::gaps::Gaps;
use super::immediates::Reads;
use super::operands::Operands;
use crate::ast::{
    Declaration, Immediate, Instruction, Property, PropertyValue, Shader, Spanned, Statement,
    StatementKind,
};
use crate::opcodes::{Control, Family, OpInfo};
use crate::words::{File, PropertyName, Stage};

/// A shader, sorted by what checks ask for. Of broken statements only instructions are there.
pub(super) struct Context<'a> {
    pub(super) stage: Spanned<Stage>,
    /// Each with its statement, whose range a fix removes.
    pub(super) declarations: Vec<(&'a Statement, &'a Declaration)>,
    pub(super) properties: Vec<(&'a Statement, &'a Property)>,
    pub(super) immediates: Vec<&'a Immediate>,
    pub(super) instructions: Vec<(&'a Instruction, &'static OpInfo)>,
    pub(super) operands: Operands,
    /// The families of the opcodes, one bit each.
    families: u32,
    broken: bool,
    /// The effects that broken statements may have.
    pub(super) gaps: Gaps<'a>,
    immediate_reads: OnceCell<Reads>,
    /// The places of the instructions that control does not simply go on from.
    steps: Vec<usize>,
    /// The first and the last declaration of each file, as places in `declarations`.
    ends: [Option<(u32, u32)>; File::ALL.len()],
    /// The next declaration of the same file; its own place where there is none.
    next: Vec<u32>,
}

impl<'a> Context<'a> {
    pub(super) fn new(shader: &'a Shader) -> Self {
        let is_before = |it: &&Statement| !matches!(it.kind, StatementKind::Instruction(_));
        let before = shader.statements.iter().take_while(is_before).count();
        let mut context = Context {
            stage: shader.stage,
            declarations: Vec::with_capacity(before),
            properties: Vec::new(),
            immediates: Vec::new(),
            instructions: Vec::with_capacity(shader.statements.len() - before),
            operands: Operands::default(),
            families: 0,
            broken: !shader.unread.is_empty(),
            gaps: Gaps::new(shader),
            immediate_reads: OnceCell::new(),
            steps: Vec::new(),
            ends: [None; File::ALL.len()],
            next: Vec::with_capacity(before),
        };
        context.operands.glances.reserve(shader.statements.len() - before);
        for statement in &shader.statements {
            match &statement.kind {
                StatementKind::Declaration(declaration) if !statement.broken => {
                    context.declaration(statement, declaration);
                }
                StatementKind::Property(property) if !statement.broken => {
                    context.properties.push((statement, property));
                }
                StatementKind::Instruction(instruction) => {
                    let row = instruction.info();
                    if row.path() != Control::Next {
                        context.steps.push(context.instructions.len());
                    }
                    context.instructions.push((instruction, row));
                    context.operands.add(instruction);
                    context.families |= 1 << row.family as u32;
                }
                StatementKind::Immediate(immediate) => context.immediates.push(immediate),
                StatementKind::Declaration(_)
                | StatementKind::Property(_)
                | StatementKind::Unknown => {}
            }
        }
        // Their numbers are those of their order.
        if context.gaps.hide(File::Immediate) {
            context.immediates.clear();
        }
        context
    }

    fn declaration(&mut self, statement: &'a Statement, declaration: &'a Declaration) {
        let place = self.declarations.len() as u32;
        let ends = &mut self.ends[declaration.file.value as usize];
        if let Some((_, last)) = ends {
            self.next[*last as usize] = place;
        }
        *ends = Some((ends.map_or(place, |ends| ends.0), place));
        self.next.push(place);
        self.declarations.push((statement, declaration));
    }

    /// Tells whether a statement is broken, or stands in for one.
    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    /// The declarations of a file, in order of the text.
    pub(super) fn declared(&self, file: File) -> impl Iterator<Item = &'a Declaration> {
        let first = self.ends[file as usize].map(|ends| ends.0);
        let next = |place: &u32| Some(self.next[*place as usize]).filter(|next| next != place);
        std::iter::successors(first, next).map(|place| self.declarations[place as usize].1)
    }

    /// The instructions that control does not simply go on from, in order.
    pub(super) fn steps(&self) -> impl Iterator<Item = (&'a Instruction, &'static OpInfo)> {
        self.steps.iter().map(|place| self.instructions[*place])
    }

    /// The number of those instructions.
    pub(super) fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// The same from a place among all instructions on, each with its place.
    pub(super) fn steps_from(
        &self,
        place: usize,
    ) -> impl Iterator<Item = (usize, &'a Instruction, &'static OpInfo)> {
        let first = self.steps.partition_point(|own| *own < place);
        self.steps[first..].iter().map(|place| {
            let (instruction, row) = self.instructions[*place];
            (*place, instruction, row)
        })
    }

    /// Tells whether any opcode is of a family.
    pub(super) fn has(&self, family: Family) -> bool {
        self.families & 1 << family as u32 != 0
    }

    /// The operands that read each immediate, counted when they are first asked for.
    pub(super) fn immediate_reads(&self) -> &Reads {
        self.immediate_reads.get_or_init(|| {
            let instructions = self.instructions.iter().map(|(it, _)| *it);
            Reads::of(&instructions.collect::<Vec<_>>(), self.immediates.len())
        })
    }

    /// Tells whether a compiler printed the shader: its instructions are numbered.
    pub(super) fn is_printed(&self) -> bool {
        let mut instructions = self.instructions.iter().enumerate();
        instructions.all(|(number, (instruction, _))| {
            instruction.number.is_some() || self.gaps.is_broken(number, instruction)
        })
    }

    /// The last property of a name: it is the one that counts.
    pub(super) fn property(&self, name: PropertyName) -> Option<&'a Property> {
        let named = |property: &&Property| property.name.is_some_and(|n| n.value == name);
        self.properties.iter().rev().map(|(_, property)| *property).find(named)
    }

    /// The value of a property, and its place.
    pub(super) fn value(&self, name: PropertyName) -> Option<(PropertyValue, TextRange)> {
        self.property(name)?.value.map(|value| (value.value, value.range))
    }

    /// The value of a property that is a number.
    pub(super) fn number(&self, name: PropertyName) -> Option<(u32, TextRange)> {
        match self.value(name)? {
            (PropertyValue::Number(number), range) => Some((number, range)),
            _ => None,
        }
    }
}

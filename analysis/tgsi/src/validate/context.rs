//! Declarations, properties and instructions of a shader, gathered once for the checks that need
//! more than one statement.

use rustc_hash::FxHashMap;
use source::TextRange;

use super::gaps::Gaps;
use crate::ast::{
    Declaration, Immediate, Instruction, Property, PropertyValue, Shader, Spanned, Statement,
    StatementKind,
};
use crate::opcodes::OpInfo;
use crate::words::{File, PropertyName, Stage};

/// A shader, sorted by what checks ask for. Of broken statements only instructions are there.
pub(super) struct Context<'a> {
    pub(super) stage: Spanned<Stage>,
    /// Each with its statement, whose range a fix removes.
    pub(super) declarations: Vec<(&'a Statement, &'a Declaration)>,
    pub(super) properties: Vec<(&'a Statement, &'a Property)>,
    pub(super) immediates: Vec<&'a Immediate>,
    pub(super) instructions: Vec<(&'a Instruction, &'static OpInfo)>,
    /// The effects that broken statements may have.
    pub(super) gaps: Gaps<'a>,
    /// Declarations by file, as places in `declarations`.
    by_file: FxHashMap<File, Vec<usize>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(shader: &'a Shader) -> Self {
        let mut context = Context {
            stage: shader.stage,
            declarations: Vec::new(),
            properties: Vec::new(),
            immediates: Vec::new(),
            instructions: Vec::with_capacity(shader.statements.len()),
            gaps: Gaps::new(shader),
            by_file: FxHashMap::default(),
        };
        for statement in &shader.statements {
            match &statement.kind {
                StatementKind::Declaration(declaration) if !statement.broken => {
                    let place = context.declarations.len();
                    context.by_file.entry(declaration.file.value).or_default().push(place);
                    context.declarations.push((statement, declaration));
                }
                StatementKind::Property(property) if !statement.broken => {
                    context.properties.push((statement, property));
                }
                StatementKind::Instruction(instruction) => {
                    let row = instruction.info();
                    context.instructions.push((instruction, row));
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

    /// The declarations of a file, in order of the text.
    pub(super) fn declared(&self, file: File) -> impl Iterator<Item = &'a Declaration> {
        let places = self.by_file.get(&file).map_or(&[][..], Vec::as_slice);
        places.iter().map(|place| self.declarations[*place].1)
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

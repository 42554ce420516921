//! A shader as lines, each with its effects.

use std::collections::BTreeMap;

use source::{Severity, TextRange, TextSize, no_checkpoint};
use tgsi::Stage;
use tgsi::ast::{Destination, Instruction, Shader, StatementKind, WriteMask};
use tgsi::opcodes::{Control, OutputMode};
use tgsi::service::accesses::accesses;
use tgsi::words::File;

use super::effects::Effects;
use super::tree::{Node, tree};

/// A shader that can be changed.
pub(super) struct Body<'t> {
    pub(super) text: &'t str,
    pub(super) shader: Shader,
    /// The end of what stands before the instructions.
    pub(super) head: usize,
    pub(super) lines: Vec<Line>,
    pub(super) nodes: Vec<Node>,
    /// The first temporary that is not declared.
    pub(super) free: u32,
    /// Set where instructions have numbers.
    pub(super) is_numbered: bool,
}

/// An instruction.
pub(super) struct Line {
    /// The text between the statement before and this one.
    pub(super) lead: String,
    /// The instruction without number and label.
    pub(super) text: String,
    /// The place of `text` in the shader's.
    start: usize,
    pub(super) instruction: Instruction,
    pub(super) effects: Effects,
}

impl<'t> Body<'t> {
    /// Reads a shader; `None` of one that is left alone.
    pub(super) fn read(text: &'t str) -> Option<Body<'t>> {
        let parse = tgsi::parser::parse(text, &no_checkpoint);
        let shader = parse.shader?;
        let is_wrong = parse.diagnostics.iter().any(|it| it.severity == Severity::Error);
        let has_broken = shader.statements.iter().any(|statement| statement.broken);
        if is_wrong || has_broken || !shader.unread.is_empty() {
            return None;
        }
        let all = accesses(text, &shader);
        let mut all = all.iter().peekable();
        let mut lines: Vec<Line> = Vec::new();
        let mut end = usize::from(shader.stage.range.end());
        let mut head = None;
        for statement in &shader.statements {
            let StatementKind::Instruction(instruction) = &statement.kind else {
                // Nothing is declared between instructions in what is searched.
                if head.is_some() {
                    return None;
                }
                end = usize::from(statement.range.end());
                continue;
            };
            let is_plain = instruction.predicate.is_none() && instruction.historic.is_empty();
            let steers = matches!(
                instruction.info().control,
                Control::Call | Control::Subroutine | Control::EndSubroutine | Control::Jump
            );
            // Opcodes that left the language close blocks in their own ways.
            let is_gone = !instruction.info().until.is_empty();
            if !is_plain || steers || is_gone {
                return None;
            }
            while all.next_if(|it| it.range.start() < statement.range.start()).is_some() {}
            let mut own = Vec::new();
            while let Some(it) = all.next_if(|it| it.range.end() <= statement.range.end()) {
                own.push(*it);
            }
            head.get_or_insert(end);
            let start = usize::from(instruction.opcode.range.start());
            let stop = usize::from(statement.range.end());
            let label = instruction.label.map(|label| usize::from(label.range.start()));
            let stop = label.and_then(|at| text.get(..at)?.rfind(':')).unwrap_or(stop);
            let effects = Effects::of(instruction, &own, shader.stage.value);
            lines.push(Line {
                lead: text.get(end..usize::from(statement.range.start()))?.to_owned(),
                text: text.get(start..stop)?.trim_end().to_owned(),
                start,
                instruction: instruction.clone(),
                effects,
            });
            end = usize::from(statement.range.end());
        }
        if has_mixed_targets(&lines) {
            return None;
        }
        let temporaries = shader.declarations().filter(|it| it.file.value == File::Temporary);
        let free = temporaries.map(|it| it.range.value.last.saturating_add(1)).max().unwrap_or(0);
        let is_numbered = lines.first().is_some_and(|line| line.instruction.number.is_some());
        let nodes = tree(&lines)?;
        let head = head?;
        (free < 4000).then_some(Body { text, shader, head, lines, nodes, free, is_numbered })
    }

    /// The text behind the last instruction.
    pub(super) fn tail(&self) -> &'t str {
        let statements = self.shader.statements.iter();
        let end = statements.map(|it| usize::from(it.range.end())).max().unwrap_or(self.head);
        self.text.get(end..).unwrap_or_default()
    }

    /// An instruction as it is written at a place: behind its number, where they have some.
    pub(super) fn numbered(&self, number: usize, text: &str) -> String {
        match self.is_numbered {
            true => format!("{number:>3}: {text}"),
            false => text.to_owned(),
        }
    }

    /// Tells whether the shader may be left in several places, or emits several vertices.
    pub(super) fn has_several_results(&self) -> bool {
        let stage = self.shader.stage.value;
        let leaves = |line: &Line| line.instruction.info().control == Control::Return;
        matches!(stage, Stage::Geometry | Stage::TessellationControl | Stage::Compute)
            || self.lines.iter().any(leaves)
    }

    /// The number of the line of the text that an instruction stands in, from 1.
    pub(super) fn place(&self, index: usize) -> usize {
        let start = self.lines.get(index).map_or(0, |line| line.start);
        1 + self.text.get(..start).map_or(0, |before| before.matches('\n').count())
    }
}

/// Tells whether one sampler is looked up as textures of several shapes: which one it has nobody
/// knows.
fn has_mixed_targets(lines: &[Line]) -> bool {
    let mut targets = BTreeMap::new();
    lines.iter().any(|line| {
        let Some(target) = line.instruction.target.map(|it| it.value as u32) else { return false };
        let sampler = line.instruction.sources.iter().map(|it| it.register);
        let sampler = sampler.filter(|it| it.file == File::Sampler).find_map(|it| it.number());
        sampler.is_some_and(|sampler| *targets.entry(sampler).or_insert(target) != target)
    })
}

impl Line {
    /// The only destination, where there is one and its number is not computed.
    pub(super) fn destination(&self) -> Option<&Destination> {
        match &self.instruction.destinations[..] {
            [one] if !one.register.is_computed() => Some(one),
            _ => None,
        }
    }

    /// The number of the temporary that it writes, and nothing else.
    pub(super) fn temporary(&self) -> Option<(u32, WriteMask)> {
        let destination = self.destination()?;
        Some((destination.register.temporary()?, destination.mask))
    }

    /// The opcode with its modifiers.
    pub(super) fn opcode(&self) -> &str {
        self.slice(self.instruction.opcode.range)
    }

    /// All behind the destination.
    pub(super) fn operands(&self) -> &str {
        let end = self.instruction.destinations.first().map(|it| it.range.end());
        let start = end.unwrap_or(self.instruction.opcode.range.end());
        let place = usize::from(start).saturating_sub(self.start);
        self.text.get(place..).unwrap_or_default().trim_start_matches([',', ' '])
    }

    /// Text of the instruction at a place of the shader.
    pub(super) fn slice(&self, range: TextRange) -> &str {
        let at = |offset: TextSize| usize::from(offset).saturating_sub(self.start);
        self.text.get(at(range.start())..at(range.end())).unwrap_or_default()
    }

    /// The instruction with another destination.
    pub(super) fn with_destination(&self, register: &str, mask: WriteMask) -> String {
        // Some opcodes have no other operand.
        let comma = if self.operands().is_empty() { "" } else { ", " };
        format!("{} {register}{}{comma}{}", self.opcode(), letters(mask), self.operands())
    }

    /// The instruction with registers renamed: the function gives a new name, or none.
    pub(super) fn renamed(&self, rename: &dyn Fn(File, u32, Side) -> Option<String>) -> String {
        let destinations = self.instruction.destinations.iter();
        let destinations = destinations.map(|it| (&it.register, Side::Written));
        let sources = self.instruction.sources.iter().map(|it| (&it.register, Side::Read));
        let offsets = self.instruction.offsets.iter().map(|it| (&it.register, Side::Read));
        let mut text = self.text.clone();
        let mut places: Vec<_> = destinations.chain(sources).chain(offsets).collect();
        places.sort_by_key(|(register, _)| register.range.start());
        for (register, side) in places.into_iter().rev() {
            let Some(number) = register.number().filter(|_| !register.is_computed()) else {
                continue;
            };
            let at = |offset: TextSize| usize::from(offset).saturating_sub(self.start);
            let range = at(register.range.start())..at(register.range.end());
            if let Some(name) = rename(register.file, number, side)
                && text.get(range.clone()).is_some()
            {
                text.replace_range(range, &name);
            }
        }
        text
    }

    /// Tells whether its components have rules of their own, so that the mask can be made smaller.
    pub(super) fn is_by_component(&self) -> bool {
        matches!(
            self.instruction.info().output,
            OutputMode::Componentwise | OutputMode::Replicate | OutputMode::ChannelDependent
        ) && !self.instruction.info().destination_types.iter().any(|ty| ty.is_wide())
            && !self.instruction.info().source_types.iter().any(|ty| ty.is_wide())
    }
}

/// The side of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Read,
    Written,
}

/// A write mask behind a register: nothing where it is whole.
pub(super) fn letters(mask: WriteMask) -> String {
    match mask {
        WriteMask::ALL => String::new(),
        some => format!(".{}", some.letters()),
    }
}

//! Diagnostics of text that is well-formed but surely not meant: undeclared registers, blocks that
//! do not close, a missing `END`.
//!
//! Reference parsers accept all of this, so nothing here is an error. A statement that could
//! not be read has an unknown effect: checks are silent about what it may do, and go on with
//! all else.

mod arrays;
mod call_graph;
mod calls;
mod cases;
pub mod components;
mod constants;
mod context;
mod dataflow;
mod divergence;
mod files;
mod flow;
mod gaps;
mod immediates;
mod instructions;
pub mod linking;
mod locals;
mod once;
mod operands;
mod ordering;
mod properties;
mod registers;
mod resources;
mod rules;
mod semantics;
mod stages;
mod structure;
mod textures;
mod types;
mod unused;
mod values;
mod view_results;

pub(crate) use flow::{Block, Nesting, is_end, nesting};
pub(crate) use structure::{check_alternatives, missing_word, missing_word_before};

use std::borrow::Cow;

use source::{Diagnostic, TextRange};

use crate::ast::{Instruction, Shader, StatementKind};
use crate::codes;
use crate::opcodes::{Control, Family};
use crate::report::Report;

/// Tells whether an opcode says where control goes: a branch, a loop, a call, or the end of one.
/// All others go on to the next instruction.
pub fn steers(opcode: crate::Opcode) -> bool {
    opcode.row().path() != Control::Next
}

/// Checks a shader. What holds only if a broken statement is the one that it was taken for says so.
/// Calls `checkpoint` every few hundred statements.
pub fn validate(written: &Shader, checkpoint: source::Checkpoint<'_>) -> Vec<Diagnostic> {
    let meant = written.as_meant();
    let mut diagnostics = validate_as(written, &meant, checkpoint);
    if matches!(meant, Cow::Owned(_)) && !diagnostics.is_empty() {
        let unread = written.without_readings();
        let certain = validate_as(&unread, &unread, checkpoint);
        written.tell_readings(&certain, &mut diagnostics);
    }
    diagnostics
}

/// Checks a shader with what its broken statements are taken for.
fn validate_as(
    written: &Shader,
    shader: &Shader,
    checkpoint: source::Checkpoint<'_>,
) -> Vec<Diagnostic> {
    let mut report = Report::default();
    let context = context::Context::new(shader);
    let mut registers = registers::Registers::new(shader);
    let mut flow = flow::Flow::default();
    let mut order = Order::default();
    for (number, statement) in shader.statements.iter().enumerate() {
        if number.is_multiple_of(512) {
            checkpoint();
        }
        match &statement.kind {
            StatementKind::Declaration(declaration) => {
                order.declaration(statement.range, &mut report);
                if !statement.broken {
                    registers.declare(declaration, &mut report);
                }
            }
            StatementKind::Immediate(_) => {
                order.declaration(statement.range, &mut report);
                registers.declare_immediate();
            }
            StatementKind::Property(_) => {}
            StatementKind::Instruction(instruction) => {
                // A broken one may be something else.
                order.instructions |= !statement.broken;
                order.end(instruction);
                flow.instruction(instruction);
            }
            StatementKind::Unknown => {}
        }
    }
    let gaps = &context.gaps;
    if !gaps.steer {
        let blocks = flow.finish(shader, gaps, &mut report);
        order.finish(shader, &mut report);
        // A missing word makes labels wrong.
        let has_blocks = context.steps().any(|(_, row)| row.control != Control::End);
        if has_blocks && blocks == flow::Blocks::Close && !gaps.count {
            crate::labels::check(shader, &mut report);
        }
    }
    if !registers.cover(&context) {
        // Of a broken one as far as it was read.
        for (number, instruction) in written.instructions().enumerate() {
            if number.is_multiple_of(512) {
                checkpoint();
            }
            registers.check(instruction, gaps, &mut report);
        }
    }
    rules::check(&context, &mut report, checkpoint);
    let mut diagnostics = report.finish();
    shader.without_stand_ins(&mut diagnostics);
    once::tell_once(shader, &mut diagnostics);
    diagnostics
}

/// Tells whether an operand of an opcode is a value that any register may hold.
#[deny(clippy::wildcard_enum_match_arm)]
pub(crate) fn reads_value(opcode: crate::Opcode, operand: usize) -> bool {
    match opcode.row().family {
        Family::Plain => true,
        Family::Texture => operand == 0,
        Family::Sample
        | Family::View
        | Family::Access
        | Family::Atomic
        | Family::Store
        | Family::Handle
        | Family::Interpolate
        | Family::Framebuffer
        | Family::Immediate
        | Family::Historic => false,
    }
}

/// The components that an instruction reads of the register in one of its sources;
/// `None` where that is not known.
pub fn source_components(instruction: &Instruction, operand: usize) -> Option<u8> {
    let row = instruction.info();
    // What a look-up reads beside its coordinates is not counted.
    let known = row.family == Family::Plain;
    dataflow::components_read(instruction, row, operand).filter(|_| known)
}

/// The components that an instruction reads of the register in one of its sources, of a look-up
/// those of its coordinates; `None` where that is not known.
pub fn operand_components(instruction: &Instruction, operand: usize) -> Option<u8> {
    dataflow::components_read(instruction, instruction.info(), operand)
}

/// The order of statements: declarations first, one `END` last.
#[derive(Default)]
struct Order {
    /// Set where an instruction was read.
    instructions: bool,
    end: Option<TextRange>,
    /// Every further one.
    further_ends: Vec<TextRange>,
}

impl Order {
    fn declaration(&mut self, range: TextRange, report: &mut Report) {
        if self.instructions {
            let kind = (codes::LATE_DECLARATION, source::Severity::Warning, "");
            report.note(kind, range, || {
                "the reference check requires declarations and immediates before the first instruction"
            });
        }
    }

    fn end(&mut self, instruction: &Instruction) {
        let opcode = instruction.opcode;
        if !flow::is_end(opcode.value) {
            return;
        }
        match self.end {
            None => self.end = Some(opcode.range),
            Some(_) => self.further_ends.push(opcode.range),
        }
    }

    fn finish(&self, shader: &Shader, report: &mut Report) {
        for second in &self.further_ends {
            report.push(|| {
                let message = "a shader has one `END`";
                let diagnostic = Diagnostic::warning(codes::SECOND_END, *second, message);
                self.end
                    .iter()
                    .fold(diagnostic, |it, first| it.with_related(*first, "the first one"))
            });
        }
        // A library of subroutines has no end of its own.
        if self.end.is_none() && !shader.instructions().last().is_some_and(flow::closes_subroutine)
        {
            let last = shader.statements.last().map_or(shader.stage.range, |last| last.range);
            let message = "the shader has no `END`: drivers read on past its last instruction";
            report.push(|| {
                Diagnostic::warning(codes::MISSING_END, last, message).with_fix(
                    "Add `END`",
                    TextRange::empty(last.end()),
                    "\nEND",
                )
            });
        }
    }
}

#[cfg(test)]
mod tests;

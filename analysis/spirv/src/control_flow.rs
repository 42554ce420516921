//! Branches, loops and switches.
//!
//! TGSI is structured as SPIR-V wants it: every construct names the block where its parts meet
//! before they part. A frame knows these blocks.

use std::collections::{HashMap, HashSet};

use lower::failure::{Failure, invalid};
use tgsi::Opcode;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::frames::FrameKind;
use crate::values::Value;
use crate::words::Op;

pub(crate) fn misplaced(instruction: &Instruction, opener: &str) -> Failure {
    let opcode = instruction.opcode.value.mnemonic();
    invalid(instruction.opcode.range, "control flow", format!("{opcode} without {opener}"))
}

pub(crate) fn nothing(_: &mut Translation<'_>, _: &Instruction) -> Emitted {
    Ok(())
}

impl Translation<'_> {
    /// Emits what only happens where a condition holds.
    pub(crate) fn only_if(&mut self, condition: Value, emit: impl FnOnce(&mut Self)) {
        let reach = self.builder.reach();
        let [inside, behind] = [(); 2].map(|()| self.builder.new_id());
        self.builder.selection(behind);
        self.builder.branch(condition, inside, behind);
        self.builder.enter(inside);
        emit(self);
        self.builder.jump(behind);
        self.builder.merge(behind, reach);
    }

    /// Opens an `IF`, also where its operand could not be read: its parts are translated for their
    /// own failures.
    fn choose(&mut self, instruction: &Instruction, condition: Emitted<Value>) -> Emitted {
        let reach = self.builder.reach();
        let [then, otherwise, end] = [(); 3].map(|()| self.builder.new_id());
        let opened = condition.map(|condition| {
            self.builder.selection(end);
            self.builder.branch(condition, then, otherwise);
        });
        self.builder.enter(then);
        self.flow.open(instruction, FrameKind::If { otherwise: Some(otherwise), end }, reach);
        opened
    }

    /// Tells whether a float is no zero: NaN is none.
    fn is_nonzero(&mut self, value: Value) -> Value {
        let zero = self.builder.float(0.0);
        self.builder.compare(Op::FUnordNotEqual, value, zero)
    }
}

pub(crate) fn begin_if(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let value = this.float(instruction, 0, Component::X);
    let condition = value.map(|value| this.is_nonzero(value));
    this.choose(instruction, condition)
}

pub(crate) fn begin_unsigned_if(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let value = this.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned);
    let condition = value.map(|value| this.builder.is_set(value));
    this.choose(instruction, condition)
}

pub(crate) fn begin_else(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let Some(FrameKind::If { otherwise, end }) = this.flow.innermost_mut() else {
        return Err(misplaced(instruction, Opcode::IF.mnemonic()));
    };
    let Some(otherwise) = otherwise.take() else {
        return Err(misplaced(instruction, "an IF of its own"));
    };
    this.builder.jump(*end);
    this.builder.enter(otherwise);
    Ok(())
}

pub(crate) fn end_if(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let Some(&FrameKind::If { otherwise, end }) = this.flow.innermost() else {
        return Err(misplaced(instruction, Opcode::IF.mnemonic()));
    };
    let reach = this.flow.close();
    this.builder.jump(end);
    if let Some(otherwise) = otherwise {
        this.builder.enter(otherwise);
        this.builder.jump(end);
    }
    this.builder.merge(end, reach);
    Ok(())
}

pub(crate) fn begin_loop(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let reach = this.builder.reach();
    let [head, body, next, end] = [(); 4].map(|()| this.builder.new_id());
    this.builder.jump(head);
    this.builder.enter(head);
    this.builder.loop_merge(end, next);
    this.builder.jump(body);
    this.builder.enter(body);
    this.flow.open(instruction, FrameKind::Loop { head, next, end }, reach);
    Ok(())
}

pub(crate) fn end_loop(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let Some(&FrameKind::Loop { head, next, end }) = this.flow.innermost() else {
        return Err(misplaced(instruction, Opcode::BGNLOOP.mnemonic()));
    };
    let reach = this.flow.close();
    this.builder.jump(next);
    this.builder.next_round(next, head, reach);
    this.builder.merge(end, reach);
    Ok(())
}

/// The block to which a break goes.
fn break_target(this: &Translation<'_>, instruction: &Instruction) -> Emitted<Id> {
    this.flow.break_target().ok_or_else(|| misplaced(instruction, "a loop or switch around it"))
}

pub(crate) fn break_out(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let end = break_target(this, instruction)?;
    this.builder.jump(end);
    Ok(())
}

pub(crate) fn break_out_if(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let end = break_target(this, instruction)?;
    let value = this.float(instruction, 0, Component::X)?;
    let condition = this.is_nonzero(value);
    this.only_if(condition, |this| this.builder.jump(end));
    Ok(())
}

pub(crate) fn next_round(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let end = this.flow.round_end();
    let end = end.ok_or_else(|| misplaced(instruction, "a loop around it"))?;
    this.builder.jump(end);
    Ok(())
}

/// The labels of SPIR-V are constants; those of TGSI may be registers, and then the number of the
/// first case that is equal is looked for.
pub(crate) fn begin_switch(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let reach = this.builder.reach();
    let end = this.builder.new_id();
    let mut blocks = HashMap::new();
    let mut otherwise = end;
    let mut cases = Vec::new();
    for place in this.flow.cases_of(instruction) {
        let block = this.builder.new_id();
        let case = this.instructions[place];
        blocks.insert(case.ordinal, block);
        match case.sources.first() {
            Some(label) => {
                cases.push((this.fetch(label, Component::X, ValueType::Unsigned), block))
            }
            None => otherwise = block,
        }
    }
    let value = this.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned);
    let opened = value.and_then(|value| {
        let labels: Emitted<Vec<(Value, Id)>> =
            cases.into_iter().map(|(label, block)| Ok((label?, block))).collect();
        let (value, labels) = this.constant_labels(value, &labels?);
        this.builder.selection(end);
        this.builder.switch(value, otherwise, &labels);
        Ok(())
    });
    // What stands before the first case is never reached.
    this.builder.leave();
    this.flow.open(instruction, FrameKind::Switch { cases: blocks, end }, reach);
    opened
}

impl Translation<'_> {
    /// A value and constant labels that lead where those of a switch do.
    fn constant_labels(&mut self, value: Value, labels: &[(Value, Id)]) -> (Value, Vec<(u32, Id)>) {
        let constants: Option<Vec<(u32, Id)>> =
            labels.iter().map(|(label, block)| Some((label.bits? as u32, *block))).collect();
        let mut known = HashSet::new();
        if let Some(mut constants) = constants {
            constants.retain(|(label, _)| known.insert(*label));
            return (value, constants);
        }
        let mut chosen = self.builder.uint(labels.len() as u32);
        for (number, (label, _)) in labels.iter().enumerate().rev() {
            let is = self.builder.compare(Op::IEqual, value, *label);
            let number = self.builder.uint(number as u32);
            chosen = self.builder.select(is, number, chosen);
        }
        (chosen, (0..).zip(labels.iter().map(|(_, block)| *block)).collect())
    }
}

pub(crate) fn begin_case(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let block = match this.flow.innermost() {
        Some(FrameKind::Switch { cases, .. }) => cases.get(&instruction.ordinal).copied(),
        _ => None,
    };
    let Some(block) = block else { return Err(misplaced(instruction, Opcode::SWITCH.mnemonic())) };
    this.builder.jump(block);
    this.builder.enter(block);
    Ok(())
}

pub(crate) fn end_switch(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let Some(&FrameKind::Switch { end, .. }) = this.flow.innermost() else {
        return Err(misplaced(instruction, Opcode::SWITCH.mnemonic()));
    };
    let reach = this.flow.close();
    this.builder.jump(end);
    this.builder.merge(end, reach);
    Ok(())
}

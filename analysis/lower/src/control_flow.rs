//! Branches, loops, switches and subroutines.
//!
//! Every construct opens a frame that knows where its parts jump to. After a
//! jump a block without predecessors begins, so that whatever the text still
//! says there has a place; LLVM drops it. Subroutines are inlined: lowering
//! goes on at the subroutine and comes back at its end, so no text depth
//! becomes call depth of ours.

use std::collections::HashMap;

use tgsi::Opcode;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;

use crate::builder::Block;
use crate::context::{Emitted, Lowering};
use crate::failure::{Failure, invalid, unsupported};
use crate::frames::{Count, FrameKind};
use crate::values::{Type, Value};

/// Calls within calls; more is recursion, which the language does not have.
const DEEPEST_CALL: usize = 32;

impl Lowering<'_> {
    /// Closes the main program, so that what follows runs however it ended.
    ///
    /// # Errors
    /// Every construct that is still open.
    pub(crate) fn close(&mut self) -> Vec<Failure> {
        if let Some(exit) = self.flow.exit.take() {
            self.fall_through_to(exit);
        }
        let unfinished = |(opcode, closer)| {
            invalid(opcode, "control flow", format!("this has no matching `{closer}`"))
        };
        self.flow.unfinished().map(unfinished).collect()
    }

    /// Ends the block with a jump to another and begins that one.
    pub(crate) fn fall_through_to(&mut self, block: Block) {
        self.builder.jump(block);
        self.builder.begin(block);
    }

    /// Emits what only lanes do for which a condition holds.
    pub(crate) fn only_if(&mut self, condition: Value, emit: impl FnOnce(&mut Self)) {
        let [inside, behind] = [(); 2].map(|()| self.builder.new_block());
        self.builder.branch(condition, inside, behind);
        self.builder.begin(inside);
        emit(self);
        self.fall_through_to(behind);
    }

    /// Jumps; what follows is reached by nobody.
    fn leave_to(&mut self, block: Block) {
        self.builder.jump(block);
        let unreached = self.builder.new_block();
        self.builder.begin(unreached);
    }

    /// Opens an `IF`, also where its operand could not be read: its parts
    /// are lowered for their own failures.
    fn choose(
        &mut self,
        instruction: &Instruction,
        comparison: &str,
        value: Emitted<Value>,
        zero: Value,
    ) -> Emitted {
        let [then, otherwise, end] = [(); 3].map(|()| self.builder.new_block());
        let value_read = value.map(|value| {
            self.branch_if(comparison, [value, zero], then, otherwise);
        });
        self.builder.begin(then);
        self.flow.open(instruction, FrameKind::If { otherwise: Some(otherwise), end });
        value_read
    }
}

fn misplaced(instruction: &Instruction, opener: &str) -> Failure {
    let opcode = instruction.opcode.value.mnemonic();
    invalid(instruction.opcode.range, "control flow", format!("{opcode} without {opener}"))
}

pub(crate) fn nothing(_: &mut Lowering<'_>, _: &Instruction) -> Emitted {
    Ok(())
}

pub(crate) fn begin_if(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let value = lowering.float(instruction, 0, Component::X);
    lowering.choose(instruction, "fcmp une", value, Value::float(0.0))
}

pub(crate) fn begin_unsigned_if(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let value = lowering.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned);
    lowering.choose(instruction, "icmp ne", value, Value::int(0))
}

pub(crate) fn begin_else(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let Some(FrameKind::If { otherwise, end }) = lowering.flow.innermost_mut() else {
        return Err(misplaced(instruction, Opcode::IF.mnemonic()));
    };
    let Some(otherwise) = otherwise.take() else {
        return Err(misplaced(instruction, "an IF of its own"));
    };
    lowering.builder.jump(*end);
    lowering.builder.begin(otherwise);
    Ok(())
}

pub(crate) fn end_if(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let Some(&FrameKind::If { otherwise, end }) = lowering.flow.innermost() else {
        return Err(misplaced(instruction, Opcode::IF.mnemonic()));
    };
    lowering.flow.close();
    if let Some(otherwise) = otherwise {
        lowering.builder.jump(end);
        lowering.builder.begin(otherwise);
    }
    lowering.fall_through_to(end);
    Ok(())
}

pub(crate) fn begin_loop(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let [head, end] = [(); 2].map(|()| lowering.builder.new_block());
    lowering.fall_through_to(head);
    lowering.flow.open(instruction, FrameKind::Loop { head, next: head, end, count: Count::No });
    Ok(())
}

pub(crate) fn end_loop(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let (head, next, end, count) = match lowering.flow.innermost() {
        Some(&FrameKind::Loop { head, next, end, count })
            if !matches!(count, Count::InRegister) =>
        {
            (head, next, end, count)
        }
        _ => return Err(misplaced(instruction, Opcode::BGNLOOP.mnemonic())),
    };
    lowering.flow.close();
    if let Count::Down(cell) = count {
        lowering.fall_through_to(next);
        let rounds = lowering.builder.load(Type::F32, cell);
        let rounds = lowering.builder.binary("fadd", rounds, Value::float(-1.0));
        lowering.builder.store(rounds, cell);
    }
    lowering.builder.jump(head);
    lowering.builder.begin(end);
    Ok(())
}

/// The historic loop of so many rounds as a register says.
pub(crate) fn begin_repeat(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let rounds = lowering.float(instruction, 0, Component::X);
    let [head, body, next, end] = [(); 4].map(|()| lowering.builder.new_block());
    let cell = lowering.builder.allocate(Type::F32, None);
    lowering.builder.store(*rounds.as_ref().unwrap_or(&Value::float(0.0)), cell);
    lowering.fall_through_to(head);
    let left = lowering.builder.load(Type::F32, cell);
    lowering.branch_if("fcmp ogt", [left, Value::float(0.0)], body, end);
    lowering.builder.begin(body);
    lowering.flow.open(instruction, FrameKind::Loop { head, next, end, count: Count::Down(cell) });
    rounds.map(|_| ())
}

/// The historic loop whose register holds a number, the rounds that are left
/// and what the number grows by.
pub(crate) fn begin_for(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let begun = (|| {
        let mut values = [Value::float(0.0); 4];
        for component in &Component::ALL[..3] {
            let value = lowering.float(instruction, 0, *component)?;
            values[*component as usize] = lowering.builder.overloaded("llvm.floor", &[value]);
        }
        lowering.store_each(instruction, values)?;
        Ok(values[1])
    })();
    let [head, next, end] = [(); 3].map(|()| lowering.builder.new_block());
    let rounds = *begun.as_ref().unwrap_or(&Value::float(0.0));
    lowering.branch_if("fcmp ogt", [rounds, Value::float(0.0)], head, end);
    lowering.builder.begin(head);
    lowering.flow.open(instruction, FrameKind::Loop { head, next, end, count: Count::InRegister });
    begun.map(|_| ())
}

pub(crate) fn end_for(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let Some(&FrameKind::Loop { head, next, end, count: Count::InRegister }) =
        lowering.flow.innermost()
    else {
        return Err(misplaced(instruction, Opcode::BGNFOR.mnemonic()));
    };
    lowering.flow.close();
    lowering.fall_through_to(next);
    let register = instruction.destinations[0].register;
    let counted = (|| {
        let mut values = [Value::float(0.0); 4];
        for component in Component::ALL {
            values[component as usize] = lowering.read(&register, component)?;
        }
        let [number, rounds, step, _] = values;
        values[0] = lowering.builder.binary("fadd", number, step);
        values[1] = lowering.builder.binary("fadd", rounds, Value::float(-1.0));
        lowering.store_each(instruction, values)?;
        Ok(values[1])
    })();
    let rounds = *counted.as_ref().unwrap_or(&Value::float(0.0));
    lowering.branch_if("fcmp ogt", [rounds, Value::float(0.0)], head, end);
    lowering.builder.begin(end);
    counted.map(|_| ())
}

impl Lowering<'_> {
    /// Branches by a comparison. By no particular value that would be undefined behaviour.
    fn branch_if(&mut self, comparison: &str, [left, right]: [Value; 2], yes: Block, no: Block) {
        let condition = self.builder.compare(comparison, left, right);
        let condition = self.builder.freeze(condition);
        self.builder.branch(condition, yes, no);
    }

    /// Goes to a block if a source's x is not zero, else on behind.
    fn leave_if(&mut self, instruction: &Instruction, target: Block) -> Emitted {
        let value = self.float(instruction, 0, Component::X)?;
        let behind = self.builder.new_block();
        self.branch_if("fcmp une", [value, Value::float(0.0)], target, behind);
        self.builder.begin(behind);
        Ok(())
    }
}

/// The block to which a break goes.
fn break_target(lowering: &Lowering<'_>, instruction: &Instruction) -> Emitted<Block> {
    let misplaced = || misplaced(instruction, "a loop or switch around it");
    lowering.flow.break_target().ok_or_else(misplaced)
}

pub(crate) fn break_out(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let end = break_target(lowering, instruction)?;
    lowering.leave_to(end);
    Ok(())
}

pub(crate) fn break_out_if(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let end = break_target(lowering, instruction)?;
    lowering.leave_if(instruction, end)
}

pub(crate) fn next_round(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let end = lowering.flow.round_end();
    let end = end.ok_or_else(|| misplaced(instruction, "a loop around it"))?;
    lowering.leave_to(end);
    Ok(())
}

/// All comparisons come first, each with the debug line of its case.
pub(crate) fn begin_switch(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let value = lowering.fetch(&instruction.sources[0], Component::X, ValueType::Unsigned);
    let (value, mut failure) = match value {
        Ok(value) => (lowering.builder.freeze(value), Ok(())),
        Err(failure) => (Value::int(0), Err(failure)),
    };
    let end = lowering.builder.new_block();
    let mut otherwise = end;
    let mut blocks = HashMap::new();
    for place in lowering.flow.cases_of(instruction) {
        let block = lowering.builder.new_block();
        let case = lowering.instructions[place];
        blocks.insert(case.ordinal, block);
        let Some(source) = case.sources.first() else {
            otherwise = block;
            continue;
        };
        lowering.builder.set_line(case.ordinal);
        let label = match lowering.fetch(source, Component::X, ValueType::Unsigned) {
            Ok(label) => label,
            Err(unreadable) => {
                failure = Err(unreadable);
                continue;
            }
        };
        let next = lowering.builder.new_block();
        lowering.branch_if("icmp eq", [value, label], block, next);
        lowering.builder.begin(next);
    }
    lowering.builder.set_line(instruction.ordinal);
    lowering.leave_to(otherwise);
    lowering.flow.open(instruction, FrameKind::Switch { cases: blocks, end });
    failure
}

pub(crate) fn begin_case(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let block = match lowering.flow.innermost() {
        Some(FrameKind::Switch { cases, .. }) => cases.get(&instruction.ordinal).copied(),
        _ => None,
    };
    let Some(block) = block else { return Err(misplaced(instruction, Opcode::SWITCH.mnemonic())) };
    lowering.fall_through_to(block);
    Ok(())
}

pub(crate) fn end_switch(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let Some(&FrameKind::Switch { end, .. }) = lowering.flow.innermost() else {
        return Err(misplaced(instruction, Opcode::SWITCH.mnemonic()));
    };
    lowering.flow.close();
    lowering.fall_through_to(end);
    Ok(())
}

pub(crate) fn call(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let target = instruction.label.map(|label| label.value as usize);
    let Some(target) = target.filter(|target| *target < lowering.instructions.len()) else {
        let message = "CAL needs the number of an instruction".to_owned();
        return Err(invalid(instruction.opcode.range, "opcode CAL", message));
    };
    if lowering.flow.calls == DEEPEST_CALL {
        return Err(unsupported(instruction.opcode.range, "recursive CAL".to_owned()));
    }
    let end = lowering.builder.new_block();
    lowering.flow.open(instruction, FrameKind::Call { end, back_to: lowering.flow.next });
    lowering.flow.calls += 1;
    lowering.flow.next = target;
    Ok(())
}

pub(crate) fn return_to_caller(lowering: &mut Lowering<'_>, _: &Instruction) -> Emitted {
    let target = match (lowering.flow.call_end(), lowering.flow.exit) {
        (Some(end), _) | (None, Some(end)) => end,
        (None, None) => {
            let exit = lowering.builder.new_block();
            lowering.flow.exit = Some(exit);
            exit
        }
    };
    lowering.leave_to(target);
    Ok(())
}

/// The main program ends where subroutines begin.
pub(crate) fn begin_subroutine(lowering: &mut Lowering<'_>, _: &Instruction) -> Emitted {
    if lowering.flow.calls == 0 {
        lowering.flow.ended = true;
    }
    Ok(())
}

pub(crate) fn end_subroutine(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let Some(&FrameKind::Call { end, back_to }) = lowering.flow.innermost() else {
        return Err(misplaced(instruction, Opcode::CAL.mnemonic()));
    };
    lowering.flow.close();
    lowering.flow.calls -= 1;
    lowering.flow.next = back_to;
    lowering.fall_through_to(end);
    Ok(())
}

pub(crate) fn end(lowering: &mut Lowering<'_>, _: &Instruction) -> Emitted {
    lowering.flow.ended = true;
    Ok(())
}

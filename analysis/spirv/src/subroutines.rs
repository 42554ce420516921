//! Functions: the main program, and one for each subroutine that is called.

use lower::failure::{Failure, invalid, unsupported};
use tgsi::ast::Instruction;

use crate::context::{Emitted, Translation};
use crate::control_flow::misplaced;
use crate::words::Op;

/// The most instructions that are translated, those of subroutines for each place that is called.
const MOST_TRANSLATED: usize = 2 * crate::module::MOST_INSTRUCTIONS;

/// The most words of code.
const MOST_WORDS: usize = 8 << 20;

impl Translation<'_> {
    /// Writes the main program and the subroutines that are called.
    pub(crate) fn functions(&mut self) -> Vec<Failure> {
        let instructions = std::mem::take(&mut self.instructions);
        self.flow.prepare(&instructions);
        self.instructions = instructions;
        let mut budget = MOST_TRANSLATED;
        let main = self.builder.main;
        self.builder.name(main, "main");
        self.builder.begin_function(main);
        self.note_coherent();
        let mut failures: Vec<Failure> = self.prepare_stage().err().into_iter().collect();
        failures.extend(self.function(0, &mut budget));
        while let Some(place) = self.flow.pending.pop() {
            let function = self.flow.subroutines[&place];
            self.flow.subroutine = Some(place);
            self.builder.begin_function(function);
            failures.extend(self.function(place, &mut budget));
            if budget == 0 {
                let construct = "calls that repeat too many instructions".to_owned();
                failures.push(unsupported(self.instructions[place].opcode.range, construct));
                return failures;
            }
        }
        let recursion = self.flow.recursion();
        failures.extend(recursion.map(|range| unsupported(range, "recursive CAL".to_owned())));
        failures
    }

    /// Writes a function from an instruction on.
    fn function(&mut self, first: usize, budget: &mut usize) -> Vec<Failure> {
        let mut failures = Vec::new();
        self.flow.ended = false;
        for place in first..self.instructions.len() {
            let instruction = self.instructions[place];
            self.begin_instruction(instruction);
            if let Err(failure) = self.instruction(instruction) {
                failures.push(failure);
            }
            if self.builder.functions.len() > MOST_WORDS {
                let construct = "a module of more than 32 MiB".to_owned();
                failures.push(unsupported(instruction.opcode.range, construct));
                break;
            }
            *budget = budget.saturating_sub(1);
            if self.flow.ended || *budget == 0 {
                break;
            }
        }
        let unfinished = self.flow.unfinished().into_iter().map(|(opcode, closer)| {
            invalid(opcode, "control flow", format!("this has no matching `{closer}`"))
        });
        failures.extend(unfinished);
        failures.extend(self.finish().err());
        self.builder.end_function();
        failures
    }

    /// Writes what the main program leaves behind.
    fn finish(&mut self) -> Emitted {
        match self.flow.subroutine {
            None if self.builder.is_live() => self.finish_stage(),
            _ => Ok(()),
        }
    }
}

pub(crate) fn call(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let target = instruction.label.map(|label| label.value as usize);
    let Some(target) = target.filter(|target| *target < this.instructions.len()) else {
        let message = "CAL needs the number of an instruction".to_owned();
        return Err(invalid(instruction.opcode.range, "opcode CAL", message));
    };
    let known = this.flow.subroutines.get(&target).copied();
    let function = known.unwrap_or_else(|| {
        let function = this.builder.new_id();
        this.flow.subroutines.insert(target, function);
        this.flow.pending.push(target);
        function
    });
    this.flow.calls.push((this.flow.subroutine, target, instruction.opcode.range));
    let void = this.builder.special_type(Op::TypeVoid, &[]);
    this.builder.result(Op::FunctionCall, void, &[function.0]);
    Ok(())
}

pub(crate) fn return_to_caller(this: &mut Translation<'_>, _: &Instruction) -> Emitted {
    this.finish()?;
    this.builder.terminate(Op::Return, &[]);
    Ok(())
}

/// The main program ends where subroutines begin.
pub(crate) fn begin_subroutine(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    let own = this.flow.subroutine.map(|place| this.instructions[place].ordinal);
    if own != Some(instruction.ordinal) {
        this.flow.ended = true;
    }
    Ok(())
}

pub(crate) fn end_subroutine(this: &mut Translation<'_>, instruction: &Instruction) -> Emitted {
    if this.flow.subroutine.is_none() || !this.flow.is_straight() {
        return Err(misplaced(instruction, "a subroutine of its own"));
    }
    this.flow.ended = true;
    Ok(())
}

pub(crate) fn end(this: &mut Translation<'_>, _: &Instruction) -> Emitted {
    this.flow.ended = true;
    Ok(())
}

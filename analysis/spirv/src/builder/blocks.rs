//! Writes functions block by block.
//!
//! After a jump nothing can be reached until the next label: what is emitted there is dropped,
//! so that whatever the text of a shader still says has a place and the module stays small.

use super::{Builder, Id, Reach, push};
use crate::values::{Type, Value};
use crate::words::{Decoration, Extended, Op, StorageClass};

impl Builder {
    /// Begins a function without parameters and its first block.
    pub(crate) fn begin_function(&mut self, function: Id) {
        let void = self.special_type(Op::TypeVoid, &[]);
        let ty = self.special_type(Op::TypeFunction, &[void.0]);
        push(&mut self.functions, Op::Function, &[void.0, function.0, 0, ty.0]);
        let entry = self.new_id();
        self.begin(entry);
    }

    /// Ends a function; what still runs returns, for no instruction.
    pub(crate) fn end_function(&mut self) {
        if self.is_live() {
            self.set_line(0);
            self.write_line();
        }
        self.terminate(Op::Return, &[]);
        push(&mut self.functions, Op::FunctionEnd, &[]);
    }

    /// Tells whether what is emitted now can be reached.
    pub(crate) fn is_live(&self) -> bool {
        self.block.is_some()
    }

    /// The block that is written.
    pub(crate) fn current_block(&self) -> Option<Id> {
        self.block
    }

    /// Begins a block.
    pub(crate) fn begin(&mut self, block: Id) {
        push(&mut self.functions, Op::Label, &[block.0]);
        self.block = Some(block);
        self.written_line = None;
    }

    /// Sets the place in the source that instructions are for from now on: a line, and the channel
    /// from 1 on, or 0 for all of the instruction.
    pub(crate) fn set_line(&mut self, line: u32) {
        self.line = [line, 0];
    }

    pub(crate) fn set_channel(&mut self, channel: u32) {
        self.line[1] = channel;
    }

    fn write_line(&mut self) {
        if self.line[0] == 0 {
            if self.written_line.take().is_some() {
                push(&mut self.functions, Op::NoLine, &[]);
            }
        } else if self.written_line != Some(self.line) {
            let [line, column] = self.line;
            push(&mut self.functions, Op::Line, &[self.file.0, line, column]);
            self.written_line = Some(self.line);
        }
    }

    /// Writes an instruction without a result.
    pub(crate) fn effect(&mut self, op: Op, operands: &[u32]) {
        if self.is_live() {
            self.write_line();
            push(&mut self.functions, op, operands);
        }
    }

    /// Writes an instruction with a result.
    pub(crate) fn result(&mut self, op: Op, ty: Id, operands: &[u32]) -> Id {
        let id = self.new_id();
        self.effect(op, &[&[ty.0, id.0], operands].concat());
        id
    }

    /// Writes an instruction whose result is a value.
    pub(crate) fn op(&mut self, op: Op, ty: Type, operands: &[Value]) -> Value {
        let operands: Vec<u32> = operands.iter().map(|operand| operand.id.0).collect();
        self.raw(op, ty, &operands)
    }

    /// The same with operands that are no values.
    pub(crate) fn raw(&mut self, op: Op, ty: Type, operands: &[u32]) -> Value {
        let of = self.value_type(ty);
        let id = self.result(op, of, operands);
        let fusible = matches!(op, Op::FAdd | Op::FSub | Op::FMul);
        if self.exact && fusible && self.is_live() {
            self.decorate(id, Decoration::NoContraction, &[]);
        }
        Value { id, ty, bits: None }
    }

    /// Gives a value an id that was used before the value was made.
    pub(crate) fn renamed(&mut self, value: Value, id: Id) -> Value {
        let ty = Type::One(crate::values::Scalar::U32);
        let value = self.bitcast(value, ty);
        let of = self.value_type(ty);
        self.effect(Op::CopyObject, &[of.0, id.0, value.id.0]);
        Value { id, ty, bits: None }
    }

    /// Writes an instruction of GLSL.std.450.
    pub(crate) fn extended(&mut self, op: Extended, ty: Type, operands: &[Value]) -> Value {
        let mut words = vec![self.extended.0, op as u32];
        words.extend(operands.iter().map(|operand| operand.id.0));
        self.raw(Op::ExtInst, ty, &words)
    }

    /// The pointer to a part of a variable.
    pub(crate) fn part(
        &mut self,
        class: StorageClass,
        ty: Type,
        base: Id,
        indices: &[Value],
    ) -> Id {
        let pointee = self.value_type(ty);
        let pointer = self.pointer_type(class, pointee);
        let mut words = vec![base.0];
        words.extend(indices.iter().map(|index| index.id.0));
        self.result(Op::AccessChain, pointer, &words)
    }

    pub(crate) fn load(&mut self, ty: Type, pointer: Id) -> Value {
        self.raw(Op::Load, ty, &[pointer.0])
    }

    pub(crate) fn store(&mut self, pointer: Id, value: Value) {
        self.effect(Op::Store, &[pointer.0, value.id.0]);
    }

    /// Ends the block, if there is one.
    pub(crate) fn terminate(&mut self, op: Op, operands: &[u32]) {
        if self.is_live() {
            push(&mut self.functions, op, operands);
            self.block = None;
        }
    }

    pub(crate) fn jump(&mut self, target: Id) {
        self.note_targets(&[target]);
        self.terminate(Op::Branch, &[target.0]);
    }

    pub(crate) fn branch(&mut self, condition: Value, yes: Id, no: Id) {
        self.note_targets(&[yes, no]);
        self.terminate(Op::BranchConditional, &[condition.id.0, yes.0, no.0]);
    }

    /// Jumps to the block of the number that a value is, or to another.
    pub(crate) fn switch(&mut self, value: Value, otherwise: Id, cases: &[(u32, Id)]) {
        self.note_targets(&[otherwise]);
        let mut operands = vec![value.id.0, otherwise.0];
        for (number, block) in cases {
            self.note_targets(&[*block]);
            operands.extend([*number, block.0]);
        }
        self.terminate(Op::Switch, &operands);
    }

    fn note_targets(&mut self, targets: &[Id]) {
        if self.is_live() {
            self.targets.extend(targets);
        }
    }

    /// Begins a block if something jumps to it.
    pub(crate) fn enter(&mut self, block: Id) {
        self.block = None;
        if self.targets.contains(&block) {
            self.begin(block);
        }
    }

    /// Begins the block in which the parts of a construct meet, which must stand there even if
    /// none of them comes to its end; nothing if the construct itself is never reached.
    pub(crate) fn merge(&mut self, block: Id, construct: Reach) {
        self.block = None;
        if construct == Reach::Live {
            self.begin(block);
            if !self.targets.contains(&block) {
                self.terminate(Op::Unreachable, &[]);
            }
        }
    }

    /// Ends a round of a loop: the block that leads back to its head, which must stand there even if
    /// no round comes to its end.
    pub(crate) fn next_round(&mut self, block: Id, head: Id, construct: Reach) {
        if construct == Reach::Live {
            self.begin(block);
            self.jump(head);
        }
    }

    /// Says that nothing comes here.
    pub(crate) fn leave(&mut self) {
        self.block = None;
    }

    /// Tells whether what is emitted now can be reached.
    pub(crate) fn reach(&self) -> Reach {
        if self.is_live() { Reach::Live } else { Reach::Dead }
    }

    /// Writes where the parts of a selection meet again, just before the jump into them.
    pub(crate) fn selection(&mut self, merge: Id) {
        if self.is_live() {
            push(&mut self.functions, Op::SelectionMerge, &[merge.0, 0]);
        }
    }

    /// Writes where a loop is left and where its next round begins.
    pub(crate) fn loop_merge(&mut self, merge: Id, next: Id) {
        if self.is_live() {
            push(&mut self.functions, Op::LoopMerge, &[merge.0, next.0, 0]);
        }
    }
}

//! Writes instructions: what stands outside of functions once, and functions block by block.
//!
//! After a jump nothing can be reached until the next label: what is emitted there is dropped,
//! so that whatever the text of a shader still says has a place and the module stays small.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::values::{Scalar, Type, Value};
use crate::words::{
    BuiltIn, Capability, Decoration, ExecutionMode, Extended, Op, StorageClass, string_words,
};

/// The id of an instruction's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(crate) u32);

/// What may be done to the multiplications and additions of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Contraction {
    /// A product and a sum may become one operation, but where an instruction is `_PRECISE`: what
    /// drivers of TGSI allow.
    #[default]
    Allowed,
    /// Every operation is rounded as it is written: for comparisons of bits.
    Forbidden,
}

/// The places in a shader: those that control can come to, and the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Live,
    Dead,
}

/// The parts of a module, each a list of words, and what was made before.
pub(crate) struct Builder {
    next: u32,
    pub(crate) capabilities: BTreeSet<Capability>,
    pub(crate) modes: Vec<u32>,
    pub(crate) names: Vec<u32>,
    pub(crate) decorations: Vec<u32>,
    pub(crate) globals: Vec<u32>,
    pub(crate) functions: Vec<u32>,
    /// The inputs and outputs, which the entry point lists.
    pub(crate) interface: Vec<Id>,
    /// The instruction set GLSL.std.450.
    pub(crate) extended: Id,
    /// The name of the source file.
    pub(crate) file: Id,
    pub(crate) main: Id,
    /// Types and constants by their words.
    known: FxHashMap<Vec<u32>, Id>,
    /// The block that is written, if what comes now can be reached.
    block: Option<Id>,
    /// The blocks that something jumps to.
    targets: FxHashSet<Id>,
    line: [u32; 2],
    written_line: Option<[u32; 2]>,
    /// Set where no product may be fused with a sum.
    pub(crate) exact: bool,
    /// Set where a product with zero is zero.
    pub(crate) zero_wins: bool,
}

impl Builder {
    pub(crate) fn new() -> Builder {
        let [main, extended, file] = [Id(1), Id(2), Id(3)];
        Builder {
            next: 4,
            capabilities: BTreeSet::from([Capability::Shader]),
            modes: Vec::new(),
            names: Vec::new(),
            decorations: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            interface: Vec::new(),
            extended,
            file,
            main,
            known: FxHashMap::default(),
            block: None,
            targets: FxHashSet::default(),
            line: [0; 2],
            written_line: None,
            exact: false,
            zero_wins: false,
        }
    }

    /// Returns an id that nothing has yet.
    pub(crate) fn new_id(&mut self) -> Id {
        let id = Id(self.next);
        self.next += 1;
        id
    }

    /// Returns a number above all ids.
    pub(crate) fn bound(&self) -> u32 {
        self.next
    }

    // What stands outside of functions.

    pub(crate) fn require(&mut self, capability: Capability) {
        self.capabilities.insert(capability);
    }

    pub(crate) fn name(&mut self, id: Id, name: &str) {
        let words = [vec![id.0], string_words(name)].concat();
        push(&mut self.names, Op::Name, &words);
    }

    pub(crate) fn decorate(&mut self, id: Id, decoration: Decoration, operands: &[u32]) {
        let words = [&[id.0, decoration as u32], operands].concat();
        push(&mut self.decorations, Op::Decorate, &words);
    }

    pub(crate) fn decorate_built_in(&mut self, id: Id, built_in: BuiltIn) {
        self.decorate(id, Decoration::BuiltIn, &[built_in as u32]);
    }

    pub(crate) fn decorate_member(&mut self, id: Id, decoration: Decoration, operands: &[u32]) {
        let words = [&[id.0, 0, decoration as u32], operands].concat();
        push(&mut self.decorations, Op::MemberDecorate, &words);
    }

    pub(crate) fn mode(&mut self, mode: ExecutionMode, operands: &[u32]) {
        let words = [&[self.main.0, mode as u32], operands].concat();
        push(&mut self.modes, Op::ExecutionMode, &words);
    }

    /// A type, or a constant of a type: the same words give the same id. Tells whether it is new.
    fn interned(&mut self, op: Op, ty: Option<Id>, operands: &[u32]) -> (Id, bool) {
        let key = [&[op as u32, ty.map_or(0, |ty| ty.0)], operands].concat();
        if let Some(id) = self.known.get(&key) {
            return (*id, false);
        }
        let id = self.new_id();
        self.known.insert(key, id);
        self.global(op, ty, id, operands);
        (id, true)
    }

    /// Writes an instruction with a result outside of functions.
    fn global(&mut self, op: Op, ty: Option<Id>, id: Id, operands: &[u32]) {
        let mut words: Vec<u32> = ty.iter().map(|ty| ty.0).collect();
        words.push(id.0);
        words.extend(operands);
        push(&mut self.globals, op, &words);
    }

    /// Returns a type that no value has, such as that of an image.
    pub(crate) fn special_type(&mut self, op: Op, operands: &[u32]) -> Id {
        self.interned(op, None, operands).0
    }

    /// Returns the type of a value.
    pub(crate) fn value_type(&mut self, ty: Type) -> Id {
        let (op, operands) = match ty {
            Type::One(Scalar::Bool) => (Op::TypeBool, vec![]),
            Type::One(Scalar::U32) => (Op::TypeInt, vec![32, 0]),
            Type::One(Scalar::I32) => (Op::TypeInt, vec![32, 1]),
            Type::One(Scalar::U64) => {
                self.require(Capability::Int64);
                (Op::TypeInt, vec![64, 0])
            }
            Type::One(Scalar::F32) => (Op::TypeFloat, vec![32]),
            Type::One(Scalar::F64) => {
                self.require(Capability::Float64);
                (Op::TypeFloat, vec![64])
            }
            Type::Vector(scalar, length) => {
                let scalar = self.value_type(Type::One(scalar));
                (Op::TypeVector, vec![scalar.0, length])
            }
            Type::Pair(first, second) => {
                let members = [first, second].map(|one| self.value_type(Type::One(one)).0);
                (Op::TypeStruct, members.to_vec())
            }
        };
        self.special_type(op, &operands)
    }

    pub(crate) fn pointer_type(&mut self, class: StorageClass, pointee: Id) -> Id {
        self.special_type(Op::TypePointer, &[class as u32, pointee.0])
    }

    pub(crate) fn array_type(&mut self, element: Id, length: u32) -> Id {
        let length = self.uint(length).id;
        self.special_type(Op::TypeArray, &[element.0, length.0])
    }

    /// A block with one member, an array of elements so many bytes apart; without a length the
    /// buffer has it.
    pub(crate) fn block_type(&mut self, element: Type, stride: u32, length: Option<u32>) -> Id {
        let element = self.value_type(element);
        let (array, new) = match length {
            Some(length) => {
                let length = self.uint(length).id;
                self.interned(Op::TypeArray, None, &[element.0, length.0])
            }
            None => self.interned(Op::TypeRuntimeArray, None, &[element.0]),
        };
        if new {
            self.decorate(array, Decoration::ArrayStride, &[stride]);
        }
        let (block, new) = self.interned(Op::TypeStruct, None, &[array.0]);
        if new {
            self.decorate(block, Decoration::Block, &[]);
            self.decorate_member(block, Decoration::Offset, &[0]);
        }
        block
    }

    /// A variable outside of functions.
    pub(crate) fn variable(&mut self, class: StorageClass, pointee: Id) -> Id {
        let ty = self.pointer_type(class, pointee);
        let id = self.new_id();
        self.global(Op::Variable, Some(ty), id, &[class as u32]);
        if matches!(class, StorageClass::Input | StorageClass::Output) {
            self.interface.push(id);
        }
        id
    }

    /// A variable of the shader's own, with the values of its elements.
    pub(crate) fn initialized_array(&mut self, ty: Id, elements: &[Value]) -> Id {
        let elements: Vec<u32> = elements.iter().map(|element| element.id.0).collect();
        let (initial, _) = self.interned(Op::ConstantComposite, Some(ty), &elements);
        let class = StorageClass::Private;
        let ty = self.pointer_type(class, ty);
        let id = self.new_id();
        self.global(Op::Variable, Some(ty), id, &[class as u32, initial.0]);
        id
    }

    /// A constant of 32 or 64 bits.
    pub(crate) fn constant(&mut self, scalar: Scalar, bits: u64) -> Value {
        let ty = Type::One(scalar);
        let of = self.value_type(ty);
        let id = match (scalar, bits) {
            (Scalar::Bool, 0) => self.interned(Op::ConstantFalse, Some(of), &[]).0,
            (Scalar::Bool, _) => self.interned(Op::ConstantTrue, Some(of), &[]).0,
            (Scalar::U64 | Scalar::F64, _) => {
                let halves = [bits as u32, (bits >> 32) as u32];
                self.interned(Op::Constant, Some(of), &halves).0
            }
            _ => self.interned(Op::Constant, Some(of), &[bits as u32]).0,
        };
        Value { id, ty, bits: Some(bits) }
    }

    pub(crate) fn uint(&mut self, number: u32) -> Value {
        self.constant(Scalar::U32, number.into())
    }

    pub(crate) fn float(&mut self, number: f32) -> Value {
        self.constant(Scalar::F32, number.to_bits().into())
    }

    /// A whole number as a constant of a type.
    pub(crate) fn whole(&mut self, scalar: Scalar, number: i32) -> Value {
        let bits = match scalar {
            Scalar::F32 => (number as f32).to_bits().into(),
            Scalar::F64 => f64::from(number).to_bits(),
            Scalar::U64 => i64::from(number) as u64,
            Scalar::U32 | Scalar::I32 | Scalar::Bool => (number as u32).into(),
        };
        self.constant(scalar, bits)
    }

    /// A vector of constants.
    pub(crate) fn constant_vector(&mut self, scalar: Scalar, parts: &[Value]) -> Value {
        let ty = Type::Vector(scalar, parts.len() as u32);
        let of = self.value_type(ty);
        let parts: Vec<u32> = parts.iter().map(|part| part.id.0).collect();
        let (id, _) = self.interned(Op::ConstantComposite, Some(of), &parts);
        Value { id, ty, bits: None }
    }

    /// A constant that the pipeline may set under a number.
    pub(crate) fn specialized(&mut self, scalar: Scalar, bits: u32, number: u32) -> Value {
        let ty = Type::One(scalar);
        let of = self.value_type(ty);
        let id = self.new_id();
        self.global(Op::SpecConstant, Some(of), id, &[bits]);
        self.decorate(id, Decoration::SpecId, &[number]);
        Value { id, ty, bits: None }
    }

    /// The size of a block whose three numbers the pipeline may set.
    pub(crate) fn specialized_vector(&mut self, parts: &[Value]) -> Value {
        let ty = Type::Vector(Scalar::U32, parts.len() as u32);
        let of = self.value_type(ty);
        let id = self.new_id();
        let parts: Vec<u32> = parts.iter().map(|part| part.id.0).collect();
        self.global(Op::SpecConstantComposite, Some(of), id, &parts);
        Value { id, ty, bits: None }
    }

    // Functions.

    /// Begins a function without parameters and its first block.
    pub(crate) fn begin_function(&mut self, function: Id) {
        let void = self.special_type(Op::TypeVoid, &[]);
        let ty = self.special_type(Op::TypeFunction, &[void.0]);
        push(&mut self.functions, Op::Function, &[void.0, function.0, 0, ty.0]);
        let entry = self.new_id();
        self.begin(entry);
    }

    /// Ends a function; what still runs returns.
    pub(crate) fn end_function(&mut self) {
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
        if self.line[0] != 0 && self.written_line != Some(self.line) {
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

    // Ends of blocks.

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

/// Appends an instruction to a list of words.
pub(crate) fn push(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op as u32);
    words.extend(operands);
}

//! Writes the instructions of the one function that a shader becomes.
//!
//! There are two streams: the entry block, where registers are allocated and
//! things that every use shares are loaded, and the body after it. Whatever is
//! written carries the debug location of the TGSI instruction being lowered.

use std::collections::{BTreeMap, BTreeSet};

use crate::line::IrLine;
use crate::values::{Element, Type, Value};

/// The number of loads that LLVM's scheduler sees at once; its time grows with their square.
const LOADS_TOGETHER: u32 = 64;

/// A basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block(pub(crate) u32);

impl IrLine<'_> {
    /// The name of a block: `block1`.
    pub(crate) fn block(self, block: Block) -> Self {
        self.words("block").number(block.0.into())
    }

    /// A block that is jumped to.
    pub(crate) fn label(self, block: Block) -> Self {
        self.words("label %").block(block)
    }
}

/// The function under construction.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    /// The instructions of the entry block, without its end.
    pub(crate) entry: String,
    /// The instructions after it.
    pub(crate) body: String,
    /// Set while the entry block is written to.
    pub(crate) in_entry: bool,
    /// Set where nothing is written: the caller wants only the failures.
    silent: bool,
    next_value: u32,
    next_block: u32,
    pure_calls: u32,
    line: u32,
    /// The number of instructions of the shaders before this one in the same function.
    lines_before: u32,
    /// Set where 0 times anything is 0, even infinity and NaN, as in old shader models.
    pub(crate) zero_wins: bool,
    /// The debug lines in use.
    pub(crate) lines: BTreeSet<u32>,
    /// The one of them that was put in last: mostly the next is the same.
    last_line: Option<u32>,
    /// A `declare` for every intrinsic in use.
    pub(crate) declarations: BTreeMap<String, String>,
    /// Set where memory is used that the lanes of a group share, so that it needs a definition.
    pub(crate) uses_shared_memory: bool,
    /// The arguments that are addresses of constant buffers, not of lists.
    pub(crate) constant_buffers: BTreeSet<&'static str>,
}

impl Builder {
    /// A builder that hands out values and writes nothing.
    pub(crate) fn silent() -> Builder {
        Builder { silent: true, ..Builder::default() }
    }

    /// Tells whether only failures are asked for.
    pub(crate) fn is_silent(&self) -> bool {
        self.silent
    }

    /// Sets the TGSI instruction that what follows belongs to; 0 is none.
    pub(crate) fn set_line(&mut self, ordinal: u32) {
        self.line = match ordinal {
            0 => 0,
            ordinal => self.lines_before.saturating_add(ordinal),
        };
    }

    /// Goes on with the second shader of a program: its instructions are counted
    /// behind those of the first.
    pub(crate) fn begin_shader(&mut self, instructions_before: u32) {
        self.lines_before = instructions_before;
        self.line = 0;
    }

    /// Writes an instruction without a result.
    fn statement(&mut self, write: impl FnOnce(IrLine<'_>) -> IrLine<'_>) {
        if self.silent {
            return;
        }
        if self.last_line != Some(self.line) {
            self.lines.insert(self.line);
            self.last_line = Some(self.line);
        }
        let stream = if self.in_entry { &mut self.entry } else { &mut self.body };
        let line = write(IrLine(stream).words("  "));
        line.words(", !dbg !").number(location(self.line).into()).words("\n");
    }

    fn new_value(&mut self, ty: Type) -> Value {
        self.next_value += 1;
        Value::result(ty, self.next_value)
    }

    /// Writes an instruction with a result.
    fn emit(&mut self, ty: Type, write: impl FnOnce(IrLine<'_>) -> IrLine<'_>) -> Value {
        let value = self.new_value(ty);
        self.statement(|line| write(line.value(value).words(" = ")));
        value
    }

    /// An instruction of two operands of one type, which is also the result's.
    pub(crate) fn binary(&mut self, operation: &str, left: Value, right: Value) -> Value {
        self.emit(left.ty, |line| line.words(operation).operands(left, right))
    }

    /// A value and those before it, if there are any, joined by an operation.
    pub(crate) fn joined(&mut self, operation: &str, before: Option<Value>, value: Value) -> Value {
        before.map_or(value, |before| self.binary(operation, before, value))
    }

    /// The product of two floats or doubles.
    pub(crate) fn multiply(&mut self, left: Value, right: Value) -> Value {
        if self.zero_wins && left.ty == Type::F32 {
            return self.call(left.ty, "llvm.amdgcn.fmul.legacy", &[left, right]);
        }
        self.binary("fmul", left, right)
    }

    /// The product of two numbers below 2^24, for which the hardware has a
    /// faster instruction.
    pub(crate) fn small_product(&mut self, left: Value, right: Value) -> Value {
        self.call(Type::I32, "llvm.amdgcn.mul.u24", &[left, right])
    }

    /// Float negation.
    pub(crate) fn negate(&mut self, value: Value) -> Value {
        if !value.ty.is_float() {
            return self.binary("sub", Value::whole(value.ty, 0), value);
        }
        self.emit(value.ty, |line| line.words("fneg ").typed(value))
    }

    /// A comparison, `icmp slt` or `fcmp une`.
    pub(crate) fn compare(&mut self, comparison: &str, left: Value, right: Value) -> Value {
        self.emit(Type::I1, |line| line.words(comparison).operands(left, right))
    }

    /// `condition ? yes : no`
    pub(crate) fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.emit(yes.ty, |line| line.words("select ").list(&[condition, yes, no]))
    }

    /// A conversion instruction: `sext`, `fptosi`, `bitcast`.
    pub(crate) fn convert(&mut self, operation: &str, value: Value, ty: Type) -> Value {
        self.emit(ty, |line| line.words(operation).words(" ").typed(value).words(" to ").ty(ty))
    }

    /// The same bits as another type; constants are converted at once.
    pub(crate) fn bitcast(&mut self, value: Value, ty: Type) -> Value {
        if value.ty == ty {
            return value;
        }
        match value.constant_bits() {
            Some(bits) if matches!(ty, Type::F32 | Type::I32) => Value::bits(ty, bits),
            _ => self.convert("bitcast", value, ty),
        }
    }

    /// Some definite value where the operand may be none, so that nothing
    /// that depends on it becomes undefined as a whole.
    pub(crate) fn freeze(&mut self, value: Value) -> Value {
        self.emit(value.ty, |line| line.words("freeze ").typed(value))
    }

    /// Calls an intrinsic and sees to its declaration.
    pub(crate) fn call(&mut self, ty: Type, name: &str, arguments: &[Value]) -> Value {
        self.declare(ty, name, arguments);
        if ty == Type::Void {
            self.statement(|line| line.call(ty, name, arguments));
            return Value::undefined(Type::Void);
        }
        self.emit(ty, |line| line.call(ty, name, arguments))
    }

    /// The same 32 bits in a vector register, made from nothing that LLVM can see: it
    /// costs no instruction, and nothing of how they were made moves past it.
    pub(crate) fn opaque(&mut self, bits: Value) -> Value {
        self.emit(Type::I32, |line| {
            line.words("call i32 asm \"\", \"=v,0\"(i32 ").value(bits).words(")")
        })
    }

    /// Calls an intrinsic that reads memory which nothing changes while the
    /// shader runs, so that the call may move and serve several uses.
    ///
    /// Every so often the scheduler may move nothing across the call: the time
    /// that it takes grows with the square of the loads that it sees at once
    /// (384 of them: 2.3 s, in parts of 64: 0.1 s).
    pub(crate) fn pure_call(&mut self, ty: Type, name: &str, arguments: &[Value]) -> Value {
        self.pure_calls += 1;
        if self.pure_calls.is_multiple_of(LOADS_TOGETHER) {
            let nothing = [Value::int(0)];
            self.call(Type::Void, "llvm.amdgcn.sched.barrier", &nothing);
        }
        self.declare(ty, name, arguments);
        self.emit(ty, |line| line.call(ty, name, arguments).words(" #1"))
    }

    /// Sees to the declaration of an intrinsic.
    fn declare(&mut self, ty: Type, name: &str, arguments: &[Value]) {
        if self.silent || self.declarations.contains_key(name) {
            return;
        }
        let mut declaration = String::new();
        let line = IrLine(&mut declaration).words("declare ").ty(ty).words(" @").words(name);
        let types = arguments.iter().map(|argument| argument.ty);
        line.words("(").commas(types, IrLine::ty).words(")");
        self.declarations.insert(name.to_owned(), declaration);
    }

    /// Calls an intrinsic whose name ends in the type of its result.
    pub(crate) fn overloaded(&mut self, name: &str, arguments: &[Value]) -> Value {
        let ty = arguments[0].ty;
        if self.silent {
            return self.new_value(ty);
        }
        self.call(ty, &format!("{name}.{}", ty.suffix()), arguments)
    }

    /// One element of a vector.
    pub(crate) fn extract(&mut self, vector: Value, index: u32) -> Value {
        match vector.ty {
            Type::Vector(_, element) => self.emit(element.scalar(), |line| {
                line.words("extractelement ").typed(vector).words(", i32 ").number(index.into())
            }),
            _ => vector,
        }
    }

    /// A vector with one element replaced.
    pub(crate) fn insert(&mut self, vector: Value, element: Value, index: u32) -> Value {
        self.emit(vector.ty, |line| {
            let line = line.words("insertelement ").list(&[vector, element]);
            line.words(", i32 ").number(index.into())
        })
    }

    /// A vector of the given elements.
    pub(crate) fn vector(&mut self, element: Element, elements: &[Value]) -> Value {
        let ty = Type::Vector(elements.len() as u8, element);
        elements
            .iter()
            .zip(0..)
            .fold(Value::undefined(ty), |vector, (value, index)| self.insert(vector, *value, index))
    }

    /// Reserves registers: one, or an array of `length`.
    pub(crate) fn allocate(&mut self, ty: Type, length: Option<u32>) -> Value {
        let pointer = self.new_value(Type::PrivatePointer);
        if self.silent {
            return pointer;
        }
        let line = IrLine(&mut self.entry).words("  ").value(pointer).words(" = alloca ");
        let line = match length {
            None => line.ty(ty),
            Some(length) => line.array(length, ty),
        };
        line.words(", align 4, addrspace(5)\n");
        pointer
    }

    /// The address of an element of an array of registers.
    pub(crate) fn element(&mut self, array: Value, ty: Type, length: u32, index: Value) -> Value {
        self.emit(array.ty, |line| {
            let line = line.words("getelementptr inbounds ").array(length, ty).words(", ");
            line.list(&[array, Value::int(0), index])
        })
    }

    /// Reads a register.
    pub(crate) fn load(&mut self, ty: Type, pointer: Value) -> Value {
        self.emit(ty, |line| {
            line.words("load ").ty(ty).words(", ").typed(pointer).words(", align 4")
        })
    }

    /// Writes a register.
    pub(crate) fn store(&mut self, value: Value, pointer: Value) {
        self.statement(|line| line.words("store ").list(&[value, pointer]).words(", align 4"));
    }

    /// Reads entry `index` of a descriptor list whose entries have type `ty`.
    /// The lists never change while a shader runs and are the same for all lanes.
    pub(crate) fn descriptor(&mut self, list: Value, ty: Type, index: Value) -> Value {
        let address = self.emit(list.ty, |line| {
            let line = line.words("getelementptr inbounds ").ty(ty).words(", ");
            line.list(&[list, index]).words(", !amdgpu.uniform !0")
        });
        let align = if ty == crate::values::DESCRIPTOR8 { 32 } else { 16 };
        self.emit(ty, |line| {
            let line = line.words("load ").ty(ty).words(", ").typed(address);
            line.words(", align ").number(align).words(", !invariant.load !0")
        })
    }

    /// The address of a byte in memory that the lanes of a group share.
    pub(crate) fn shared_address(&mut self, base: Value, offset: Value) -> Value {
        self.emit(base.ty, |line| line.words("getelementptr i8, ").list(&[base, offset]))
    }

    /// Changes shared memory at once; the result is what was there before.
    pub(crate) fn atomic(&mut self, operation: &str, pointer: Value, value: Value) -> Value {
        self.emit(value.ty, |line| {
            let line = line.words("atomicrmw ").words(operation).words(" ");
            line.list(&[pointer, value])
                .words(" syncscope(\"workgroup-one-as\") monotonic, align 4")
        })
    }

    /// Replaces what is in shared memory if it is `expected`; the result is
    /// what was there before.
    pub(crate) fn compare_exchange(
        &mut self,
        pointer: Value,
        expected: Value,
        replacement: Value,
    ) -> Value {
        let ty = expected.ty;
        let pair = self.emit(ty, |line| {
            line.words("cmpxchg ")
                .list(&[pointer, expected, replacement])
                .words(" syncscope(\"workgroup-one-as\") monotonic monotonic, align 4")
        });
        self.emit(ty, |line| {
            line.words("extractvalue { ").ty(ty).words(", i1 } ").value(pair).words(", 0")
        })
    }

    /// A block that begins later.
    pub(crate) fn new_block(&mut self) -> Block {
        self.next_block += 1;
        Block(self.next_block)
    }

    /// Begins a block. The one before must have ended.
    pub(crate) fn begin(&mut self, block: Block) {
        IrLine(&mut self.body).block(block).words(":\n");
    }

    /// Ends the block with a jump.
    pub(crate) fn jump(&mut self, target: Block) {
        self.statement(|line| line.words("br ").label(target));
    }

    /// Ends the block with a choice.
    pub(crate) fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.statement(|line| {
            line.words("br ").typed(condition).words(", ").label(yes).words(", ").label(no)
        });
    }

    /// Ends the function.
    pub(crate) fn end(&mut self) {
        self.statement(|line| line.words("ret void"));
    }
}

/// The number of the metadata node of a debug line; lower ones are fixed.
pub(crate) fn location(line: u32) -> u32 {
    line + 10
}

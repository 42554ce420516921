//! Writes the instructions of the one function that a shader becomes.
//!
//! There are two streams: the entry block, where registers are allocated and
//! things that every use shares are loaded, and the body after it. Whatever is
//! written carries the debug location of the TGSI instruction being lowered.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use crate::values::{Element, Type, Value};

/// How many loads the scheduler sees at once.
const LOADS_TOGETHER: u32 = 64;

/// A basic block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block(u32);

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block{}", self.0)
    }
}

/// The function under construction.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    entry: String,
    body: String,
    in_entry: bool,
    /// Whether nothing is written: the caller wants only what stands in the way.
    silent: bool,
    next_value: u32,
    next_block: u32,
    pure_calls: u32,
    line: u32,
    /// How many instructions the shaders before this one have.
    lines_before: u32,
    /// Whether 0 times anything is 0, as old shader models have it.
    pub(crate) zero_wins: bool,
    lines: BTreeSet<u32>,
    declarations: BTreeMap<String, String>,
}

/// What a builder wrote.
#[derive(Debug)]
pub(crate) struct Written {
    /// The instructions of the entry block, without its end.
    pub(crate) entry: String,
    /// The instructions after it.
    pub(crate) body: String,
    /// The debug lines in use.
    pub(crate) lines: BTreeSet<u32>,
    /// A `declare` for every intrinsic in use.
    pub(crate) declarations: Vec<String>,
}

impl Builder {
    /// A builder that hands out values and writes nothing.
    pub(crate) fn silent() -> Builder {
        Builder { silent: true, ..Builder::default() }
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

    /// Ends the function.
    pub(crate) fn finish(self) -> Written {
        Written {
            entry: self.entry,
            body: self.body,
            lines: self.lines,
            declarations: self.declarations.into_values().collect(),
        }
    }

    /// Writes to the entry block until [`leave_entry`](Self::leave_entry);
    /// returns what to hand to it.
    pub(crate) fn enter_entry(&mut self) -> bool {
        std::mem::replace(&mut self.in_entry, true)
    }

    /// Ends what [`enter_entry`](Self::enter_entry) began.
    pub(crate) fn leave_entry(&mut self, before: bool) {
        self.in_entry = before;
    }

    fn statement(&mut self, text: fmt::Arguments<'_>) {
        if self.silent {
            return;
        }
        let line = self.line;
        self.lines.insert(line);
        let stream = if self.in_entry { &mut self.entry } else { &mut self.body };
        // Writing to a string cannot fail.
        let _ = writeln!(stream, "  {text}, !dbg !{}", location(line));
    }

    fn new_value(&mut self, ty: Type) -> Value {
        self.next_value += 1;
        Value::result(ty, self.next_value)
    }

    /// Writes an instruction with a result.
    pub(crate) fn emit(&mut self, ty: Type, text: fmt::Arguments<'_>) -> Value {
        let value = self.new_value(ty);
        self.statement(format_args!("{value} = {text}"));
        value
    }

    /// An instruction of two operands of one type, which is also the result's.
    pub(crate) fn binary(&mut self, operation: &str, left: Value, right: Value) -> Value {
        self.emit(left.ty, format_args!("{operation} {}, {right}", left.typed()))
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
        self.emit(value.ty, format_args!("fneg {}", value.typed()))
    }

    /// A comparison, `icmp slt` or `fcmp une`.
    pub(crate) fn compare(&mut self, comparison: &str, left: Value, right: Value) -> Value {
        self.emit(Type::I1, format_args!("{comparison} {}, {right}", left.typed()))
    }

    /// `condition ? yes : no`
    pub(crate) fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.emit(
            yes.ty,
            format_args!("select {}, {}, {}", condition.typed(), yes.typed(), no.typed()),
        )
    }

    /// A conversion instruction: `sext`, `fptosi`, `bitcast`.
    pub(crate) fn convert(&mut self, operation: &str, value: Value, ty: Type) -> Value {
        self.emit(ty, format_args!("{operation} {} to {ty}", value.typed()))
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
        self.emit(value.ty, format_args!("freeze {}", value.typed()))
    }

    /// Calls an intrinsic and sees to its declaration.
    pub(crate) fn call(&mut self, ty: Type, name: &str, arguments: &[Value]) -> Value {
        let list = self.call_text(ty, name, arguments);
        if ty == Type::Void {
            self.statement(format_args!("call void @{name}({list})"));
            return Value::undefined(Type::Void);
        }
        self.emit(ty, format_args!("call {ty} @{name}({list})"))
    }

    /// The same 32 bits in a vector register, made from nothing that LLVM can see: it
    /// costs no instruction, and nothing of how they were made moves past it.
    pub(crate) fn opaque(&mut self, bits: Value) -> Value {
        self.emit(Type::I32, format_args!("call i32 asm \"\", \"=v,0\"(i32 {bits})"))
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
        let list = self.call_text(ty, name, arguments);
        self.emit(ty, format_args!("call {ty} @{name}({list}) #1"))
    }

    fn call_text(&mut self, ty: Type, name: &str, arguments: &[Value]) -> String {
        let mut list = String::new();
        if self.silent {
            return list;
        }
        for (place, argument) in arguments.iter().enumerate() {
            let separator = if place == 0 { "" } else { ", " };
            let _ = write!(list, "{separator}{}", argument.typed());
        }
        if !self.declarations.contains_key(name) {
            let types: Vec<String> =
                arguments.iter().map(|argument| argument.ty.to_string()).collect();
            self.declarations
                .insert(name.to_owned(), format!("declare {ty} @{name}({})", types.join(", ")));
        }
        list
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
            Type::Vector(_, element) => self.emit(
                element.scalar(),
                format_args!("extractelement {}, i32 {index}", vector.typed()),
            ),
            _ => vector,
        }
    }

    /// A vector with one element replaced.
    pub(crate) fn insert(&mut self, vector: Value, element: Value, index: u32) -> Value {
        self.emit(
            vector.ty,
            format_args!("insertelement {}, {}, i32 {index}", vector.typed(), element.typed()),
        )
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
        let _ = match length {
            None => writeln!(self.entry, "  {pointer} = alloca {ty}, align 4, addrspace(5)"),
            Some(length) => {
                writeln!(
                    self.entry,
                    "  {pointer} = alloca [{length} x {ty}], align 4, addrspace(5)"
                )
            }
        };
        pointer
    }

    /// The address of an element of an array of registers.
    pub(crate) fn element(&mut self, array: Value, ty: Type, length: u32, index: Value) -> Value {
        self.emit(
            array.ty,
            format_args!(
                "getelementptr inbounds [{length} x {ty}], {}, i32 0, {}",
                array.typed(),
                index.typed()
            ),
        )
    }

    /// Reads a register.
    pub(crate) fn load(&mut self, ty: Type, pointer: Value) -> Value {
        self.emit(ty, format_args!("load {ty}, {}, align 4", pointer.typed()))
    }

    /// Writes a register.
    pub(crate) fn store(&mut self, value: Value, pointer: Value) {
        self.statement(format_args!("store {}, {}, align 4", value.typed(), pointer.typed()));
    }

    /// Reads entry `index` of a descriptor list whose entries have type `ty`.
    /// The lists never change while a shader runs and are the same for all lanes.
    pub(crate) fn descriptor(&mut self, list: Value, ty: Type, index: Value) -> Value {
        let address = self.emit(
            list.ty,
            format_args!(
                "getelementptr inbounds {ty}, {}, {}, !amdgpu.uniform !0",
                list.typed(),
                index.typed()
            ),
        );
        let align = if ty == crate::values::DESCRIPTOR8 { 32 } else { 16 };
        self.emit(
            ty,
            format_args!("load {ty}, {}, align {align}, !invariant.load !0", address.typed()),
        )
    }

    /// The address of a byte in memory that the lanes of a group share.
    pub(crate) fn shared_address(&mut self, base: Value, offset: Value) -> Value {
        self.emit(base.ty, format_args!("getelementptr i8, {}, {}", base.typed(), offset.typed()))
    }

    /// Changes shared memory at once; the result is what was there before.
    pub(crate) fn atomic(&mut self, operation: &str, pointer: Value, value: Value) -> Value {
        self.emit(
            value.ty,
            format_args!(
                "atomicrmw {operation} {}, {} syncscope(\"workgroup-one-as\") monotonic, align 4",
                pointer.typed(),
                value.typed()
            ),
        )
    }

    /// Replaces what is in shared memory if it is `expected`; the result is
    /// what was there before.
    pub(crate) fn compare_exchange(
        &mut self,
        pointer: Value,
        expected: Value,
        replacement: Value,
    ) -> Value {
        let pair = self.emit(
            expected.ty,
            format_args!(
                "cmpxchg {}, {}, {} syncscope(\"workgroup-one-as\") monotonic monotonic, align 4",
                pointer.typed(),
                expected.typed(),
                replacement.typed()
            ),
        );
        let ty = expected.ty;
        self.emit(ty, format_args!("extractvalue {{ {ty}, i1 }} {pair}, 0"))
    }

    /// A block that begins later.
    pub(crate) fn new_block(&mut self) -> Block {
        self.next_block += 1;
        Block(self.next_block)
    }

    /// Begins a block. The one before must have ended.
    pub(crate) fn begin(&mut self, block: Block) {
        let _ = writeln!(self.body, "{block}:");
    }

    /// Ends the block with a jump.
    pub(crate) fn jump(&mut self, target: Block) {
        self.statement(format_args!("br label %{target}"));
    }

    /// Ends the block with a choice.
    pub(crate) fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.statement(format_args!("br {}, label %{yes}, label %{no}", condition.typed()));
    }

    /// Ends the function.
    pub(crate) fn end(&mut self) {
        self.statement(format_args!("ret void"));
    }
}

/// The number of the metadata node of a debug line; lower ones are fixed.
pub(crate) fn location(line: u32) -> u32 {
    line + 10
}

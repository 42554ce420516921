//! Writes a module: what stands outside of functions here, each type and constant once, and
//! functions block by block (`blocks.rs`).

mod blocks;

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::values::{Scalar, Type, Value};
use crate::words::{
    BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass, string_words,
};

/// The id of an instruction's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(crate) u32);

/// The treatment of the multiplications and additions of a shader.
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
        self.initialized(ty, initial)
    }

    /// A variable of the shader's own that begins with a constant.
    pub(crate) fn initialized(&mut self, ty: Id, initial: Id) -> Id {
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
}

/// Appends an instruction to a list of words.
pub(crate) fn push(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op as u32);
    words.extend(operands);
}

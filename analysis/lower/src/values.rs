//! Types and values of LLVM IR, as far as shaders need them.
//!
//! A [`Value`] is small and copied freely; its text is made when it is used.

use crate::line::IrLine;

/// A type of the IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// Only as the result of a call.
    Void,
    /// A condition.
    I1,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
    /// A pointer into memory that the shader only reads: descriptor lists.
    /// 32 bits wide; the upper half is a function attribute.
    ConstantPointer,
    /// A pointer to a register or an array of registers.
    PrivatePointer,
    /// A pointer into the memory that the lanes of a group share.
    SharedPointer,
    /// A short vector.
    Vector(u8, Element),
}

/// The type of a vector's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Element {
    I16,
    I32,
    F16,
    F32,
}

impl Element {
    /// The type of one element.
    pub(crate) fn scalar(self) -> Type {
        match self {
            Element::I16 => Type::I16,
            Element::I32 => Type::I32,
            Element::F16 => Type::F16,
            Element::F32 => Type::F32,
        }
    }
}

/// Four floats: a texel, a vertex attribute.
pub(crate) const VECTOR4: Type = Type::Vector(4, Element::F32);
/// A buffer or sampler descriptor.
pub(crate) const DESCRIPTOR4: Type = Type::Vector(4, Element::I32);
/// An image descriptor.
pub(crate) const DESCRIPTOR8: Type = Type::Vector(8, Element::I32);

impl Type {
    /// Returns the type as an overloaded intrinsic's name spells it: `v4f32`.
    pub(crate) fn suffix(self) -> String {
        match self {
            Type::Void => "isVoid".into(),
            Type::I1 => "i1".into(),
            Type::I16 => "i16".into(),
            Type::I32 => "i32".into(),
            Type::I64 => "i64".into(),
            Type::F16 => "f16".into(),
            Type::F32 => "f32".into(),
            Type::F64 => "f64".into(),
            Type::ConstantPointer => "p6".into(),
            Type::PrivatePointer => "p5".into(),
            Type::SharedPointer => "p3".into(),
            Type::Vector(length, element) => format!("v{length}{}", element.scalar().suffix()),
        }
    }

    /// Tells whether it is a floating point type.
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::F32 | Type::F64)
    }
}

impl IrLine<'_> {
    /// The name of a type.
    pub(crate) fn ty(self, ty: Type) -> Self {
        let name = match ty {
            Type::Void => "void",
            Type::I1 => "i1",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::F16 => "half",
            Type::F32 => "float",
            Type::F64 => "double",
            Type::ConstantPointer => "ptr addrspace(6)",
            Type::PrivatePointer => "ptr addrspace(5)",
            Type::SharedPointer => "ptr addrspace(3)",
            Type::Vector(length, element) => {
                let line = self.words("<").number(length.into()).words(" x ");
                return line.ty(element.scalar()).words(">");
            }
        };
        self.words(name)
    }
}

/// The origin of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Operand {
    /// The result of an instruction.
    Result(u32),
    /// A function argument.
    Argument(&'static str),
    /// A definition of the module.
    Global(&'static str),
    /// An integer or a condition.
    Integer(i64),
    /// The bits of a float.
    Float(u32),
    /// The bits of a double.
    Double(u64),
    /// No particular value.
    Undefined,
}

/// A typed value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    /// Its type.
    pub(crate) ty: Type,
    operand: Operand,
}

impl Value {
    /// The result of instruction number `id`.
    pub(crate) fn result(ty: Type, id: u32) -> Value {
        Value { ty, operand: Operand::Result(id) }
    }

    /// A function argument.
    pub(crate) fn argument(ty: Type, name: &'static str) -> Value {
        Value { ty, operand: Operand::Argument(name) }
    }

    /// Returns a definition that the module has beside its function.
    pub(crate) fn global(ty: Type, name: &'static str) -> Value {
        Value { ty, operand: Operand::Global(name) }
    }

    /// A 32-bit integer constant.
    pub(crate) fn int(value: i32) -> Value {
        Value { ty: Type::I32, operand: Operand::Integer(value.into()) }
    }

    /// An unsigned 32-bit integer constant.
    pub(crate) fn uint(value: u32) -> Value {
        Value::int(value as i32)
    }

    /// A 64-bit integer constant.
    pub(crate) fn long(value: i64) -> Value {
        Value { ty: Type::I64, operand: Operand::Integer(value) }
    }

    /// A constant condition.
    pub(crate) fn condition(value: bool) -> Value {
        Value { ty: Type::I1, operand: Operand::Integer(value.into()) }
    }

    /// A float constant.
    pub(crate) fn float(value: f32) -> Value {
        Value { ty: Type::F32, operand: Operand::Float(value.to_bits()) }
    }

    /// A double constant.
    pub(crate) fn double(value: f64) -> Value {
        Value { ty: Type::F64, operand: Operand::Double(value.to_bits()) }
    }

    /// A whole number as a constant of a type with numbers.
    pub(crate) fn whole(ty: Type, value: i32) -> Value {
        match ty {
            Type::F32 => Value::float(value as f32),
            Type::F64 => Value::double(value.into()),
            _ => Value { ty, operand: Operand::Integer(value.into()) },
        }
    }

    /// 32 constant bits read as a type of that width.
    pub(crate) fn bits(ty: Type, bits: u32) -> Value {
        match ty {
            Type::F32 => Value { ty, operand: Operand::Float(bits) },
            _ => Value { ty, operand: Operand::Integer(i64::from(bits as i32)) },
        }
    }

    /// No particular value of a type.
    pub(crate) fn undefined(ty: Type) -> Value {
        Value { ty, operand: Operand::Undefined }
    }

    /// The bits of a 32-bit constant.
    pub(crate) fn constant_bits(self) -> Option<u32> {
        match self.operand {
            Operand::Integer(value) if self.ty == Type::I32 => Some(value as u32),
            Operand::Float(bits) => Some(bits),
            _ => None,
        }
    }
}

impl IrLine<'_> {
    /// A value without its type: `%v1`.
    pub(crate) fn value(self, value: Value) -> Self {
        match value.operand {
            Operand::Result(id) => self.words("%v").number(id.into()),
            Operand::Argument(name) => self.words("%").words(name),
            Operand::Global(name) => self.words("@").words(name),
            Operand::Integer(number) if value.ty == Type::I1 => {
                self.words(if number == 0 { "false" } else { "true" })
            }
            Operand::Integer(number) => self.signed(number),
            Operand::Float(bits) => {
                let value = f32::from_bits(bits);
                if value.is_nan() {
                    // Written as a double, a NaN would lose its payload.
                    self.words("bitcast (i32 ").signed((bits as i32).into()).words(" to float)")
                } else {
                    self.bits(f64::from(value).to_bits())
                }
            }
            Operand::Double(bits) => self.bits(bits),
            Operand::Undefined => self.words("undef"),
        }
    }

    /// A value after its type: `float %v1`.
    pub(crate) fn typed(self, value: Value) -> Self {
        self.ty(value.ty).words(" ").value(value)
    }

    /// Values after their types.
    pub(crate) fn list(self, values: &[Value]) -> Self {
        self.commas(values.iter().copied(), IrLine::typed)
    }

    /// Two values of one type, as behind the name of an operation.
    pub(crate) fn operands(self, left: Value, right: Value) -> Self {
        self.words(" ").typed(left).words(", ").value(right)
    }

    /// The call of a function.
    pub(crate) fn call(self, ty: Type, name: &str, arguments: &[Value]) -> Self {
        let line = self.words("call ").ty(ty).words(" @").words(name);
        line.words("(").list(arguments).words(")")
    }

    /// The type of an array.
    pub(crate) fn array(self, length: u32, ty: Type) -> Self {
        self.words("[").number(length.into()).words(" x ").ty(ty).words("]")
    }
}

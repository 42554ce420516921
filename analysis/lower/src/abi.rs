//! The ABI of a module: how a driver calls its function.

use crate::line::IrLine;
use crate::lists::{FIRST_BUFFERS, FIRST_IMAGES};
use crate::values::Type;

/// The way into the function of a module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EntryPoint {
    /// LLVM's word for the hardware stage.
    pub convention: &'static str,
    /// The parameters, scalars first.
    pub parameters: Vec<Parameter>,
}

/// A parameter, which comes in registers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// The name of its value.
    pub name: String,
    /// The registers that it comes in.
    pub bank: Bank,
    /// The thing that a pointer leads to.
    pub content: Content,
    ty: Type,
}

/// A kind of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bank {
    /// The registers of the wave, from s0 on.
    Scalar,
    /// The registers of the lanes, from v0 on. Pixel shaders get those that LLVM asks the hardware
    /// for.
    Vector,
}

/// The meaning of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Content {
    /// A number, or several.
    Value,
    /// The address of a list of descriptors.
    List,
    /// The address of constant buffer 0, in place of the list that holds its descriptor.
    ConstantBuffer,
}

/// Lists of descriptors: nothing else is behind the pointer, and all of it can be read.
const LIST: &str = " noalias dereferenceable(18446744073709551615)";

impl Parameter {
    pub(crate) fn new(name: &str, bank: Bank, ty: Type) -> Parameter {
        let content = if ty == Type::ConstantPointer { Content::List } else { Content::Value };
        Parameter { name: name.to_owned(), bank, content, ty }
    }

    /// Returns how many registers it takes.
    pub fn words(&self) -> u16 {
        match self.ty {
            Type::Vector(length, _) => length.into(),
            _ => 1,
        }
    }

    /// Writes it as the list of a function has it.
    pub(crate) fn write<'a>(&self, line: IrLine<'a>) -> IrLine<'a> {
        let line = line.ty(self.ty);
        let line = if self.bank == Bank::Scalar { line.words(" inreg") } else { line };
        let line = if self.ty == Type::ConstantPointer { line.words(LIST) } else { line };
        line.words(" %").words(&self.name)
    }
}

/// Returns parameters by their names; `-` is one that nothing reads.
pub(crate) fn parameters(scalars: &str, vectors: &str) -> Vec<Parameter> {
    let scalars = scalars.split_whitespace().map(|name| (name, Bank::Scalar));
    let vectors = vectors.split_whitespace().map(|name| (name, Bank::Vector));
    let parameter = |(place, (name, bank))| match name {
        "-" => Parameter::new(&format!("unused{place}"), bank, Type::I32),
        name => Parameter::new(name, bank, type_of(name)),
    };
    scalars.chain(vectors).enumerate().map(parameter).collect()
}

/// Returns the type of a parameter that is always of one.
fn type_of(name: &str) -> Type {
    match name {
        "coordinate_u" | "coordinate_v" => Type::F32,
        "rw_buffers"
        | "bindless"
        | FIRST_BUFFERS
        | FIRST_IMAGES
        | "const_and_shader_buffers"
        | "samplers_and_images"
        | "vertex_buffers" => Type::ConstantPointer,
        _ => Type::I32,
    }
}

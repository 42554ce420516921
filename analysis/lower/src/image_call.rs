//! Calls of image intrinsics.
//!
//! Their names are put together from the parts that LLVM puts them together
//! from: operation, modifiers, dimension, types. The list of functions that
//! may be called says which of the names exist.

use crate::context::Lowering;
use crate::values::{Type, Value};

/// A call of an image intrinsic, under construction.
pub(crate) struct ImageCall {
    name: String,
    suffixes: Vec<Type>,
    arguments: Vec<Value>,
}

impl ImageCall {
    /// Begins with an operation and the mask of components wanted.
    pub(crate) fn new(operation: &str, mask: i32) -> ImageCall {
        ImageCall {
            name: format!("llvm.amdgcn.image.{operation}"),
            suffixes: Vec::new(),
            arguments: vec![Value::int(mask)],
        }
    }

    /// Adds a modifier to the name.
    pub(crate) fn modifier(&mut self, modifier: &str) {
        self.name.push('.');
        self.name.push_str(modifier);
    }

    /// Adds arguments whose type the name does not say.
    pub(crate) fn with(&mut self, arguments: &[Value]) {
        self.arguments.extend(arguments);
    }

    /// Adds arguments whose type the name says.
    pub(crate) fn with_typed(&mut self, arguments: &[Value]) {
        self.suffixes.extend(arguments.first().map(|first| first.ty));
        self.arguments.extend(arguments);
    }

    /// Calls; the result has the given type.
    pub(crate) fn finish(self, lowering: &mut Lowering<'_>, dimension: &str, ty: Type) -> Value {
        let mut name = format!("{}.{dimension}", self.name);
        let result = (ty != Type::Void).then_some(ty);
        for suffix in result.iter().chain(&self.suffixes) {
            name.push('.');
            name.push_str(&suffix.suffix());
        }
        lowering.builder.call(ty, &name, &self.arguments)
    }
}

//! Differences between neighbouring pixels.
//!
//! The four lanes of a quad are 0 1 over 2 3. Coarse derivatives are those of
//! its first row and column for all four; fine ones those of each row and column.

use isa::gcn::Generation;
use tgsi::ast::{Component, Instruction};

use crate::context::{Emitted, Lowering};
use crate::values::{Type, Value};

/// The lane that each lane of a quad reads: for the subtrahend, then for the minuend.
pub(crate) type Lanes = [[i32; 4]; 2];

pub(crate) const COARSE: [Lanes; 2] = [[[0; 4], [1; 4]], [[0; 4], [2; 4]]];
pub(crate) const FINE: [Lanes; 2] = [[[0, 0, 2, 2], [1, 1, 3, 3]], [[0, 1, 0, 1], [2, 3, 2, 3]]];

/// In a lane swizzle's offset: the lanes of each quad are named.
const QUAD_MODE: i32 = 0x8000;

impl Lowering<'_> {
    /// The coarse derivative along x (0) or y (1).
    pub(crate) fn coarse_derivative(&mut self, value: Value, axis: usize) -> Value {
        self.difference(value, COARSE[axis])
    }

    fn difference(&mut self, value: Value, lanes: Lanes) -> Value {
        let bits = self.builder.bitcast(value, Type::I32);
        let [from, to] = lanes.map(|lanes| {
            let moved = self.value_of_lanes(bits, lanes);
            self.builder.bitcast(moved, Type::F32)
        });
        let difference = self.builder.binary("fsub", to, from);
        // Has LLVM compute all that leads here in whole quads, helper lanes included.
        self.builder.overloaded("llvm.amdgcn.wqm", &[difference])
    }

    /// Every lane's value of another lane of its quad.
    fn value_of_lanes(&mut self, value: Value, lanes: [i32; 4]) -> Value {
        let pattern = lanes.iter().rev().fold(0, |pattern, lane| pattern << 2 | lane);
        // gfx6 and gfx7 cannot swizzle on the way into an instruction; there the unit of shared
        // memory does it.
        if self.generation >= Generation::Gfx8 {
            let all = Value::int(0xf);
            let arguments = [value, value, Value::int(pattern), all, all, Value::condition(true)];
            return self.builder.call(Type::I32, "llvm.amdgcn.update.dpp.i32", &arguments);
        }
        let arguments = [value, Value::int(QUAD_MODE | pattern)];
        self.builder.call(Type::I32, "llvm.amdgcn.ds.swizzle", &arguments)
    }
}

pub(crate) fn derivative(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
    lanes: Lanes,
) -> Emitted {
    let mut values = [Value::float(0.0); 4];
    for component in Component::ALL {
        if instruction.destinations[0].mask.contains(component) {
            let value = lowering.float(instruction, 0, component)?;
            values[component as usize] = lowering.difference(value, lanes);
        }
    }
    lowering.store_each(instruction, values)
}

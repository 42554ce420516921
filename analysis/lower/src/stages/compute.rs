//! The compute stage: arguments, system values, barriers.
//!
//! radeonsi passed the size of the grid, that of a block where the shader does
//! not fix it, and data of its own in scalar registers, each only where it is
//! used; the hardware appends the numbers of the block along the axes that
//! are used.

use tgsi::Stage;
use tgsi::ast::{Component, Instruction};
use tgsi::words::{PropertyName, SemanticName};

use crate::abi::{self, Bank, Parameter};
use crate::context::{Emitted, Lowering};
use crate::environment::ThreadIds;
use crate::failure::unsupported;
use crate::lists::LISTS;
use crate::values::{Element, Type, Value};

/// The most lanes in a block whose size only the dispatch says.
const LARGEST_VARIABLE_BLOCK: u32 = 1024;
/// The most lanes that the hardware has for a block.
const LARGEST_BLOCK: u32 = 2048;
/// The most words of user data that fit behind what else a shader is passed.
const MOST_USER_DATA: u32 = 4;

/// Bits of each direction of a packed place.
const PACKED_BITS: i32 = 10;

/// A place in a grid of three directions.
const INDEX3: Type = Type::Vector(3, Element::I32);

/// The parameters that a shader has only where it uses them, in order.
const OPTIONAL: [(&str, Type); 7] = [
    ("grid_size", INDEX3),
    ("block_size", INDEX3),
    ("work_dimensions", Type::I32),
    ("user_data", Type::I32),
    ("block_id_x", Type::I32),
    ("block_id_y", Type::I32),
    ("block_id_z", Type::I32),
];

impl Lowering<'_> {
    /// The function's parameters.
    pub(crate) fn compute_parameters(&self) -> Vec<Parameter> {
        let mut parameters = abi::parameters(LISTS, "");
        let used = OPTIONAL.iter().filter(|(name, _)| self.state.used_arguments.contains(name));
        parameters.extend(used.map(|(name, ty)| match *name {
            "user_data" => {
                let ty = Type::Vector(self.user_data_words() as u8, Element::I32);
                Parameter::new(name, Bank::Scalar, ty)
            }
            _ => Parameter::new(name, Bank::Scalar, *ty),
        }));
        let ty = match self.environment.thread_ids {
            ThreadIds::Separate => INDEX3,
            ThreadIds::Packed => Type::I32,
        };
        parameters.push(Parameter::new("thread_id", Bank::Vector, ty));
        parameters
    }

    /// Returns the function attribute with the number of lanes of a block. LLVM drops the barrier
    /// of a block that fits one wave.
    pub(crate) fn compute_attributes(&self) -> String {
        let (least, most) = match self.fixed_block_size() {
            Some(size) => {
                let lanes = size.into_iter().fold(1, u32::saturating_mul).clamp(1, LARGEST_BLOCK);
                (lanes, lanes)
            }
            None => (1, LARGEST_VARIABLE_BLOCK),
        };
        format!("\"amdgpu-flat-work-group-size\"=\"{least},{most}\" ")
    }

    /// The size of a block, where the shader fixes it or the state says it.
    fn fixed_block_size(&self) -> Option<[u32; 3]> {
        let width = self.declared.property(PropertyName::BlockWidth).filter(|width| *width > 0);
        let Some(width) = width else {
            let size = self.environment.block_size.map(u32::from);
            return (size[0] > 0).then_some(size);
        };
        let other = |name| self.declared.property(name).unwrap_or(1).max(1);
        Some([width, other(PropertyName::BlockHeight), other(PropertyName::BlockDepth)])
    }

    fn user_data_words(&self) -> u32 {
        let words = self.declared.property(PropertyName::UserDataComponents).unwrap_or(4);
        words.clamp(1, MOST_USER_DATA)
    }

    /// One component of an argument that is passed only where it is used.
    fn used_vector(&mut self, name: &'static str, length: u8, component: Component) -> Value {
        if component as u8 >= length {
            return Value::int(0);
        }
        self.state.used_arguments.insert(name);
        let vector = Value::argument(Type::Vector(length, Element::I32), name);
        self.builder.extract(vector, component as u32)
    }

    /// The place of the lane in its block, in a direction.
    fn thread_id(&mut self, component: Component) -> Value {
        match self.environment.thread_ids {
            ThreadIds::Separate => {
                let vector = Value::argument(Type::Vector(3, Element::I32), "thread_id");
                self.builder.extract(vector, component as u32)
            }
            ThreadIds::Packed => {
                let packed = self.integer_argument("thread_id");
                let first = Value::int(PACKED_BITS * component as i32);
                let shifted = self.builder.binary("lshr", packed, first);
                self.builder.binary("and", shifted, Value::int((1 << PACKED_BITS) - 1))
            }
        }
    }

    /// One component of a compute shader's system value.
    pub(crate) fn compute_system_value(
        &mut self,
        name: SemanticName,
        component: Component,
    ) -> Option<Value> {
        let axis = component as usize;
        Some(match name {
            SemanticName::GridSize => self.used_vector("grid_size", 3, component),
            SemanticName::BlockSize => match self.fixed_block_size() {
                Some(size) => Value::uint(size.get(axis).copied().unwrap_or(0)),
                None => self.used_vector("block_size", 3, component),
            },
            SemanticName::BlockId => {
                let names = ["block_id_x", "block_id_y", "block_id_z"];
                let Some(name) = names.get(axis) else { return Some(Value::int(0)) };
                self.state.used_arguments.insert(name);
                self.integer_argument(name)
            }
            SemanticName::ThreadId if component == Component::W => Value::int(0),
            SemanticName::ThreadId => self.thread_id(component),
            SemanticName::WorkDimension => {
                self.state.used_arguments.insert("work_dimensions");
                self.integer_argument("work_dimensions")
            }
            SemanticName::ComputeUserData => {
                self.used_vector("user_data", self.user_data_words() as u8, component)
            }
            _ => return None,
        })
    }
}

/// Waits for the other lanes of the group.
pub(crate) fn barrier(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    match lowering.stage() {
        Stage::Compute => lowering.group_barrier(),
        Stage::TessellationControl => lowering.wait_for_patch(),
        stage => {
            let construct = format!("BARRIER in {stage}");
            return Err(unsupported(instruction.opcode.range, construct));
        }
    }
    Ok(())
}

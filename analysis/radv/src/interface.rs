//! The variables by which a stage is joined to the one before and the one behind it.

use std::collections::HashMap;

use crate::Stage;
use crate::spirv::{Broken, Instruction, decoration, instructions, op, storage};

/// The kind of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Scalar {
    /// 32 bits of float.
    Float,
    /// 32 bits with a sign.
    Int,
    /// 32 bits without.
    Uint,
}

/// A variable that has a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) location: u32,
    /// The first channel that it has of its location.
    pub(crate) component: u32,
    pub(crate) scalar: Scalar,
    /// Its channels, 1 to 4.
    pub(crate) channels: u32,
    /// Its elements, each at a location of its own; 1 where it is no array.
    pub(crate) elements: u32,
    /// Tells whether it is of the patch, not of each vertex.
    pub(crate) is_patch: bool,
}

/// The variables of a stage that have locations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Interface {
    pub(crate) inputs: Vec<Variable>,
    pub(crate) outputs: Vec<Variable>,
    /// Variables whose types are none that a partner can be made for.
    pub(crate) others: usize,
}

/// Reads the interface of a stage.
///
/// # Errors
/// The words are no module of the stage.
pub(crate) fn interface(words: &[u32], stage: Stage) -> Result<Interface, Broken> {
    let instructions = instructions(words)?;
    let model = stage.execution_model();
    let entry = |it: &&Instruction<'_>| it.opcode == op::ENTRY_POINT && it.operand(0) == model;
    if !instructions.iter().any(|it| entry(&it)) {
        return Err(Broken::NoEntry(stage));
    }
    let mut types: HashMap<u32, Instruction<'_>> = HashMap::new();
    let mut constants: HashMap<u32, u32> = HashMap::new();
    let mut decorations: HashMap<(u32, u32), u32> = HashMap::new();
    let mut found = Interface::default();
    for it in &instructions {
        match it.opcode {
            op::DECORATE => {
                decorations.insert((it.operand(0), it.operand(1)), it.operand(2));
            }
            op::CONSTANT => {
                constants.insert(it.operand(1), it.operand(2));
            }
            op::TYPE_INT | op::TYPE_FLOAT | op::TYPE_VECTOR | op::TYPE_ARRAY | op::TYPE_POINTER => {
                types.insert(it.operand(0), *it);
            }
            op::VARIABLE => {
                let (pointer, id, class) = (it.operand(0), it.operand(1), it.operand(2));
                let decorated = |decoration| decorations.get(&(id, decoration)).copied();
                let is_interface = matches!(class, storage::INPUT | storage::OUTPUT);
                let Some(location) = decorated(decoration::LOCATION).filter(|_| is_interface)
                else {
                    continue;
                };
                let is_patch = decorated(decoration::PATCH).is_some();
                let is_arrayed = !is_patch
                    && match stage {
                        Stage::TessellationControl => true,
                        Stage::TessellationEvaluation | Stage::Geometry => class == storage::INPUT,
                        Stage::Vertex | Stage::Fragment | Stage::Compute => false,
                    };
                let mut own = types.get(&pointer).map_or(0, |pointer| pointer.operand(2));
                if is_arrayed {
                    own = types.get(&own).map_or(0, |array| array.operand(1));
                }
                let component = decorated(decoration::COMPONENT).unwrap_or(0);
                match shape(own, &types, &constants) {
                    Some((scalar, channels, elements)) => {
                        let variable =
                            Variable { location, component, scalar, channels, elements, is_patch };
                        match class {
                            storage::INPUT => found.inputs.push(variable),
                            _ => found.outputs.push(variable),
                        }
                    }
                    None => found.others += 1,
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The invocations of a workgroup that a compute module fixes; `None` where it fixes none.
pub fn workgroup(words: &[u32]) -> Option<u32> {
    /// The execution mode with the size.
    const LOCAL_SIZE: u32 = 17;
    let all = instructions(words).ok()?;
    let mut modes = all.iter().filter(|it| it.opcode == op::EXECUTION_MODE);
    let size = modes.find(|it| it.operand(1) == LOCAL_SIZE)?;
    let [x, y, z] = [2, 3, 4].map(|place| size.operand(place));
    x.checked_mul(y)?.checked_mul(z)
}

/// The scalar, channels and elements of a type, if it is a scalar or vector of 32 bits, or an
/// array of such.
fn shape(
    id: u32,
    types: &HashMap<u32, Instruction<'_>>,
    constants: &HashMap<u32, u32>,
) -> Option<(Scalar, u32, u32)> {
    let own = types.get(&id)?;
    match own.opcode {
        op::TYPE_FLOAT if own.operand(1) == 32 => Some((Scalar::Float, 1, 1)),
        op::TYPE_INT if own.operand(1) == 32 => {
            Some((if own.operand(2) == 1 { Scalar::Int } else { Scalar::Uint }, 1, 1))
        }
        op::TYPE_VECTOR => match shape(own.operand(1), types, constants)? {
            (scalar, 1, 1) => Some((scalar, own.operand(2), 1)),
            _ => None,
        },
        op::TYPE_ARRAY => {
            let count = constants.get(&own.operand(2)).copied().filter(|count| *count <= 64)?;
            match shape(own.operand(1), types, constants)? {
                (scalar, channels, 1) => Some((scalar, channels, count)),
                _ => None,
            }
        }
        _ => None,
    }
}

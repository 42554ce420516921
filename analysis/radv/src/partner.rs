//! Shaders of ours that stand in for the stages that a job lacks.
//!
//! The driver optimises over stages: outputs that nobody reads vanish, and inputs that nobody
//! writes become constants. So a partner writes exactly what is read, or reads all that is
//! written.

mod tessellation;

use std::collections::HashMap;

pub(crate) use tessellation::{control, evaluation};

use crate::interface::{Scalar, Variable};
use crate::spirv::{Writer, decoration, op, storage};

/// Numbers of the specification that only partners need.
const SHADER: u32 = 1;
const LOGICAL: u32 = 0;
const GLSL450: u32 = 1;
const VERTEX: u32 = 0;
const FRAGMENT: u32 = 4;
const ORIGIN_UPPER_LEFT: u32 = 7;
const POSITION: u32 = 0;
/// `main` and the zero that ends it.
const MAIN: [u32; 2] = [u32::from_le_bytes(*b"main"), 0];

/// The most attributes of a vertex.
pub(crate) const MAX_ATTRIBUTES: usize = 32;

/// A module whose declarations are collected before it is written in its order.
struct Partner {
    writer: Writer,
    types: HashMap<(Scalar, u32), u32>,
    pointers: HashMap<(u32, u32), u32>,
    interface: Vec<u32>,
    /// Capabilities beside that of shaders.
    capabilities: Vec<u32>,
    decorations: Vec<Vec<u32>>,
    /// Types, constants and variables.
    declarations: Vec<(u32, Vec<u32>)>,
    body: Vec<(u32, Vec<u32>)>,
}

impl Partner {
    fn new() -> Partner {
        Partner {
            writer: Writer::new(),
            types: HashMap::new(),
            pointers: HashMap::new(),
            interface: Vec::new(),
            capabilities: Vec::new(),
            decorations: Vec::new(),
            declarations: Vec::new(),
            body: Vec::new(),
        }
    }

    /// A scalar or vector type.
    fn kind(&mut self, scalar: Scalar, channels: u32) -> u32 {
        if let Some(id) = self.types.get(&(scalar, channels)) {
            return *id;
        }
        let declaration = match (channels, scalar) {
            (1, Scalar::Float) => (op::TYPE_FLOAT, vec![32]),
            (1, Scalar::Int) => (op::TYPE_INT, vec![32, 1]),
            (1, Scalar::Uint) => (op::TYPE_INT, vec![32, 0]),
            _ => (op::TYPE_VECTOR, vec![self.kind(scalar, 1), channels]),
        };
        let id = self.writer.id();
        self.declarations.push((declaration.0, [vec![id], declaration.1].concat()));
        self.types.insert((scalar, channels), id);
        id
    }

    fn require(&mut self, capability: u32) {
        self.capabilities.push(capability);
    }

    /// The type of pointers to a type.
    fn pointer(&mut self, class: u32, own: u32) -> u32 {
        if let Some(pointer) = self.pointers.get(&(class, own)) {
            return *pointer;
        }
        let pointer = self.writer.id();
        self.declarations.push((op::TYPE_POINTER, vec![pointer, class, own]));
        self.pointers.insert((class, own), pointer);
        pointer
    }

    /// A variable of the interface, with its decorations.
    fn variable(&mut self, class: u32, own: u32, decorations: &[&[u32]]) -> u32 {
        let pointer = self.pointer(class, own);
        let id = self.writer.id();
        self.declarations.push((op::VARIABLE, vec![pointer, id, class]));
        self.decorations.extend(decorations.iter().map(|it| [&[id], *it].concat()));
        self.interface.push(id);
        id
    }

    /// Adds an instruction with a result; returns its id.
    fn compute(&mut self, opcode: u32, own: u32, operands: &[u32]) -> u32 {
        let id = self.writer.id();
        self.body.push((opcode, [&[own, id], operands].concat()));
        id
    }

    /// Adds the channels of a value to a sum of floats; returns the new one.
    fn add_channels(&mut self, mut sum: u32, value: u32, variable: &Variable) -> u32 {
        let float = self.kind(Scalar::Float, 1);
        let scalar = self.kind(variable.scalar, 1);
        for channel in 0..variable.channels {
            let mut part = value;
            if variable.channels > 1 {
                part = self.compute(op::COMPOSITE_EXTRACT, scalar, &[value, channel]);
            }
            if variable.scalar != Scalar::Float {
                part = self.compute(op::BITCAST, float, &[part]);
            }
            sum = self.compute(op::FADD, float, &[sum, part]);
        }
        sum
    }

    fn finish(mut self, model: u32, modes: &[&[u32]]) -> Vec<u32> {
        let [nothing, function_type, main, label] = [(); 4].map(|()| self.writer.id());
        let writer = &mut self.writer;
        writer.push(op::CAPABILITY, &[SHADER]);
        for capability in &self.capabilities {
            writer.push(op::CAPABILITY, &[*capability]);
        }
        writer.push(op::MEMORY_MODEL, &[LOGICAL, GLSL450]);
        writer.push(op::ENTRY_POINT, &[&[model, main], &MAIN[..], &self.interface].concat());
        for mode in modes {
            writer.push(op::EXECUTION_MODE, &[&[main], *mode].concat());
        }
        for decoration in &self.decorations {
            writer.push(op::DECORATE, decoration);
        }
        writer.push(op::TYPE_VOID, &[nothing]);
        writer.push(op::TYPE_FUNCTION, &[function_type, nothing]);
        for (opcode, operands) in &self.declarations {
            writer.push(*opcode, operands);
        }
        writer.push(op::FUNCTION, &[nothing, main, 0, function_type]);
        writer.push(op::LABEL, &[label]);
        for (opcode, operands) in &self.body {
            writer.push(*opcode, operands);
        }
        writer.push(op::RETURN, &[]);
        writer.push(op::FUNCTION_END, &[]);
        self.writer.finish()
    }
}

/// Returns the locations of a variable, each with what its element is decorated with.
fn places(variable: &Variable) -> impl Iterator<Item = [[u32; 2]; 2]> + use<> {
    let (first, component) = (variable.location, variable.component);
    (0..variable.elements).map(move |element| {
        [[decoration::LOCATION, first.saturating_add(element)], [decoration::COMPONENT, component]]
    })
}

/// Copies the position and the variables of vertices, by their types and decorations.
fn copy_of_vertices(
    partner: &mut Partner,
    variables: &[Variable],
    mut copy: impl FnMut(&mut Partner, u32, &[&[u32]]),
) {
    let position = partner.kind(Scalar::Float, 4);
    copy(partner, position, &[&[decoration::BUILT_IN, POSITION]]);
    for variable in variables.iter().filter(|it| !it.is_patch) {
        let own = partner.kind(variable.scalar, variable.channels);
        for [location, component] in places(variable) {
            copy(partner, own, &[&location, &component]);
        }
    }
}

/// Writes a vertex shader that writes these variables, each from an attribute of its own;
/// `None` where they are more than a vertex has attributes.
pub(crate) fn vertex(variables: &[Variable]) -> Option<Vec<u32>> {
    let mut partner = Partner::new();
    let mut attribute = 0;
    let copy = |partner: &mut Partner, own: u32, decorations: &[&[u32]]| {
        let from = [decoration::LOCATION, attribute];
        attribute += 1;
        let from = partner.variable(storage::INPUT, own, &[&from]);
        let to = partner.variable(storage::OUTPUT, own, decorations);
        let value = partner.compute(op::LOAD, own, &[from]);
        partner.body.push((op::STORE, vec![to, value]));
    };
    copy_of_vertices(&mut partner, variables, copy);
    (attribute as usize <= MAX_ATTRIBUTES).then(|| partner.finish(VERTEX, &[]))
}

/// Writes a fragment shader that reads all channels of these variables.
pub(crate) fn fragment(variables: &[Variable]) -> Vec<u32> {
    let mut partner = Partner::new();
    let float = partner.kind(Scalar::Float, 1);
    let mut sum = partner.writer.id();
    partner.declarations.push((op::CONSTANT, vec![float, sum, 0]));
    for variable in variables.iter().filter(|it| !it.is_patch) {
        let own = partner.kind(variable.scalar, variable.channels);
        for [location, component] in places(variable) {
            let mut decorations = vec![&location[..], &component[..]];
            if variable.scalar != Scalar::Float {
                decorations.push(&[decoration::FLAT]);
            }
            let from = partner.variable(storage::INPUT, own, &decorations);
            let value = partner.compute(op::LOAD, own, &[from]);
            sum = partner.add_channels(sum, value, variable);
        }
    }
    let colour = partner.kind(Scalar::Float, 4);
    let to = partner.variable(storage::OUTPUT, colour, &[&[decoration::LOCATION, 0]]);
    let value = partner.compute(op::COMPOSITE_CONSTRUCT, colour, &[sum; 4]);
    partner.body.push((op::STORE, vec![to, value]));
    partner.finish(FRAGMENT, &[&[ORIGIN_UPPER_LEFT]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;
    use crate::interface::interface;

    fn variable(location: u32, scalar: Scalar, channels: u32, elements: u32) -> Variable {
        Variable { location, component: 0, scalar, channels, elements, is_patch: false }
    }

    #[test]
    fn a_partner_has_the_interface_that_was_asked_for() {
        let wanted = [
            variable(0, Scalar::Float, 4, 1),
            variable(3, Scalar::Uint, 2, 1),
            variable(5, Scalar::Float, 1, 1),
        ];
        let vertex = interface(&vertex(&wanted).unwrap(), Stage::Vertex).unwrap();
        assert_eq!((vertex.outputs, vertex.others), (wanted.to_vec(), 0));
        // One more for the position.
        assert_eq!(vertex.inputs.len(), 4);
        let fragment = interface(&fragment(&wanted), Stage::Fragment).unwrap();
        assert_eq!(fragment.inputs, wanted);
        assert_eq!(fragment.outputs, [variable(0, Scalar::Float, 4, 1)]);
    }

    #[test]
    fn every_channel_is_read_as_the_float_that_it_is_or_becomes() {
        let wanted = [
            variable(0, Scalar::Float, 4, 1),
            variable(3, Scalar::Uint, 2, 2),
            variable(6, Scalar::Float, 1, 1),
            variable(7, Scalar::Int, 1, 1),
        ];
        let words = fragment(&wanted);
        // The type of each result.
        let mut types: HashMap<u32, u32> = HashMap::new();
        let mut counts: HashMap<u32, usize> = HashMap::new();
        let mut float = None;
        let mut rest = &words[5..];
        while let [first, ..] = rest {
            let (opcode, length) = (first & 0xffff, (first >> 16) as usize);
            let operands = &rest[1..length];
            *counts.entry(opcode).or_default() += 1;
            match opcode {
                op::TYPE_FLOAT => float = Some(operands[0]),
                op::CONSTANT | op::LOAD => drop(types.insert(operands[1], operands[0])),
                op::COMPOSITE_EXTRACT => {
                    assert_ne!(types[&operands[2]], operands[0], "a vector has channels");
                    types.insert(operands[1], operands[0]);
                }
                op::BITCAST => {
                    assert_ne!(types[&operands[2]], operands[0], "a float is one already");
                    types.insert(operands[1], operands[0]);
                }
                op::FADD => {
                    let added = [operands[2], operands[3]].map(|id| types.get(&id).copied());
                    assert_eq!([Some(operands[0]); 2], [float; 2]);
                    assert_eq!(added, [float; 2], "both are floats");
                    types.insert(operands[1], operands[0]);
                }
                _ => {}
            }
            rest = &rest[length..];
        }
        let count = |opcode: u32| counts.get(&opcode).copied().unwrap_or(0);
        let found = [op::LOAD, op::COMPOSITE_EXTRACT, op::BITCAST, op::FADD].map(count);
        // Ten channels, of which eight are parts of vectors and five no floats.
        assert_eq!(found, [5, 8, 5, 10]);
    }

    #[test]
    fn an_array_is_a_variable_for_each_location() {
        let array = [variable(2, Scalar::Float, 4, 3)];
        let found = interface(&vertex(&array).unwrap(), Stage::Vertex).unwrap().outputs;
        assert_eq!(found.iter().map(|it| it.location).collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(vertex(&[variable(0, Scalar::Float, 4, 32)]), None);
    }
}

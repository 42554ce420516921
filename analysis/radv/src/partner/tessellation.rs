//! Tessellation shaders that stand in for the partner of one: a pipeline has both or none.

use super::{POSITION, Partner, copy_of_vertices, places};
use crate::interface::{Scalar, Variable};
use crate::spirv::{decoration, op, storage};

/// Numbers of the specification that only these partners need.
const TESSELLATION: u32 = 3;
const CONTROL: u32 = 1;
const EVALUATION: u32 = 2;
const MODE_SPACING_EQUAL: u32 = 1;
const MODE_CLOCKWISE: u32 = 4;
const MODE_TRIANGLES: u32 = 22;
const MODE_OUTPUT_VERTICES: u32 = 26;
const PRIMITIVE_ID: u32 = 7;
const INVOCATION_ID: u32 = 8;
const OUTER_LEVELS: u32 = 11;
const INNER_LEVELS: u32 = 12;
/// Vertices that inputs are declared for.
const MOST_VERTICES: u32 = 32;

impl Partner {
    fn constant(&mut self, number: u32) -> u32 {
        let own = self.kind(Scalar::Uint, 1);
        let id = self.writer.id();
        self.declarations.push((op::CONSTANT, vec![own, id, number]));
        id
    }

    fn array(&mut self, element: u32, length: u32) -> u32 {
        let length = self.constant(length);
        let id = self.writer.id();
        self.declarations.push((op::TYPE_ARRAY, vec![id, element, length]));
        id
    }

    /// The pointer to an element of an array.
    fn element(&mut self, class: u32, own: u32, (array, index): (u32, u32)) -> u32 {
        let pointer = self.pointer(class, own);
        self.compute(op::ACCESS_CHAIN, pointer, &[array, index])
    }

    /// A number that the driver cannot know, which is another for each that is asked for.
    fn unknown(&mut self, first: u32, number: u32, scalar: Scalar) -> u32 {
        let whole = self.kind(Scalar::Uint, 1);
        let number = self.constant(number);
        let sum = self.compute(op::IADD, whole, &[first, number]);
        match scalar {
            Scalar::Uint => sum,
            Scalar::Int | Scalar::Float => {
                let own = self.kind(scalar, 1);
                self.compute(op::BITCAST, own, &[sum])
            }
        }
    }
}

/// Writes a control shader of so many vertices that writes the variables that an evaluation shader
/// reads: those of vertices from inputs of its own, those of the patch from its number.
pub(crate) fn control(variables: &[Variable], vertices: u32) -> Vec<u32> {
    let mut partner = Partner::new();
    let number = partner.kind(Scalar::Uint, 1);
    let float = partner.kind(Scalar::Float, 1);
    let built_in = |partner: &mut Partner, name| {
        let decorations: [&[u32]; 1] = [&[decoration::BUILT_IN, name]];
        let variable = partner.variable(storage::INPUT, number, &decorations);
        partner.compute(op::LOAD, number, &[variable])
    };
    let invocation = built_in(&mut partner, INVOCATION_ID);
    let patch = built_in(&mut partner, PRIMITIVE_ID);
    let copy = |partner: &mut Partner, own: u32, decorations: &[&[u32]]| {
        let [all, written] = [MOST_VERTICES, vertices].map(|length| partner.array(own, length));
        let from = partner.variable(storage::INPUT, all, decorations);
        let to = partner.variable(storage::OUTPUT, written, decorations);
        let from = partner.element(storage::INPUT, own, (from, invocation));
        let value = partner.compute(op::LOAD, own, &[from]);
        let to = partner.element(storage::OUTPUT, own, (to, invocation));
        partner.body.push((op::STORE, vec![to, value]));
    };
    copy_of_vertices(&mut partner, variables, copy);
    let mut unknown = 0;
    let mut next = |partner: &mut Partner, scalar| {
        unknown += 1;
        partner.unknown(patch, unknown, scalar)
    };
    for variable in variables.iter().filter(|it| it.is_patch) {
        let own = partner.kind(variable.scalar, variable.channels);
        for [location, component] in places(variable) {
            let decorations: [&[u32]; 3] = [&location, &component, &[decoration::PATCH]];
            let to = partner.variable(storage::OUTPUT, own, &decorations);
            let count = variable.channels;
            let parts: Vec<u32> = (0..count).map(|_| next(&mut partner, variable.scalar)).collect();
            let value = match parts[..] {
                [one] => one,
                _ => partner.compute(op::COMPOSITE_CONSTRUCT, own, &parts),
            };
            partner.body.push((op::STORE, vec![to, value]));
        }
    }
    for (name, count) in [(OUTER_LEVELS, 4), (INNER_LEVELS, 2)] {
        let levels = partner.array(float, count);
        let decorations: [&[u32]; 2] = [&[decoration::BUILT_IN, name], &[decoration::PATCH]];
        let to = partner.variable(storage::OUTPUT, levels, &decorations);
        for level in 0..count {
            let value = next(&mut partner, Scalar::Float);
            let level = partner.constant(level);
            let to = partner.element(storage::OUTPUT, float, (to, level));
            partner.body.push((op::STORE, vec![to, value]));
        }
    }
    partner.require(TESSELLATION);
    partner.finish(CONTROL, &[&[MODE_OUTPUT_VERTICES, vertices]])
}

/// Writes an evaluation shader that reads all channels of the variables that a control shader
/// writes.
pub(crate) fn evaluation(variables: &[Variable]) -> Vec<u32> {
    let mut partner = Partner::new();
    let float = partner.kind(Scalar::Float, 1);
    let mut sum = partner.writer.id();
    partner.declarations.push((op::CONSTANT, vec![float, sum, 0]));
    let first = partner.constant(0);
    for variable in variables {
        let own = partner.kind(variable.scalar, variable.channels);
        for [location, component] in places(variable) {
            let mut decorations = vec![&location[..], &component[..]];
            let from = if variable.is_patch {
                decorations.push(&[decoration::PATCH]);
                partner.variable(storage::INPUT, own, &decorations)
            } else {
                let all = partner.array(own, MOST_VERTICES);
                let all = partner.variable(storage::INPUT, all, &decorations);
                partner.element(storage::INPUT, own, (all, first))
            };
            let value = partner.compute(op::LOAD, own, &[from]);
            sum = partner.add_channels(sum, value, variable);
        }
    }
    let position = partner.kind(Scalar::Float, 4);
    let decorations: [&[u32]; 1] = [&[decoration::BUILT_IN, POSITION]];
    let to = partner.variable(storage::OUTPUT, position, &decorations);
    let value = partner.compute(op::COMPOSITE_CONSTRUCT, position, &[sum; 4]);
    partner.body.push((op::STORE, vec![to, value]));
    partner.require(TESSELLATION);
    partner.finish(EVALUATION, &[&[MODE_TRIANGLES], &[MODE_SPACING_EQUAL], &[MODE_CLOCKWISE]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stage;
    use crate::interface::interface;

    fn variable(location: u32, scalar: Scalar, channels: u32, is_patch: bool) -> Variable {
        Variable { location, component: 0, scalar, channels, elements: 1, is_patch }
    }

    #[test]
    fn a_tessellation_partner_has_the_interface_that_was_asked_for() {
        let wanted = [
            variable(0, Scalar::Float, 4, false),
            variable(3, Scalar::Uint, 2, false),
            variable(1, Scalar::Float, 3, true),
        ];
        let own = interface(&control(&wanted, 3), Stage::TessellationControl).unwrap();
        assert_eq!((own.outputs, own.others), (wanted.to_vec(), 0));
        // What belongs to the patch has no input.
        assert_eq!(own.inputs, wanted[..2]);
        let own = interface(&evaluation(&wanted), Stage::TessellationEvaluation).unwrap();
        assert_eq!((own.inputs, own.others), (wanted.to_vec(), 0));
        assert_eq!(own.outputs, []);
    }
}

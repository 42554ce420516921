//! Interpolation: the barycentric coordinates of a pixel, and attributes at them.

use tgsi::Stage;
use tgsi::ast::{Component, Instruction};
use tgsi::opcodes::ValueType;
use tgsi::words::{File, Interpolation, InterpolationLocation};

use crate::context::{Emitted, Lowering};
use crate::declared::Input;
use crate::failure::{invalid, undeclared, unsupported};
use crate::internal_buffers::SAMPLE_POSITIONS;
use crate::opcodes::only_in;
use crate::registers::direct_index;
use crate::stages::fragment::is_attribute;
use crate::values::{Element, Type, Value};

/// Parameter 0 of an attribute: its value at the provoking vertex.
const PROVOKING_VERTEX: i32 = 2;

impl Lowering<'_> {
    /// One component of an attribute as it is at the provoking vertex.
    pub(super) fn flat(&mut self, attribute: Value, component: Component) -> Value {
        let mask = self.integer_argument("primitive_mask");
        let channel = Value::uint(component as u32);
        let arguments = [Value::int(PROVOKING_VERTEX), channel, attribute, mask];
        self.builder.call(Type::F32, "llvm.amdgcn.interp.mov", &arguments)
    }

    /// One component of an attribute at a place in the triangle.
    pub(super) fn interpolated(
        &mut self,
        attribute: Value,
        component: Component,
        pair: [Value; 2],
    ) -> Value {
        let mask = self.integer_argument("primitive_mask");
        let channel = Value::uint(component as u32);
        let [i, j] = pair;
        let first =
            self.builder.call(Type::F32, "llvm.amdgcn.interp.p1", &[i, channel, attribute, mask]);
        self.builder.call(Type::F32, "llvm.amdgcn.interp.p2", &[first, j, channel, attribute, mask])
    }

    /// The coordinates of the pixel in its triangle; `None` for flat inputs.
    /// All uses share them, so they are taken apart in the entry block.
    pub(super) fn barycentrics(
        &mut self,
        interpolation: Interpolation,
        location: InterpolationLocation,
    ) -> Option<[Value; 2]> {
        let [center, centroid, sample] = match interpolation {
            Interpolation::Constant => return None,
            Interpolation::Linear => ["linear_center", "linear_centroid", "linear_sample"],
            Interpolation::Perspective | Interpolation::Color => {
                ["perspective_center", "perspective_centroid", "perspective_sample"]
            }
        };
        let name = match location {
            InterpolationLocation::Center => center,
            InterpolationLocation::Centroid => centroid,
            InterpolationLocation::Sample => sample,
        };
        if let Some(pair) = self.state.barycentrics.get(&(center, location)) {
            return Some(*pair);
        }
        let pair = self.in_entry(|lowering| {
            let ty = Type::Vector(2, Element::F32);
            let mut pair = Value::argument(ty, name);
            let uses_center = lowering.declared.inputs.values().any(|input| {
                input.location == InterpolationLocation::Center
                    && (input.interpolation == Interpolation::Linear)
                        == (interpolation == Interpolation::Linear)
                    && input.interpolation != Interpolation::Constant
            });
            if location == InterpolationLocation::Centroid && uses_center {
                // For pixels that are covered whole the hardware then computes
                // the centre only, and says so.
                let mask = lowering.integer_argument("primitive_mask");
                let whole = lowering.builder.compare("icmp slt", mask, Value::int(0));
                pair = lowering.builder.select(whole, Value::argument(ty, center), pair);
            }
            [0, 1].map(|index| lowering.builder.extract(pair, index))
        });
        self.state.barycentrics.insert((center, location), pair);
        Some(pair)
    }

    /// The input that an `INTERP_*` opcode interpolates anew.
    fn interpolated_input(&mut self, instruction: &Instruction) -> Emitted<(u32, Input)> {
        only_in(Stage::Fragment, self.stage(), instruction)?;
        let register = &instruction.sources[0].register;
        if register.file != File::Input {
            let message = "only inputs are interpolated".to_owned();
            return Err(invalid(register.range, "operand", message));
        }
        if register.index.indirect.is_some() {
            return Err(unsupported(register.range, "indexed interpolation".to_owned()));
        }
        let index = direct_index(register)?;
        let input = self.declared.inputs.get(&index);
        input.map(|input| (index, *input)).ok_or_else(|| undeclared(register, index))
    }

    /// Writes an input interpolated with the given coordinates.
    fn store_interpolated(
        &mut self,
        instruction: &Instruction,
        (index, input): (u32, Input),
        pair: Option<[Value; 2]>,
    ) -> Emitted {
        let source = &instruction.sources[0];
        let attribute = self.attribute(index);
        let mut values = [Value::float(0.0); 4];
        for component in instruction.destinations[0].mask.components() {
            let channel = source.swizzle.0[component as usize];
            let value = match pair {
                Some(pair) if is_attribute(&input) => self.interpolated(attribute, channel, pair),
                None if is_attribute(&input) => self.flat(attribute, channel),
                _ => self.fragment_input(index, input, channel)?,
            };
            values[component as usize] = self.modified(value, source);
        }
        self.store_each(instruction, values)
    }

    /// Returns the place of a sample of the render target in its pixel, each axis from 0 to 1.
    pub(crate) fn sample_position(&mut self, sample: Value) -> [Value; 2] {
        let descriptor = self.internal_buffer(SAMPLE_POSITIONS);
        let builder = &mut self.builder;
        let first = builder.binary("shl", sample, Value::int(3));
        [0, 4].map(|byte| {
            let address = builder.binary("add", first, Value::int(byte));
            builder.constant_word(descriptor, address)
        })
    }

    /// The centre's coordinates moved by a distance in pixels.
    fn moved_barycentrics(
        &mut self,
        interpolation: Interpolation,
        offset: [Value; 2],
    ) -> Option<[Value; 2]> {
        let center = self.barycentrics(interpolation, InterpolationLocation::Center)?;
        Some(center.map(|coordinate| {
            let along_x = self.coarse_derivative(coordinate, 0);
            let along_y = self.coarse_derivative(coordinate, 1);
            let first = self.builder.multiply(along_x, offset[0]);
            let second = self.builder.multiply(along_y, offset[1]);
            let moved = self.builder.binary("fadd", coordinate, first);
            self.builder.binary("fadd", moved, second)
        }))
    }
}

pub(crate) fn interpolate_at_centroid(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
) -> Emitted {
    let input = lowering.interpolated_input(instruction)?;
    let pair = lowering.barycentrics(input.1.interpolation, InterpolationLocation::Centroid);
    lowering.store_interpolated(instruction, input, pair)
}

pub(crate) fn interpolate_at_sample(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
) -> Emitted {
    let input = lowering.interpolated_input(instruction)?;
    let sample = lowering.fetch(&instruction.sources[1], Component::X, ValueType::Signed)?;
    let position = lowering.sample_position(sample);
    let offset = position.map(|place| lowering.builder.binary("fadd", place, Value::float(-0.5)));
    let pair = lowering.moved_barycentrics(input.1.interpolation, offset);
    lowering.store_interpolated(instruction, input, pair)
}

pub(crate) fn interpolate_at_offset(
    lowering: &mut Lowering<'_>,
    instruction: &Instruction,
) -> Emitted {
    let input = lowering.interpolated_input(instruction)?;
    let x = lowering.float(instruction, 1, Component::X)?;
    let y = lowering.float(instruction, 1, Component::Y)?;
    let pair = lowering.moved_barycentrics(input.1.interpolation, [x, y]);
    lowering.store_interpolated(instruction, input, pair)
}

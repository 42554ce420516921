//! The fragment stage: arguments, interpolation, killing.

use tgsi::Opcode;
use tgsi::ast::{Component, Instruction, PropertyValue, Source};
use tgsi::opcodes::{Control, Flag, ValueType};
use tgsi::words::{Interpolation, InterpolationLocation, PixelCenter, PropertyName, SemanticName};

use crate::abi::{self, Bank, Parameter};
use crate::context::{Emitted, Lowering};
use crate::declared::Input;
use crate::dispatch::{Emitter, Table};
use crate::entry::LISTS;
use crate::internal_buffers::{COLOR_BUFFER_0, SAMPLE_POSITIONS};
use crate::registers::direct_index;
use crate::values::{DESCRIPTOR4, Element, Type, VECTOR4, Value};
use crate::{invalid, unsupported};

/// The vector registers that the hardware can fill, in its order; LLVM leaves out what is
/// not used.
const VECTORS: [(&str, Type); 16] = [
    ("perspective_sample", PAIR),
    ("perspective_center", PAIR),
    ("perspective_centroid", PAIR),
    ("perspective_pull_model", Type::Vector(3, Element::F32)),
    ("linear_sample", PAIR),
    ("linear_center", PAIR),
    ("linear_centroid", PAIR),
    ("line_stipple", Type::F32),
    ("position_x", Type::F32),
    ("position_y", Type::F32),
    ("position_z", Type::F32),
    ("position_w", Type::F32),
    ("front_face", Type::I32),
    ("ancillary", Type::I32),
    ("sample_coverage", Type::I32),
    ("fixed_position", Type::I32),
];

/// The two coordinates of a pixel in its triangle.
const PAIR: Type = Type::Vector(2, Element::F32);

/// Returns the parameters of a pixel shader's function.
pub(crate) fn pixel_parameters() -> Vec<Parameter> {
    let mut parameters = abi::parameters(LISTS, "");
    parameters.push(Parameter::new("alpha_reference", Bank::Scalar, Type::F32));
    parameters.push(Parameter::new("primitive_mask", Bank::Scalar, Type::I32));
    parameters.extend(VECTORS.map(|(name, ty)| Parameter::new(name, Bank::Vector, ty)));
    parameters
}

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    (Opcode::KILL, Emitter::Instruction(kill)),
    (Opcode::KILL_IF, Emitter::Instruction(kill_if)),
    (Opcode::DEMOTE, Emitter::Instruction(demote)),
    (Opcode::READ_HELPER, Emitter::Instruction(read_helper)),
    (Opcode::INTERP_CENTROID, Emitter::Instruction(interpolate_at_centroid)),
    (Opcode::INTERP_SAMPLE, Emitter::Instruction(interpolate_at_sample)),
    (Opcode::INTERP_OFFSET, Emitter::Instruction(interpolate_at_offset)),
    (Opcode::FBFETCH, Emitter::Instruction(fetch_framebuffer)),
];

/// Parameter 0 of an attribute: its value at the provoking vertex.
const PROVOKING_VERTEX: i32 = 2;

/// Tells whether killed lanes must go on for their neighbours' derivatives: a kill stands before
/// an instruction that takes some, or in a loop with one.
pub(crate) fn needs_helpers_after_kill(instructions: &[&Instruction]) -> bool {
    let mut killed = false;
    let mut loops = 0_u32;
    let mut derivative_in_loop = false;
    for instruction in instructions {
        let row = crate::dispatch::meaning(instruction.opcode.value).row();
        if row.control == Control::Loop {
            loops += 1;
        } else if row.control == Control::EndLoop {
            loops = loops.saturating_sub(1);
            derivative_in_loop &= loops > 0;
        } else if matches!(row.opcode, Opcode::KILL | Opcode::KILL_IF) {
            if derivative_in_loop {
                return true;
            }
            killed = true;
        } else if row.has(Flag::Derivatives) {
            if killed {
                return true;
            }
            derivative_in_loop |= loops > 0;
        }
    }
    false
}

/// Tells whether an instruction takes derivatives, for lanes killed before the first.
pub(crate) fn takes_derivatives(instructions: &[&Instruction]) -> bool {
    instructions.iter().any(|instruction| {
        crate::dispatch::meaning(instruction.opcode.value).row().has(Flag::Derivatives)
    })
}

/// Tells whether an input is an attribute that the vertex stage exported.
fn is_attribute(input: &Input) -> bool {
    !matches!(
        input.semantic.map(|semantic| semantic.name),
        Some(SemanticName::Position | SemanticName::Face)
    )
}

impl Lowering<'_> {
    /// One component of a fragment input.
    pub(crate) fn fragment_input(
        &mut self,
        index: u32,
        input: Input,
        component: Component,
    ) -> Emitted<Value> {
        let name = input.semantic.map(|semantic| semantic.name);
        let single = matches!(name, Some(SemanticName::Face | SemanticName::Fog));
        Ok(match name {
            Some(SemanticName::Position) => self.fragment_position(component),
            _ if single && component == Component::W => Value::float(1.0),
            _ if single && component != Component::X => Value::float(0.0),
            Some(SemanticName::Face) => {
                let face = self.integer_argument("front_face");
                let front = self.builder.compare("icmp ne", face, Value::int(0));
                self.builder.select(front, Value::float(1.0), Value::float(-1.0))
            }
            _ => {
                if let Some(value) = self.sprite_constant(input, component) {
                    return Ok(value);
                }
                let attribute = self.attribute(index);
                let front = self.attribute_value(attribute, input, component);
                match self.back_color(input) {
                    None => front,
                    Some(attribute) => {
                        let back = self.attribute_value(attribute, input, component);
                        let face = self.integer_argument("front_face");
                        let is_front = self.builder.compare("icmp ne", face, Value::int(0));
                        self.builder.select(is_front, front, back)
                    }
                }
            }
        })
    }

    /// One component of an attribute, interpolated as an input and the state say.
    fn attribute_value(&mut self, attribute: Value, input: Input, component: Component) -> Value {
        let by_state = input.interpolation == Interpolation::Color;
        if by_state && self.environment.flat_shade {
            return self.flat(attribute, component);
        }
        let location = match self.environment.shaded_samples {
            1 => input.location,
            _ => InterpolationLocation::Sample,
        };
        match self.barycentrics(input.interpolation, location) {
            Some(pair) => self.interpolated(attribute, component, pair),
            None => self.flat(attribute, component),
        }
    }

    /// Returns the number of inputs that are attributes.
    pub(crate) fn attribute_count(&self) -> u32 {
        self.declared.inputs.values().filter(|input| is_attribute(input)).count() as u32
    }

    /// The number of an input among those that are attributes.
    fn attribute(&self, index: u32) -> Value {
        let before = self.declared.inputs.range(..index);
        Value::uint(before.filter(|(_, input)| is_attribute(input)).count() as u32)
    }

    fn flat(&mut self, attribute: Value, component: Component) -> Value {
        let mask = self.integer_argument("primitive_mask");
        let channel = Value::uint(component as u32);
        let arguments = [Value::int(PROVOKING_VERTEX), channel, attribute, mask];
        self.builder.call(Type::F32, "llvm.amdgcn.interp.mov", &arguments)
    }

    fn interpolated(&mut self, attribute: Value, component: Component, pair: [Value; 2]) -> Value {
        let mask = self.integer_argument("primitive_mask");
        let channel = Value::uint(component as u32);
        let [i, j] = pair;
        let first =
            self.builder.call(Type::F32, "llvm.amdgcn.interp.p1", &[i, channel, attribute, mask]);
        self.builder.call(Type::F32, "llvm.amdgcn.interp.p2", &[first, j, channel, attribute, mask])
    }

    /// The coordinates of the pixel in its triangle; `None` for flat inputs.
    /// All uses share them, so they are taken apart in the entry block.
    fn barycentrics(
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
        if let Some(pair) = self.barycentrics.get(&(center, location)) {
            return Some(*pair);
        }
        let before = self.builder.enter_entry();
        let ty = Type::Vector(2, Element::F32);
        let mut pair = Value::argument(ty, name);
        let uses_center = self.declared.inputs.values().any(|input| {
            input.location == InterpolationLocation::Center
                && (input.interpolation == Interpolation::Linear)
                    == (interpolation == Interpolation::Linear)
                && input.interpolation != Interpolation::Constant
        });
        if location == InterpolationLocation::Centroid && uses_center {
            // For pixels that are covered whole the hardware then computes
            // the centre only, and says so.
            let mask = self.integer_argument("primitive_mask");
            let whole = self.builder.compare("icmp slt", mask, Value::int(0));
            pair = self.builder.select(whole, Value::argument(ty, center), pair);
        }
        let pair = [0, 1].map(|index| self.builder.extract(pair, index));
        self.builder.leave_entry(before);
        self.barycentrics.insert((center, location), pair);
        Some(pair)
    }

    /// One component of the window position; w is the reciprocal of clip w.
    pub(crate) fn fragment_position(&mut self, component: Component) -> Value {
        let value = self.float_argument(match component {
            Component::X => "position_x",
            Component::Y => "position_y",
            Component::Z => "position_z",
            Component::W => "position_w",
        });
        let integer_centers = self.declared.property_value(PropertyName::CoordinatePixelCenter)
            == Some(PropertyValue::PixelCenter(PixelCenter::Integer));
        match component {
            Component::W => self.builder.overloaded("llvm.amdgcn.rcp", &[value]),
            Component::Z => value,
            Component::X | Component::Y => {
                let value = match component {
                    Component::Y => self.above_origin(value),
                    _ => value,
                };
                match integer_centers {
                    true => self.builder.binary("fadd", value, Value::float(-0.5)),
                    false => value,
                }
            }
        }
    }

    /// Ends lanes for which a condition does not hold.
    pub(crate) fn keep(&mut self, condition: Value) {
        let name = if self.demote_on_kill { "llvm.amdgcn.wqm.demote" } else { "llvm.amdgcn.kill" };
        self.builder.call(Type::Void, name, &[condition]);
    }

    /// The input that an `INTERP_*` opcode interpolates anew.
    fn interpolated_input(&mut self, source: &Source) -> Emitted<(u32, Input)> {
        let register = &source.register;
        if register.file != tgsi::words::File::Input {
            let message = "only inputs are interpolated".to_owned();
            return Err(invalid(register.range, "operand", message));
        }
        if register.index.indirect.is_some() {
            return Err(unsupported(register.range, "indexed interpolation".to_owned()));
        }
        let index = direct_index(register)?;
        match self.declared.inputs.get(&index) {
            Some(input) => Ok((index, *input)),
            None => {
                let message = format!("IN[{index}] is not declared");
                Err(invalid(register.range, "register IN", message))
            }
        }
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
        let list = self.list("rw_buffers");
        let builder = &mut self.builder;
        let descriptor = builder.descriptor(list, DESCRIPTOR4, Value::uint(SAMPLE_POSITIONS));
        let first = builder.binary("shl", sample, Value::int(3));
        [0, 4].map(|byte| {
            let address = builder.binary("add", first, Value::int(byte));
            let arguments = [descriptor, address, Value::int(0)];
            builder.call(Type::F32, "llvm.amdgcn.s.buffer.load.f32", &arguments)
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

fn kill(lowering: &mut Lowering<'_>, _: &Instruction) -> Emitted {
    lowering.keep(Value::condition(false));
    Ok(())
}

/// A lane goes on if no component is negative; NaN is not.
fn kill_if(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let mut keep: Option<Value> = None;
    let mut seen = Vec::new();
    for component in Component::ALL {
        let swizzled = instruction.sources[0].swizzle.0[component as usize];
        if seen.contains(&swizzled) {
            continue;
        }
        seen.push(swizzled);
        let value = lowering.float(instruction, 0, component)?;
        let holds = lowering.builder.compare("fcmp uge", value, Value::float(0.0));
        keep = Some(match keep {
            Some(others) => lowering.builder.binary("and", others, holds),
            None => holds,
        });
    }
    if let Some(keep) = keep {
        lowering.keep(keep);
    }
    Ok(())
}

fn demote(lowering: &mut Lowering<'_>, _: &Instruction) -> Emitted {
    let never = Value::condition(false);
    lowering.builder.call(Type::Void, "llvm.amdgcn.wqm.demote", &[never]);
    Ok(())
}

fn read_helper(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let live = lowering.builder.call(Type::I1, "llvm.amdgcn.live.mask", &[]);
    let mask = lowering.not_as_mask(live);
    lowering.store_all(instruction, mask)
}

fn interpolate_at_centroid(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let input = lowering.interpolated_input(&instruction.sources[0])?;
    let pair = lowering.barycentrics(input.1.interpolation, InterpolationLocation::Centroid);
    lowering.store_interpolated(instruction, input, pair)
}

fn interpolate_at_sample(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let input = lowering.interpolated_input(&instruction.sources[0])?;
    let sample = lowering.fetch(&instruction.sources[1], Component::X, ValueType::Signed)?;
    let position = lowering.sample_position(sample);
    let offset = position.map(|place| lowering.builder.binary("fadd", place, Value::float(-0.5)));
    let pair = lowering.moved_barycentrics(input.1.interpolation, offset);
    lowering.store_interpolated(instruction, input, pair)
}

fn interpolate_at_offset(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let input = lowering.interpolated_input(&instruction.sources[0])?;
    let x = lowering.float(instruction, 1, Component::X)?;
    let y = lowering.float(instruction, 1, Component::Y)?;
    let pair = lowering.moved_barycentrics(input.1.interpolation, [x, y]);
    lowering.store_interpolated(instruction, input, pair)
}

/// Reads colour buffer 0 where the fragment lies: drivers for these chips let no other be
/// read.
fn fetch_framebuffer(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let mut others = instruction.sources.iter().filter_map(|source| {
        let number = u32::try_from(source.register.index.offset).ok()?;
        let semantic = lowering.declared.outputs.get(&number)?.semantic;
        (semantic.name == SemanticName::Color && semantic.index > 0).then_some(source)
    });
    if let Some(other) = others.next() {
        return Err(unsupported(other.range, "FBFETCH of another colour than 0".to_owned()));
    }
    let list = lowering.list("rw_buffers");
    let fixed = lowering.integer_argument("fixed_position");
    let builder = &mut lowering.builder;
    let place = Value::uint(COLOR_BUFFER_0 / 2);
    let image = builder.descriptor(list, crate::values::DESCRIPTOR8, place);
    let x = builder.binary("and", fixed, Value::int(0xffff));
    let y = builder.binary("lshr", fixed, Value::int(16));
    let zero = Value::int(0);
    let name = "llvm.amdgcn.image.load.2d.v4f32.i32";
    let texel = builder.call(VECTOR4, name, &[Value::int(15), x, y, image, zero, zero]);
    let values = [0, 1, 2, 3].map(|index| lowering.builder.extract(texel, index));
    lowering.store_each(instruction, values)
}

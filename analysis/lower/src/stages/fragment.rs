//! The fragment stage: arguments, interpolation, killing.

use tgsi::ast::{Component, Instruction, PropertyValue};
use tgsi::words::{Interpolation, InterpolationLocation, PixelCenter, PropertyName, SemanticName};

use crate::abi::{self, Bank, Parameter};
use crate::context::{Emitted, Lowering};
use crate::declared::Input;
use crate::failure::unsupported;
use crate::internal_buffers::COLOR_BUFFER_0;
use crate::lists::LISTS;
use crate::values::{Element, Type, VECTOR4, Value};

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

/// Tells whether an input is an attribute that the vertex stage exported.
pub(super) fn is_attribute(input: &Input) -> bool {
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
                let front = self.faces_front();
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
                        let is_front = self.faces_front();
                        self.builder.select(is_front, front, back)
                    }
                }
            }
        })
    }

    /// Tells whether the fragment is of a front face.
    fn faces_front(&mut self) -> Value {
        let face = self.integer_argument("front_face");
        self.builder.compare("icmp ne", face, Value::int(0))
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
    pub(super) fn attribute(&self, index: u32) -> Value {
        let before = self.declared.inputs.range(..index);
        Value::uint(before.filter(|(_, input)| is_attribute(input)).count() as u32)
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

    /// One component of a system value of a fragment shader.
    pub(super) fn fragment_system_value(
        &mut self,
        name: SemanticName,
        component: Component,
    ) -> Option<Value> {
        Some(match name {
            SemanticName::Position => self.fragment_position(component),
            SemanticName::Face => {
                let front = self.faces_front();
                self.builder.convert("sext", front, Type::I32)
            }
            SemanticName::SampleId => self.ancillary_field(8, 4),
            SemanticName::Layer => self.ancillary_field(16, 11),
            SemanticName::SampleMask => self.shaded_coverage(),
            SemanticName::SamplePosition => {
                let position = match component {
                    Component::X => self.float_argument("position_x"),
                    Component::Y => self.float_argument("position_y"),
                    _ => return Some(Value::float(0.0)),
                };
                self.builder.overloaded("llvm.amdgcn.fract", &[position])
            }
            SemanticName::HelperInvocation => {
                let live = self.builder.call(Type::I1, "llvm.amdgcn.ps.live", &[]);
                self.not_as_mask(live)
            }
            _ => return None,
        })
    }

    /// A field of the register with the sample's number and the layer.
    pub(super) fn ancillary_field(&mut self, first: i32, bits: i32) -> Value {
        let ancillary = self.integer_argument("ancillary");
        let arguments = [ancillary, Value::int(first), Value::int(bits)];
        self.builder.call(Type::I32, "llvm.amdgcn.ubfe.i32", &arguments)
    }

    /// Ends lanes for which a condition does not hold.
    pub(crate) fn keep(&mut self, condition: Value) {
        // A stipple pattern kills lanes before the first instruction, and so before all
        // derivatives.
        let demotes = self.declared.helpers_after_kill
            || self.environment.polygon_stipple && self.declared.takes_derivatives;
        let name = if demotes { "llvm.amdgcn.wqm.demote" } else { "llvm.amdgcn.kill" };
        self.builder.call(Type::Void, name, &[condition]);
    }
}

pub(crate) fn kill(lowering: &mut Lowering<'_>, _: &Instruction) -> Emitted {
    lowering.keep(Value::condition(false));
    Ok(())
}

/// A lane goes on if no component is negative; NaN is not.
pub(crate) fn kill_if(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
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
        keep = Some(lowering.builder.joined("and", keep, holds));
    }
    if let Some(keep) = keep {
        lowering.keep(keep);
    }
    Ok(())
}

pub(crate) fn demote(lowering: &mut Lowering<'_>, _: &Instruction) -> Emitted {
    let never = Value::condition(false);
    lowering.builder.call(Type::Void, "llvm.amdgcn.wqm.demote", &[never]);
    Ok(())
}

pub(crate) fn read_helper(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
    let live = lowering.builder.call(Type::I1, "llvm.amdgcn.live.mask", &[]);
    let mask = lowering.not_as_mask(live);
    lowering.store_all(instruction, mask)
}

/// Reads colour buffer 0 where the fragment lies: drivers for these chips let no other be
/// read.
pub(crate) fn fetch_framebuffer(lowering: &mut Lowering<'_>, instruction: &Instruction) -> Emitted {
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

//! What a shader hands on: positions, parameters, colours, depth.

use tgsi::ast::{Component, Semantic};
use tgsi::words::{File, PropertyName, SemanticName};

use crate::context::Lowering;
use crate::declared::Output;
use crate::environment::{AlphaTest, ColorExport};
use crate::values::{DESCRIPTOR4, Element, Type, Value};
use crate::{Failure, Generation, unsupported};

/// Export targets.
const DEPTH: i32 = 8;
const NOTHING: i32 = 9;
const FIRST_POSITION: i32 = 12;
const FIRST_PARAMETER: i32 = 32;

/// Where the list of internal buffers has the user's clip planes.
const CLIP_PLANES: u32 = 9;

/// One export instruction, but for what depends on its place among the others.
struct Export {
    target: i32,
    mask: i32,
    data: Data,
}

/// Where an export stands among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Others follow, or the order says nothing: parameters.
    Before,
    /// The hardware may go on with the vertex.
    LastPosition,
    /// The hardware may go on with the pixels whose lanes are active.
    LastOfPixels,
}

enum Data {
    Full([Value; 4]),
    /// Two vectors of two 16-bit values.
    Halves([Value; 2]),
}

impl Lowering<'_> {
    fn export(&mut self, export: &Export, place: Place) {
        let target = Value::int(export.target);
        let mask = Value::int(export.mask);
        let flags = [
            Value::condition(place != Place::Before),
            Value::condition(place == Place::LastOfPixels),
        ];
        let (name, arguments) = match &export.data {
            Data::Full(values) => {
                ("llvm.amdgcn.exp.f32".to_owned(), [&[target, mask], &values[..], &flags].concat())
            }
            Data::Halves(values) => (
                format!("llvm.amdgcn.exp.compr.{}", values[0].ty.suffix()),
                [&[target, mask], &values[..], &flags].concat(),
            ),
        };
        self.builder.call(Type::Void, &name, &arguments);
    }

    /// One component of an output as it stands at the end.
    fn output(&mut self, register: u32, component: Component) -> Value {
        let cell = self.cell(File::Output, register, component);
        self.builder.load(Type::F32, cell)
    }

    fn whole_output(&mut self, register: u32) -> [Value; 4] {
        let named = self.declared.outputs.get(&register).map(|output| output.mask);
        Component::ALL.map(|component| {
            if named.is_none_or(|mask| mask.contains(component)) {
                self.output(register, component)
            } else {
                Value::undefined(Type::F32)
            }
        })
    }

    /// The register that carries a semantic.
    fn output_register(&self, name: SemanticName, index: u32) -> Option<u32> {
        let wanted = Semantic { name, index };
        let mut outputs = self.declared.outputs.iter();
        outputs.find(|(_, output)| output.semantic == wanted).map(|(register, _)| *register)
    }

    /// Exports what a vertex shader wrote.
    pub(crate) fn export_vertex(&mut self) -> Vec<Failure> {
        let mut positions = vec![self.position()];
        positions.extend(self.miscellaneous());
        positions.extend(self.clip_distances());
        let last = positions.len() - 1;
        for (place, mut export) in positions.into_iter().enumerate() {
            export.target = FIRST_POSITION + place as i32;
            let place = if place == last { Place::LastPosition } else { Place::Before };
            self.export(&export, place);
        }
        let parameters: Vec<u32> = self
            .declared
            .outputs
            .iter()
            .filter(|(_, output)| is_parameter(output.semantic.name))
            .map(|(register, _)| *register)
            .collect();
        for (target, register) in (FIRST_PARAMETER..).zip(parameters) {
            let data = Data::Full(self.whole_output(register));
            self.export(&Export { target, mask: 0xf, data }, Place::Before);
        }
        Vec::new()
    }

    fn position(&mut self) -> Export {
        let data = match self.output_register(SemanticName::Position, 0) {
            Some(register) => self.whole_output(register),
            None => [0.0, 0.0, 0.0, 1.0].map(Value::float),
        };
        Export { target: FIRST_POSITION, mask: 0xf, data: Data::Full(data) }
    }

    /// Point size, edge flag, layer and viewport share one export.
    fn miscellaneous(&mut self) -> Option<Export> {
        let mut first = |name| {
            let register = self.output_register(name, 0)?;
            Some(self.output(register, Component::X))
        };
        let size = first(SemanticName::PointSize);
        let edge = first(SemanticName::EdgeFlag);
        let layer = first(SemanticName::Layer);
        let viewport = first(SemanticName::ViewportIndex);
        let mut mask = 0;
        let mut values = [Value::float(0.0); 4];
        let mut put = |place: usize, value: Value| {
            mask |= 1 << place;
            values[place] = value;
        };
        if let Some(size) = size {
            put(0, size);
        }
        if let Some(edge) = edge {
            let builder = &mut self.builder;
            let number = crate::conversions::float_to_signed(builder, edge);
            let flag = builder.overloaded("llvm.umin", &[number, Value::int(1)]);
            put(1, builder.bitcast(flag, Type::F32));
        }
        match (layer, viewport) {
            (layer, Some(viewport)) if self.generation == Generation::Gfx9 => {
                let builder = &mut self.builder;
                let number = builder.bitcast(viewport, Type::I32);
                let mut both = builder.binary("shl", number, Value::int(16));
                if let Some(layer) = layer {
                    let layer = builder.bitcast(layer, Type::I32);
                    both = builder.binary("or", both, layer);
                }
                put(2, builder.bitcast(both, Type::F32));
            }
            (layer, viewport) => {
                if let Some(layer) = layer {
                    put(2, layer);
                }
                if let Some(viewport) = viewport {
                    put(3, viewport);
                }
            }
        }
        (mask != 0).then_some(Export { target: 0, mask, data: Data::Full(values) })
    }

    /// Distances as written, or those of a clip vertex from the user's planes.
    fn clip_distances(&mut self) -> Vec<Export> {
        if let Some(register) = self.output_register(SemanticName::ClipVertex, 0) {
            let vertex = self.whole_output(register);
            return self.plane_distances(vertex);
        }
        let registers = [0, 1].map(|i| self.output_register(SemanticName::ClipDistance, i));
        let export = |register| Export {
            target: 0,
            mask: 0xf,
            data: Data::Full(self.whole_output(register)),
        };
        registers.into_iter().flatten().map(export).collect()
    }

    fn plane_distances(&mut self, vertex: [Value; 4]) -> Vec<Export> {
        let list = self.list("rw_buffers");
        let builder = &mut self.builder;
        let descriptor = builder.descriptor(list, DESCRIPTOR4, Value::uint(CLIP_PLANES));
        let mut distance = |plane: u32| {
            let mut sum = None;
            for (component, value) in vertex.iter().enumerate() {
                let offset = Value::uint((plane * 4 + component as u32) * 4);
                let arguments = [descriptor, offset, Value::int(0)];
                let name = "llvm.amdgcn.s.buffer.load.f32";
                let coefficient = builder.call(Type::F32, name, &arguments);
                let product = builder.binary("fmul", coefficient, *value);
                sum = Some(match sum {
                    Some(sum) => builder.binary("fadd", product, sum),
                    None => product,
                });
            }
            sum.unwrap_or(Value::float(0.0))
        };
        [0, 4]
            .map(|first| [0, 1, 2, 3].map(|plane| distance(first + plane)))
            .map(|values| Export { target: 0, mask: 0xf, data: Data::Full(values) })
            .into()
    }

    /// Exports what a fragment shader wrote. The last export tells the
    /// hardware that it is, and which lanes count.
    pub(crate) fn export_fragment(&mut self) -> Vec<Failure> {
        let mut failures = Vec::new();
        let mut exports = Vec::new();
        let outputs: Vec<(u32, Output)> =
            self.declared.outputs.iter().map(|(register, output)| (*register, *output)).collect();
        let to_all = self
            .declared
            .property(PropertyName::Color0WritesAllBuffers)
            .is_some_and(|value| value != 0);
        for (register, Output { semantic, range, .. }) in outputs {
            match semantic.name {
                SemanticName::Color if semantic.index < 8 => {
                    let mut values = self.whole_output(register);
                    if self.environment.clamp_color {
                        values = values.map(|value| self.saturated(value));
                    }
                    let first = semantic.index as i32;
                    if first == 0 {
                        self.test_alpha(values[3]);
                    }
                    let last = match to_all && first == 0 {
                        true => i32::from(self.environment.color_buffers.clamp(1, 8)) - 1,
                        false => first,
                    };
                    for target in first..=last {
                        exports.extend(self.color(target, values));
                    }
                }
                SemanticName::Position | SemanticName::Stencil | SemanticName::SampleMask => {}
                name => {
                    let construct = format!("output {name}[{}] in FRAG", semantic.index);
                    failures.push(unsupported(range, construct));
                }
            }
        }
        exports.extend(self.depth());
        if exports.is_empty() {
            let nothing = [Value::undefined(Type::F32); 4];
            exports.push(Export { target: NOTHING, mask: 0, data: Data::Full(nothing) });
        }
        let last = exports.len() - 1;
        for (place, export) in exports.iter().enumerate() {
            let place = if place == last { Place::LastOfPixels } else { Place::Before };
            self.export(export, place);
        }
        failures
    }

    /// Ends the lanes whose alpha does not pass.
    fn test_alpha(&mut self, alpha: Value) {
        let comparison = match self.environment.alpha_test {
            AlphaTest::Always => return,
            AlphaTest::Never => return self.keep(Value::condition(false)),
            AlphaTest::Less => "fcmp olt",
            AlphaTest::Equal => "fcmp oeq",
            AlphaTest::LessOrEqual => "fcmp ole",
            AlphaTest::Greater => "fcmp ogt",
            AlphaTest::NotEqual => "fcmp une",
            AlphaTest::GreaterOrEqual => "fcmp oge",
        };
        let reference = self.float_argument("alpha_reference");
        let passes = self.builder.compare(comparison, alpha, reference);
        self.keep(passes);
    }

    /// The export of a colour to a buffer, if one is bound.
    fn color(&mut self, target: i32, values: [Value; 4]) -> Option<Export> {
        let format = self.environment.color_exports[target as usize % 8];
        let none = Value::undefined(Type::F32);
        let (mask, data) = match format {
            ColorExport::Nothing => return None,
            ColorExport::Full => (0xf, Data::Full(values)),
            ColorExport::Red => (1, Data::Full([values[0], none, none, none])),
            ColorExport::RedGreen => (3, Data::Full([values[0], values[1], none, none])),
            ColorExport::RedAlpha => (9, Data::Full([values[0], none, none, values[3]])),
            ColorExport::HalfFloat => (0xf, self.packed(values, "cvt.pkrtz", Element::F16)),
            ColorExport::Unorm16 => (0xf, self.packed(values, "cvt.pknorm.u16", Element::I16)),
            ColorExport::Snorm16 => (0xf, self.packed(values, "cvt.pknorm.i16", Element::I16)),
            ColorExport::Uint16 => (0xf, self.packed(values, "cvt.pk.u16", Element::I16)),
            ColorExport::Sint16 => (0xf, self.packed(values, "cvt.pk.i16", Element::I16)),
        };
        Some(Export { target, mask, data })
    }

    /// Four values in two registers, by an instruction that packs two.
    fn packed(&mut self, values: [Value; 4], operation: &str, element: Element) -> Data {
        let ty = Type::Vector(2, element);
        let name = format!("llvm.amdgcn.{operation}");
        let integers = operation.starts_with("cvt.pk.");
        let source = if integers { Type::I32 } else { Type::F32 };
        let values = values.map(|value| self.builder.bitcast(value, source));
        Data::Halves([0, 2].map(|i| self.builder.call(ty, &name, &[values[i], values[i + 1]])))
    }

    /// Depth, stencil and sample mask share one export. Without depth the two
    /// others go in 16 bits each.
    fn depth(&mut self) -> Option<Export> {
        let mut part = |name, component| {
            let register = self.output_register(name, 0)?;
            Some(self.output(register, component))
        };
        let depth = part(SemanticName::Position, Component::Z);
        let stencil = part(SemanticName::Stencil, Component::Y);
        let samples = part(SemanticName::SampleMask, Component::X);
        let mut mask = 0;
        let Some(depth) = depth else {
            if stencil.is_none() && samples.is_none() {
                return None;
            }
            let ty = Type::Vector(2, Element::I16);
            let builder = &mut self.builder;
            let mut halves = [Value::undefined(ty); 2];
            if let Some(stencil) = stencil {
                mask |= 3;
                let bits = builder.bitcast(stencil, Type::I32);
                let high = builder.binary("shl", bits, Value::int(16));
                halves[0] = builder.bitcast(high, ty);
            }
            if let Some(samples) = samples {
                mask |= 0xc;
                let bits = builder.bitcast(samples, Type::I32);
                halves[1] = builder.bitcast(bits, ty);
            }
            if self.generation == Generation::Gfx6 {
                mask |= 1;
            }
            return Some(Export { target: DEPTH, mask, data: Data::Halves(halves) });
        };
        let mut values = [Value::undefined(Type::F32); 4];
        for (place, value) in [Some(depth), stencil, samples].into_iter().enumerate() {
            if let Some(value) = value {
                mask |= 1 << place;
                values[place] = value;
            }
        }
        Some(Export { target: DEPTH, mask, data: Data::Full(values) })
    }
}

/// Whether the next stage reads an output as an attribute.
fn is_parameter(name: SemanticName) -> bool {
    matches!(
        name,
        SemanticName::Layer
            | SemanticName::ViewportIndex
            | SemanticName::ClipDistance
            | SemanticName::Color
            | SemanticName::BackColor
            | SemanticName::PrimitiveId
            | SemanticName::Fog
            | SemanticName::TextureCoordinate
            | SemanticName::Generic
    )
}

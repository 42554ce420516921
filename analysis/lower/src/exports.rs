//! Exports of a vertex: positions and parameters. Those of pixels are in `fragment_exports.rs`.

use isa::gcn::Generation;
use tgsi::Stage;
use tgsi::ast::{Component, Semantic};
use tgsi::words::{File, SemanticName};

use crate::context::Lowering;
use crate::internal_buffers::CLIP_PLANES;
use crate::values::{Type, Value};

/// Export targets.
const FIRST_POSITION: i32 = 12;
const FIRST_PARAMETER: i32 = 32;

/// One export instruction, but for what depends on its place among the others.
pub(crate) struct Export {
    pub(crate) target: i32,
    pub(crate) mask: i32,
    pub(crate) data: Data,
}

/// The place of an export among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExportOrder {
    /// Others follow, or the order says nothing: parameters.
    Before,
    /// The hardware may go on with the vertex.
    LastPosition,
    /// The hardware may go on with the pixels whose lanes are active.
    LastOfPixels,
}

/// The values of an export instruction.
pub(crate) enum Data {
    Full([Value; 4]),
    /// Two vectors of two 16-bit values.
    Halves([Value; 2]),
}

impl Lowering<'_> {
    /// Hands on four values.
    pub(crate) fn export(&mut self, export: &Export, order: ExportOrder) {
        let target = Value::int(export.target);
        let mask = Value::int(export.mask);
        let flags = [
            Value::condition(order != ExportOrder::Before),
            Value::condition(order == ExportOrder::LastOfPixels),
        ];
        let (name, values) = match &export.data {
            Data::Full(values) => ("f32".to_owned(), &values[..]),
            Data::Halves(values) => (format!("compr.{}", values[0].ty.suffix()), &values[..]),
        };
        let arguments = [&[target, mask], values, &flags].concat();
        self.builder.call(Type::Void, &format!("llvm.amdgcn.exp.{name}"), &arguments);
    }

    /// One component of an output as it stands at the end.
    pub(crate) fn output(&mut self, register: u32, component: Component) -> Value {
        let cell = self.cell(File::Output, register, component);
        self.builder.load(Type::F32, cell)
    }

    /// An output as it stands at the end; components that no declaration names
    /// are nothing in particular.
    pub(crate) fn whole_output(&mut self, register: u32) -> [Value; 4] {
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
    pub(crate) fn output_register(&self, name: SemanticName, index: u32) -> Option<u32> {
        let wanted = Semantic { name, index };
        let mut outputs = self.declared.outputs.iter();
        outputs.find(|(_, output)| output.semantic == wanted).map(|(register, _)| *register)
    }

    /// Exports what a vertex shader wrote.
    pub(crate) fn export_vertex(&mut self) {
        let mut positions = vec![self.position()];
        positions.extend(self.miscellaneous());
        positions.extend(self.clip_distances());
        let last = positions.len() - 1;
        for (place, mut export) in positions.into_iter().enumerate() {
            export.target = FIRST_POSITION + place as i32;
            let order = if place == last { ExportOrder::LastPosition } else { ExportOrder::Before };
            self.export(&export, order);
        }
        let mut parameters = self.declared.outputs.clone();
        parameters.retain(|_, output| is_parameter(output.semantic.name));
        let mut target = FIRST_PARAMETER;
        for register in parameters.into_keys() {
            let data = Data::Full(self.vertex_parameter(register));
            self.export(&Export { target, mask: 0xf, data }, ExportOrder::Before);
            target += 1;
        }
        if self.environment.export_primitive_id
            && let Some(number) = self.exported_primitive_id()
        {
            let zero = Value::float(0.0);
            let data = Data::Full([number, zero, zero, zero]);
            self.export(&Export { target, mask: 0xf, data }, ExportOrder::Before);
        }
    }

    /// A parameter; colours are clamped where the state says so.
    fn vertex_parameter(&mut self, register: u32) -> [Value; 4] {
        let values = self.whole_output(register);
        let name = self.declared.outputs.get(&register).map(|output| output.semantic.name);
        let is_color = matches!(name, Some(SemanticName::Color | SemanticName::BackColor));
        match is_color && self.environment.clamp_vertex_color {
            true => values.map(|value| self.saturated(value)),
            false => values,
        }
    }

    /// The number of the primitive, where no geometry shader could export it.
    fn exported_primitive_id(&mut self) -> Option<Value> {
        let number = match self.stage() {
            Stage::Vertex => self.integer_argument("primitive_id"),
            Stage::TessellationEvaluation => self.integer_argument("patch_id"),
            _ => return None,
        };
        Some(self.builder.bitcast(number, Type::F32))
    }

    fn position(&mut self) -> Export {
        let mut data = match self.output_register(SemanticName::Position, 0) {
            Some(register) => self.whole_output(register),
            None => [0.0, 0.0, 0.0, 1.0].map(Value::float),
        };
        if self.environment.half_z_clip {
            let sum = self.builder.binary("fadd", data[2], data[3]);
            data[2] = self.builder.binary("fmul", sum, Value::float(0.5));
        }
        Export { target: FIRST_POSITION, mask: 0xf, data: Data::Full(data) }
    }

    /// Point size, edge flag, layer and viewport share one export.
    fn miscellaneous(&mut self) -> Option<Export> {
        let sized = self.environment.point_size;
        let mut first = |name| {
            let register = self.output_register(name, 0)?;
            Some(self.output(register, Component::X))
        };
        let size = first(SemanticName::PointSize).filter(|_| sized);
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
            // The hardware wants an integer, 0 or 1.
            let builder = &mut self.builder;
            let number = crate::conversions::float_to_signed(builder, &[edge]);
            let flag = builder.overloaded("llvm.umin", &[number, Value::int(1)]);
            put(1, builder.bitcast(flag, Type::F32));
        }
        match (layer, viewport) {
            (layer, Some(viewport)) if self.generation == Generation::Gfx9 => {
                // gfx9 takes both from one word, the layer from its lower half.
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
        let on = self.environment.user_clip_planes;
        let mut exports = Vec::new();
        for number in [0, 1] {
            let register = self.output_register(SemanticName::ClipDistance, number);
            let Some(register) = register.filter(|_| on >> (number * 4) & 0xf != 0) else {
                continue;
            };
            let data = Data::Full(self.whole_output(register));
            exports.push(Export { target: 0, mask: 0xf, data });
        }
        exports
    }

    fn plane_distances(&mut self, vertex: [Value; 4]) -> Vec<Export> {
        let on = self.environment.user_clip_planes;
        let descriptor = self.internal_buffer(CLIP_PLANES);
        let builder = &mut self.builder;
        let mut distance = |plane: u32| {
            let mut sum = None;
            for (component, value) in vertex.iter().enumerate() {
                let offset = Value::uint((plane * 4 + component as u32) * 4);
                let coefficient = builder.constant_word(descriptor, offset);
                let product = builder.binary("fmul", coefficient, *value);
                sum = Some(match sum {
                    Some(sum) => builder.binary("fadd", product, sum),
                    None => product,
                });
            }
            sum.unwrap_or(Value::float(0.0))
        };
        let mut exports = Vec::new();
        for first in [0, 4] {
            let planes = [0, 1, 2, 3].map(|plane| first + plane);
            if planes.iter().any(|plane| on >> plane & 1 == 1) {
                let distances = planes.map(|plane| match on >> plane & 1 {
                    1 => distance(plane),
                    _ => Value::float(0.0),
                });
                exports.push(Export { target: 0, mask: 0xf, data: Data::Full(distances) });
            }
        }
        exports
    }
}

/// Tells whether the fragment stage reads an output of this semantic as an attribute.
pub fn is_parameter(name: SemanticName) -> bool {
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

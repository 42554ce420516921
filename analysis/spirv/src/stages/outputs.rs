//! Outputs that a stage writes at its end, or at the end of each vertex: the registers are
//! variables of the shader until then.

use std::collections::BTreeMap;

use lower::failure::unsupported;
use source::TextRange;
use tgsi::ast::{Component, Semantic};
use tgsi::words::{File, SemanticName};

use crate::context::{Emitted, Translation};
use crate::stages::{VECTOR, VariableKey};
use crate::values::{F32, Scalar, Type, U32, Value};
use crate::words::{BuiltIn, Decoration, Op, StorageClass};

const OUTPUT: StorageClass = StorageClass::Output;

/// A semantic that is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    pub(super) range: TextRange,
    /// The register that has each component, if one is declared with it.
    pub(super) registers: [Option<u32>; 4],
    pub(super) stream: u32,
}

impl Translation<'_> {
    /// The semantics that are declared as outputs: registers may share one.
    pub(super) fn written(&self) -> BTreeMap<(SemanticName, u32), Written> {
        let mut all = BTreeMap::new();
        for (register, output) in &self.declared.outputs {
            let Semantic { name, index } = output.semantic;
            let new = Written { range: output.range, registers: [None; 4], stream: 0 };
            let written = all.entry((name, index)).or_insert(new);
            for component in output.mask.components() {
                written.registers[component as usize] = Some(*register);
                written.stream = output.streams[component as usize];
            }
        }
        all
    }

    /// The value of a component of an output; 0 if no register has it, or none is ever written.
    pub(super) fn output_value(&mut self, written: &Written, component: Component) -> Value {
        let register = written.registers[component as usize];
        let known = register.filter(|register| self.is_written(*register, component));
        match known {
            None => self.builder.uint(0),
            Some(register) => {
                let pointer = self.cell(File::Output, register, component);
                self.builder.load(U32, pointer)
            }
        }
    }

    /// All four components of an output, as floats.
    pub(super) fn output_floats(&mut self, written: &Written) -> [Value; 4] {
        Component::ALL.map(|component| {
            let value = self.output_value(written, component);
            self.builder.bitcast(value, F32)
        })
    }

    /// Writes the outputs of a vertex, those of one stream if it is given.
    pub(crate) fn write_outputs(&mut self, stream: Option<u32>) -> Emitted {
        for ((name, index), written) in self.written() {
            if stream.is_some_and(|stream| stream != written.stream) {
                continue;
            }
            if stream.is_none() {
                self.begin_at_writer(&written.registers);
            }
            self.write_output(Semantic { name, index }, &written)?;
        }
        self.write_distances(stream)
    }

    fn write_output(&mut self, semantic: Semantic, written: &Written) -> Emitted {
        let environment = &self.options.environment;
        let whole = Type::One(Scalar::I32);
        match semantic.name {
            SemanticName::ClipDistance | SemanticName::CullDistance | SemanticName::EdgeFlag => {
                return Ok(());
            }
            SemanticName::PointSize if !environment.point_size => return Ok(()),
            SemanticName::ClipVertex | SemanticName::ViewportMask => {
                let construct = format!("output {}: Vulkan has no such value", semantic.name);
                return Err(unsupported(written.range, construct));
            }
            SemanticName::Position => {
                let mut values = self.output_floats(written);
                if environment.half_z_clip {
                    let sum = self.builder.binary(Op::FAdd, values[2], values[3]);
                    let half = self.builder.float(0.5);
                    values[2] = self.builder.binary(Op::FMul, sum, half);
                }
                let value = self.builder.vector(&values);
                let variable = self.built_in(OUTPUT, BuiltIn::Position, VECTOR);
                self.builder.store(variable, value);
            }
            SemanticName::PointSize => self.write_number(BuiltIn::PointSize, F32, written),
            SemanticName::Layer => self.write_number(BuiltIn::Layer, whole, written),
            SemanticName::ViewportIndex => {
                self.write_number(BuiltIn::ViewportIndex, whole, written);
            }
            SemanticName::PrimitiveId => self.write_number(BuiltIn::PrimitiveId, whole, written),
            name => {
                let clamps = environment.clamp_vertex_color
                    && matches!(name, SemanticName::Color | SemanticName::BackColor);
                let mut values = self.output_floats(written);
                if clamps {
                    values = values.map(|value| self.builder.clamped(value, 0, 1));
                }
                let value = self.builder.vector(&values);
                let key = VariableKey::Varying(OUTPUT, semantic);
                let known = self.variables.contains_key(&key);
                let variable = self.varying(OUTPUT, semantic, None, written.range)?;
                if !known && written.stream != 0 {
                    self.builder.decorate(variable, Decoration::Stream, &[written.stream]);
                }
                self.builder.store(variable, value);
            }
        }
        Ok(())
    }

    /// Writes x of an output to a value that Vulkan knows.
    fn write_number(&mut self, built_in: BuiltIn, ty: Type, written: &Written) {
        let value = self.output_value(written, Component::X);
        let value = self.builder.bitcast(value, ty);
        let variable = self.built_in(OUTPUT, built_in, ty);
        self.builder.store(variable, value);
    }

    /// Writes the clip distances, and the cull distances that follow them in the registers or have
    /// registers of their own.
    fn write_distances(&mut self, stream: Option<u32>) -> Emitted {
        if stream.unwrap_or(0) != 0 {
            return Ok(());
        }
        let clip = self.distance_values(SemanticName::ClipDistance);
        let cull = self.distance_values(SemanticName::CullDistance);
        let [clips, culls] = self.distances(clip.len() as u32).map(|count| count as usize);
        let zero = self.builder.uint(0);
        let all = |place: usize| clip.get(place).copied().unwrap_or(zero);
        let clipping: Vec<Value> = (0..clips).map(all).collect();
        let culling = match cull.is_empty() || !clip.is_empty() && culls != 0 {
            true => (clips..clips + culls).map(all).collect(),
            false => cull,
        };
        self.write_distance_array(BuiltIn::ClipDistance, &clipping);
        self.write_distance_array(BuiltIn::CullDistance, &culling);
        Ok(())
    }

    /// The values of the registers with distances, up to the last component that is declared.
    fn distance_values(&mut self, name: SemanticName) -> Vec<Value> {
        let written = self.written();
        let of = |number: u32| written.get(&(name, number));
        let Some(last) = [1, 0].into_iter().find(|number| of(*number).is_some()) else {
            return Vec::new();
        };
        let highest = of(last).and_then(|it| it.registers.iter().rposition(Option::is_some));
        let count = last * 4 + highest.unwrap_or(0) as u32 + 1;
        (0..count)
            .map(|number| match of(number / 4) {
                Some(written) => self.output_value(written, Component::ALL[number as usize % 4]),
                None => self.builder.uint(0),
            })
            .collect()
    }

    fn write_distance_array(&mut self, built_in: BuiltIn, values: &[Value]) {
        if values.is_empty() {
            return;
        }
        let length = values.len() as u32;
        let variable = self.built_in_of(OUTPUT, built_in, |this| {
            let float = this.builder.value_type(F32);
            this.builder.array_type(float, length)
        });
        for (place, value) in values.iter().enumerate() {
            let value = self.builder.bitcast(*value, F32);
            let place = self.builder.uint(place as u32);
            let pointer = self.builder.part(OUTPUT, F32, variable, &[place]);
            self.builder.store(pointer, value);
        }
    }
}

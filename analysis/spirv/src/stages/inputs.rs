//! Inputs of all stages.

use lower::declared::Input;
use lower::failure::{left_open, undeclared, unsupported};
use source::TextRange;
use tgsi::Stage;
use tgsi::ast::{Component, Index, PropertyValue, Register, Semantic};
use tgsi::words::{
    CoordinateOrigin, File, Interpolation, InterpolationLocation, PixelCenter, PropertyName,
    SemanticName,
};

use crate::builder::Id;
use crate::context::{Emitted, Translation};
use crate::registers::direct_index;
use crate::stages::{VECTOR, VariableKey, is_of_patch};
use crate::values::{BOOL, F32, Scalar, Type, U32, Value};
use crate::words::{BuiltIn, Capability, Decoration, Op, StorageClass};

const INPUT: StorageClass = StorageClass::Input;

impl Translation<'_> {
    /// The bits of one component of an input.
    pub(crate) fn read_input(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Emitted<Value> {
        if !self.reads_vertices() {
            self.refuse_dimension(register)?;
        }
        if register.index.indirect.is_none() {
            let index = direct_index(register)?;
            return self.input(register, index, component);
        }
        let Some(place) = self.declared.indexed_place(
            File::Input,
            register.index.indirect.and_then(|indirect| indirect.array),
            register.index.offset.max(0) as u32,
        ) else {
            return Err(undeclared(register, 0));
        };
        let range = self.declared.indexed()[place];
        let index = self.index_value(&register.index)?;
        let first = self.builder.uint(range.first);
        let index = self.builder.binary(Op::ISub, index, first);
        if !self.reads_vertices() {
            let index = self.bounded(index, range.length());
            let array = self.array(place, component);
            let pointer = self.builder.part(StorageClass::Private, U32, array, &[index]);
            return Ok(self.builder.load(U32, pointer));
        }
        self.each_of(index, range.length(), U32, |this, number| {
            let number = range.first + number;
            if !this.fits(register, number) {
                return Ok(this.builder.uint(0));
            }
            this.input(register, number, component)
        })
    }

    /// Tells whether an input is declared as an operand is written: with vertices, or of the patch.
    fn fits(&self, register: &Register, index: u32) -> bool {
        let semantic = self.declared.inputs.get(&index).and_then(|input| input.semantic);
        semantic.is_some_and(|semantic| is_of_patch(semantic.name) == register.dimension.is_none())
    }

    /// Fills the arrays of inputs that are indexed, where they are no arrays already.
    pub(crate) fn fill_indexed_inputs(&mut self) -> Emitted {
        if self.reads_vertices() {
            return Ok(());
        }
        for place in 0..self.declared.indexed().len() {
            let range = self.declared.indexed()[place];
            if range.file != File::Input {
                continue;
            }
            for index in range.first..=range.last {
                if !self.declared.inputs.contains_key(&index) {
                    continue;
                }
                let register = Register {
                    range: self.place,
                    file: File::Input,
                    dimension: None,
                    index: Index { offset: index as i32, indirect: None },
                };
                for component in Component::ALL {
                    let value = self.input(&register, index, component)?;
                    let pointer = self.cell(File::Input, index, component);
                    self.builder.store(pointer, value);
                }
            }
        }
        Ok(())
    }

    /// The bits of one component of an input register of a number.
    fn input(&mut self, register: &Register, index: u32, component: Component) -> Emitted<Value> {
        let input = self.declared.inputs.get(&index).copied();
        let input = input.ok_or_else(|| undeclared(register, index))?;
        if self.by_buffers() {
            return self.input_of_buffer(register, index, component);
        }
        let value = match self.stage() {
            Stage::Vertex => self.attribute(index, component),
            stage => {
                let Some(semantic) = input.semantic else {
                    return Err(left_open(
                        register.range,
                        "register IN",
                        "an input without a semantic comes from nowhere".to_owned(),
                    ));
                };
                match stage {
                    Stage::Fragment => self.fragment_input(input, semantic, component, register)?,
                    _ => self.vertex_input(semantic, component, register)?,
                }
            }
        };
        Ok(self.builder.bitcast(value, U32))
    }

    /// One component of an attribute of a vertex.
    fn attribute(&mut self, index: u32, component: Component) -> Value {
        let formats = &self.options.environment.vertex_formats;
        let format = formats[(index as usize).min(formats.len() - 1)];
        let scalar = if format.is_unsigned() {
            Scalar::U32
        } else if format.is_signed() {
            Scalar::I32
        } else {
            Scalar::F32
        };
        let key = VariableKey::Attribute(index);
        let builder = &mut self.builder;
        let variable = *self.variables.entry(key).or_insert_with(|| {
            let ty = builder.value_type(Type::Vector(scalar, 4));
            let variable = builder.variable(INPUT, ty);
            builder.decorate(variable, Decoration::Location, &[index]);
            builder.name(variable, &format!("attribute{index}"));
            variable
        });
        self.component_of(variable, &[], scalar, component)
    }

    /// One component of a vector that is a variable, or a part of one.
    pub(super) fn component_of(
        &mut self,
        variable: Id,
        place: &[Value],
        scalar: Scalar,
        component: Component,
    ) -> Value {
        let ty = Type::One(scalar);
        let component = self.builder.uint(component as u32);
        let indices = [place, &[component]].concat();
        let pointer = self.builder.part(INPUT, ty, variable, &indices);
        self.builder.load(ty, pointer)
    }

    /// One component of an input of a vertex, or of the patch.
    fn vertex_input(
        &mut self,
        semantic: Semantic,
        component: Component,
        register: &Register,
    ) -> Emitted<Value> {
        let name = semantic.name;
        if name == SemanticName::PrimitiveId {
            return Ok(self.built_in_number(BuiltIn::PrimitiveId));
        }
        if matches!(name, SemanticName::TessellationOuter | SemanticName::TessellationInner) {
            return Ok(self.factor(INPUT, name, component));
        }
        let vertex = match (register.dimension, is_of_patch(name)) {
            (_, true) => None,
            (Some(dimension), false) => Some(self.input_vertex(register, dimension)?),
            (None, false) => {
                let construct = "an input without a vertex".to_owned();
                return Err(unsupported(register.range, construct));
            }
        };
        let place: Vec<Value> = vertex.into_iter().collect();
        let vertices = vertex.map(|_| self.input_vertices());
        match name {
            SemanticName::Position => {
                let variable = self.vertex_array(BuiltIn::Position, vertices, VECTOR);
                Ok(self.component_of(variable, &place, Scalar::F32, component))
            }
            SemanticName::PointSize => {
                let variable = self.vertex_array(BuiltIn::PointSize, vertices, F32);
                let pointer = self.builder.part(INPUT, F32, variable, &place);
                Ok(self.builder.load(F32, pointer))
            }
            SemanticName::ClipDistance => {
                let distance = semantic.index * 4 + component as u32;
                self.distance(distance, vertex, register.range)
            }
            _ => {
                let variable = self.varying(INPUT, semantic, vertices, register.range)?;
                Ok(self.component_of(variable, &place, Scalar::F32, component))
            }
        }
    }

    /// The vertex that an operand names by its dimension.
    pub(crate) fn input_vertex(&mut self, register: &Register, dimension: Index) -> Emitted<Value> {
        let vertices = self.input_vertices();
        let vertex = self.index_value(&dimension)?;
        match dimension.indirect {
            Some(_) => Ok(self.bounded(vertex, vertices)),
            None if dimension.offset as u32 >= vertices => {
                let construct = format!("vertex {} of the input", dimension.offset);
                Err(unsupported(register.range, construct))
            }
            None => Ok(vertex),
        }
    }

    /// The input of all vertices with a value that Vulkan knows.
    fn vertex_array(&mut self, built_in: BuiltIn, vertices: Option<u32>, ty: Type) -> Id {
        self.built_in_of(INPUT, built_in, |this| {
            let ty = this.builder.value_type(ty);
            match vertices {
                Some(vertices) => this.builder.array_type(ty, vertices),
                None => ty,
            }
        })
    }

    /// A clip distance, or a cull distance behind the last of those.
    fn distance(&mut self, number: u32, vertex: Option<Value>, range: TextRange) -> Emitted<Value> {
        let registers =
            self.declared.inputs.values().filter(|input| {
                input.semantic.is_some_and(|it| it.name == SemanticName::ClipDistance)
            });
        let [clip, cull] = match self.stage() {
            // The properties tell of what this stage writes.
            Stage::Fragment | Stage::TessellationControl => {
                [(registers.count() as u32 * 4).min(8), 0]
            }
            _ => self.distances(registers.count() as u32 * 4),
        };
        let (built_in, length, place) = match number {
            number if number < clip => (BuiltIn::ClipDistance, clip, number),
            number if number < clip + cull => (BuiltIn::CullDistance, cull, number - clip),
            _ => return Err(unsupported(range, format!("clip distance {number} as input"))),
        };
        let vertices = vertex.map(|_| self.input_vertices());
        let variable = self.built_in_of(INPUT, built_in, |this| {
            let ty = this.builder.value_type(F32);
            let ty = this.builder.array_type(ty, length);
            match vertices {
                Some(vertices) => this.builder.array_type(ty, vertices),
                None => ty,
            }
        });
        let mut indices: Vec<Value> = vertex.into_iter().collect();
        indices.push(self.builder.uint(place));
        let pointer = self.builder.part(INPUT, F32, variable, &indices);
        Ok(self.builder.load(F32, pointer))
    }

    /// A tessellation factor; 0 where there is none.
    pub(super) fn factor(
        &mut self,
        class: StorageClass,
        name: SemanticName,
        component: Component,
    ) -> Value {
        let (variable, length) = self.factors(class, name);
        if component as u32 >= length {
            return self.builder.float(0.0);
        }
        let place = self.builder.uint(component as u32);
        let pointer = self.builder.part(class, F32, variable, &[place]);
        self.builder.load(F32, pointer)
    }

    /// One component of an input of a fragment.
    fn fragment_input(
        &mut self,
        input: Input,
        semantic: Semantic,
        component: Component,
        register: &Register,
    ) -> Emitted<Value> {
        let name = semantic.name;
        match (name, component) {
            (SemanticName::Position, _) => return Ok(self.fragment_position(component)),
            (SemanticName::Face | SemanticName::Fog, Component::W) => {
                return Ok(self.builder.float(1.0));
            }
            (SemanticName::Face | SemanticName::Fog, Component::Y | Component::Z) => {
                return Ok(self.builder.float(0.0));
            }
            (SemanticName::Face, _) => {
                let front = self.faces_front();
                let [ahead, behind] = [1.0, -1.0].map(|number| self.builder.float(number));
                return Ok(self.builder.select(front, ahead, behind));
            }
            (SemanticName::PrimitiveId, _) => {
                return Ok(self.built_in_number(BuiltIn::PrimitiveId));
            }
            (SemanticName::Layer, _) => return Ok(self.built_in_number(BuiltIn::Layer)),
            (SemanticName::ViewportIndex, _) => {
                return Ok(self.built_in_number(BuiltIn::ViewportIndex));
            }
            (SemanticName::ClipDistance, _) => {
                let number = semantic.index * 4 + component as u32;
                return self.distance(number, None, register.range);
            }
            _ => {}
        }
        if name == SemanticName::PointCoordinate || self.is_sprite_coordinate(semantic) {
            return Ok(self.point_coordinate(component));
        }
        let variable = self.fragment_varying(input, semantic, register.range)?;
        let front = self.component_of(variable, &[], Scalar::F32, component);
        if name != SemanticName::Color || !self.options.environment.two_sided_color {
            return Ok(front);
        }
        let semantic = Semantic { name: SemanticName::BackColor, ..semantic };
        let variable = self.fragment_varying(input, semantic, register.range)?;
        let back = self.component_of(variable, &[], Scalar::F32, component);
        let is_front = self.faces_front();
        Ok(self.builder.select(is_front, front, back))
    }

    /// The variable of an input that is interpolated, or not, as it is declared.
    pub(super) fn fragment_varying(
        &mut self,
        input: Input,
        semantic: Semantic,
        range: TextRange,
    ) -> Emitted<Id> {
        let known = self.variables.contains_key(&VariableKey::Varying(INPUT, semantic));
        let variable = self.varying(INPUT, semantic, None, range)?;
        if known {
            return Ok(variable);
        }
        let flat = match input.interpolation {
            Interpolation::Constant => true,
            Interpolation::Color => self.options.environment.flat_shade,
            Interpolation::Linear | Interpolation::Perspective => false,
        };
        if flat {
            self.builder.decorate(variable, Decoration::Flat, &[]);
            return Ok(variable);
        }
        if input.interpolation == Interpolation::Linear {
            self.builder.decorate(variable, Decoration::NoPerspective, &[]);
        }
        match input.location {
            InterpolationLocation::Center => {}
            InterpolationLocation::Centroid => {
                self.builder.decorate(variable, Decoration::Centroid, &[]);
            }
            InterpolationLocation::Sample => {
                self.builder.require(Capability::SampleRateShading);
                self.builder.decorate(variable, Decoration::Sample, &[]);
            }
        }
        Ok(variable)
    }

    /// Tells whether the state makes an input a place in a point sprite.
    fn is_sprite_coordinate(&self, semantic: Semantic) -> bool {
        let may_be = [SemanticName::Generic, SemanticName::TextureCoordinate];
        let set = self.options.environment.sprite_coordinates.checked_shr(semantic.index);
        may_be.contains(&semantic.name) && set.unwrap_or(0) & 1 != 0
    }

    fn point_coordinate(&mut self, component: Component) -> Value {
        match component {
            Component::Z => self.builder.float(0.0),
            Component::W => self.builder.float(1.0),
            Component::X | Component::Y => {
                let ty = Type::Vector(Scalar::F32, 2);
                let variable = self.built_in(INPUT, BuiltIn::PointCoord, ty);
                self.component_of(variable, &[], Scalar::F32, component)
            }
        }
    }

    /// Tells whether the fragment is of a front face.
    pub(super) fn faces_front(&mut self) -> Value {
        let variable = self.built_in(INPUT, BuiltIn::FrontFacing, BOOL);
        self.builder.load(BOOL, variable)
    }

    /// One component of the window position, counted as the properties say: Vulkan counts from
    /// above, to the middle of pixels.
    pub(super) fn fragment_position(&mut self, component: Component) -> Value {
        let variable = self.built_in(INPUT, BuiltIn::FragCoord, VECTOR);
        let mut value = self.component_of(variable, &[], Scalar::F32, component);
        let property = |name| self.declared.property_value(name);
        let lower = property(PropertyName::CoordinateOrigin)
            == Some(PropertyValue::Origin(CoordinateOrigin::LowerLeft));
        let whole = property(PropertyName::CoordinatePixelCenter)
            == Some(PropertyValue::PixelCenter(PixelCenter::Integer));
        let height = self.options.environment.framebuffer_height;
        if component == Component::Y && lower && height != 0 {
            let height = self.builder.float(height.into());
            value = self.builder.binary(Op::FSub, height, value);
        }
        if matches!(component, Component::X | Component::Y) && whole {
            let half = self.builder.float(-0.5);
            value = self.builder.binary(Op::FAdd, value, half);
        }
        value
    }
}

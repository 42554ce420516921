//! The tessellation control stage: inputs and outputs in the memory of the
//! group, outputs in the buffer outside of the chip, tessellation factors.
//!
//! One lane is one vertex of the patch that is put out. Outputs go out as they
//! are written. Those that the shader reads again lie in the memory of the
//! group as well; so do the tessellation factors, which the first lane hands
//! to the tessellator at the end, unless every lane writes them for certain:
//! then the first lane has them in registers.

use isa::gcn::Generation;
use tgsi::ast::{Component, Indirect, Instruction, Register, WriteMask};
use tgsi::opcodes::Control;
use tgsi::words::{File, PropertyName, SemanticName};

use crate::constants::ADDRESS_HIGH;
use crate::context::{Emitted, Lowering};
use crate::environment::TessellationDomain;
use crate::failure::{Failure, invalid, left_open, unsupported};
use crate::memory::BufferPlace;
use crate::slots::{Attribute, Varying};
use crate::stages::state::ControlState;
use crate::stages::tessellation::SHARED_POLICY;
use crate::values::{Type, Value};

/// The word that the tessellator of gfx6 to gfx8 expects before the factors of a group.
const FACTORS_FOLLOW: u32 = 0x8000_0000;

/// The most vertices that a patch has.
const MOST_PATCH_VERTICES: u32 = 32;

/// Returns the numbers of outer and of inner factors that the tessellator wants of a domain.
fn factor_counts(domain: TessellationDomain) -> [usize; 2] {
    match domain {
        TessellationDomain::Isolines => [2, 0],
        TessellationDomain::Triangles => [3, 1],
        TessellationDomain::Quads => [4, 2],
    }
}

impl Lowering<'_> {
    /// Looks at all uses of outputs before the first is lowered.
    pub(crate) fn prepare_control(&mut self) {
        let mut outputs = ControlState::default();
        let mut certain = [WriteMask(0); 2];
        let mut depth = 0_usize;
        let mut straight = true;
        let slots = self.declared.outputs.values().map(|output| Varying::of(output.semantic));
        let attributes = slots.flatten().any(|slot| matches!(slot, Varying::Patch(2..)));
        let instructions = std::mem::take(&mut self.instructions);
        for instruction in &instructions {
            let row = instruction.info();
            match row.control {
                // It leaves early.
                Control::Return => straight = false,
                // What closes a historic block is not counted.
                Control::If | Control::Loop if row.is_historic() => straight = false,
                Control::If | Control::Loop | Control::Switch | Control::Subroutine => depth += 1,
                Control::EndIf | Control::EndLoop | Control::EndSwitch | Control::EndSubroutine
                    if !row.is_historic() =>
                {
                    depth = depth.saturating_sub(1);
                }
                Control::EndIf
                | Control::EndLoop
                | Control::EndSwitch
                | Control::EndSubroutine
                | Control::Next
                | Control::Else
                | Control::Case
                | Control::Default
                | Control::Break
                | Control::Continue
                | Control::End
                | Control::Call
                | Control::Jump => {}
            }
            let read = instruction.sources.iter().map(|source| &source.register);
            for register in read.filter(|register| register.file == File::Output) {
                match register.dimension {
                    Some(_) => outputs.vertices_read = true,
                    None => outputs.patch_read = true,
                }
            }
            // Where an output is an index it is one of the patch.
            outputs.patch_read |= indexes(instruction).any(|index| index.file == File::Output);
            for destination in &instruction.destinations {
                let register = &destination.register;
                if register.file != File::Output || register.dimension.is_some() {
                    continue;
                }
                if register.index.indirect.is_some() {
                    // An index stays in the attributes if there are any.
                    if !attributes {
                        outputs.factors = [WriteMask::ALL; 2];
                        straight = false;
                    }
                    continue;
                }
                let Some(place) = self.factor(register.index.offset) else { continue };
                outputs.factors[place].0 |= destination.mask.0;
                if depth == 0 {
                    certain[place].0 |= destination.mask.0;
                }
            }
        }
        self.instructions = instructions;
        let always = outputs.factors.iter().zip(certain).all(|(all, certain)| all.0 == certain.0);
        outputs.factors_in_registers = straight && always && !outputs.patch_read;
        self.state.control = outputs;
    }

    /// Tells the outer (0) from the inner (1) factors; `None` for all other outputs.
    fn factor(&self, register: i32) -> Option<usize> {
        let output = self.declared.outputs.get(&u32::try_from(register).ok()?)?;
        match Varying::of(output.semantic)? {
            Varying::Patch(slot) if slot < 2 => Some(slot as usize),
            _ => None,
        }
    }

    /// Returns the domain of the patches: as the environment says, else the largest whose factors
    /// the shader writes.
    fn domain(&self) -> TessellationDomain {
        if let Some(domain) = self.environment.tessellation_domain {
            return domain;
        }
        let [outer, inner] = self.state.control.factors;
        if outer.contains(Component::W) || inner.contains(Component::Y) {
            TessellationDomain::Quads
        } else if outer.0 == 0b11 && inner.0 == 0 {
            TessellationDomain::Isolines
        } else {
            TessellationDomain::Triangles
        }
    }

    /// Returns the reasons why a control shader cannot be lowered as a whole.
    pub(crate) fn control_failures(&self) -> Vec<Failure> {
        let place = self.current.place;
        match self.declared.property(PropertyName::ControlVerticesOut) {
            Some(1..=MOST_PATCH_VERTICES) => Vec::new(),
            Some(count) => {
                let message =
                    format!("a patch has 1 to {MOST_PATCH_VERTICES} vertices, not {count}");
                vec![invalid(place, "property", message)]
            }
            None => {
                let message = "TCS_VERTICES_OUT does not say how many vertices a patch has";
                vec![left_open(place, "property", message.to_owned())]
            }
        }
    }

    /// Returns the number of vertices that a patch has behind the shader.
    pub(crate) fn control_vertices(&self) -> u32 {
        let count = self.declared.property(PropertyName::ControlVerticesOut).unwrap_or(0);
        count.min(MOST_PATCH_VERTICES)
    }

    fn invocation(&mut self) -> Value {
        self.argument_field("relative_ids", 8, 5)
    }

    /// One component of an input, which the stage before left in the memory of
    /// the group.
    pub(crate) fn control_input(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Emitted<Value> {
        let attribute = self.attribute_place(register)?;
        let Some(vertex) = attribute.vertex else {
            return Err(unsupported(register.range, "input of a patch in TESS_CTRL".to_owned()));
        };
        let patch = self.relative_patch();
        let patch_stride = self.argument_field("state_bits", 8, 13);
        let vertex_stride = self.argument_field("state_bits", 24, 8);
        let patch = self.builder.binary("mul", patch_stride, patch);
        let vertex = self.builder.binary("mul", vertex, vertex_stride);
        let base = self.builder.binary("add", patch, vertex);
        let word = self.attribute_word(base, &attribute, component);
        Ok(self.load_group_word(word))
    }

    /// A word of an attribute whose first slot would be at `base`.
    fn attribute_word(
        &mut self,
        base: Value,
        attribute: &Attribute,
        component: Component,
    ) -> Value {
        let mut base = base;
        if let Some(further) = attribute.further {
            let further = self.builder.binary("shl", further, Value::int(2));
            base = self.builder.binary("add", base, further);
        }
        let word = attribute.slot.number() * 4 + component as u32;
        self.builder.binary("add", base, Value::uint(word))
    }

    /// Returns the place of a component of an output in the memory of the group, in words.
    fn output_word(&mut self, attribute: &Attribute, component: Component) -> Value {
        let count = self.control_vertices();
        let words = self.vertex_words();
        let stride = count * words + self.patch_words();
        let patch = self.relative_patch();
        let patch = self.builder.binary("mul", patch, Value::uint(stride));
        // The driver counts both places in groups of four words.
        let first_bit = if attribute.vertex.is_some() { 0 } else { 16 };
        let first = self.argument_field("output_offsets", first_bit, 16);
        let first = self.builder.binary("shl", first, Value::int(2));
        let mut base = self.builder.binary("add", patch, first);
        if let Some(vertex) = attribute.vertex {
            let vertex = self.builder.binary("mul", vertex, Value::uint(words));
            base = self.builder.binary("add", base, vertex);
        }
        self.attribute_word(base, attribute, component)
    }

    /// One component of an output, as whichever lane wrote it.
    pub(crate) fn control_output(
        &mut self,
        register: &Register,
        component: Component,
    ) -> Emitted<Value> {
        let attribute = self.attribute_place(register)?;
        let word = self.output_word(&attribute, component);
        Ok(self.load_group_word(word))
    }

    /// Writes one component of an output.
    pub(crate) fn store_control_output(
        &mut self,
        register: &Register,
        component: Component,
        value: Value,
    ) -> Emitted {
        let attribute = self.attribute_place(register)?;
        let value = self.builder.bitcast(value, Type::F32);
        // An index that may reach the factors may reach attributes as well.
        let factor = attribute.further.is_none() && matches!(attribute.slot, Varying::Patch(0 | 1));
        let may_be_factor = matches!(attribute.slot, Varying::Patch(0 | 1));
        if factor && self.state.control.factors_in_registers {
            let register = register.index.offset.max(0) as u32;
            let cell = self.cell(File::Output, register, component);
            self.builder.store(value, cell);
        } else {
            let read = match attribute.vertex {
                Some(_) => self.state.control.vertices_read,
                None => self.state.control.patch_read,
            };
            if read || may_be_factor {
                let word = self.output_word(&attribute, component);
                self.store_group_word(word, value);
            }
        }
        if !factor || self.environment.tessellation_factors_read {
            let buffer = self.offchip_buffer();
            let place = self.offchip_place(&attribute, component);
            let from = self.integer_argument("offchip_offset");
            let arguments = [value, buffer, place, from, Value::int(SHARED_POLICY)];
            self.builder.call(Type::Void, "llvm.amdgcn.raw.buffer.store.f32", &arguments);
        }
        Ok(())
    }

    /// A control shader's system value.
    pub(crate) fn control_system_value(&mut self, name: SemanticName) -> Option<Value> {
        Some(match name {
            SemanticName::InvocationId => self.invocation(),
            SemanticName::PrimitiveId => self.integer_argument("patch_id"),
            SemanticName::VerticesIn => match self.environment.patch_vertices {
                0 => self.argument_field("output_layout", 13, 6),
                count => Value::uint(count.into()),
            },
            _ => return None,
        })
    }

    /// Ends a control shader: the first lane of every patch hands the factors
    /// to the tessellator.
    pub(crate) fn finish_control(&mut self) {
        if !self.state.control.factors_in_registers {
            self.wait_for_patch();
        }
        let invocation = self.invocation();
        let first = self.builder.compare("icmp eq", invocation, Value::int(0));
        self.only_if(first, Lowering::store_factors);
    }

    fn store_factors(&mut self) {
        let domain = self.domain();
        let [outer, inner] = factor_counts(domain);
        let mut values: Vec<Value> = Vec::new();
        for component in &Component::ALL[..outer] {
            values.push(self.final_factor(0, *component));
        }
        if domain == TessellationDomain::Isolines {
            // The tessellator wants the two of a line the other way round.
            values.reverse();
        }
        for component in &Component::ALL[..inner] {
            values.push(self.final_factor(1, *component));
        }
        let address = self.offchip_address();
        let ring = Value::uint(offchip_bytes(self.generation));
        let address = self.builder.binary("add", address, ring);
        let buffer = self.builder.raw_buffer(address, ADDRESS_HIGH, u32::MAX);
        let from = self.integer_argument("factor_offset");
        let patch = self.relative_patch();
        let policy = Value::int(SHARED_POLICY);
        let mut offset = 0;
        if self.generation <= Generation::Gfx8 {
            let first = self.builder.compare("icmp eq", patch, Value::int(0));
            let word = [Value::bits(Type::F32, FACTORS_FOLLOW)];
            let place = BufferPlace { descriptor: buffer, offset: Value::int(0), behind: 0, from };
            self.only_if(first, |lowering| lowering.store_words(place, &word, policy));
            offset = 4;
        }
        let place = self.builder.binary("mul", patch, Value::uint(values.len() as u32 * 4));
        for part in values.chunks(4) {
            let place = BufferPlace { descriptor: buffer, offset: place, behind: offset, from };
            self.store_words(place, part, policy);
            offset += 16;
        }
    }

    /// A factor as it stands at the end: outer (0) or inner (1).
    fn final_factor(&mut self, slot: u32, component: Component) -> Value {
        if !self.state.control.factors[slot as usize].contains(component) {
            return Value::undefined(Type::F32);
        }
        if !self.state.control.factors_in_registers {
            let attribute = Attribute { slot: Varying::Patch(slot), further: None, vertex: None };
            let word = self.output_word(&attribute, component);
            return self.load_group_word(word);
        }
        let mut registers = self.declared.outputs.iter();
        let wanted = Some(Varying::Patch(slot));
        let register = registers.find(|(_, one)| Varying::of(one.semantic) == wanted);
        match register.map(|(register, _)| *register) {
            Some(register) => self.output(register, component),
            None => Value::undefined(Type::F32),
        }
    }

    /// Waits for the other lanes of the patch. On gfx6 a patch fits a wave, so
    /// only its memory accesses are waited for.
    pub(crate) fn wait_for_patch(&mut self) {
        match self.generation {
            Generation::Gfx6 => self.wait_for_memory(true, true),
            _ => self.group_barrier(),
        }
    }
}

/// The index registers of an instruction's operands.
fn indexes(instruction: &Instruction) -> impl Iterator<Item = Indirect> + '_ {
    let sources = instruction.sources.iter().map(|source| &source.register);
    let registers = sources.chain(instruction.destinations.iter().map(|one| &one.register));
    registers.flat_map(|register| {
        [register.index.indirect, register.dimension.and_then(|index| index.indirect)]
            .into_iter()
            .flatten()
    })
}

/// Returns the number of bytes for attributes, before the tessellation factors: blocks of 32
/// KiB, 63 of them for each shader engine on gfx6, 127 on later chips. The engines are those of
/// tahiti, bonaire, polaris10 and vega10. Source: radeonsi of Mesa 19.2, where it sets up its
/// screen.
pub fn offchip_bytes(generation: Generation) -> u32 {
    let blocks = match generation {
        Generation::Gfx6 => 63 * 2,
        Generation::Gfx7 => 127 * 2,
        Generation::Gfx8 | Generation::Gfx9 => 127 * 4,
    };
    blocks * 32 * 1024
}

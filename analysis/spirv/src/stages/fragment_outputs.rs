//! Colours, depth, stencil and coverage, with what the state does to them.

use lower::environment::{AlphaTest, ColorExport};
use lower::failure::unsupported;
use tgsi::ast::Component;
use tgsi::words::{PropertyName, SemanticName};

use crate::context::{Emitted, Translation};
use crate::layout::ALPHA_REFERENCE;
use crate::stages::VariableKey;
use crate::stages::outputs::Written;
use crate::values::{F32, Scalar, Type, Value};
use crate::words::{BuiltIn, Decoration, Op, StorageClass};

const OUTPUT: StorageClass = StorageClass::Output;
/// The most colour buffers.
const COLORS: u32 = 8;

impl Translation<'_> {
    /// Writes what a fragment leaves behind.
    pub(super) fn write_fragment_outputs(&mut self) -> Emitted {
        for ((name, index), written) in self.written() {
            self.begin_at_writer(&written.registers);
            match name {
                SemanticName::Color => self.write_colors(index, &written)?,
                SemanticName::Position => {
                    let depth = self.output_value(&written, Component::Z);
                    let depth = self.builder.bitcast(depth, F32);
                    let variable = self.built_in(OUTPUT, BuiltIn::FragDepth, F32);
                    self.builder.store(variable, depth);
                }
                SemanticName::Stencil => {
                    let ty = Type::One(Scalar::I32);
                    let stencil = self.output_value(&written, Component::Y);
                    let stencil = self.builder.bitcast(stencil, ty);
                    let variable = self.built_in(OUTPUT, BuiltIn::FragStencilRefEXT, ty);
                    self.builder.store(variable, stencil);
                }
                SemanticName::SampleMask => {
                    let ty = Type::One(Scalar::I32);
                    let mask = self.output_value(&written, Component::X);
                    let mask = self.builder.bitcast(mask, ty);
                    let variable = self.sample_mask(OUTPUT);
                    let first = self.builder.uint(0);
                    let pointer = self.builder.part(OUTPUT, ty, variable, &[first]);
                    self.builder.store(pointer, mask);
                }
                _ => {
                    let construct = format!("output {name} of a fragment shader");
                    return Err(unsupported(written.range, construct));
                }
            }
        }
        Ok(())
    }

    /// Writes a colour to the buffers that take it.
    fn write_colors(&mut self, index: u32, written: &Written) -> Emitted {
        if index >= COLORS {
            return Err(unsupported(written.range, format!("output COLOR[{index}]")));
        }
        let environment = &self.options.environment;
        let (clamps, opaque) = (environment.clamp_color, environment.alpha_to_one);
        let mut values = self.output_floats(written);
        if index == 0 {
            self.test_alpha(values[3]);
        }
        if clamps {
            values = values.map(|value| self.builder.clamped(value, 0, 1));
        }
        if opaque {
            values[3] = self.builder.float(1.0);
        }
        let environment = &self.options.environment;
        if environment.dual_source && index < 2 {
            self.write_color(0, index, values);
            return Ok(());
        }
        let to_all = index == 0 && self.property(PropertyName::Color0WritesAllBuffers) != 0;
        let buffers = if to_all { u32::from(environment.color_buffers) } else { 1 };
        for buffer in index..index + buffers {
            self.write_color(buffer, 0, values);
        }
        Ok(())
    }

    /// Writes a colour to a buffer; what is read as an integer has its bits.
    fn write_color(&mut self, buffer: u32, source: u32, values: [Value; 4]) {
        let scalar = match self.options.environment.color_exports[buffer as usize % 8] {
            ColorExport::Nothing => return,
            ColorExport::Uint16 => Scalar::U32,
            ColorExport::Sint16 => Scalar::I32,
            _ => Scalar::F32,
        };
        let builder = &mut self.builder;
        let values = values.map(|value| builder.bitcast(value, Type::One(scalar)));
        let value = builder.vector(&values);
        let key = VariableKey::Color(buffer, source);
        let variable = *self.variables.entry(key).or_insert_with(|| {
            let ty = builder.value_type(Type::Vector(scalar, 4));
            let variable = builder.variable(OUTPUT, ty);
            builder.decorate(variable, Decoration::Location, &[buffer]);
            if source != 0 {
                builder.decorate(variable, Decoration::Index, &[source]);
            }
            builder.name(variable, &format!("color{}", buffer + source));
            variable
        });
        self.builder.store(variable, value);
    }

    /// Ends fragments whose alpha fails the test with a reference that the pipeline sets.
    fn test_alpha(&mut self, alpha: Value) {
        let op = match self.options.environment.alpha_test {
            AlphaTest::Always => return,
            AlphaTest::Never => return self.demote(),
            AlphaTest::Less => Op::FOrdLessThan,
            AlphaTest::Equal => Op::FOrdEqual,
            AlphaTest::LessOrEqual => Op::FOrdLessThanEqual,
            AlphaTest::Greater => Op::FOrdGreaterThan,
            AlphaTest::NotEqual => Op::FUnordNotEqual,
            AlphaTest::GreaterOrEqual => Op::FOrdGreaterThanEqual,
        };
        let reference = match self.alpha_reference {
            Some(reference) => reference,
            None => self.builder.specialized(Scalar::F32, 0, ALPHA_REFERENCE),
        };
        self.alpha_reference = Some(reference);
        let passes = self.builder.compare(op, alpha, reference);
        let fails = self.builder.op(Op::LogicalNot, passes.ty, &[passes]);
        self.only_if(fails, Translation::demote);
    }
}

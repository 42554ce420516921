//! Exports of a pixel: colours, depth, stencil, the sample mask, and the tests that the state
//! asks for before them.

use isa::gcn::Generation;
use tgsi::ast::Component;
use tgsi::words::{PropertyName, SemanticName};

use crate::context::Lowering;
use crate::declared::Output;
use crate::environment::{AlphaTest, ColorExport};
use crate::exports::{Data, Export, ExportOrder};
use crate::failure::{Failure, unsupported};
use crate::values::{Element, Type, Value};

/// Export targets.
const DEPTH: i32 = 8;
const NOTHING: i32 = 9;
/// The number of samples of a pixel, as radeonsi counts it for smooth lines and polygons.
const SMOOTHING_SAMPLES: f32 = 8.0;

impl Lowering<'_> {
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
                    if self.environment.alpha_to_one {
                        values[3] = Value::float(1.0);
                    }
                    let first = semantic.index as i32;
                    if first == 0 {
                        self.test_alpha(values[3]);
                    }
                    if self.environment.smoothing {
                        values[3] = self.smoothed(values[3]);
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
            let order = if place == last { ExportOrder::LastOfPixels } else { ExportOrder::Before };
            self.export(export, order);
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

    /// Alpha scaled by the share of samples that the fragment covers.
    fn smoothed(&mut self, alpha: Value) -> Value {
        let covered = self.integer_argument("sample_coverage");
        let count = self.builder.overloaded("llvm.ctpop", &[covered]);
        let count = self.builder.convert("uitofp", count, Type::F32);
        let share = self.builder.binary("fmul", count, Value::float(1.0 / SMOOTHING_SAMPLES));
        self.builder.binary("fmul", alpha, share)
    }

    /// The export of a colour to a buffer, if one is bound.
    fn color(&mut self, target: i32, values: [Value; 4]) -> Option<Export> {
        let format = match (self.environment.dual_source, target) {
            // Both sources are of one buffer.
            (true, 0 | 1) => self.environment.color_exports[0],
            (true, _) => return None,
            (false, _) => self.environment.color_exports[target as usize % 8],
        };
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
                // In the compressed form stencil is in the upper half of x.
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
                // All chips of gfx6 but oland and hainan want x in the mask (radeonsi of
                // Mesa 19.2).
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

//! Bounds of results that are not exact, around the mathematical ones.
//!
//! The bounds are rows of `isa/data/tgsi/precision.tsv`, or of `precision_vulkan.tsv` for whoever
//! executes SPIR-V. A run computes the results that are
//! nearest to the mathematical ones; one that is compared with another implementation takes both
//! ends of the bounds into the sets of what results may be.

use tgsi::Opcode;
use tgsi::opcodes::{Argument, Bound, Scale};

use crate::float::Computed;
use crate::operation::Vectors;

/// The promise that bounds results that are not exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Promised {
    /// The promise of the hardware's manuals.
    #[default]
    ByHardware,
    /// The promise of Vulkan, which any of its drivers keeps.
    ByVulkan,
}

/// The end of a bound that a result is moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Least,
    Greatest,
}

/// The bounds of an opcode's components.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Precision {
    bounds: &'static [Bound],
    /// True if the first two components follow from the third: those of `LOG`.
    parts_of_logarithm: bool,
}

impl Precision {
    /// Returns the bounds of an opcode; `None` where it is exact.
    pub(crate) fn of(opcode: Opcode, promised: Promised) -> Option<Precision> {
        let bounds = |opcode: Opcode| match (promised, opcode.row()) {
            (Promised::ByVulkan, row) if !row.vulkan_precision.is_empty() => row.vulkan_precision,
            (_, row) => row.precision,
        };
        let bounded = Some(opcode).filter(|it| !bounds(*it).is_empty()).or(opcode.successor())?;
        let bounds = bounds(bounded);
        let parts_of_logarithm = bounded == Opcode::LOG;
        (!bounds.is_empty()).then_some(Precision { bounds, parts_of_logarithm })
    }

    /// A result moved within its bounds; `end` says for each component where to.
    pub(crate) fn moved(
        &self,
        sources: &Vectors,
        result: [u32; 4],
        end: impl Fn(usize) -> Option<End>,
    ) -> [u32; 4] {
        let mut all = result;
        if self.parts_of_logarithm {
            let logarithm = self.component(sources, result[2], 2, end(2));
            let whole = f32::from_bits(logarithm).floor();
            let magnitude = f64::from(f32::from_bits(sources[0][0]).abs());
            let mantissa = (magnitude / f64::from(whole).exp2()) as f32;
            let mantissa = self.component(sources, mantissa.bits(), 1, end(1));
            return [whole.bits(), mantissa, logarithm, result[3]];
        }
        for (component, bits) in all.iter_mut().enumerate() {
            *bits = self.component(sources, *bits, component, end(component));
        }
        all
    }

    /// Tells whether a component is left open altogether: its argument lies outside of the domain.
    pub(crate) fn leaves_open(&self, sources: &Vectors, component: usize) -> bool {
        // The logarithm may be that of zero, and what is divided not.
        let denormal = f32::from_bits(sources[0][0]).is_subnormal();
        if self.parts_of_logarithm && component == 1 && denormal {
            return true;
        }
        self.bound(component).is_some_and(|bound| is_open(bound, sources, component))
    }

    /// Tells whether a 64-bit result is left open altogether.
    pub(crate) fn leaves_wide_open(&self, sources: [u64; 3]) -> bool {
        self.bounds.first().is_some_and(|bound| {
            let decides = match bound.argument {
                Argument::First | Argument::Square => f64::from_bits(sources[0]),
                Argument::Divisor => f64::from_bits(sources[1]).abs(),
                Argument::Exponent => f64::from(sources[1] as i32),
            };
            decides < bound.domain[0] || decides > bound.domain[1]
        })
    }

    /// The least and the greatest of a double result. Units in the last place are those of single
    /// precision: more is promised of no double.
    pub(crate) fn wide_ends(&self, bits: u64) -> [u64; 2] {
        let value = f64::from_bits(bits);
        let ulps = self.bounds.first().map_or(0.0, |bound| bound.ulps);
        if ulps == 0.0 || value == 0.0 || !value.is_finite() {
            return [bits; 2];
        }
        let reach = ulps * unit(value);
        [value - reach, value + reach].map(f64::to_bits)
    }

    fn bound(&self, component: usize) -> Option<&'static Bound> {
        self.bounds.iter().find(|it| it.components >> component & 1 == 1)
    }

    fn component(&self, sources: &Vectors, bits: u32, component: usize, end: Option<End>) -> u32 {
        let (Some(bound), Some(end)) = (self.bound(component), end) else { return bits };
        // An angle, and what is raised to a power, replicate from the first component.
        let argument = f64::from(f32::from_bits(sources[0][0]));
        if is_open(bound, sources, component) {
            // It may be anything: no number, and numbers that comparisons tell apart.
            let anything = match end {
                End::Least => f32::NAN,
                End::Greatest => 1.0,
            };
            return anything.bits();
        }
        let value = f32::from_bits(bits);
        let [first, second] = [0, 1].map(|it| f64::from(f32::from_bits(sources[it][component])));
        if bound.of == Scale::Product {
            // A product that is rounded before the sum may be infinite where the whole is not,
            // and then no number beside the other infinity. The whole may be infinite alone, too.
            let apart = (first * second) as f32 + f32::from_bits(sources[2][component]);
            let parts = apart.is_finite() != value.is_finite();
            if parts || apart.is_nan() && value.is_infinite() {
                return if end == End::Greatest { apart.bits() } else { bits };
            }
        }
        if !value.is_finite() {
            return bits;
        }
        let value = f64::from(value);
        let scale = match bound.of {
            Scale::Result => value,
            Scale::Product => first * second,
            Scale::Largest => {
                let all = sources.as_flattened().iter().map(|bits| f32::from_bits(*bits).abs());
                f64::from(all.filter(|it| it.is_finite()).fold(0.0, f32::max))
            }
        };
        let mut units = bound.ulps;
        if value != 0.0 {
            units += bound.exponent * value.abs().log2().abs();
        }
        let mut reach = units * unit(scale) + bound.absolute;
        // Of other opcodes the first source may be infinite or no float at all.
        if bound.angle != 0.0 {
            reach += bound.angle * argument.abs();
        }
        if bound.of == Scale::Product {
            // The sum is rounded on both sides.
            reach += unit(value);
        }
        // What is zero or infinite is so on both sides, unless the bound says more: sums of
        // what cancels may leave something.
        if value == 0.0 && bound.absolute == 0.0 && bound.of != Scale::Largest {
            return bits;
        }
        let moved = match end {
            End::Least => value - reach,
            End::Greatest => value + reach,
        };
        (moved as f32).bits()
    }
}

/// Tells whether the argument that decides on a component lies outside of a bound's domain.
fn is_open(bound: &Bound, sources: &Vectors, component: usize) -> bool {
    let decides = match bound.argument {
        Argument::First => f64::from(f32::from_bits(sources[0][0])),
        Argument::Divisor => f64::from(f32::from_bits(sources[1][component]).abs()),
        Argument::Exponent => f64::from(sources[1][component] as i32),
        Argument::Square => {
            let own = sources[0].iter().take(bound.components.count_ones() as usize);
            own.map(|bits| f64::from(f32::from_bits(*bits)).powi(2)).sum()
        }
    };
    decides < bound.domain[0] || decides > bound.domain[1]
}

/// The unit in the last place of a single-precision number.
fn unit(value: f64) -> f64 {
    let value = value.abs();
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    (value.log2().floor() - 23.0).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_is_of_some_components() {
        let bounds: Vec<&Bound> = Opcode::all().flat_map(|it| it.row().precision).collect();
        assert!(bounds.len() > 20);
        assert!(bounds.iter().all(|bound| bound.components != 0 && bound.ulps > 0.0));
    }

    fn moved(opcode: &str, sources: [f32; 2], result: f32, end: End) -> f32 {
        let opcode = Opcode::find(opcode).expect("an opcode");
        let mut vectors = Vectors::default();
        for (vector, source) in vectors.iter_mut().zip(sources) {
            *vector = [source.to_bits(); 4];
        }
        let precision = Precision::of(opcode, Promised::ByHardware).expect("it is not exact");
        f32::from_bits(precision.moved(&vectors, [result.to_bits(); 4], |_| Some(end))[0])
    }

    #[test]
    fn results_move_by_their_bound() {
        let third = 1.0_f32 / 3.0;
        let quotient = |end| moved("DIV", [1.0, 3.0], third, end).to_bits();
        assert_eq!(quotient(End::Greatest) - third.to_bits(), 3);
        assert_eq!(third.to_bits() - quotient(End::Least), 3);
        let reciprocal = |end| moved("RCP", [3.0, 0.0], third, end).to_bits();
        assert_eq!(reciprocal(End::Greatest), third.to_bits() + 1);
        assert_eq!(reciprocal(End::Least), third.to_bits() - 1);
        assert_eq!(moved("RCP", [0.0; 2], f32::INFINITY, End::Least), f32::INFINITY);
        // Two to the ten: 1.5 units and 1.1 for each of ten powers.
        let power = moved("POW", [2.0, 10.0], 1024.0, End::Greatest);
        assert_eq!(power.to_bits() - 1024.0_f32.to_bits(), 12);
        assert!(moved("POW", [-2.0, 2.0], 4.0, End::Least).is_nan());
        assert!(moved("COS", [2000.0, 0.0], 1.0, End::Least).is_nan());
        let sine = moved("SIN", [8.0, 0.0], 0.0, End::Greatest);
        assert_eq!(sine, (2.0_f32).powi(-21) + 8.0 * (2.0_f32).powi(-23));
        // The square of 1e-20 is none that is not flushed.
        assert!(moved("NRM", [1e-20, 0.0], 0.577, End::Least).is_nan());
        assert!(!moved("NRM", [1e-18, 0.0], 0.577, End::Least).is_nan());
        // Bits that would be a NaN, and another component's infinity, are no matter.
        let byte = 224.0_f32 / 255.0;
        let unpacked = moved("UP4UB", [f32::from_bits(0xffff_ffe0), 0.0], byte, End::Greatest);
        assert_eq!(unpacked.to_bits(), byte.to_bits() + 1);
        let opcode = Opcode::find("DIV").expect("an opcode");
        let precision = Precision::of(opcode, Promised::ByHardware).expect("it is not exact");
        let sources = [[f32::INFINITY, 1.0, 1.0, 1.0], [3.0; 4], [0.0; 4], [0.0; 4], [0.0; 4]];
        let sources = sources.map(|vector| vector.map(f32::to_bits));
        let quotients = [f32::INFINITY, third, third, third].map(f32::to_bits);
        let left = precision.moved(&sources, quotients, |_| Some(End::Greatest));
        assert_eq!(left[1], third.to_bits() + 3);
        let product = Opcode::find("MUL").expect("an opcode");
        assert!(Precision::of(product, Promised::ByHardware).is_none());
    }

    #[test]
    fn a_product_may_overflow_before_the_sum() {
        let fused = |sources: [f32; 3], result: f32, end| {
            let mut vectors = Vectors::default();
            for (vector, source) in vectors.iter_mut().zip(sources) {
                *vector = [source.to_bits(); 4];
            }
            let precision =
                Precision::of(Opcode::FMA, Promised::ByHardware).expect("it is not exact");
            f32::from_bits(precision.moved(&vectors, [result.to_bits(); 4], |_| Some(end))[0])
        };
        let far = f32::MAX;
        assert_eq!(fused([far, 2.0, -far], far, End::Greatest), f32::INFINITY);
        assert_eq!(fused([far, 2.0, -far], far, End::Least), far);
        assert_eq!(fused([far, -2.0, far], -far, End::Greatest), f32::NEG_INFINITY);
        // No number is left of infinities of both signs.
        let infinite = f32::NEG_INFINITY;
        assert!(fused([far, 2.0, infinite], infinite, End::Greatest).is_nan());
        assert_eq!(fused([far, 2.0, infinite], infinite, End::Least), infinite);
        // Neither overflows here, and both do there.
        assert_eq!(fused([2.0, 3.0, 1.0], 7.0, End::Least), 7.0_f32.next_down().next_down());
        assert_eq!(fused([far, 2.0, 1.0], f32::INFINITY, End::Greatest), f32::INFINITY);
    }

    #[test]
    fn a_logarithm_near_a_whole_number_may_be_either() {
        let opcode = Opcode::find("LOG").expect("an opcode");
        let precision = Precision::of(opcode, Promised::ByHardware).expect("it is not exact");
        let mut sources = Vectors::default();
        sources[0][0] = 8.0_f32.to_bits();
        let result = [3.0_f32, 1.0, 3.0, 1.0].map(f32::to_bits);
        let low = precision.moved(&sources, result, |_| Some(End::Least)).map(f32::from_bits);
        assert_eq!(low[0], 2.0);
        assert!((low[1] - 2.0).abs() < 1e-6, "{low:?}");
    }
}

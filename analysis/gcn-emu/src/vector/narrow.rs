//! Conversions from and to floats of 16, 8, 6 and 4 bits, with and without a scale.
//!
//! Source: CDNA3 and CDNA4 ISA, V_CVT_PK_FP8_F32 and its neighbours, whose code is followed. A
//! scale is the exponent of a float: 2^(exponent - 127), and NaN where it is 255. What overflows
//! becomes infinity or NaN, or the largest number where MODE's FP16_OVFL asks for it; formats of 6
//! and 4 bits have nothing but their largest number. Rounding is to the nearest, whatever MODE
//! says, or by random bits. What no document says ends the run.

use isa::gcn::matrix::MatrixType;
use isa::gcn::operation::{NarrowRounding, NarrowScale};

use super::bit_functions::next_random;
use super::floats::{clamped, scaled};
use super::{Vector, VectorSource};
use crate::mode::Mode;
use crate::numbers::{Numbers, scale_of};
use crate::operand::{Fields, ValueSource};
use crate::stop::Reason;
use crate::wave::Wave;
use softfloat::{Overflow, Rounding, to_half, to_single};

/// A conversion, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Narrow {
    count: u8,
    to: MatrixType,
    from: MatrixType,
    rounding: NarrowRounding,
    scale: NarrowScale,
    numbers: Numbers,
    /// OP_SEL: the part of the source and of the destination.
    select: u32,
}

impl Narrow {
    pub(super) fn of(
        [to, from]: [MatrixType; 2],
        count: u8,
        rounding: NarrowRounding,
        scale: NarrowScale,
        fields: &Fields,
    ) -> Narrow {
        let select = fields.find("op_sel").unwrap_or(0);
        Narrow { count, to, from, rounding, scale, numbers: Numbers::of(fields.features), select }
    }

    /// The bits of all results together.
    fn bits(&self) -> u32 {
        u32::from(self.count) * self.to.bits()
    }

    /// The bits of a number of the sources.
    fn element(&self, own: &Vector, wave: &Wave, lane: usize, number: u32) -> u64 {
        let width = self.from.bits();
        let separate = self.from == MatrixType::F32 && self.rounding == NarrowRounding::Nearest;
        let (source, start) = match number {
            // Numbers of 32 bits come from two sources in turn.
            _ if separate && self.count > 1 => (number as usize % 2, number / 2 * width),
            // A byte or a word of one register.
            _ if self.count == 1 && width == 8 => (0, 8 * (self.select & 3)),
            _ if self.count == 2 && width == 8 => (0, 16 * (self.select & 1) + number * width),
            _ if self.count == 2 && width == 4 => (0, 8 * (self.select & 3) + number * width),
            _ => (0, number * width),
        };
        let source = &own.sources[source];
        let word = |place: u32| u64::from(word(source, wave, lane, place));
        let both = word(start / 32) | word(start / 32 + 1) << 32;
        both >> (start % 32) & (u64::MAX >> (64 - width))
    }

    /// The bits of a result.
    fn converted(&self, value: f64, bits: u64, random: u32, mode: Mode) -> Result<u32, Reason> {
        // FP16_OVFL.
        let clips = mode.bits >> 23 & 1 == 1;
        let wide = matches!(self.to, MatrixType::F16 | MatrixType::Bf16);
        let overflow = match clips && (!wide || value.is_finite()) {
            true => Overflow::Largest,
            false => Overflow::Special,
        };
        let format = self.numbers.format(self.to);
        let found = match (self.to, self.rounding) {
            (MatrixType::F32, _) => return Ok(to_single(value)),
            (_, NarrowRounding::Random) => {
                if wide && value != 0.0 && value.abs() < format.smallest_normal() {
                    let what =
                        "random rounding of denormals of 16 bits, which no document describes";
                    return Err(Reason::Unsupported(what.to_owned()));
                }
                format.stochastic(value, random, overflow)
            }
            (MatrixType::F16, _) if overflow == Overflow::Special => {
                Some(to_half(value, Rounding::Nearest).into())
            }
            // The upper half of a NaN, which stays one.
            (MatrixType::Bf16, _) if value.is_nan() && self.from == MatrixType::F32 => {
                Some((bits >> 16) as u32 | 0x40)
            }
            _ => format.nearest(value, overflow),
        };
        let what = || "NaN in a format that has none, which no document describes".to_owned();
        found.ok_or_else(|| Reason::Unsupported(what()))
    }

    pub(super) fn run(
        &self,
        own: &Vector,
        wave: &mut Wave,
        instruction: u32,
    ) -> Result<(), Reason> {
        let first = usize::from(own.destination);
        let words = self.bits().div_ceil(32) as usize;
        let last = own.count.saturating_sub(1);
        for lane in wave.active() {
            let scale = match self.scale {
                NarrowScale::None => 1.0,
                NarrowScale::Last => scale_of(own.sources[last].read(wave, lane, 0) >> 23 & 0xff),
            };
            let mut random = match self.rounding {
                NarrowRounding::Nearest => 0,
                NarrowRounding::Random => own.sources[1].read(wave, lane, 0) as u32,
            };
            let mut results = [0_u32; 33];
            for number in 0..self.count.into() {
                let bits = self.element(own, wave, lane, number);
                let value = self.numbers.number(self.from, bits);
                // Small formats are scaled down to, wide ones up to.
                let up = self.to.bits() > self.from.bits();
                let value = if up { value * scale } else { value / scale };
                let mut result = self.converted(value, bits, random, wave.mode)?;
                if self.to == MatrixType::F32 {
                    let scaled = scaled(result.into(), 32, own.omod, wave.mode);
                    let clipped = if own.clamp { clamped(scaled, 32, wave.mode) } else { scaled };
                    result = clipped as u32;
                } else if own.clamp || own.omod != 0 {
                    let what =
                        "scaling and clamping of narrow results, which no document describes";
                    return Err(Reason::Unsupported(what.to_owned()));
                }
                random = next_random(random);
                let place = number * self.to.bits();
                let spread = u64::from(result) << (place % 32);
                let word = place as usize / 32;
                results[word] |= spread as u32;
                results[word + 1] |= (spread >> 32) as u32;
            }
            // Parts of a register leave the rest as it was.
            if self.bits() < 32 {
                let width = self.bits();
                let part = if width == 8 { self.select >> 2 & 3 } else { self.select >> 3 & 1 };
                let shift = part * width;
                let mask = ((1_u32 << width) - 1) << shift;
                let old = wave.lane(first, lane);
                results[0] = old & !mask | results[0] << shift & mask;
            }
            for (word, value) in results.into_iter().enumerate().take(words) {
                wave.set_lane(first + word, lane, value);
            }
        }
        wave.note_writer(first, words, instruction);
        Ok(())
    }
}

/// A word of a source that may have several registers.
fn word(source: &VectorSource, wave: &Wave, lane: usize, place: u32) -> u32 {
    match (place, source.place) {
        (0, _) => source.read(wave, lane, 0) as u32,
        (_, ValueSource::Vector(first)) => wave.lane(usize::from(first) + place as usize, lane),
        (1, ValueSource::Scalar(code)) => wave.scalar(code + 1),
        _ => 0,
    }
}

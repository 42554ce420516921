//! Interpolation of attributes between the corners of a triangle.
//!
//! Source: ISA manuals, VINTRP. The products are not rounded before they are added (ISA
//! manuals say "P10 * S + P0"; the unit has one rounding, Mesa's notes agree).

use gcn::encoding::Encoding;

use crate::float::{flushed, number, rounded};
use crate::operand::Fields;
use crate::vector::{clamped, scaled};
use crate::wave::{Attribute, Wave};

/// An instruction of the interpolation unit, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interpolate {
    step: Step,
    attribute: usize,
    channel: usize,
    source: u32,
    destination: usize,
    negate: bool,
    absolute: bool,
    clamp: bool,
    omod: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    First,
    Second,
    Move,
}

impl Interpolate {
    pub(crate) fn of(name: &str, fields: &Fields) -> Option<Interpolate> {
        let step = match name {
            "v_interp_p1_f32" => Step::First,
            "v_interp_p2_f32" => Step::Second,
            "v_interp_mov_f32" => Step::Move,
            _ => return None,
        };
        // The long form has the attribute where others have the first source.
        let long = fields.encoding == Encoding::Vop3;
        let (attribute, channel, source) = if long {
            let first = fields.get("src0");
            (first & 63, first >> 6 & 3, fields.get("src1") & 0xff)
        } else {
            (fields.get("attr"), fields.get("attrchan"), fields.get("vsrc"))
        };
        let bit = |name: &str| long && fields.get(name) >> 1 & 1 == 1;
        Some(Interpolate {
            step,
            attribute: attribute as usize,
            channel: channel as usize,
            source,
            destination: fields.get("vdst") as usize,
            negate: bit("neg"),
            absolute: bit("abs"),
            clamp: long && fields.flag("clamp"),
            omod: if long { fields.get("omod") as u8 } else { 0 },
        })
    }

    pub(crate) fn run(&self, wave: &mut Wave, instruction: u32) {
        let attribute = wave.attributes.get(self.attribute).copied();
        let Attribute { components } = attribute.unwrap_or_default();
        let [p0, p10, p20] = components[self.channel & 3];
        for lane in wave.active() {
            let mut source = wave.lane(self.source as usize, lane);
            if self.absolute {
                source &= 0x7fff_ffff;
            }
            if self.negate {
                source ^= 0x8000_0000;
            }
            let at = f32::from_bits(source);
            let old = f32::from_bits(wave.lane(self.destination, lane));
            let value = match self.step {
                Step::First => p10.mul_add(at, p0),
                Step::Second => p20.mul_add(at, old),
                // The corners by number: P10, P20, P0.
                Step::Move => match self.source & 3 {
                    0 => p10,
                    1 => p20,
                    _ => p0,
                },
            };
            let mut bits = u64::from(value.to_bits());
            if self.step != Step::Move {
                bits = rounded::<32>(number::<32>(scaled(bits, 32, self.omod)));
                bits = if wave.mode.keeps_results(32) { bits } else { flushed(bits, 32) };
            }
            if self.clamp {
                bits = clamped(bits, 32, wave.mode);
            }
            wave.set_lane(self.destination, lane, bits as u32);
        }
        wave.note_writer(self.destination, 1, instruction);
    }
}

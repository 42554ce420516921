//! Interpolation of attributes between the corners of a triangle.
//!
//! Source: ISA manuals, VINTRP. An attribute is a plane, P0 + I * P10 + J * P20, where I and
//! J are the barycentric coordinates of the pixel: the first step adds I * P10 to P0, the
//! second adds J * P20 to what the first left in the destination. The products are not
//! rounded before they are added (ISA manuals say "P10 * S + P0"; the unit has one rounding,
//! Mesa's notes agree). A word of an attribute may hold two halves (GCN3 ISA, VOP3); a bit
//! says which is meant.

use gcn::Generation;
use gcn::encoding::Encoding;
use isa::gcn::operation::Interpolation as Op;

use crate::arithmetic;
use crate::float::{flushed, number};
use crate::operand::Fields;
use crate::vector::{clamped, scaled};
use crate::wave::{Attribute, Wave};
use softfloat::from_half;

/// An instruction of the interpolation unit, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interpolate {
    opcode: Op,
    attribute: usize,
    channel: usize,
    source: u32,
    destination: usize,
    /// The register that is added, where there is one.
    addend: usize,
    /// True if the upper halves of words are meant.
    high: bool,
    /// True if a result of 16 bits leaves the upper half as it was.
    keeps_upper: bool,
    negate: bool,
    absolute: bool,
    clamp: bool,
    omod: u8,
}

impl Interpolate {
    pub(crate) fn of(opcode: Op, fields: &Fields) -> Interpolate {
        // The long form has the attribute where others have the first source.
        let long = fields.encoding == Encoding::Vop3;
        let (attribute, channel, source) = if long {
            let first = fields.get("src0");
            (first & 63, first >> 6 & 3, fields.get("src1") & 0xff)
        } else {
            (fields.get("attr"), fields.get("attrchan"), fields.get("vsrc"))
        };
        let bit = |name: &str| long && fields.get(name) >> 1 & 1 == 1;
        Interpolate {
            opcode,
            attribute: attribute as usize,
            channel: channel as usize,
            source,
            destination: fields.get("vdst") as usize,
            addend: (fields.get("src2") & 0xff) as usize,
            high: long && fields.get("src0") >> 8 & 1 == 1,
            keeps_upper: opcode == Op::v_interp_p2_f16 && fields.generation >= Generation::Gfx9,
            negate: bit("neg"),
            absolute: bit("abs"),
            clamp: long && fields.flag("clamp"),
            omod: if long { fields.get("omod") as u8 } else { 0 },
        }
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    pub(crate) fn run(&self, wave: &mut Wave, instruction: u32) {
        let attribute = wave.attributes.get(self.attribute).copied();
        let Attribute { components, quad } = attribute.unwrap_or_default();
        let [p0, p10, p20] = components[self.channel & 3];
        for lane in wave.active() {
            // Lanes lie in quads of 2 by 2 pixels, four lanes to a quad.
            let p0 = quad.map_or(p0, |quad| quad[lane % 4][self.channel & 3]);
            let mut source = wave.lane(self.source as usize, lane);
            if self.absolute {
                source &= 0x7fff_ffff;
            }
            if self.negate {
                source ^= 0x8000_0000;
            }
            let old = wave.lane(self.destination, lane);
            let addend = wave.lane(self.addend, lane);
            let half = |word: u32| {
                let half = if self.high { word >> 16 } else { word };
                u64::from(from_half(half as u16).to_bits())
            };
            let word = |value: f32| u64::from(value.to_bits());
            let at = u64::from(source);
            // MODE rounds the sum; its denormals are dealt with below, with the result's.
            let product =
                |factor: u64, addend: u64| arithmetic::fused::<32>([factor, at, addend], wave.mode);
            let mut bits = match self.opcode {
                Op::v_interp_p1_f32 => product(word(p10), word(p0)),
                Op::v_interp_p2_f32 => product(word(p20), old.into()),
                // From halves of the attribute alone; and with a register for the first corner.
                Op::v_interp_p1ll_f16 => product(half(p10.to_bits()), half(p0.to_bits())),
                Op::v_interp_p1lv_f16 => product(half(p10.to_bits()), half(addend)),
                Op::v_interp_p2_f16 | Op::v_interp_p2_legacy_f16 => {
                    let sum = product(half(p20.to_bits()), addend.into());
                    arithmetic::converted::<16>(number::<32>(sum), wave.mode)
                }
                // The corners by number: P10, P20, P0.
                Op::v_interp_mov_f32 => match self.source & 3 {
                    0 => word(p10),
                    1 => word(p20),
                    _ => word(p0),
                },
            };
            let second = [Op::v_interp_p2_f16, Op::v_interp_p2_legacy_f16];
            let width = if second.contains(&self.opcode) { 16 } else { 32 };
            // A move does no arithmetic: nothing is scaled and denormals stay.
            if self.opcode != Op::v_interp_mov_f32 {
                bits = scaled(bits, width, self.omod, wave.mode);
                bits = if wave.mode.keeps_results(width) { bits } else { flushed(bits, width) };
            }
            if self.clamp {
                bits = clamped(bits, width, wave.mode);
            }
            if self.keeps_upper {
                bits |= u64::from(old & 0xffff_0000);
            }
            wave.set_lane(self.destination, lane, bits as u32);
        }
        wave.note_writer(self.destination, 1, instruction);
    }
}

//! Opcodes of the first years that are no other opcode under a second name.
//! Their formulas are those of the opcode table.

use tgsi::Opcode;

use crate::float::{ONE, f, in_double};
use crate::operation::Operation::{Each, Replicated, Whole};
use crate::operation::{Table, Words};

/// The opcodes of this file.
pub(crate) const TABLE: Table = &[
    // What every driver that had them returned.
    (Opcode::NOISE1, Replicated(|_| 0)),
    (Opcode::NOISE2, Replicated(|_| 0)),
    (Opcode::NOISE3, Replicated(|_| 0)),
    (Opcode::NOISE4, Replicated(|_| 0)),
    (Opcode::SWZ, Each(|v| v[0])),
    (Opcode::CND0, Each(|v| if f(v[2]) >= 0.0 { v[0] } else { v[1] })),
    (Opcode::SHR, Each(|v| v[0].wrapping_shr(v[1]))),
    (Opcode::SAD, Each(|v| v[0].abs_diff(v[1]).wrapping_add(v[2]))),
    (Opcode::RCC, Replicated(clamped_reciprocal)),
    (
        Opcode::SINCOS,
        Whole(|v| [in_double(v[0][0], f64::cos), in_double(v[0][0], f64::sin), 0, ONE]),
    ),
    (
        Opcode::ARA,
        Whole(|v| {
            let [even, odd] = [0, 1].map(|it| v[0][it].wrapping_add(v[0][it + 2]));
            [even, odd, even, odd]
        }),
    ),
];

/// A reciprocal kept within the limits of its definition, 2^-64 and 1.884467e19.
fn clamped_reciprocal(v: Words) -> u32 {
    let size = (1.0 / f(v[0])).abs().max(f32::from_bits(0x1f80_0000)).min(1.884_467e19);
    if f(v[0]) < 0.0 { (-size).to_bits() } else { size.to_bits() }
}

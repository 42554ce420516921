//! Instructions that look at several lanes, or choose registers by number.
//!
//! Source: ISA manuals, V_READLANE_B32 and its neighbours; GCN3 ISA, "VGPR indexing".

use gcn::analysis::M0;
use isa::gcn::operation::{VectorLanes as Op, VectorRowSwap};

use super::Vector;
use crate::operand::ValueSource;
use crate::stop::Reason;
use crate::wave::{ACCUMULATORS, LANES, Wave};

/// The number of a vector register, with the index added where its bit of the index
/// mode is set.
pub(super) fn indexed(first: u16, bit: u8, wave: &Wave) -> usize {
    let index = if wave.index_mode & bit != 0 { wave.m0() & 0xff } else { 0 };
    usize::from(first) + index as usize
}

/// Exchanges rows of two registers: those of the first source's lower rows with the
/// destination's upper ones (CDNA4 ISA, V_PERMLANE16_SWAP_B32).
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn swap_rows(
    opcode: VectorRowSwap,
    own: &Vector,
    wave: &mut Wave,
    instruction: u32,
) -> Result<(), Reason> {
    if wave.exec() != u64::MAX {
        let what = "exchanging rows with inactive lanes, which no document describes";
        return Err(Reason::Unsupported(what.to_owned()));
    }
    let row = match opcode {
        VectorRowSwap::v_permlane16_swap_b32 => 16,
        VectorRowSwap::v_permlane32_swap_b32 => 32,
    };
    let (destination, other) = (usize::from(own.destination), own.sources[0].first_vector());
    for lane in (0..LANES).filter(|lane| lane / row % 2 == 0) {
        let (one, two) = (wave.lane(other, lane), wave.lane(destination, lane + row));
        wave.set_lane(other, lane, two);
        wave.set_lane(destination, lane + row, one);
    }
    wave.note_writer(destination, 1, instruction);
    wave.note_writer(other, 1, instruction);
    Ok(())
}

/// Executes an opcode.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn run(
    opcode: Op,
    own: &Vector,
    wave: &mut Wave,
    instruction: u32,
) -> Result<(), Reason> {
    let source = own.sources[0];
    let destination = usize::from(own.destination);
    match opcode {
        Op::v_nop | Op::v_clrexcp => {}
        Op::v_readfirstlane_b32 => {
            // Lane 0 where none is active.
            let exec = wave.exec();
            let lane = if exec == 0 { 0 } else { exec.trailing_zeros() };
            let value = source.read(wave, lane as usize, 1) as u32;
            wave.set_scalar(own.destination, value);
        }
        // The lane is named, so EXEC does not count for reads and writes of one lane (ISA
        // manuals, V_READLANE_B32).
        Op::v_readlane_b32 => {
            let lane = own.sources[1].place.read_scalar(wave, 1) as usize & 63;
            let value = source.read(wave, lane, 1) as u32;
            wave.set_scalar(own.destination, value);
        }
        Op::v_writelane_b32 => {
            let lane = own.sources[1].place.read_scalar(wave, 1) as usize & 63;
            let value = source.place.read_scalar(wave, 1) as u32;
            wave.set_lane(indexed(own.destination, 8, wave), lane, value);
            wave.note_writer(destination, 1, instruction);
        }
        Op::v_swap_b32 => {
            let other = source.first_vector();
            for lane in wave.active() {
                let (one, two) = (wave.lane(destination, lane), wave.lane(other, lane));
                wave.set_lane(destination, lane, two);
                wave.set_lane(other, lane, one);
            }
            wave.note_writer(destination, 1, instruction);
            wave.note_writer(other, 1, instruction);
        }
        // The register's number is one that M0 is added to: that of the source, of the
        // destination, or both.
        Op::v_movreld_b32 | Op::v_movrels_b32 | Op::v_movrelsd_b32 => {
            let to = opcode != Op::v_movrels_b32;
            let from = opcode != Op::v_movreld_b32;
            let m0 = wave.scalar(M0) as usize;
            let register = |number: usize, relative: bool| {
                let number = number.wrapping_add(if relative { m0 } else { 0 });
                let inside = number < ACCUMULATORS;
                let outside = || Reason::Unsupported(format!("vector register {number}"));
                inside.then_some(number).ok_or_else(outside)
            };
            let to = register(destination, to)?;
            let place = if let ValueSource::Vector(first) = source.place {
                ValueSource::Vector(register(first.into(), from)? as u16)
            } else {
                source.place
            };
            for lane in wave.active() {
                let value = place.read(wave, lane, 1) as u32;
                wave.set_lane(to, lane, value);
            }
            wave.note_writer(to, 1, instruction);
        }
    }
    Ok(())
}

//! Scalar instructions beside arithmetic: jumps, messages, hardware registers, registers
//! that are chosen by M0.
//!
//! Source: ISA manuals, SOPP, SOPK, SOP1; CLRX, "S_CBRANCH_I_FORK" for the stack of
//! branches, of which each takes four scalar registers from the first on. Priorities, sleep, caches and counters of
//! performance change no result, so nothing happens.

use super::{Next, Scalar};
use crate::mode::Mode;
use crate::operand::ValueSource;
use crate::stop::Reason;
use crate::wave::Wave;
use gcn::Generation;
use gcn::analysis::M0;
use isa::gcn::Feature;
use isa::gcn::operation::ScalarControl as Op;

/// Executes an opcode.
#[deny(clippy::wildcard_enum_match_arm)]
pub(super) fn run(
    opcode: Op,
    own: &Scalar,
    wave: &mut Wave,
    send: &mut dyn FnMut(u16, &Wave),
) -> Result<Next, Reason> {
    let target = wave.counter.wrapping_add((i64::from(own.k as i16) * 4) as u64);
    let next = wave.counter;
    let target_if = |holds: bool| if holds { target } else { next };
    match opcode {
        Op::s_nop
        | Op::s_sleep
        | Op::s_waitcnt
        | Op::s_setprio
        | Op::s_icache_inv
        | Op::s_wakeup
        | Op::s_incperflevel
        | Op::s_decperflevel
        | Op::s_ttracedata => {}
        // The debugger's conditions never hold here.
        Op::s_cbranch_cdbgsys
        | Op::s_cbranch_cdbguser
        | Op::s_cbranch_cdbgsys_and_user
        | Op::s_cbranch_cdbgsys_or_user => {}
        // Waves that end in order: here each ends before the next begins.
        Op::s_endpgm | Op::s_endpgm_saved | Op::s_endpgm_ordered_ps_done => return Ok(Next::End),
        Op::s_barrier => return Ok(Next::Barrier),
        Op::s_sendmsg => send(own.k, wave),
        Op::s_branch => wave.counter = target,
        Op::s_cbranch_scc0 => wave.counter = target_if(!wave.scc),
        Op::s_cbranch_scc1 => wave.counter = target_if(wave.scc),
        Op::s_cbranch_vccz => wave.counter = target_if(wave.vcc() == 0),
        Op::s_cbranch_vccnz => wave.counter = target_if(wave.vcc() != 0),
        Op::s_cbranch_execz => wave.counter = target_if(wave.exec() == 0),
        Op::s_cbranch_execnz => wave.counter = target_if(wave.exec() != 0),
        Op::s_getpc_b64 => own.write(wave, wave.counter),
        Op::s_setpc_b64 => wave.counter = own.source(wave, 0),
        Op::s_swappc_b64 => {
            let (back, to) = (wave.counter, own.source(wave, 0));
            own.write(wave, back);
            wave.counter = to;
        }
        Op::s_call_b64 => {
            own.write(wave, wave.counter);
            wave.counter = target;
        }
        Op::s_getreg_b32 => {
            let (number, offset, width) = hardware_register(own.k);
            let value = match number {
                Mode::NUMBER => wave.mode.bits,
                STATUS => status(wave),
                TRAP_STATUS => wave.trap_status,
                // A run has one die.
                DIE if own.features.has(Feature::Gfx940Insts) => 0,
                MEMORY_BASES if own.generation == Generation::Gfx9 => wave.apertures.bases(),
                _ => {
                    let what = format!("reading hardware register {number}");
                    return Err(Reason::Unsupported(what));
                }
            };
            own.write(wave, u64::from(value >> offset) & mask(width));
        }
        Op::s_setreg_b32 => set_register(own, wave, own.source(wave, 0) as u32)?,
        Op::s_setreg_imm32_b32 => set_register(own, wave, own.literal)?,
        Op::s_movrels_b32 | Op::s_movrels_b64 => {
            let ValueSource::Scalar(code) = own.sources[0] else { return Ok(Next::Go) };
            let from = ValueSource::Scalar(relative(code, wave));
            own.write(wave, from.read_scalar(wave, own.widths[0]));
        }
        Op::s_movreld_b32 | Op::s_movreld_b64 => {
            let to = relative(own.destination, wave);
            let value = own.source(wave, 0);
            Scalar { destination: to, ..*own }.write(wave, value);
        }
        Op::s_set_gpr_idx_on => {
            let mode = u32::from(own.k) & 15;
            let index = own.source(wave, 0) as u32 & 0xff;
            wave.set_scalar(M0, wave.m0() & !0xf0ff | index | mode << 12);
            wave.index_mode = mode as u8;
        }
        Op::s_set_gpr_idx_off => wave.index_mode = 0,
        Op::s_set_gpr_idx_mode => {
            let mode = u32::from(own.k) & 15;
            wave.set_scalar(M0, wave.m0() & !0xf000 | mode << 12);
            wave.index_mode = mode as u8;
        }
        Op::s_set_gpr_idx_idx => {
            let index = own.source(wave, 0) as u32 & 0xff;
            wave.set_scalar(M0, wave.m0() & !0xff | index);
        }
        Op::s_cbranch_i_fork => fork(own, wave, target),
        Op::s_cbranch_g_fork => fork(own, wave, own.source(wave, 1)),
        Op::s_cbranch_join => join(own, wave),
        Op::s_setvskip => {
            let bit = own.source(wave, 1) as u32 & 31;
            let skips = own.source(wave, 0) >> bit & 1 == 1;
            wave.mode = wave.mode.with_skipping(skips);
        }
    }
    Ok(Next::Go)
}

fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

/// The number, offset and width of a hardware register's field.
fn hardware_register(k: u16) -> (u32, u32, u32) {
    let k = u32::from(k);
    (k & 63, k >> 6 & 31, (k >> 11) + 1)
}

/// The numbers of hardware registers beside MODE.
const STATUS: u32 = 2;
const TRAP_STATUS: u32 = 3;
/// SH_MEM_BASES, which only gfx9 has.
const MEMORY_BASES: u32 = 15;
/// XCC_ID: the number of the die.
const DIE: u32 = 20;

/// STATUS, as far as it says what the wave itself made: SCC, and which masks are zero.
fn status(wave: &Wave) -> u32 {
    let bit = |set: bool, place: u32| u32::from(set) << place;
    bit(wave.scc, 0) | bit(wave.exec() == 0, 9) | bit(wave.vcc() == 0, 10)
}

/// Other registers than MODE and TRAPSTS rule what is not emulated.
fn set_register(own: &Scalar, wave: &mut Wave, value: u32) -> Result<(), Reason> {
    let (number, offset, width) = hardware_register(own.k);
    let register = match number {
        Mode::NUMBER => &mut wave.mode.bits,
        TRAP_STATUS => &mut wave.trap_status,
        _ => return Err(Reason::Unsupported(format!("writing hardware register {number}"))),
    };
    let mask = (mask(width) as u32) << offset;
    *register = *register & !mask | value << offset & mask;
    Ok(())
}

/// The lanes of a condition go to the target, the others on; where both have some the
/// smaller group goes first and the other waits on the stack.
fn fork(own: &Scalar, wave: &mut Wave, target: u64) {
    let condition = own.source(wave, 0);
    let (taken, not_taken) = (condition & wave.exec(), !condition & wave.exec());
    if not_taken == 0 {
        wave.counter = target;
        return;
    }
    if taken == 0 {
        return;
    }
    // With the smaller group first the lanes at least halve with each entry of the stack: six
    // entries are enough for 64 lanes, and MODE has three bits for their number.
    let next = wave.counter;
    let (now, later, later_lanes) = match not_taken.count_ones() < taken.count_ones() {
        true => ((next, not_taken), target, taken),
        false => ((target, taken), next, not_taken),
    };
    let place = wave.mode.depth() * 4;
    wave.set_pair(place, later_lanes);
    wave.set_pair(place + 2, later);
    wave.mode = wave.mode.with_depth(wave.mode.depth() + 1);
    wave.counter = now.0;
    wave.set_exec(now.1);
}

/// Goes on where the stack is as deep as it was, else to the group that waits.
fn join(own: &Scalar, wave: &mut Wave) {
    if u32::from(wave.mode.depth()) == own.source(wave, 0) as u32 {
        return;
    }
    let depth = wave.mode.depth().wrapping_sub(1) & 7;
    wave.mode = wave.mode.with_depth(depth);
    let lanes = wave.pair(depth * 4);
    wave.counter = wave.pair(depth * 4 + 2);
    wave.set_exec(lanes);
}

fn relative(code: u16, wave: &Wave) -> u16 {
    (u32::from(code).wrapping_add(wave.m0()) & 127) as u16
}

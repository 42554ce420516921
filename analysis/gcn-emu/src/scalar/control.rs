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
use isa::gcn::operation::ScalarControl as Op;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Control {
    Nothing,
    End,
    Barrier,
    Message,
    Jump,
    IfScc(bool),
    IfVccZero(bool),
    IfExecZero(bool),
    /// The debugger's conditions, which never hold here.
    Never,
    GetCounter,
    SetCounter,
    SwapCounter,
    Call,
    GetRegister,
    SetRegister,
    SetRegisterLiteral,
    MoveFromRelative,
    MoveToRelative,
    IndexOn,
    IndexOff,
    IndexMode,
    IndexIndex,
    /// Lanes part; the smaller group goes first.
    Fork,
    /// The same with a register for the target.
    ForkToSource,
    Join,
    SkipVectors,
}

impl Control {
    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn of(opcode: Op) -> Control {
        match opcode {
            Op::s_nop
            | Op::s_sleep
            | Op::s_waitcnt
            | Op::s_setprio
            | Op::s_icache_inv
            | Op::s_wakeup
            | Op::s_incperflevel
            | Op::s_decperflevel
            | Op::s_ttracedata => Control::Nothing,
            // Waves that end in order: here each ends before the next begins.
            Op::s_endpgm | Op::s_endpgm_saved | Op::s_endpgm_ordered_ps_done => Control::End,
            Op::s_barrier => Control::Barrier,
            Op::s_sendmsg => Control::Message,
            Op::s_branch => Control::Jump,
            Op::s_cbranch_scc0 => Control::IfScc(false),
            Op::s_cbranch_scc1 => Control::IfScc(true),
            Op::s_cbranch_vccz => Control::IfVccZero(true),
            Op::s_cbranch_vccnz => Control::IfVccZero(false),
            Op::s_cbranch_execz => Control::IfExecZero(true),
            Op::s_cbranch_execnz => Control::IfExecZero(false),
            Op::s_cbranch_cdbgsys
            | Op::s_cbranch_cdbguser
            | Op::s_cbranch_cdbgsys_and_user
            | Op::s_cbranch_cdbgsys_or_user => Control::Never,
            Op::s_getpc_b64 => Control::GetCounter,
            Op::s_setpc_b64 => Control::SetCounter,
            Op::s_swappc_b64 => Control::SwapCounter,
            Op::s_call_b64 => Control::Call,
            Op::s_getreg_b32 => Control::GetRegister,
            Op::s_setreg_b32 => Control::SetRegister,
            Op::s_setreg_imm32_b32 => Control::SetRegisterLiteral,
            Op::s_movrels_b32 | Op::s_movrels_b64 => Control::MoveFromRelative,
            Op::s_movreld_b32 | Op::s_movreld_b64 => Control::MoveToRelative,
            Op::s_set_gpr_idx_on => Control::IndexOn,
            Op::s_set_gpr_idx_off => Control::IndexOff,
            Op::s_set_gpr_idx_mode => Control::IndexMode,
            Op::s_set_gpr_idx_idx => Control::IndexIndex,
            Op::s_cbranch_g_fork => Control::ForkToSource,
            Op::s_cbranch_i_fork => Control::Fork,
            Op::s_cbranch_join => Control::Join,
            Op::s_setvskip => Control::SkipVectors,
        }
    }

    pub(super) fn run(
        self,
        own: &Scalar,
        wave: &mut Wave,
        send: &mut dyn FnMut(u16, &Wave),
    ) -> Result<Next, Reason> {
        let jump = |wave: &mut Wave| {
            let distance = i64::from(own.k as i16) * 4;
            wave.counter = wave.counter.wrapping_add(distance as u64);
        };
        match self {
            Control::Nothing | Control::Never => {}
            Control::End => return Ok(Next::End),
            Control::Barrier => return Ok(Next::Barrier),
            Control::Message => send(own.k, wave),
            Control::Jump => jump(wave),
            Control::IfScc(wanted) if wave.scc == wanted => jump(wave),
            Control::IfVccZero(wanted) if (wave.vcc() == 0) == wanted => jump(wave),
            Control::IfExecZero(wanted) if (wave.exec() == 0) == wanted => jump(wave),
            Control::IfScc(_) | Control::IfVccZero(_) | Control::IfExecZero(_) => {}
            Control::GetCounter => own.write(wave, wave.counter),
            Control::SetCounter => wave.counter = own.source(wave, 0),
            Control::SwapCounter => {
                let (back, to) = (wave.counter, own.source(wave, 0));
                own.write(wave, back);
                wave.counter = to;
            }
            Control::Call => {
                own.write(wave, wave.counter);
                jump(wave);
            }
            Control::GetRegister => {
                let (number, offset, width) = hardware_register(own.k);
                let value = match number {
                    Mode::NUMBER => wave.mode.bits,
                    STATUS => status(wave),
                    TRAP_STATUS => wave.trap_status,
                    MEMORY_BASES if own.generation == Generation::Gfx9 => wave.apertures.bases(),
                    _ => {
                        let what = format!("reading hardware register {number}");
                        return Err(Reason::Unsupported(what));
                    }
                };
                own.write(wave, u64::from(value >> offset) & mask(width));
            }
            Control::SetRegister => set_register(own, wave, own.source(wave, 0) as u32)?,
            Control::SetRegisterLiteral => set_register(own, wave, own.literal)?,
            Control::MoveFromRelative => {
                let ValueSource::Scalar(code) = own.sources[0] else { return Ok(Next::Go) };
                let from = ValueSource::Scalar(relative(code, wave));
                own.write(wave, from.read_scalar(wave, own.widths[0]));
            }
            Control::MoveToRelative => {
                let to = relative(own.destination, wave);
                let value = own.source(wave, 0);
                Scalar { destination: to, ..*own }.write(wave, value);
            }
            Control::IndexOn => {
                let mode = u32::from(own.k) & 15;
                let index = own.source(wave, 0) as u32 & 0xff;
                wave.set_scalar(M0, wave.m0() & !0xf0ff | index | mode << 12);
                wave.index_mode = mode as u8;
            }
            Control::IndexOff => wave.index_mode = 0,
            Control::IndexMode => {
                let mode = u32::from(own.k) & 15;
                wave.set_scalar(M0, wave.m0() & !0xf000 | mode << 12);
                wave.index_mode = mode as u8;
            }
            Control::IndexIndex => {
                let index = own.source(wave, 0) as u32 & 0xff;
                wave.set_scalar(M0, wave.m0() & !0xff | index);
            }
            Control::Fork => {
                let distance = i64::from(own.k as i16) * 4;
                fork(own, wave, wave.counter.wrapping_add(distance as u64));
            }
            Control::ForkToSource => fork(own, wave, own.source(wave, 1)),
            Control::Join => join(own, wave),
            Control::SkipVectors => {
                let bit = own.source(wave, 1) as u32 & 31;
                let skips = own.source(wave, 0) >> bit & 1 == 1;
                wave.mode = wave.mode.with_skipping(skips);
            }
        }
        Ok(Next::Go)
    }
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

//! Events of a step of a kernel: what it reads and makes that it should not.

use gcn::analysis::{Access, AccessKind};
use gcn::instruction::Bank;
use gcn_emu::Wave;

use super::KernelRun;
use crate::machine::{numbers, register_name};
use crate::subject::{Event, EventKind};

impl KernelRun<'_> {
    /// The register that an instruction reads as a whole and that nothing has written.
    pub(super) fn unwritten(&self, wave: usize, reads: &[Access]) -> Option<Event> {
        let (filled, active) = (self.filled.get(wave)?, self.wave(wave)?.exec());
        for access in reads {
            // What is read unnamed, or only perhaps, is not said to be.
            if access.kind != AccessKind::Full || access.operand.is_none() {
                continue;
            }
            for number in numbers(access.register) {
                let missing = match access.register.bank {
                    Bank::Scalar if number < 102 => u64::from(filled.scalar >> number & 1 == 0),
                    Bank::Scalar => 0,
                    Bank::Vector | Bank::Accumulator => {
                        active & !filled.vectors.get(number).copied().unwrap_or(u64::MAX)
                    }
                };
                if missing != 0 {
                    let what = register_name(access.register.bank, number);
                    let lane = missing.trailing_zeros() as usize;
                    return Some(Event { kind: EventKind::Uninitialised, lane, what });
                }
            }
        }
        None
    }

    /// Notes what an instruction writes, before it does.
    pub(super) fn note_written(&mut self, wave: usize, writes: &[Access]) {
        let Some(active) = self.wave(wave).map(Wave::exec) else { return };
        let Some(filled) = self.filled.get_mut(wave) else { return };
        for access in writes {
            for number in numbers(access.register) {
                match access.register.bank {
                    Bank::Scalar => filled.scalar |= 1_u128.checked_shl(number as u32).unwrap_or(0),
                    Bank::Vector | Bank::Accumulator => {
                        let is_known =
                            matches!(access.kind, AccessKind::Full | AccessKind::Partial);
                        if let Some(lanes) = filled.vectors.get_mut(number) {
                            *lanes |= if is_known { active } else { u64::MAX };
                        }
                    }
                }
            }
        }
    }

    /// The lanes in which a register that is read holds a float of a kind.
    pub(super) fn lanes_with(&self, wave: usize, reads: &[Access], is_it: fn(f32) -> bool) -> u64 {
        let Some(own) = self.wave(wave) else { return 0 };
        let mut lanes = 0;
        for access in reads.iter().filter(|access| access.operand.is_some()) {
            for number in numbers(access.register) {
                match access.register.bank {
                    Bank::Scalar if is_it(f32::from_bits(own.scalar(number as u16))) => {
                        lanes = u64::MAX;
                    }
                    Bank::Scalar => {}
                    Bank::Vector | Bank::Accumulator => {
                        let register = own.vector(number).iter().enumerate();
                        let found = register.filter(|(_, bits)| is_it(f32::from_bits(**bits)));
                        lanes |= found.fold(0, |lanes, (lane, _)| lanes | 1 << lane);
                    }
                }
            }
        }
        lanes
    }
}

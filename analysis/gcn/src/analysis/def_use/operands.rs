//! Accesses of one instruction: the operands of its form, and implicit ones.

use isa::gcn::operation::{Atomic, Buffer, Flat, Image, Operation, ScalarMemory};

use super::{AccessKind, DefUse, returns, slot_is_set, widen};
use crate::analysis::code::Instruction;
use crate::analysis::register_set::RegisterSet;
use crate::behaviour::Special;
use crate::encoding::{Encoding, Extension};
use crate::image::AddressSize;
use crate::instruction::code::{
    EXEC, EXECZ, FLAT_SCRATCH, FLAT_SCRATCH_GFX7, LDS_DIRECT, M0, SCC, VCC, VCCZ,
};
use crate::instruction::form::{Bits, InstDesc, Role, Slot, SlotKind, is_set};
use crate::instruction::image::address_fields;
use crate::instruction::modifier::{Flag, Key};
use crate::instruction::{Bank, Class, Register, registers};
use crate::mnemonics::Opcode;
use crate::{Generation, Target};

/// One instruction's words and what they mean.
pub(super) struct Reader<'a> {
    pub(super) desc: &'static InstDesc,
    pub(super) bits: Bits,
    pub(super) target: Target,
    pub(super) instruction: &'a Instruction,
}

/// The registers that an instruction of a form may access though no operand names them, with
/// any modifiers: those that it reads and those that it writes.
pub(crate) fn unnamed_of(desc: &'static InstDesc, target: Target) -> [RegisterSet; 2] {
    let mut def_use = DefUse::of_nothing();
    let instruction = Instruction::new(0, &[], None);
    Reader { desc, bits: Bits::MAX, target, instruction: &instruction }.implicit(&mut def_use);
    [def_use.read_set(), def_use.write_set()]
}

impl Reader<'_> {
    fn bit(&self, place: u8) -> bool {
        is_set(self.bits, place)
    }

    /// Adds the accesses of the operand of this number.
    pub(super) fn operand(&self, number: u8, slot: &Slot, role: Role, def_use: &mut DefUse) {
        let Some(register) = self.register(slot) else { return };
        let operand = Some(number);
        if self.desc.class() == Class::Image && matches!(slot.kind, SlotKind::Vector { .. }) {
            return self.image_address(register.first, operand, def_use);
        }
        let flags = self.desc.flags();
        let special = match role {
            Role::Read if flags.indirect_source() => Some(AccessKind::Indexed),
            Role::Write if flags.indirect_destination() => Some(AccessKind::Indexed),
            _ if register.bank == Bank::Vector && flags.ignores_exec() => {
                Some(AccessKind::CrossLane)
            }
            _ => None,
        };
        if role != Role::Write {
            let kind = special.unwrap_or(AccessKind::Full);
            def_use.read(widen(register, kind), kind, operand);
        }
        let written = match role {
            Role::Read => return,
            Role::Write | Role::ReadWrite => register,
            Role::Exchange if !returns(self.desc, self.bits) => return,
            Role::Exchange => Register { dwords: self.returned(register), ..register },
        };
        let kind = special.unwrap_or_else(|| self.result_manner());
        def_use.write(widen(written, kind), kind, operand);
    }

    /// The registers that an atomic of buffers, images and scalar memory gives back: its
    /// data's, without the comparand.
    fn returned(&self, register: Register) -> u8 {
        if is_exchange(self.desc.opcode()) { register.dwords.div_ceil(2) } else { register.dwords }
    }

    /// The registers that a slot reaches: some operand codes stand for what is known of others.
    fn register(&self, slot: &Slot) -> Option<Register> {
        let register = registers(self.desc, slot, self.bits, self.target)?;
        Some(match (register.bank, register.first) {
            (Bank::Vector | Bank::Accumulator, _) | (Bank::Scalar, 0..=127) => register,
            // A lane's destination has a bit more than scalar registers need.
            (_, first) if matches!(slot.kind, SlotKind::Scalar { .. }) => {
                Register { first: first & 127, ..register }
            }
            // Whether VCC or EXEC is zero.
            (_, VCCZ) => Register::scalar(VCC, 2),
            (_, EXECZ) => Register::scalar(EXEC, 2),
            (_, SCC) => Register::scalar(SCC, 1),
            (_, LDS_DIRECT) => Register::scalar(M0, 1),
            _ => return None,
        })
    }

    /// Returns how much of its result an instruction writes.
    fn result_manner(&self) -> AccessKind {
        let desc = self.desc;
        let part = match desc.extension {
            Extension::Dpp => self.keeps_lanes(),
            Extension::Sdwa => {
                let value = |key| self.number(key);
                value(Key::DstUnused) == 2 && !matches!(value(Key::DstSel), 6 | 7)
            }
            _ => match desc.class() {
                Class::Vector | Class::Interpolation => self.keeps_half(),
                Class::Image | Class::Buffer => {
                    // What lies on a missing page is not written.
                    let on = |flag| slot_is_set(desc, self.bits, SlotKind::Flag(flag));
                    on(Flag::Tfe) || on(Flag::Lwe) || desc.flags().reads_destination()
                }
                Class::DataShare | Class::Flat => desc.flags().reads_destination(),
                _ => false,
            },
        };
        if part { AccessKind::Partial } else { AccessKind::Full }
    }

    fn number(&self, wanted: Key) -> u64 {
        let holds =
            |slot: &&Slot| matches!(slot.kind, SlotKind::Number { key, .. } if key == wanted);
        let slot = self.desc.slots().iter().find(holds);
        slot.map_or(u64::MAX, |slot| slot.value(self.bits))
    }

    /// Tells whether lanes that a movement masks out, or that get nothing from it, keep what
    /// they had. Within a quad nothing comes from outside; its four lanes are taken to be
    /// active together, as derivatives need them.
    fn keeps_lanes(&self) -> bool {
        let masked = self.number(Key::RowMask) != 15 || self.number(Key::BankMask) != 15;
        let within_quad = self.number(Key::DppCtrl) <= 0xff;
        masked || !(within_quad || self.number(Key::BoundCtrl) == 1)
    }

    /// Tells whether a 16-bit result goes to one half, and the other stays.
    fn keeps_half(&self) -> bool {
        let flags = self.desc.flags();
        if flags.mix() && flags.reads_destination() {
            return true;
        }
        let chosen = self.desc.slots().iter().any(|slot| {
            matches!(slot.kind, SlotKind::List { key: Key::OpSel, .. }) && self.bit(slot.extend)
        });
        chosen && self.desc.half_result
    }

    /// Adds the registers of an image's address. Where the text names fewer than any image
    /// has, what is behind them may be read, too; of more than any has the rest need not be.
    fn image_address(&self, first: u16, operand: Option<u8>, def_use: &mut DefUse) {
        let (array, packing) = address_fields(self.desc, self.bits);
        let Some(size) = AddressSize::of(self.desc.opcode(), array, packing) else { return };
        let (certain, perhaps) = match self.instruction.address_vgprs {
            Some(named) if named < size.least => (named, size.most),
            Some(named) => (named.min(size.most), named),
            None => (size.least, size.usual),
        };
        let mut read = |from: u8, to: u8, kind| {
            if to > from {
                let register = Register::vector(first + u16::from(from), to - from);
                def_use.read(register, kind, operand);
            }
        };
        read(0, certain, AccessKind::Full);
        read(certain, perhaps, AccessKind::Unknown);
    }

    /// Adds the implicit accesses, which no operand names.
    pub(super) fn implicit(&self, def_use: &mut DefUse) {
        let desc = self.desc;
        let behaviour = desc.behaviour();
        for special in behaviour.reads.iter() {
            // Whether scratch is meant is known only when the address is.
            let flat = special == Special::FlatScratch && desc.encoding == Encoding::Flat;
            let kind = if flat { AccessKind::Unknown } else { AccessKind::Full };
            def_use.read(self.special(special), kind, None);
        }
        for special in behaviour.writes.iter() {
            def_use.write(self.special(special), AccessKind::Full, None);
        }
        // Carries and masks of the short encodings have a slot of their own.
        let named = desc.operands().iter().any(|(slot, role)| {
            matches!(slot.kind, SlotKind::Vcc | SlotKind::Mask) && *role == Role::Read
        });
        if desc.reads_vcc && !named && !behaviour.reads.has(Special::Vcc) {
            def_use.read(Register::scalar(VCC, 2), AccessKind::Full, None);
        }
        let on = |flag| slot_is_set(desc, self.bits, SlotKind::Flag(flag));
        let reads_m0 = behaviour.reads.has(Special::M0);
        if !reads_m0 && (on(Flag::Lds) || on(Flag::Gds)) {
            def_use.read(Register::scalar(M0, 1), AccessKind::Full, None);
        }
    }

    fn special(&self, special: Special) -> Register {
        match special {
            Special::Vcc => Register::scalar(VCC, 2),
            Special::Exec => Register::scalar(EXEC, 2),
            Special::Scc => Register::scalar(SCC, 1),
            Special::M0 => Register::scalar(M0, 1),
            Special::FlatScratch if self.target.generation() == Generation::Gfx7 => {
                Register::scalar(FLAT_SCRATCH_GFX7, 2)
            }
            Special::FlatScratch => Register::scalar(FLAT_SCRATCH, 2),
        }
    }
}

/// Tells whether an atomic has a comparand beside its data.
fn is_exchange(opcode: Opcode) -> bool {
    let (Operation::ScalarMemory(ScalarMemory::Atomic { atomic, .. })
    | Operation::Buffer(Buffer::Atomic { atomic, .. })
    | Operation::Flat(Flat::Atomic { atomic, .. })
    | Operation::Image(Image::Atomic { atomic })) = opcode.operation()
    else {
        return false;
    };
    matches!(atomic, Atomic::CompareSwap | Atomic::FloatCompareSwap)
}

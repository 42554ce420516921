//! Registers that an instruction uses and defines, and how much of each.
//!
//! Operands are read from the words by the form's slots. What no operand says
//! comes from the traits of `data/operands.tsv` and from the class: vector
//! instructions read EXEC, the local data share reads M0 before gfx9, and so on.

use super::cancellation::CancelTicker;
use super::code::{Code, Instruction};
use super::register_set::{
    EXEC, EXEC_ZERO, FLAT_SCRATCH, FLAT_SCRATCH_GFX7, M0, RegisterSet, SCC, SHARE_DIRECT, VCC,
    VCC_ZERO,
};
use crate::behaviour::Special;
use crate::encoding::{Encoding, Extension};
use crate::instruction::InstructionSet;
use crate::instruction::form::{InstDesc, Role};
use crate::instruction::form::{Kind, NO_BIT, Slot};
use crate::instruction::modifier::{Flag, Key};
use crate::instruction::{Bank, Class, Features, Register, data_dwords};
use crate::mnemonics::Opcode;
use crate::{Generation, Target};
use text::Checkpoint;

/// The way in which an instruction accesses a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// The whole register: of a vector register all active lanes.
    Full,
    /// A write that leaves some of the old value, even in an active lane.
    Partial,
    /// A read of any lane, active or not, or a write of one lane.
    CrossLane,
    /// An access behind the first register by as much as an index says; the range goes
    /// to the end of the file.
    Indexed,
    /// A possible read: the encoding does not say how many registers an address takes.
    Unknown,
}

/// One operand's registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Access {
    /// The registers.
    pub register: Register,
    /// The way in which they are accessed.
    pub kind: AccessKind,
    /// The place of the operand that says so among the form's register operands; `None` where
    /// no operand does.
    pub operand: Option<u8>,
}

const NOTHING: Access = Access {
    register: Register { bank: Bank::Scalar, first: 128, dwords: 0 },
    kind: AccessKind::Full,
    operand: None,
};

/// More reads than this no instruction has: an export's four and EXEC and M0, an
/// image's address in two parts, resource, sampler, data, EXEC and M0.
const READS: usize = 9;
const WRITES: usize = 5;

/// The registers that an instruction reads and writes.
#[derive(Debug, Clone, Copy)]
pub struct DefUse {
    /// Its form; `None` where the words are no instruction of the chip.
    pub desc: Option<&'static InstDesc>,
    /// Its words without a literal.
    pub(crate) bits: u64,
    reads: [Access; READS],
    read_count: u8,
    writes: [Access; WRITES],
    write_count: u8,
}

impl DefUse {
    /// Reads the registers of one instruction. Words that are no instruction have none.
    pub fn of(instruction: &Instruction, target: Target) -> DefUse {
        DefUse::with(instruction, InstructionSet::of(target))
    }

    /// Reads the registers of every instruction of a code. `checkpoint` may unwind.
    pub fn of_all(code: &Code, checkpoint: Checkpoint<'_>) -> Vec<DefUse> {
        let cancel = CancelTicker::new(checkpoint);
        let set = InstructionSet::of(code.target);
        let mut index = IndexMode::default();
        let of = |instruction| {
            cancel.step();
            let mut def_use = DefUse::with(instruction, set);
            index.apply(&mut def_use);
            def_use
        };
        code.instructions.iter().map(of).collect()
    }

    fn with(instruction: &Instruction, set: &'static InstructionSet) -> DefUse {
        let mut def_use = DefUse {
            desc: None,
            bits: 0,
            reads: [NOTHING; READS],
            read_count: 0,
            writes: [NOTHING; WRITES],
            write_count: 0,
        };
        let Some((desc, bits)) = set.describe(instruction.words()) else { return def_use };
        def_use.desc = Some(desc);
        def_use.bits = bits;
        let features = set.features();
        let reader = Reader { desc, bits, features, instruction };
        for ((slot, role), operand) in desc.operands().iter().zip(0..) {
            let [reads, writes] = [def_use.read_count, def_use.write_count].map(usize::from);
            reader.operand(slot, *role, &mut def_use);
            for access in def_use.reads.iter_mut().take(def_use.read_count.into()).skip(reads) {
                access.operand = Some(operand);
            }
            for access in def_use.writes.iter_mut().take(def_use.write_count.into()).skip(writes) {
                access.operand = Some(operand);
            }
        }
        reader.unnamed(&mut def_use);
        def_use
    }

    /// Returns the accesses that read.
    pub fn reads(&self) -> &[Access] {
        &self.reads[..usize::from(self.read_count)]
    }

    /// Returns the accesses that write.
    pub fn writes(&self) -> &[Access] {
        &self.writes[..usize::from(self.write_count)]
    }

    /// All registers that it reads.
    pub fn read_set(&self) -> RegisterSet {
        set_of(self.reads())
    }

    /// All registers that it writes, wholly or in part.
    pub fn write_set(&self) -> RegisterSet {
        set_of(self.writes())
    }

    /// Tells whether a modifier is set.
    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.desc.is_some_and(|desc| slot_is_set(desc, self.bits, Kind::Flag(flag)))
    }

    /// Tells whether an atomic was asked for what memory held (`glc`).
    pub fn returns(&self) -> bool {
        self.desc.is_some_and(|desc| returns(desc, self.bits))
    }

    fn read(&mut self, register: Register, kind: AccessKind) {
        if let Some(place) = self.reads.get_mut(usize::from(self.read_count)) {
            *place = Access { register, kind, operand: None };
            self.read_count += 1;
        }
    }

    fn write(&mut self, register: Register, kind: AccessKind) {
        if let Some(place) = self.writes.get_mut(usize::from(self.write_count)) {
            *place = Access { register, kind, operand: None };
            self.write_count += 1;
        }
    }
}

fn set_of(accesses: &[Access]) -> RegisterSet {
    let mut set = RegisterSet::EMPTY;
    for access in accesses {
        set.insert(access.register);
    }
    set
}

/// Tells whether an atomic has a comparand beside its data.
fn is_exchange(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::buffer_atomic_cmpswap
            | Opcode::buffer_atomic_cmpswap_x2
            | Opcode::buffer_atomic_fcmpswap
            | Opcode::buffer_atomic_fcmpswap_x2
            | Opcode::flat_atomic_cmpswap
            | Opcode::flat_atomic_cmpswap_x2
            | Opcode::flat_atomic_fcmpswap
            | Opcode::flat_atomic_fcmpswap_x2
            | Opcode::global_atomic_cmpswap
            | Opcode::global_atomic_cmpswap_x2
            | Opcode::image_atomic_cmpswap
            | Opcode::image_atomic_fcmpswap
            | Opcode::s_atomic_cmpswap
            | Opcode::s_atomic_cmpswap_x2
            | Opcode::s_buffer_atomic_cmpswap
            | Opcode::s_buffer_atomic_cmpswap_x2
    )
}

fn slot_is_set(desc: &InstDesc, bits: u64, kind: Kind) -> bool {
    desc.slots().iter().any(|slot| slot.kind == kind && (bits >> (slot.low & 63)) & 1 == 1)
}

fn returns(desc: &InstDesc, bits: u64) -> bool {
    let policy = |slot: &&Slot| matches!(slot.kind, Kind::CachePolicy { .. });
    desc.slots().iter().find(policy).is_some_and(|slot| (bits >> (slot.low & 63)) & 1 == 1)
}

fn scalar(first: u16, dwords: u8) -> Register {
    Register { bank: Bank::Scalar, first, dwords }
}

fn vector(first: u16, dwords: u8) -> Register {
    Register { bank: Bank::Vector, first, dwords }
}

/// One instruction's words and what they mean.
struct Reader<'a> {
    desc: &'static InstDesc,
    bits: u64,
    features: &'a Features,
    instruction: &'a Instruction,
}

impl Reader<'_> {
    fn bit(&self, place: u8) -> bool {
        place != NO_BIT && (self.bits >> (place & 63)) & 1 == 1
    }

    fn operand(&self, slot: &Slot, role: Role, def_use: &mut DefUse) {
        let Some(register) = self.register(slot) else { return };
        if self.desc.class() == Class::Image && matches!(slot.kind, Kind::Vector { .. }) {
            return self.image_address(register.first, def_use);
        }
        let (mut read, mut write) = (AccessKind::Full, self.result_manner());
        let traits = self.desc.traits();
        if role == Role::Read && traits.indirect_source() {
            read = AccessKind::Indexed;
        } else if role == Role::Write && traits.indirect_destination() {
            write = AccessKind::Indexed;
        } else if register.bank == Bank::Vector && traits.ignores_exec() {
            (read, write) = (AccessKind::CrossLane, AccessKind::CrossLane);
        }
        if role != Role::Write {
            def_use.read(widen(register, read), read);
        }
        match role {
            Role::Read => {}
            Role::Write | Role::ReadWrite => def_use.write(widen(register, write), write),
            Role::Exchange => {
                if returns(self.desc, self.bits) {
                    def_use.write(Register { dwords: self.returned(register), ..register }, write);
                }
            }
        }
    }

    /// The registers that an atomic of buffers, images and scalar memory gives back: its
    /// data's, without the comparand.
    fn returned(&self, register: Register) -> u8 {
        let comparand = self.desc.traits().pair() || is_exchange(self.desc.opcode());
        if comparand { register.dwords.div_ceil(2) } else { register.dwords }
    }

    fn register(&self, slot: &Slot) -> Option<Register> {
        let value = (self.bits >> (slot.low & 63)) & ((1_u64 << slot.width) - 1);
        let code = value as u16;
        let scalar_or_none = |dwords: u8| match code {
            0..=127 => Some(scalar(code, dwords)),
            // Whether VCC or EXEC is zero.
            VCC_ZERO => Some(scalar(VCC, 2)),
            EXEC_ZERO => Some(scalar(EXEC, 2)),
            SCC => Some(scalar(SCC, 1)),
            SHARE_DIRECT => Some(scalar(M0, 1)),
            _ => None,
        };
        Some(match slot.kind {
            Kind::Vector { dwords } => vector(code & 0xff, dwords),
            Kind::Vectors => vector(code, data_dwords(self.desc, self.features, self.bits) as u8),
            Kind::VectorOrLds if code >= 256 => vector(code - 256, 1),
            Kind::VectorOrLds => return scalar_or_none(1),
            Kind::Accumulator { dwords } => {
                Register { bank: Bank::Accumulator, first: code & 0xff, dwords }
            }
            Kind::VectorOrAccumulator { dwords } => {
                let bank = if self.bit(slot.scalar) { Bank::Accumulator } else { Bank::Vector };
                Register { bank, first: code & 0xff, dwords }
            }
            Kind::Scalar { dwords, shift, .. } => scalar((code << shift) & 127, dwords),
            Kind::Mask if slot.scalar != NO_BIT && !self.bit(slot.scalar) => scalar(VCC, 2),
            Kind::Mask => return scalar_or_none(2),
            Kind::Vcc => scalar(VCC, 2),
            Kind::Source(source) => {
                use crate::instruction::form::SourceSet;
                let dwords = source.ty.dwords();
                match source.from {
                    SourceSet::ShortVector => vector(code & 0xff, dwords),
                    SourceSet::SdwaInline if !self.bit(slot.scalar) => vector(code & 0xff, dwords),
                    _ if code >= 256 => vector(code - 256, dwords),
                    _ => return scalar_or_none(dwords),
                }
            }
            Kind::ScalarSource { ty, .. } => return scalar_or_none(ty.dwords()),
            Kind::Lane { .. } if code >= 256 => return None,
            Kind::Lane { .. } => return scalar_or_none(1),
            Kind::ExportSource { place } => {
                if !self.bit(place) {
                    return None;
                }
                let compressed = slot_is_set(self.desc, self.bits, Kind::Flag(Flag::Compr));
                let first =
                    self.desc.operands().first().map_or(place, |(slot, _)| match slot.kind {
                        Kind::ExportSource { place } => place,
                        _ => 0,
                    });
                let index = (place - first) / if compressed { 2 } else { 1 };
                vector(((self.bits >> (32 + 8 * u32::from(index))) & 0xff) as u16, 1)
            }
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
                    let on = |flag| slot_is_set(desc, self.bits, Kind::Flag(flag));
                    on(Flag::Tfe) || on(Flag::Lwe) || desc.traits().reads_destination()
                }
                Class::DataShare | Class::Flat => desc.traits().reads_destination(),
                _ => false,
            },
        };
        if part { AccessKind::Partial } else { AccessKind::Full }
    }

    fn number(&self, wanted: Key) -> u64 {
        let slot = self
            .desc
            .slots()
            .iter()
            .find(|slot| matches!(slot.kind, Kind::Number { key, .. } if key == wanted));
        slot.map_or(u64::MAX, |slot| (self.bits >> (slot.low & 63)) & ((1 << slot.width) - 1))
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
        let traits = self.desc.traits();
        if traits.mix() && traits.reads_destination() {
            return true;
        }
        let chosen = self.desc.slots().iter().any(|slot| {
            matches!(slot.kind, Kind::List { key: Key::OpSel, .. }) && self.bit(slot.extend)
        });
        chosen && self.desc.half_result
    }

    fn image_address(&self, first: u16, def_use: &mut DefUse) {
        let named = self.instruction.address_vgprs;
        if let Some(count) = named {
            def_use.read(vector(first, count), AccessKind::Full);
            return;
        }
        let array = slot_is_set(self.desc, self.bits, Kind::Flag(Flag::Da));
        let (least, usual) = address_dwords(self.desc.opcode(), array);
        def_use.read(vector(first, least), AccessKind::Full);
        if usual > least {
            def_use.read(vector(first + u16::from(least), usual - least), AccessKind::Unknown);
        }
    }

    /// Adds the implicit accesses, which no operand names.
    fn unnamed(&self, def_use: &mut DefUse) {
        let desc = self.desc;
        let behaviour = desc.behaviour();
        for special in behaviour.reads.iter() {
            // Whether scratch is meant is known only when the address is.
            let flat = special == Special::FlatScratch && desc.encoding == Encoding::Flat;
            let kind = if flat { AccessKind::Unknown } else { AccessKind::Full };
            def_use.read(self.special(special), kind);
        }
        for special in behaviour.writes.iter() {
            def_use.write(self.special(special), AccessKind::Full);
        }
        // Carries and masks of the short encodings have a slot of their own.
        let named = desc
            .operands()
            .iter()
            .any(|(slot, role)| matches!(slot.kind, Kind::Vcc | Kind::Mask) && *role == Role::Read);
        if desc.reads_vcc && !named && !behaviour.reads.has(Special::Vcc) {
            def_use.read(scalar(VCC, 2), AccessKind::Full);
        }
        let on = |flag| slot_is_set(desc, self.bits, Kind::Flag(flag));
        let reads_m0 = behaviour.reads.has(Special::M0);
        if !reads_m0 && (on(Flag::Lds) || on(Flag::Gds)) {
            def_use.read(scalar(M0, 1), AccessKind::Full);
        }
    }

    fn special(&self, special: Special) -> Register {
        match special {
            Special::Vcc => scalar(VCC, 2),
            Special::Exec => scalar(EXEC, 2),
            Special::Scc => scalar(SCC, 1),
            Special::M0 => scalar(M0, 1),
            Special::FlatScratch if self.features.generation == Generation::Gfx7 => {
                scalar(FLAT_SCRATCH_GFX7, 2)
            }
            Special::FlatScratch => scalar(FLAT_SCRATCH, 2),
        }
    }
}

/// A register that an index is added to stands for all behind it.
fn widen(register: Register, kind: AccessKind) -> Register {
    if kind != AccessKind::Indexed {
        return register;
    }
    let end = if register.bank == Bank::Vector { 256 } else { VCC };
    let count = end.saturating_sub(register.first).min(255) as u8;
    Register { dwords: count.max(register.dwords), ..register }
}

/// Returns the registers of an image address: those that it has for certain, and those with
/// the two coordinates that most images have.
fn address_dwords(opcode: Opcode, array: bool) -> (u8, u8) {
    let name = opcode.name();
    if opcode == Opcode::image_get_resinfo {
        return (1, 1);
    }
    let mut extra = 0;
    for word in name.split('_').skip(2) {
        extra += match word {
            "o" | "b" | "c" | "l" | "cl" | "mip" => 1,
            _ => 0,
        };
    }
    let derivatives = name.split('_').any(|word| matches!(word, "d" | "cd"));
    let array = u8::from(array);
    let certain = extra + 1 + if derivatives { 2 } else { 0 };
    let usual = extra + 2 + array + if derivatives { 4 } else { 0 };
    (certain, usual)
}

/// True if vector operands are indexed: between `s_set_gpr_idx_on` and `_off`.
///
/// Followed in the order of the text; compilers keep such a stretch in one block.
#[derive(Debug, Default)]
struct IndexMode {
    /// Bits: first, second and third source, destination.
    operands: u8,
}

impl IndexMode {
    fn apply(&mut self, def_use: &mut DefUse) {
        let Some(desc) = def_use.desc else { return };
        match desc.opcode() {
            Opcode::s_set_gpr_idx_on => self.operands = ((def_use.bits >> 8) & 15) as u8,
            Opcode::s_set_gpr_idx_mode => self.operands = (def_use.bits & 15) as u8,
            Opcode::s_set_gpr_idx_off => self.operands = 0,
            _ if self.operands == 0 || desc.class() != Class::Vector => {}
            _ => {
                let count = usize::from(def_use.read_count);
                let sources = def_use.reads.get_mut(..count).unwrap_or_default();
                if self.operands & 7 != 0 {
                    sources.iter_mut().for_each(make_relative);
                }
                def_use.read(scalar(M0, 1), AccessKind::Full);
                let count = usize::from(def_use.write_count);
                let results = def_use.writes.get_mut(..count).unwrap_or_default();
                if self.operands & 8 != 0 {
                    results.iter_mut().for_each(make_relative);
                }
            }
        }
    }
}

fn make_relative(access: &mut Access) {
    if access.register.bank == Bank::Vector {
        access.kind = AccessKind::Indexed;
        access.register = widen(access.register, AccessKind::Indexed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::AddressCounts;
    use super::*;

    fn names(accesses: &[Access]) -> Vec<String> {
        accesses
            .iter()
            .map(|access| {
                let letter = if access.register.bank == Bank::Vector { 'v' } else { 's' };
                let kind = match access.kind {
                    AccessKind::Full => "",
                    AccessKind::Partial => " part",
                    AccessKind::CrossLane => " lane",
                    AccessKind::Indexed => " relative",
                    AccessKind::Unknown => " guess",
                };
                format!("{letter}{}x{}{kind}", access.register.first, access.register.dwords)
            })
            .collect()
    }

    #[test]
    fn reads_and_writes() {
        for (chip, line, reads, writes) in [
            ("tahiti", "v_mac_f32 v1, v2, v3", "v1x1 v2x1 v3x1 s126x2", "v1x1"),
            ("tahiti", "v_addc_u32 v1, vcc, v2, v3, vcc", "v2x1 v3x1 s106x2 s126x2", "v1x1 s106x2"),
            ("tahiti", "v_cndmask_b32 v1, v2, v3, vcc", "v2x1 v3x1 s106x2 s126x2", "v1x1"),
            ("tahiti", "v_cmp_lt_f64 s[4:5], v[2:3], v[6:7]", "v2x2 v6x2 s126x2", "s4x2"),
            ("tahiti", "v_readlane_b32 s4, v2, s3", "v2x1 lane,s3x1", "s4x1"),
            ("tahiti", "v_writelane_b32 v2, s3, 4", "s3x1", "v2x1 lane"),
            ("tahiti", "v_movreld_b32 v250, v2", "v2x1 s126x2 s124x1", "v250x6 relative"),
            ("tahiti", "s_cmov_b32 s7, s2", "s7x1 s2x1 s253x1", "s7x1"),
            ("tahiti", "s_addk_i32 s7, 0x10", "s7x1", "s7x1 s253x1"),
            ("tahiti", "s_and_saveexec_b64 s[0:1], vcc", "s106x2 s126x2", "s0x2 s126x2 s253x1"),
            ("tahiti", "s_load_dwordx4 s[4:7], s[2:3], 0x60", "s2x2", "s4x4"),
            ("tahiti", "s_buffer_load_dword s4, s[8:11], s3", "s8x4 s3x1", "s4x1"),
            ("tahiti", "ds_read_b64 v[2:3], v4", "v4x1 s126x2 s124x1", "v2x2"),
            ("tahiti", "exp mrt0 v1, off, v3, off done vm", "v1x1 v3x1 s126x2", ""),
            ("tahiti", "exp mrt0 v1, v1, v3, v3 done compr vm", "v1x1 v1x1 v3x1 v3x1 s126x2", ""),
            (
                "tahiti",
                "buffer_atomic_cmpswap v[2:3], v4, s[8:11], 0 offen glc",
                "v2x2 v4x1 s8x4 s126x2",
                "v2x1",
            ),
            (
                "tahiti",
                "buffer_load_dword v[2:3], v4, s[8:11], 0 offen tfe",
                "v4x1 s8x4 s126x2",
                "v2x2 part",
            ),
            (
                "tahiti",
                "image_sample_c_l v[4:6], v[8:11], s[8:15], s[16:19] dmask:0x7",
                "v8x4 s8x8 s16x4 s126x2",
                "v4x3",
            ),
            (
                "vega10",
                "flat_atomic_add v1, v[2:3], v4 glc",
                "v2x2 v4x1 s126x2 s102x2 guess",
                "v1x1",
            ),
            ("vega10", "global_load_dwordx3 v[4:6], v2, s[4:5]", "v2x1 s4x2 s126x2", "v4x3"),
            ("vega10", "ds_read_u8_d16_hi v1, v2", "v2x1 s126x2", "v1x1 part"),
            ("vega10", "v_swap_b32 v1, v2", "v1x1 v2x1 s126x2", "v1x1 v2x1"),
            ("vega10", "v_mad_mixhi_f16 v1, v2, v3, v4", "v2x1 v3x1 v4x1 s126x2", "v1x1 part"),
            (
                "vega10",
                "v_add_f32_dpp v1, v2, v3 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0",
                "v2x1 v3x1 s126x2",
                "v1x1",
            ),
            (
                "vega10",
                "v_add_f32_dpp v1, v2, v3 row_shr:1 row_mask:0xf bank_mask:0xf",
                "v2x1 v3x1 s126x2",
                "v1x1 part",
            ),
            ("vega10", "s_atomic_add s4, s[2:3], 0 glc", "s4x1 s2x2", "s4x1"),
            ("polaris10", "s_swappc_b64 s[0:1], s[2:3]", "s2x2", "s0x2"),
        ] {
            let target = Target::find(chip).expect(chip);
            let code = Code::from_lines(target, line, AddressCounts::Named).expect(line);
            let def_use = DefUse::of_all(&code, &text::no_checkpoint)[0];
            let words = |text: &str| -> Vec<String> {
                text.replace(" part", "_part")
                    .replace(" lane,", "_lane ")
                    .replace(" lane", "_lane")
                    .replace(" relative", "_relative")
                    .replace(" guess", "_guess")
                    .split(' ')
                    .filter(|word| !word.is_empty())
                    .map(|word| word.replace('_', " "))
                    .collect()
            };
            assert_eq!(names(def_use.reads()), words(reads), "reads of {line}");
            assert_eq!(names(def_use.writes()), words(writes), "writes of {line}");
        }
    }

    #[test]
    fn an_image_address_is_guessed_where_nobody_says() {
        let target = Target::find("polaris10").expect("a chip");
        let line = "image_sample v[4:7], v0, s[8:15], s[16:19] dmask:0xf";
        let code = Code::from_lines(target, line, AddressCounts::Unknown).expect(line);
        let reads = names(DefUse::of_all(&code, &text::no_checkpoint)[0].reads());
        assert_eq!(reads, ["v0x1", "v1x1 guess", "s8x8", "s16x4", "s126x2"]);
    }

    #[test]
    fn every_form_fits_its_lists() {
        for target in Target::all() {
            let set = InstructionSet::of(target);
            for desc in Opcode::all().flat_map(|opcode| set.forms_of(opcode)) {
                let reads = desc.operands().iter().filter(|(_, role)| *role != Role::Write).count();
                let writes = desc.operands().iter().filter(|(_, role)| *role != Role::Read).count();
                // EXEC, M0, SCC and what is like them; an address may be in two parts.
                assert!(
                    reads + 3 <= READS && writes + 3 <= WRITES,
                    "{} {reads} {writes}",
                    desc.name()
                );
            }
        }
    }
}

//! Registers as operands: their numbers and alignment.

use isa::gcn::Feature;

use super::register_names::write;
use crate::Target;

/// A kind of register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bank {
    /// A value of the whole wave. Its number is the operand code, so that the
    /// special registers have one too.
    Scalar,
    /// A value of each lane.
    Vector,
    /// The registers in which the matrix instructions of gfx908 add up.
    Accumulator,
}

impl Bank {
    /// All of them, those first that limit waves most often.
    pub const ALL: [Bank; 3] = [Bank::Vector, Bank::Accumulator, Bank::Scalar];
}

/// One or more consecutive registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Register {
    /// The kind.
    pub bank: Bank,
    /// The first: for scalar ones the operand code.
    pub first: u16,
    /// The number of them.
    pub dwords: u8,
}

/// Operand codes of the special scalar registers; of pairs that of the lower half.
pub mod code {
    /// FLAT_SCRATCH on gfx7, a pair.
    pub const FLAT_SCRATCH_GFX7: u16 = 104;
    /// FLAT_SCRATCH from gfx8 on, a pair.
    pub const FLAT_SCRATCH: u16 = 102;
    pub(crate) const XNACK_MASK: u16 = 104;
    /// VCC, a pair.
    pub const VCC: u16 = 106;
    pub(crate) const TBA: u16 = 108;
    pub(crate) const TMA: u16 = 110;
    pub(crate) const TTMP: u16 = 112;
    pub(crate) const TTMP_GFX9: u16 = 108;
    /// M0.
    pub const M0: u16 = 124;
    /// EXEC, a pair.
    pub const EXEC: u16 = 126;
    pub(crate) const SHARED_BASE: u16 = 235;
    pub(crate) const POPS_EXITING_WAVE_ID: u16 = 239;
    /// VCCZ and EXECZ: set where VCC and EXEC are zero.
    pub(crate) const VCCZ: u16 = 251;
    pub(crate) const EXECZ: u16 = 252;
    /// SCC.
    pub const SCC: u16 = 253;
    /// The word that M0 names in the local data share.
    pub(crate) const LDS_DIRECT: u16 = 254;
}

impl Register {
    /// Its name on a chip, as assemblers write it: `v[0:3]`, `vcc_lo`, `scc`.
    pub fn name(self, target: Target) -> String {
        let mut name = String::new();
        write(&mut name, self, target);
        name.strip_prefix("src_").map(str::to_owned).unwrap_or(name)
    }

    /// Scalar registers by operand code.
    pub(crate) fn scalar(first: u16, dwords: u8) -> Register {
        Register { bank: Bank::Scalar, first, dwords }
    }

    /// Vector registers by number.
    pub(crate) fn vector(first: u16, dwords: u8) -> Register {
        Register { bank: Bank::Vector, first, dwords }
    }

    /// Tells whether a single register is one of these.
    pub(crate) fn holds(self, single: Register) -> bool {
        let end = u32::from(self.first) + u32::from(self.dwords);
        self.bank == single.bank && self.first <= single.first && u32::from(single.first) < end
    }

    /// Tells whether they are vector registers that the target takes only from an even
    /// number on.
    pub(crate) fn is_odd_group(self, target: Target) -> bool {
        let is_odd = self.dwords > 1 && !self.first.is_multiple_of(2);
        self.bank != Bank::Scalar && is_odd && target.has(Feature::Gfx90aInsts)
    }

    /// Tells whether they are scalar registers that do not begin at a multiple of their size.
    pub(super) fn is_misaligned(self) -> bool {
        self.bank == Bank::Scalar && !self.first.is_multiple_of(alignment(self.dwords))
    }

    /// These registers one by one.
    pub(crate) fn singles(self) -> impl Iterator<Item = Register> {
        let at = move |place| Register { first: self.first + place, dwords: 1, ..self };
        (0..u16::from(self.dwords)).map(at)
    }

    /// Tells whether it is part of EXEC.
    pub(crate) fn is_exec(self) -> bool {
        self.bank == Bank::Scalar && (code::EXEC..=code::EXEC + 1).contains(&self.first)
    }

    /// Tells whether it is M0.
    pub(crate) fn is_m0(self) -> bool {
        self.bank == Bank::Scalar && self.first == code::M0
    }

    /// Tells whether it is the word that the local data share hands over.
    pub(crate) fn is_lds_direct(self) -> bool {
        self.bank == Bank::Scalar && self.first == code::LDS_DIRECT
    }

    /// Tells whether it can only be read: the bases of segments, the flags.
    pub(crate) fn is_read_only(self) -> bool {
        self.bank == Bank::Scalar && self.first >= code::SHARED_BASE
    }
}

/// The multiple at which a group of scalar registers begins.
pub(super) fn alignment(dwords: u8) -> u16 {
    match dwords {
        0 | 1 => 1,
        2 => 2,
        _ => 4,
    }
}

//! Parts of registers (SDWA) and values of other lanes (DPP).
//!
//! Source: GCN3 ISA, "SDWA" and "DPP"; the row of sixteen lanes is what DPP's controls
//! count in.

use isa::gcn::Feature;

use crate::operand::Fields;

/// A part of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SdwaSelect {
    Byte(u8),
    Word(u8),
    Whole,
}

impl SdwaSelect {
    /// The part of a code: bytes 0 to 3, words 4 and 5, all 6.
    pub(super) fn of(code: u32) -> SdwaSelect {
        match code {
            0..=3 => SdwaSelect::Byte(code as u8),
            4 | 5 => SdwaSelect::Word(code as u8 - 4),
            _ => SdwaSelect::Whole,
        }
    }

    fn shift(self) -> u32 {
        match self {
            SdwaSelect::Byte(place) => 8 * u32::from(place),
            SdwaSelect::Word(place) => 16 * u32::from(place),
            SdwaSelect::Whole => 0,
        }
    }

    fn mask(self) -> u32 {
        match self {
            SdwaSelect::Byte(_) => 0xff,
            SdwaSelect::Word(_) => 0xffff,
            SdwaSelect::Whole => u32::MAX,
        }
    }

    /// The part of a word, as a number without or with sign.
    pub(super) fn of_word(self, word: u32, extend: bool) -> u32 {
        let value = word >> self.shift() & self.mask();
        if extend { part_with_sign(self, value) } else { value }
    }

    /// A word whose part is another; the rest stays.
    pub(super) fn inserted(self, value: u64, old: u64) -> u64 {
        let mask = self.mask() << self.shift();
        u64::from(old as u32 & !mask | (value as u32) << self.shift() & mask)
    }
}

/// The part of the destination that SDWA writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sdwa {
    part: SdwaSelect,
    /// The rest of the destination becomes: 0 zeros, 1 the result's sign, 2 what was there.
    rest: u8,
}

impl Sdwa {
    pub(super) fn of(fields: &Fields, compares: bool) -> Sdwa {
        // A comparison has its mask there, from gfx9 on.
        if compares {
            return Sdwa { part: SdwaSelect::Whole, rest: 0 };
        }
        Sdwa { part: SdwaSelect::of(fields.get("dst_sel")), rest: fields.get("dst_unused") as u8 }
    }

    pub(super) fn placed(&self, value: u64, old: u64) -> u64 {
        match (self.part, self.rest) {
            (SdwaSelect::Whole, _) => value,
            (part, 2) => part.inserted(value, old),
            (part, 1) => u64::from(part_with_sign(part, value as u32) << part.shift()),
            (part, _) => part.inserted(value, 0),
        }
    }
}

fn part_with_sign(part: SdwaSelect, value: u32) -> u32 {
    match part {
        SdwaSelect::Byte(_) => value as i8 as u32,
        SdwaSelect::Word(_) => value as i16 as u32,
        SdwaSelect::Whole => value,
    }
}

/// The DPP control: the lane that the first source is read from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dpp {
    control: u32,
    /// BOUND_CTRL: a lane without a source reads 0 instead of keeping its result.
    zero: bool,
    banks: u32,
    rows: u32,
    /// A lane can be given to its whole row.
    gives_rows: bool,
}

impl Dpp {
    pub(super) fn of(fields: &Fields) -> Dpp {
        Dpp {
            control: fields.get("dpp_ctrl"),
            zero: fields.flag("bound_ctrl"),
            banks: fields.get("bank_mask"),
            rows: fields.get("row_mask"),
            gives_rows: fields.features.has(Feature::Gfx90aInsts),
        }
    }

    /// The lane that a lane reads: `None` where the lane is not written at all,
    /// `Some(None)` where it reads 0.
    pub(super) fn from(&self, lane: usize, exec: u64) -> Option<Option<usize>> {
        let (row, inside) = (lane / 16, lane % 16);
        let bank = inside / 4;
        if self.rows >> row & 1 == 0 || self.banks >> bank & 1 == 0 {
            return None;
        }
        let count = (self.control & 15) as usize;
        let in_row = |place: Option<usize>| place.filter(|it| *it < 16).map(|it| row * 16 + it);
        let from = match self.control {
            0..=0xff => {
                let quad = self.control >> (2 * (lane % 4)) & 3;
                Some(lane / 4 * 4 + quad as usize)
            }
            0x101..=0x10f => in_row(Some(inside + count)),
            0x111..=0x11f => in_row(inside.checked_sub(count)),
            0x121..=0x12f => in_row(Some((inside + 16 - count) % 16)),
            0x130 => Some(lane + 1).filter(|it| *it < 64),
            0x134 => Some((lane + 1) % 64),
            0x138 => lane.checked_sub(1),
            0x13c => Some((lane + 63) % 64),
            0x140 => in_row(Some(15 - inside)),
            0x141 => in_row(Some(inside / 8 * 8 + 7 - inside % 8)),
            // The last lane of the row before, and lane 31.
            0x142 => row.checked_sub(1).map(|row| row * 16 + 15),
            0x143 if lane >= 32 => Some(31),
            // A lane of each row, from MI200 on.
            0x150..=0x15f if self.gives_rows => in_row(Some(count)),
            _ => None,
        };
        // A lane that is not active is none to read from, unless zeros are asked for: then
        // too it gives zero.
        let valid = from.filter(|from| exec >> from & 1 == 1);
        match valid {
            Some(from) => Some(Some(from)),
            None if self.zero => Some(None),
            None => None,
        }
    }
}

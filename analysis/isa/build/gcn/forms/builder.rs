//! Builds the slots of a form from named fields.

use super::Chip;
use crate::plain::encoding::{Encoding, Layout};
use crate::plain::operand::{Operand, OperandSpec};
use crate::plain::slot::{
    Bits, CacheWords, Check, Flag, Key, NO_BIT, OffsetRule, ScalarOffset, Slot, SlotKind,
};

/// The slots of a form while they are added.
#[derive(Clone)]
pub(crate) struct Builder<'a> {
    pub(crate) chip: &'a Chip<'a>,
    pub(crate) encoding: Encoding,
    /// The layout of the second word, where it is an extension's.
    pub(crate) extension: Option<Layout>,
    pub(crate) slots: Vec<Slot>,
}

impl Builder<'_> {
    /// The lowest bit of a field of the form's own encoding.
    pub(crate) fn own(&self, name: &str) -> u8 {
        self.chip.low(Layout::Of(self.encoding), name)
    }

    /// The lowest bit of a field of the extension.
    pub(crate) fn second(&self, name: &str) -> u8 {
        self.extension.map_or(NO_BIT, |layout| self.chip.low(layout, name))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.own(name) != NO_BIT
    }

    /// Adds a slot in a field of the form's own encoding.
    pub(crate) fn push(&mut self, kind: SlotKind, name: &str) -> &mut Slot {
        self.push_at(kind, self.own(name))
    }

    /// Adds a slot that no field holds.
    pub(crate) fn push_word(&mut self, kind: SlotKind) -> &mut Slot {
        self.push_at(kind, 0)
    }

    /// Adds a slot whose lowest bit is known.
    pub(crate) fn push_at(&mut self, kind: SlotKind, low: u8) -> &mut Slot {
        let width = self.width(kind, low);
        self.slots.push(Slot { width, ..Slot::new(kind, low) });
        let last = self.slots.len() - 1;
        &mut self.slots[last]
    }

    /// Adds a slot that may be left out.
    pub(crate) fn option(&mut self, kind: SlotKind, name: &str, default: u32) {
        self.push(kind, name).default = Some(default);
    }

    /// Adds a slot of the extension, which may be left out.
    pub(crate) fn second_option(&mut self, kind: SlotKind, name: &str, default: u32) {
        self.push_at(kind, self.second(name)).default = Some(default);
    }

    /// Adds a word that sets a bit of a field, where the generation has the field.
    pub(crate) fn flag(&mut self, flag: Flag) {
        if self.has(flag.name()) {
            self.option(SlotKind::Flag(flag), flag.name(), 0);
        }
    }

    /// Adds the data of a memory operation: accumulation registers too, where a bit can say
    /// that they are.
    pub(crate) fn data(&mut self, dwords: u8, name: &str) {
        match self.own("acc") {
            NO_BIT => self.push(SlotKind::Vector { dwords }, name),
            bit => {
                let slot = self.push(SlotKind::VectorOrAccumulator { dwords }, name);
                slot.scalar = bit;
                slot
            }
        };
    }

    /// Adds what is said of caches.
    pub(crate) fn cache_policy(&mut self) {
        let is_scalar = matches!(self.encoding, Encoding::Smem | Encoding::Smrd);
        let words = match self.chip.has("gfx940-insts") && !is_scalar {
            true => CacheWords::Sc,
            false => CacheWords::Glc,
        };
        let (slc, scc) = (self.own("slc"), self.own("scc"));
        self.option(SlotKind::CachePolicy { slc, scc, words }, "glc", 0);
    }

    /// The bits that a slot fills: those of its field, where the kind does not say.
    fn width(&self, kind: SlotKind, low: u8) -> u8 {
        let of_number = |highest: i32, signed: bool| {
            (32 - highest.max(0).leading_zeros()) as u8 + u8::from(signed)
        };
        match kind {
            SlotKind::Vcc | SlotKind::Literal(_) => 0,
            _ if low == NO_BIT => 0,
            SlotKind::Off { code: 0 } => 0,
            SlotKind::Number { lowest, highest, .. } => of_number(highest, lowest < 0),
            SlotKind::Flag(_) | SlotKind::CachePolicy { .. } => 1,
            SlotKind::List { key: Key::OpSelHi, .. } => 2,
            SlotKind::List { sources, .. } => sources,
            SlotKind::Attribute => 6,
            // It shares its place with the selection of other results.
            SlotKind::Mask if self.extension == Some(Layout::Sdwa) => 7,
            SlotKind::IndexMode => 4,
            SlotKind::Format | SlotKind::FormatParts => 7,
            SlotKind::ScalarOffset(ScalarOffset::Byte | ScalarOffset::Literal) => 8,
            SlotKind::ScalarOffset(ScalarOffset::Unsigned20) => 20,
            SlotKind::ScalarOffset(ScalarOffset::Signed21 | ScalarOffset::Either21) => 21,
            _ => {
                let extension = self.extension.filter(|_| low >= 32);
                extension
                    .into_iter()
                    .chain([Layout::Of(self.encoding)])
                    .flat_map(|layout| self.chip.fields(layout))
                    .find(|field| field.low == low)
                    .map_or(0, |field| field.width)
            }
        }
    }
}

/// The slots of one way to write a form.
pub(crate) struct Variant {
    pub(crate) slots: Vec<Slot>,
    pub(crate) check: Check,
    /// More fixed bits.
    pub(crate) base: Bits,
    pub(crate) reads_vcc: bool,
}

impl Variant {
    pub(crate) fn new(slots: Vec<Slot>, check: Check) -> Variant {
        Variant { slots, check, base: 0, reads_vcc: false }
    }

    /// Takes the bit of the word `scc` away, which atomics on floats of gfx90a lack.
    pub(crate) fn without_scope_bit(&mut self) {
        for slot in &mut self.slots {
            if let SlotKind::CachePolicy { scc, words: words @ CacheWords::Glc, .. } =
                &mut slot.kind
            {
                (*scc, *words) = (NO_BIT, CacheWords::GlcWithoutScope);
            }
        }
    }
}

/// Tells whether a row is of a vector compare.
pub(crate) fn is_compare(spec: &OperandSpec) -> bool {
    matches!(spec.operands.first(), Some(Operand::Mask))
}

/// Returns what takes a number after a key.
pub(crate) fn number(key: Key, lowest: i32, highest: i32) -> SlotKind {
    SlotKind::Number { key, lowest, highest, rule: OffsetRule::Strict }
}

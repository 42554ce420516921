//! Builds the slots of a form from named fields.

use super::Chip;
use super::fields::Layout;
use crate::plain::encoding::Encoding;
use crate::plain::operand::{Operand, OperandRow};
use crate::plain::slot::{Check, Flag, Key, Kind, NO_BIT, ScalarOffset, Slot};

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
    /// The lowest bit of a field; a missing field is bit 0 of nothing.
    pub(crate) fn low(&self, layout: Layout, name: &str) -> u8 {
        self.chip.field(layout, name).map_or(NO_BIT, |field| field.low)
    }

    /// The lowest bit of a field of the form's own encoding.
    pub(crate) fn own(&self, name: &str) -> u8 {
        self.low(Layout::Of(self.encoding), name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.own(name) != NO_BIT
    }

    pub(crate) fn push(&mut self, kind: Kind, low: u8) -> &mut Slot {
        let width = self.width(kind, low);
        self.slots.push(Slot {
            kind,
            low,
            width,
            default: None,
            negate: NO_BIT,
            magnitude: NO_BIT,
            extend: NO_BIT,
            scalar: NO_BIT,
        });
        let last = self.slots.len() - 1;
        &mut self.slots[last]
    }

    /// The bits that a slot fills: those of its field, where the kind does not say.
    fn width(&self, kind: Kind, low: u8) -> u8 {
        let of_number = |highest: i32, signed: bool| {
            (32 - highest.max(0).leading_zeros()) as u8 + u8::from(signed)
        };
        match kind {
            Kind::Vcc | Kind::Literal(_) => 0,
            _ if low == NO_BIT => 0,
            Kind::Off { code: 0 } => 0,
            Kind::Number { lowest, highest, .. } => of_number(highest, lowest < 0),
            Kind::Flag(_) | Kind::CachePolicy { .. } => 1,
            Kind::List { key: Key::OpSelHi, .. } => 2,
            Kind::List { sources, .. } => sources,
            Kind::Attribute => 6,
            // It shares its place with the selection of other results.
            Kind::Mask if self.extension == Some(Layout::Sdwa) => 7,
            Kind::IndexMode => 4,
            Kind::Format | Kind::FormatParts => 7,
            Kind::ScalarOffset(ScalarOffset::Byte | ScalarOffset::Literal) => 8,
            Kind::ScalarOffset(ScalarOffset::Unsigned20) => 20,
            Kind::ScalarOffset(ScalarOffset::Signed21) => 21,
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

    /// A slot that may be left out.
    pub(crate) fn option(&mut self, kind: Kind, low: u8, default: u32) {
        self.push(kind, low).default = Some(default);
    }

    /// A word that sets a bit of a field, where the generation has the field.
    pub(crate) fn flag(&mut self, flag: Flag) {
        let low = self.own(flag.name());
        if low != NO_BIT {
            self.option(Kind::Flag(flag), low, 0);
        }
    }
}

/// The slots of one way to write a form.
pub(crate) struct Variant {
    pub(crate) slots: Vec<Slot>,
    pub(crate) check: Check,
    /// More fixed bits.
    pub(crate) base: u64,
    pub(crate) reads_vcc: bool,
}

impl Variant {
    pub(crate) fn new(slots: Vec<Slot>, check: Check) -> Variant {
        Variant { slots, check, base: 0, reads_vcc: false }
    }
}

/// Tells whether a row is of a vector compare.
pub(crate) fn is_compare(signature: &OperandRow) -> bool {
    matches!(signature.operands.first(), Some(Operand::Mask))
}

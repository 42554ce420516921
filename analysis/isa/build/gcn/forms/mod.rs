//! The forms of every opcode: what it looks like in each encoding, in both dialects, on
//! every set of features that chips have.

mod buffer;
mod builder;
mod clrx;
mod clrx_memory;
mod description;
pub(crate) mod fields;
mod matrix;
mod memory;
mod print;
mod scalar;
mod spellings;
mod vector;

use tables::Result;
use tables::print::array;

use self::builder::{Builder, Variant};
use self::fields::Field;
use self::spellings::Spelling;
use super::Input;
use super::chips::Features;
use super::operands::Operands;
use crate::plain::Generation;
use crate::plain::encoding::{self, Encoding, Extension, Layout, OpEncoding};
use crate::plain::names::Dialect;
use crate::plain::operand::{Class, Operand, OperandSpec};
use crate::plain::slot::{Bits, Check, NO_BIT, Slot, SlotKind, SourceSet};

/// One opcode in one encoding.
#[derive(Clone, PartialEq)]
pub(crate) struct Form {
    /// The number of its opcode.
    op: usize,
    encoding: Encoding,
    number: u16,
    extension: Extension,
    /// Identifying bits and opcode.
    base: Bits,
    /// Words without a literal.
    words: u8,
    slots: Vec<Slot>,
    check: Check,
    /// The number of the row of its operands.
    row: usize,
    /// Tells whether VCC is read though no operand says so.
    reads_vcc: bool,
}

/// A set of features, with the fields that chips with them have.
pub(crate) struct Chip<'a> {
    features: &'a Features,
    set: u64,
    place: usize,
    generation: Generation,
    fields: &'a [Field],
}

impl Chip<'_> {
    fn has(&self, feature: &str) -> bool {
        self.features.has(self.set, feature)
    }

    fn fields(&self, layout: Layout) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(move |it| it.layout == layout && it.when.holds(self.set))
    }

    fn field(&self, layout: Layout, name: &str) -> Option<&Field> {
        self.fields(layout).find(|field| field.name == name)
    }

    /// Returns the lowest bit of a field.
    fn low(&self, layout: Layout, name: &str) -> u8 {
        self.field(layout, name).map_or(NO_BIT, |field| field.low)
    }
}

/// The tables that forms are made of.
pub(crate) struct Tables<'a> {
    pub(crate) input: Input<'a>,
    pub(crate) operands: &'a Operands,
    pub(crate) fields: &'a [Field],
    /// For each opcode, for each set of features, the number of its behaviour.
    pub(crate) behaviours: &'a [Vec<Option<usize>>],
}

impl Tables<'_> {
    /// Returns the code for the forms, and for the opcode of each number.
    pub(crate) fn code(&self) -> Result<String> {
        let spellings = spellings::read(self.input)?;
        let mut printer = print::Printer::new(self);
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            for (place, set) in self.input.features.sets().iter().enumerate() {
                let generation = self.input.features.generation(*set);
                let (features, fields) = (self.input.features, self.fields);
                let chip = Chip { features, set: *set, place, generation, fields };
                printer.begin_set();
                for op in 0..self.input.ops.len() {
                    printer.add(&self.forms(&chip, op, dialect, &spellings), &chip);
                }
            }
        }
        Ok(printer.code() + &self.decoding()?)
    }

    /// Returns the forms of an opcode's name in the order of preference.
    fn forms(&self, chip: &Chip<'_>, op: usize, dialect: Dialect, all: &[Spelling]) -> Vec<Form> {
        let mut forms = Vec::new();
        if dialect == Dialect::Llvm && self.input.ops[op].source.starts_with("CLRX") {
            return forms;
        }
        self.build(chip, op, dialect, &mut forms);
        if !forms.is_empty() {
            return forms;
        }
        let spelling = all.iter().find(|it| it.is(op, dialect, chip.set));
        if let Some(Spelling { stands_for: Some(other), long, .. }) = spelling {
            self.build(chip, *other, dialect, &mut forms);
            if *long {
                keep_long(&mut forms);
            }
        }
        forms
    }

    fn build(&self, chip: &Chip<'_>, op: usize, dialect: Dialect, forms: &mut Vec<Form>) {
        let Some(row) = self.operands.of[op][chip.place] else { return };
        let operands = &self.operands.rows[row];
        if dialect == Dialect::Llvm && operands.flags.other_dialects() {
            return;
        }
        let mut encodings = self.input.ops[op].encodings(chip.set).to_vec();
        if dialect == Dialect::Clrx {
            encodings.extend(clrx::missing_long(&encodings, chip.generation));
            encodings.iter_mut().for_each(|it| *it = clrx::with_lane_movement(it));
        }
        let mut add = |extension: Extension, place: &OpEncoding| {
            let base = encoding::base_bits(place.encoding, place.opcode, chip.generation);
            let Some(base) = base else { return };
            let mut variants = Vec::new();
            slots(chip, operands, place, extension, &mut variants);
            for variant in variants {
                let words = match extension {
                    Extension::Sdwa | Extension::Dpp => 2,
                    Extension::None | Extension::Literal => encoding::words(place.encoding),
                };
                let form = Form {
                    op,
                    encoding: place.encoding,
                    number: place.opcode,
                    extension,
                    base: base | variant.base,
                    words,
                    slots: variant.slots,
                    check: variant.check,
                    row,
                    reads_vcc: variant.reads_vcc,
                };
                match dialect {
                    Dialect::Llvm => forms.push(form),
                    Dialect::Clrx => clrx::adapt(form, operands, chip, forms),
                }
            }
        };
        // The short encodings come first: who asks for none gets the shortest.
        let is_long = |place: &&OpEncoding| place.encoding.is_long_vector();
        let (long, short): (Vec<_>, Vec<_>) = encodings.iter().partition(is_long);
        short.into_iter().chain(long).for_each(|place| add(Extension::None, place));
        encodings.iter().filter(|it| it.sdwa).for_each(|place| add(Extension::Sdwa, place));
        encodings.iter().filter(|it| it.dpp).for_each(|place| add(Extension::Dpp, place));
    }

    /// Prints, for each set of features, the opcode of each number of each encoding.
    fn decoding(&self) -> Result<String> {
        let mut starts = vec![0];
        for encoding in Encoding::ALL {
            let encodings = self.input.ops.iter().flat_map(|op| &op.encodings).flat_map(|it| &it.1);
            let own = encodings.filter(|place| place.encoding == encoding).map(|it| it.opcode);
            let length = own.max().map_or(0, |highest| highest + 1);
            starts.push(starts[starts.len() - 1] + length);
        }
        let mut tables = Vec::new();
        for set in self.input.features.sets() {
            let mut opcodes = vec![u16::MAX; usize::from(starts[starts.len() - 1])];
            for (number, op) in self.input.ops.iter().enumerate() {
                for place in op.encodings(*set) {
                    let start = starts[place.encoding as usize];
                    let known = &mut opcodes[usize::from(start + place.opcode)];
                    if *known != u16::MAX {
                        let other = &self.input.ops[usize::from(*known)].name;
                        return Err(
                            format!("gcn/opcodes.tsv: `{}` is `{other}` too", op.name).into()
                        );
                    }
                    *known = number as u16;
                }
            }
            tables.push(format!("    {opcodes:?},\n"));
        }
        let numbers = format!("[u16; {}]", starts[starts.len() - 1]);
        let starts = format!("static ENCODING_STARTS: [u16; {}] = {starts:?};\n", starts.len());
        Ok(starts + &array("DECODING", &numbers, &tables))
    }
}

/// Adds the ways to write an opcode in an encoding.
fn slots(
    chip: &Chip<'_>,
    operands: &OperandSpec,
    place: &OpEncoding,
    extension: Extension,
    variants: &mut Vec<Variant>,
) {
    let layout = match extension {
        Extension::Sdwa => Some(Layout::Sdwa),
        Extension::Dpp => Some(Layout::Dpp),
        Extension::None | Extension::Literal => None,
    };
    let builder = Builder { chip, encoding: place.encoding, extension: layout, slots: Vec::new() };
    match operands.class {
        Class::Vector => vector::slots(builder, operands, extension, variants),
        Class::Scalar => scalar::slots(builder, operands, variants),
        Class::Matrix => matrix::slots(builder, operands, variants),
        Class::Interpolation => vector::interpolation(builder, operands, variants),
        Class::ScalarMemory => memory::scalar(builder, operands, variants),
        Class::DataShare => memory::data_share(builder, operands, variants),
        Class::Flat => memory::flat(builder, operands, variants),
        Class::Buffer => buffer::slots(builder, operands, variants),
        Class::Image => buffer::image(builder, operands, variants),
        Class::Export => memory::export(builder, variants),
    }
}

/// Leaves only the long forms, with a vector register as second source.
fn keep_long(forms: &mut Vec<Form>) {
    forms.retain(|form| form.encoding == Encoding::Vop3);
    for form in forms {
        let second = form.slots.iter_mut().rev().find_map(|slot| match &mut slot.kind {
            SlotKind::Source(source) => Some(source),
            _ => None,
        });
        if let Some(source) = second {
            source.from = SourceSet::Vector;
        }
    }
}

/// Tells whether a result is a float.
fn has_float_result(operands: &OperandSpec) -> bool {
    matches!(operands.operands.first(), Some(Operand::Number { ty, .. }) if ty.is_float())
}

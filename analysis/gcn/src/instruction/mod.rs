//! The instruction set: what every mnemonic takes, from text to words and back.
//!
//! One set of tables (`data/mnemonics.tsv`, `operands.tsv`, `fields.tsv`) says
//! which forms a mnemonic has on a chip; [`assemble_line`] fills a form's slots
//! from operands, and the decoder reads the same slots from words.

mod buffer_format;
mod check;
mod clrx;
mod constant;
mod cursor;
mod decode;
mod encode;
mod error;
mod exact;
mod expression;
mod fields;
mod fill_slot;
pub(crate) mod form;
pub(crate) mod image;
#[cfg(test)]
mod judged_tests;
pub(crate) mod message;
pub(crate) mod modifier;
pub(crate) mod names;
mod operands;
mod parse;
mod pieces;
mod print;
mod register;
mod register_names;
mod register_operand;
pub(crate) mod set;
mod slot_text;
mod source;
pub(crate) mod special;
pub mod suggest;

pub use crate::expression::{NoSymbols, Symbols};
pub use buffer_format::{DATA as DATA_FORMATS, NUMBER as NUMBER_FORMATS};
pub use decode::{Decoded, decode};
pub(crate) use decode::{Found, Recognised, find as find_form, recognise, registers};
pub use encode::{Fixup, FixupKind};
pub use error::LineError;
pub(crate) use exact::assembles_to;
pub use fields::{Field, Layout, field, fields};
pub use operands::{Class, Immediate, NumberKind, OpFlags, Operand, OperandSpec, Origin, Type};
pub(crate) use pieces::{Pieces, write_line};
pub use register::{Bank, Register, code};
pub use set::InstructionSet;

pub(crate) use register_names::special as special_register;
pub(crate) use register_operand::{Family, numbered as numbered_registers};
pub(crate) use special::{COUNTERS, counter_limit, counter_name, counter_value, no_wait};

use std::cell::Cell;

use crate::codes;
use crate::dialect::Dialect;
use crate::encoding::{Encoding, Extension};
use crate::mnemonics::{FormSuffix, OpInfo, Opcode};
use crate::targets::Feature;
use crate::{Generation, Target, mnemonics};
use cursor::Cursor;
use encode::{Mismatch, Reason};
use form::InstDesc;
use parse::Context;

/// An instruction's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assembled {
    words: [u32; 4],
    count: u8,
    /// A value that was not known yet: zero stands in its place.
    pub fixup: Option<Fixup>,
    /// One more than the highest vector register, numbered scalar register and accumulation
    /// register that the operands name; 0 where they name none.
    pub registers: [u16; 3],
}

impl Assembled {
    /// The words: one, two or four.
    pub fn words(&self) -> &[u32] {
        &self.words[..usize::from(self.count)]
    }

    /// Puts a value that came later into its place: the literal, or a distance in
    /// words.
    pub fn apply_fixup(&mut self, value: u32) {
        match self.fixup.take().map(|fixup| fixup.kind) {
            Some(FixupKind::Literal) => self.words[1] = value,
            Some(FixupKind::Branch) => self.words[0] |= value & 0xffff,
            Some(FixupKind::Registers) | None => {}
        }
    }

    /// Puts another distance in words into a jump.
    pub(crate) fn set_distance(&mut self, words: i16) {
        self.words[0] = self.words[0] & !0xffff | u32::from(words as u16);
    }

    /// The bytes in the order of memory.
    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        self.words().iter().flat_map(|word| word.to_le_bytes())
    }
}

/// Tells whether a form is one that the suffix of a mnemonic asks for. In CLRX it asks
/// instructions without a long encoding for as many words.
fn is_asked_for(suffix: Option<FormSuffix>, form: &InstDesc, dialect: Dialect) -> bool {
    let sized = dialect == Dialect::Clrx && !form.encoding.is_vector();
    let long = sized || form.encoding.is_long_vector();
    // LLVM still takes the suffix of the encoding that moves between lanes had before gfx8.
    let either = sized || form.flags().lane();
    match suffix {
        None => true,
        Some(FormSuffix::Short) => form.extension == Extension::None && (either || !long),
        Some(FormSuffix::Long) => long,
        Some(FormSuffix::Sdwa) => form.extension == Extension::Sdwa,
        Some(FormSuffix::Dpp) => form.extension == Extension::Dpp,
    }
}

/// Returns what a suffix asks for, in words.
fn title(suffix: Option<FormSuffix>) -> &'static str {
    match suffix {
        None => "encoding",
        Some(FormSuffix::Short) => "32-bit encoding",
        Some(FormSuffix::Long) => "64-bit encoding",
        Some(FormSuffix::Sdwa) => "SDWA form",
        Some(FormSuffix::Dpp) => "DPP form",
    }
}

/// Assembles the instruction of a line: a mnemonic and its operands, with or
/// without a comment after them, in the dialect of the set.
///
/// # Errors
/// Where the line is not an instruction of the chip. Never panics.
pub fn assemble_line(
    line: &str,
    set: InstructionSet,
    symbols: &dyn Symbols,
) -> Result<Assembled, LineError> {
    if set.dialect() == Dialect::Clrx {
        return clrx::assemble(line, set, symbols);
    }
    let Mnemonic { opcode, suffix: asked, place, context } = mnemonic(line, set, symbols)?;
    let mut cursor = Cursor { at: place.end, ..Cursor::new(line, Dialect::Llvm, &context) };
    let target = set.target();
    // Filled in place: the list is too large to be moved for every line.
    let mut operands = parse::Operands::new();
    parse::parse_operands(&mut cursor, &mut operands)?;
    match encoded(opcode, asked, operands.as_slice(), set) {
        Ok(assembled) => Ok(assembled),
        Err(Refusal::Broken(broken)) => Err(encode::line_error(broken, operands.as_slice())),
        Err(Refusal::Mismatch(form, mismatch)) => {
            Err(mismatched((set.forms_of(opcode), form), mismatch, &mut operands, target, place))
        }
        Err(Refusal::NoForm) => {
            Err(LineError::new(codes::UNAVAILABLE, place, unavailable(opcode, asked, set)))
        }
    }
}

/// The reason why operands make no instruction.
enum Refusal {
    /// The chip has no such form.
    NoForm,
    /// They fill the slots of no form; this one they fit best.
    Mismatch(&'static InstDesc, Mismatch),
    /// They break a rule over the whole of the instruction.
    Broken(check::Broken),
}

/// Encodes operands in the first form whose slots they fill.
fn encoded(
    opcode: Opcode,
    asked: Option<FormSuffix>,
    operands: &[parse::Parsed],
    set: InstructionSet,
) -> Result<Assembled, Refusal> {
    let mut best: Option<(&InstDesc, Mismatch)> = None;
    for form in set.forms_of(opcode).iter().filter(|it| is_asked_for(asked, it, Dialect::Llvm)) {
        match encode::fill(form, operands, set.target()) {
            Ok(assembly) => {
                check::check(&assembly, operands).map_err(Refusal::Broken)?;
                return Ok(finish(&assembly, operands));
            }
            Err(mismatch) => {
                if best.is_none_or(|(_, best)| mismatch.operand >= best.operand) {
                    best = Some((form, mismatch));
                }
            }
        }
    }
    Err(best.map_or(Refusal::NoForm, |(form, mismatch)| Refusal::Mismatch(form, mismatch)))
}

/// Says why operands do not fill the slots of the form that they fit best.
#[cold]
fn mismatched(
    (forms, form): (&[InstDesc], &InstDesc),
    mismatch: Mismatch,
    operands: &mut parse::Operands,
    target: Target,
    mnemonic: std::ops::Range<usize>,
) -> LineError {
    let sizes = image::sizes_in_words(forms, mismatch.reason);
    let Some(operand) = operands.as_slice().get(mismatch.operand) else {
        let wanted = match mismatch.reason {
            Reason::Wanted(kind) => sizes.unwrap_or_else(|| message::describe(kind)),
            _ => "an operand".to_owned(),
        };
        let message = format!("`{}` also needs {wanted}", form.name());
        return LineError::new(codes::MISSING_OPERAND, mnemonic, message);
    };
    if let Some((operand, message)) = message::address(form, mismatch, operands.as_slice()) {
        return LineError::new(codes::OPERAND, operand.range(), message);
    }
    let (code, mut message) = message::explain(form, mismatch, operand, target.processor());
    if let Some(sizes) = sizes {
        message = format!("`{}` takes {sizes} here", form.name());
    }
    let mut error = LineError::new(code, operand.range(), message);
    error.cut = cut_offset(form, mismatch, operands, target);
    error
}

/// Returns what LLVM and CLRX make of an offset of a buffer that is too large: they keep its
/// low bits.
fn cut_offset(
    form: &InstDesc,
    mismatch: Mismatch,
    operands: &mut parse::Operands,
    target: Target,
) -> Option<Assembled> {
    let Reason::Range(_, highest) = mismatch.reason else { return None };
    match &mut operands.as_mut_slice().get_mut(mismatch.operand)?.value {
        parse::Value::Keyed(modifier::Key::Offset, value)
            if matches!(form.encoding, Encoding::Mubuf | Encoding::Mtbuf) =>
        {
            *value &= highest;
        }
        _ => return None,
    }
    let operands = operands.as_slice();
    let assembly = encode::fill(form, operands, target).ok()?;
    check::check(&assembly, operands).ok()?;
    Some(finish(&assembly, operands))
}

/// A mnemonic that the target has.
struct Mnemonic<'a> {
    opcode: Opcode,
    /// The encoding that it asks for.
    suffix: Option<FormSuffix>,
    /// Its bytes of the line.
    place: std::ops::Range<usize>,
    /// The context of the operands behind it.
    context: Context<'a>,
}

/// Reads the mnemonic of a line.
fn mnemonic<'a>(
    line: &str,
    set: InstructionSet,
    symbols: &'a dyn Symbols,
) -> Result<Mnemonic<'a>, LineError> {
    let target = set.target();
    let nothing = Context {
        target,
        symbols,
        special: [None, None],
        encoding: Encoding::Sopp,
        cut: Cell::new(None),
    };
    let mut cursor = Cursor::new(line, set.dialect(), &nothing);
    cursor.skip_blanks();
    let start = cursor.at;
    let word = cursor.word();
    let place = start..cursor.at;
    if word.is_empty() {
        return Err(cursor.unexpected("a mnemonic is expected"));
    }
    let Some((opcode, asked)) = find(word, set.dialect()) else {
        let message = format!("no instruction is called `{word}`");
        return Err(LineError::new(codes::UNKNOWN_MNEMONIC, place, message));
    };
    if set.dialect() == Dialect::Clrx {
        clrx::known(word, &place, set.target())?;
    }
    let forms = set.forms_of(opcode);
    if !forms.iter().any(|form| is_asked_for(asked, form, set.dialect())) {
        return Err(LineError::new(codes::UNAVAILABLE, place, unavailable(opcode, asked, set)));
    }
    let encoding = forms.first().map_or(Encoding::Sopp, |form| form.encoding);
    let context =
        Context { special: set.special_of(opcode), encoding, cut: Cell::new(None), ..nothing };
    Ok(Mnemonic { opcode, suffix: asked, place, context })
}

/// The mnemonic of a word and the encoding it asks for.
fn find(word: &str, dialect: Dialect) -> Option<(Opcode, Option<FormSuffix>)> {
    let spelled = |word: &str| {
        let (base, suffix) = mnemonics::split_suffix(word);
        Some((Opcode::find_in(base, dialect)?, suffix))
    };
    // Nearly all are in small letters, as the tables have them.
    spelled(word).or_else(|| {
        let has_capitals = word.bytes().any(|byte| byte.is_ascii_uppercase());
        has_capitals.then(|| spelled(&word.to_ascii_lowercase())).flatten()
    })
}

fn finish(assembly: &encode::Assembly<'_>, operands: &[parse::Parsed]) -> Assembled {
    let bits = assembly.bits;
    let mut words = [0, 32, 64, 96].map(|low| (bits >> low) as u32);
    let mut count = assembly.form.words;
    if let Some(literal) = assembly.literal {
        words[1] = literal;
        count = 2;
    }
    let registers = highest_registers(assembly.form, operands, assembly.target);
    Assembled { words, count, fixup: assembly.fixup, registers }
}

/// One more than the highest registers that operands name.
fn highest_registers(form: &InstDesc, operands: &[parse::Parsed], target: Target) -> [u16; 3] {
    let scalars = target.row().limits.sgpr_addressable as u16;
    let mut highest = [0; 3];
    for (index, operand) in operands.iter().enumerate() {
        let Some(register) = operand.register() else { continue };
        // Addresses of images are often written wider than what is read.
        let is_address = form.encoding == Encoding::Mimg && index == 1;
        let count = if is_address { 1 } else { u16::from(register.dwords) };
        let place = match register.bank {
            Bank::Vector => 0,
            Bank::Scalar if register.first < scalars => 1,
            Bank::Scalar => continue,
            Bank::Accumulator => 2,
        };
        highest[place] = highest[place].max(register.first + count);
    }
    highest
}

/// Says why a chip has no such form: which have it.
fn unavailable(opcode: Opcode, asked: Option<FormSuffix>, set: InstructionSet) -> String {
    let (target, generation) = (set.target().processor(), set.target().generation());
    let info = opcode.row();
    if !set.forms_of(opcode).is_empty() {
        return format!("`{}` has no {} on {target}", info.name, title(asked));
    }
    let having: Vec<Generation> = Generation::ALL
        .into_iter()
        .filter(|generation| !info.generation_forms(*generation).is_empty())
        .collect();
    match (having.first(), having.last()) {
        (Some(first), _) if *first > generation => {
            format!("`{}` needs {first}00 or later; the target is {target}", info.name)
        }
        (_, Some(last)) if *last < generation => {
            format!("`{}` was removed after {last}; the target is {target}", info.name)
        }
        _ => absent(info, set.target()),
    }
}

/// Says which chips of its generation have an opcode that a chip lacks.
fn absent(info: &OpInfo, target: Target) -> String {
    let own = |it: &Target| it.name() == it.processor() && !info.forms(*it).is_empty();
    let having: Vec<Target> = Target::all().filter(own).collect();
    let (name, chip) = (info.name, target.processor());
    let levels = || having.iter().map(|it| compute_level(*it));
    let level = compute_level(target);
    match (having.first(), having.iter().max_by_key(|it| compute_level(**it))) {
        (Some(_), Some(last)) if levels().all(|it| it < level) => {
            format!("`{name}` was removed after {}; the target is {chip}", last.name())
        }
        (Some(first), _) if levels().all(|it| it >= level) => {
            format!("`{name}` came with {}; the target is {chip}", first.name())
        }
        _ => format!("`{name}` does not exist on {chip}"),
    }
}

/// Returns the step of a chip in the line of those for computing alone, from MI100 on; 0 for all
/// others.
fn compute_level(target: Target) -> usize {
    let steps = [Feature::Mai, Feature::Gfx90aInsts, Feature::Gfx940Insts, Feature::Gfx950Insts];
    steps.iter().filter(|step| target.has(**step)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// llvm-mc 19 reads all of them.
    #[test]
    fn blanks_stand_anywhere_in_signs() {
        let set = InstructionSet::of(Target::find("gfx900").expect("gfx900"));
        let words = |line: &str| assemble_line(line, set, &NoSymbols).expect(line).words().to_vec();
        let plain = words("v_add_f32_e64 v0, -v1, |v2|");
        for line in [
            "v_add_f32_e64 v0, neg(v1), abs(v2)",
            "v_add_f32_e64 v0, neg (v1), abs (v2)",
            "v_add_f32_e64 v0, neg ( v1 ) , abs\t( v2 )",
            "v_add_f32_e64 v0, - v1, | v2 |",
        ] {
            assert_eq!(words(line), plain, "{line}");
        }
        let [close, apart] = ["sext(v2)", "sext (v2)"]
            .map(|it| words(&format!("v_mov_b32_sdwa v1, {it} src0_sel:BYTE_0")));
        assert_eq!(close, apart);
    }

    #[test]
    fn opcodes_that_a_chip_lacks_are_of_others() {
        let said = |line: &str, chip: &str| {
            let set = InstructionSet::of(Target::find(chip).expect(chip));
            assemble_line(line, set, &NoSymbols).expect_err(line).message
        };
        for (line, chip, expected) in [
            ("v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", "gfx900", "came with gfx90a"),
            ("v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", "gfx908", "came with gfx90a"),
            ("v_mov_b64 v[0:1], v[2:3]", "gfx90a", "came with gfx942"),
            ("v_prng_b32 v0, v1", "gfx942", "came with gfx950"),
            ("v_dot2_f32_f16 v0, v1, v2, v3", "gfx900", "came with gfx906"),
            ("v_mac_f32 v0, v1, v2", "gfx942", "was removed after gfx90a"),
            ("buffer_wbinvl1", "gfx950", "was removed after gfx90a"),
            ("v_interp_p1_f32 v0, v1, attr0.x", "gfx90a", "was removed after gfx908"),
            (
                "v_mfma_f32_16x16x8_xf32 v[0:3], v[4:5], v[6:7], v[0:3]",
                "gfx950",
                "was removed after gfx942",
            ),
        ] {
            let message = said(line, chip);
            assert!(message.contains(expected), "{line} on {chip}: {message}");
        }
    }
}

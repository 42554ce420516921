//! The encodings: their identifying bits, and the length of instructions.
//!
//! An instruction is one or two 32-bit words, or four. One word may be followed by
//! another that an operand asks for: a literal, or the lane and byte selection
//! of DPP and SDWA. The layouts are those of the ISA manuals of AMD (Southern
//! Islands 2012, Sea Islands 2013, GCN3 2016, Vega 2017).

use super::Generation;
use super::slot::Bits;

named! {
    /// A family of instructions with one layout.
    Encoding {
        /// Scalar, two sources.
        Sop2 "SOP2",
        /// Scalar, 16-bit immediate.
        Sopk "SOPK",
        /// Scalar, one source.
        Sop1 "SOP1",
        /// Scalar compare.
        Sopc "SOPC",
        /// Program control.
        Sopp "SOPP",
        /// Scalar memory read of gfx6 and gfx7.
        Smrd "SMRD",
        /// Scalar memory from gfx8 on.
        Smem "SMEM",
        /// Vector, two sources.
        Vop2 "VOP2",
        /// Vector, one source.
        Vop1 "VOP1",
        /// Vector compare.
        Vopc "VOPC",
        /// Vector, three sources or modifiers.
        Vop3 "VOP3",
        /// Packed vector (gfx9).
        Vop3p "VOP3P",
        /// Matrices with scales: two words of the packed layout after another two (gfx950).
        Vop3px "VOP3PX",
        /// Parameter interpolation.
        Vintrp "VINTRP",
        /// Local and global data share.
        Ds "DS",
        /// Flat memory (from gfx7 on).
        Flat "FLAT",
        /// Global memory in the flat layout (gfx9).
        Global "GLOBAL",
        /// Scratch memory in the flat layout (gfx9).
        Scratch "SCRATCH",
        /// Untyped buffer.
        Mubuf "MUBUF",
        /// Typed buffer.
        Mtbuf "MTBUF",
        /// Image.
        Mimg "MIMG",
        /// Export.
        Exp "EXP",
    }
}

impl Encoding {
    /// Tells whether it is of vector arithmetic or interpolation, some of which is short
    /// and long.
    pub fn is_vector(self) -> bool {
        use Encoding::{Vintrp, Vop1, Vop2, Vop3, Vop3p, Vop3px, Vopc};
        matches!(self, Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vop3px | Vintrp)
    }

    /// Tells whether it is of vector arithmetic, and longer than a word.
    pub fn is_long_vector(self) -> bool {
        matches!(self, Encoding::Vop3 | Encoding::Vop3p | Encoding::Vop3px)
    }

    /// Tells whether it is of the scalar unit.
    pub fn is_scalar(self) -> bool {
        match self {
            Encoding::Sop2
            | Encoding::Sopk
            | Encoding::Sop1
            | Encoding::Sopc
            | Encoding::Sopp
            | Encoding::Smrd
            | Encoding::Smem => true,
            Encoding::Vop2
            | Encoding::Vop1
            | Encoding::Vopc
            | Encoding::Vop3
            | Encoding::Vop3p
            | Encoding::Vop3px
            | Encoding::Vintrp
            | Encoding::Ds
            | Encoding::Flat
            | Encoding::Global
            | Encoding::Scratch
            | Encoding::Mubuf
            | Encoding::Mtbuf
            | Encoding::Mimg
            | Encoding::Exp => false,
        }
    }
}

spelled! {
    /// The word behind the encoding's own.
    pub enum Extension {
        /// Nothing.
        None,
        /// A 32-bit constant.
        Literal,
        /// Byte and word selection of the operands (from gfx8 on).
        Sdwa,
        /// Movement between lanes (from gfx8 on).
        Dpp,
    }
}

/// The outline of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InstLayout {
    /// Its encoding.
    pub encoding: Encoding,
    /// The number within the encoding.
    pub opcode: u16,
    /// The word that follows.
    pub extension: Extension,
    /// All of it, in 32-bit words: 1, 2 or 4.
    pub words: u8,
}

/// The reason why words are not an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Undecodable {
    /// No encoding of the generation has these identifying bits.
    Unassigned,
    /// The second word is missing.
    Truncated,
}

/// Words with fields: those of an encoding, or an extension's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// The encoding's own words.
    Of(Encoding),
    /// Byte and word selection.
    Sdwa,
    /// Lane movement.
    Dpp,
}

impl Layout {
    /// Lists all of them.
    pub fn all() -> impl Iterator<Item = Layout> {
        Encoding::ALL.into_iter().map(Layout::Of).chain([Layout::Sdwa, Layout::Dpp])
    }

    /// Returns its name in the table of fields.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Of(encoding) => encoding.name(),
            Layout::Sdwa => "SDWA",
            Layout::Dpp => "DPP",
        }
    }
}

/// An opcode's place in an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpEncoding {
    /// The encoding.
    pub encoding: Encoding,
    /// The number within it.
    pub opcode: u16,
    /// Tells whether it also takes lane movement.
    pub dpp: bool,
    /// Tells whether it also takes byte and word selection.
    pub sdwa: bool,
}

/// Says how an encoding is told and where its opcode is.
#[derive(Clone, Copy)]
struct Outline {
    encoding: Encoding,
    /// The first word, masked, has this value.
    mask: u32,
    value: u32,
    /// The lowest bit of the opcode, and its width.
    opcode: (u32, u32),
    /// Words without extension.
    words: u8,
}

const fn layout(encoding: Encoding, id: u32, width: u32, opcode: (u32, u32), words: u8) -> Outline {
    let mask = u32::MAX << (32 - width);
    Outline { encoding, mask, value: id << (32 - width), opcode, words }
}

/// A flat layout of gfx9, where two more bits tell the segment.
const fn segment(encoding: Encoding, segment: u32) -> Outline {
    let mask = (0x3f << 26) | (3 << 14);
    Outline { encoding, mask, value: (0b110111 << 26) | (segment << 14), opcode: (18, 7), words: 2 }
}

// In each list the longer identifying bits come first: SOP1 is a hole in SOPK's
// opcodes, SOPK one in SOP2's, VOP1 and VOPC in VOP2's. Those of the generations all
// begin with two ones, which no shared layout without its longer bits has.
const SHARED: &[Outline] = &[
    layout(Encoding::Sop1, 0b1_0111_1101, 9, (8, 8), 1),
    layout(Encoding::Sopc, 0b1_0111_1110, 9, (16, 7), 1),
    layout(Encoding::Sopp, 0b1_0111_1111, 9, (16, 7), 1),
    layout(Encoding::Vop1, 0b0111111, 7, (9, 8), 1),
    layout(Encoding::Vopc, 0b0111110, 7, (17, 8), 1),
    layout(Encoding::Mubuf, 0b111000, 6, (18, 7), 2),
    layout(Encoding::Mimg, 0b111100, 6, (18, 7), 2),
    layout(Encoding::Sopk, 0b1011, 4, (23, 5), 1),
    layout(Encoding::Sop2, 0b10, 2, (23, 7), 1),
    layout(Encoding::Vop2, 0b0, 1, (25, 6), 1),
];
const GFX6_GFX7: &[Outline] = &[
    layout(Encoding::Vop3, 0b110100, 6, (17, 9), 2),
    layout(Encoding::Vintrp, 0b110010, 6, (16, 2), 1),
    layout(Encoding::Ds, 0b110110, 6, (18, 8), 2),
    layout(Encoding::Mtbuf, 0b111010, 6, (16, 3), 2),
    layout(Encoding::Exp, 0b111110, 6, (0, 0), 2),
    layout(Encoding::Smrd, 0b11000, 5, (22, 5), 1),
];
// GFX8 has gfx7's flat layout.
const GFX7_GFX8: &[Outline] = &[layout(Encoding::Flat, 0b110111, 6, (18, 7), 2)];
const GFX8_GFX9: &[Outline] = &[
    layout(Encoding::Vop3, 0b110100, 6, (16, 10), 2),
    layout(Encoding::Vintrp, 0b110101, 6, (16, 2), 1),
    layout(Encoding::Ds, 0b110110, 6, (17, 8), 2),
    layout(Encoding::Mtbuf, 0b111010, 6, (15, 4), 2),
    layout(Encoding::Exp, 0b110001, 6, (0, 0), 2),
    layout(Encoding::Smem, 0b110000, 6, (18, 8), 2),
];
// VOP3P is a hole in VOP3's opcodes.
const GFX9_ONLY: &[Outline] = &[
    layout(Encoding::Vop3p, 0b1_1010_0111, 9, (16, 7), 2),
    segment(Encoding::Flat, 0),
    segment(Encoding::Scratch, 1),
    segment(Encoding::Global, 2),
];

/// Operand codes that ask for another word.
const SDWA: u32 = 249;
const DPP: u32 = 250;
const LITERAL: u32 = 255;

/// The shape of the instruction that begins with `words[0]`.
///
/// # Errors
/// Where no encoding fits, or the words end too early. Never panics.
pub fn shape(words: &[u32], generation: Generation) -> Result<InstLayout, Undecodable> {
    let first = *words.first().ok_or(Undecodable::Truncated)?;
    let layout = find(first, generation).ok_or(Undecodable::Unassigned)?;
    if let Some(opcode) = scaled(words, generation) {
        let (encoding, extension) = (Encoding::Vop3px, Extension::None);
        return Ok(InstLayout { encoding, opcode, extension, words: SCALED_WORDS });
    }
    let (lowest, width) = layout.opcode;
    let opcode = ((first >> lowest) & ((1 << width) - 1)) as u16;
    let extension = extension(first, layout.encoding, opcode, generation);
    let length = layout.words + u8::from(extension != Extension::None);
    if words.len() < usize::from(length) {
        return Err(Undecodable::Truncated);
    }
    Ok(InstLayout { encoding: layout.encoding, opcode, extension, words: length })
}

/// The first word of the layout of matrices with scales, whose opcode is in the third.
const SCALES: u32 = 0xd3ac_0000;
/// The third word of it but its opcode, and the bits by which it is told.
const SCALED: u32 = 0xd380_0800;
const SCALED_MASK: u32 = 0xff80_0000;
const SCALED_WORDS: u8 = 4;
/// The opcodes that a word of scales stands before.
const WITH_SCALES: [u16; 2] = [45, 46];

/// Returns the opcode of a matrix instruction with scales.
fn scaled(words: &[u32], generation: Generation) -> Option<u16> {
    let [first, _, third, _, ..] = *words else { return None };
    let begins = generation == Generation::Gfx9 && first & 0xffff_0000 == SCALES;
    let opcode = (third >> 16 & 0x7f) as u16;
    let is_it = begins && third & SCALED_MASK == SCALED & SCALED_MASK;
    (is_it && WITH_SCALES.contains(&opcode)).then_some(opcode)
}

/// The words of an instruction whose fields are all 0, the first one lowest; `None` where
/// the generation lacks the encoding.
pub fn base_bits(encoding: Encoding, opcode: u16, generation: Generation) -> Option<Bits> {
    if encoding != Encoding::Vop3px {
        return base(encoding, opcode, generation).map(Bits::from);
    }
    let third = SCALED | u32::from(opcode) << 16;
    (generation == Generation::Gfx9).then_some(Bits::from(SCALES) | Bits::from(third) << 64)
}

/// The first word of an instruction whose fields are all 0; `None` where the generation
/// lacks the encoding.
pub fn base(encoding: Encoding, opcode: u16, generation: Generation) -> Option<u32> {
    if encoding == Encoding::Vop3px {
        return (generation == Generation::Gfx9).then_some(SCALES);
    }
    let layout = layouts(generation).iter().find(|layout| layout.encoding == encoding)?;
    Some(layout.value | u32::from(opcode) << layout.opcode.0)
}

/// The bits that tell the encoding that a first word has, and where its opcode is:
/// lowest bit and width.
pub fn identifying(first: u32, generation: Generation) -> Option<(u32, (u32, u32))> {
    find(first, generation).map(|layout| (layout.mask, layout.opcode))
}

/// The words of an encoding without literal or extension.
pub fn words(encoding: Encoding) -> u8 {
    if encoding == Encoding::Vop3px {
        return SCALED_WORDS;
    }
    let mut known = Generation::ALL.into_iter().flat_map(layouts);
    known.find(|layout| layout.encoding == encoding).map_or(2, |layout| layout.words)
}

fn find(first: u32, generation: Generation) -> Option<&'static Outline> {
    let begin = BEGINS[generation as usize][(first >> BEGIN_SHIFT) as usize];
    layouts(generation)[begin.into()..].iter().find(|layout| first & layout.mask == layout.value)
}

const GFX6: [Outline; SHARED.len() + GFX6_GFX7.len()] = joined([SHARED, &[], GFX6_GFX7]);
const GFX7: [Outline; GFX6.len() + GFX7_GFX8.len()] = joined([SHARED, GFX7_GFX8, GFX6_GFX7]);
const GFX8: [Outline; SHARED.len() + GFX7_GFX8.len() + GFX8_GFX9.len()] =
    joined([SHARED, GFX7_GFX8, GFX8_GFX9]);
const GFX9: [Outline; SHARED.len() + GFX9_ONLY.len() + GFX8_GFX9.len()] =
    joined([SHARED, GFX9_ONLY, GFX8_GFX9]);

const fn joined<const N: usize>(lists: [&[Outline]; 3]) -> [Outline; N] {
    let mut all = [SHARED[0]; N];
    let (mut to, mut list) = (0, 0);
    while list < lists.len() {
        let mut from = 0;
        while from < lists[list].len() {
            all[to] = lists[list][from];
            (to, from) = (to + 1, from + 1);
        }
        list += 1;
    }
    assert!(to == N, "a list of another length");
    all
}

/// Returns the layouts of a generation; of several that a word fits, the first counts.
const fn layouts(generation: Generation) -> &'static [Outline] {
    match generation {
        Generation::Gfx6 => &GFX6,
        Generation::Gfx7 => &GFX7,
        Generation::Gfx8 => &GFX8,
        Generation::Gfx9 => &GFX9,
    }
}

/// The upper bits of a word, which tell its layout but for the segment of flat memory.
const BEGIN_BITS: u32 = 9;
const BEGIN_SHIFT: u32 = u32::BITS - BEGIN_BITS;

/// For each generation and all upper bits of a word the first layout that has them.
static BEGINS: [[u8; 1 << BEGIN_BITS]; Generation::ALL.len()] = {
    let mut begins = [[0; 1 << BEGIN_BITS]; Generation::ALL.len()];
    let mut generation = 0;
    while generation < begins.len() {
        let all = layouts(Generation::ALL[generation]);
        let mut upper = 0;
        while upper < 1 << BEGIN_BITS {
            let mut at = 0;
            while at < all.len() && !has_upper_bits(&all[at], upper << BEGIN_SHIFT) {
                at += 1;
            }
            begins[generation][upper as usize] = at as u8;
            upper += 1;
        }
        generation += 1;
    }
    begins
};

const fn has_upper_bits(layout: &Outline, word: u32) -> bool {
    let upper = u32::MAX << BEGIN_SHIFT;
    word & layout.mask & upper == layout.value & upper
}

fn extension(first: u32, encoding: Encoding, opcode: u16, generation: Generation) -> Extension {
    let literal = |found: bool| if found { Extension::Literal } else { Extension::None };
    let scalar = |lowest: u32| (first >> lowest) & 0xff == LITERAL;
    let old = generation <= Generation::Gfx7;
    match encoding {
        // s_set_gpr_idx_on: the second source is four plain bits.
        Encoding::Sopc if !old && opcode == 17 => literal(scalar(0)),
        Encoding::Sop2 | Encoding::Sopc => literal(scalar(0) || scalar(8)),
        Encoding::Sop1 => literal(scalar(0)),
        // s_setreg_imm32_b32
        Encoding::Sopk => literal(opcode == if old { 21 } else { 20 }),
        // A constant offset that does not fit the byte follows; 0xff, which
        // would be no register, says so.
        Encoding::Smrd => literal(generation == Generation::Gfx7 && first & 0x1ff == 0xff),
        // v_madmk and v_madak, of f32 and from gfx8 on of f16.
        Encoding::Vop2 if old && matches!(opcode, 32 | 33) => Extension::Literal,
        Encoding::Vop2 if !old && matches!(opcode, 23 | 24 | 36 | 37) => Extension::Literal,
        Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc => match first & 0x1ff {
            LITERAL => Extension::Literal,
            SDWA if !old => Extension::Sdwa,
            DPP if !old => Extension::Dpp,
            _ => Extension::None,
        },
        _ => Extension::None,
    }
}

//! What every mnemonic takes: the rows of `data/operands.tsv`.
//!
//! A row is for a family; the first that matches a mnemonic counts. The forms of
//! the encodings are built from the rows by rule, so nothing is written twice.

use std::sync::OnceLock;

use crate::Generation;
use crate::patterns::Patterns;
use crate::table::{Row, Table};

/// What a number of an operand means, which decides how constants are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberKind {
    /// A float.
    Float,
    /// An integer, or bits.
    Integer,
    /// A pair of halves.
    PackedFloat,
    /// A pair of shorts.
    PackedInteger,
}

/// The type of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    /// What its number means.
    pub kind: NumberKind,
    /// Bits of a lane; of one half where the value is a pair.
    pub bits: u8,
}

impl Type {
    /// The registers that a value takes.
    pub fn dwords(self) -> u8 {
        self.bits.div_ceil(32)
    }

    /// Whether it is a float, or a pair of them.
    pub fn is_float(self) -> bool {
        matches!(self.kind, NumberKind::Float | NumberKind::PackedFloat)
    }
}

/// One operand of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// A number: any source, or the vector register a result goes to.
    Number {
        /// Its type.
        ty: Type,
        /// Which sources it may come from.
        from: Origin,
        /// Whether sign extension is written in the long encoding too.
        sign_extension: bool,
    },
    /// A scalar register of so many dwords.
    Scalar {
        /// Dwords.
        dwords: u8,
        /// Whether it is read, not written.
        read: bool,
    },
    /// A bit for every lane.
    Mask,
    /// A lane's number: scalar register or small constant.
    Lane,
    /// The constant that follows the instruction.
    Literal,
    /// Sixteen bits in the instruction, with this rule for what fits.
    Immediate(Immediate),
    /// The target of a jump.
    Branch,
    /// A hardware register's field.
    HardwareRegister,
    /// What `s_waitcnt` waits for.
    WaitCounters,
    /// A message.
    Message,
    /// Which operands an index applies to.
    IndexMode,
    /// An interpolated attribute.
    Attribute,
    /// One of a triangle's three values of an attribute.
    AttributePart,
    /// Which page a probe is for.
    Probe,
    /// The name of a thing whose dwords follow from the mnemonic: `d2`.
    Part {
        /// The letter of the part.
        letter: char,
        /// Dwords.
        dwords: u8,
    },
}

/// Where a number may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Register or constant.
    Any,
    /// A vector register.
    Vector,
    /// A register.
    Register,
    /// A register, or a constant that needs no literal.
    Inline,
}

/// Which numbers sixteen bits of an instruction take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Immediate {
    /// From -32768 to 65535.
    Either,
    /// From 0 to 65535.
    Unsigned,
    /// Any, cut to its low half.
    Cut,
    /// Like `Cut`, and it may be left out.
    Optional,
}

/// What may follow an instruction, and what it uses without naming it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traits {
    bits: u64,
}

macro_rules! traits {
    ($($(#[$doc:meta])* $name:ident $constant:ident $text:literal;)*) => {
        #[allow(non_upper_case_globals)]
        mod bit {
            #[repr(u32)]
            pub(super) enum Position { $($constant),* }
        }
        impl Traits {
            $($(#[$doc])* pub fn $name(self) -> bool {
                self.bits & (1 << bit::Position::$constant as u32) != 0
            })*
            fn add(&mut self, word: &str) -> bool {
                match word {
                    $($text => self.bits |= 1 << bit::Position::$constant as u32,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

traits! {
    /// The long encoding can clamp the result.
    clamp Clamp "clamp";
    /// The long encoding can scale the result.
    omod Omod "omod";
    /// Halves of the registers can be chosen, from gfx9 on.
    op_sel OpSel "op_sel";
    /// The upper results' halves can be chosen.
    op_sel_hi OpSelHi "op_sel_hi";
    /// Each half can be negated.
    neg_lo NegLo "neg_lo";
    /// A mix of halves and whole floats: sources have sign and magnitude bits.
    mix Mix "mix";
    /// No source can be made absolute.
    no_abs NoAbs "no-abs";
    /// It works on one lane.
    lane Lane "lane";
    /// The destination is a source too.
    reads_destination ReadsDestination "reads-destination";
    /// The destination's number is counted on from, by M0.
    indirect_destination IndirectDestination "indirect-destination";
    /// The source's number is counted on from, by M0.
    indirect_source IndirectSource "indirect-source";
    /// It works on lanes whether EXEC has them or not.
    ignores_exec IgnoresExec "ignores:exec";
    /// It reads VCC without naming it.
    reads_vcc ReadsVcc "reads:vcc";
    /// It reads EXEC without naming it, beside every vector instruction.
    reads_exec ReadsExec "reads:exec";
    /// It reads SCC.
    reads_scc ReadsScc "reads:scc";
    /// It reads M0 without naming it.
    reads_m0 ReadsM0 "reads:m0";
    /// It writes EXEC without naming it.
    writes_exec WritesExec "writes:exec";
    /// It writes SCC.
    writes_scc WritesScc "writes:scc";
    /// It writes M0 without naming it.
    writes_m0 WritesM0 "writes:m0";
    /// Memory is read.
    load Load "load";
    /// Memory is written.
    store Store "store";
    /// Memory is changed; `glc` asks for what was there.
    atomic Atomic "atomic";
    /// A sampler is read.
    sampler Sampler "sampler";
    /// One component of four texels.
    gather Gather "gather";
    /// Data of 16 bits, packed where the chip packs.
    d16 D16 "d16";
    /// Two offsets instead of one.
    two_offsets TwoOffsets "two-offsets";
    /// Only the global data share.
    gds Gds "gds";
    /// The offset may be a pattern of lanes.
    swizzle Swizzle "swizzle";
    /// Never the global data share.
    no_gds NoGds "no-gds";
    /// The upper half of the attribute can be chosen.
    high High "high";
    /// Other assemblers know it, LLVM's does not.
    other_dialects OtherDialects "other-dialects";
    /// What was in memory is not returned.
    no_return NoReturn "no-return";
    /// Halves that have sign and magnitude as one.
    plain_halves PlainHalves "plain-halves";
    /// Data and comparand, in twice the registers.
    pair Pair "pair";
    /// Loads may go to the local data share.
    to_lds ToLds "lds";
    /// No address.
    no_address NoAddress "no-address";
    /// A buffer, not an address.
    buffer Buffer "buffer";
}

/// How the encodings of a row are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Vector arithmetic.
    Vector,
    /// Scalar arithmetic and program control.
    Scalar,
    /// Matrices, on gfx908.
    Matrix,
    /// Interpolation.
    Interpolation,
    /// Scalar memory.
    ScalarMemory,
    /// Data share.
    DataShare,
    /// Flat memory and its segments.
    Flat,
    /// Untyped or typed buffers.
    Buffer,
    /// Images.
    Image,
    /// Export.
    Export,
}

/// A row.
#[derive(Debug)]
pub struct Signature {
    patterns: &'static str,
    generations: &'static str,
    /// How its encodings are built.
    pub class: Class,
    /// Its operands in the order of assembly.
    pub operands: Vec<Operand>,
    /// What may follow and what is used unnamed.
    pub traits: Traits,
    /// Where the row is from.
    pub source: &'static str,
}

/// The rows, and which of them a mnemonic fits.
struct Signatures {
    rows: Vec<Signature>,
    patterns: Patterns,
}

/// The row of a mnemonic in a generation.
pub fn signature(name: &str, generation: Generation) -> Option<&'static Signature> {
    let digit = generation.name().as_bytes()[3];
    let Signatures { rows, patterns } = signatures();
    let has = |row: usize| rows[row].generations.bytes().any(|byte| byte == digit);
    Some(&rows[patterns.find(name, has)?])
}

fn signatures() -> &'static Signatures {
    static SIGNATURES: OnceLock<Signatures> = OnceLock::new();
    SIGNATURES.get_or_init(|| match parse(include_str!("../../data/operands.tsv")) {
        Ok(signatures) => signatures,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of operands: {message}"),
    })
}

fn parse(text: &'static str) -> Result<Signatures, String> {
    let table = Table::parse(text)?;
    let rows = table.rows().map(|row| parse_row(&row)).collect::<Result<Vec<_>, _>>()?;
    let patterns = Patterns::of(rows.iter().map(|row| row.patterns));
    Ok(Signatures { rows, patterns })
}

fn parse_row(row: &Row<'_>) -> Result<Signature, String> {
    let class = row.cell("class")?;
    let mut traits = Traits::default();
    for word in row.cell("traits")?.split_ascii_whitespace() {
        if !traits.add(word) {
            return Err(row.refuse("traits", word));
        }
    }
    Ok(Signature {
        patterns: row.cell("mnemonics")?,
        generations: row.cell("generations")?,
        class: match class {
            "VOP" => Class::Vector,
            "SOP" => Class::Scalar,
            "MATRIX" => Class::Matrix,
            "INTERP" => Class::Interpolation,
            "SMEM" => Class::ScalarMemory,
            "DS" => Class::DataShare,
            "FLAT" => Class::Flat,
            "BUF" => Class::Buffer,
            "IMG" => Class::Image,
            "EXP" => Class::Export,
            _ => return Err(row.refuse("class", class)),
        },
        operands: row
            .cell("operands")?
            .split_ascii_whitespace()
            .map(|word| operand(word).ok_or_else(|| row.refuse("operands", word)))
            .collect::<Result<_, _>>()?,
        traits,
        source: row.cell("source")?,
    })
}

fn operand(word: &str) -> Option<Operand> {
    Some(match word {
        "m" => Operand::Mask,
        "lane" => Operand::Lane,
        "literal" => Operand::Literal,
        "branch" => Operand::Branch,
        "hwreg" => Operand::HardwareRegister,
        "waitcnt" => Operand::WaitCounters,
        "sendmsg" => Operand::Message,
        "gpr_idx" => Operand::IndexMode,
        "attribute" => Operand::Attribute,
        "part" => Operand::AttributePart,
        "probe" => Operand::Probe,
        "+16" => Operand::Immediate(Immediate::Either),
        "+u16" => Operand::Immediate(Immediate::Unsigned),
        "+k16" => Operand::Immediate(Immediate::Cut),
        "+k16?" => Operand::Immediate(Immediate::Optional),
        _ => return number(word),
    })
}

fn number(word: &str) -> Option<Operand> {
    let (origin, rest) = word.split_once(':').unwrap_or(("", word));
    let (rest, sign_extension) = match rest.strip_suffix('~') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let letter = rest.chars().next()?;
    let bits: u8 = rest.get(letter.len_utf8()..)?.parse().ok()?;
    let kind = match letter {
        'f' => NumberKind::Float,
        'i' => NumberKind::Integer,
        'p' => NumberKind::PackedFloat,
        'q' => NumberKind::PackedInteger,
        's' => return Some(Operand::Scalar { dwords: bits.div_ceil(32), read: origin == "r" }),
        _ => return Some(Operand::Part { letter, dwords: bits }),
    };
    let from = match origin {
        "" => Origin::Any,
        "v" => Origin::Vector,
        "r" => Origin::Register,
        "inline" => Origin::Inline,
        _ => return None,
    };
    Some(Operand::Number { ty: Type { kind, bits }, from, sign_extension })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnemonics;

    #[test]
    fn every_mnemonic_has_a_row_where_it_exists() {
        for info in mnemonics::all().iter().filter(|info| !info.source.starts_with("CLRX")) {
            for generation in Generation::ALL {
                if !info.generation_forms(generation).is_empty() {
                    assert!(
                        signature(info.name, generation).is_some(),
                        "{generation} {}",
                        info.name
                    );
                }
            }
        }
    }
}

//! Lines from the tables of the instruction set: words whose fields hold values
//! that tell rules apart, read back by the decoder.

use std::collections::BTreeSet;

use gcn::Target;
use gcn::encoding::{self, Encoding};
use gcn::instruction::{Field, InstructionSet, Layout, NoSymbols, assemble_line, decode, fields};
use gcn::mnemonics::{self, OpInfo};
use gcn::targets::{Feature, FeatureSet};
use isa::gcn::encoding::base_bits;

use super::random::Random;

/// The words of an instruction, the first lowest.
type Bits = u128;

/// Lines that each form gets beside those that walk through its fields.
const DRAWN: usize = 3;
/// Of this many values of a field a walk takes one, beginning anywhere.
const STRIDE: usize = 3;

/// A mnemonic in one encoding of a chip.
pub(crate) struct Place {
    pub(crate) mnemonic: &'static OpInfo,
    pub(crate) encoding: Encoding,
    /// `SDWA`, `DPP` or nothing.
    pub(crate) extension: &'static str,
    /// Lines that the decoder printed, in the order they were made.
    pub(crate) lines: Vec<String>,
    /// True if it is the first of those with the same operands in this encoding.
    pub(crate) stands_for_others: bool,
}

/// Makes lines for every form of every mnemonic of a chip.
pub(crate) fn places(target: Target) -> Vec<Place> {
    let set = InstructionSet::of(target);
    let mut known = BTreeSet::new();
    let mut places = Vec::new();
    for info in mnemonics::all() {
        for form in info.forms(target) {
            let extensions = [Some(""), form.sdwa.then_some("SDWA"), form.dpp.then_some("DPP")];
            for extension in extensions.into_iter().flatten() {
                let subtarget = target.row().subtarget;
                let Some(row) = info.opcode.operands(subtarget) else { continue };
                let key = (std::ptr::from_ref(row) as usize, form.encoding, extension);
                let second = match extension {
                    "SDWA" => Some(Layout::Sdwa),
                    "DPP" => Some(Layout::Dpp),
                    _ => None,
                };
                let mut maker = Maker {
                    set,
                    fields: layout(form.encoding, second, target.features()),
                    first: base_bits(form.encoding, form.opcode, target.generation()).unwrap_or(0),
                    words: usize::from(encoding::words(form.encoding)),
                    plain: Plain {
                        registers: match target.has(Feature::Gfx90aInsts) {
                            true => &EVEN,
                            false => &ANY,
                        },
                        halves: match info.opcode.matrix_product(subtarget) {
                            Some(_) => Halves::Unused,
                            None => Halves::Both,
                        },
                    },
                    extension,
                    random: Random::named(&format!("{target} {} {extension}", info.name)),
                    lines: Vec::new(),
                };
                let stands_for_others = known.insert(key);
                if stands_for_others {
                    maker.walk();
                }
                maker.draw();
                maker.end_with_a_right_one();
                places.push(Place {
                    mnemonic: info,
                    encoding: form.encoding,
                    extension,
                    lines: maker.lines,
                    stands_for_others,
                });
            }
        }
    }
    places
}

fn layout(
    encoding: Encoding,
    extension: Option<Layout>,
    features: FeatureSet,
) -> Vec<&'static Field> {
    let own = fields(Layout::Of(encoding), features);
    // The extension has the first source, and says so in its place.
    let own = own.filter(|field| extension.is_none() || field.name != "src0");
    let second = extension.into_iter().flat_map(|it| fields(it, features));
    own.chain(second).collect()
}

struct Maker {
    set: InstructionSet,
    fields: Vec<&'static Field>,
    first: Bits,
    /// The words of the encoding without a literal.
    words: usize,
    plain: Plain,
    extension: &'static str,
    random: Random,
    lines: Vec<String>,
}

impl Maker {
    /// One line for the values of each field, the others plain.
    fn walk(&mut self) {
        for index in 0..self.fields.len() {
            let values = telling(self.fields[index]);
            let stride = if values.len() > 4 { STRIDE } else { 1 };
            let start = self.random.below(stride);
            for value in values.into_iter().skip(start).step_by(stride) {
                // A field may mean nothing unless another says so.
                for _ in 0..4 {
                    let mut bits = self.plain();
                    put(&mut bits, self.fields[index], value);
                    if self.keep(bits) {
                        break;
                    }
                }
            }
        }
    }

    /// Some lines with every second field at a telling value.
    fn draw(&mut self) {
        let wanted = self.lines.len() + DRAWN;
        for _ in 0..DRAWN * 60 {
            let mut bits = self.plain();
            for index in 0..self.fields.len() {
                if self.random.below(3) == 0 {
                    let value = *self.random.pick(&telling(self.fields[index]));
                    put(&mut bits, self.fields[index], value);
                }
            }
            self.keep(bits);
            if self.lines.len() >= wanted {
                return;
            }
        }
    }

    /// Puts a line last that the assembler takes too; forms that leave most fields empty
    /// have none by chance.
    fn end_with_a_right_one(&mut self) {
        let set = self.set;
        let is_right = |line: &String| assemble_line(line, set, &NoSymbols).is_ok();
        if let Some(right) = self.lines.iter().rposition(is_right) {
            let line = self.lines.remove(right);
            return self.lines.push(line);
        }
        for _ in 0..DRAWN * 1000 {
            let mut bits = self.plain();
            for index in 0..self.fields.len() {
                let field = self.fields[index];
                match self.random.below(6) {
                    0 | 1 => {}
                    2 if field.width <= 4 => put(&mut bits, field, 1),
                    _ => put(&mut bits, field, 0),
                }
            }
            if self.keep(bits) {
                if self.lines.last().is_some_and(is_right) {
                    return;
                }
                self.lines.pop();
            }
        }
        self.keep(self.first);
    }

    fn plain(&mut self) -> Bits {
        let mut bits = self.first;
        match self.extension {
            "SDWA" => bits |= 249,
            "DPP" => bits |= 250,
            _ => {}
        }
        for index in 0..self.fields.len() {
            let field = self.fields[index];
            let value = self.plain.value(field, &mut self.random);
            put(&mut bits, field, value);
        }
        bits
    }

    /// Keeps the line of words that are an instruction all of whose bits count.
    fn keep(&mut self, bits: Bits) -> bool {
        let literal = self.random.next() as u32;
        let mut words: [u32; 4] = std::array::from_fn(|at| (bits >> (32 * at)) as u32);
        // An empty second word is one, or none: then a literal may stand there.
        if words[1] == 0 && literal & 1 == 0 {
            words[1] = literal;
        }
        let Ok(decoded) = decode(&words[..self.words.max(2)], self.set) else { return false };
        let is_new = decoded.ignored == 0 && !self.lines.contains(&decoded.text);
        if is_new {
            self.lines.push(decoded.text);
        }
        is_new
    }
}

fn put(bits: &mut Bits, field: &Field, value: u64) {
    let mask = ((1 << field.width) - 1) << field.low;
    *bits = (*bits & !mask) | (Bits::from(value) << field.low & mask);
}

/// Vector registers where several may begin anywhere.
const ANY: [u64; 7] = [0, 1, 2, 3, 4, 5, 255];
/// Vector registers where several begin with an even one.
const EVEN: [u64; 7] = [0, 2, 4, 8, 16, 32, 64];

/// Fields that choose halves of packed sources; in matrix instructions other fields have
/// their bits.
#[derive(Clone, Copy)]
enum Halves {
    Both,
    Unused,
}

/// Values with which most instructions of a form are right.
struct Plain {
    registers: &'static [u64; 7],
    halves: Halves,
}

impl Plain {
    fn value(&self, field: &Field, random: &mut Random) -> u64 {
        match (field.name, field.width) {
            ("src0" | "src1" | "src2" | "scale0" | "scale1", 9) => {
                256 + *random.pick(self.registers)
            }
            ("src0", 8) => *random.pick(&self.registers[..4]),
            ("s0" | "s1" | "sdst" | "sdata" | "soffset", 7..) => *random.pick(&[0, 2, 4, 8, 12]),
            ("sbase", _) => *random.pick(&[0, 2, 4]),
            ("srsrc" | "ssamp", _) => *random.pick(&[0, 1, 2, 3]),
            ("saddr", _) => *random.pick(&[127, 2, 4]),
            ("vdst" | "vdata" | "vaddr" | "addr" | "data" | "data0" | "data1" | "vsrc1", _) => {
                *random.pick(self.registers)
            }
            ("dst_sel" | "src0_sel" | "src1_sel", _) => 6,
            ("row_mask" | "bank_mask", _) => 15,
            ("dpp_ctrl", _) => *random.pick(&[0xe4, 0x1b, 0x101, 0x111, 0x140, 0x153]),
            ("op_sel_hi", _) if matches!(self.halves, Halves::Both) => 3,
            ("op_sel_hi_2", _) if matches!(self.halves, Halves::Both) => 1,
            ("dmask", _) => *random.pick(&[1, 3, 7, 15]),
            ("attr" | "offset" | "simm16" | "vsrc", _) => random.next() & ((1 << field.width) - 1),
            ("dfmt" | "nfmt", _) => *random.pick(&[1, 4]),
            ("imm" | "en", _) => random.next() & ((1 << field.width) - 1),
            _ => 0,
        }
    }
}

/// Operand codes beside which the meaning changes.
const CODES: [u64; 44] = [
    0, 1, 2, 4, 6, 96, 98, 100, 101, 102, 103, 104, 105, 106, 107, 108, 110, 111, 112, 120, 123,
    124, 126, 127, 128, 129, 192, 193, 208, 235, 236, 238, 239, 240, 243, 244, 247, 248, 251, 252,
    253, 254, 255, 122,
];

/// Values of a field at which rules begin and end.
fn telling(field: &Field) -> Vec<u64> {
    let highest = (1_u64 << field.width) - 1;
    match (field.name, field.width) {
        ("src0" | "src1" | "src2" | "scale0" | "scale1", 9) => {
            CODES.into_iter().chain([256, 257, 510, 511, 508, 480]).collect()
        }
        ("s0" | "s1" | "soffset", 8) | ("src0", 8) => CODES.to_vec(),
        ("sdst" | "sdata" | "saddr" | "soffset", 7) => {
            CODES.into_iter().filter(|code| *code < 128).collect()
        }
        ("dpp_ctrl", _) => vec![
            0, 1, 4, 0x10, 0x40, 0xe4, 0xff, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f, 0x130,
            0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143, 0x150, 0x15f,
        ],
        ("simm16", _) => {
            let ends = [0, 1, 15, 16, 127, 128, 255, 256, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xffff];
            let bits = (0..16).map(|bit| 1 << bit);
            let parts = [0xf70, 0xf7f, 0x7f, 0xc07f, 0xff7f, 0xf801, 0xf802, 0x21, 0x22, 0x32];
            ends.into_iter().chain(bits).chain(parts).collect()
        }
        (_, 0..=4) => (0..=highest).collect(),
        _ => {
            let middle = highest / 2;
            let bits = (0..field.width).map(|bit| 1 << bit);
            bits.chain([0, 3, middle, middle + 1, highest - 3, highest - 1, highest]).collect()
        }
    }
}

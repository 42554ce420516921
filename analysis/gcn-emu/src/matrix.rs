//! The matrix unit of MI100: products of small matrices that all lanes hold together.
//!
//! Elements: MI100 ISA, VOP3P-MAI, and AMD's tables of where elements are. Products are
//! added one after the other, each with one rounding, to the nearest and with denormals:
//! the manual says neither, and MODE does not rule them. EXEC counts for moves alone.

use gcn::instruction::{NumberKind, Operand, OperandSpec, Type};
use isa::gcn::operation::{self, Element};

use crate::operand::{Fields, ValueSource};
use crate::wave::{LANES, Wave};
use softfloat::{from_half, fused_f32};

/// An instruction of the matrix unit, decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Matrix {
    /// From an accumulation register to a vector register.
    Read {
        to: usize,
        from: usize,
    },
    /// From a vector register or a constant to an accumulation register.
    Write {
        to: usize,
        from: ValueSource,
    },
    Multiply(Multiply),
}

/// The bits of an element.
fn width(element: Element) -> usize {
    match element {
        Element::Single => 32,
        Element::Half | Element::Short => 16,
        Element::Byte => 8,
    }
}

/// A product D = A × B + C of one or several blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Multiply {
    element: Element,
    /// Rows of A and columns of B: the same number.
    side: usize,
    /// Columns of A and rows of B.
    depth: usize,
    blocks: usize,
    /// Elements that each lane holds.
    held: usize,
    /// Registers of a result, and where it goes.
    words: usize,
    to: usize,
    sources: [Elements; 2],
    addend: Addend,
    /// Blocks of A that share one, as a power of two, and which of them.
    shared: usize,
    chosen: usize,
    /// BLGP: the pattern by which lanes of B are rearranged.
    pattern: u32,
}

/// The registers of A or B: the first one, in one of the two register files.
#[derive(Debug, Clone, Copy)]
struct Elements {
    first: usize,
    accumulates: bool,
}

#[derive(Debug, Clone, Copy)]
enum Addend {
    Registers(usize),
    Constant(u32),
}

/// The dwords of an operand.
fn dwords(operand: &Operand) -> Option<usize> {
    match operand {
        Operand::Part { dwords, .. } => Some(usize::from(*dwords)),
        _ => None,
    }
}

impl Matrix {
    pub(crate) fn of(
        operation: operation::Matrix,
        row: &OperandSpec,
        fields: &Fields,
    ) -> Option<Matrix> {
        use operation::Matrix as Unit;
        let to = fields.get("vdst") as usize;
        let [first, second, third] = ["src0", "src1", "src2"].map(|name| fields.get(name));
        let (side, depth, element) = match operation {
            Unit::Read => return Some(Matrix::Read { to, from: first as usize & 0xff }),
            Unit::Write => {
                let from = ValueSource::of(first, Type::WORD, fields)?;
                return Some(Matrix::Write { to, from });
            }
            Unit::Move | Unit::Other(_) => return None,
            Unit::Product { side, depth, element } => {
                (usize::from(side), usize::from(depth), element)
            }
        };
        let words = dwords(row.operands.first()?)?;
        let held = dwords(row.operands.get(1)?)? * 32 / width(element);
        let kind = if element == Element::Byte { NumberKind::Integer } else { NumberKind::Float };
        let addend = match third {
            256..=511 => Addend::Registers(third as usize & 0xff),
            _ => match ValueSource::of(third, Type { kind, bits: 32 }, fields)? {
                ValueSource::Constant(value) => Addend::Constant(value as u32),
                _ => return None,
            },
        };
        let accumulates = |place: u32| fields.get("acc") >> place & 1 == 1;
        let source = |code: u32, place: u32| Elements {
            first: code as usize & 0xff,
            accumulates: accumulates(place),
        };
        Some(Matrix::Multiply(Multiply {
            element,
            side,
            depth,
            blocks: words * LANES / (side * side),
            held,
            words,
            to,
            sources: [source(first, 0), source(second, 1)],
            addend,
            shared: fields.get("cbsz") as usize,
            chosen: fields.get("abid") as usize,
            pattern: fields.get("blgp"),
        }))
    }

    pub(crate) fn run(&self, wave: &mut Wave, instruction: u32) {
        match self {
            Matrix::Read { to, from } => {
                for lane in wave.active() {
                    let value = wave.accumulator(*from, lane);
                    wave.set_lane(*to, lane, value);
                }
                wave.note_writer(*to, 1, instruction);
            }
            Matrix::Write { to, from } => {
                for lane in wave.active() {
                    let value = from.read(wave, lane, 1) as u32;
                    wave.set_accumulator(*to, lane, value);
                }
            }
            Matrix::Multiply(multiply) => multiply.run(wave),
        }
    }
}

/// Returns the lane that a lane reads its part of B from.
fn rearranged(pattern: u32, lane: usize) -> usize {
    match pattern {
        1 => lane % 32,
        2 => lane % 32 + 32,
        3 => (lane + 16) % 64,
        4..=7 => lane % 16 + 16 * (pattern as usize - 4),
        _ => lane,
    }
}

impl Multiply {
    /// The bits of one element that a lane holds.
    fn held(&self, wave: &Wave, source: Elements, lane: usize, number: usize) -> u32 {
        let bits = width(self.element);
        let register = source.first + number * bits / 32;
        let word = match source.accumulates {
            true => wave.accumulator(register, lane),
            false => wave.lane(register, lane),
        };
        word >> (number * bits % 32)
    }

    /// The lane and the number within it of an element: its row of A or column of B, and
    /// its place along the depth.
    fn place(&self, block: usize, along: usize, deep: usize) -> (usize, usize) {
        let group = block * (self.depth / self.held).max(1) + deep / self.held;
        ((group * self.side + along) % LANES, deep % self.held)
    }

    fn element_of_a(&self, wave: &Wave, block: usize, row: usize, deep: usize) -> u32 {
        let group = 1 << self.shared.min(4);
        let block = if group == 1 { block } else { block / group * group + self.chosen % group };
        let (lane, number) = self.place(block % self.blocks, row, deep);
        self.held(wave, self.sources[0], lane, number)
    }

    fn element_of_b(&self, wave: &Wave, block: usize, column: usize, deep: usize) -> u32 {
        let (lane, number) = self.place(block, column, deep);
        self.held(wave, self.sources[1], rearranged(self.pattern, lane), number)
    }

    /// The block, row and column of a result.
    fn result(&self, lane: usize, word: usize) -> (usize, usize, usize) {
        let column = lane % self.side;
        if self.side == 4 {
            return (lane / 4, word, column);
        }
        let of_block = self.side * self.side / LANES;
        let (block, word) = (word / of_block, word % of_block);
        // Four rows of a lane follow each other, then come those of the other lanes.
        let above = 4 * (LANES / self.side);
        (block, word / 4 * above + 4 * (lane / self.side) + word % 4, column)
    }

    fn number(&self, bits: u32) -> f32 {
        match self.element {
            Element::Single => f32::from_bits(bits),
            Element::Half => from_half(bits as u16),
            Element::Short | Element::Byte => f32::from_bits(bits << 16),
        }
    }

    fn sum(&self, wave: &Wave, (block, row, column): (usize, usize, usize), old: u32) -> u32 {
        let pairs = (0..self.depth).map(|deep| {
            let a = self.element_of_a(wave, block, row, deep);
            (a, self.element_of_b(wave, block, column, deep))
        });
        if self.element == Element::Byte {
            let product = |(a, b): (u32, u32)| (i32::from(a as i8) * i32::from(b as i8)) as u32;
            return pairs.fold(old, |sum, pair| sum.wrapping_add(product(pair)));
        }
        let step = |sum: f32, (a, b)| fused_f32(self.number(a), self.number(b), sum);
        pairs.fold(f32::from_bits(old), step).to_bits()
    }

    fn run(&self, wave: &mut Wave) {
        // The result may be where the sources are.
        let mut results = Vec::with_capacity(self.words * LANES);
        for word in 0..self.words {
            for lane in 0..LANES {
                let old = match self.addend {
                    Addend::Registers(first) => wave.accumulator(first + word, lane),
                    Addend::Constant(value) => value,
                };
                results.push(self.sum(wave, self.result(lane, word), old));
            }
        }
        for (place, value) in results.into_iter().enumerate() {
            wave.set_accumulator(self.to + place / LANES, place % LANES, value);
        }
    }
}

//! The matrix units of MI100 and later: products of small matrices that all lanes hold together.
//!
//! Sizes, types and the places of elements are those of [`gcn::matrix`]. Sources: AMD's ISA
//! documents of MI100 to MI350, VOP3P-MAI, and AMD's matrix instruction calculator.
//!
//! Products are added one after the other, along the depth, each with one rounding, to the
//! nearest and with denormals; MODE does not rule them. The documents leave the order and the
//! roundings between open: the hardware may add several products before it rounds, so of floats
//! whose sums are not exact the last places are one of several results. What AMD does say: MI200
//! takes denormals of 16 bits for zero, in sources and results (PyTorch's notes on numerical
//! accuracy, from AMD). EXEC counts for moves alone.

use gcn::Target;
use gcn::encoding::Encoding;
use gcn::instruction::{NumberKind, Type};
use gcn::matrix::{Element, Layout, Part, Place, index_parts, index_place};
use isa::gcn::matrix::{FirstModifier, MatrixProduct, MatrixType, SecondModifier};
use isa::gcn::operation;
use isa::gcn::{Feature, Opcode};

use crate::numbers::{Numbers, scale_of};
use crate::operand::{Fields, ValueSource};
use crate::wave::{ACCUMULATORS, LANES, Wave};
use softfloat::{fused, sum_f32};

/// An instruction of the matrix unit, decoded.
#[derive(Debug, Clone)]
pub(crate) enum Matrix {
    /// A move to a register from a register or a constant.
    Move {
        to: usize,
        from: ValueSource,
    },
    Multiply(Box<Multiply>),
}

/// A product D = A × B + C of one or several blocks.
#[derive(Debug, Clone)]
pub(crate) struct Multiply {
    product: &'static MatrixProduct,
    /// Registers of A, B and D.
    layouts: [Layout; 3],
    /// The first registers of A and B.
    sources: [usize; 2],
    to: usize,
    addend: ValueSource,
    rules: Numbers,
    /// Denormals of 16 bits count as zero.
    flushes: bool,
    /// Blocks of A that share one, as a power of two; or not zero where the first part of the
    /// indexes is taken.
    shared: u32,
    /// The number of the block that is shared, or of the part of the indexes.
    chosen: u32,
    /// BLGP: the pattern by which lanes of B are rearranged, or what is negated.
    pattern: u32,
    /// The register of the indexes of a sparse A.
    index: Option<usize>,
    /// The scales of A and B.
    scales: Option<[Scale; 2]>,
}

/// A scale of every 32 elements along the depth.
#[derive(Debug, Clone, Copy)]
struct Scale {
    source: ValueSource,
    /// The lowest bit of the byte that counts.
    bit: u32,
}

impl Matrix {
    pub(crate) fn of(
        operation: operation::Matrix,
        opcode: Opcode,
        fields: &Fields,
        target: Target,
    ) -> Option<Matrix> {
        use operation::Matrix as Unit;
        let to = fields.get("vdst") as usize;
        let [first, second, third] = ["src0", "src1", "src2"].map(|name| fields.get(name));
        let accumulator = |code: u32| ACCUMULATORS + (code as usize & 0xff);
        match operation {
            Unit::Read => {
                let from = ValueSource::Vector(accumulator(first) as u16);
                return Some(Matrix::Move { to, from });
            }
            Unit::Write => {
                let from = ValueSource::of(first, Type::WORD, fields)?;
                return Some(Matrix::Move { to: ACCUMULATORS + to, from });
            }
            Unit::Move => {
                let from = ValueSource::Vector(accumulator(first) as u16);
                return Some(Matrix::Move { to: ACCUMULATORS + to, from });
            }
            Unit::Product => {}
        }
        let product = opcode.matrix_product(target.row().subtarget)?;
        let (shared, chosen, pattern) =
            (fields.get("cbsz"), fields.get("abid"), fields.get("blgp"));
        let layout = |part| Layout::of(product, part, [shared as u8, pattern as u8]);
        // MI100 has the sums in accumulation registers, later ones where a bit says.
        let sums_accumulate = fields.find("acc_cd").is_none_or(|bit| bit == 1);
        let sums = if sums_accumulate { ACCUMULATORS } else { 0 };
        let kind = match product.d {
            MatrixType::I32 => NumberKind::Integer,
            _ => NumberKind::Float,
        };
        let is_sparse = product.is_sparse();
        let addend = match third {
            _ if is_sparse => ValueSource::Vector((sums + to) as u16),
            256..=511 => ValueSource::Vector((sums + (third as usize & 0xff)) as u16),
            _ => match ValueSource::of(third, Type { kind, bits: product.d.bits() as u8 }, fields)?
            {
                ValueSource::Constant(value) => ValueSource::Constant(value),
                _ => return None,
            },
        };
        let source = |code: u32, place: u32| match fields.get("acc") >> place & 1 {
            0 => code as usize & 0xff,
            _ => accumulator(code),
        };
        Some(Matrix::Multiply(Box::new(Multiply {
            product,
            layouts: [layout(Part::A)?, layout(Part::B)?, layout(Part::D)?],
            sources: [source(first, 0), source(second, 1)],
            to: sums + to,
            addend,
            rules: Numbers::of(target.features()),
            flushes: target.has(Feature::Gfx90aInsts) && !target.has(Feature::Gfx940Insts),
            shared,
            chosen,
            pattern,
            scales: Scale::both(fields)?,
            index: is_sparse.then_some(third as usize & 0xff),
        })))
    }

    pub(crate) fn run(&self, wave: &mut Wave, instruction: u32) {
        match self {
            Matrix::Move { to, from } => {
                for lane in wave.active() {
                    let value = from.read(wave, lane, 1) as u32;
                    wave.set_lane(*to, lane, value);
                }
                wave.note_writer(*to, 1, instruction);
            }
            Matrix::Multiply(multiply) => multiply.run(wave, instruction),
        }
    }
}

/// The elements of one scale, along the depth.
const SCALED: u32 = 32;

impl Scale {
    /// Returns the scales of A and B where the instruction has them; `None` where a source is
    /// not one that the instruction can have.
    fn both(fields: &Fields) -> Option<Option<[Scale; 2]>> {
        if fields.encoding != Encoding::Vop3px {
            return Some(None);
        }
        let scale = |name: &str, place: u32| {
            let source = ValueSource::of(fields.get(name), Type::WORD, fields)?;
            let bit = |name: &str| fields.get(name) >> place & 1;
            Some(Scale { source, bit: 8 * (bit("op_sel") + 2 * bit("op_sel_hi")) })
        };
        Some(Some([scale("scale0", 0)?, scale("scale1", 1)?]))
    }

    /// The scale of a line at a place along the depth: it is in the lane of the line, those of
    /// the next 32 elements so many lanes on as there are lines (Triton's layouts of scales).
    fn at(self, wave: &Wave, side: u32, line: u32, along: u32) -> f64 {
        let lane = line + side * (along / SCALED);
        scale_of(self.source.read(wave, lane as usize, 1) >> self.bit & 0xff)
    }
}

/// Returns the lane that a lane reads its part of B from.
fn rearranged(pattern: u32, lane: u32) -> u32 {
    match pattern {
        1 => lane % 32,
        2 => lane % 32 + 32,
        3 => (lane + 16) % 64,
        4..=7 => lane % 16 + 16 * (pattern - 4),
        _ => lane,
    }
}

/// Bits of registers from a place on.
fn held(wave: &Wave, first: usize, place: Place, bits: u32) -> u64 {
    let Place { lane, register, bit } = place;
    let word = |more: usize| u64::from(wave.lane(first + register as usize + more, lane as usize));
    let both = if bit + bits > 32 { word(0) | word(1) << 32 } else { word(0) };
    both >> bit & (u64::MAX >> (64 - bits))
}

impl Multiply {
    /// Tells whether A, B or C is negated.
    fn negates(&self, place: u32) -> bool {
        self.product.second_modifier == SecondModifier::Negate && self.pattern >> place & 1 == 1
    }

    /// The number that an element's bits are, of a type that is no integer.
    fn number(&self, ty: MatrixType, bits: u64) -> f64 {
        let value = self.rules.number(ty, bits);
        let flushes = self.flushes && ty.bits() == 16;
        let is_tiny = flushes && value.abs() < self.rules.format(ty).smallest_normal();
        if is_tiny { 0.0_f64.copysign(value) } else { value }
    }

    /// The bits of an element of A.
    fn element_of_a(&self, wave: &Wave, block: u32, row: u32, column: u32) -> u64 {
        let group = match self.product.first_modifier {
            FirstModifier::Broadcast => 1 << self.shared.min(4),
            _ => 1,
        };
        let block = if group == 1 { block } else { block / group * group + self.chosen % group };
        let block = block % self.product.blocks;
        let layout = &self.layouts[0];
        let place = layout.place(Element { row, column, block });
        place.map_or(0, |place| held(wave, self.sources[0], place, layout.ty.bits()))
    }

    /// The bits of an element of B.
    fn element_of_b(&self, wave: &Wave, block: u32, row: u32, column: u32) -> u64 {
        let layout = &self.layouts[1];
        let Some(mut place) = layout.place(Element { row, column, block }) else { return 0 };
        if self.product.second_modifier == SecondModifier::Lanes {
            place.lane = rearranged(self.pattern, place.lane);
        }
        held(wave, self.sources[1], place, layout.ty.bits())
    }

    /// The row of B that a column of A, of those that registers hold, is multiplied with.
    fn row_of_b(&self, wave: &Wave, row: u32, column: u32) -> u32 {
        let Some(index) = self.index else { return column };
        let layout = &self.layouts[0];
        let parts = index_parts(layout);
        let chosen = if self.shared == 0 { self.chosen % parts } else { 0 };
        let place = index_place(layout, Element { row, column, block: 0 }, chosen);
        let which = place.map_or(0, |place| held(wave, index, place, 2) as u32);
        column / 2 * 4 + which
    }

    /// The bits of a result.
    fn sum(&self, wave: &Wave, element: Element, old: u64) -> u64 {
        let Element { row, column, block } = element;
        let pairs = (0..self.product.held_depth()).map(|along| {
            let a = self.element_of_a(wave, block, row, along);
            let deep = self.row_of_b(wave, row, along);
            (a, self.element_of_b(wave, block, deep, column))
        });
        let scale = |along: u32| match &self.scales {
            None => 1.0,
            Some([a, b]) => {
                let side = self.product.side;
                a.at(wave, side, row, along) * b.at(wave, side, column, along)
            }
        };
        let [a, b, _] = &self.layouts;
        match self.product.d {
            MatrixType::I32 => {
                let product = |(a, b): (u64, u64)| i32::from(a as i8) * i32::from(b as i8);
                let sum =
                    pairs.fold(old as u32, |sum, pair| sum.wrapping_add(product(pair) as u32));
                sum.into()
            }
            MatrixType::F64 => {
                let signed = |value: f64, place| if self.negates(place) { -value } else { value };
                let start = signed(f64::from_bits(old), 2);
                let step = |sum: f64, (a, b): (u64, u64)| {
                    fused(signed(f64::from_bits(a), 0), signed(f64::from_bits(b), 1), sum)
                };
                pairs.fold(start, step).to_bits()
            }
            _ => {
                let is_short = |ty: MatrixType| ty.bits() == 16;
                let flushes = self.flushes && is_short(a.ty);
                let settled = |value: f32| {
                    let tiny = flushes && value.abs() < f32::MIN_POSITIVE;
                    if tiny { 0.0_f32.copysign(value) } else { value }
                };
                let step = |sum: f32, (along, (left, right)): (usize, (u64, u64))| {
                    let [left, right] =
                        [(a.ty, left), (b.ty, right)].map(|(ty, bits)| self.number(ty, bits));
                    sum_f32(left * right * scale(along as u32), sum)
                };
                let start = settled(f32::from_bits(old as u32));
                settled(pairs.enumerate().fold(start, step)).to_bits().into()
            }
        }
    }

    fn run(&self, wave: &mut Wave, instruction: u32) {
        let layout = &self.layouts[2];
        let dwords = layout.ty.bits() / 32;
        let count = layout.registers() / dwords;
        // The result may be where the sources are.
        let mut results = Vec::with_capacity(count as usize * LANES);
        for number in 0..count {
            let register = number * dwords;
            for lane in 0..LANES as u32 {
                let Some(element) = layout.element(Place { lane, register, bit: 0 }) else {
                    continue;
                };
                let old = match self.addend {
                    ValueSource::Vector(first) => wave.number(
                        usize::from(first) + register as usize,
                        lane as usize,
                        dwords as usize,
                    ),
                    other => other.read_scalar(wave, dwords as u8),
                };
                results.push((register as usize, lane as usize, self.sum(wave, element, old)));
            }
        }
        for (register, lane, value) in results {
            wave.set_number(self.to + register, lane, dwords as usize, value);
        }
        wave.note_writer(self.to, layout.registers() as usize, instruction);
    }
}

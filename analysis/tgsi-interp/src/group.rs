//! Values that lanes give to each other and to those who watch them.
//!
//! A subgroup is a quad here: four lanes, of which the active ones vote. Whoever
//! compares with hardware, whose waves are longer, lets the other lanes of the
//! wave be inactive.

use tgsi::opcodes::ValueType;

use crate::float::all_if;
use crate::operation::Vectors;
use crate::program::MicroOp;
use crate::quad::Quad;
use crate::registers::{EMPTY, LANES, Register};
use crate::resources::Resources;

/// A question to all active lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SubgroupOp {
    /// True where any value is not 0.
    Any,
    /// True where all are not 0.
    All,
    /// True where all are equal, bit for bit.
    Equal,
    /// The lanes whose x is not 0, a bit each: the low word in x, the high one in y.
    Ballot,
    /// The value of the first.
    ReadFirst,
    /// The value of the lane whose number is in source 1, 0 where there is none.
    Read,
    /// The steps that the quad has taken: a clock that always moves on.
    Clock,
    /// True where the lane only helps its neighbours, as all bits.
    Helper,
}

impl Quad<'_> {
    fn active_lanes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..LANES).filter(|lane| self.active & (1 << lane) != 0)
    }

    /// Answers in all lanes.
    pub(crate) fn ask(&mut self, op: &MicroOp, group: SubgroupOp, resources: &Resources) {
        self.begin_trace(op);
        let values = self.whole(op, 0, resources);
        let one = |value: u32| [value; LANES];
        let per_component = |answer: &dyn Fn(&[u32; LANES]) -> u32| -> Register {
            values.map(|lanes| one(answer(&lanes)))
        };
        let first = self.active_lanes().next().unwrap_or(0);
        let result = match group {
            SubgroupOp::Any => {
                per_component(&|it| all_if(self.active_lanes().any(|lane| it[lane] != 0)))
            }
            SubgroupOp::All => {
                per_component(&|it| all_if(self.active_lanes().all(|lane| it[lane] != 0)))
            }
            SubgroupOp::Equal => {
                per_component(&|it| all_if(self.active_lanes().all(|lane| it[lane] == it[first])))
            }
            SubgroupOp::ReadFirst => per_component(&|it| it[first]),
            SubgroupOp::Read => {
                let number = self.fetch(op, 1, 0, Some(ValueType::Unsigned), resources);
                let number = number[first] as usize;
                per_component(&|it| it.get(number).copied().unwrap_or(0))
            }
            SubgroupOp::Ballot => {
                let set = self.active_lanes().filter(|lane| values[0][*lane] != 0);
                let mask = set.fold(0u32, |mask, lane| mask | 1 << lane);
                [one(mask), one(0), one(0), one(0)]
            }
            SubgroupOp::Clock => {
                [one(self.steps as u32), one((self.steps >> 32) as u32), one(0), one(0)]
            }
            SubgroupOp::Helper => {
                let helps = self.killed | !self.present;
                let lanes = std::array::from_fn(|lane| all_if(helps & (1 << lane) != 0));
                [lanes; 4]
            }
        };
        self.store_masked(op, &result);
    }

    /// `INTERP_OFFSET`: the input moved along the quad's differences. Exact for
    /// inputs that are linear on the screen; an input in perspective is so only
    /// to first order.
    pub(crate) fn interpolate_at_offset(&mut self, op: &MicroOp, resources: &Resources) {
        self.begin_trace(op);
        let values = self.whole(op, 0, resources);
        let float = Some(ValueType::Float);
        let [x, y] = [0, 1].map(|axis| self.fetch(op, 1, axis, float, resources));
        let mut result = EMPTY;
        for (lanes, values) in result.iter_mut().zip(values) {
            let values = values.map(f32::from_bits);
            for lane in 0..LANES {
                let across = values[lane | 1] - values[lane & 2];
                let down = values[lane | 2] - values[lane & 1];
                let [x, y] = [x[lane], y[lane]].map(f32::from_bits);
                lanes[lane] = (values[lane] + across * x + down * y).to_bits();
            }
        }
        if let (Some(number), Some(precision)) = (self.inexact_results(op), op.precision) {
            let sources = [0, 1].map(|source| self.whole(op, source, resources));
            for lane in 0..LANES {
                let mut vectors = Vectors::default();
                for (vector, source) in vectors.iter_mut().zip(&sources) {
                    *vector = source.map(|lanes| lanes[lane]);
                }
                let own = result.map(|lanes| lanes[lane]);
                let moved =
                    precision.moved(&vectors, own, |component| self.end(number, lane, component));
                for (lanes, bits) in result.iter_mut().zip(moved) {
                    lanes[lane] = bits;
                }
            }
        }
        self.store_masked(op, &result);
    }

    /// `DFRACEXP`: half to one and the exponent to 2, of the number in xy; in
    /// every pair of the first destination and every component of the second.
    pub(crate) fn take_apart(&mut self, op: &MicroOp, resources: &Resources) {
        self.begin_trace(op);
        let Some(source) = op.instruction.sources.first() else { return };
        let [Some(fractions), Some(exponents)] =
            [0, 1].map(|it| op.instruction.destinations.get(it))
        else {
            return;
        };
        let values =
            self.registers.fetch_wide(self.program, resources, source, 0, ValueType::Double);
        let parts = values.map(crate::wide::fraction_exponent);
        let (first, second) = (*fractions, *exponents);
        for component in first.mask.components() {
            let shift = 32 * (component as u32 & 1);
            let half = parts.map(|(fraction, _)| (fraction >> shift) as u32);
            self.store(op, component as usize, half);
        }
        for component in second.mask.components() {
            let values = parts.map(|(_, exponent)| exponent as u32);
            self.registers.store(&second, component as usize, values, self.active);
        }
    }
}

impl Quad<'_> {
    /// A vector times the rows of a matrix, which stand in consecutive
    /// registers. Components beyond the rows are 1.
    pub(crate) fn matrix(&mut self, op: &MicroOp, shape: [usize; 2], resources: &Resources) {
        let Some(first_row) = op.instruction.sources.get(1) else { return };
        self.begin_trace(op);
        let [length, rows] = shape;
        let vector = self.whole(op, 0, resources);
        let mut result = [[1.0f32.to_bits(); LANES]; 4];
        for (number, lanes) in result.iter_mut().enumerate().take(rows) {
            let mut row = *first_row;
            let offset = &mut row.register.index.offset;
            *offset = offset.saturating_add(number as i32);
            let row = [0, 1, 2, 3].map(|it| {
                self.registers.fetch(self.program, resources, &row, it, ValueType::Float)
            });
            *lanes = std::array::from_fn(|lane| {
                let [vector, row] = [&vector, &row].map(|it| it.map(|lanes| lanes[lane]));
                self.program.dot(&vector, &row, length).to_bits()
            });
        }
        self.store_masked(op, &result);
    }

    /// `FBFETCH`: the colour that the pixels have, of the output that is named.
    pub(crate) fn fetch_color(&mut self, op: &MicroOp) {
        let Some(output) = op.instruction.sources.first() else { return };
        self.begin_trace(op);
        let number = u32::try_from(output.register.index.offset).ok();
        let colors = &self.program.colors;
        let color = colors.iter().find_map(|(range, first)| {
            let number = number.filter(|number| range.contains(number))?;
            Some(*first as usize + (number - range.start()) as usize)
        });
        let color = color.and_then(|color| self.registers.framebuffer.get(color));
        let color = color.copied().unwrap_or(EMPTY);
        self.store_masked(op, &color);
    }

    /// `IMG2HND` and `SAMP2HND`: the number of a unit as a handle.
    pub(crate) fn handle(&mut self, op: &MicroOp) {
        let Some(source) = op.instruction.sources.first() else { return };
        self.begin_trace(op);
        let unit = |lane| self.registers.index(&source.register.index, lane).unwrap_or(0);
        let units = std::array::from_fn(|lane| unit(lane) as u32);
        self.store_masked(op, &[units, [0; LANES], [0; LANES], [0; LANES]]);
    }
}

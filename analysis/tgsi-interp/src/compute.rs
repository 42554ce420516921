//! Operations on registers: the components that each reads, by lane, and
//! the place of its results.

use tgsi::opcodes::ValueType;

use crate::operation::{Operation, Vectors};
use crate::program::MicroOp;
use crate::quad::Quad;
use crate::registers::{EMPTY, LANES};
use crate::resources::Resources;
use crate::{float, wide};

/// The components of a mask, as numbers.
fn components(mask: tgsi::ast::WriteMask) -> impl Iterator<Item = usize> {
    mask.components().map(|component| component as usize)
}

impl Quad<'_> {
    /// Carries out an operation in the active lanes.
    pub(crate) fn compute(&mut self, op: &MicroOp, operation: Operation, resources: &Resources) {
        if self.active == 0 {
            return;
        }
        self.begin_trace(op);
        let open = self.open_results(op, operation, resources);
        self.compute_bits(op, operation, resources);
        self.open_store(op, open);
    }

    fn compute_bits(&mut self, op: &MicroOp, operation: Operation, resources: &Resources) {
        let Some(destination) = op.instruction.destinations.first() else { return };
        let mask = destination.mask;
        let sources = op.instruction.sources.len().min(5);
        match operation {
            Operation::Each(_) | Operation::Replicated(_) | Operation::Whole(_) => {
                let mut operands = [EMPTY; 5];
                for (source, operand) in operands.iter_mut().enumerate().take(sources) {
                    *operand = self.whole(op, source, resources);
                }
                let mut result = EMPTY;
                for lane in 0..LANES {
                    let vectors: Vectors = operands.map(|it| it.map(|lanes| lanes[lane]));
                    let words = |component: usize| vectors.map(|vector| vector[component]);
                    let values = match operation {
                        Operation::Each(function) => [0, 1, 2, 3].map(|it| function(words(it))),
                        Operation::Replicated(function) => [function(words(0)); 4],
                        Operation::Whole(function) => function(&vectors),
                        _ => [0; 4],
                    };
                    for component in 0..4 {
                        result[component][lane] = values[component];
                    }
                }
                self.store_masked(op, &result);
            }
            Operation::Wide(function) | Operation::WideSparse(function) => {
                let sparse = matches!(operation, Operation::WideSparse(_));
                // All is read before anything is written: they may overlap.
                let pairs = [0, 1].map(|pair| self.longs(op, pair, sparse, resources));
                for (pair, longs) in pairs.into_iter().enumerate() {
                    if mask.0 & (3 << (pair * 2)) == 0 {
                        continue;
                    }
                    let mut values = longs.map(function);
                    let ty = op.instruction.info().destination_types.first();
                    if ty == Some(&ValueType::Double) && op.instruction.saturate {
                        values = values.map(wide::saturate);
                    }
                    for (half, shift) in [(0, 0), (1, 32)] {
                        let component = pair * 2 + half;
                        if mask.0 & (1 << component) != 0 {
                            self.store(op, component, values.map(|it| (it >> shift) as u32));
                        }
                    }
                }
            }
            Operation::Compare(function) => {
                let pairs = [0, 1].map(|pair| self.longs(op, pair, false, resources));
                let places = [0, 2].into_iter().zip(pairs);
                for (component, longs) in places {
                    if mask.0 & (1 << component) != 0 {
                        let values = longs.map(|it| float::all_if(function(it)));
                        self.store(op, component, values);
                    }
                }
            }
            Operation::Narrow(function) => {
                let pairs = [0, 1].map(|pair| self.longs(op, pair, false, resources));
                for (component, longs) in components(mask).zip(pairs) {
                    self.store(op, component, longs.map(function));
                }
            }
        }
    }

    /// The 64-bit values of the sources for one pair, by lane. Sources of 32
    /// bits give their low halves.
    fn longs(
        &self,
        op: &MicroOp,
        pair: usize,
        sparse: bool,
        resources: &Resources,
    ) -> [[u64; 3]; LANES] {
        let mut result = [[0; 3]; LANES];
        let types = &op.instruction.info().source_types;
        for (place, source) in op.instruction.sources.iter().enumerate().take(3) {
            let ty = types.get(place).copied().unwrap_or(ValueType::Untyped);
            let values = match ty {
                ty if ty.is_wide() => {
                    self.registers.fetch_wide(self.program, resources, source, pair, ty)
                }
                _ => {
                    let position = if sparse { pair * 2 } else { pair };
                    self.registers
                        .fetch(self.program, resources, source, position, ty)
                        .map(u64::from)
                }
            };
            for lane in 0..LANES {
                result[lane][place] = values[lane];
            }
        }
        result
    }
}

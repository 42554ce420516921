//! Values that lanes read of each other, decisions at open conditions, and the end of vertices.

use open_bits::{Image, Rule, Rules, Word, apply};
use tgsi::opcodes::ValueType;

use super::arithmetic::Results;
use super::products;
use crate::float::Computed;
use crate::group::{Asked, SubgroupOp};
use crate::operation::Vectors;
use crate::precision::End;
use crate::program::MicroOp;
use crate::quad::Quad;
use crate::registers::LANES;
use crate::resources::Resources;

impl Quad<'_> {
    fn float_word(
        &self,
        op: &MicroOp,
        source: usize,
        position: usize,
        lane: usize,
        resources: &Resources,
    ) -> Word {
        self.word(op, source, position, ValueType::Float, lane, resources).flushable().either_zero()
    }

    /// Returns what a derivative may be: `lanes` are those of the subtrahend and the minuend.
    pub(crate) fn open_derivative(
        &self,
        op: &MicroOp,
        lanes: [[usize; 4]; 2],
        resources: &Resources,
    ) -> Option<Box<Results>> {
        self.registers.open.as_ref()?;
        let mut results = Box::<Results>::default();
        for (component, own) in results.iter_mut().enumerate() {
            let difference = |subtrahend: usize, minuend: usize| {
                let [a, b] = [minuend, subtrahend]
                    .map(|lane| self.float_word(op, 0, component, lane, resources));
                let word = apply(&[&a, &b], &[], true, |v, image: &mut Image| {
                    image.add((f32::from_bits(v[0]) - f32::from_bits(v[1])).bits());
                });
                word.flushable().either_zero()
            };
            for (lane, word) in own.iter_mut().enumerate() {
                *word = Some(match self.active {
                    0xf => {
                        let [subtrahend, minuend] = lanes.map(|it| it[lane]);
                        let first = difference(subtrahend, minuend);
                        // A coarse one may be that of the other row or column.
                        let coarse = lanes[0] == [0; 4];
                        let step = if minuend - subtrahend == 1 { 2 } else { 1 };
                        match coarse {
                            true => {
                                let other = difference(subtrahend + step, minuend + step);
                                let rules = Rules::of(Rule::DerivativeRow);
                                if other == first { first } else { first.join(&other).by(rules) }
                            }
                            false => first,
                        }
                    }
                    _ => Word::any(Rules::of(Rule::InactiveLane)),
                });
            }
        }
        Some(results)
    }

    /// Returns what an input moved by an offset may be.
    pub(crate) fn open_interpolation(
        &self,
        op: &MicroOp,
        resources: &Resources,
    ) -> Option<Box<Results>> {
        self.registers.open.as_ref()?;
        let precision = op.precision?;
        let mut results = Box::<Results>::default();
        for (component, own) in results.iter_mut().enumerate() {
            for (lane, word) in own.iter_mut().enumerate() {
                let place = |axis: usize| self.float_word(op, 1, axis, lane, resources);
                let value = |lane: usize| self.float_word(op, 0, component, lane, resources);
                let mut read: Vec<Word> = (0..LANES).map(value).collect();
                read.extend([place(0), place(1)]);
                let read: Vec<&Word> = read.iter().collect();
                *word = Some(apply(&read, &[], true, |v, image: &mut Image| {
                    let values = [0, 1, 2, 3].map(|lane| f32::from_bits(v[lane]));
                    let across = values[lane | 1] - values[lane & 2];
                    let down = values[lane | 2] - values[lane & 1];
                    let [x, y] = [4, 5].map(|it| f32::from_bits(v[it]));
                    let moved = values[lane] + across * x + down * y;
                    // In which order corners and places meet nobody says: of what is no number
                    // on the way anything may be left.
                    if !moved.is_finite() || !v.iter().all(|it| f32::from_bits(*it).is_finite()) {
                        image.leave(Rule::Approximation);
                        return;
                    }
                    let result = moved.bits();
                    let mut vectors = Vectors::default();
                    vectors[0] = [v[0], v[1], v[2], v[3]];
                    vectors[1] = [v[4], v[5], 0, 0];
                    let end =
                        |end| precision.moved(&vectors, [result; 4], |_| Some(end))[component];
                    image.add(result);
                    image.add_between([end(End::Least), end(End::Greatest)], Rule::Approximation);
                }));
            }
        }
        Some(results)
    }

    /// Returns what a question to the lanes of a subgroup may be answered with, where that is
    /// more than the answer.
    pub(crate) fn open_answer(&self, group: SubgroupOp, asked: &Asked) -> Option<Box<Results>> {
        self.registers.open.as_ref()?;
        let rules = match (group, asked.open) {
            (SubgroupOp::Helper, _) => return None,
            (SubgroupOp::Clock, _) => Rules::of(Rule::Clock),
            (_, Some(rules)) => rules.with(Rule::Subgroup),
            (_, None) => return None,
        };
        let results = std::array::from_fn(|_| std::array::from_fn(|_| Some(Word::any(rules))));
        Some(Box::new(results))
    }

    /// Returns what a vector times the rows of a matrix may be.
    pub(crate) fn open_matrix(
        &self,
        op: &MicroOp,
        [length, rows]: [usize; 2],
        resources: &Resources,
    ) -> Option<Box<Results>> {
        self.registers.open.as_ref()?;
        let first = op.instruction.sources.get(1)?;
        let mut results = Box::<Results>::default();
        for lane in 0..LANES {
            let vector = [0, 1, 2, 3].map(|it| self.float_word(op, 0, it, lane, resources));
            for (number, own) in results.iter_mut().enumerate() {
                let mut row = *first;
                let offset = &mut row.register.index.offset;
                *offset = offset.saturating_add(number as i32);
                let row = row.swizzle.0.map(|component| {
                    let word = self.registers.bare_word(
                        self.program,
                        resources,
                        &row.register,
                        component,
                        lane,
                    );
                    super::operands::modified(word, &row, ValueType::Float)
                        .flushable()
                        .either_zero()
                });
                own[lane] = Some(match number < rows {
                    true => products::dot(&vector, &row, length, self.program.zero_wins),
                    false => Word::exactly(1.0_f32.to_bits()),
                });
            }
        }
        Some(results)
    }

    /// Returns the rules by which any component of a source is open in an active lane.
    pub(crate) fn openness(
        &self,
        op: &MicroOp,
        source: usize,
        resources: &Resources,
    ) -> Option<Rules> {
        self.registers.open.as_ref()?;
        let lanes = (0..LANES).filter(|lane| self.active >> lane & 1 == 1);
        let words =
            lanes.flat_map(|lane| (0..4).map(move |it| self.bare(op, source, it, lane, resources)));
        words.filter(|it| it.bits().is_none()).map(|it| it.rules()).reduce(Rules::plus)
    }

    /// Decides in every active lane whether a condition on a source holds: where it is open, as
    /// the script says.
    pub(crate) fn decided(
        &mut self,
        holds: [bool; LANES],
        condition: impl Fn(&Quad<'_>, usize) -> ([bool; 2], Rules),
    ) -> [bool; LANES] {
        if self.registers.open.is_none() {
            return holds;
        }
        let mut decided = holds;
        for (lane, own) in decided.iter_mut().enumerate() {
            if self.active >> lane & 1 == 0 {
                continue;
            }
            let (outcomes, rules) = condition(self, lane);
            if let Some(open) = &mut self.registers.open {
                *own = open.decide(lane, *own, outcomes, rules);
            }
        }
        decided
    }

    /// The outcomes of a condition on the first component of the first source.
    pub(crate) fn outcomes(
        &self,
        op: &MicroOp,
        ty: ValueType,
        lane: usize,
        resources: &Resources,
        holds: impl Fn(u32) -> bool,
    ) -> ([bool; 2], Rules) {
        let mut word = self.word(op, 0, 0, ty, lane, resources);
        if ty == ValueType::Float {
            word = word.flushable();
        }
        (word.outcomes(holds), word.rules())
    }

    /// The outcomes of `KILL_IF`: whether any component is negative.
    pub(crate) fn kill_outcomes(
        &self,
        op: &MicroOp,
        lane: usize,
        resources: &Resources,
    ) -> ([bool; 2], Rules) {
        let mut rules = Rules::NONE;
        let [mut may, mut may_not] = [false, true];
        for component in 0..4 {
            let word = self.word(op, 0, component, ValueType::Float, lane, resources).flushable();
            let [is, is_not] = word.outcomes(|bits| f32::from_bits(bits) < 0.0);
            (may, may_not) = (may || is, may_not && is_not);
            rules = rules.plus(word.rules());
        }
        ([may, may_not], rules)
    }

    /// Leaves all open in the lanes in which a source is.
    pub(crate) fn lose_if_open(&mut self, op: &MicroOp, source: usize, resources: &Resources) {
        if self.registers.open.is_none() {
            return;
        }
        let active = self.active;
        for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
            let ty = Quad::source_type(op, source);
            let word = self.word(op, source, 0, ty, lane, resources);
            if let (None, Some(open)) = (word.bits(), &mut self.registers.open) {
                open.lose(lane, word.rules().with(Rule::Condition));
            }
        }
    }

    /// Keeps the words of an emitted vertex, and forgets the outputs.
    pub(crate) fn open_emit(&mut self, stream: usize) {
        let bits: Vec<[u32; 4]> =
            self.registers.outputs.iter().map(|it| it.map(|lanes| lanes[0])).collect();
        let Some(open) = &mut self.registers.open else { return };
        let vertex: Vec<[Word; 4]> = open
            .outputs
            .iter()
            .zip(&bits)
            .map(|(words, bits)| {
                std::array::from_fn(|it| match &words[it][0] {
                    Some(word) => word.clone(),
                    None => Word::exactly(bits[it]),
                })
            })
            .collect();
        open.streams[stream].push(vertex);
        open.forget_outputs();
    }
}

//! Operations on sets: each formula evaluated wherever its operands may be, and what its opcode
//! leaves open beside.

use open_bits::{Image, Rule, Rules, Word, apply};
use tgsi::Opcode;
use tgsi::opcodes::ValueType;

use super::monotone::{is_monotone, places};
use super::{conversions, integers, products, wide};
use crate::float::Computed;
use crate::operation::{Operation, Vectors};
use crate::precision::End;
use crate::program::MicroOp;
use crate::quad::Quad;
use crate::registers::LANES;
use crate::resources::Resources;

/// The words that a step may write: a component in each lane, `None` where nothing is computed.
pub(crate) type Results = [[Option<Word>; LANES]; 4];

/// The four components of up to five sources.
pub(super) type Sources = [[Word; 4]; 5];

impl Quad<'_> {
    /// Returns what an operation may give in the active lanes; `None` where no shadow is kept.
    pub(crate) fn open_results(
        &self,
        op: &MicroOp,
        operation: Operation,
        resources: &Resources,
    ) -> Option<Box<Results>> {
        self.registers.open.as_ref()?;
        let mask = op.instruction.destinations.first()?.mask;
        let mut results = Box::<Results>::default();
        for lane in (0..LANES).filter(|lane| self.active >> lane & 1 == 1) {
            let words = match operation {
                Operation::Each(_) | Operation::Replicated(_) | Operation::Whole(_) => {
                    let sources = self.sources(op, operation, lane, resources);
                    self.lifted(op, operation, &sources, mask.0)
                }
                _ => self.lifted_wide(op, operation, lane, resources),
            };
            for (component, word) in words.into_iter().enumerate() {
                results[component][lane] = word;
            }
        }
        Some(results)
    }

    /// The sources of a lane: what arithmetic reads of floats may be flushed, and its zeros have
    /// either sign.
    fn sources(
        &self,
        op: &MicroOp,
        operation: Operation,
        lane: usize,
        resources: &Resources,
    ) -> Sources {
        let opcode = op.formula();
        let count = op.instruction.sources.len().min(5);
        let mask = op.instruction.destinations.first().map_or(0xf, |it| it.mask.0);
        let mut sources = Sources::default();
        for (number, source) in sources.iter_mut().enumerate().take(count) {
            let ty = Quad::source_type(op, number);
            for (position, word) in source.iter_mut().enumerate() {
                let is_read = match operation {
                    Operation::Each(_) => mask >> position & 1 == 1,
                    Operation::Replicated(_) => position == 0,
                    _ => true,
                };
                if !is_read {
                    continue;
                }
                *word = self.word(op, number, position, ty, lane, resources);
                if ty == ValueType::Float {
                    *word = word.flushable();
                    if !copies(opcode, number) {
                        *word = word.either_zero();
                    }
                }
            }
        }
        sources
    }

    fn lifted(
        &self,
        op: &MicroOp,
        operation: Operation,
        sources: &Sources,
        mask: u8,
    ) -> [Option<Word>; 4] {
        let opcode = op.formula();
        let arity = op.instruction.sources.len().min(5);
        let is_wanted = |component: usize| mask >> component & 1 == 1;
        if let Some(words) = products::lifted(opcode, sources, self.program.zero_wins) {
            return words.map(Some);
        }
        let components: [Option<Word>; 4] = match operation {
            Operation::Each(function) => std::array::from_fn(|component| {
                is_wanted(component).then(|| {
                    let own: Vec<&Word> =
                        sources[..arity].iter().map(|source| &source[component]).collect();
                    self.each(op, &own, function)
                })
            }),
            Operation::Replicated(function) => {
                let own: Vec<&Word> = sources[..arity].iter().map(|source| &source[0]).collect();
                let word = self.each(op, &own, function);
                std::array::from_fn(|_| Some(word.clone()))
            }
            Operation::Whole(function) => whole(op, sources, arity, function).map(Some),
            _ => Default::default(),
        };
        components
    }

    /// One component from as many sources.
    fn each(&self, op: &MicroOp, sources: &[&Word], function: fn([u32; 5]) -> u32) -> Word {
        let opcode = op.formula();
        if let Some(word) = integers::lifted(opcode, sources) {
            return word;
        }
        let vectors = |arguments: &[u32]| {
            let mut vectors = Vectors::default();
            for (vector, argument) in vectors.iter_mut().zip(arguments) {
                *vector = [*argument; 4];
            }
            vectors
        };
        let evaluate = |arguments: &[u32], image: &mut Image| {
            if let Some(rule) = undefined(opcode, arguments) {
                image.leave(rule);
                return;
            }
            let vectors = vectors(arguments);
            let bits = function(vectors.map(|vector| vector[0]));
            let [.., low, high] =
                [0, 1, 2].map(|it| arguments.get(it).map_or(0.0, |it| f32::from_bits(*it)));
            if opcode == Opcode::CLAMP && low > high {
                image.add(high.bits());
                image.by(Rule::Limits);
            }
            let is_nan = |bits: &u32| f32::from_bits(*bits).is_nan();
            if compares(opcode) && arguments.iter().any(is_nan) {
                arguments.iter().for_each(|bits| image.add(*bits));
                image.by(Rule::NanOperand);
            }
            bounded(op, &vectors, [bits; 4], 0, image);
        };
        let floats = is_float_result(op);
        let numbers: Vec<Word> = sources
            .iter()
            .enumerate()
            .map(|(number, word)| bits_or_float(op, number, word))
            .collect();
        let sources: &[&Word] = &numbers.iter().collect::<Vec<_>>();
        if !sources.iter().all(|it| it.is_listed()) && !is_monotone(opcode) {
            let rules = sources.iter().fold(Rules::NONE, |all, it| all.plus(it.rules()));
            return Word::any(rules);
        }
        apply(sources, &places(opcode, sources), floats, evaluate)
    }
}

/// A word as a source is read: of what is no float all bits count, those of a NaN, too.
fn bits_or_float(op: &MicroOp, source: usize, word: &Word) -> Word {
    match Quad::source_type(op, source) {
        ValueType::Float => word.clone(),
        _ => word.as_bits(),
    }
}

/// A rule for each component, from all components that it reads.
fn whole(
    op: &MicroOp,
    sources: &Sources,
    arity: usize,
    function: fn(&Vectors) -> [u32; 4],
) -> [Word; 4] {
    let opcode = op.formula();
    if let Some(words) = conversions::lifted(opcode, sources) {
        return words;
    }
    let reads = |component: usize| products::components_read(opcode, component);
    std::array::from_fn(|component| {
        let read: Vec<(usize, usize)> = (0..arity)
            .flat_map(|source| (0..4).map(move |position| (source, position)))
            .filter(|(source, position)| reads(component)[*source] >> position & 1 == 1)
            .collect();
        let words: Vec<Word> = read
            .iter()
            .map(|(source, position)| bits_or_float(op, *source, &sources[*source][*position]))
            .collect();
        let own: Vec<&Word> = words.iter().collect();
        let evaluate = |arguments: &[u32], image: &mut Image| {
            let mut vectors = Vectors::default();
            for ((source, position), argument) in read.iter().zip(arguments) {
                vectors[*source][*position] = *argument;
            }
            // The exponent of LIT is clamped: of a NaN any operand of the clamp may be left.
            if opcode == Opcode::LIT && component == 2 && f32::from_bits(vectors[0][3]).is_nan() {
                for limit in [-128.0_f32, 128.0] {
                    let mut clamped = vectors;
                    clamped[0][3] = limit.to_bits();
                    bounded(op, &clamped, function(&clamped), component, image);
                }
                image.by(Rule::NanOperand);
            }
            let results = function(&vectors);
            bounded(op, &vectors, results, component, image);
        };
        if !own.iter().all(|it| it.is_listed()) && !is_monotone(opcode) {
            let rules = own.iter().fold(Rules::NONE, |all, it| all.plus(it.rules()));
            return Word::any(rules);
        }
        apply(&own, &places(opcode, &own), is_float_result(op), evaluate)
    })
}

/// Adds a result, or all within the bound of an opcode that is not exact.
fn bounded(
    op: &MicroOp,
    vectors: &Vectors,
    results: [u32; 4],
    component: usize,
    image: &mut Image,
) {
    let Some(precision) = op.precision else {
        image.add(results[component]);
        return;
    };
    if precision.leaves_open(vectors, component) {
        image.leave(Rule::Approximation);
        return;
    }
    let end = |end: End| precision.moved(vectors, results, |_| Some(end))[component];
    image.add(results[component]);
    image.add_between([end(End::Least), end(End::Greatest)], Rule::Approximation);
}

/// Tells whether the results of an instruction are floats.
pub(super) fn is_float_result(op: &MicroOp) -> bool {
    op.instruction.info().destination_types.first() == Some(&ValueType::Float)
}

/// Tells whether an opcode gives one of its sources as it is.
pub(super) fn is_selection(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::CMP | Opcode::CND | Opcode::CND0)
}

/// Tells whether an opcode gives the source that comparisons choose.
fn compares(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::MIN | Opcode::MAX | Opcode::CLAMP)
}

/// Tells whether an opcode passes a source on: the sign of a zero goes with it.
fn copies(opcode: Opcode, source: usize) -> bool {
    match opcode {
        Opcode::CMP => source > 0,
        Opcode::CND | Opcode::CND0 => source < 2,
        _ => false,
    }
}

/// Returns the rule by which a result is open altogether.
fn undefined(opcode: Opcode, arguments: &[u32]) -> Option<Rule> {
    conversions::undefined(opcode, arguments).or_else(|| integers::undefined(opcode, arguments))
}

impl Quad<'_> {
    fn lifted_wide(
        &self,
        op: &MicroOp,
        operation: Operation,
        lane: usize,
        resources: &Resources,
    ) -> [Option<Word>; 4] {
        let Some(destination) = op.instruction.destinations.first() else {
            return Default::default();
        };
        let mask = destination.mask.0;
        let mut words: [Option<Word>; 4] = Default::default();
        let sparse = matches!(operation, Operation::WideSparse(_));
        let mut narrow = destination.mask.components().map(|it| it as usize);
        for pair in 0..2 {
            let sources = || self.wide_sources(op, pair, sparse, lane, resources);
            match operation {
                Operation::Wide(function) | Operation::WideSparse(function) => {
                    if mask & (3 << (pair * 2)) == 0 {
                        continue;
                    }
                    let [low, high] = wide::lifted(op, &sources(), function);
                    (words[pair * 2], words[pair * 2 + 1]) = (Some(low), Some(high));
                }
                Operation::Compare(function) if mask >> (pair * 2) & 1 == 1 => {
                    words[pair * 2] = Some(wide::compared(op, &sources(), function));
                }
                Operation::Narrow(function) => {
                    if let Some(component) = narrow.next() {
                        words[component] = Some(wide::narrowed(op, &sources(), function));
                    }
                }
                _ => {}
            }
        }
        words
    }

    fn wide_sources(
        &self,
        op: &MicroOp,
        pair: usize,
        sparse: bool,
        lane: usize,
        resources: &Resources,
    ) -> Vec<[Word; 2]> {
        let types = &op.instruction.info().source_types;
        let source = |number: usize| {
            let ty = types.get(number).copied().unwrap_or(ValueType::Untyped);
            if ty.is_wide() {
                let bare = |half: usize| self.bare(op, number, pair * 2 + half, lane, resources);
                return wide::modified(op, number, ty, [bare(0), bare(1)]);
            }
            let position = if sparse { pair * 2 } else { pair };
            let mut word = self.word(op, number, position, ty, lane, resources);
            if ty == ValueType::Float {
                word = word.flushable().either_zero();
            }
            [word, Word::exactly(0)]
        };
        (0..op.instruction.sources.len().min(3)).map(source).collect()
    }
}

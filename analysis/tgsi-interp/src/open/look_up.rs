//! Look-ups with open operands: looked up at several of the places that they may name.
//!
//! Every combination of listed operands of a lane is looked up, up to a number of them. A texture is
//! no formula: between two places anything may stand. A short interval of coordinates is looked up
//! at its ends and the result widened by its own width, which holds what linear filters make of it;
//! texels that are chosen by number or as the nearest change at places of which a short interval has
//! one at most, and both sides of it are looked up. In a longer one any texel may be found.

use open_bits::{Points, Rule, Rules, Word};
use sampler::Dimension;
use tgsi::Stage;
use tgsi::opcodes::ValueType;

use super::arithmetic::Results;
use crate::lookup::{Context, Level, LookupKind, PreparedLookup, Projection};
use crate::precision::End;
use crate::program::MicroOp;
use crate::quad::Quad;
use crate::registers::{LANES, Register};
use crate::resources::Resources;

/// Places that are looked up, at most.
const MOST: usize = 128;

/// The operands of a look-up in place of the registers' bits: by source, component and lane.
pub(crate) type Substitutes = Vec<Register>;

/// Texel offsets that any driver takes: what `PIPE_CAP_MIN_TEXTURE_GATHER_OFFSET` and its
/// counterpart are on GCN.
const OFFSETS: std::ops::Range<i32> = -32..32;

impl Quad<'_> {
    /// Returns what a look-up may give; `None` where no shadow is kept.
    pub(crate) fn open_look_up(
        &self,
        op: &MicroOp,
        lookup: PreparedLookup,
        resources: &Resources,
    ) -> Option<Box<Results>> {
        self.registers.open.as_ref()?;
        let any = |rules: Rules| -> Results {
            std::array::from_fn(|_| std::array::from_fn(|_| Some(Word::any(rules))))
        };
        let fragments = self.program.stage == Stage::Fragment;
        if lookup.kind == LookupKind::Detail && !fragments {
            return Some(Box::new(any(Rules::of(Rule::LookUp))));
        }
        let implicit = match lookup.kind {
            LookupKind::Sample { level: Level::Implicit | Level::Bias(_), .. }
            | LookupKind::Detail => fragments,
            _ => false,
        };
        if implicit && self.active != 0xf {
            return Some(Box::new(any(Rules::of(Rule::InactiveLane))));
        }
        let divergence = &self.program.divergence;
        if op.instruction.sources.iter().any(|it| divergence.names_several(op, &it.register)) {
            return Some(Box::new(any(Rules::of(Rule::NonUniform))));
        }
        let sources = op.instruction.sources.len();
        let mut rules = Rules::NONE;
        let mut words: Vec<[Vec<Word>; 4]> = Vec::new();
        for source in 0..sources {
            words.push(std::array::from_fn(|position| {
                (0..LANES)
                    .map(|lane| {
                        let ty = Quad::source_type(op, source);
                        let word = self.word(op, source, position, ty, lane, resources);
                        if ty == ValueType::Float { word.flushable() } else { word }
                    })
                    .collect()
            }));
        }
        let context =
            Context::new(self.program, &self.registers, resources, &op.instruction, lookup);
        let lanes = (0..LANES).filter(|lane| self.active >> lane & 1 == 1);
        let mut offsets = lanes
            .flat_map(|lane| (0..op.instruction.offsets.len()).map(move |number| (number, lane)));
        if offsets.any(|(number, lane)| {
            context.offsets(number, lane).iter().any(|offset| !OFFSETS.contains(offset))
        }) {
            return Some(Box::new(any(Rules::of(Rule::LookUp))));
        }
        let read = context.components_read();
        let is_read = |source: usize, position: usize| {
            read.get(source).is_some_and(|it| it >> position & 1 == 1)
        };
        // A lane's texel follows from its own operands, and its level from those of all.
        let mut own_counts = [1_usize; LANES];
        let dimension = crate::lookup::dimension(context.target);
        let mut near = true;
        let mut dense = op.precision.is_some();
        // Lanes of which the place is not known.
        let mut unknown = [false; LANES];
        let mut lane_rules = [Rules::NONE; LANES];
        let mut choices: Vec<[[Vec<u32>; LANES]; 4]> = Vec::new();
        for (source, own) in words.iter().enumerate() {
            choices.push(std::array::from_fn(|position| {
                std::array::from_fn(|lane| {
                    let word = &own[position][lane];
                    let runs = self.active >> lane & 1 == 1;
                    if !is_read(source, position) || !runs {
                        return Vec::new();
                    }
                    let points = Points::of(word, &[]);
                    if points.dense {
                        dense = true;
                        let ty = Quad::source_type(op, source);
                        let scale = scale(&words[0], lookup.kind, dimension, lane);
                        if ty != ValueType::Float || !is_short(&points.values, scale) {
                            unknown[lane] = true;
                            lane_rules[lane] = lane_rules[lane].plus(word.rules());
                            return Vec::new();
                        }
                    }
                    rules = rules.plus(word.rules());
                    near &= are_near(&points.values);
                    own_counts[lane] = own_counts[lane].saturating_mul(points.values.len());
                    points.values
                })
            }));
        }
        let together = own_counts.iter().fold(1_usize, |all, it| all.saturating_mul(*it));
        let all_lanes = implicit && !near;
        let count = match all_lanes {
            true => together,
            false => own_counts.iter().copied().max().unwrap_or(1),
        };
        // The level of all follows from the places of each.
        let is_lost = implicit && unknown.contains(&true);
        if is_lost || count > MOST {
            let all = lane_rules.into_iter().fold(rules, Rules::plus);
            return Some(Box::new(any(all)));
        }
        // Of quotients both ends and the middle.
        let ends = usize::from(op.precision.is_some()) * 2 + 1;
        let tries = count * ends;
        let mut seen: Vec<Register> = Vec::new();
        let mut undefined = [[false; LANES]; 4];
        for number in 0..tries {
            // Every combination of the operands of a lane, of all lanes where they belong together.
            let mut rest = [number / ends; LANES];
            let mut together = number / ends;
            let substitutes: Substitutes = choices
                .iter()
                .enumerate()
                .map(|(source, own)| {
                    std::array::from_fn(|position| {
                        std::array::from_fn(|lane| {
                            let all = &own[position][lane];
                            let rest = if all_lanes { &mut together } else { &mut rest[lane] };
                            let place = *rest % all.len().max(1);
                            *rest /= all.len().max(1);
                            all.get(place).copied().unwrap_or_else(|| {
                                context.fetch(source, position, Quad::source_type(op, source))[lane]
                            })
                        })
                    })
                })
                .collect();
            let context = context.with(&substitutes);
            for (component, own) in undefined.iter_mut().enumerate() {
                for (lane, own) in own.iter_mut().enumerate() {
                    *own |= context.leaves_open(component, lane);
                }
            }
            seen.push(context.look_up(&|sources, quotients, _| match (op.precision, number % 3) {
                (Some(precision), 1) => precision.moved(sources, quotients, |_| Some(End::Least)),
                (Some(precision), 2) => {
                    precision.moved(sources, quotients, |_| Some(End::Greatest))
                }
                _ => quotients,
            }));
        }
        let floats = context.texels_are_floats();
        let mut results = Box::<Results>::default();
        for (component, own) in results.iter_mut().enumerate() {
            for (lane, word) in own.iter_mut().enumerate() {
                let undefined = undefined[component][lane].then_some(Rule::LookUp);
                if unknown[lane] {
                    *word = Some(Word::any(lane_rules[lane]));
                    continue;
                }
                let values: Vec<u32> = seen.iter().map(|it| it[component][lane]).collect();
                let rules =
                    if op.precision.is_some() { rules.with(Rule::Approximation) } else { rules };
                *word = Some(match (undefined, dense && floats) {
                    (Some(rule), _) => Word::any(rules.with(rule)),
                    (None, true) => widened(&values, rules),
                    (None, false) => Word::of_bits(values, rules),
                });
            }
        }
        Some(results)
    }
}

/// Tells whether floats are so near to each other that a level of detail does not tell them apart.
fn are_near(values: &[u32]) -> bool {
    let numbers = || values.iter().map(|it| f64::from(f32::from_bits(*it)));
    let (least, most) =
        numbers().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), it| (a.min(it), b.max(it)));
    values.len() < 2 || most - least <= least.abs().max(1e-20) / 1024.0
}

/// Tells whether numbers are no further apart than a small part of a texel, of which a texture has
/// few in so much as `scale`.
fn is_short(values: &[u32], scale: f64) -> bool {
    let numbers = || values.iter().map(|it| f64::from(f32::from_bits(*it)));
    let (least, most) =
        numbers().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), it| (a.min(it), b.max(it)));
    numbers().all(f64::is_finite) && most - least <= scale / 1024.0
}

/// Returns the length of coordinates in which a texture lies once: what they are divided by.
fn scale(
    place: &[Vec<Word>; 4],
    kind: LookupKind,
    dimension: Option<Dimension>,
    lane: usize,
) -> f64 {
    let least = |axis: usize| {
        let values = Points::of(&place[axis][lane], &[]).values;
        let magnitudes = values.iter().map(|it| f64::from(f32::from_bits(*it)).abs());
        magnitudes.fold(f64::INFINITY, f64::min)
    };
    match kind {
        LookupKind::Sample { projection: Projection::ByW, .. } => least(3),
        _ if dimension.is_some_and(Dimension::is_cube) => (0..3).map(least).fold(0.0, f64::max),
        _ => 1.0,
    }
}

/// An interval of floats, as wide again at both ends.
fn widened(values: &[u32], rules: Rules) -> Word {
    let numbers = || values.iter().map(|it| f64::from(f32::from_bits(*it)));
    if values.iter().all(|it| *it == values[0]) {
        return Word::of_floats(values.to_vec(), rules);
    }
    if numbers().any(|it| !it.is_finite()) {
        return Word::any(rules);
    }
    let (least, greatest) =
        numbers().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), it| (a.min(it), b.max(it)));
    let width = greatest - least;
    let ends = [least - width, greatest + width].map(|it| (it as f32).to_bits());
    Word::spanned(&ends, false, rules)
}

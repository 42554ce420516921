//! The way of values through the blocks as evidence: a program that somebody meant reads what was
//! written, writes what is read, and leaves its loops by what they change.
//!
//! Each reading of the text is followed as it would run. The blocks stand as they are written, so
//! one pass to the front finds what is not written, and passes to the back what is not read, until
//! nothing changes at the heads of the loops.

use rustc_hash::FxHashMap;

use super::evidence::{ENDLESS, UNREAD, UNWRITTEN};
use super::sequence::Sequence;
use super::sweep::Candidate;
use crate::ast::{Component, Instruction, Register, Shader};
use crate::opcodes::{Control, Family};
use crate::validate::dataflow::components_read;
use crate::validate::{Block, Nesting};
use crate::words::{File, Stage};

/// The most words of state that are touched in one shader.
const MOST_WORK: usize = 1 << 24;

/// The passes to the back that a reading may take: one for each depth of loops, and two more.
const MOST_PASSES: usize = 8;

/// Components of registers, four bits each.
#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

/// The components of one register: the place of its first bit, and which.
type Bits = (usize, u8);

impl Set {
    fn put(&mut self, (place, mask): Bits) {
        self.0[place / 64] |= u64::from(mask) << (place % 64);
    }

    fn take(&mut self, (place, mask): Bits) {
        self.0[place / 64] &= !(u64::from(mask) << (place % 64));
    }

    /// The components of a register that are in it.
    fn of(&self, (place, mask): Bits) -> u8 {
        (self.0[place / 64] >> (place % 64)) as u8 & mask
    }

    fn unite(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(ours, theirs)| *ours |= theirs);
    }

    fn intersect(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(ours, theirs)| *ours &= theirs);
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// One instruction, or a word that was put between them.
#[derive(Clone, Default)]
struct Step {
    control: Option<Control>,
    /// The components that it surely reads.
    reads: Vec<Bits>,
    /// The components that it may read.
    may_read: Vec<Bits>,
    writes: Vec<Bits>,
    /// Set where it reads registers by a computed number.
    reads_any: bool,
    /// Set where it writes registers by a computed number.
    writes_any: bool,
    /// Set where it does nothing but write its destinations.
    pure: bool,
    /// Set where its result may differ each time.
    varies: bool,
    /// Set where it hands on the outputs.
    emits: bool,
}

/// The values of a shader.
pub(super) struct Values {
    steps: Vec<Step>,
    none: Set,
    /// The components of the outputs that something writes.
    outputs: Set,
}

impl Values {
    /// Gathers the values. `None` where calls or jumps hide the way.
    pub(super) fn of(shader: &Shader) -> Option<Values> {
        let mut places: FxHashMap<(File, u32), usize> = FxHashMap::default();
        let mut steps = Vec::new();
        for instruction in shader.instructions() {
            steps.push(Step::of(instruction, &mut places)?);
        }
        let none = Set(vec![0; (places.len() * 4).div_ceil(64)]);
        let mut outputs = none.clone();
        // Those of a geometry shader go with each `EMIT`.
        let is_geometry = shader.stage.value == Stage::Geometry;
        let is_output: Vec<bool> = {
            let mut all = vec![false; places.len()];
            places.iter().for_each(|((file, _), place)| all[place / 4] = *file == File::Output);
            all
        };
        for bits in steps.iter().flat_map(|step| &step.writes) {
            if is_output[bits.0 / 4] && !is_geometry {
                outputs.put(*bits);
            }
        }
        if is_geometry {
            let all = is_output.iter().enumerate().filter(|(_, is_output)| **is_output);
            let all: Vec<Bits> = all.map(|(place, _)| (place * 4, 0xf)).collect();
            for step in steps.iter_mut().filter(|step| step.emits) {
                step.may_read.extend(&all);
            }
        }
        Some(Values { steps, none, outputs })
    }

    /// Adds to each candidate what its values contradict, less what those of all others do.
    /// Nothing where there is too much to follow.
    pub(super) fn weigh(&self, sequence: &Sequence, candidates: &mut [&mut Candidate]) {
        let work = candidates.len() * (sequence.elements.len() + 1) * (self.none.0.len() + 1);
        if candidates.len() < 2 || work > MOST_WORK / 4 {
            return;
        }
        let facts: Option<Vec<[u32; 3]>> =
            candidates.iter().map(|it| self.contradictions(sequence, it)).collect();
        let Some(facts) = facts else { return };
        for (kind, place) in [UNWRITTEN, UNREAD, ENDLESS].into_iter().enumerate() {
            let least = facts.iter().map(|it| it[kind]).min().unwrap_or_default();
            for (candidate, facts) in candidates.iter_mut().zip(&facts) {
                candidate.against[place] = facts[kind] - least;
            }
        }
    }

    /// What is read and not written, written and not read, and loops that do the same each time.
    fn contradictions(&self, sequence: &Sequence, candidate: &Candidate) -> Option<[u32; 3]> {
        let word = Step { control: Some(control(candidate.word)?), ..Step::default() };
        let mut put_in = Vec::new();
        for element in &sequence.elements {
            let step = match (element.instruction, element.nesting) {
                (None, Some(word)) => {
                    Some(Step { control: Some(control(word)?), ..Step::default() })
                }
                _ => None,
            };
            put_in.push(step);
        }
        let elements = sequence.elements.iter().zip(&put_in);
        let mut steps: Vec<&Step> = elements
            .map(|(element, put_in)| match element.instruction {
                Some(place) => &self.steps[place],
                None => put_in.as_ref().unwrap_or(&word),
            })
            .collect();
        steps.insert(candidate.place, &word);
        let unwritten = self.unwritten(&steps)?;
        let (unread, endless) = self.unread(&steps)?;
        Some([unwritten, unread, endless])
    }

    /// Counts the components that are read, or handed on at the end, and not written on every
    /// path.
    fn unwritten(&self, steps: &[&Step]) -> Option<u32> {
        let mut found = self.none.clone();
        let mut state = Some(self.none.clone());
        let mut open: Vec<Front> = Vec::new();
        for step in steps {
            if let Some(state) = &state {
                for bits in &step.reads {
                    found.put((bits.0, bits.1 & !state.of(*bits)));
                }
            }
            match step.control.unwrap_or(Control::Next) {
                Control::If => open.push(Front::new(Block::If, state.clone())),
                Control::Else => {
                    let front = open.last_mut().filter(|it| it.block == Block::If)?;
                    std::mem::swap(&mut front.other, &mut state);
                }
                Control::EndIf => {
                    let front = open.pop().filter(|it| it.block == Block::If)?;
                    meet(&mut state, front.other);
                }
                // What is written stays written: a way back brings no less.
                Control::Loop => open.push(Front::new(Block::Loop, None)),
                Control::EndLoop => {
                    state = open.pop().filter(|it| it.block == Block::Loop)?.exit;
                }
                Control::Switch => open.push(Front::new(Block::Switch, state.take())),
                Control::Case | Control::Default => {
                    let front = open.last_mut().filter(|it| it.block == Block::Switch)?;
                    front.default |= step.control == Some(Control::Default);
                    meet(&mut state, front.other.clone());
                }
                Control::EndSwitch => {
                    let front = open.pop().filter(|it| it.block == Block::Switch)?;
                    meet(&mut state, front.exit);
                    if !front.default {
                        meet(&mut state, front.other);
                    }
                }
                Control::Break => {
                    let front = open.iter_mut().rev().find(|it| it.block != Block::If)?;
                    meet(&mut front.exit, state.take());
                }
                Control::Continue => state = None,
                Control::Return | Control::End => {
                    if let Some(state) = state.take() {
                        let missing = self.outputs.0.iter().zip(&state.0);
                        let found = found.0.iter_mut().zip(missing);
                        found.for_each(|(found, (all, written))| *found |= all & !written);
                    }
                }
                Control::Next => {}
                Control::Call | Control::Subroutine | Control::EndSubroutine | Control::Jump => {
                    return None;
                }
            }
            if let Some(state) = &mut state {
                step.writes.iter().for_each(|bits| state.put(*bits));
                if step.writes_any {
                    state.0.fill(u64::MAX);
                }
            }
        }
        Some(found.count())
    }

    /// Counts the instructions whose results nothing reads, and the loops that nothing that they
    /// change ends.
    fn unread(&self, steps: &[&Step]) -> Option<(u32, u32)> {
        let loops = steps.iter().filter(|step| step.control == Some(Control::Loop)).count();
        let mut heads = vec![self.none.clone(); loops];
        for _ in 0..MOST_PASSES {
            let before = heads.clone();
            let (unread, spans) = self.back(steps, &mut heads)?;
            if heads == before {
                let endless = spans.iter().filter(|(number, first, last)| {
                    self.is_endless(&steps[*first..=*last], &heads[*number])
                });
                return Some((unread, u32::try_from(endless.count()).ok()?));
            }
        }
        None
    }

    /// Reads to the back: the results that nothing reads, and the loops with their first and last
    /// steps.
    fn back(
        &self,
        steps: &[&Step],
        heads: &mut [Set],
    ) -> Option<(u32, Vec<(usize, usize, usize)>)> {
        let mut unread = 0;
        let mut live = self.none.clone();
        let mut open: Vec<Back> = Vec::new();
        let mut number = heads.len();
        let mut spans = Vec::new();
        for (at, step) in steps.iter().enumerate().rev() {
            let is_read = step.writes.iter().any(|bits| live.of(*bits) != 0);
            unread += u32::from(step.pure && !step.writes.is_empty() && !is_read);
            step.writes.iter().for_each(|bits| live.take(*bits));
            match step.control.unwrap_or(Control::Next) {
                Control::EndIf => open.push(Back::new(Block::If, at, live.clone(), &self.none)),
                Control::Else => {
                    let back = open.last_mut().filter(|it| it.block == Block::If)?;
                    std::mem::swap(&mut back.exit, &mut live);
                }
                // What the other way needs: behind the block, or at the head of `ELSE`.
                Control::If => live.unite(&open.pop().filter(|it| it.block == Block::If)?.exit),
                Control::EndLoop => {
                    number = number.checked_sub(1)?;
                    let mut back = Back::new(Block::Loop, at, live.clone(), &self.none);
                    back.number = number;
                    live.clone_from(&heads[number]);
                    open.push(back);
                }
                Control::Loop => {
                    let back = open.pop().filter(|it| it.block == Block::Loop)?;
                    spans.push((back.number, at, back.end));
                    heads[back.number].clone_from(&live);
                }
                Control::EndSwitch => {
                    open.push(Back::new(Block::Switch, at, live.clone(), &self.none));
                }
                Control::Case | Control::Default => {
                    let back = open.last_mut().filter(|it| it.block == Block::Switch)?;
                    back.cases.unite(&live);
                    back.default |= step.control == Some(Control::Default);
                }
                Control::Switch => {
                    let back = open.pop().filter(|it| it.block == Block::Switch)?;
                    live = back.cases;
                    if !back.default {
                        live.unite(&back.exit);
                    }
                }
                Control::Break => {
                    live.clone_from(&open.iter().rev().find(|it| it.block != Block::If)?.exit);
                }
                Control::Continue => {
                    let back = open.iter().rev().find(|it| it.block == Block::Loop)?;
                    live.clone_from(&heads[back.number]);
                }
                Control::Return | Control::End => live.clone_from(&self.outputs),
                Control::Next => {}
                Control::Call | Control::Subroutine | Control::EndSubroutine | Control::Jump => {
                    return None;
                }
            }
            step.may_read.iter().for_each(|bits| live.put(*bits));
            if step.reads_any {
                live.0.fill(u64::MAX);
            }
        }
        Some((unread, spans))
    }

    /// Tells whether a loop, from its first word to its last, ends by nothing that it changes. The
    /// values that its head needs are given.
    fn is_endless(&self, steps: &[&Step], needed: &Set) -> bool {
        let mut changes = self.none.clone();
        for step in steps {
            step.writes.iter().for_each(|bits| changes.put(*bits));
            if step.writes_any {
                return false;
            }
        }
        // What one time leaves for the next.
        changes.intersect(needed);
        loop {
            let before = changes.clone();
            let mut blocks: Vec<(Block, bool)> = Vec::new();
            for (at, step) in steps.iter().enumerate() {
                let reads = step.may_read.iter().any(|bits| changes.of(*bits) != 0);
                let around = blocks.iter().any(|(_, changing)| *changing);
                let changing = reads || step.reads_any || step.varies;
                match step.control {
                    Some(Control::If) => blocks.push((Block::If, changing)),
                    Some(Control::Switch) => blocks.push((Block::Switch, changing)),
                    Some(Control::Loop) if at > 0 => blocks.push((Block::Loop, false)),
                    Some(Control::EndIf | Control::EndSwitch) => drop(blocks.pop()),
                    Some(Control::EndLoop) if at + 1 < steps.len() => drop(blocks.pop()),
                    Some(Control::Break) => {
                        let own = blocks.iter().all(|(block, _)| *block == Block::If);
                        if own && (around || blocks.is_empty()) {
                            return false;
                        }
                    }
                    Some(Control::Return | Control::End) => return false,
                    _ => {}
                }
                if changing || around {
                    step.writes.iter().for_each(|bits| changes.put(*bits));
                }
            }
            if changes == before {
                return true;
            }
        }
    }
}

/// A block that is open, read to the front.
struct Front {
    block: Block,
    /// The state of the other branch, or of each case.
    other: Option<Set>,
    exit: Option<Set>,
    default: bool,
}

impl Front {
    fn new(block: Block, other: Option<Set>) -> Front {
        Front { block, other, exit: None, default: false }
    }
}

/// A block that is open, read to the back.
struct Back {
    block: Block,
    end: usize,
    /// What is needed behind it.
    exit: Set,
    /// What its cases need.
    cases: Set,
    default: bool,
    number: usize,
}

impl Back {
    fn new(block: Block, end: usize, exit: Set, none: &Set) -> Back {
        Back { block, end, exit, cases: none.clone(), default: false, number: 0 }
    }
}

/// Leaves what is written on both ways.
fn meet(state: &mut Option<Set>, other: Option<Set>) {
    match (state, other) {
        (Some(state), Some(other)) => state.intersect(&other),
        (state @ None, other) => *state = other,
        (Some(_), None) => {}
    }
}

impl Step {
    fn of(instruction: &Instruction, places: &mut FxHashMap<(File, u32), usize>) -> Option<Step> {
        let row = instruction.info();
        let control = row.path();
        let leads_away = matches!(
            control,
            Control::Jump | Control::Call | Control::Subroutine | Control::EndSubroutine
        );
        if leads_away || instruction.predicate.is_some() {
            return None;
        }
        let mut place = |file: File, number: u32| {
            let next = places.len() * 4;
            *places.entry((file, number)).or_insert(next)
        };
        let mut step = Step {
            control: Some(control),
            pure: matches!(row.family, Family::Plain | Family::Texture) && control == Control::Next,
            varies: !matches!(row.family, Family::Plain | Family::Texture | Family::Sample),
            emits: row.opcode == crate::Opcode::EMIT,
            ..Step::default()
        };
        for register in instruction.registers() {
            for it in register.indirects().filter(|it| is_followed(it.file)) {
                let bits = (place(it.file, it.index), 1 << it.component as u8);
                step.reads.push(bits);
                step.may_read.push(bits);
            }
        }
        for (number, source) in instruction.sources.iter().enumerate() {
            let register = &source.register;
            if !is_followed(register.file) {
                continue;
            }
            let Some(of) = direct(register) else {
                step.reads_any = true;
                continue;
            };
            let place = place(register.file, of);
            let may = source.swizzle.0.iter().fold(0, |all, it: &Component| all | 1 << *it as u8);
            let reads = components_read(instruction, row, number);
            // More than the coordinates may be read of a texture's first operand.
            let exact = row.family == Family::Plain;
            step.reads.extend(reads.map(|reads| (place, reads)));
            step.may_read.push((place, reads.filter(|_| exact).unwrap_or(may)));
        }
        for destination in &instruction.destinations {
            let register = &destination.register;
            if !is_followed(register.file) {
                continue;
            }
            match direct(register) {
                Some(number) => step.writes.push((place(register.file, number), destination.mask.0)),
                None => step.writes_any = true,
            }
        }
        Some(step)
    }
}

/// The number of a register that is named directly.
fn direct(register: &Register) -> Option<u32> {
    register.number().filter(|_| register.dimension.is_none())
}

fn is_followed(file: File) -> bool {
    matches!(file, File::Temporary | File::Address | File::Output)
}

/// The control of a word that was put in.
fn control(word: Nesting) -> Option<Control> {
    Some(match word {
        Nesting::Open(Block::If) => Control::If,
        Nesting::Open(Block::Loop) => Control::Loop,
        Nesting::Open(Block::Switch) => Control::Switch,
        Nesting::Close(Block::If) => Control::EndIf,
        Nesting::Close(Block::Loop) => Control::EndLoop,
        Nesting::Close(Block::Switch) => Control::EndSwitch,
        Nesting::Else => Control::Else,
        Nesting::Case => Control::Case,
        Nesting::Break => Control::Break,
        Nesting::Continue => Control::Continue,
        Nesting::End => Control::End,
        Nesting::Open(Block::Subroutine) | Nesting::Close(Block::Subroutine) => return None,
    })
}

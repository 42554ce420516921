//! Which components of temporaries have a value where they are read, and which
//! instructions no path reaches.
//!
//! The blocks of the language are followed as they stand, twice. A write is
//! never undone, so what may be written at the head of a loop is what was
//! written before it and on the ways back to it: the first pass gathers the
//! ways back of all loops, inner ones first, and the second judges. What must
//! be written needs no first pass, because a way back has at least what the
//! first entry had. Registers that are written by a computed number are left
//! out, and so are shaders with subroutines or historic jumps.

use rustc_hash::FxHashSet;
use text::{Diagnostic, Severity, Tag, TextRange};

use super::context::Context;
use super::operations::{Control, Family, Operation, Reads};
use crate::ast::{Component, Instruction, Register, Swizzle, WriteMask};
use crate::codes;
use crate::report::Report;
use crate::words::{File, TextureTarget};

/// The most words of state that are copied or joined in one shader: one
/// without end would be as slow as it is nested.
const MOST_WORDS: usize = 1 << 22;

/// No place: the register is not followed.
const LEFT_OUT: u32 = u32::MAX;

/// Where each register's four bits are.
struct Places {
    of: Vec<u32>,
    words: usize,
}

impl Places {
    /// Numbers the temporaries that are named directly and never written by a
    /// computed number. `None` where nothing can be said.
    fn new(context: &Context<'_>) -> Option<Places> {
        let mut highest = None;
        let mut computed = FxHashSet::default();
        let mut steps = 0;
        for (instruction, operation) in &context.instructions {
            if operation.control == Control::Elsewhere || instruction.predicate.is_some() {
                return None;
            }
            steps += usize::from(operation.control != Control::Next);
            for destination in &instruction.destinations {
                let register = &destination.register;
                if register.file != File::Temporary {
                    continue;
                }
                match (register.index.indirect, register.dimension) {
                    // Any temporary may be meant.
                    (_, Some(_)) => return None,
                    (Some(indirect), None) => {
                        computed.insert(indirect.array.filter(|array| *array != 0)?);
                    }
                    (None, None) => {}
                }
            }
            for register in registers(instruction) {
                if register.file == File::Temporary {
                    let number = u32::try_from(register.index.offset).ok()?.min(0xffff);
                    highest = highest.max(Some(number));
                }
            }
        }
        // Without temporaries there are still paths.
        let count = highest.map_or(0, |highest| highest as usize + 1);
        // What is not declared has a finding of its own.
        let followed = followed(context, &computed, count);
        let mut of = vec![LEFT_OUT; count];
        let mut next = 0;
        for (instruction, _) in &context.instructions {
            for register in registers(instruction) {
                let direct = register.index.indirect.is_none() && register.dimension.is_none();
                if register.file != File::Temporary || !direct {
                    continue;
                }
                let Ok(number) = usize::try_from(register.index.offset) else { continue };
                if followed.get(number) == Some(&true) && of[number] == LEFT_OUT {
                    of[number] = next;
                    next += 1;
                }
            }
        }
        let words = (next as usize * 4).div_ceil(64);
        (words.saturating_mul(steps + 1) <= MOST_WORDS).then_some(Places { of, words })
    }

    /// The first of the four bits of a register.
    fn bit(&self, register: &Register) -> Option<usize> {
        if register.file != File::Temporary || register.index.indirect.is_some() {
            return None;
        }
        let number = usize::try_from(register.index.offset).ok()?;
        let place = *self.of.get(number)?;
        (place != LEFT_OUT).then_some(place as usize * 4)
    }
}

/// Which of the first temporaries are declared, and in no array that is
/// written by a computed number.
fn followed(context: &Context<'_>, computed: &FxHashSet<u32>, count: usize) -> Vec<bool> {
    // Where declarations and computed arrays begin and end; overlaps add up.
    let mut changes = vec![(0i64, 0i64); count + 1];
    for declaration in context.declared(File::Temporary) {
        let is_computed = declaration.array.is_some_and(|array| computed.contains(&array.value));
        let range = declaration.range.value;
        let end = (range.last as usize).saturating_add(1).min(count);
        let first = (range.first as usize).min(end);
        for (place, change) in [(first, 1), (end, -1)] {
            changes[place].0 += change;
            changes[place].1 += change * i64::from(is_computed);
        }
    }
    let running = changes.iter().scan((0, 0), |sum, change| {
        *sum = (sum.0 + change.0, sum.1 + change.1);
        Some(sum.0 > 0 && sum.1 == 0)
    });
    running.take(count).collect()
}

fn registers(instruction: &Instruction) -> impl Iterator<Item = &Register> {
    let destinations = instruction.destinations.iter().map(|operand| &operand.register);
    destinations.chain(instruction.sources.iter().map(|operand| &operand.register))
}

/// What is written when control stands at a place. `None` stands for a place
/// that no path reaches.
#[derive(Clone)]
struct State {
    /// On some path.
    may: Vec<u64>,
    /// On every path.
    must: Vec<u64>,
}

/// Joins another way into a place.
fn join(place: &mut Option<State>, other: Option<State>) {
    let Some(other) = other else { return };
    match place {
        None => *place = Some(other),
        Some(state) => {
            unite(&mut state.may, &other.may);
            state.must.iter_mut().zip(&other.must).for_each(|(ours, theirs)| *ours &= theirs);
        }
    }
}

fn unite(into: &mut [u64], from: &[u64]) {
    into.iter_mut().zip(from).for_each(|(ours, theirs)| *ours |= theirs);
}

/// A block that is open.
enum Block {
    /// The state at `IF`, until `ELSE` takes it; then that at the end of the
    /// first branch.
    If {
        other: Option<State>,
        alternative: bool,
    },
    Loop {
        number: usize,
        exit: Option<State>,
    },
    Switch {
        entry: Option<State>,
        exit: Option<State>,
        default: bool,
    },
}

/// One pass over the shader.
struct Pass<'p> {
    places: &'p Places,
    state: Option<State>,
    open: Vec<Block>,
    loops: usize,
    /// What may be written on the ways back to each loop.
    backs: Vec<Vec<u64>>,
}

/// The blocks do not match: paths cannot be followed.
struct Unbalanced;

impl Pass<'_> {
    fn step(&mut self, control: Control) -> Result<(), Unbalanced> {
        match control {
            Control::Next | Control::Elsewhere => {}
            Control::If => {
                let other = self.state.clone();
                self.open.push(Block::If { other, alternative: false });
            }
            Control::Else => match self.open.last_mut() {
                Some(Block::If { other, alternative }) if !*alternative => {
                    std::mem::swap(other, &mut self.state);
                    *alternative = true;
                }
                _ => return Err(Unbalanced),
            },
            Control::EndIf => match self.open.pop() {
                Some(Block::If { other, .. }) => join(&mut self.state, other),
                _ => return Err(Unbalanced),
            },
            Control::Loop => {
                let number = self.loops;
                self.loops += 1;
                match self.backs.get(number) {
                    Some(back) => {
                        if let Some(state) = &mut self.state {
                            unite(&mut state.may, back);
                        }
                    }
                    None => self.backs.push(vec![0; self.places.words]),
                }
                self.open.push(Block::Loop { number, exit: None });
            }
            Control::EndLoop => match self.open.pop() {
                Some(Block::Loop { number, mut exit }) => {
                    self.go_back(number);
                    if let Some(exit) = &mut exit {
                        unite(&mut exit.may, &self.backs[number]);
                    }
                    self.state = exit;
                }
                _ => return Err(Unbalanced),
            },
            Control::Switch => {
                let entry = self.state.take();
                self.open.push(Block::Switch { entry, exit: None, default: false });
            }
            Control::Case | Control::Default => match self.open.last_mut() {
                Some(Block::Switch { entry, default, .. }) => {
                    *default |= control == Control::Default;
                    join(&mut self.state, entry.clone());
                }
                _ => return Err(Unbalanced),
            },
            Control::EndSwitch => match self.open.pop() {
                Some(Block::Switch { entry, exit, default }) => {
                    join(&mut self.state, exit);
                    if !default {
                        join(&mut self.state, entry);
                    }
                }
                _ => return Err(Unbalanced),
            },
            Control::Break => {
                let state = self.state.take();
                let block = self.open.iter_mut().rev().find_map(|block| match block {
                    Block::Loop { exit, .. } | Block::Switch { exit, .. } => Some(exit),
                    Block::If { .. } => None,
                });
                join(block.ok_or(Unbalanced)?, state);
            }
            Control::Continue => {
                let number = self.open.iter().rev().find_map(|block| match block {
                    Block::Loop { number, .. } => Some(*number),
                    _ => None,
                });
                self.go_back(number.ok_or(Unbalanced)?);
                self.state = None;
            }
            Control::Return | Control::End => self.state = None,
        }
        Ok(())
    }

    fn go_back(&mut self, number: usize) {
        if let (Some(state), Some(back)) = (&self.state, self.backs.get_mut(number)) {
            unite(back, &state.may);
        }
    }

    fn write(&mut self, instruction: &Instruction) {
        let Some(state) = &mut self.state else { return };
        for destination in &instruction.destinations {
            if let Some(bit) = self.places.bit(&destination.register) {
                let bits = u64::from(destination.mask.0) << (bit % 64);
                state.may[bit / 64] |= bits;
                state.must[bit / 64] |= bits;
            }
        }
    }
}

/// Reports reads of what was never written, and what is never reached.
pub(super) fn check(context: &Context<'_>, report: &mut Report, checkpoint: text::Checkpoint<'_>) {
    let Some(places) = Places::new(context) else { return };
    let empty = || State { may: vec![0; places.words], must: vec![0; places.words] };
    let pass =
        |backs| Pass { places: &places, state: Some(empty()), open: Vec::new(), loops: 0, backs };
    let mut first = pass(Vec::new());
    if context.instructions.iter().any(|(_, operation)| operation.control == Control::Loop) {
        for (number, (instruction, operation)) in context.instructions.iter().enumerate() {
            if number.is_multiple_of(512) {
                checkpoint();
            }
            if first.step(operation.control).is_err() {
                return;
            }
            first.write(instruction);
        }
    }
    let mut second = pass(first.backs);
    let mut judge = Judge { report, told: FxHashSet::default(), dead: None, ended: false };
    for (number, (instruction, operation)) in context.instructions.iter().enumerate() {
        if number.is_multiple_of(512) {
            checkpoint();
        }
        judge.reach(instruction, operation.control, second.state.is_some());
        if let Some(state) = &second.state {
            judge.reads(instruction, operation, &places, state);
        }
        if second.step(operation.control).is_err() {
            return;
        }
        second.write(instruction);
    }
    judge.tell_dead();
}

/// Says what the second pass finds.
struct Judge<'r> {
    report: &'r mut Report,
    /// The bits of registers that were reported.
    told: FxHashSet<usize>,
    /// The instructions since one that no path reaches.
    dead: Option<TextRange>,
    ended: bool,
}

impl Judge<'_> {
    fn reach(&mut self, instruction: &Instruction, control: Control, reached: bool) {
        let closes = matches!(
            control,
            Control::Else
                | Control::EndIf
                | Control::EndLoop
                | Control::Case
                | Control::Default
                | Control::EndSwitch
                | Control::End
                | Control::Return
        );
        if reached || self.ended || (closes && self.dead.is_none()) {
            self.tell_dead();
        } else if !closes {
            let range = whole(instruction);
            self.dead = Some(self.dead.map_or(range, |dead| dead.cover(range)));
        }
        self.ended |= control == Control::End;
    }

    fn tell_dead(&mut self) {
        let Some(range) = self.dead.take() else { return };
        self.report.push(|| {
            let message = "no path reaches this";
            Diagnostic::hint(codes::UNREACHABLE, range, message).with_tag(Tag::Unnecessary)
        });
    }

    fn reads(
        &mut self,
        instruction: &Instruction,
        operation: &Operation,
        places: &Places,
        state: &State,
    ) {
        for (number, source) in instruction.sources.iter().enumerate() {
            let register = &source.register;
            let Some(bit) = places.bit(register) else { continue };
            let Some(read) = components_read(instruction, operation, number) else { continue };
            let value = |words: &[u64]| (words[bit / 64] >> (bit % 64)) as u8 & read;
            let never = read & !value(&state.may);
            let sometimes = read & !value(&state.must) & !never;
            if never | sometimes != 0 {
                let any = (state.may[bit / 64] >> (bit % 64)) & 0xf != 0;
                let severity = if any { Severity::Hint } else { Severity::Warning };
                let never = (WriteMask(never), severity);
                self.unwritten(register, bit, never, WriteMask(sometimes));
            }
        }
    }

    #[cold]
    fn unwritten(
        &mut self,
        register: &Register,
        bit: usize,
        (never, severity): (WriteMask, Severity),
        sometimes: WriteMask,
    ) {
        let mut new = |mask: WriteMask| -> String {
            let components = mask.components();
            let new = components.filter(|component| self.told.insert(bit + *component as usize));
            new.map(Component::letter).collect()
        };
        let (never, sometimes) = (new(never), new(sometimes));
        let number = register.index.offset;
        let message = || format!("nothing has written `TEMP[{number}].{never}` on any path");
        match severity {
            _ if never.is_empty() => {}
            // Components beside written ones: shaders by hand compute whole
            // vectors where some components do not count.
            Severity::Hint => {
                let key = (codes::UNWRITTEN_TEMPORARY, Severity::Hint, "");
                self.report.lenient(key, register.range, || (message(), String::new()), None);
            }
            _ => self.report.push(|| {
                Diagnostic::new(codes::UNWRITTEN_TEMPORARY, severity, register.range, message())
            }),
        }
        if !sometimes.is_empty() {
            let key = (codes::MAYBE_UNWRITTEN, Severity::Hint, "");
            let words = || {
                let what = format!("`TEMP[{number}].{sometimes}`");
                (format!("on some path nothing has written {what}"), String::new())
            };
            self.report.lenient(key, register.range, words, None);
        }
    }
}

/// The components that an instruction surely reads of one of its sources;
/// `None` where that is not known.
pub(super) fn components_read(
    instruction: &Instruction,
    operation: &Operation,
    number: usize,
) -> Option<u8> {
    let written = instruction.destinations.first().map_or(0, |first| first.mask.0);
    let reads = match operation.reads.get(number)? {
        Reads::Written => written,
        Reads::Fixed(mask) => *mask,
        Reads::Pairs => pairs(written),
        Reads::Unknown if operation.family == Family::Texture && number == 0 => {
            coordinates(instruction)
        }
        Reads::Unknown => return None,
    };
    Some(swizzled(reads, instruction.sources.get(number)?.swizzle))
}

/// An instruction from its opcode to its last operand.
fn whole(instruction: &Instruction) -> TextRange {
    let destinations = instruction.destinations.iter().map(|operand| operand.range);
    let sources = instruction.sources.iter().map(|operand| operand.range);
    let others = instruction.target.iter().map(|target| target.range);
    destinations.chain(sources).chain(others).fold(instruction.opcode.range, TextRange::cover)
}

/// The pairs of which a mask has a component.
fn pairs(mask: u8) -> u8 {
    let low = if mask & 0b0011 != 0 { 0b0011 } else { 0 };
    let high = if mask & 0b1100 != 0 { 0b1100 } else { 0 };
    low | high
}

/// The components that a swizzle takes for these.
fn swizzled(mask: u8, swizzle: Swizzle) -> u8 {
    let components = WriteMask(mask).components();
    components.fold(0, |read, component| read | 1 << swizzle.0[component as usize] as u8)
}

/// The coordinates that an access surely reads; references, levels and sample
/// numbers are not counted.
fn coordinates(instruction: &Instruction) -> u8 {
    use TextureTarget as Target;
    if matches!(instruction.opcode.value.mnemonic(), "TXQ" | "TXQS") {
        return 0;
    }
    match instruction.target.map(|target| target.value) {
        None | Some(Target::Unknown) => 0,
        Some(Target::Buffer | Target::Texture1D | Target::Shadow1D) => 0b0001,
        Some(
            Target::Texture2D
            | Target::Rectangle
            | Target::Array1D
            | Target::Shadow2D
            | Target::ShadowRectangle
            | Target::ShadowArray1D
            | Target::Multisample2D,
        ) => 0b0011,
        Some(
            Target::Texture3D
            | Target::Cube
            | Target::Array2D
            | Target::ShadowArray2D
            | Target::ShadowCube
            | Target::MultisampleArray2D,
        ) => 0b0111,
        Some(Target::CubeArray | Target::ShadowCubeArray) => 0b1111,
    }
}

//! Components of temporaries that have no value where they are read, and instructions that no path
//! reaches.
//!
//! The blocks of the language are followed as they stand, twice. A write is
//! never undone, so what may be written at the head of a loop is what was
//! written before it and on the ways back to it: the first pass gathers the
//! ways back of all loops, inner ones first, and the second judges. What must
//! be written needs no first pass, because a way back has at least what the
//! first entry had. Registers that are written by a computed number are left
//! out, and so are shaders with historic jumps.
//!
//! For the same reason a subroutine does the same wherever it is called: it adds
//! what it may write and what it must. That is found first, callees before their
//! callers; then callers are judged before their callees, which begin with what all
//! calls bring.

mod parts;
mod pass;
mod places;
mod state;

use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use source::{Diagnostic, Severity, Tag, TextRange};

use parts::Parts;
use pass::{Pass, Unbalanced};
use places::{Place, Places};
use state::{State, Word, Written, join};

use super::context::Context;
use super::operands::TEMPORARY;
use crate::ast::{Component, Instruction, Numbers, Register, Swizzle, WriteMask};
use crate::codes;
use crate::coordinates::Coordinates;
use crate::opcodes::{Control, Family, Lookup, OpInfo, Reads};
use crate::report::Report;
use crate::words::{File, TextureTarget};

/// The result of one run over a part.
struct Run {
    /// The state where it returns; `None` where it never does.
    written: Option<State>,
    /// The components that may be written on the ways back to each of its loops.
    backs: Vec<State>,
}

/// The whole program, for the runs over its parts.
struct Program<'c> {
    context: &'c Context<'c>,
    places: Places,
    parts: Parts,
}

impl Program<'_> {
    fn empty(&self) -> State {
        State::empty(self.places.words)
    }

    /// Follows a part from a state, and calls `see` before each instruction.
    fn run(
        &self,
        part: usize,
        (entry, backs): (Option<State>, Vec<State>),
        written: &[Option<State>],
        mut see: impl FnMut(usize, Option<&State>),
    ) -> Result<Run, Unbalanced> {
        let mut pass = Pass::new(&self.places, entry, backs);
        for &number in &self.parts.instructions[part] {
            let gaps = &self.context.gaps;
            gaps.at(number).for_each(|unread| pass.write_unread(&unread.writes));
            see(number, pass.state.as_ref());
            let (instruction, op) = self.context.instructions[number];
            if op.path() != Control::Next {
                pass.step(op.path())?;
                if let Some(callee) = self.parts.callees.get(&number) {
                    pass.call(written[*callee].as_ref());
                }
            }
            if self.context.operands.glances[number].written & TEMPORARY != 0 {
                pass.write(instruction);
            }
        }
        // `ENDSUB` returns too.
        let state = pass.state.take();
        join(&mut pass.returned, state);
        // Of one part nobody asks where it returns.
        match pass.open.is_empty() || self.parts.instructions.len() == 1 {
            true => Ok(Run { written: pass.returned, backs: pass.backs }),
            false => Err(Unbalanced),
        }
    }
}

/// Reports reads of what was never written, and what is never reached.
pub(super) fn check(
    context: &Context<'_>,
    report: &mut Report,
    checkpoint: source::Checkpoint<'_>,
) {
    if context.gaps.steer {
        return;
    }
    let (Some(places), Some(parts)) = (Places::new(context), Parts::new(context)) else { return };
    let program = Program { context, places, parts };
    let count = program.parts.instructions.len();
    let is_library = program.parts.instructions[0].is_empty();
    let mut written: SmallVec<[Option<State>; 1]> = smallvec![None; count];
    let mut backs: SmallVec<[Vec<State>; 1]> = smallvec![Vec::new(); count];
    let order = &program.parts.callees_first;
    let has_loops = context.steps().any(|(_, it)| it.control == Control::Loop);
    for &part in order.iter().filter(|_| count > 1 || has_loops) {
        let entry = (Some(program.empty()), Vec::new());
        let seen = |number: usize, _: Option<&State>| {
            if number.is_multiple_of(512) {
                checkpoint();
            }
        };
        let Ok(mut run) = program.run(part, entry, &written, seen) else { return };
        // What a way back brings to a return from within a loop is known only now.
        if count > 1 && !run.backs.is_empty() {
            let entry = (Some(program.empty()), run.backs);
            let Ok(again) = program.run(part, entry, &written, seen) else { return };
            run = again;
        }
        (written[part], backs[part]) = (run.written, run.backs);
    }
    let mut entries: SmallVec<[Option<State>; 1]> = smallvec![None; count];
    entries[0] = Some(program.empty());
    let mut sink = DiagnosticSink {
        report,
        reported: FxHashSet::default(),
        perhaps: Perhaps::default(),
        dead: None,
        ended: false,
    };
    for &part in order.iter().rev() {
        // Of subroutines without a program nobody knows who calls them.
        if part != 0 && is_library {
            return;
        }
        sink.ended = false;
        let entry = (entries[part].clone(), std::mem::take(&mut backs[part]));
        let seen = |number: usize, state: Option<&State>| {
            if number.is_multiple_of(512) {
                checkpoint();
            }
            let (instruction, op) = context.instructions[number];
            sink.reach(instruction, op.path(), state.is_some());
            let Some(state) = state else { return };
            for unread in context.gaps.at(number) {
                sink.perhaps.take(&unread.reads, &program.places, state);
            }
            if context.operands.glances[number].read & TEMPORARY != 0 {
                sink.reads(instruction, op, &program.places, state);
            }
            if op.path() == Control::Call
                && let Some(callee) = program.parts.callees.get(&number)
            {
                join(&mut entries[*callee], Some(state.clone()));
            }
        };
        if program.run(part, entry, &written, seen).is_err() {
            return;
        }
        sink.tell_dead();
    }
}

/// Says what the second pass finds.
struct DiagnosticSink<'r> {
    report: &'r mut Report,
    /// The components of registers that were reported.
    reported: FxHashSet<(Place, Component)>,
    perhaps: Perhaps,
    /// The instructions since one that no path reaches.
    dead: Option<TextRange>,
    ended: bool,
}

/// The components that broken statements may read without a value. With one of them whole it would
/// be told there, and of no later read.
#[derive(Default)]
struct Perhaps {
    /// Components that no path has written.
    never: Vec<u64>,
    /// Components that some path has not written.
    sometimes: Vec<u64>,
}

impl Perhaps {
    fn take(&mut self, reads: &Numbers, places: &Places, state: &State) {
        self.never.resize(places.words, 0);
        self.sometimes.resize(places.words, 0);
        let mut named = vec![0; places.words];
        if reads.is_any_of(File::Temporary) {
            named.fill(u64::MAX);
        }
        for range in reads.known_of(File::Temporary).map(|named| named.range) {
            let places = places.numbers_in(range).filter_map(|number| places.of_number(number));
            places.for_each(|it| named[it.word()] |= u64::from(WriteMask::ALL.0) << it.shift());
        }
        for (word, named) in named.into_iter().enumerate() {
            let Word { may, must, .. } = state.word(word);
            self.never[word] |= named & !may;
            self.sometimes[word] |= named & may & !must;
        }
    }
}

fn has(words: &[u64], place: Place, component: Component) -> bool {
    let word = words.get(place.word());
    word.is_some_and(|word| word >> (place.shift() + component as u32) & 1 == 1)
}

impl DiagnosticSink<'_> {
    fn reach(&mut self, instruction: &Instruction, control: Control, reached: bool) {
        if reached && self.dead.is_none() {
            self.ended |= control == Control::End;
            return;
        }
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

    fn reads(&mut self, instruction: &Instruction, op: &OpInfo, places: &Places, state: &State) {
        for (number, source) in instruction.sources.iter().enumerate() {
            let register = &source.register;
            let Some(place) = places.of(register) else { continue };
            let Written { may, unsure, must } = state.of(place);
            if source.swizzle.mask().0 & !must == 0 {
                continue;
            }
            let Some(read) = components_read(instruction, op, number) else { continue };
            if unsure != 0 {
                continue;
            }
            let never = read & !may;
            let sometimes = read & !must & !never;
            if never | sometimes != 0 {
                let any = may != 0;
                let severity = if any { Severity::Hint } else { Severity::Warning };
                let never = (WriteMask(never), severity);
                self.unwritten(register, place, never, WriteMask(sometimes));
            }
        }
    }

    #[cold]
    fn unwritten(
        &mut self,
        register: &Register,
        place: Place,
        (never, severity): (WriteMask, Severity),
        sometimes: WriteMask,
    ) {
        let mut new = |mask: WriteMask, otherwise: &[u64]| -> String {
            let components = mask.components();
            let new = components.filter(|component| self.reported.insert((place, *component)));
            let new = new.filter(|component| !has(otherwise, place, *component));
            new.map(Component::letter).collect()
        };
        // It may have been told in other words.
        let Perhaps { never: told_never, sometimes: told_sometimes } = &self.perhaps;
        let (never, sometimes) = (new(never, told_sometimes), new(sometimes, told_never));
        let number = register.index.offset;
        let message = || format!("`TEMP[{number}].{never}` is never written on any path to this");
        match severity {
            _ if never.is_empty() => {}
            // Components beside written ones: shaders by hand compute whole
            // vectors where some components do not count.
            Severity::Hint => self.report.note(codes::UNWRITTEN_TEMPORARY, register.range, message),
            _ => self.report.warning(codes::UNWRITTEN_TEMPORARY, register.range, message),
        }
        if !sometimes.is_empty() {
            self.report.note(codes::MAYBE_UNWRITTEN, register.range, || {
                format!("`TEMP[{number}].{sometimes}` is not written on every path to this")
            });
        }
    }
}

/// The components that an instruction surely reads of one of its sources;
/// `None` where that is not known.
pub(super) fn components_read(instruction: &Instruction, op: &OpInfo, number: usize) -> Option<u8> {
    let written = instruction.destinations.first().map_or(0, |first| first.mask.0);
    let reads = match op.read_of(number) {
        Reads::Written => written,
        Reads::Fixed(mask) => mask,
        Reads::Pairs => pairs(written),
        Reads::Unknown if op.family == Family::Texture && number == 0 => coordinates(instruction),
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
pub(super) fn pairs(mask: u8) -> u8 {
    let low = if mask & 0b0011 != 0 { 0b0011 } else { 0 };
    let high = if mask & 0b1100 != 0 { 0b1100 } else { 0 };
    low | high
}

/// The components that a swizzle takes for these.
fn swizzled(mask: u8, swizzle: Swizzle) -> u8 {
    let named = swizzle.0.iter().enumerate();
    named.fold(0, |all, (place, component)| all | (mask >> place & 1) << *component as u8)
}

/// The coordinates that an access surely reads; references, levels and sample
/// numbers are not counted.
fn coordinates(instruction: &Instruction) -> u8 {
    let asks = matches!(instruction.info().lookup, Lookup::Size | Lookup::Samples);
    let target = instruction.target.map(|target| target.value);
    match target.filter(|target| !asks && *target != TextureTarget::Unknown) {
        Some(target) => (1 << Coordinates::of(target).place) - 1,
        None => 0,
    }
}

//! Places that only some invocations of a group or a quad reach, and what is undefined there:
//! `BARRIER`, and derivatives.
//!
//! A value differs between invocations where it comes from something that does: an interpolated
//! input, the number of a thread, an atomic. A branch on such a value parts them until its
//! end. Registers are followed by component, in order of the text and twice, so that the second
//! pass knows what the ways back of loops bring. What is not known counts as equal: a diagnostic
//! is given only where the difference is in the text.
//!
//! Facts: "Inter-thread synchronization opcodes" of the Gallium documentation of 2020; GLSL
//! specification, derivative functions and `barrier`.

mod origins;

use source::{Diagnostic, Severity, TextRange};

use origins::Origins;

use super::context::Context;
use super::dataflow::components_read;
use super::gaps::Gaps;
use crate::ast::{Instruction, Numbers, Register, Source};
use crate::codes;
use crate::opcodes::{Control, Family, Flag, Lookup, OpInfo, Opcode, Reads};
use crate::report::Report;
use crate::words::{File, TextureTarget as Target};

/// The most registers of a file that are followed; drivers have fewer.
const MOST_REGISTERS: usize = 4096;

/// The most bytes of state that are copied or joined in one shader.
const MOST_WORK: usize = 1 << 22;

/// The bits of a register's components that differ between invocations.
const DIFFERS: u8 = 0x0f;

/// The bits of those that were written where only some invocations are.
const WRITTEN_APART: u8 = 0xf0;

/// Reports barriers and derivatives that not all invocations reach together.
pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    // Without a branch all are together.
    let steps = 1 + context.step_count();
    if context.gaps.steer
        || steps <= 2
        || !context.instructions.iter().any(|(_, row)| is_asked(row))
    {
        return;
    }
    for (_, row) in context.steps() {
        match row.path() {
            Control::Call | Control::Subroutine | Control::EndSubroutine | Control::Jump => return,
            _ => {}
        }
    }
    let origins = Origins::new(context);
    let Some(followed) = Followed::new(context) else { return };
    if followed.count.saturating_mul(steps) > MOST_WORK {
        return;
    }
    let mut first = Pass::new(&origins, &followed, Ways::default());
    if first.run(context, &mut |_, _, _| {}).is_none() {
        return;
    }
    let ways = std::mem::take(&mut first.ways);
    let mut second = Pass::new(&origins, &followed, ways);
    let gaps = &context.gaps;
    second.run(context, &mut |pass, instruction, row| tell(pass, (instruction, row), gaps, report));
}

fn is_asked(row: &OpInfo) -> bool {
    row.opcode == Opcode::BARRIER || row.has(Flag::Derivatives)
}

fn tell(
    pass: &Pass<'_>,
    (instruction, row): (&Instruction, &OpInfo),
    gaps: &Gaps<'_>,
    report: &mut Report,
) {
    let Some(branch) = pass.apart.filter(|_| is_asked(row)) else { return };
    let range = instruction.opcode.range;
    if row.opcode == Opcode::BARRIER {
        report.push(|| {
            let message = "only some threads of the group reach this `BARRIER`, and wait for the \
                           others without end: move it out of the branch";
            Diagnostic::warning(codes::DIVERGENT_BARRIER, range, message)
                .with_related(branch, "threads part here")
        });
        return;
    }
    // Textures without levels need no derivatives.
    let target = instruction.target.map(|target| target.value);
    if matches!(target, Some(Target::Rectangle | Target::ShadowRectangle)) {
        return;
    }
    let Some(source) = instruction.sources.first() else { return };
    let looks_up = row.lookup != Lookup::None;
    let made_here = !looks_up && pass.written_apart(source) != 0;
    // What is not read may have made it here.
    if !looks_up && !made_here && gaps.exist() {
        return;
    }
    let (severity, what) = if looks_up {
        (Severity::Hint, "which is undefined unless the texture has one level")
    } else if made_here {
        (Severity::Warning, "and the value is computed here, so that the others have none")
    } else {
        (Severity::Hint, "where derivatives are undefined")
    };
    report.note((codes::DIVERGENT_DERIVATIVE, severity, what), range, || {
        let word = row.mnemonic;
        format!("`{word}` compares neighbouring pixels, of which only some come here, {what}")
    });
}

/// The registers that are written: temporaries, then address registers.
struct Followed {
    temporaries: usize,
    count: usize,
}

impl Followed {
    fn new(context: &Context<'_>) -> Option<Followed> {
        let (mut temporaries, mut addresses) = (0, 0);
        for (instruction, _) in &context.instructions {
            for destination in &instruction.destinations {
                let register = &destination.register;
                let end = usize::try_from(register.index.offset).ok()?.saturating_add(1);
                match register.file {
                    File::Temporary => temporaries = end.max(temporaries),
                    File::Address => addresses = end.max(addresses),
                    _ => {}
                }
            }
        }
        (temporaries.max(addresses) <= MOST_REGISTERS)
            .then_some(Followed { temporaries, count: temporaries + addresses })
    }

    fn place(&self, file: File, number: u32) -> Option<usize> {
        let number = usize::try_from(number).ok()?;
        match file {
            File::Temporary => Some(number).filter(|number| *number < self.temporaries),
            File::Address => Some(self.temporaries + number).filter(|place| *place < self.count),
            _ => None,
        }
    }
}

/// The facts that the ways back of loops bring, by the loop's number.
#[derive(Default)]
struct Ways {
    values: Vec<Vec<u8>>,
    /// The branch in which some invocations leave.
    left: Vec<Option<TextRange>>,
}

/// A block that is open.
struct Block {
    opener: Control,
    number: usize,
    /// The branch that parts invocations before, inside, and by leaving it.
    outer: Option<TextRange>,
    inside: Option<TextRange>,
    left: Option<TextRange>,
    /// The same until the end of a loop's round.
    skipped: Option<TextRange>,
    /// The values of the other way in or out.
    saved: Vec<u8>,
}

/// One pass over the shader.
struct Pass<'p> {
    origins: &'p Origins,
    followed: &'p Followed,
    ways: Ways,
    values: Vec<u8>,
    /// The branch because of which only some invocations are here.
    apart: Option<TextRange>,
    returned: Option<TextRange>,
    open: Vec<Block>,
    loops: usize,
}

fn unite(into: &mut [u8], from: &[u8]) {
    into.iter_mut().zip(from).for_each(|(ours, theirs)| *ours |= theirs);
}

impl<'p> Pass<'p> {
    fn new(origins: &'p Origins, followed: &'p Followed, ways: Ways) -> Pass<'p> {
        let values = vec![0; followed.count];
        let (apart, returned, open, loops) = (None, None, Vec::new(), 0);
        Pass { origins, followed, ways, values, apart, returned, open, loops }
    }

    /// `None` where the blocks do not match.
    fn run(
        &mut self,
        context: &Context<'_>,
        see: &mut dyn FnMut(&Pass<'_>, &Instruction, &OpInfo),
    ) -> Option<()> {
        for (number, (instruction, row)) in context.instructions.iter().enumerate() {
            context.gaps.at(number).for_each(|unread| self.forget(&unread.writes));
            see(self, instruction, row);
            self.step(instruction, row)?;
            self.write(instruction, row);
            if row.path() == Control::End {
                break;
            }
        }
        Some(())
    }

    /// Takes what a broken statement may have written as equal.
    fn forget(&mut self, numbers: &Numbers) {
        for file in [File::Temporary, File::Address] {
            if numbers.is_any_of(file) {
                self.values.fill(0);
            }
            // Others are not followed.
            let last = self.followed.count as u32;
            let numbers =
                numbers.known_of(file).flat_map(|it| it.range.first..=it.range.last.min(last));
            let places = numbers.filter_map(|it| self.followed.place(file, it));
            places.for_each(|place| self.values[place] = 0);
        }
    }

    fn step(&mut self, instruction: &Instruction, row: &OpInfo) -> Option<()> {
        match row.path() {
            control @ (Control::If | Control::Switch) => {
                let first = instruction.sources.first();
                let parts = first.is_some_and(|it| self.differing(it) & 1 != 0);
                let inside = self.apart.or(parts.then_some(instruction.opcode.range));
                self.open(control, inside, self.values.clone());
            }
            Control::Else => {
                let block = self.open.last_mut().filter(|it| it.opener == Control::If)?;
                std::mem::swap(&mut block.saved, &mut self.values);
                self.apart = block.inside;
            }
            Control::Case | Control::Default => {
                let block = self.open.last().filter(|it| it.opener == Control::Switch)?;
                unite(&mut self.values, &block.saved);
                self.apart = block.inside.or(block.left);
            }
            Control::Loop => {
                let number = self.loops;
                self.loops += 1;
                if let Some(back) = self.ways.values.get(number) {
                    unite(&mut self.values, back);
                }
                let left = self.ways.left.get(number).copied().flatten();
                self.open(Control::Loop, self.apart.or(left), vec![0; self.followed.count]);
                if number == self.ways.values.len() {
                    self.ways.values.push(Vec::new());
                    self.ways.left.push(None);
                }
            }
            control @ (Control::EndIf | Control::EndSwitch | Control::EndLoop) => {
                let block = self.open.pop().filter(|it| closes(control, it.opener))?;
                if control == Control::EndLoop {
                    self.ways.values[block.number] = self.values.clone();
                    self.ways.left[block.number] = block.left;
                }
                unite(&mut self.values, &block.saved);
                self.meet(block.outer);
            }
            Control::Break => {
                let block = self.open.iter_mut().rev().find(|it| it.opener != Control::If)?;
                block.left = block.left.or(self.apart);
                unite(&mut block.saved, &self.values);
            }
            Control::Continue => {
                let block = self.open.iter_mut().rev().find(|it| it.opener == Control::Loop)?;
                block.skipped = block.skipped.or(self.apart);
            }
            Control::Return => self.returned = self.returned.or(self.apart),
            _ => {}
        }
        Some(())
    }

    fn open(&mut self, opener: Control, inside: Option<TextRange>, saved: Vec<u8>) {
        let (outer, number) = (self.apart, self.loops.saturating_sub(1));
        let (left, skipped) = (None, None);
        self.open.push(Block { opener, number, outer, inside, left, skipped, saved });
        self.apart = inside;
    }

    /// Goes on behind a block, with all that came to it and did not leave.
    fn meet(&mut self, outer: Option<TextRange>) {
        let around = self.open.iter().rev().find(|it| it.opener != Control::If);
        let away = around.and_then(|block| block.left.or(block.skipped));
        self.apart = outer.or(away).or(self.returned);
        if self.apart.is_none() {
            self.values.iter_mut().for_each(|value| *value &= !WRITTEN_APART);
        }
    }

    fn write(&mut self, instruction: &Instruction, row: &OpInfo) {
        for destination in &instruction.destinations {
            let register = &destination.register;
            let Some(number) = register.number() else { continue };
            let Some(place) = self.followed.place(register.file, number) else { continue };
            let mask = destination.mask.0 & DIFFERS;
            let differs = match self.apart {
                Some(_) => mask,
                None => self.result(instruction, row) & mask,
            };
            let apart = if self.apart.is_some() { mask << 4 } else { 0 };
            let value = &mut self.values[place];
            *value = (*value & !(mask | mask << 4)) | differs | apart;
        }
    }

    /// The components of a result that differ.
    fn result(&self, instruction: &Instruction, row: &OpInfo) -> u8 {
        let all = |differs: bool| if differs { DIFFERS } else { 0 };
        if row.has(Flag::Lanes) {
            return 0;
        }
        match row.family {
            Family::Atomic | Family::Framebuffer | Family::Interpolate => DIFFERS,
            _ if row.opcode == Opcode::CLOCK => DIFFERS,
            Family::Access => {
                let address = instruction.sources.get(1);
                let linear = instruction.sources.first().is_some_and(|resource| {
                    matches!(resource.register.file, File::Buffer | File::Memory)
                });
                let read = if linear { 1 } else { DIFFERS };
                all(address.is_some_and(|it| self.differing(it) & read != 0))
            }
            _ => {
                let mut differs = 0;
                for (number, source) in instruction.sources.iter().enumerate() {
                    if row.read_of(number) == Reads::Written {
                        differs |= self.differing(source);
                    } else {
                        let bits = self.register(&source.register);
                        let read = components_read(instruction, row, number);
                        let read = read.unwrap_or_else(|| source.swizzle.mask().0);
                        differs |= all(bits & read != 0);
                    }
                }
                differs
            }
        }
    }

    /// The components that a source names and that differ, one bit each.
    fn differing(&self, source: &Source) -> u8 {
        source.swizzle.places_of(self.register(&source.register))
    }

    /// The components of a register that differ.
    fn register(&self, register: &Register) -> u8 {
        let computed = register.indirects().any(|it| {
            let place = self.followed.place(it.file, it.index);
            place.is_some_and(|place| self.values[place] & 1 << it.component as u8 != 0)
        });
        match self.place(register) {
            _ if computed => DIFFERS,
            Some(place) => self.values[place] & DIFFERS,
            None => self.origins.of(register),
        }
    }

    /// The components that a source names and that were written where only some
    /// invocations are.
    fn written_apart(&self, source: &Source) -> u8 {
        let place = self.place(&source.register);
        source.swizzle.places_of(place.map_or(0, |place| self.values[place] >> 4))
    }

    fn place(&self, register: &Register) -> Option<usize> {
        self.followed.place(register.file, register.number()?)
    }
}

fn closes(closer: Control, opener: Control) -> bool {
    matches!(
        (closer, opener),
        (Control::EndIf, Control::If)
            | (Control::EndSwitch, Control::Switch)
            | (Control::EndLoop, Control::Loop)
    )
}

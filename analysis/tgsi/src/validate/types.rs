//! Results of one type that are read as the other: what a conversion to integers made and a float
//! opcode reads, and the reverse.
//!
//! Registers have no type, and code plays with bits on purpose, so only what is certain counts:
//! conversions, comparisons and divisions make integers, arithmetic makes floats, copies keep the
//! type, and nothing is known behind the end of a branch or at the head of a loop.
//!
//! Facts: the types of `isa/data/tgsi/opcodes.tsv`.

use source::{Diagnostic, Severity};

use super::context::Context;
use super::dataflow::components_read;
use super::operands::TEMPORARY;
use crate::ast::{Instruction, Register, Unread, WriteMask};
use crate::codes;
use crate::opcodes::{Control, Family, Flag, OpInfo, Opcode, ValueType};
use crate::report::Report;
use crate::words::File;

/// The most temporaries that are followed; drivers have fewer.
const MOST_REGISTERS: usize = 4096;

/// The type that a component surely has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Float,
    Integer,
    /// All bits or none, as comparisons of integers return.
    Truth,
}

/// The components of a register that surely have a type, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Components {
    floats: u8,
    integers: u8,
    truths: u8,
}

impl Components {
    /// All four, of one type.
    fn all(held: Option<Held>) -> Components {
        let bits = |of: Held| if held == Some(of) { WriteMask::ALL.0 } else { 0 };
        Components {
            floats: bits(Held::Float),
            integers: bits(Held::Integer),
            truths: bits(Held::Truth),
        }
    }

    /// Each set made another one.
    fn map(self, change: impl Fn(u8) -> u8) -> Components {
        Components {
            floats: change(self.floats),
            integers: change(self.integers),
            truths: change(self.truths),
        }
    }

    /// The one type of all of these components.
    fn common(self, read: u8) -> Option<Held> {
        let all = |held: u8| read & !held == 0;
        match () {
            () if read == 0 => None,
            () if all(self.floats) => Some(Held::Float),
            () if all(self.integers) => Some(Held::Integer),
            () if all(self.truths) => Some(Held::Truth),
            () => None,
        }
    }
}

/// The types that opcodes make and read.
#[derive(Clone, Copy, Default)]
struct Uses {
    makes_floats: bool,
    makes_integers: bool,
    reads_floats: bool,
    reads_integers: bool,
}

/// The uses of each opcode.
const USES: [Uses; Opcode::COUNT] = {
    let none = Uses {
        makes_floats: false,
        makes_integers: false,
        reads_floats: false,
        reads_integers: false,
    };
    let mut uses = [none; Opcode::COUNT];
    let mut at = 0;
    while at < Opcode::COUNT {
        let row = Opcode::ALL[at].row();
        uses[at].makes_floats = matches!(RESULTS[at], Some(Held::Float));
        uses[at].makes_integers = matches!(RESULTS[at], Some(Held::Integer | Held::Truth));
        let mut source = 0;
        while source < row.source_types.len() {
            match row.source_types[source] {
                ValueType::Float => uses[at].reads_floats = true,
                ValueType::Signed | ValueType::Unsigned => uses[at].reads_integers = true,
                _ => {}
            }
            source += 1;
        }
        at += 1;
    }
    uses
};

impl Uses {
    fn add(&mut self, other: Uses) {
        self.makes_floats |= other.makes_floats;
        self.makes_integers |= other.makes_integers;
        self.reads_floats |= other.reads_floats;
        self.reads_integers |= other.reads_integers;
    }

    /// Tells whether anything is made that may be read as the other type.
    fn differ(self) -> bool {
        self.makes_floats && self.reads_integers || self.makes_integers && self.reads_floats
    }
}

/// A temporary: what its components hold, and the last stretch of code in which any was written.
#[derive(Clone, Copy, Default)]
struct Temporary {
    held: Components,
    stretch: u32,
}

/// The types of the temporaries, in order of the text.
struct Types {
    registers: Vec<Temporary>,
    /// The number of the stretch that control comes to by one way only.
    stretch: u32,
}

impl Types {
    /// Nothing is known of any before the first instruction.
    fn new(context: &Context<'_>) -> Types {
        let last = context.operands.named[File::Temporary as usize].last();
        let count = last.map_or(0, |last| last as usize + 1).min(MOST_REGISTERS);
        Types { registers: vec![Temporary::default(); count], stretch: 0 }
    }

    /// The types of a register's components, where any may be known.
    fn held(&self, register: &Register) -> Option<Components> {
        let number = register.temporary().filter(|_| register.dimension.is_none())?;
        let temporary = self.registers.get(number as usize)?;
        (temporary.stretch == self.stretch).then_some(temporary.held)
    }

    /// Takes what a broken statement may have done as unknown.
    fn forget(&mut self, unread: &Unread) {
        if unread.steers || unread.writes.is_any_of(File::Temporary) {
            self.stretch += 1;
        }
        for named in unread.writes.known_of(File::Temporary) {
            let end = (named.range.last as usize).saturating_add(1).min(self.registers.len());
            let registers = self.registers.get_mut(named.range.first as usize..end);
            registers.into_iter().flatten().for_each(|it| *it = Temporary::default());
        }
    }

    fn set(&mut self, register: &Register, written: WriteMask, held: Components) {
        let Some(number) = register.temporary() else { return };
        let Some(temporary) = self.registers.get_mut(number as usize) else { return };
        // What was written in another stretch is not known any more.
        let before =
            if temporary.stretch == self.stretch { temporary.held } else { Components::default() };
        let join = |before: u8, held: u8| before & !written.0 | held & written.0;
        temporary.held = Components {
            floats: join(before.floats, held.floats),
            integers: join(before.integers, held.integers),
            truths: join(before.truths, held.truths),
        };
        temporary.stretch = self.stretch;
    }
}

/// Reports floats that are read as integers, and integers as floats.
pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    let mut uses = Uses::default();
    context.instructions.iter().for_each(|(_, row)| uses.add(USES[row.opcode as usize]));
    if !uses.differ() {
        return;
    }
    let mut types = Types::new(context);
    for (number, (instruction, row)) in context.instructions.iter().enumerate() {
        context.gaps.at(number).for_each(|unread| types.forget(unread));
        let operands = context.operands.glances[number];
        let judged = || {
            row.family == Family::Plain
                && !row.has(Flag::Bits)
                && instruction.historic.is_empty()
                && !context.gaps.is_broken(number, instruction)
        };
        if operands.read & TEMPORARY != 0 && judged() {
            for number in 0..instruction.sources.len() {
                read(&types, instruction, row, number, report);
            }
        }
        if operands.written & TEMPORARY != 0 {
            write(&mut types, instruction, row);
        }
        // Into a branch there is one way.
        if !matches!(row.path(), Control::Next | Control::If) {
            types.stretch += 1;
        }
    }
}

fn read(
    types: &Types,
    instruction: &Instruction,
    row: &OpInfo,
    number: usize,
    report: &mut Report,
) {
    let (Some(source), Some(ty)) = (instruction.sources.get(number), row.source_types.get(number))
    else {
        return;
    };
    let Some(held) = types.held(&source.register) else { return };
    if held == Components::default() {
        return;
    }
    let Some(read) = components_read(instruction, row, number) else { return };
    let Some(held) = held.common(read) else { return };
    let (holds, wanted, key) = match (held, ty) {
        (Held::Integer | Held::Truth, ValueType::Float) => ("an integer", "a float", "integer"),
        (Held::Float, ValueType::Signed | ValueType::Unsigned) if counts(row) => {
            ("a float", "an integer", "float")
        }
        _ => return,
    };
    let word = row.mnemonic;
    if row.opcode == Opcode::IF {
        report.push(|| {
            let message = "`IF` tests a float, and this is an integer: `UIF` tests integers";
            let diagnostic = Diagnostic::hint(codes::VALUE_TYPE, source.range, message);
            diagnostic.with_fix("Write `UIF`", instruction.opcode.range, Opcode::UIF.mnemonic())
        });
        return;
    }
    report.note((codes::VALUE_TYPE, Severity::Hint, key), source.range, || {
        format!("this register holds {holds}; `{word}` reads it as {wanted}")
    });
}

/// Tells whether an opcode reads numbers for certain: adding to the bits of a float, or comparing
/// them, is a well-known trick.
fn counts(row: &OpInfo) -> bool {
    let tricks = matches!(
        row.opcode,
        Opcode::UADD | Opcode::IMAX | Opcode::IMIN | Opcode::UMAX | Opcode::UMIN | Opcode::INEG
    );
    row.has(Flag::Integer) && !tricks
}

fn write(types: &mut Types, instruction: &Instruction, row: &OpInfo) {
    for destination in &instruction.destinations {
        let register = &destination.register;
        if register.file == File::Temporary && register.is_computed() {
            // Any temporary may be meant.
            types.stretch += 1;
            continue;
        }
        if register.file == File::Temporary {
            types.set(register, destination.mask, results(types, instruction, row));
        }
    }
}

/// The types of the components of a result.
fn results(types: &Types, instruction: &Instruction, row: &OpInfo) -> Components {
    if row.family != Family::Plain || instruction.predicate.is_some() {
        return Components::default();
    }
    if row.opcode != Opcode::MOV {
        return Components::all(RESULTS[row.opcode as usize]);
    }
    let Some(source) = instruction.sources.first() else { return Components::default() };
    let plain = !source.negate && !source.absolute && !instruction.saturate;
    let held = types.held(&source.register).filter(|_| plain).unwrap_or_default();
    held.map(|of| source.swizzle.places_of(of))
}

/// The type of what each opcode computes.
const RESULTS: [Option<Held>; Opcode::COUNT] = {
    let mut results = [None; Opcode::COUNT];
    let mut at = 0;
    while at < Opcode::COUNT {
        results[at] = result(Opcode::ALL[at].row());
        at += 1;
    }
    results
};

const fn result(row: &OpInfo) -> Option<Held> {
    let copies = row.has(Flag::Bits) || row.has(Flag::Lanes) || matches!(row.opcode, Opcode::CMP);
    if copies || row.has(Flag::Unpack) {
        return None;
    }
    match row.destination_types.first() {
        Some(ValueType::Float) if matches!(row.source_types.first(), Some(ValueType::Float)) => {
            Some(Held::Float)
        }
        Some(ValueType::Float) if matches!(row.opcode, Opcode::I2F | Opcode::U2F) => {
            Some(Held::Float)
        }
        Some(ValueType::Signed | ValueType::Unsigned) => match row.opcode {
            Opcode::F2I | Opcode::F2U | Opcode::D2I | Opcode::D2U => Some(Held::Integer),
            Opcode::IDIV | Opcode::UDIV | Opcode::MOD | Opcode::UMOD => Some(Held::Integer),
            Opcode::POPC | Opcode::LSB | Opcode::IMSB | Opcode::UMSB => Some(Held::Integer),
            Opcode::USEQ | Opcode::USNE | Opcode::USLT | Opcode::USGE => Some(Held::Truth),
            Opcode::ISLT | Opcode::ISGE => Some(Held::Truth),
            Opcode::FSEQ | Opcode::FSNE | Opcode::FSLT | Opcode::FSGE => Some(Held::Truth),
            _ => None,
        },
        _ => None,
    }
}

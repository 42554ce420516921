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

/// A component of a temporary, and the stretch of code in which it was written.
#[derive(Clone, Copy)]
struct Component {
    held: Option<Held>,
    stretch: u32,
}

const NOTHING: Component = Component { held: None, stretch: 0 };

/// The types of the temporaries, in order of the text.
#[derive(Default)]
struct Types {
    registers: Vec<[Component; 4]>,
    /// The number of the stretch that control comes to by one way only.
    stretch: u32,
}

impl Types {
    /// The types of a register's components, where any may be known.
    fn held(&self, register: &Register) -> Option<[Option<Held>; 4]> {
        let number = register.temporary().filter(|_| register.dimension.is_none())?;
        let components = self.registers.get(number as usize)?;
        Some(components.map(|it| it.held.filter(|_| it.stretch == self.stretch)))
    }

    /// Takes what a broken statement may have done as unknown.
    fn forget(&mut self, unread: &Unread) {
        if unread.steers || unread.writes.is_any_of(File::Temporary) {
            self.stretch += 1;
        }
        for named in unread.writes.known_of(File::Temporary) {
            let end = (named.range.last as usize).saturating_add(1).min(self.registers.len());
            let registers = self.registers.get_mut(named.range.first as usize..end);
            registers.into_iter().flatten().for_each(|it| *it = [NOTHING; 4]);
        }
    }

    fn set(&mut self, register: &Register, written: WriteMask, held: [Option<Held>; 4]) {
        let Some(number) = register.temporary().map(|number| number as usize) else { return };
        if number >= MOST_REGISTERS {
            return;
        }
        if number >= self.registers.len() {
            self.registers.resize(number + 1, [NOTHING; 4]);
        }
        for component in written.components().map(|it| it as usize) {
            self.registers[number][component] =
                Component { held: held[component], stretch: self.stretch };
        }
    }
}

/// The one type of all of these components.
fn common(held: [Option<Held>; 4], read: u8) -> Option<Held> {
    let mut types = (0..4).filter(|it| read & 1 << it != 0).map(|it| held[it]);
    let first = types.next()??;
    types.all(|it| it == Some(first)).then_some(first)
}

/// Reports floats that are read as integers, and integers as floats.
pub(super) fn check(context: &Context<'_>, report: &mut Report) {
    let mut types = Types::default();
    for (number, (instruction, row)) in context.instructions.iter().enumerate() {
        context.gaps.at(number).for_each(|unread| types.forget(unread));
        let judged = !context.gaps.is_broken(number, instruction)
            && row.family == Family::Plain
            && !row.has(Flag::Bits)
            && instruction.historic.is_empty();
        if judged {
            for number in 0..instruction.sources.len() {
                read(&types, instruction, row, number, report);
            }
        }
        write(&mut types, instruction, row);
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
    if held == [None; 4] {
        return;
    }
    let Some(read) = components_read(instruction, row, number) else { return };
    let Some(held) = common(held, read) else { return };
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
fn results(types: &Types, instruction: &Instruction, row: &OpInfo) -> [Option<Held>; 4] {
    if row.family != Family::Plain || instruction.predicate.is_some() {
        return [None; 4];
    }
    if row.opcode != Opcode::MOV {
        return [result(row); 4];
    }
    let Some(source) = instruction.sources.first() else { return [None; 4] };
    let plain = !source.negate && !source.absolute && !instruction.saturate;
    let held = types.held(&source.register).filter(|_| plain).unwrap_or_default();
    source.swizzle.0.map(|component| held[component as usize])
}

/// The type of what an opcode computes.
fn result(row: &OpInfo) -> Option<Held> {
    let copies = row.has(Flag::Bits) || row.has(Flag::Lanes) || row.opcode == Opcode::CMP;
    if copies || row.has(Flag::Unpack) {
        return None;
    }
    match row.destination_types.first()? {
        ValueType::Float if row.source_types.first() == Some(&ValueType::Float) => {
            Some(Held::Float)
        }
        ValueType::Float if matches!(row.opcode, Opcode::I2F | Opcode::U2F) => Some(Held::Float),
        ValueType::Signed | ValueType::Unsigned => match row.opcode {
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

//! A program made ready: every instruction decoded once, with the function that does
//! it.

use gcn::Target;
use gcn::analysis::{Cfg, Code, DefUse, hazards};
use gcn::encoding::{Extension, shape};
use gcn::image::{Data, DataModifiers};
use isa::gcn::Opcode;
use isa::gcn::operation::Operation;
use source::Severity;

use crate::export::{Send, SendSignal};
use crate::image::Image;
use crate::interpolate::Interpolate;
use crate::matrix::Matrix;
use crate::operand::Fields;
use crate::scalar::Scalar;
use crate::storage::{Buffer, Flat, ScalarMemory, Share};
use crate::vector::Vector;

/// An instruction of a program.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// Bytes from the start of the program.
    pub offset: u32,
    /// Its opcode; `None` where the words are not an instruction.
    pub opcode: Option<Opcode>,
    /// The offset of what follows it.
    pub(crate) end: u32,
    pub(crate) action: Action,
    /// The message of a hazard that is certain to be violated here.
    pub(crate) hazard: Option<String>,
}

/// An instruction decoded for execution, by the unit that executes it.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    Scalar(Scalar),
    Vector(Box<Vector>),
    Interpolate(Interpolate),
    Matrix(Matrix),
    ScalarMemory(ScalarMemory),
    Buffer(Buffer),
    Flat(Flat),
    Share(Share),
    Image(Image),
    Export(Send),
    Signal(SendSignal),
    Undecodable,
    /// An instruction that is not executed, with what is missing.
    Unsupported(String),
}

impl Action {
    /// Tells whether another unit than the scalar one executes it: MODE can have such ones
    /// skipped.
    pub(crate) fn is_vector(&self) -> bool {
        !matches!(
            self,
            Action::Scalar(_)
                | Action::ScalarMemory(_)
                | Action::Undecodable
                | Action::Unsupported(_)
        )
    }
}

/// A program that can be executed.
#[derive(Debug, Clone)]
pub struct Program {
    /// The chip.
    pub target: Target,
    /// The instructions in order.
    pub instructions: Vec<Instruction>,
    pub(crate) code: Code,
    pub(crate) def_use: Vec<DefUse>,
    /// For every word the instruction that begins there.
    by_word: Vec<u32>,
}

/// A word where no instruction begins.
const NONE: u32 = u32::MAX;

impl Program {
    /// Decodes words. Those that are not an instruction stop a run that comes to them.
    pub fn prepare(target: Target, words: &[u32]) -> Program {
        Program::of_code(Code::from_words(target, words))
    }

    /// Decodes the instructions of a code. Those that are none stop a run that comes to them.
    pub fn of_code(code: Code) -> Program {
        let target = code.target;
        let words = code.instructions.last().map_or(0, |last| last.end() as usize / 4);
        let def_use = DefUse::of_all(&code, &source::no_checkpoint);
        let cfg = Cfg::of(&code, &def_use);
        let mut by_word = vec![NONE; words];
        let mut instructions = Vec::with_capacity(code.instructions.len());
        for (index, (own, def_use)) in code.instructions.iter().zip(&def_use).enumerate() {
            if let Some(place) = by_word.get_mut(own.offset as usize / 4) {
                *place = index as u32;
            }
            instructions.push(Instruction {
                offset: own.offset,
                opcode: def_use.desc.map(|desc| desc.opcode()),
                end: own.end(),
                action: action(own, def_use, target),
                hazard: None,
            });
        }
        for diagnostic in hazards(&code, &def_use, &cfg, &source::no_checkpoint) {
            // Hazards are found on the graph of basic blocks, so a run need not count wait
            // states. Only those that stand on every path are errors; the others may not
            // happen in this run.
            let own = instructions.get_mut(diagnostic.instruction as usize);
            if let (Severity::Error, Some(own)) = (diagnostic.severity, own) {
                own.hazard = Some(diagnostic.message);
            }
        }
        Program { target, instructions, code, def_use, by_word }
    }

    /// The registers that an instruction reads and writes.
    pub fn def_use(&self, instruction: usize) -> Option<&DefUse> {
        self.def_use.get(instruction)
    }

    /// The words of an instruction.
    pub fn words(&self, instruction: usize) -> &[u32] {
        self.code.instructions.get(instruction).map_or(&[], |own| own.words())
    }

    /// The index of the instruction that begins at an offset in bytes.
    pub fn at(&self, offset: u64) -> Option<usize> {
        if !offset.is_multiple_of(4) {
            return None;
        }
        let place = self.by_word.get(usize::try_from(offset / 4).ok()?)?;
        (*place != NONE).then_some(*place as usize)
    }
}

fn action(own: &gcn::analysis::Instruction, def_use: &DefUse, target: Target) -> Action {
    let generation = target.generation();
    let Some(desc) = def_use.desc else { return Action::Undecodable };
    let Ok(shape) = shape(own.words(), generation) else { return Action::Undecodable };
    let word = |place: usize| own.words().get(place).copied().unwrap_or(0);
    let literal = (shape.extension == Extension::Literal).then(|| word(1));
    let second = if literal.is_some() { 0 } else { word(1) };
    let fields = Fields {
        bits: [word(0), second, word(2), word(3)]
            .into_iter()
            .rev()
            .fold(0, |all, word| all << 32 | u128::from(word)),
        literal,
        encoding: shape.encoding,
        extension: shape.extension,
        generation,
        features: target.features(),
    };
    let row = desc.operand_spec();
    let found = match desc.opcode().operation() {
        Operation::Scalar(it) => Scalar::of(it, row, &fields).map(Action::Scalar),
        Operation::Vector(it) => {
            Vector::of(it, row, &fields).map(|vector| Action::Vector(Box::new(vector)))
        }
        Operation::Interpolation(it) => Some(Action::Interpolate(Interpolate::of(it, &fields))),
        Operation::Matrix(it) => Matrix::of(it, desc.opcode(), &fields, target).map(Action::Matrix),
        Operation::ScalarMemory(it) => {
            Some(Action::ScalarMemory(ScalarMemory::of(it, row.flags, &fields)))
        }
        Operation::Buffer(it) => Buffer::of(it, &fields, target).map(Action::Buffer),
        Operation::Flat(it) => Flat::of(it, &fields).map(Action::Flat),
        Operation::Share(it) => Share::of(it, row, &fields).map(Action::Share),
        Operation::WaveSync(it) => SendSignal::of(it, &fields).map(Action::Signal),
        Operation::Image(it) => {
            let data = image_data(desc.opcode(), &fields, target);
            Image::of(it, &fields, data, target).map(Action::Image)
        }
        Operation::Export => Some(Action::Export(Send::of(&fields))),
    };
    found.unwrap_or_else(|| Action::Unsupported(format!("`{}`", desc.name())))
}

/// Returns the data of an image instruction, as the assembler counts them.
fn image_data(opcode: Opcode, fields: &Fields, target: Target) -> Data {
    let dmask = fields.get("dmask") as u8;
    let (tfe, d16) = (fields.flag("tfe"), fields.flag("d16"));
    Data::of(opcode, DataModifiers { dmask, tfe, d16 }, target)
}

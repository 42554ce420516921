//! The word that is missing at a place which is known.

use super::evidence::Evidence;
use super::sequence::{Counted, Element, Sequence};
use super::sweep::{Candidates, Wanted, candidates, closes};
use super::telling::opcode;
use crate::Opcode;
use crate::ast::{Instruction, Shader};
use crate::opcodes::{Control, ValueType};
use crate::validate::{Block, Nesting};

/// Copies that are followed back to what they copy.
const MOST_COPIES: usize = 8;

/// The word without operands that is missing before an instruction, the number of which is given
/// from 0; `None` where it may be another.
pub(crate) fn missing_word(shader: &Shader, place: usize) -> Option<Opcode> {
    let found = found(&Sequence::of(shader, Counted::All));
    let mut here = found.all.iter().filter(|it| it.place == place);
    let word = here.next().filter(|_| found.faults == 0 && here.next().is_none())?.word;
    Some(opcode(word)).filter(|word| word.row().sources == 0)
}

/// The word that is missing before an operand. A line of it alone opens a block, or is a `CASE`.
pub(crate) fn missing_word_before(
    shader: &Shader,
    place: usize,
    line: &Instruction,
) -> Option<Opcode> {
    let mut sequence = Sequence::of(shader, Counted::All);
    let found = found(&sequence);
    let fits = |block: Block| {
        let same = |word| word == Nesting::Open(block);
        found.faults == 0 && found.all.iter().any(|it| it.place == place && same(it.word))
    };
    if fits(Block::If) {
        return condition(shader, place, line);
    }
    if line.label.is_some() {
        return None;
    }
    if fits(Block::Switch) {
        return Some(Opcode::SWITCH);
    }
    sequence.elements.insert(place, Element::put_in(Nesting::Case));
    closes(&sequence, &Evidence::new(&sequence)).then_some(Opcode::CASE)
}

fn found(sequence: &Sequence) -> Candidates {
    candidates(sequence, &Evidence::new(sequence), Wanted::Blocks)
}

/// `IF` or `UIF`, by what the operand holds and by the others of the shader.
fn condition(shader: &Shader, place: usize, line: &Instruction) -> Option<Opcode> {
    let mut others: Vec<Opcode> = shader
        .instructions()
        .filter(|it| it.info().control == Control::If)
        .map(|it| it.opcode.value)
        .collect();
    others.sort_unstable();
    others.dedup();
    match (held(shader, place, line), &others[..]) {
        (None, [word]) => Some(*word),
        (Some(Held::Float), []) => Some(Opcode::IF),
        (Some(Held::Truth), []) => Some(Opcode::UIF),
        (Some(Held::Float), [.., Opcode::IF] | [Opcode::IF, ..]) => Some(Opcode::IF),
        (Some(Held::Truth | Held::Integer), [.., Opcode::UIF] | [Opcode::UIF, ..]) => {
            Some(Opcode::UIF)
        }
        _ => None,
    }
}

/// The result that an operand holds.
enum Held {
    Float,
    Integer,
    /// The result of a comparison, which `UIF` is for.
    Truth,
}

/// The comparisons that return all bits or none.
const TESTS: [Opcode; 10] = [
    Opcode::USEQ,
    Opcode::USNE,
    Opcode::USLT,
    Opcode::USGE,
    Opcode::ISLT,
    Opcode::ISGE,
    Opcode::FSEQ,
    Opcode::FSNE,
    Opcode::FSLT,
    Opcode::FSGE,
];

/// Finds what was written last to an operand.
fn held(shader: &Shader, place: usize, line: &Instruction) -> Option<Held> {
    let before: Vec<&Instruction> = shader.instructions().take(place).collect();
    let mut read = line.sources.first()?;
    let mut component = read.swizzle.0[0];
    let mut end = before.len();
    for _ in 0..MOST_COPIES {
        let register = read.register.temporary()?;
        let at = before[..end].iter().rposition(|it| {
            it.destinations.iter().any(|destination| {
                destination.register.temporary() == Some(register)
                    && destination.mask.components().any(|it| it as u8 == component as u8)
            })
        })?;
        let row = before[at].info();
        if row.opcode != Opcode::MOV {
            return match row.destination_types.first()? {
                ValueType::Float => Some(Held::Float),
                ValueType::Signed | ValueType::Unsigned if TESTS.contains(&row.opcode) => {
                    Some(Held::Truth)
                }
                ValueType::Signed | ValueType::Unsigned => Some(Held::Integer),
                _ => None,
            };
        }
        read = before[at].sources.first()?;
        component = read.swizzle.0[component as usize];
        end = at;
    }
    None
}

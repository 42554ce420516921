//! Machine code as the analyses take it: words in order, nothing of a text.

use super::register_set::RegisterSet;
use crate::Target;
use crate::encoding::{self, Encoding};

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Bytes from the start of the code.
    pub offset: u32,
    words: [u32; 4],
    count: u8,
    /// The number of vector registers that hold the address of an image instruction, where
    /// that is known: the encoding names only the first.
    pub address_vgprs: Option<u8>,
}

impl Instruction {
    /// An instruction of up to four words; of a longer list the first four count.
    pub fn new(offset: u32, words: &[u32], address_vgprs: Option<u8>) -> Instruction {
        let word = |index| words.get(index).copied().unwrap_or(0);
        Instruction {
            offset,
            words: [word(0), word(1), word(2), word(3)],
            count: words.len().clamp(1, 4) as u8,
            address_vgprs,
        }
    }

    /// Its words: one, two or four.
    pub fn words(&self) -> &[u32] {
        &self.words[..usize::from(self.count)]
    }

    /// Makes the jump that it is go to an offset of the code.
    pub fn jump_to(&mut self, target: u32) {
        let distance = (i64::from(target) - i64::from(self.end())) / 4;
        self.words[0] = self.words[0] & !0xffff | u32::from(distance as u16);
    }

    /// The offset of what follows.
    pub fn end(&self) -> u32 {
        self.offset.saturating_add(u32::from(self.count) * 4)
    }
}

/// A sequence of instructions that runs from its start.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Code {
    /// The chip.
    pub target: Target,
    /// The instructions; offsets ascend.
    pub instructions: Vec<Instruction>,
    /// Offsets where it may also be entered, beside the first instruction.
    pub entries: Vec<u32>,
    /// The lines of the text that are not an instruction, in order.
    pub gaps: Vec<Gap>,
    /// The indices of the instructions that such a line may lead to, in order.
    pub targets_of_gaps: Vec<u32>,
    /// The same of a line for which an instruction stands, if it is another one.
    pub targets_of_readings: Vec<u32>,
    /// Set where the target id leaves open that page faults are retried, which repeats memory
    /// instructions.
    pub may_repeat: bool,
    /// The instructions that stand for such a line, as it can only have been meant as these, in
    /// order: nothing is said of them themselves.
    pub readings: Vec<ReadLine>,
}

/// A line that is not an instruction, and the only one that it can have been meant as, which
/// stands in its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReadLine {
    /// The effects that the line may have otherwise, with its place among the instructions.
    pub gap: Gap,
    /// The text of the instruction.
    pub text: String,
}

/// A line that is not an instruction, or none yet, and nothing is said that depends on what is
/// unknown of it. A word of unknown effect stands in its place, or an instruction that writes what
/// the line writes, where only the registers that it reads are unknown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Gap {
    /// The index of that word among the instructions.
    pub instruction: u32,
    /// Set where control may go on anywhere.
    pub steers: bool,
    /// Set where it may never go on behind the line.
    pub ends: bool,
    /// Set where it may change which lanes are active.
    pub masks: bool,
    /// The kind of instruction that it is.
    pub kind: GapKind,
    /// The registers that its operands name for certain.
    pub named: RegisterSet,
    /// The registers that it may read.
    pub reads: RegisterSet,
    /// The registers that it may write.
    pub writes: RegisterSet,
}

/// The kinds of instruction that a line of unknown effect may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GapKind {
    /// One that computes: it reaches no memory, and waits for nothing.
    Computes,
    /// One that computes or reaches memory, and waits for nothing.
    Accesses,
    /// Any.
    Anything,
}

/// The registers of image addresses in a text: whether it names them all. Compilers and people do;
/// disassemblers cannot know, and write the first one or the largest range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressCounts {
    /// As they are named.
    Named,
    /// Unknown.
    Unknown,
}

impl Code {
    /// The word that stands in the place of a line that is not an instruction: none has it.
    pub const GAP: u32 = u32::MAX;

    /// Instructions that are entered at the first alone, with no line among them that is none.
    pub fn of(target: Target, instructions: Vec<Instruction>) -> Code {
        Code {
            target,
            instructions,
            entries: Vec::new(),
            gaps: Vec::new(),
            targets_of_gaps: Vec::new(),
            targets_of_readings: Vec::new(),
            may_repeat: false,
            readings: Vec::new(),
        }
    }

    /// Tells whether an instruction stands for a line that is none.
    pub(super) fn stands_for_another(&self, instruction: u32) -> bool {
        self.is_gap(instruction as usize)
            || self.readings.binary_search_by_key(&instruction, |it| it.gap.instruction).is_ok()
    }

    /// The code in which nobody takes a line for what it may have been meant as.
    pub(super) fn without_readings(&self) -> Code {
        let mut code = self.clone();
        for reading in code.readings.drain(..) {
            let place = reading.gap.instruction as usize;
            if let Some(own) = code.instructions.get_mut(place) {
                *own = Instruction::new(own.offset, &[Code::GAP], None);
                code.gaps.push(reading.gap);
            }
        }
        code.gaps.sort_by_key(|gap| gap.instruction);
        if !code.targets_of_readings.is_empty() {
            code.targets_of_gaps = std::mem::take(&mut code.targets_of_readings);
        }
        code
    }

    /// The line that is no instruction, where one stands for such a line.
    pub(super) fn gap(&self, instruction: usize) -> Option<&Gap> {
        let at = self.gaps.binary_search_by_key(&(instruction as u32), |gap| gap.instruction);
        self.gaps.get(at.ok()?)
    }

    /// Tells whether a word or an instruction stands for a line that is none.
    pub(super) fn is_gap(&self, instruction: usize) -> bool {
        self.gap(instruction).is_some()
    }

    /// Tells whether control may never go on behind an instruction, as nobody knows what it is.
    pub(super) fn may_end_at(&self, instruction: usize) -> bool {
        self.gap(instruction).is_some_and(|gap| gap.ends)
    }

    /// Tells whether control may go on anywhere from a line that is not an instruction.
    pub(super) fn has_unknown_control(&self) -> bool {
        self.gaps.iter().any(|gap| gap.steers)
    }

    /// Tells whether nobody knows what leads to an instruction.
    pub(super) fn is_target_of_gap(&self, instruction: u32) -> bool {
        self.targets_of_gaps.binary_search(&instruction).is_ok()
    }

    /// The instructions that words are, one after the other. A word that begins no
    /// instruction of the chip stands alone, and has no known effects.
    pub fn from_words(target: Target, words: &[u32]) -> Code {
        let mut instructions = Vec::with_capacity(words.len());
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let count =
                encoding::shape(rest, target.generation()).map_or(1, |shape| shape.words.into());
            let own = rest.get(..count).unwrap_or(rest);
            let Ok(offset) = u32::try_from(at * 4) else { break };
            instructions.push(Instruction::new(offset, own, None));
            at += count;
        }
        Code::of(target, instructions)
    }

    /// Returns the target of an instruction's jump: an offset, which need not be one of the
    /// code.
    pub(crate) fn jump_target(instruction: &Instruction) -> i64 {
        let distance = instruction.words[0] as u16 as i16;
        i64::from(instruction.end()) + 4 * i64::from(distance)
    }
}

/// Counts the registers of the second operand of an image instruction: of its line, and the
/// words that are made of it.
pub fn image_address(line: &str, words: &[u32], target: Target) -> Option<u8> {
    if encoding::shape(words, target.generation()).ok()?.encoding != Encoding::Mimg {
        return None;
    }
    let operand = line.split_once(',')?.1.trim_start();
    let Some(range) = operand.strip_prefix("v[") else {
        let number = operand.strip_prefix('v')?;
        return number.starts_with(|it: char| it.is_ascii_digit()).then_some(1);
    };
    let (first, last) = range.split_once(']')?.0.split_once(':')?;
    let (first, last): (u8, u8) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    last.checked_sub(first)?.checked_add(1)
}

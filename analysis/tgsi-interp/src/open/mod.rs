//! The words that registers may hold where the documents leave results open: a shadow of each
//! register, beside the bits that a run computes.
//!
//! Only a run that is compared with another implementation has it. Every operation is then
//! carried out on sets of words ([`open_bits::Word`]) too; where a branch hangs on an open
//! condition the run goes one way, as its [`Script`] says, and whoever compares runs again for
//! the other ([`Scripts`]). What a result may be is what it may be in any of these runs.

mod arithmetic;
mod conversions;
mod integers;
mod lanes;
mod look_up;
#[cfg(test)]
mod member_tests;
mod memory;
mod monotone;
mod operands;
mod patch;
#[cfg(test)]
mod place_tests;
mod products;
#[cfg(test)]
mod race_tests;
mod races;
mod store;
#[cfg(test)]
mod tests;
mod wide;

use open_bits::{Rule, Rules, Word};

use crate::launch::QuadInputs;
use crate::program::Program;
use crate::quad::Quad;
use crate::registers::{LANES, Place, Register};

pub(crate) use look_up::Substitutes;
pub use memory::{OpenMemory, Space};
pub(crate) use patch::OpenPatch;

/// The words of one register: by component, then lane; `None` where the register's own bits are
/// all that it may hold.
pub type OpenRegister = [[Option<Word>; LANES]; 4];

/// The decisions at open conditions, in the order in which a lane comes to them: true for the way
/// that the bits of the run would not take. Behind the last the bits decide.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script(Vec<bool>);

/// All scripts, so that every way through open conditions is taken, up to a number of runs.
#[derive(Debug, Clone)]
pub struct Scripts {
    waiting: Vec<Script>,
    left: usize,
}

impl Scripts {
    /// The scripts of at most so many runs.
    pub fn new(most: usize) -> Scripts {
        Scripts { waiting: vec![Script::default()], left: most }
    }

    /// Adds the ways that a run found and its script does not name.
    pub fn found(&mut self, script: &Script, decisions: usize) {
        for place in script.0.len()..decisions {
            let mut next = script.0.clone();
            next.resize(place, false);
            next.push(true);
            self.waiting.push(Script(next));
        }
    }

    /// Tells whether all ways were taken.
    pub fn is_complete(&self) -> bool {
        self.waiting.is_empty()
    }
}

impl Iterator for Scripts {
    type Item = Script;

    fn next(&mut self) -> Option<Script> {
        self.left = self.left.checked_sub(1)?;
        // The shortest first: those that differ from the bits in the least.
        let shortest = (0..self.waiting.len()).min_by_key(|place| {
            let script = &self.waiting[*place].0;
            (script.iter().filter(|it| **it).count(), script.len())
        })?;
        Some(self.waiting.swap_remove(shortest))
    }
}

/// The shadow of the registers of a quad.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenRegisters {
    script: Script,
    /// By vertex, then attribute, as the inputs themselves; nothing where none is open.
    pub(crate) inputs: Vec<Vec<OpenRegister>>,
    pub(crate) temporaries: Vec<OpenRegister>,
    pub(crate) addresses: Vec<OpenRegister>,
    pub(crate) outputs: Vec<OpenRegister>,
    pub(crate) loops: Vec<OpenRegister>,
    pub(crate) arrays: Vec<Vec<OpenRegister>>,
    /// The outputs of the patch that the instruction reads while others change them, each with the
    /// lane that reads.
    raced: Vec<(Place, usize)>,
    /// The open conditions that each lane came to.
    decisions: [usize; LANES],
    /// The rules of those conditions.
    conditions: [Rules; LANES],
    /// The rules by which all that a lane leaves is open.
    lost: [Rules; LANES],
    /// The words of the vertices that a geometry shader emitted, by stream.
    pub(crate) streams: [Vec<Vec<[Word; 4]>>; 4],
}

fn unwritten() -> OpenRegister {
    std::array::from_fn(|_| std::array::from_fn(|_| Some(Word::any(Rules::of(Rule::Unwritten)))))
}

impl OpenRegisters {
    /// The shadow before the first instruction: nothing is written.
    pub(crate) fn new(program: &Program, script: Script) -> OpenRegisters {
        let written = OpenRegister::default;
        OpenRegisters {
            script,
            temporaries: vec![unwritten(); program.temporaries],
            addresses: vec![unwritten(); program.addresses],
            outputs: vec![unwritten(); program.outputs],
            loops: vec![written(); program.loops],
            arrays: program.arrays.iter().map(|length| vec![written(); *length]).collect(),
            ..OpenRegisters::default()
        }
    }

    /// The shadow of a run that has a script.
    pub(crate) fn begun(program: &Program, script: Option<&Script>) -> Option<Box<OpenRegisters>> {
        script.map(|script| Box::new(OpenRegisters::new(program, script.clone())))
    }

    /// The shadow of a quad with inputs of which some are open.
    pub(crate) fn with_inputs(
        program: &Program,
        inputs: &QuadInputs,
    ) -> Option<Box<OpenRegisters>> {
        let mut open = OpenRegisters::begun(program, inputs.open.as_ref())?;
        open.inputs.clone_from(&inputs.input_words);
        Some(open)
    }

    /// Forgets what outputs held: what a vertex does not write is undefined.
    pub(crate) fn forget_outputs(&mut self) {
        self.outputs.fill(unwritten());
    }

    /// Leaves all open that a lane gives from now on.
    pub(crate) fn lose(&mut self, lane: usize, rules: Rules) {
        self.lost[lane] = self.lost[lane].plus(rules);
    }

    /// Decides for a lane whether a condition holds, by whether it may hold and may fail.
    fn decide(&mut self, lane: usize, holds: bool, outcomes: [bool; 2], rules: Rules) -> bool {
        match outcomes {
            [true, true] => {
                let number = self.decisions[lane];
                self.decisions[lane] += 1;
                self.conditions[lane] = self.conditions[lane].plus(rules);
                holds != self.script.0.get(number).copied().unwrap_or(false)
            }
            [may, _] => may,
        }
    }
}

/// The words that a quad leaves, and what they hang on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OpenOutputs {
    /// The output registers, by component and lane; none of tessellation control.
    pub outputs: Vec<[[Word; LANES]; 4]>,
    /// The vertices that a geometry shader emitted, by stream: the vectors of all outputs.
    pub streams: [Vec<Vec<[Word; 4]>>; 4],
    /// The rules by which all that a lane leaves is open; none, mostly.
    pub lost: [Rules; LANES],
    /// The open conditions that each lane came to.
    pub decisions: [usize; LANES],
    /// The rules of those conditions.
    pub conditions: [Rules; LANES],
}

impl Quad<'_> {
    /// Takes what the quad leaves, where a shadow was kept.
    pub(crate) fn open_outputs(&mut self) -> Option<OpenOutputs> {
        let open = self.registers.open.take()?;
        Some(OpenOutputs::of(*open, &self.registers.outputs))
    }
}

impl OpenOutputs {
    /// Takes the words of a quad's registers at its end, of which the bits are these.
    pub(crate) fn of(open: OpenRegisters, bits: &[Register]) -> OpenOutputs {
        let OpenRegisters { decisions, conditions, lost, streams, outputs, .. } = open;
        let register = |(words, bits): (OpenRegister, &Register)| {
            std::array::from_fn(|component| {
                std::array::from_fn(|lane| match &words[component][lane] {
                    _ if lost[lane] != Rules::NONE => Word::any(lost[lane]),
                    Some(word) => word.clone(),
                    None => Word::exactly(bits[component][lane]),
                })
            })
        };
        let outputs = outputs.into_iter().zip(bits).map(register).collect();
        OpenOutputs { outputs, streams, lost, decisions, conditions }
    }
}

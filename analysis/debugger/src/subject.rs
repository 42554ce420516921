//! A run as the debugger sees it, whatever executes.

use std::ops::Range;

use thiserror::Error;

use crate::expression::{ExpressionError, Reference, Value};
use crate::location::Location;

/// The reason why a run cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Fault {
    /// The thread.
    pub thread: usize,
    /// The reason, in a sentence.
    pub message: String,
}

/// A kind of events that a run can be stopped at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// A result is not a number, though no source was none.
    NotANumber,
    /// A result is infinite, though no source was.
    Infinity,
    /// An index led out of what is declared.
    Outside,
    /// A register is read that nothing has written.
    Uninitialised,
    /// A register is used before a wait makes sure of it, or too few wait states stand before.
    MissingWait,
    /// The machine code makes a value that the interpreter does not.
    Difference,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [EventKind; 6] = [
        EventKind::NotANumber,
        EventKind::Infinity,
        EventKind::Outside,
        EventKind::Uninitialised,
        EventKind::MissingWait,
        EventKind::Difference,
    ];

    /// Returns the word by which clients name it.
    pub fn word(self) -> &'static str {
        match self {
            EventKind::NotANumber => "nan",
            EventKind::Infinity => "infinity",
            EventKind::Outside => "outside",
            EventKind::Uninitialised => "uninitialised",
            EventKind::MissingWait => "wait",
            EventKind::Difference => "difference",
        }
    }

    /// Returns what people read.
    pub fn label(self) -> &'static str {
        match self {
            EventKind::NotANumber => "NaN is made",
            EventKind::Infinity => "Infinity is made",
            EventKind::Outside => "Access outside",
            EventKind::Uninitialised => "Uninitialised read",
            EventKind::MissingWait => "Missing wait",
            EventKind::Difference => "First difference of machine code",
        }
    }

    /// Tells whether runs stop at it unless somebody says otherwise: behind a missing wait values
    /// are those of a run that has waited, which the hardware need not have.
    pub fn is_default(self) -> bool {
        self == EventKind::MissingWait
    }
}

/// A kind of float that a step may make, and how to tell one.
pub(crate) type MadeFloat = (EventKind, fn(f32) -> bool);

/// The floats whose making is an event.
pub(crate) const MADE_FLOATS: [MadeFloat; 2] =
    [(EventKind::NotANumber, f32::is_nan), (EventKind::Infinity, f32::is_infinite)];

/// An event of the last step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The kind.
    pub kind: EventKind,
    /// The first lane that it happened in.
    pub lane: usize,
    /// The register, or what else it is about.
    pub what: String,
}

impl Event {
    /// Says what happened, in a sentence.
    pub fn message(&self) -> String {
        let Event { lane, what, .. } = self;
        match self.kind {
            EventKind::NotANumber => format!("lane {lane}: {what} became NaN"),
            EventKind::Infinity => format!("lane {lane}: {what} became infinite"),
            EventKind::Outside => format!("lane {lane}: {what} leads out of what is declared"),
            EventKind::Uninitialised => {
                format!("lane {lane}: {what} is read, and nothing has written it")
            }
            EventKind::MissingWait => format!("{what}; the run goes on as if it had waited"),
            EventKind::Difference => format!("the machine code differs: {what}"),
        }
    }
}

/// The bits of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bits {
    /// A word that all lanes share.
    Word(u32),
    /// A bit for each lane.
    Mask {
        /// The bits, that of lane 0 the lowest.
        bits: u64,
        /// The number of lanes.
        lanes: usize,
    },
    /// A word for each lane.
    Lanes(Vec<u32>),
    /// A number with what it says, in words.
    Said(u32, String),
    /// Nothing of its own: its parts have them.
    Parts,
}

/// A variable of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name, which is an expression too.
    pub name: String,
    /// Its bits.
    pub bits: Bits,
    /// Its parts, such as the components of a vector.
    pub parts: Vec<Variable>,
}

/// Variables that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// Its name.
    pub name: &'static str,
    /// True for registers of the machine.
    pub registers: bool,
    /// Its variables.
    pub variables: Vec<Variable>,
}

/// A run that stands still between two steps. Threads are quads or waves; each has lanes.
pub trait Subject {
    /// A state that can be gone back to.
    type Saved;

    /// The thread that executes next; `None` once all have ended.
    fn thread(&self) -> Option<usize>;
    /// The number of threads.
    fn threads(&self) -> usize;
    /// The name of a thread, as people call it.
    fn thread_name(&self, thread: usize) -> String;
    /// The instruction that a thread executes next, from 0; `None` where it has ended.
    fn instruction(&self, thread: usize) -> Option<usize>;
    /// The instructions that follow the open calls of a thread, the innermost last.
    fn returns(&self, thread: usize) -> Vec<Option<usize>>;
    /// The number of lanes of a thread.
    fn lanes(&self) -> usize;
    /// The name of a lane, as people call it.
    fn lane_name(&self, thread: usize, lane: usize) -> String;
    /// The lanes of a thread that are active, a bit each.
    fn active(&self, thread: usize) -> u64;
    /// The thread and lane that the inputs name.
    fn watched(&self) -> (usize, usize);

    /// The number of instructions of the program.
    fn instructions(&self) -> usize;
    /// The line of an instruction, from 1.
    fn line(&self, instruction: usize) -> Option<u32>;
    /// The text of an instruction.
    fn text(&self, instruction: usize) -> &str;
    /// The instructions that a disassembly shows: all of them, unless machine code runs beside
    /// the statements that it was made of.
    fn listing(&self) -> Range<usize> {
        0..self.instructions()
    }
    /// The machine instruction that runs beside the statement that a thread stands at.
    fn beneath(&self, _thread: usize) -> Option<usize> {
        None
    }
    /// The instruction to which the last step has led. Where machine code runs beside statements
    /// a step leads to another of one side alone.
    fn arrival(&self) -> Option<usize> {
        self.thread().and_then(|thread| self.instruction(thread))
    }
    /// The instruction that the next step executes, where it is not that at which the thread
    /// stands.
    fn stepping_beneath(&self) -> Option<usize> {
        None
    }
    /// The address of an instruction, in bytes from the start of the program.
    fn address(&self, instruction: usize) -> u64;
    /// The bytes of an instruction in hexadecimal; empty where there are none.
    fn bytes_of(&self, instruction: usize) -> String;

    /// The value of a register in a lane of a thread.
    ///
    /// # Errors
    /// The reason why there is none, in a sentence.
    fn value(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Value, ExpressionError>;
    /// The values of a thread.
    fn scopes(&self, thread: usize) -> Vec<Scope>;
    /// Bytes of memory from an address on, as far as there are any.
    fn memory(&self, address: u64, count: usize) -> Vec<u8>;
    /// The memories that have an address: name, address, bytes.
    fn memories(&self) -> Vec<(String, u64, usize)>;

    /// The places of a value in registers and memory, a component each.
    ///
    /// # Errors
    /// The reason why it has none, in a sentence.
    fn locate(
        &self,
        thread: usize,
        lane: usize,
        reference: &Reference,
    ) -> Result<Vec<Location>, ExpressionError>;
    /// The places that the next step writes, each with its lanes.
    fn targets(&self) -> Vec<(Location, u64)>;
    /// The values, each with its lane, from which the next step makes that of a place in a lane.
    fn sources(&self, target: &Location, lane: usize) -> Vec<(Location, usize)>;
    /// The bits at a place in a lane.
    fn bits(&self, location: &Location, lane: usize) -> Option<u32>;

    /// Executes the next instruction, if there is one.
    ///
    /// # Errors
    /// The reason why the run cannot go on; the state is then not one to look at.
    fn step(&mut self) -> Result<(), Fault>;
    /// The events of the last step.
    fn events(&self) -> Vec<Event>;

    /// Copies the state.
    fn save(&mut self) -> Self::Saved;
    /// Goes back to a state.
    fn restore(&mut self, saved: &Self::Saved);
    /// Bytes of a state, roughly.
    fn size(saved: &Self::Saved) -> usize;
}

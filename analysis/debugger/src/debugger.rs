//! Movement through a recording: steps, breakpoints, values that change, findings.

use std::collections::BTreeSet;

use crate::breakpoint::{Breakpoint, LogPart, Watch};
use crate::expression::{Context, Expression, ExpressionError, Value};
use crate::recording::Recording;
use crate::subject::{Fault, Finding, FindingKind, Subject};

/// The reason why the run stands still.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// A step was done.
    Step,
    /// Breakpoints.
    Breakpoint {
        /// Their numbers.
        ids: Vec<u64>,
        /// The first lane in which the condition is true.
        lane: usize,
    },
    /// A condition that has no value.
    Condition {
        /// The number of its breakpoint.
        id: u64,
        /// The reason, in a sentence.
        message: String,
    },
    /// A value changed, or the next step changes it where the run went backwards.
    Changed {
        /// The number of the watch; 0 where the run went backwards.
        id: u64,
        /// The first lane whose value is another.
        lane: usize,
        /// The old and the new value, in a sentence.
        message: String,
    },
    /// An event that is looked for.
    Finding(Finding),
    /// The run cannot go on.
    Fault(Fault),
    /// Somebody asked for it.
    Pause,
    /// The beginning of the run.
    Beginning,
    /// The end of the run.
    End,
}

/// The length of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stride {
    /// One instruction.
    Instruction,
    /// To another line.
    Line,
}

/// The answer of whoever is asked during a long run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Go on.
    Go,
    /// Stop where it stands.
    Pause,
}

/// Steps between two questions whether to go on.
const STEPS_A_QUESTION: u64 = 1024;
/// Log messages of one movement, at most.
const MOST_MESSAGES: usize = 10_000;

/// A run with what it is stopped at.
pub struct Debugger<S: Subject> {
    recording: Recording<S>,
    /// Breakpoints on instructions.
    pub breakpoints: Vec<Breakpoint>,
    /// Values at whose change the run stops.
    pub watches: Vec<Watch>,
    /// Events that the run stops at.
    pub findings: BTreeSet<FindingKind>,
    /// Log messages that nobody has taken yet.
    pub messages: Vec<String>,
}

impl<S: Subject> Debugger<S> {
    /// A debugger of a run at its beginning.
    pub fn new(recording: Recording<S>) -> Debugger<S> {
        Debugger {
            recording,
            breakpoints: Vec::new(),
            watches: Vec::new(),
            findings: BTreeSet::new(),
            messages: Vec::new(),
        }
    }

    /// The recording.
    pub fn recording(&self) -> &Recording<S> {
        &self.recording
    }

    /// The run where it stands.
    pub fn subject(&self) -> &S {
        self.recording.subject()
    }

    /// Goes to the beginning. Hits are counted anew.
    pub fn restart(&mut self) {
        self.recording.seek(0);
        for breakpoint in &mut self.breakpoints {
            breakpoint.hits = 0;
        }
    }

    /// Computes an expression in a lane of a thread.
    ///
    /// # Errors
    /// The reason why it has no value.
    pub fn evaluate(
        &self,
        expression: &Expression,
        thread: usize,
        lane: usize,
    ) -> Result<Value, ExpressionError> {
        evaluate(self.subject(), expression, thread, lane)
    }

    /// Goes forward from the beginning: a breakpoint on the first instruction stops it there.
    pub fn begin(&mut self, pace: &mut dyn FnMut() -> Pace) -> Stop {
        match self.hit() {
            Some(stop) => stop,
            None => self.go_on(pace),
        }
    }

    /// Goes forward until something stops it.
    pub fn go_on(&mut self, pace: &mut dyn FnMut() -> Pace) -> Stop {
        self.forward(pace, &|_| false)
    }

    /// Goes into whatever a thread executes next: to its next instruction or line.
    pub fn step_in(
        &mut self,
        thread: usize,
        stride: Stride,
        pace: &mut dyn FnMut() -> Pace,
    ) -> Stop {
        let begin = self.place(thread, stride);
        self.forward(pace, &|subject| has_left(subject, thread, begin, usize::MAX))
    }

    /// The same, but calls are passed over.
    pub fn step_over(
        &mut self,
        thread: usize,
        stride: Stride,
        pace: &mut dyn FnMut() -> Pace,
    ) -> Stop {
        let begin = self.place(thread, stride);
        let depth = self.subject().returns(thread).len();
        self.forward(pace, &|subject| has_left(subject, thread, begin, depth))
    }

    /// Goes to where the caller of a thread goes on; of a thread that nobody called to its end.
    pub fn step_out(&mut self, thread: usize, pace: &mut dyn FnMut() -> Pace) -> Stop {
        let depth = self.subject().returns(thread).len();
        self.forward(pace, &|subject| {
            let is_out = subject.returns(thread).len() < depth;
            subject.instruction(thread).is_none() || subject.thread() == Some(thread) && is_out
        })
    }

    /// Goes back to where a thread executed the instruction or line before.
    pub fn step_back(&mut self, thread: usize, stride: Stride) -> Stop {
        let begin = self.place(thread, stride);
        let found = self.recording.seek_back(
            |subject| {
                let has_moved =
                    stride == Stride::Instruction || place_of(subject, thread, stride) != begin;
                subject.thread() == Some(thread) && has_moved
            },
            |_| false,
        );
        if !found {
            return Stop::Beginning;
        }
        self.go_to_start_of_line(thread, stride);
        Stop::Step
    }

    /// Goes back to the first instruction of the line that a thread stands on, where several
    /// are made of it.
    fn go_to_start_of_line(&mut self, thread: usize, stride: Stride) {
        let subject = self.subject();
        let own = subject.instruction(thread);
        let line = own.and_then(|own| subject.line(own));
        let before = own.and_then(|own| own.checked_sub(1)).and_then(|own| subject.line(own));
        if stride == Stride::Instruction || line != before {
            return;
        }
        let (here, place) = (self.recording.position(), self.place(thread, stride));
        let is_other = |subject: &S| {
            subject.thread() == Some(thread) && place_of(subject, thread, stride) != place
        };
        self.recording.seek_back(is_other, |_| false);
        while self.recording.position() < here
            && (self.subject().thread() != Some(thread) || self.place(thread, stride) != place)
        {
            if !matches!(self.recording.advance(), Ok(true)) {
                return;
            }
        }
    }

    /// Goes back until something stops it. Conditions on numbers of hits do not count, and
    /// nothing is logged.
    pub fn go_back(&mut self) -> Stop {
        let breakpoints = &self.breakpoints;
        let watches = &self.watches;
        let findings = &self.findings;
        let is_hit = |subject: &S| {
            subject.thread().is_some_and(|thread| {
                let own = subject.instruction(thread);
                breakpoints.iter().any(|it| {
                    it.log.is_none()
                        && Some(it.instruction) == own
                        && !matches!(holds(subject, thread, it.condition.as_ref()), Ok(None))
                })
            })
        };
        // Values before the step are those that `wanted` saw.
        let before: std::cell::RefCell<Vec<Vec<Option<Value>>>> = std::cell::RefCell::default();
        let found = self.recording.seek_back(
            |subject| {
                *before.borrow_mut() = watches.iter().map(|it| watched(subject, it)).collect();
                is_hit(subject)
            },
            |subject| {
                let pairs = watches.iter().zip(before.borrow().iter()).any(|(watch, old)| {
                    differing(old, &watched(subject, watch)).is_some()
                        && !matches!(
                            holds(subject, watch.thread, watch.condition.as_ref()),
                            Ok(None)
                        )
                });
                pairs || subject.findings().iter().any(|it| findings.contains(&it.kind))
            },
        );
        if !found {
            return Stop::Beginning;
        }
        // Either a breakpoint is here, or the next step does what is looked for.
        let ids = self.breakpoints.iter().filter(|it| {
            let thread = self.subject().thread();
            thread.and_then(|thread| self.subject().instruction(thread)) == Some(it.instruction)
        });
        let ids: Vec<u64> = ids.map(|it| it.id).collect();
        let lane = self.subject().thread().map_or(0, |thread| {
            self.subject().active(thread).trailing_zeros() as usize % self.subject().lanes()
        });
        match ids.is_empty() {
            true => Stop::Changed { id: 0, lane, message: "the next step does it".to_owned() },
            false => Stop::Breakpoint { ids, lane },
        }
    }

    fn place(&self, thread: usize, stride: Stride) -> Option<Standing> {
        place_of(self.subject(), thread, stride)
    }

    /// Steps until `is_there`, or until something stops the run before. The first step is done
    /// in any case.
    fn forward(&mut self, pace: &mut dyn FnMut() -> Pace, is_there: &dyn Fn(&S) -> bool) -> Stop {
        let mut steps = 0_u64;
        loop {
            let before: Vec<_> =
                self.watches.iter().map(|it| watched(self.subject(), it)).collect();
            match self.recording.advance() {
                Err(fault) => return Stop::Fault(fault),
                Ok(false) => return Stop::End,
                Ok(true) => {}
            }
            if let Some(stop) = self.changed(&before) {
                return stop;
            }
            if !self.findings.is_empty() {
                let found = self.subject().findings();
                if let Some(found) = found.into_iter().find(|it| self.findings.contains(&it.kind)) {
                    return Stop::Finding(found);
                }
            }
            if let Some(stop) = self.hit() {
                return stop;
            }
            if self.subject().thread().is_none() {
                return Stop::End;
            }
            if is_there(self.subject()) {
                return Stop::Step;
            }
            steps += 1;
            if steps.is_multiple_of(STEPS_A_QUESTION) && pace() == Pace::Pause {
                return Stop::Pause;
            }
        }
    }

    /// Finds a value that the last step changed.
    fn changed(&self, before: &[Vec<Option<Value>>]) -> Option<Stop> {
        let subject = self.subject();
        self.watches.iter().zip(before).find_map(|(watch, old)| {
            let new = watched(subject, watch);
            let lane = differing(old, &new)?;
            if matches!(holds(subject, watch.thread, watch.condition.as_ref()), Ok(None)) {
                return None;
            }
            let shown = |values: &[Option<Value>]| {
                values.get(lane).and_then(Option::as_ref).map_or("nothing".to_owned(), display)
            };
            let message =
                format!("lane {lane}: {} was {}, is {}", watch.name, shown(old), shown(&new));
            Some(Stop::Changed { id: watch.id, lane, message })
        })
    }

    /// Finds the breakpoints where the run stands; counts their hits and writes their messages.
    fn hit(&mut self) -> Option<Stop> {
        let subject = self.recording.subject();
        let thread = subject.thread()?;
        let own = subject.instruction(thread)?;
        let (mut ids, mut first) = (Vec::new(), 0);
        for breakpoint in self.breakpoints.iter_mut().filter(|it| it.instruction == own) {
            let lane = match holds(subject, thread, breakpoint.condition.as_ref()) {
                Ok(Some(lane)) => lane,
                Ok(None) => continue,
                Err(error) => return Some(Stop::Condition { id: breakpoint.id, message: error.0 }),
            };
            breakpoint.hits += 1;
            if breakpoint.hit_condition.is_some_and(|it| !it.holds(breakpoint.hits)) {
                continue;
            }
            match &breakpoint.log {
                Some(log) if self.messages.len() < MOST_MESSAGES => {
                    let shown = log.parts.iter().map(|part| match part {
                        LogPart::Text(text) => text.clone(),
                        LogPart::Value(expression) => {
                            match evaluate(subject, expression, thread, lane) {
                                Ok(value) => display(&value),
                                Err(error) => format!("<{error}>"),
                            }
                        }
                    });
                    self.messages.push(shown.collect());
                }
                Some(_) => {}
                None => {
                    ids.push(breakpoint.id);
                    first = lane;
                }
            }
        }
        (!ids.is_empty()).then_some(Stop::Breakpoint { ids, lane: first })
    }
}

/// A place that steps are counted by.
type Standing = (usize, Option<u32>);

fn place_of<S: Subject>(subject: &S, thread: usize, stride: Stride) -> Option<Standing> {
    let own = subject.instruction(thread)?;
    Some(match stride {
        Stride::Instruction => (own, None),
        Stride::Line => match subject.line(own) {
            Some(line) => (0, Some(line)),
            None => (own, None),
        },
    })
}

/// Tells whether a thread has left a place, at a depth of calls no larger than one.
fn has_left<S: Subject>(subject: &S, thread: usize, begin: Option<Standing>, depth: usize) -> bool {
    if subject.instruction(thread).is_none() {
        return true;
    }
    let is_turn = subject.thread() == Some(thread);
    let stride =
        if begin.is_some_and(|it| it.1.is_some()) { Stride::Line } else { Stride::Instruction };
    let own = place_of(subject, thread, stride);
    // A jump of an instruction to itself is a step too.
    let has_moved = own != begin || stride == Stride::Instruction;
    is_turn && has_moved && subject.returns(thread).len() <= depth
}

fn evaluate<S: Subject>(
    subject: &S,
    expression: &Expression,
    thread: usize,
    lane: usize,
) -> Result<Value, ExpressionError> {
    let register = |lane: usize, reference: &_| subject.value(thread, lane, reference);
    let active = subject.active(thread);
    expression.evaluate(&Context { lane, active, register: &register })
}

/// The first active lane in which a condition holds; without one the first active lane.
fn holds<S: Subject>(
    subject: &S,
    thread: usize,
    condition: Option<&Expression>,
) -> Result<Option<usize>, ExpressionError> {
    let active = subject.active(thread);
    let Some(condition) = condition else {
        return Ok(Some(active.trailing_zeros() as usize % subject.lanes()));
    };
    let register = |lane: usize, reference: &_| subject.value(thread, lane, reference);
    condition.first_lane(&Context { lane: 0, active, register: &register })
}

/// The values of a watch in all lanes.
fn watched<S: Subject>(subject: &S, watch: &Watch) -> Vec<Option<Value>> {
    let lanes = 0..subject.lanes();
    lanes.map(|lane| evaluate(subject, &watch.expression, watch.thread, lane).ok()).collect()
}

/// The first lane whose values differ: by their bits, so that a NaN is equal to itself.
fn differing(old: &[Option<Value>], new: &[Option<Value>]) -> Option<usize> {
    let same = |old: &Option<Value>, new: &Option<Value>| match (old, new) {
        (Some(Value::Float(old)), Some(Value::Float(new))) => old.to_bits() == new.to_bits(),
        (old, new) => old == new,
    };
    old.iter().zip(new).position(|(old, new)| !same(old, new))
}

/// Shows a value to people.
pub fn display(value: &Value) -> String {
    use crate::expression::ValueKind;
    match value {
        Value::Bits(bits, ValueKind::Float) => {
            tgsi::values::word(tgsi::opcodes::ValueType::Untyped, *bits)
        }
        Value::Bits(bits, ValueKind::Integer) => (*bits as i32).to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => format!("{:?}", *number as f32),
        Value::Truth(truth) => truth.to_string(),
        Value::Vector(values) => {
            let parts: Vec<String> = values.iter().map(display).collect();
            format!("({})", parts.join(", "))
        }
    }
}

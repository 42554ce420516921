//! Movement through a recording: steps, breakpoints, values that change, events.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::breakpoint::{Breakpoint, LogPart, Watch};
use crate::conditions::{
    Standing, differing, evaluate, has_left, holds, is_at_instruction, place_of, stops_at, watched,
};
use crate::expression::{Context, Expression, ExpressionError, Value, display};
use crate::lines::{LineValues, line_values};
use crate::origin::{Follow, Origins, origins};
use crate::recording::{Backward, Pace, Recording};
use crate::stop::{Stop, Stride};
use crate::subject::{EventKind, Subject};

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
    pub events: BTreeSet<EventKind>,
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
            events: BTreeSet::new(),
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

    /// Goes to a position that the run has been at, or to the last one before it that there is.
    pub fn go_to(&mut self, position: u64) {
        self.recording.seek(position);
    }

    /// Finds where a value comes from, in a lane of a thread.
    ///
    /// # Errors
    /// The reason why there is no such value, in a sentence.
    pub fn origins(
        &mut self,
        expression: &Expression,
        (thread, lane): (usize, usize),
        follow: Follow,
        pace: &mut dyn FnMut() -> Pace,
    ) -> Result<Origins, ExpressionError> {
        let subject = self.subject();
        let register = |lane: usize, reference: &_| subject.value(thread, lane, reference);
        let active = subject.active(thread);
        let reference = expression.reference(&Context { lane, active, register: &register })?;
        let lane = reference.lane().unwrap_or(lane);
        origins(&mut self.recording, (thread, lane), &reference, follow, pace)
    }

    /// Finds the values that lines have left in a lane of a thread: of each instruction those of
    /// its last execution.
    pub fn line_values(
        &mut self,
        thread: usize,
        lane: usize,
        pace: &mut dyn FnMut() -> Pace,
    ) -> Vec<LineValues> {
        line_values(&mut self.recording, thread, lane, pace)
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
    pub fn step_back(
        &mut self,
        thread: usize,
        stride: Stride,
        pace: &mut dyn FnMut() -> Pace,
    ) -> Stop {
        let begin = self.place(thread, stride);
        let found = self.recording.seek_back(
            |subject| {
                let has_moved = match stride {
                    Stride::Instruction => is_at_instruction(subject, thread),
                    Stride::Line => place_of(subject, thread, stride) != begin,
                };
                subject.thread() == Some(thread) && has_moved
            },
            |_| false,
            pace,
        );
        match found {
            Backward::Found => self.go_to_start_of_line(thread, stride, pace),
            Backward::Beginning => Stop::Beginning,
            Backward::Paused => Stop::Pause,
        }
    }

    /// Goes back to the first instruction of the line that a thread stands on, where several
    /// are made of it.
    fn go_to_start_of_line(
        &mut self,
        thread: usize,
        stride: Stride,
        pace: &mut dyn FnMut() -> Pace,
    ) -> Stop {
        let subject = self.subject();
        let own = subject.instruction(thread);
        let line = own.and_then(|own| subject.line(own));
        let before = own.and_then(|own| own.checked_sub(1)).and_then(|own| subject.line(own));
        if stride == Stride::Instruction || line != before && subject.arrival() == own {
            return Stop::Step;
        }
        let (here, place) = (self.recording.position(), self.place(thread, stride));
        let is_other = |subject: &S| {
            subject.thread() == Some(thread) && place_of(subject, thread, stride) != place
        };
        if self.recording.seek_back(is_other, |_| false, pace) == Backward::Paused {
            return Stop::Pause;
        }
        while self.recording.position() < here
            && (self.subject().thread() != Some(thread) || self.place(thread, stride) != place)
        {
            if !matches!(self.recording.advance(), Ok(true)) {
                break;
            }
        }
        Stop::Step
    }

    /// Goes back until something stops it. Conditions on numbers of hits do not count, and
    /// nothing is logged.
    pub fn go_back(&mut self, pace: &mut dyn FnMut() -> Pace) -> Stop {
        let Debugger { recording, breakpoints, watches, events, .. } = self;
        // Values before the step are those that the first function saw.
        let before: RefCell<Vec<Vec<Option<Value>>>> = RefCell::default();
        let found = recording.seek_back(
            |subject| {
                *before.borrow_mut() = watches.iter().map(|it| watched(subject, it)).collect();
                stops_at(subject, breakpoints).is_some()
            },
            |subject| {
                let has_changed = watches.iter().zip(before.borrow().iter()).any(|(watch, old)| {
                    let condition = watch.condition.as_ref();
                    differing(old, &watched(subject, watch)).is_some()
                        && !matches!(holds(subject, watch.thread, condition), Ok(None))
                });
                has_changed || subject.events().iter().any(|it| events.contains(&it.kind))
            },
            pace,
        );
        match (found, stops_at(self.subject(), &self.breakpoints)) {
            (Backward::Beginning, _) => Stop::Beginning,
            (Backward::Paused, _) => Stop::Pause,
            (Backward::Found, Some((ids, lane))) => Stop::Breakpoint { ids, lane },
            // A watched value changes here, or an event happens.
            (Backward::Found, None) => self.next_event(),
        }
    }

    /// Tells what the next step does that the run is stopped at.
    fn next_event(&mut self) -> Stop {
        let here = self.recording.position();
        let before: Vec<_> = self.watches.iter().map(|it| watched(self.subject(), it)).collect();
        // It was done before.
        let _ = self.recording.advance();
        let stop = self.changed(&before).or_else(|| self.found());
        self.recording.seek(here);
        stop.unwrap_or(Stop::Step)
    }

    /// The event of the last step that the run is stopped at.
    fn found(&self) -> Option<Stop> {
        if self.events.is_empty() {
            return None;
        }
        let found = self.subject().events();
        found.into_iter().find(|it| self.events.contains(&it.kind)).map(Stop::Event)
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
            if let Some(stop) = self.found() {
                return stop;
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
        let own = subject.arrival()?;
        let (mut ids, mut first) = (Vec::new(), None);
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
                    if ids.is_empty() {
                        first = breakpoint.condition.as_ref().map(|_| lane);
                    }
                    ids.push(breakpoint.id);
                }
            }
        }
        (!ids.is_empty()).then_some(Stop::Breakpoint { ids, lane: first })
    }
}

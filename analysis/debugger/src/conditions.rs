//! Reasons for a run to stop: places that steps lead to, conditions, values that change.

use crate::breakpoint::{Breakpoint, Watch};
use crate::expression::{Context, Expression, ExpressionError, Value};
use crate::stop::Stride;
use crate::subject::Subject;

/// A place that steps are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// An instruction; in steps of lines one that has no line.
    Instruction(usize),
    /// A line.
    Line(u32),
}

pub(crate) fn place_of<S: Subject>(subject: &S, thread: usize, stride: Stride) -> Option<Standing> {
    let own = subject.instruction(thread)?;
    let line = match stride {
        Stride::Instruction => None,
        Stride::Line => subject.line(own),
    };
    Some(line.map_or(Standing::Instruction(own), Standing::Line))
}

/// Tells whether a thread has left a place, at a depth of calls no larger than one.
pub(crate) fn has_left<S: Subject>(
    subject: &S,
    thread: usize,
    begin: Option<Standing>,
    depth: usize,
) -> bool {
    if subject.instruction(thread).is_none() {
        return true;
    }
    let is_turn = subject.thread() == Some(thread);
    let stride = match begin {
        Some(Standing::Line(_)) => Stride::Line,
        Some(Standing::Instruction(_)) | None => Stride::Instruction,
    };
    let own = place_of(subject, thread, stride);
    // A jump of an instruction to itself is a step too.
    let has_moved = match stride {
        Stride::Instruction => is_at_instruction(subject, thread),
        Stride::Line => own != begin,
    };
    is_turn && has_moved && subject.returns(thread).len() <= depth
}

/// Tells whether the last step has led to an instruction that the disassembly shows.
pub(crate) fn is_at_instruction<S: Subject>(subject: &S, thread: usize) -> bool {
    let is_listed = subject.arrival().is_none_or(|it| subject.listing().contains(&it));
    is_listed || subject.beneath(thread).is_none()
}

pub(crate) fn evaluate<S: Subject>(
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
pub(crate) fn holds<S: Subject>(
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

/// The breakpoints that stop a run where it stands, whatever their numbers of hits, and the
/// lane in which the first one's condition holds, where it has one.
pub(crate) fn stops_at<S: Subject>(
    subject: &S,
    breakpoints: &[Breakpoint],
) -> Option<(Vec<u64>, Option<usize>)> {
    let thread = subject.thread()?;
    let own = subject.arrival()?;
    let here = breakpoints.iter().filter(|it| it.log.is_none() && it.instruction == own);
    let found: Vec<(u64, Option<usize>)> = here
        .filter_map(|it| match holds(subject, thread, it.condition.as_ref()) {
            Ok(lane) => Some((it.id, it.condition.as_ref().and(Some(lane?)))),
            // A condition without a value stops the run, as it does going forward.
            Err(_) => Some((it.id, None)),
        })
        .collect();
    let (_, lane) = *found.first()?;
    Some((found.into_iter().map(|(id, _)| id).collect(), lane))
}

/// The values of a watch in all lanes.
pub(crate) fn watched<S: Subject>(subject: &S, watch: &Watch) -> Vec<Option<Value>> {
    let lanes = 0..subject.lanes();
    lanes.map(|lane| evaluate(subject, &watch.expression, watch.thread, lane).ok()).collect()
}

/// The first lane whose values differ: by their bits, so that a NaN is equal to itself.
pub(crate) fn differing(old: &[Option<Value>], new: &[Option<Value>]) -> Option<usize> {
    let same = |old: &Option<Value>, new: &Option<Value>| match (old, new) {
        (Some(Value::Float(old)), Some(Value::Float(new))) => old.to_bits() == new.to_bits(),
        (old, new) => old == new,
    };
    old.iter().zip(new).position(|(old, new)| !same(old, new))
}

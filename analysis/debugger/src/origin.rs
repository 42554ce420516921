//! The origin of a value: the step that made it, the values that it was made from, and so on
//! backwards. What decided whether a step ran at all is not followed.

use std::collections::HashMap;

use crate::expression::{ExpressionError, Reference};
use crate::location::Location;
use crate::recording::{Pace, Recording};
use crate::subject::Subject;

/// The values that are followed backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// All of them.
    Everything,
    /// Values that are NaN, to the step that made one of numbers.
    NotANumber,
}

/// A step that made a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker {
    /// The position of the run before it.
    pub position: u64,
    /// The instruction, from 0.
    pub instruction: usize,
    /// The numbers of the values that it was made from.
    pub sources: Vec<usize>,
}

/// A value with where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The name of its place.
    pub name: String,
    /// The lane; `None` for what all lanes share.
    pub lane: Option<usize>,
    /// Its bits.
    pub bits: u32,
    /// The step that made it; `None` where it was there from the beginning, or was not looked for.
    pub maker: Option<Maker>,
    /// Tells whether its maker was looked for.
    pub is_known: bool,
}

/// The origins of a value, as numbers into one list: a value that serves several others stands
/// in it once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    /// The values.
    pub values: Vec<Origin>,
    /// The numbers of those that were asked for.
    pub roots: Vec<usize>,
}

/// Values of one answer, at most.
const MOST_VALUES: usize = 400;

/// The search through a run.
struct Search {
    found: Origins,
    /// The values whose makers are looked for, by place and lane.
    wanted: HashMap<(Location, usize), usize>,
    follow: Follow,
}

impl Search {
    /// Notes a value, and has its maker looked for. Gives its number.
    fn want<S: Subject>(&mut self, subject: &S, location: Location, lane: usize) -> Option<usize> {
        let lane = if location.has_lanes() { lane } else { 0 };
        if let Some(known) = self.wanted.get(&(location, lane)) {
            return Some(*known);
        }
        if self.found.values.len() >= MOST_VALUES {
            return None;
        }
        let bits = subject.bits(&location, lane)?;
        let number = self.found.values.len();
        self.found.values.push(Origin {
            name: location.to_string(),
            lane: location.has_lanes().then_some(lane),
            bits,
            maker: None,
            is_known: location.is_fixed(),
        });
        if !location.is_fixed() {
            self.wanted.insert((location, lane), number);
        }
        Some(number)
    }

    /// Takes in the step before which a run stands, which makes wanted values.
    fn made<S: Subject>(&mut self, subject: &S, position: u64, made: &[(Location, usize)]) {
        let Some(thread) = subject.thread() else { return };
        let own = subject.stepping_beneath().or(subject.instruction(thread));
        let Some(instruction) = own else { return };
        let mut numbers: Vec<(usize, Location, usize)> =
            made.iter().filter_map(|key| Some((self.wanted.remove(key)?, key.0, key.1))).collect();
        // In the order in which they were asked for: the same in each run.
        numbers.sort_unstable_by_key(|(number, ..)| *number);
        for (number, location, lane) in numbers {
            let mut sources = subject.sources(&location, lane);
            if self.follow == Follow::NotANumber {
                let is_nan = |(location, lane): &(Location, usize)| {
                    subject.bits(location, *lane).is_some_and(|it| f32::from_bits(it).is_nan())
                };
                let some: Vec<_> = sources.iter().copied().filter(is_nan).collect();
                // Where none is NaN it was made here: all that it was made of is shown, and not
                // followed.
                match some.is_empty() {
                    true => {
                        let shown = sources.iter().filter_map(|(location, lane)| {
                            let bits = subject.bits(location, *lane)?;
                            let has_lanes = location.has_lanes();
                            let (name, lane) = (location.to_string(), has_lanes.then_some(*lane));
                            Some(Origin { name, lane, bits, maker: None, is_known: false })
                        });
                        let shown: Vec<Origin> = shown.collect();
                        let first = self.found.values.len();
                        let sources = (first..first + shown.len()).collect();
                        self.found.values.extend(shown);
                        self.settle(number, Maker { position, instruction, sources });
                        continue;
                    }
                    false => sources = some,
                }
            }
            let sources = sources
                .into_iter()
                .filter_map(|(location, lane)| self.want(subject, location, lane))
                .collect();
            self.settle(number, Maker { position, instruction, sources });
        }
    }

    fn settle(&mut self, number: usize, maker: Maker) {
        if let Some(value) = self.found.values.get_mut(number) {
            (value.maker, value.is_known) = (Some(maker), true);
        }
    }
}

/// Finds where a value comes from. The run stands in the end where it stood.
pub(crate) fn origins<S: Subject>(
    recording: &mut Recording<S>,
    (thread, lane): (usize, usize),
    reference: &Reference,
    follow: Follow,
    pace: &mut dyn FnMut() -> Pace,
) -> Result<Origins, ExpressionError> {
    let here = recording.position();
    let subject = recording.subject();
    let places = subject.locate(thread, lane, reference)?;
    let mut search = Search { found: Origins::default(), wanted: HashMap::new(), follow };
    for place in places {
        let is_nan = || {
            let bits = subject.bits(&place, lane);
            bits.is_some_and(|bits| f32::from_bits(bits).is_nan())
        };
        if follow == Follow::NotANumber && !is_nan() {
            continue;
        }
        let root = search.want(subject, place, lane);
        search.found.roots.extend(root);
    }
    if search.found.roots.is_empty() {
        let name = &reference.name;
        return Err(ExpressionError(match follow {
            Follow::Everything => format!("`{name}`: there is no such register"),
            Follow::NotANumber => format!("`{name}` is not NaN in lane {lane}"),
        }));
    }
    let mut end = here;
    while end > 0 && !search.wanted.is_empty() {
        let start = recording.go_to_state_before(end);
        let mut steps = Vec::new();
        while recording.position() < end {
            steps.push(recording.subject().targets());
            if !matches!(recording.advance(), Ok(true)) {
                break;
            }
        }
        for (place, targets) in steps.iter().enumerate().rev() {
            let made: Vec<(Location, usize)> = search
                .wanted
                .keys()
                .filter(|(location, lane)| {
                    let own = targets.iter().find(|(target, _)| target == location);
                    own.is_some_and(|(_, lanes)| lanes >> (lane % 64) & 1 == 1)
                })
                .copied()
                .collect();
            if !made.is_empty() {
                let position = start + place as u64;
                recording.seek(position);
                search.made(recording.subject(), position, &made);
            }
        }
        end = start;
        if end > 0 && pace() == Pace::Pause {
            break;
        }
    }
    if end == 0 {
        for number in search.wanted.values() {
            search.found.values[*number].is_known = true;
        }
    }
    recording.seek(here);
    Ok(search.found)
}

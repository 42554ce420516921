//! A run with states kept on the way: every position can be reached again.

use crate::subject::{Fault, Subject};

/// Bytes of kept states, unless somebody says otherwise.
pub const DEFAULT_BYTES: usize = 64 << 20;

/// The answer of whoever is asked during a long run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Go on.
    Go,
    /// Stop where it stands.
    Pause,
}

/// The end of a way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backward {
    /// A position that is wanted.
    Found,
    /// The beginning of the run: it is nowhere before.
    Beginning,
    /// Somebody asked to stop; what was looked for is not behind where the run stands.
    Paused,
}

/// Steps between two states at first.
const FIRST_INTERVAL: u64 = 64;
/// Bytes that are copied a step, at most, on the average.
const BYTES_PER_STEP: usize = 1024;

/// A state on the way.
struct Checkpoint<T> {
    position: u64,
    bytes: usize,
    saved: T,
}

/// A run and the states that were kept of it. A position is a number of steps.
pub struct Recording<S: Subject> {
    subject: S,
    position: u64,
    checkpoints: Vec<Checkpoint<S::Saved>>,
    /// Steps between two states.
    interval: u64,
    bytes: usize,
    most: usize,
    /// True once states were given up to stay within the bound.
    thinned: bool,
    /// The position at which the run cannot go on, once it came there, and the reason.
    fault: Option<(u64, Fault)>,
    /// The furthest position that the run has been at.
    furthest: u64,
}

impl<S: Subject> Recording<S> {
    /// A run at its beginning. States take `most` bytes together; the first one is kept in any
    /// case.
    pub fn new(mut subject: S, most: usize) -> Recording<S> {
        let saved = subject.save();
        let bytes = S::size(&saved);
        Recording {
            subject,
            position: 0,
            checkpoints: vec![Checkpoint { position: 0, bytes, saved }],
            interval: FIRST_INTERVAL.max((bytes / BYTES_PER_STEP) as u64).next_power_of_two(),
            bytes,
            most,
            thinned: false,
            fault: None,
            furthest: 0,
        }
    }

    /// The run at the position.
    pub fn subject(&self) -> &S {
        &self.subject
    }

    /// The number of steps from the beginning to where the run stands.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The furthest position that the run has been at.
    pub fn furthest(&self) -> u64 {
        self.furthest
    }

    /// Bytes of the states that are kept.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The most steps that are repeated to go back.
    pub fn interval(&self) -> u64 {
        self.interval
    }

    /// Tells whether states were given up to stay within the bound of memory.
    pub fn is_thinned(&self) -> bool {
        self.thinned
    }

    /// The reason why the run cannot go on from where it stands.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref().filter(|(position, _)| *position == self.position).map(|(_, it)| it)
    }

    /// Goes one step forward. Answers whether there was one to go.
    ///
    /// # Errors
    /// The reason why the run cannot go on; it stands where it stood.
    pub fn advance(&mut self) -> Result<bool, Fault> {
        if let Some(fault) = self.fault() {
            return Err(fault.clone());
        }
        if self.subject.thread().is_none() {
            return Ok(false);
        }
        self.keep();
        if let Err(fault) = self.subject.step() {
            // The instruction may have been executed in part.
            let position = self.position;
            self.fault = Some((position, fault.clone()));
            self.position += 1;
            self.seek(position);
            return Err(fault);
        }
        self.position += 1;
        self.furthest = self.furthest.max(self.position);
        Ok(true)
    }

    /// Goes to a position that the run has been at, or to the last one before it that there is.
    pub fn seek(&mut self, position: u64) {
        let nearest = self.checkpoints.partition_point(|it| it.position <= position) - 1;
        let checkpoint = &self.checkpoints[nearest];
        if !(checkpoint.position..=position).contains(&self.position) {
            self.subject.restore(&checkpoint.saved);
            self.position = checkpoint.position;
        }
        while self.position < position && matches!(self.advance(), Ok(true)) {}
    }

    /// Goes to the nearest state that is kept before a position, and gives its own position.
    pub(crate) fn go_to_state_before(&mut self, position: u64) -> u64 {
        let nearest = self.checkpoints.partition_point(|it| it.position < position).max(1) - 1;
        let checkpoint = &self.checkpoints[nearest];
        self.subject.restore(&checkpoint.saved);
        self.position = checkpoint.position;
        self.position
    }

    /// Finds the last position before this one of which `wanted` is true, and goes there; where
    /// there is none it goes to the beginning. `wanted` is asked at each position, with the run
    /// before its step, and the run after it is shown to `after`, which may say so too. `pace` is
    /// asked between two states that are kept.
    pub fn seek_back(
        &mut self,
        mut wanted: impl FnMut(&S) -> bool,
        mut after: impl FnMut(&S) -> bool,
        pace: &mut dyn FnMut() -> Pace,
    ) -> Backward {
        let mut end = self.position;
        while end > 0 {
            let start = self.go_to_state_before(end);
            let mut found = None;
            while self.position < end {
                let here = self.position;
                let before = wanted(&self.subject);
                if !matches!(self.advance(), Ok(true)) {
                    break;
                }
                if after(&self.subject) || before {
                    found = Some(here);
                }
            }
            if let Some(found) = found {
                self.seek(found);
                return Backward::Found;
            }
            end = start;
            if end > 0 && pace() == Pace::Pause {
                self.seek(end);
                return Backward::Paused;
            }
        }
        self.seek(0);
        Backward::Beginning
    }

    /// Keeps the state where one is due and none is kept.
    fn keep(&mut self) {
        if !self.position.is_multiple_of(self.interval) {
            return;
        }
        let Err(place) = self.checkpoints.binary_search_by_key(&self.position, |it| it.position)
        else {
            return;
        };
        let saved = self.subject.save();
        let bytes = S::size(&saved);
        self.bytes += bytes;
        self.checkpoints.insert(place, Checkpoint { position: self.position, bytes, saved });
        while self.bytes > self.most && self.checkpoints.len() > 1 {
            self.thinned = true;
            self.interval *= 2;
            let interval = self.interval;
            self.checkpoints.retain(|it| it.position.is_multiple_of(interval));
            self.bytes = self.checkpoints.iter().map(|it| it.bytes).sum();
        }
    }
}

//! The values that lines have left in a lane, as of where a run stands.

use std::collections::BTreeMap;

use crate::recording::{Pace, Recording};
use crate::subject::Subject;

/// Steps that are looked through, at most: a loop may have gone on for long since the lines
/// before it.
const MOST_STEPS: u64 = 1 << 17;

/// The last execution of an instruction, for one lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineValues {
    /// The instruction, from 0.
    pub instruction: usize,
    /// The position of the run before it.
    pub position: u64,
    /// Tells whether the lane took part.
    pub is_active: bool,
    /// The places that it wrote in the lane, and their bits.
    pub written: Vec<(String, u32)>,
}

/// Finds for each instruction its last execution by a thread before where the run stands. The
/// run stands in the end where it stood.
pub(crate) fn line_values<S: Subject>(
    recording: &mut Recording<S>,
    thread: usize,
    lane: usize,
    pace: &mut dyn FnMut() -> Pace,
) -> Vec<LineValues> {
    let here = recording.position();
    let count = recording.subject().instructions();
    let mut found: BTreeMap<usize, LineValues> = BTreeMap::new();
    let mut end = here;
    while end > 0 && found.len() < count && here - end < MOST_STEPS {
        let start = recording.go_to_state_before(end);
        let mut own: BTreeMap<usize, LineValues> = BTreeMap::new();
        while recording.position() < end {
            let subject = recording.subject();
            let position = recording.position();
            let instruction = subject
                .stepping_beneath()
                .or_else(|| subject.instruction(thread))
                .filter(|_| subject.thread() == Some(thread));
            let is_active = subject.active(thread) >> lane & 1 == 1;
            let targets = match instruction {
                Some(instruction) if !found.contains_key(&instruction) => subject.targets(),
                _ => Vec::new(),
            };
            // What writes nothing only leads elsewhere, and no lane passes it by.
            let is_active = is_active || targets.is_empty();
            if !matches!(recording.advance(), Ok(true)) {
                break;
            }
            let Some(instruction) = instruction.filter(|it| !found.contains_key(it)) else {
                continue;
            };
            let subject = recording.subject();
            let written = targets
                .iter()
                .filter(|(_, lanes)| lanes >> lane & 1 == 1)
                .filter_map(|(location, _)| {
                    Some((location.to_string(), subject.bits(location, lane)?))
                })
                .collect();
            own.insert(instruction, LineValues { instruction, position, is_active, written });
        }
        found.extend(own);
        end = start;
        if end > 0 && pace() == Pace::Pause {
            break;
        }
    }
    recording.seek(here);
    found.into_values().collect()
}

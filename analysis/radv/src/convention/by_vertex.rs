//! The registers with which geometry and tessellation programs of Mesa 22.3 begin. Chips from GFX9
//! on run the stage before in the same program, whose registers they have, too.

use super::{Scalar, UnknownConvention, Vector};
use crate::Stage;

/// The ways in which a stage's program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Running {
    /// By itself.
    Alone,
    /// Behind the stage before, in the same program.
    Merged,
}

/// Registers in front of those that the driver itself loads, where two stages are merged.
const SYSTEM: usize = 8;
/// Vector registers of the vertices that the first of two stages runs at.
const VERTEX: usize = 4;

/// The scalar registers of a program that has so many: in front of them stands what is asked for
/// by the program, and behind it what the hardware loads; of merged stages it is the other way
/// round.
pub(super) fn scalars(
    stage: Stage,
    running: Running,
    set: Option<usize>,
    count: usize,
) -> Result<Vec<Scalar>, UnknownConvention> {
    use Scalar::*;
    let mut all = vec![ScratchLow, ScratchHigh];
    if running == Running::Merged {
        all.extend([Unread, Lanes, Unread, ScratchOffset, Unread, Unread]);
        debug_assert_eq!(all.len(), SYSTEM);
        // The registers of the first stage, which does nothing.
        all.resize(count.max(SYSTEM), Unread);
        if let Some(own) = set.and_then(|place| all.get_mut(place)) {
            *own = Set;
        }
        return Ok(all);
    }
    all.extend(set.map(|_| Set));
    all.extend(match stage {
        // The offset in the ring and the number of the wave; those of two buffers; an empty one
        // for vertices that are recorded, and the offset in a buffer.
        Stage::Geometry | Stage::TessellationControl | Stage::TessellationEvaluation => {
            [Unread, Unread]
        }
        other => return Err(UnknownConvention::Stage(other)),
    });
    all.push(ScratchOffset);
    Ok(all)
}

/// The vector registers of a program, if they have these widths.
pub(super) fn vectors(stage: Stage, running: Running, widths: &[usize]) -> Option<Vec<Vector>> {
    use Vector::*;
    let mut all = match (stage, running) {
        // Places of vertices in the ring, the primitive, more places, the invocation.
        (Stage::Geometry, Running::Alone) => vec![Unread; 8],
        // Places in pairs, with the primitive and the invocation before the last.
        (Stage::Geometry, Running::Merged) => vec![Unread; 5],
        (Stage::TessellationControl, _) => vec![Unread, Invocation],
        (Stage::TessellationEvaluation, Running::Alone) => vec![Unread, Unread, Unread, Patch],
        _ => return None,
    };
    if running == Running::Merged {
        all.resize(all.len() + VERTEX, Unread);
    }
    (widths.len() == all.len() && widths.iter().all(|width| *width == 1)).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_of_its_own_has_its_set_in_front() {
        let found = scalars(Stage::Geometry, Running::Alone, Some(2), 6);
        use Scalar::*;
        assert_eq!(found, Ok(vec![ScratchLow, ScratchHigh, Set, Unread, Unread, ScratchOffset]));
        let found = scalars(Stage::TessellationControl, Running::Alone, None, 5);
        assert_eq!(found, Ok(vec![ScratchLow, ScratchHigh, Unread, Unread, ScratchOffset]));
        let unknown = scalars(Stage::Compute, Running::Alone, None, 5);
        assert_eq!(unknown, Err(UnknownConvention::Stage(Stage::Compute)));
    }

    #[test]
    fn merged_stages_have_theirs_behind_the_hardware_s() {
        let found = scalars(Stage::Geometry, Running::Merged, Some(10), 11).expect("registers");
        let places = |own| found.iter().position(|it| *it == own);
        assert_eq!((found.len(), places(Scalar::Set)), (11, Some(10)));
        assert_eq!((places(Scalar::Lanes), places(Scalar::ScratchOffset)), (Some(3), Some(5)));
    }

    #[test]
    fn vector_registers_are_one_wide() {
        let found = vectors(Stage::TessellationControl, Running::Merged, &[1; 6]);
        let found = found.expect("registers");
        assert_eq!((found[0], found[1], found.len()), (Vector::Unread, Vector::Invocation, 6));
        assert_eq!(vectors(Stage::TessellationControl, Running::Alone, &[2]), None);
        assert_eq!(vectors(Stage::TessellationEvaluation, Running::Merged, &[1; 8]), None);
        let found = vectors(Stage::TessellationEvaluation, Running::Alone, &[1; 4]);
        assert_eq!(found.expect("registers")[3], Vector::Patch);
    }
}

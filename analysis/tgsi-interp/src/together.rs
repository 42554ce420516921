//! Quads that run together: to barriers, and to questions that a whole wave answers.

use crate::action::Action;
use crate::group::{Answer, Asked, Others, WAVE, answer};
use crate::patch::Order;
use crate::quad::{Quad, Rest, Stop, TraceStep};
use crate::registers::LANES;
use crate::resources::Resources;

/// Runs quads to their ends, all to the next barrier before any goes on: the last one first
/// where the order is backward. Returns the steps of the one that is traced.
pub(crate) fn run_together<'a>(
    quads: &mut [(Quad<'a>, Rest)],
    order: Order,
    resources: &mut Resources,
    mut run: impl FnMut(&mut Quad<'a>, &mut Resources) -> Result<Rest, Stop>,
) -> Result<Option<Vec<TraceStep>>, Stop> {
    if order == Order::Backward {
        quads.reverse();
    }
    let mut trace = None;
    while quads.iter().any(|(_, rest)| *rest != Rest::Ended) {
        // All wait at barriers here, or the subgroup has answered.
        resources.open.changes.pass_barrier();
        for (quad, rest) in quads.iter_mut().filter(|(_, rest)| *rest == Rest::Barrier) {
            *rest = run(quad, resources)?;
        }
        while answer_waves(quads, resources) {
            for (quad, rest) in quads.iter_mut().filter(|(_, rest)| *rest == Rest::Answered) {
                *rest = run(quad, resources)?;
            }
        }
        for (quad, _) in quads.iter_mut().filter(|(_, rest)| *rest == Rest::Ended) {
            trace = quad.trace.take().or(trace);
        }
    }
    Ok(trace)
}

/// Answers the questions that quads wait with. Returns whether there were any.
fn answer_waves(quads: &mut [(Quad<'_>, Rest)], resources: &Resources) -> bool {
    let waits = |number: &usize| quads[*number].1 == Rest::Subgroup;
    let waiting: Vec<usize> = (0..quads.len()).filter(waits).collect();
    let all: Vec<&Quad<'_>> = quads.iter().map(|(quad, _)| quad).collect();
    let answers = answers(&all, &waiting, resources);
    for (number, answer) in &answers {
        if let Some((quad, rest)) = quads.get_mut(*number) {
            quad.answered(answer);
            *rest = Rest::Answered;
        }
    }
    !answers.is_empty()
}

/// The answers to questions that some quads wait with, by number, of each wave to the first
/// instruction that asks: the number of each quad that is answered, and its answer.
pub(crate) fn answers(
    quads: &[&Quad<'_>],
    waiting: &[usize],
    resources: &Resources,
) -> Vec<(usize, Answer)> {
    let place = |quad: &Quad<'_>| (quad.first_thread / WAVE, quad.place);
    let mut places: Vec<(usize, usize)> = waiting.iter().map(|it| place(quads[*it])).collect();
    places.sort_unstable();
    places.dedup_by_key(|(wave, _)| *wave);
    let mut answers = Vec::new();
    for own_place in places {
        let own = waiting.iter().filter(|it| place(quads[**it]) == own_place);
        let mut lanes = vec![[0; 4]; WAVE];
        let mut active = 0_u64;
        let mut asked: Option<(usize, Asked)> = None;
        let mut kind = None;
        for quad in own.clone().map(|it| quads[*it]) {
            let Some(op) = quad.program.ops.get(quad.place) else { continue };
            let Action::Subgroup(group) = op.action else { continue };
            kind = Some((group, quad.program));
            let values = quad.whole(op, 0, resources);
            let first = quad.first_thread % WAVE;
            for lane in (0..LANES).filter(|lane| quad.active >> lane & 1 == 1) {
                if let Some(own) = lanes.get_mut(first + lane) {
                    *own = values.map(|lanes| lanes[lane]);
                    active |= 1 << (first + lane);
                }
            }
            let question = quad.asked(op, resources);
            let open = match (asked.and_then(|it| it.1.open), question.open) {
                (Some(one), Some(two)) => Some(one.plus(two)),
                (one, two) => one.or(two),
            };
            let differs = question.differs
                || asked.is_some_and(|(_, it)| it.differs || it.number != question.number);
            let number = match asked {
                Some((earlier, it)) if earlier < first => it.number,
                _ => question.number,
            };
            let earliest = asked.map_or(first, |(earlier, _)| earlier.min(first));
            asked = Some((earliest, Asked { number, differs, open }));
        }
        let Some((group, program)) = kind else { continue };
        let in_wave = quads.iter().filter(|quad| quad.first_thread / WAVE == own_place.0);
        let present = in_wave
            .fold(0, |all, quad| all | u64::from(quad.present) << (quad.first_thread % WAVE));
        let others = Others::of(program, own_place.1, present, active);
        let asked = asked.map(|it| it.1).unwrap_or_default().of(group, active, others);
        let words = answer(group, &lanes, active, asked.number);
        let answer = Answer { group, words, asked };
        answers.extend(own.map(|number| (*number, answer)));
    }
    answers
}

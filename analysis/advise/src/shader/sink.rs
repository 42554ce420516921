//! Computations that only some arms of a branch need.

use super::body::Body;
use super::effects::Freedom;
use super::plan::Plan;
use super::tree::{self, Node, lists};
use crate::search::{Promise, Variant};

/// Values that only arms of a branch read are computed in those that read them.
pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    for list in lists(&body.nodes) {
        for (place, node) in list.iter().enumerate() {
            let Node::If { head, arms, otherwise, end } = node else { continue };
            for from in 0..place {
                let starts = [arms[0].first().map(Node::first), arms[1].first().map(Node::first)];
                let ends = [otherwise.unwrap_or(*end), *end];
                let branch = (*head, *end, starts, ends);
                variants.extend(sunk(body, list, from, place, branch));
            }
        }
    }
}

fn sunk(
    body: &Body<'_>,
    list: &[Node],
    from: usize,
    branch_place: usize,
    (head, end, starts, ends): (usize, usize, [Option<usize>; 2], [usize; 2]),
) -> Option<Variant> {
    let Some(Node::Leaf(number)) = list.get(from) else { return None };
    let line = body.lines.get(*number)?;
    let (_, mask) = line.temporary()?;
    let can_move = line.effects.is_speculable() && !line.effects.is_convergent;
    let span = line.effects.writes.first().filter(|_| can_move)?.span;
    // Nobody else reads it, before, behind, or in the next round of a loop.
    let reads =
        |it: usize| body.lines.get(it).is_some_and(|line| line.effects.may_read(span, mask));
    let is_inside = |it: usize| (head + 1..end).contains(&it);
    if (0..body.lines.len()).any(|it| it != *number && reads(it) && !is_inside(it)) {
        return None;
    }
    let between = list.get(from + 1..branch_place)?;
    if tree::freedom(&line.effects, between, &body.lines) > Freedom::Free {
        return None;
    }
    // The condition is read before the arms.
    let condition = body.lines.get(head)?;
    if condition.effects.may_read(span, mask) {
        return None;
    }
    let mut plan = Plan::new(body);
    let mut arms = 0;
    for (start, end) in starts.into_iter().zip(ends) {
        let Some(start) = start else { continue };
        if (start..end).any(reads) {
            plan.insert(start, line.text.clone());
            arms += 1;
        }
    }
    if arms == 0 {
        return None;
    }
    plan.drop_line(*number);
    let place = body.place(*number);
    let change = format!("line {place} into the branch of line {}", body.place(head));
    Some(plan.variant(Promise::Some, change))
}

//! Branches with one condition, one behind the other: a branch with both.

use super::body::Body;
use super::effects::Freedom;
use super::plan::Plan;
use super::tree::{Node, freedom, lists};
use crate::search::{Promise, Variant};

/// Statements between two branches, at most.
const MOST_BETWEEN: usize = 16;

pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    for list in lists(&body.nodes) {
        for (first, node) in list.iter().enumerate() {
            let later = list.iter().enumerate().skip(first + 1).take(MOST_BETWEEN);
            let second =
                later.filter(|(_, it)| matches!(it, Node::If { .. })).map(|it| it.0).next();
            if let (Node::If { .. }, Some(second)) = (node, second) {
                variants.extend(joined(body, list, first, second));
            }
        }
    }
}

fn joined(body: &Body<'_>, list: &[Node], first: usize, second: usize) -> Option<Variant> {
    let Node::If { head, arms, otherwise, end } = list.get(first)? else { return None };
    let Node::If { head: later, arms: later_arms, otherwise: later_else, end: later_end } =
        list.get(second)?
    else {
        return None;
    };
    let [condition, same] = [body.lines.get(*head)?, body.lines.get(*later)?];
    if condition.text != same.text {
        return None;
    }
    // Nothing between the two tests writes what they read.
    let keeps = |node: &Node| {
        let effects = node.effects(&body.lines);
        !condition.effects.reads.iter().any(|(span, mask)| effects.may_write(*span, *mask))
    };
    let between = list.get(first + 1..second)?;
    if !list.get(first..second)?.iter().all(keeps) {
        return None;
    }
    let texts = |nodes: &[Node]| -> Vec<String> {
        let lines = nodes.iter().flat_map(Node::lines);
        lines.filter_map(|line| Some(body.lines.get(line)?.text.clone())).collect()
    };
    let mut plan = Plan::new(body);
    // What stands between goes before both.
    for node in between {
        let own = node.effects(&body.lines);
        if freedom(&own, list.get(first..=first)?, &body.lines) > Freedom::Free {
            return None;
        }
        for line in node.lines() {
            plan.insert(*head, body.lines.get(line)?.text.clone());
            plan.drop_line(line);
        }
    }
    for text in texts(&later_arms[0]) {
        plan.insert(otherwise.unwrap_or(*end), text);
    }
    if otherwise.is_none() && later_else.is_some() {
        plan.insert(*end, "ELSE".to_owned());
    }
    for text in texts(&later_arms[1]) {
        plan.insert(*end, text);
    }
    for line in *later..=*later_end {
        plan.drop_line(line);
    }
    let _ = arms;
    let [one, two] = [*head, *later].map(|it| body.place(it));
    Some(plan.variant(Promise::Much, format!("the branches of lines {one} and {two} as one")))
}

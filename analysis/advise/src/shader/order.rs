//! The order of statements.

use super::body::Body;
use super::effects::{self, Effects, Freedom};
use super::plan::Plan;
use super::tree::{Node, lists};
use crate::search::{Promise, Variant};

/// Statements that are looked at in one list, at most.
const MOST_STATEMENTS: usize = 160;

/// Of the values that a statement needs, the one that is computed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The first one of the text.
    First,
    /// The last one of the text: what a chain of statements hands on.
    Last,
}

pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    for list in lists(&body.nodes) {
        if list.len() < 2 || list.len() > MOST_STATEMENTS {
            continue;
        }
        let effects: Vec<Effects> = list.iter().map(|node| node.effects(&body.lines)).collect();
        for order in [Order::First, Order::Last] {
            variants.extend(near_their_use(body, list, &effects, order));
        }
        for place in 0..list.len() {
            let free = |other: usize| effects[place].freedom(&effects[other]) == Freedom::Free;
            let first = (0..place).rev().take_while(|other| free(*other)).last();
            let last = (place + 1..list.len()).take_while(|other| free(*other)).last();
            if let Some(first) = first {
                variants.push(moved(body, list, place, first));
                if first + 1 < place {
                    variants.push(moved(body, list, place, place - 1));
                }
            }
            if let Some(last) = last {
                variants.push(moved(body, list, place, last + 1));
            }
        }
    }
}

/// A node before another, or behind the last one.
fn moved(body: &Body<'_>, list: &[Node], from: usize, to: usize) -> Variant {
    let mut plan = Plan::new(body);
    let lines = list[from].lines();
    let behind = list.last().map_or(0, |last| *last.lines().end() + 1);
    let before = list.get(to).map_or(behind, Node::first);
    let place = body.place(*lines.start());
    let change = match to < from {
        true => format!("line {place} before line {}", body.place(before)),
        false => {
            let last = list.get(to - 1).map_or(0, |node| *node.lines().end());
            format!("line {place} after line {}", body.place(last))
        }
    };
    let is_lookup = lines.clone().any(|line| {
        let info = body.lines.get(line).map(|line| line.instruction.info());
        info.is_some_and(|row| row.texture || row.family != tgsi::opcodes::Family::Plain)
    });
    plan.move_lines(lines, before);
    plan.variant(if is_lookup { Promise::Some } else { Promise::Little }, change)
}

/// Every statement as late as its first use allows, the last uses first: values live as shortly
/// as this order of uses allows.
fn near_their_use(
    body: &Body<'_>,
    list: &[Node],
    effects: &[Effects],
    order: Order,
) -> Option<Variant> {
    let count = list.len();
    let depends =
        |late: usize, early: usize| effects[late].freedom(&effects[early]) > Freedom::Free;
    let mut placed: Vec<usize> = Vec::with_capacity(count);
    let mut done = vec![false; count];
    // From every result back to what it needs, in the order of the results.
    for (root, own) in effects.iter().enumerate() {
        let needed = (root + 1..count).any(|later| depends(later, root));
        let is_root = !needed || own.order > effects::Order::Loads;
        if is_root {
            place(root, order, &depends, &mut done, &mut placed);
        }
    }
    for rest in 0..count {
        place(rest, order, &depends, &mut done, &mut placed);
    }
    if placed.iter().copied().eq(0..count) {
        return None;
    }
    let mut plan = Plan::new(body);
    let first = list.first()?.first();
    let mut texts = Vec::new();
    for node in placed {
        for line in list.get(node)?.lines() {
            texts.push(body.lines.get(line)?.text.clone());
        }
    }
    let last = *list.last()?.lines().end();
    // Line by line, so that leads and comments stay in their places.
    for (line, text) in (first..=last).zip(texts) {
        plan.replace(line, vec![text]);
    }
    let change = format!("values from line {} on computed where they are used", body.place(first));
    Some(plan.variant(Promise::Much, change))
}

/// Places a statement behind all before it that it depends on.
fn place(
    root: usize,
    order: Order,
    depends: &dyn Fn(usize, usize) -> bool,
    done: &mut [bool],
    placed: &mut Vec<usize>,
) {
    let mut stack = vec![root];
    while let Some(node) = stack.last().copied() {
        let mut open = (0..node).filter(|it| !done[*it] && depends(node, *it));
        let before = match order {
            Order::First => open.next(),
            Order::Last => open.last(),
        };
        match before {
            Some(before) => stack.push(before),
            None => {
                stack.pop();
                if !std::mem::replace(&mut done[node], true) {
                    placed.push(node);
                }
            }
        }
    }
}

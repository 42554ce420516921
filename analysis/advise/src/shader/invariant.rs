//! Computations in a loop that give the same in every round.

use std::collections::{BTreeMap, BTreeSet};

use tgsi::ast::{Component, WriteMask};
use tgsi::opcodes::Flag;
use tgsi::words::File;

use super::body::{Body, Line, Side, letters};
use super::effects::{Effects, Freedom, Order, temporary};
use super::plan::Plan;
use super::tree::{Node, nodes};
use crate::search::{Promise, Variant};

/// Values that do not change in a loop are computed before it.
pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    for node in nodes(&body.nodes) {
        if let Node::Loop { head, body: list, .. } = node {
            let inside = node.effects(&body.lines);
            variants.extend(hoisted(body, *head, list, &inside));
        }
    }
}

/// Writes of each component of a temporary in a loop.
fn writes(inside: &Effects, number: u32, component: Component) -> usize {
    let mask = WriteMask(1 << component as u8);
    let own = temporary(number);
    inside.writes.iter().filter(|it| it.span.overlaps(&own) && it.mask.0 & mask.0 != 0).count()
}

/// The lines that were found to be invariant.
#[derive(Default)]
struct Invariant {
    lines: Vec<usize>,
    /// Components of temporaries that they write.
    written: BTreeSet<(u32, u8)>,
    freedom: Option<Freedom>,
}

impl Invariant {
    /// Tells whether what a line reads is the same in every round.
    fn takes(&self, line: &Line, inside: &Effects) -> Option<Freedom> {
        let mut freedom = Freedom::Free;
        for (span, mask) in &line.effects.reads {
            for component in mask.components() {
                let one = WriteMask(1 << component as u8);
                if !inside.may_write(*span, one) {
                    continue;
                }
                let is_own = span.file == File::Temporary
                    && span.first == span.last
                    && self.written.contains(&(span.first, component as u8));
                if !is_own {
                    return None;
                }
            }
        }
        if line.effects.order == Order::Loads {
            let read = Effects { writes: Vec::new(), ..line.effects.clone() };
            let stores = Effects {
                writes: inside.writes.iter().filter(|it| !it.is_register()).copied().collect(),
                ..Effects::default()
            };
            freedom = stores.writes_for(&read);
        }
        (freedom < Freedom::Bound).then_some(freedom)
    }
}

impl super::effects::Write {
    /// Tells whether it writes a temporary or the like, and no memory.
    fn is_register(&self) -> bool {
        !matches!(self.span.file, File::Buffer | File::Image | File::Memory | File::HardwareAtomic)
    }
}

fn hoisted(body: &Body<'_>, head: usize, list: &[Node], inside: &Effects) -> Option<Variant> {
    let has_wall = |node: &Node| {
        let steers = |line: &Line| line.instruction.info().control != tgsi::opcodes::Control::Next;
        let lines = body.lines.get(node.lines()).unwrap_or_default();
        lines.iter().any(|line| line.effects.order == Order::Wall && !steers(line))
    };
    let is_fenced = list.iter().any(has_wall);
    let mut found = Invariant::default();
    for node in list {
        let Node::Leaf(number) = node else { continue };
        let line = body.lines.get(*number)?;
        let Some((register, mask)) = line.temporary() else { continue };
        let is_candidate = line.effects.is_speculable()
            && !line.instruction.info().has(Flag::Lanes)
            && !(is_fenced && line.effects.order == Order::Loads);
        let is_only = mask.components().all(|component| writes(inside, register, component) == 1);
        if !is_candidate || !is_only {
            continue;
        }
        // A copy is hoisted only with what it is made of.
        let Some(freedom) = found.takes(line, inside) else { continue };
        found.lines.push(*number);
        found.written.extend(mask.components().map(|it| (register, it as u8)));
        found.freedom = found.freedom.max(Some(freedom));
    }
    let is_work = |number: &usize| body.lines.get(*number).is_some_and(|it| it.opcode() != "MOV");
    if !found.lines.iter().any(is_work) {
        return None;
    }
    Some(plan(body, head, &found))
}

fn plan(body: &Body<'_>, head: usize, found: &Invariant) -> Variant {
    let mut plan = Plan::new(body);
    let mut names: BTreeMap<u32, u32> = BTreeMap::new();
    for (register, _) in &found.written {
        if !names.contains_key(register) {
            names.insert(*register, plan.fresh());
        }
    }
    // What an operand reads of other components comes from before the loop.
    for (register, name) in &names {
        let own: WriteMask = Component::ALL
            .into_iter()
            .filter(|component| !found.written.contains(&(*register, *component as u8)))
            .collect();
        let is_read = |number: &usize| {
            body.lines.get(*number).is_some_and(|it| it.effects.may_read(temporary(*register), own))
        };
        if found.lines.iter().any(is_read) {
            plan.insert(head, format!("MOV TEMP[{name}]{}, TEMP[{register}]", letters(own)));
        }
    }
    let rename = |file: File, number: u32, _: Side| {
        let name = names.get(&number).filter(|_| file == File::Temporary)?;
        Some(format!("TEMP[{name}]"))
    };
    for number in &found.lines {
        let Some(line) = body.lines.get(*number) else { continue };
        let Some((register, mask)) = line.temporary() else { continue };
        plan.insert(head, line.renamed(&rename));
        let name = names.get(&register).copied().unwrap_or_default();
        let copy = format!("MOV TEMP[{register}]{}, TEMP[{name}]", letters(mask));
        plan.replace(*number, vec![copy]);
    }
    let places: Vec<String> = found.lines.iter().map(|it| body.place(*it).to_string()).collect();
    let word = if places.len() == 1 { "line" } else { "lines" };
    let change = format!("{word} {} before the loop", places.join(", "));
    let mut variant = plan.variant(Promise::Much, change);
    if found.freedom == Some(Freedom::Apart) {
        variant.assumes =
            "the resources that the loop stores to and loads from are not the same memory"
                .to_owned();
    }
    variant
}

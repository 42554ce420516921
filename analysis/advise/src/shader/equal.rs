//! One computation in place of several equal ones.

use rustc_hash::FxHashMap;
use tgsi::opcodes::Flag;

use super::body::{Body, letters};
use super::effects::{Effects, Freedom, Order};
use super::plan::Plan;
use super::tree::{Node, lists};
use crate::search::{Promise, Variant};

/// The text of a computation without its destination: opcode, operands, components.
type Key<'l> = (&'l str, &'l str, u8);
/// A place in a list, and the line there.
type Occurrence = (usize, usize);

/// Instructions that compute the same are computed once, in a new temporary, before the first
/// statement that holds one of them.
pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    for list in lists(&body.nodes) {
        let mut groups: FxHashMap<Key<'_>, Vec<Occurrence>> = FxHashMap::default();
        let mut keys = Vec::new();
        for (place, node) in list.iter().enumerate() {
            for number in node.lines() {
                let Some(line) = body.lines.get(number) else { continue };
                let Some((_, mask)) = line.temporary() else { continue };
                // A copy is nothing that is worth keeping.
                let is_copy = line.opcode() == "MOV";
                let is_vote = line.instruction.info().has(Flag::Lanes);
                if is_copy
                    || is_vote
                    || !line.effects.is_speculable()
                    || is_own_input(&line.effects)
                {
                    continue;
                }
                let key = (line.opcode(), line.operands(), mask.0);
                let group = groups.entry(key).or_default();
                if group.is_empty() {
                    keys.push(key);
                }
                group.push((place, number));
            }
        }
        for key in keys {
            let Some(group) = groups.get(&key) else { continue };
            // Blocks within this list have the equal ones among themselves.
            let is_leaf = |place: usize| matches!(list.get(place), Some(Node::Leaf(_)));
            for pair in group.windows(2) {
                merge(body, list, pair, variants);
            }
            if group.len() > 2 {
                merge(body, list, group, variants);
            }
            // A computation in one arm alone may be done before the branch as well.
            if let [(place, _), ..] = group[..]
                && !is_leaf(place)
            {
                merge(body, list, &group[..1], variants);
            }
        }
    }
}

/// Tells whether it reads what it writes.
fn is_own_input(effects: &Effects) -> bool {
    effects.writes.iter().any(|write| effects.may_read(write.span, write.mask))
}

fn merge(body: &Body<'_>, list: &[Node], group: &[Occurrence], variants: &mut Vec<Variant>) {
    let [(first, line), ..] = group[..] else { return };
    let Some((last, _)) = group.last().copied() else { return };
    let Some(model) = body.lines.get(line) else { return };
    let Some(between) = list.get(first..=last) else { return };
    let read = Effects { writes: Vec::new(), ..model.effects.clone() };
    let mut freedom = Freedom::Free;
    for node in between {
        let effects = node.effects(&body.lines);
        let is_wall = effects.order == Order::Wall && read.order == Order::Loads;
        if is_wall {
            return;
        }
        freedom = freedom.max(effects.writes_for(&read));
    }
    let Some((_, mask)) = model.temporary().filter(|_| freedom < Freedom::Bound) else { return };
    let mut plan = Plan::new(body);
    let name = format!("TEMP[{}]", plan.fresh());
    let Some(start) = list.get(first).map(Node::first) else { return };
    plan.insert(start, model.with_destination(&name, mask));
    for (_, number) in group {
        let Some(line) = body.lines.get(*number) else { return };
        let Some(destination) = line.destination() else { return };
        let register = line.slice(destination.register.range);
        plan.replace(*number, vec![format!("MOV {register}{}, {name}", letters(mask))]);
    }
    let places: Vec<String> = group.iter().map(|(_, it)| body.place(*it).to_string()).collect();
    let change = match group.len() {
        1 => format!("line {} before the block around it", places.join("")),
        _ => format!("lines {} computed once", places.join(" and ")),
    };
    let mut variant = plan.variant(Promise::Much, change);
    if freedom == Freedom::Apart {
        variant.assumes = "the resources that it stores to and loads from are not the same \
                           memory"
            .to_owned();
    }
    variants.push(variant);
}

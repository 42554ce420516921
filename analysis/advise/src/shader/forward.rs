//! Values that were just stored: read from their register, and not stored twice.

use tgsi::ast::WriteMask;
use tgsi::opcodes::Family;
use tgsi::service::accesses::Span;
use tgsi::words::File;

use super::body::{Body, Line, letters};
use super::effects::{Effects, Order};
use super::plan::Plan;
use super::tree::{Node, lists};
use crate::search::{Promise, Variant};

/// Statements between a store and what it is compared with, at most.
const MOST_BETWEEN: usize = 64;

/// A load or a store of words of a buffer, or of memory that a workgroup shares.
struct Access<'l> {
    /// The resource, as it is written.
    resource: &'l str,
    /// The address, as it is written.
    address: &'l str,
    mask: WriteMask,
}

impl<'l> Access<'l> {
    fn of(line: &'l Line, family: Family) -> Option<Access<'l>> {
        let instruction = &line.instruction;
        if instruction.info().family != family || !instruction.qualifiers.is_empty() {
            return None;
        }
        let destination = line.destination()?;
        let (resource, address) = match family {
            Family::Store => (&destination.register, instruction.sources.first()?),
            _ => (&instruction.sources.first()?.register, instruction.sources.get(1)?),
        };
        // Images convert what they hold.
        let is_words = matches!(resource.file, File::Buffer | File::Memory);
        (is_words && !resource.is_computed()).then(|| Access {
            resource: line.slice(resource.range),
            address: line.slice(address.range),
            mask: destination.mask,
        })
    }

    fn is_of(&self, other: &Access<'_>) -> bool {
        self.resource == other.resource && self.address == other.address
    }
}

pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    for list in lists(&body.nodes) {
        for (place, node) in list.iter().enumerate() {
            let Node::Leaf(store) = node else { continue };
            let behind = list.get(place + 1..).unwrap_or_default();
            follow(body, *store, behind, variants);
        }
    }
}

/// Looks behind a store for loads and stores of the same words.
fn follow(body: &Body<'_>, store: usize, behind: &[Node], variants: &mut Vec<Variant>) {
    let Some(line) = body.lines.get(store) else { return };
    let Some(stored) = Access::of(line, Family::Store) else { return };
    let Some(value) = line.instruction.sources.get(1) else { return };
    let value_text = line.slice(value.range);
    let Some(address) = line.instruction.sources.first().map(|it| it.register) else { return };
    let is_address = |span: &Span| {
        let is_it = |number| (span.first..=span.last).contains(&number);
        address.is_computed() || address.file == span.file && address.number().is_none_or(is_it)
    };
    let writes = |effects: &Effects, is_of: &dyn Fn(&Span) -> bool| {
        let reads = line.effects.reads.iter();
        let mut reads = reads.filter(|(span, _)| span.file != File::Buffer && is_of(span));
        reads.any(|(span, mask)| effects.may_write(*span, *mask))
    };
    // What the store reads is what a copy in place of a load would read.
    let writes_operand = |effects: &Effects| writes(effects, &|_| true);
    let writes_address = |effects: &Effects| writes(effects, &is_address);
    let mut is_seen = false;
    let mut operands_are_kept = true;
    let mut address_is_kept = true;
    for node in behind.iter().take(MOST_BETWEEN) {
        let effects = node.effects(&body.lines);
        let Node::Leaf(number) = node else {
            if effects.order >= Order::Loads || writes_address(&effects) {
                return;
            }
            operands_are_kept &= !writes_operand(&effects);
            continue;
        };
        let Some(next) = body.lines.get(*number) else { return };
        if let Some(load) = Access::of(next, Family::Access)
            && load.is_of(&stored)
            && operands_are_kept
            && load.mask.0 & !stored.mask.0 == 0
            && let Some(destination) = next.destination()
        {
            let mut plan = Plan::new(body);
            let register = next.slice(destination.register.range);
            let text = format!("MOV {register}{}, {value_text}", letters(load.mask));
            plan.replace(*number, vec![text]);
            let [from, to] = [*number, store].map(|it| body.place(it));
            let change = format!("line {from} the value that line {to} stores");
            let mut variant = plan.variant(Promise::Much, change);
            variant.assumes = "its addresses are within what they are of".to_owned();
            variants.push(variant);
        }
        if let Some(again) = Access::of(next, Family::Store)
            && again.is_of(&stored)
            && address_is_kept
            && !is_seen
            && stored.mask.0 & !again.mask.0 == 0
        {
            let mut plan = Plan::new(body);
            plan.drop_line(store);
            let [first, second] = [store, *number].map(|it| body.place(it));
            let change = format!("line {first} gone, as line {second} stores over it");
            variants.push(plan.variant(Promise::Much, change));
            return;
        }
        match effects.order {
            Order::Free => {}
            // Whoever loads may load what was stored.
            Order::Loads => is_seen = true,
            Order::Stores | Order::Kills | Order::Wall => return,
        }
        operands_are_kept &= !writes_operand(&effects);
        address_is_kept &= !writes_address(&effects);
    }
}

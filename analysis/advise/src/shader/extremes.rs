//! The smaller or larger of two whole numbers by one opcode, where a comparison and a select
//! compute it; and selects as branches.

use tgsi::Opcode;
use tgsi::ast::{Component, Source};
use tgsi::words::File;

use super::body::{Body, letters};
use super::effects::temporary;
use super::plan::Plan;
use super::tree::{Node, lists};
use crate::search::{Promise, Variant};

/// Copies that are looked through, at most.
const MOST_COPIES: usize = 8;

pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    for list in lists(&body.nodes) {
        for (place, node) in list.iter().enumerate() {
            let Node::Leaf(number) = node else { continue };
            let Some(line) = body.lines.get(*number) else { continue };
            if line.instruction.opcode.value == Opcode::UCMP && !line.instruction.saturate {
                let select = Select { body, list, place, number: *number };
                variants.extend(select.extreme());
                variants.extend(select.branch());
            }
        }
    }
}

/// One component of a register as it was before a statement of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Value {
    /// The register as it is written.
    register: String,
    component: Component,
    /// The number of a temporary; other files are not written in between.
    temporary: Option<u32>,
    /// The statement of the list before which it is read.
    before: usize,
}

/// A `UCMP` in a list of statements.
struct Select<'b> {
    body: &'b Body<'b>,
    list: &'b [Node],
    place: usize,
    number: usize,
}

impl Select<'_> {
    /// `UMIN` and its like.
    fn extreme(&self) -> Option<Variant> {
        let line = self.body.lines.get(self.number)?;
        let destination = line.destination()?;
        let mut components = destination.mask.components();
        let component = components.next().filter(|_| components.next().is_none())?;
        let [condition, one, two] = &line.instruction.sources[..] else { return None };
        let value = |source: &Source| self.value(self.number, source, component, self.place);
        let condition = self.origin(value(condition)?);
        let [one, two] = [self.origin(value(one)?), self.origin(value(two)?)];
        // The comparison that wrote the condition.
        let compare = self.last_write(&condition)?;
        let Node::Leaf(number) = self.list.get(compare)? else { return None };
        let line = self.body.lines.get(*number)?;
        let [left, right] = &line.instruction.sources[..] else { return None };
        let operand = |source: &Source| {
            Some(self.origin(self.value(*number, source, condition.component, compare)?))
        };
        let [left, right] = [operand(left)?, operand(right)?];
        let is_same = |it: &Value, other: &Value| {
            it.register == other.register
                && it.component == other.component
                && self.is_kept(it, self.place)
                && self.is_kept(other, self.place)
        };
        let is_in_order = is_same(&left, &one) && is_same(&right, &two);
        let is_turned = is_same(&left, &two) && is_same(&right, &one);
        let [smaller, larger] = match line.instruction.opcode.value {
            Opcode::USLT => [Opcode::UMIN, Opcode::UMAX],
            Opcode::USGE => [Opcode::UMAX, Opcode::UMIN],
            Opcode::ISLT => [Opcode::IMIN, Opcode::IMAX],
            Opcode::ISGE => [Opcode::IMAX, Opcode::IMIN],
            _ => return None,
        };
        let opcode = match (is_in_order, is_turned) {
            (true, _) => smaller,
            (_, true) => larger,
            _ => return None,
        };
        let opcode = opcode.mnemonic();
        let text = |it: &Value| {
            let letter = ["x", "y", "z", "w"][it.component as usize];
            format!("{}.{}", it.register, letter.repeat(4))
        };
        let own = self.body.lines.get(self.number)?;
        let register = own.slice(destination.register.range);
        let mask = letters(destination.mask);
        let mut plan = Plan::new(self.body);
        let new = format!("{opcode} {register}{mask}, {}, {}", text(&one), text(&two));
        plan.replace(self.number, vec![new]);
        let place = self.body.place(self.number);
        Some(plan.variant(Promise::Much, format!("line {place} by `{opcode}`")))
    }

    /// A branch with two arms: what is selected is computed in neither place twice, and what it
    /// reads may be read in one arm alone.
    fn branch(&self) -> Option<Variant> {
        let line = self.body.lines.get(self.number)?;
        let destination = line.destination()?;
        let [condition, one, two] = &line.instruction.sources[..] else { return None };
        // One test for all components.
        let swizzle = condition.swizzle.0;
        if condition.negate || condition.absolute || swizzle.iter().any(|it| *it != swizzle[0]) {
            return None;
        }
        let register = line.slice(destination.register.range);
        let mask = letters(destination.mask);
        let [condition, one, two] = [condition, one, two].map(|it| line.slice(it.range));
        let mut plan = Plan::new(self.body);
        let lines = [
            format!("UIF {condition}"),
            format!("MOV {register}{mask}, {one}"),
            "ELSE".to_owned(),
            format!("MOV {register}{mask}, {two}"),
            "ENDIF".to_owned(),
        ];
        plan.replace(self.number, lines.to_vec());
        let place = self.body.place(self.number);
        Some(plan.variant(Promise::Some, format!("the select of line {place} as a branch")))
    }

    /// The component of a source of a line that a component of its result is made of.
    fn value(
        &self,
        line: usize,
        source: &Source,
        component: Component,
        before: usize,
    ) -> Option<Value> {
        let register = &source.register;
        let line = self.body.lines.get(line)?;
        if source.negate || source.absolute || register.is_computed() {
            return None;
        }
        // What is written besides temporaries is not followed.
        let is_known = matches!(
            register.file,
            File::Temporary | File::Constant | File::Immediate | File::Input | File::SystemValue
        );
        is_known.then(|| Value {
            register: line.slice(register.range).to_owned(),
            component: source.swizzle.0[component as usize],
            temporary: register.temporary(),
            before,
        })
    }

    /// The statement that wrote a value last; `None` where it is none of the list, or a block.
    fn last_write(&self, value: &Value) -> Option<usize> {
        let (span, mask) = (temporary(value.temporary?), mask(value.component));
        let before = self.list.get(..value.before)?.iter().enumerate().rev();
        let mut writers =
            before.filter(|(_, node)| node.effects(&self.body.lines).may_write(span, mask));
        let (place, node) = writers.next()?;
        matches!(node, Node::Leaf(_)).then_some(place)
    }

    /// The value that a chain of copies made it of.
    fn origin(&self, value: Value) -> Value {
        let mut value = value;
        for _ in 0..MOST_COPIES {
            let Some(place) = self.last_write(&value) else { break };
            let Some(Node::Leaf(number)) = self.list.get(place) else { break };
            let Some(line) = self.body.lines.get(*number) else { break };
            let [source] = &line.instruction.sources[..] else { break };
            let is_copy =
                line.instruction.opcode.value == Opcode::MOV && !line.instruction.saturate;
            let copied = self.value(*number, source, value.component, place);
            match copied.filter(|_| is_copy) {
                Some(copied) => value = copied,
                None => break,
            }
        }
        value
    }

    /// Tells whether a value is still in its register before a statement.
    fn is_kept(&self, value: &Value, place: usize) -> bool {
        let Some(number) = value.temporary else { return true };
        let (span, mask) = (temporary(number), mask(value.component));
        let between = self.list.get(value.before..place).unwrap_or_default();
        !between.iter().any(|node| node.effects(&self.body.lines).may_write(span, mask))
    }
}

fn mask(component: Component) -> tgsi::ast::WriteMask {
    tgsi::ast::WriteMask(1 << component as u8)
}

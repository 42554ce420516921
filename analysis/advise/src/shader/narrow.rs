//! Less work for the same results: what nobody reads, narrower vectors, sums of products in one
//! instruction, vectors split and merged, cheap values computed again.

use tgsi::ast::{Source, Swizzle, WriteMask};
use tgsi::opcodes::{Family, OutputMode};
use tgsi::words::File;

use super::body::{Body, Line, letters};
use super::effects::{Freedom, Order, temporary};
use super::plan::Plan;
use super::tree::{self, Node, lists};
use crate::search::{Promise, Variant};

pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    variants.extend(unread(body));
    for number in 0..body.lines.len() {
        variants.extend(split(body, number));
    }
    for list in lists(&body.nodes) {
        for place in 0..list.len() {
            variants.extend(joined(body, list, place));
            variants.extend(fused(body, list, place));
            again(body, list, place, variants);
        }
    }
}

/// The components of a temporary that anything reads.
fn read(body: &Body<'_>, register: u32) -> WriteMask {
    let own = temporary(register);
    let reads = body.lines.iter().flat_map(|line| &line.effects.reads);
    let read = reads.filter(|(span, _)| span.overlaps(&own));
    WriteMask(read.fold(0, |all, (_, mask)| all | mask.0))
}

/// Instructions whose results nobody reads are left out, components that nobody reads are not
/// written.
fn unread(body: &Body<'_>) -> Option<Variant> {
    let mut plan = Plan::new(body);
    let mut places = Vec::new();
    for (number, line) in body.lines.iter().enumerate() {
        let Some((register, mask)) = line.temporary() else { continue };
        let needed = WriteMask(mask.0 & read(body, register).0);
        let is_idle = line.effects.is_speculable();
        if needed == mask || !is_idle || needed.0 != 0 && !line.is_by_component() {
            continue;
        }
        match needed.0 {
            0 => plan.drop_line(number),
            _ => {
                let name = format!("TEMP[{register}]");
                plan.replace(number, vec![line.with_destination(&name, needed)]);
            }
        }
        places.push(body.place(number).to_string());
    }
    let is_some = !places.is_empty();
    is_some.then(|| {
        let change = format!("nothing computed that nobody reads: line {}", places.join(", "));
        plan.variant(Promise::Much, change)
    })
}

/// An instruction for some components becomes one for the first of them and one for the rest.
fn split(body: &Body<'_>, number: usize) -> Option<Variant> {
    let line = body.lines.get(number)?;
    let (register, mask) = line.temporary()?;
    let is_simple = line.is_by_component() && line.effects.order == Order::Free;
    let reads_itself = line.effects.may_read(temporary(register), mask);
    let components: Vec<_> = mask.components().collect();
    if !is_simple || reads_itself || components.len() < 2 {
        return None;
    }
    let [first, second] = components.split_at(components.len() / 2).into();
    let name = format!("TEMP[{register}]");
    let part =
        |own: &[tgsi::ast::Component]| line.with_destination(&name, own.iter().copied().collect());
    let mut plan = Plan::new(body);
    plan.replace(number, vec![part(first), part(second)]);
    let change = format!("line {} split by components", body.place(number));
    Some(plan.variant(Promise::Little, change))
}

/// Two instructions of one opcode and the same operands that write parts of a vector become one.
fn joined(body: &Body<'_>, list: &[Node], place: usize) -> Option<Variant> {
    let Node::Leaf(first) = list.get(place)? else { return None };
    let one = body.lines.get(*first)?;
    let (register, mask) = one.temporary()?;
    if !one.is_by_component() || one.effects.order != Order::Free {
        return None;
    }
    let behind = list.get(place + 1..)?.iter().take(16).enumerate();
    for (count, node) in behind {
        let Node::Leaf(second) = node else { continue };
        let two = body.lines.get(*second)?;
        let Some((other, rest)) = two.temporary() else { continue };
        let is_alike = one.opcode() == two.opcode()
            && one.operands() == two.operands()
            && register == other
            && mask.0 & rest.0 == 0;
        let reads_it = two.effects.may_read(temporary(register), WriteMask(mask.0 | rest.0));
        if !is_alike || reads_it {
            continue;
        }
        let between = list.get(place + 1..place + 1 + count)?;
        if tree::freedom(&two.effects, between, &body.lines) > Freedom::Free {
            continue;
        }
        let mut plan = Plan::new(body);
        let all = WriteMask(mask.0 | rest.0);
        plan.replace(*first, vec![one.with_destination(&format!("TEMP[{register}]"), all)]);
        plan.drop_line(*second);
        let change = format!("lines {} and {} joined", body.place(*first), body.place(*second));
        return Some(plan.variant(Promise::Little, change));
    }
    None
}

/// A product that is only added to something becomes a `MAD` with it. `MAD` leaves open whether
/// the product is rounded; machine code of these chips rounds it.
fn fused(body: &Body<'_>, list: &[Node], place: usize) -> Option<Variant> {
    let [Node::Leaf(first), Node::Leaf(second)] = list.get(place..place + 2)? else { return None };
    let [product, sum] = [body.lines.get(*first)?, body.lines.get(*second)?];
    let is_exact = product.instruction.precise || sum.instruction.precise;
    if product.opcode() != "MUL" || !matches!(sum.opcode(), "ADD" | "ADD_SAT") || is_exact {
        return None;
    }
    let (register, mask) = product.temporary()?;
    let destination = sum.destination()?;
    let [left, right] = &sum.instruction.sources[..] else { return None };
    let is_product = |it: &Source| {
        it.register.temporary() == Some(register)
            && it.swizzle == Swizzle::IDENTITY
            && !it.negate
            && !it.absolute
    };
    let (own, rest) = match (is_product(left), is_product(right)) {
        (true, false) => (left, right),
        (false, true) => (right, left),
        _ => return None,
    };
    let span = temporary(register);
    let needs = |line: &Line| line.effects.may_read(span, mask);
    let others = body.lines.iter().enumerate().filter(|(number, _)| number != second);
    let is_needed = others.into_iter().any(|(_, line)| needs(line));
    let reads_rest = rest.register.temporary() == Some(register);
    if is_needed || reads_rest || destination.mask.0 & !mask.0 != 0 || own.range.is_empty() {
        return None;
    }
    let register = sum.slice(destination.register.range);
    let opcode = sum.opcode().replacen("ADD", "MAD", 1);
    let text = format!(
        "{opcode} {register}{}, {}, {}",
        letters(destination.mask),
        product.operands(),
        sum.slice(rest.range)
    );
    let mut plan = Plan::new(body);
    plan.drop_line(*first);
    plan.replace(*second, vec![text]);
    let change = format!("`MAD` for lines {} and {}", body.place(*first), body.place(*second));
    Some(plan.variant(Promise::Some, change))
}

/// A value that is made of inputs and constants alone is computed again where a later statement
/// of the list reads it.
fn again(body: &Body<'_>, list: &[Node], place: usize, variants: &mut Vec<Variant>) {
    let Some(Node::Leaf(number)) = list.get(place) else { return };
    let Some(line) = body.lines.get(*number) else { return };
    let Some((register, mask)) = line.temporary() else { return };
    let never_change = |file: File| {
        matches!(file, File::Input | File::Constant | File::Immediate | File::SystemValue)
    };
    let is_cheap = line.instruction.info().family == Family::Plain
        && line.instruction.info().output == OutputMode::Componentwise
        && line.effects.order == Order::Free
        && !line.effects.is_convergent
        && line.effects.reads.iter().all(|(span, _)| never_change(span.file));
    if !is_cheap {
        return;
    }
    let span = temporary(register);
    let mut uses = Vec::new();
    for (count, node) in list.iter().enumerate().skip(place + 1) {
        let effects = node.effects(&body.lines);
        if effects.may_read(span, mask) {
            uses.push((count, node));
        }
        if effects.may_write(span, mask) {
            break;
        }
    }
    // The first use has the value at hand.
    for (count, node) in uses.into_iter().skip(1).filter(|(count, _)| *count > place + 4) {
        let Node::Leaf(user) = node else { continue };
        let Some(reader) = body.lines.get(*user) else { continue };
        let outside = |(read, own): &(tgsi::service::accesses::Span, WriteMask)| {
            read.overlaps(&span) && own.0 & !mask.0 != 0
        };
        if reader.effects.reads.iter().any(outside) || count == 0 {
            continue;
        }
        let mut plan = Plan::new(body);
        let name = format!("TEMP[{}]", plan.fresh());
        plan.insert(*user, line.with_destination(&name, mask));
        let renamed = reader.renamed(&|file, number, side| {
            let is_it = file == File::Temporary && number == register;
            (is_it && side == super::body::Side::Read).then(|| name.clone())
        });
        plan.replace(*user, vec![renamed]);
        let [from, to] = [body.place(*number), body.place(*user)];
        variants.push(plan.variant(Promise::Little, format!("line {from} again at line {to}")));
    }
}

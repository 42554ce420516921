//! Loops: rounds whose number is known one after the other, and loops that run once.

use tgsi::ast::{Component, Immediate};
use tgsi::opcodes::Control;

use super::body::{Body, Line};
use super::known::Known;
use super::plan::Plan;
use super::tree::{Node, lists};
use crate::search::{Promise, Variant};

/// Rounds of a loop that are written out, at most.
const MOST_ROUNDS: usize = 16;
/// Instructions that come of it, at most.
const MOST_INSTRUCTIONS: usize = 256;

pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    let immediates: Vec<&Immediate> = body.shader.immediates().collect();
    let mut known = Known::default();
    let mut found = Vec::new();
    walk(body, &body.nodes, &mut known, &immediates, &mut found);
    variants.extend(found);
    variants.extend(single_return(body));
    for list in lists(&body.nodes) {
        for node in list {
            if let Node::Loop { head, body: inside, end } = node {
                variants.extend(single_round(body, *head, inside, *end));
            }
        }
    }
}

/// Follows what is known through a list, and unrolls each loop in it by itself.
fn walk(
    body: &Body<'_>,
    list: &[Node],
    known: &mut Known,
    immediates: &[&Immediate],
    found: &mut Vec<Variant>,
) {
    for node in list {
        match node {
            Node::Leaf(line) => {
                if let Some(line) = body.lines.get(*line) {
                    known.step(line, immediates);
                }
            }
            Node::Loop { head, body: inside, end } => {
                found.extend(unrolled(body, (*head, *end), inside, known.clone(), immediates));
                known.forget(&node.effects(&body.lines));
                walk(body, inside, &mut known.clone(), immediates, found);
            }
            Node::If { arms, .. } => {
                for arm in arms {
                    walk(body, arm, &mut known.clone(), immediates, found);
                }
                known.forget(&node.effects(&body.lines));
            }
            Node::Opaque { .. } => known.forget(&node.effects(&body.lines)),
        }
    }
}

fn unrolled(
    body: &Body<'_>,
    (head, end): (usize, usize),
    list: &[Node],
    known: Known,
    immediates: &[&Immediate],
) -> Option<Variant> {
    let mut rounds = Rounds { body, immediates, known, texts: Vec::new() };
    let mut count = 0;
    loop {
        match rounds.list(list)? {
            Flow::Leaves => break,
            Flow::Next | Flow::Continues => count += 1,
        }
        if count > MOST_ROUNDS {
            return None;
        }
    }
    let mut plan = Plan::new(body);
    for line in head..=end {
        plan.drop_line(line);
    }
    plan.replace(head, rounds.texts);
    let word = if count == 1 { "round" } else { "rounds" };
    let change = format!("the {count} {word} of the loop of line {}", body.place(head));
    Some(plan.variant(Promise::Much, change))
}

/// The statement that follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Leaves,
    Continues,
}

/// Rounds of a loop that are being written out.
struct Rounds<'b> {
    body: &'b Body<'b>,
    immediates: &'b [&'b Immediate],
    known: Known,
    texts: Vec<String>,
}

impl Rounds<'_> {
    /// Writes out a list; `None` where it cannot be told which way it takes.
    fn list(&mut self, list: &[Node]) -> Option<Flow> {
        for node in list {
            let flow = match node {
                Node::Leaf(number) => {
                    let line = self.body.lines.get(*number)?;
                    match line.instruction.info().control {
                        Control::Break => Flow::Leaves,
                        Control::Continue => Flow::Continues,
                        Control::Next => {
                            self.texts.push(self.direct(line));
                            self.known.step(line, self.immediates);
                            Flow::Next
                        }
                        _ => return None,
                    }
                }
                Node::If { head, arms, .. } => {
                    let line = self.body.lines.get(*head)?;
                    match self.condition(line) {
                        Some(true) => self.list(&arms[0])?,
                        Some(false) => self.list(&arms[1])?,
                        None => self.whole(node)?,
                    }
                }
                Node::Loop { .. } | Node::Opaque { .. } => self.whole(node)?,
            };
            if self.texts.len() > MOST_INSTRUCTIONS {
                return None;
            }
            if flow != Flow::Next {
                return Some(flow);
            }
        }
        Some(Flow::Next)
    }

    /// A block as it stands, from which nothing leads out.
    fn whole(&mut self, node: &Node) -> Option<Flow> {
        let effects = node.effects(&self.body.lines);
        if effects.order == super::effects::Order::Wall {
            return None;
        }
        for line in self.body.lines.get(node.lines())? {
            self.texts.push(line.text.clone());
        }
        self.known.forget(&effects);
        Some(Flow::Next)
    }

    fn condition(&self, line: &Line) -> Option<bool> {
        let [source] = &line.instruction.sources[..] else { return None };
        let bits = self.known.source(source, Component::X, self.immediates)?;
        match line.opcode() {
            "UIF" => Some(bits != 0),
            "IF" => Some(f32::from_bits(bits) != 0.0),
            _ => None,
        }
    }

    /// An instruction with the numbers of registers that are known.
    fn direct(&self, line: &Line) -> String {
        let mut text = line.text.clone();
        let sources = line.instruction.sources.iter().map(|it| it.register);
        let destinations = line.instruction.destinations.iter().map(|it| it.register);
        let mut registers: Vec<_> = destinations.chain(sources).collect();
        registers.sort_by_key(|register| register.range.start());
        for register in registers.into_iter().rev() {
            let Some(base) = register.index.indirect else { continue };
            let Some(value) = self.known.get(base.file, base.index, base.component) else {
                continue;
            };
            let number = i64::from(value as i32) + i64::from(register.index.offset);
            let own = line.slice(register.range);
            let Some((open, _)) = outer_bracket(own) else { continue };
            if number < 0 || register.dimension.is_some_and(|it| it.indirect.is_some()) {
                continue;
            }
            let direct = format!("{}[{number}]", own.get(..open).unwrap_or_default());
            text = text.replacen(own, &direct, 1);
        }
        text
    }
}

/// The last pair of brackets that is in no other.
fn outer_bracket(text: &str) -> Option<(usize, usize)> {
    let close = text.rfind(']')?;
    let mut depth = 0;
    for (place, letter) in text.get(..=close)?.char_indices().rev() {
        match letter {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((place, close));
        }
    }
    None
}

/// A loop whose last statement leaves it becomes a branch: what follows an early `BRK` is its
/// other arm.
fn single_round(body: &Body<'_>, head: usize, list: &[Node], end: usize) -> Option<Variant> {
    let (Node::Leaf(last), rest) = list.split_last()? else { return None };
    if control(body, *last)? != Control::Break {
        return None;
    }
    let mut plan = Plan::new(body);
    plan.drop_line(*last);
    let open = nested(body, rest, Control::Break, &mut plan)?;
    plan.drop_line(head);
    match open {
        0 => plan.drop_line(end),
        _ => plan.replace(end, vec!["ENDIF".to_owned(); open]),
    }
    let change = format!("the loop of line {}, which runs once, as a branch", body.place(head));
    Some(plan.variant(Promise::Much, change))
}

/// The rest after an early `RET` becomes the other arm of its branch.
fn single_return(body: &Body<'_>) -> Option<Variant> {
    let (Node::Leaf(end), rest) = body.nodes.split_last()? else { return None };
    let mut plan = Plan::new(body);
    let open = nested(body, rest, Control::Return, &mut plan)?;
    for _ in 0..open {
        plan.insert(*end, "ENDIF".to_owned());
    }
    let change = "what follows a return as the other arm of its branch".to_owned();
    (open > 0).then(|| plan.variant(Promise::Much, change))
}

fn control(body: &Body<'_>, line: usize) -> Option<Control> {
    body.lines.get(line).map(|it| it.instruction.info().control)
}

/// Branches of a list whose only arm ends with a word that leaves it get what follows as their
/// other arm. Answers how many `ENDIF` are due at the end; `None` where the word stands elsewhere.
fn nested(body: &Body<'_>, list: &[Node], word: Control, plan: &mut Plan<'_>) -> Option<usize> {
    let leaves = |line: &usize| match control(body, *line) {
        Some(Control::Continue) => word == Control::Break,
        own => own == Some(word),
    };
    let mut open = 0;
    for node in list {
        let own: Vec<usize> = node.lines().filter(leaves).collect();
        match (node, &own[..]) {
            (_, []) => {}
            (Node::If { arms, otherwise: None, end, .. }, [line])
                if matches!(arms[0].last(), Some(Node::Leaf(it)) if it == line)
                    && control(body, *line) == Some(word) =>
            {
                plan.drop_line(*line);
                plan.replace(*end, vec!["ELSE".to_owned()]);
                open += 1;
            }
            _ => return None,
        }
    }
    Some(open)
}

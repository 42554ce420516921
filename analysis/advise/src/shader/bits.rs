//! Loops over the bits of a word that one opcode does: how many are set, and which is the lowest.

use tgsi::Opcode;
use tgsi::ast::{Component, Immediate, WriteMask};
use tgsi::opcodes::Control;

use super::body::{Body, Line};
use super::effects::temporary;
use super::known::Known;
use super::plan::Plan;
use super::tree::{Node, nodes};
use crate::search::{Promise, Variant};

pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    for node in nodes(&body.nodes) {
        if let Node::Loop { head, body: inside, end } = node
            && let Some(bits) = BitLoop::of(body, (*head, *end), inside)
        {
            variants.extend(bits.counted());
            variants.extend(bits.lowest());
        }
    }
}

/// One component of a temporary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    register: u32,
    component: Component,
}

impl Word {
    fn mask(self) -> WriteMask {
        WriteMask(1 << self.component as u8)
    }

    fn text(self) -> String {
        format!("TEMP[{}].{}", self.register, self.mask().letters())
    }
}

/// An instruction of a loop: `target = opcode(word, operand)`.
struct Step<'b> {
    opcode: Opcode,
    target: Word,
    word: Word,
    operand: Operand,
    line: &'b Line,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    Word(Word),
    Value(u32),
}

/// A loop that is left where a word is not zero: a test, a branch with the break, and the rest.
struct BitLoop<'b> {
    body: &'b Body<'b>,
    lines: (usize, usize),
    test: Step<'b>,
    rest: Vec<Step<'b>>,
}

impl<'b> BitLoop<'b> {
    fn of(body: &'b Body<'b>, lines: (usize, usize), inside: &[Node]) -> Option<BitLoop<'b>> {
        let [Node::Leaf(test), Node::If { head, arms: [leaves, otherwise], .. }, rest @ ..] =
            inside
        else {
            return None;
        };
        let [Node::Leaf(leaves)] = leaves[..] else { return None };
        let condition = body.lines.get(*head)?;
        let test = Step::of(body, *test)?;
        let is_left = body.lines.get(leaves)?.instruction.info().control == Control::Break;
        let source = condition.instruction.sources.first()?;
        let is_tested = condition.instruction.opcode.value == Opcode::UIF
            && source.register.temporary() == Some(test.target.register)
            && source.swizzle.0[0] == test.target.component
            && !source.negate
            && !source.absolute;
        let step = |node: &Node| match node {
            Node::Leaf(line) => Step::of(body, *line),
            _ => None,
        };
        let rest = rest.iter().map(step).collect::<Option<Vec<_>>>()?;
        (is_left && is_tested && otherwise.is_empty()).then_some(BitLoop {
            body,
            lines,
            test,
            rest,
        })
    }

    /// Tells whether nobody outside of the loop reads a word.
    fn is_own(&self, word: Word) -> bool {
        let (head, end) = self.lines;
        let others = self.body.lines.iter().enumerate();
        let mut others = others.filter(|(place, _)| !(head..=end).contains(place));
        !others.any(|(_, line)| line.effects.may_read(temporary(word.register), word.mask()))
    }

    /// The step that computes something, where there is one alone.
    fn step(&self, opcode: Opcode) -> Option<(usize, &Step<'b>)> {
        let mut found = self.rest.iter().enumerate().filter(|(_, step)| step.opcode == opcode);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// Bits that are added one by one until none is left.
    fn counted(&self) -> Option<Variant> {
        let (test, word) = (&self.test, self.test.word);
        let is_end = test.opcode == Opcode::USEQ && test.operand == Operand::Value(0);
        let [bit_at, sum_at, shift_at] = [Opcode::AND, Opcode::UADD, Opcode::USHR]
            .map(|opcode| self.step(opcode).map(|(place, _)| place));
        let [bit_at, sum_at, shift_at] = [bit_at?, sum_at?, shift_at?];
        let [bit, sum, shift] = [bit_at, sum_at, shift_at].map(|place| &self.rest[place]);
        let one = Operand::Value(1);
        let is_bit = (bit.word, bit.operand) == (word, one) && bit_at < sum_at.min(shift_at);
        let is_sum = sum.word == sum.target && sum.operand == Operand::Word(bit.target);
        let is_shift = (shift.word, shift.target, shift.operand) == (word, word, one);
        let apart = [word, sum.target];
        let is_apart = word != sum.target && !apart.contains(&bit.target);
        let is_own = self.is_own(bit.target) && self.is_own(test.target);
        if !(is_end && is_bit && is_sum && is_shift && is_apart && is_own)
            || apart.contains(&test.target)
            || self.rest.len() != 3
        {
            return None;
        }
        let [word, sum, bit] = [word, sum.target, bit.target].map(Word::text);
        // The component that the test reads: the word's own may be another.
        let source = test.line.instruction.sources.get(1)?;
        let letters =
            WriteMask(1 << source.swizzle.0[test.target.component as usize] as u8).letters();
        let register = test.line.slice(source.register.range);
        let zero = replicated(&format!("{register}.{letters}"));
        let texts = vec![
            format!("POPC {bit}, {}", replicated(&test.word.text())),
            format!("UADD {sum}, {}, {}", replicated(&sum), replicated(&bit)),
            format!("MOV {word}, {zero}"),
        ];
        Some(self.variant(texts, "counts bits", String::new()))
    }

    /// Steps to the lowest bit that is set.
    fn lowest(&self) -> Option<Variant> {
        let (test, word) = (&self.test, self.test.word);
        let one = Operand::Value(1);
        let is_test = test.opcode == Opcode::AND && test.operand == one;
        let [(_, sum), (_, shift)] = [self.step(Opcode::UADD)?, self.step(Opcode::USHR)?];
        let is_sum = (sum.word, sum.operand) == (sum.target, one) && sum.target != word;
        let is_shift = (shift.word, shift.target, shift.operand) == (word, word, one);
        let is_own = self.is_own(test.target) && ![word, sum.target].contains(&test.target);
        if !(is_test && is_sum && is_shift && is_own) || self.rest.len() != 2 {
            return None;
        }
        let [word, sum, bit] = [word, sum.target, test.target].map(Word::text);
        let texts = vec![
            format!("LSB {bit}, {}", replicated(&test.word.text())),
            format!("UADD {sum}, {}, {}", replicated(&sum), replicated(&bit)),
            format!("USHR {word}, {}, {}", replicated(&word), replicated(&bit)),
        ];
        // Without a bit it would go on for ever.
        let assumes = format!("the loop of line {} ends", self.body.place(self.lines.0));
        Some(self.variant(texts, "looks for the lowest bit", assumes))
    }

    fn variant(&self, texts: Vec<String>, work: &str, assumes: String) -> Variant {
        let (head, end) = self.lines;
        let mut plan = Plan::new(self.body);
        for line in head..=end {
            plan.drop_line(line);
        }
        plan.replace(head, texts);
        let change =
            format!("the loop of line {}, which {work}, as one opcode", self.body.place(head));
        Variant { assumes, ..plan.variant(Promise::Much, change) }
    }
}

/// A word as an operand that has its component everywhere.
fn replicated(word: &str) -> String {
    let (register, component) = word.split_once('.').unwrap_or((word, "x"));
    format!("{register}.{}", component.repeat(4))
}

impl<'b> Step<'b> {
    /// Reads an instruction with one component and two operands, the first of them a temporary.
    fn of(body: &'b Body<'b>, line: usize) -> Option<Step<'b>> {
        let immediates: Vec<&Immediate> = body.shader.immediates().collect();
        let line = body.lines.get(line)?;
        let instruction = &line.instruction;
        let (register, mask) = line.temporary()?;
        let mut components = mask.components();
        let (component, None) = (components.next()?, components.next()) else { return None };
        let [first, second] = &instruction.sources[..] else { return None };
        let operand = |source: &tgsi::ast::Source| {
            if let Some(value) = Known::default().source(source, component, &immediates) {
                return Some(Operand::Value(value));
            }
            let is_plain = !source.negate && !source.absolute && !source.register.is_computed();
            let register = source.register.temporary().filter(|_| is_plain)?;
            let component = source.swizzle.0[component as usize];
            Some(Operand::Word(Word { register, component }))
        };
        let Operand::Word(word) = operand(first)? else { return None };
        let is_plain = !instruction.saturate && !instruction.signed_saturate;
        is_plain.then_some(Step {
            opcode: instruction.opcode.value,
            target: Word { register, component },
            word,
            operand: operand(second)?,
            line,
        })
    }
}

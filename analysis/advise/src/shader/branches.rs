//! Branches: selects in their place, and outputs that are written once.

use std::collections::{BTreeMap, BTreeSet};

use tgsi::ast::WriteMask;
use tgsi::words::File;

use super::body::{Body, Line, Side, letters};
use super::effects::temporary;
use super::plan::Plan;
use super::tree::{Node, nodes};
use crate::search::{Promise, Variant};

/// Instructions of both arms, at most, that are computed whatever the condition is.
const MOST_SELECTED: usize = 48;

pub(super) fn moves(body: &Body<'_>, variants: &mut Vec<Variant>) {
    for node in nodes(&body.nodes) {
        if let Node::If { head, arms, otherwise, end } = node {
            let branch = Branch { head: *head, arms, otherwise: *otherwise, end: *end };
            variants.extend(branch.selected(body));
        }
    }
    variants.extend(outputs_once(body));
}

struct Branch<'n> {
    head: usize,
    arms: &'n [Vec<Node>; 2],
    otherwise: Option<usize>,
    end: usize,
}

/// Registers that an arm writes, with their components: temporaries, and outputs.
type Written = BTreeMap<(File, u32), WriteMask>;

impl Branch<'_> {
    fn lines<'b>(&self, body: &'b Body<'_>, arm: usize) -> Option<Vec<(usize, &'b Line)>> {
        let nodes = self.arms.get(arm)?.iter();
        let lines = nodes.map(|node| match node {
            Node::Leaf(line) => Some((*line, body.lines.get(*line)?)),
            _ => None,
        });
        lines.collect()
    }

    /// Both arms, and selects behind them.
    fn selected(&self, body: &Body<'_>) -> Option<Variant> {
        let arms = [self.lines(body, 0)?, self.lines(body, 1)?];
        if arms.iter().map(Vec::len).sum::<usize>() > MOST_SELECTED {
            return None;
        }
        let condition = body.lines.get(self.head)?;
        let [source] = &condition.instruction.sources[..] else { return None };
        let mut written: [Written; 2] = Default::default();
        for (arm, own) in arms.iter().zip(&mut written) {
            for (_, line) in arm {
                let is_alone = line.effects.is_speculable() && !line.effects.is_convergent;
                let destination = line.destination().filter(|_| is_alone)?;
                let file = destination.register.file;
                if !matches!(file, File::Temporary | File::Output) || reads_around(line) {
                    return None;
                }
                let number = destination.register.number()?;
                own.entry((file, number)).or_default().0 |= destination.mask.0;
            }
        }
        let outputs = |own: &Written| -> Vec<((File, u32), WriteMask)> {
            let all = own.iter().filter(|((file, _), _)| *file == File::Output);
            all.map(|(place, mask)| (*place, *mask)).collect()
        };
        // What an output held before cannot be read.
        if outputs(&written[0]) != outputs(&written[1]) {
            return None;
        }
        let mut plan = Plan::new(body);
        let flag = plan.fresh();
        let text = condition.slice(source.range).to_owned();
        let test = match condition.opcode() {
            "UIF" => format!("MOV TEMP[{flag}].x, {text}"),
            "IF" if !source.negate && !source.absolute => {
                format!("FSNE TEMP[{flag}].x, {text}, -{text}")
            }
            _ => return None,
        };
        plan.replace(self.head, vec![test]);
        let mut names: [BTreeMap<(File, u32), u32>; 2] = Default::default();
        for ((own, names), arm) in written.iter().zip(&mut names).zip(&arms) {
            let start = arm.first().map_or(self.end, |(number, _)| *number);
            for (file, number) in own.keys() {
                let name = plan.fresh();
                names.insert((*file, *number), name);
                let span = temporary(*number);
                let is_read = |(_, line): &(usize, &Line)| {
                    line.effects.reads.iter().any(|(read, _)| read.overlaps(&span))
                };
                if *file == File::Temporary && arm.iter().any(is_read) {
                    plan.insert(start, format!("MOV TEMP[{name}], TEMP[{number}]"));
                }
            }
            let rename = |file: File, number: u32, _: Side| {
                names.get(&(file, number)).map(|name| format!("TEMP[{name}]"))
            };
            for (number, line) in arm {
                plan.replace(*number, vec![line.renamed(&rename)]);
            }
        }
        if let Some(otherwise) = self.otherwise {
            plan.drop_line(otherwise);
        }
        let mut selects = Vec::new();
        let places: BTreeSet<(File, u32)> =
            written.iter().flat_map(|own| own.keys().copied()).collect();
        for place @ (file, number) in places {
            let [one, two] =
                [0, 1].map(|arm| written[arm].get(&place).copied().unwrap_or_default());
            let register = match file {
                File::Output => format!("OUT[{number}]"),
                _ => format!("TEMP[{number}]"),
            };
            let value = |arm: usize, is_own: bool| match names[arm].get(&place) {
                Some(name) if is_own => format!("TEMP[{name}]"),
                _ => register.clone(),
            };
            for [first, second] in [[true, true], [true, false], [false, true]] {
                let pick = |mask: WriteMask, is_own: bool| if is_own { mask.0 } else { !mask.0 };
                let mask = WriteMask(pick(one, first) & pick(two, second) & 0xf);
                if mask.0 != 0 {
                    let letters = letters(mask);
                    let [first, second] = [value(0, first), value(1, second)];
                    selects.push(format!(
                        "UCMP {register}{letters}, TEMP[{flag}].xxxx, {first}, {second}"
                    ));
                }
            }
        }
        match selects.is_empty() {
            true => plan.drop_line(self.end),
            false => plan.replace(self.end, selects),
        }
        let change = format!("the branch of line {} replaced by selects", body.place(self.head));
        Some(plan.variant(Promise::Much, change))
    }
}

/// Tells whether an instruction reads registers by a computed number.
fn reads_around(line: &Line) -> bool {
    line.instruction
        .sources
        .iter()
        .any(|it| it.register.is_computed() && it.register.file == File::Temporary)
}

/// Outputs are gathered in temporaries, and written at the end.
fn outputs_once(body: &Body<'_>) -> Option<Variant> {
    if body.has_several_results() {
        return None;
    }
    let mut written: BTreeMap<u32, WriteMask> = BTreeMap::new();
    let mut lines = Vec::new();
    let end = body.lines.iter().position(|line| line.opcode() == "END")?;
    for (number, line) in body.lines.iter().enumerate() {
        let reads = line.effects.reads.iter().any(|(span, _)| span.file == File::Output);
        let writes = line.effects.writes.iter().any(|it| it.span.file == File::Output);
        if !writes && !reads {
            continue;
        }
        let destination = line.destination().filter(|_| !reads)?;
        let output = destination.register.number()?;
        // An output that has two numbers belongs to a vertex.
        if destination.register.dimension.is_some() {
            return None;
        }
        written.entry(output).or_default().0 |= destination.mask.0;
        lines.push(number);
    }
    let is_done = lines.iter().all(|number| {
        let is_copy = body.lines.get(*number).is_some_and(|it| it.opcode() == "MOV");
        is_copy && *number + lines.len() >= end
    });
    if lines.is_empty() || is_done {
        return None;
    }
    let mut plan = Plan::new(body);
    let names: BTreeMap<u32, u32> = written.keys().map(|it| (*it, plan.fresh())).collect();
    let rename = |file: File, number: u32, _: Side| {
        let name = names.get(&number).filter(|_| file == File::Output)?;
        Some(format!("TEMP[{name}]"))
    };
    for number in &lines {
        let line = body.lines.get(*number)?;
        plan.replace(*number, vec![line.renamed(&rename)]);
    }
    for (output, mask) in &written {
        let name = names.get(output)?;
        plan.insert(end, format!("MOV OUT[{output}]{}, TEMP[{name}]", letters(*mask)));
    }
    Some(plan.variant(Promise::Some, "outputs written once, at the end".to_owned()))
}

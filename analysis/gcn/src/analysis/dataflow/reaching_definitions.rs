//! Where what an instruction reads comes from: back over every path, lane by lane.

use super::{AccessKind, Dataflow, Origin, Touch, bits, within};
use crate::analysis::cfg::Exit;
use crate::analysis::divergence::Masks;
use crate::instruction::Register;

/// A stretch that is still to be gone back over.
struct Rest {
    segment: usize,
    /// The instruction before which it ends.
    end: u32,
    /// The classes whose lanes' values are still looked for.
    classes: u64,
}

/// One walk back.
struct Walk<'a> {
    values: &'a Dataflow,
    masks: &'a Masks,
    touches: Vec<Touch>,
    /// For each segment the classes that its end was asked about.
    asked: Vec<u64>,
    stack: Vec<Rest>,
    found: Vec<Origin>,
}

impl Dataflow {
    /// Where the value may come from that an instruction finds in a single register, in
    /// order and each once; nothing where control never comes there.
    pub fn origins(&self, instruction: u32, register: Register) -> Vec<Origin> {
        let masks = self.masks(register.bank);
        let block = self.flow.block_of(instruction as usize) as usize;
        let range = masks.of_block.get(block).cloned().unwrap_or(0..0);
        let segments = masks.segments.get(range.start as usize..range.end as usize);
        let place = segments.unwrap_or_default().partition_point(|it| it.end <= instruction);
        let segment = range.start as usize + place;
        let touches = self.touches(register);
        let Some(own) = masks.segments.get(segment) else { return Vec::new() };
        let reads = touches
            .iter()
            .filter(|touch| touch.instruction == instruction && touch.kind == AccessKind::Read);
        let classes = reads.fold(0, |classes, touch| classes | touch.classes(own));
        let mut walk = Walk {
            values: self,
            masks,
            touches,
            asked: vec![0; masks.segments.len()],
            stack: vec![Rest { segment, end: instruction, classes }],
            found: Vec::new(),
        };
        while let Some(rest) = walk.stack.pop() {
            walk.back(&rest);
        }
        walk.found.sort_unstable();
        walk.found.dedup();
        walk.found
    }
}

impl Walk<'_> {
    fn back(&mut self, rest: &Rest) {
        let Some(segment) = self.masks.segments.get(rest.segment) else { return };
        let mut classes = rest.classes & segment.feasible;
        for touch in within(&self.touches, segment).iter().rev() {
            let writes = touch.kind == AccessKind::Write && touch.instruction < rest.end;
            let reached = touch.classes(segment) & classes;
            if !writes || reached == 0 {
                continue;
            }
            self.found.push(Origin::Instruction(touch.instruction));
            if touch.ends {
                classes &= !reached;
            }
        }
        if classes == 0 {
            return;
        }
        // A segment may be empty: its first instruction is then the next block's.
        let ranges = &self.masks.of_block;
        let block = ranges.partition_point(|range| range.end as usize <= rest.segment) as u32;
        let range = ranges.get(block as usize).cloned().unwrap_or(0..0);
        if rest.segment > range.start as usize {
            let before = rest.segment - 1;
            let Some(own) = self.masks.segments.get(before) else { return };
            let leads = |class: &usize| self.masks.step(own, *class) & classes != 0;
            let classes = set(bits(own.feasible).filter(leads));
            return self.ask(before, classes);
        }
        let flow = &self.values.flow;
        if flow.entries.contains(&block) {
            self.found.push(Origin::Entry(segment.first));
        }
        let predecessors = flow.blocks.get(block as usize).map(|it| it.predecessors.as_slice());
        for predecessor in predecessors.unwrap_or_default() {
            let predecessor = *predecessor as usize;
            let (Some(own), Some(range)) =
                (flow.blocks.get(predecessor), self.masks.of_block.get(predecessor))
            else {
                continue;
            };
            let Some(last) = (range.end as usize).checked_sub(1) else { continue };
            let Some(end) = self.masks.segments.get(last) else { continue };
            let leads = |class: &usize| {
                let mut edges = own.edges.iter().enumerate();
                edges.any(|(place, edge)| {
                    edge.is_some_and(|edge| edge.to == block)
                        && self.masks.edge(predecessor, place, *class) & classes != 0
                })
            };
            let reached = set(bits(end.feasible).filter(leads));
            if reached != 0 && own.exit == Exit::Unknown {
                self.found.push(Origin::Call(own.end - 1));
            }
            self.ask(last, reached);
        }
    }

    /// Goes on with the end of a segment, for the classes that were not asked before.
    fn ask(&mut self, segment: usize, classes: u64) {
        let Some(asked) = self.asked.get_mut(segment) else { return };
        let classes = classes & !*asked;
        *asked |= classes;
        if classes != 0 {
            let end = self.masks.segments.get(segment).map_or(0, |it| it.end);
            self.stack.push(Rest { segment, end, classes });
        }
    }
}

fn set(classes: impl Iterator<Item = usize>) -> u64 {
    classes.fold(0, |set, class| set | 1 << class)
}

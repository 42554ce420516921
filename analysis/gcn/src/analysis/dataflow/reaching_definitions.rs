//! Definitions that reach a use: back over every path, per class of lanes.

use super::{Dataflow, MemberKind, Origin, Touch, bits, within};
use crate::analysis::cfg::Exit;
use crate::analysis::divergence::Divergence;
use crate::instruction::Register;

/// A stretch that is still to be gone back over.
struct Rest {
    region: usize,
    /// The instruction before which it ends.
    end: u32,
    /// The classes whose lanes' values are still looked for.
    classes: u64,
}

/// One walk back.
struct Walk<'a> {
    values: &'a Dataflow,
    divergence: &'a Divergence,
    touches: Vec<Touch>,
    /// For each segment the classes that its end was asked about.
    asked: Vec<u64>,
    stack: Vec<Rest>,
    found: Vec<Origin>,
}

impl Dataflow {
    /// Finds where the value may come from that an instruction reads in a single register, in
    /// order and each once; nothing where control never comes there.
    pub fn origins(&self, instruction: u32, register: Register) -> Vec<Origin> {
        let divergence = self.divergence(register.bank);
        let block = self.cfg.block_of(instruction as usize) as usize;
        let range = divergence.block_regions.get(block).cloned().unwrap_or(0..0);
        let regions = divergence.regions.get(range.start as usize..range.end as usize);
        let place = regions.unwrap_or_default().partition_point(|it| it.end <= instruction);
        let region = range.start as usize + place;
        let touches = self.touches(register);
        let Some(own) = divergence.regions.get(region) else { return Vec::new() };
        let reads = touches
            .iter()
            .filter(|touch| touch.instruction == instruction && touch.kind == MemberKind::Use);
        let classes = reads.fold(0, |classes, touch| classes | touch.classes(own));
        let mut walk = Walk {
            values: self,
            divergence,
            touches,
            asked: vec![0; divergence.regions.len()],
            stack: vec![Rest { region, end: instruction, classes }],
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
        let Some(region) = self.divergence.regions.get(rest.region) else { return };
        let mut classes = rest.classes & region.reachable;
        for touch in within(&self.touches, region).iter().rev() {
            let writes = touch.kind == MemberKind::Def && touch.instruction < rest.end;
            let reached = touch.classes(region) & classes;
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
        let ranges = &self.divergence.block_regions;
        let block = ranges.partition_point(|range| range.end as usize <= rest.region) as u32;
        let range = ranges.get(block as usize).cloned().unwrap_or(0..0);
        if rest.region > range.start as usize {
            let before = rest.region - 1;
            let Some(own) = self.divergence.regions.get(before) else { return };
            let leads = |class: &usize| self.divergence.next_classes(own, *class) & classes != 0;
            let classes = set(bits(own.reachable).filter(leads));
            return self.ask(before, classes);
        }
        let cfg = &self.values.cfg;
        if cfg.entries.contains(&block) {
            self.found.push(Origin::Entry(region.first));
        }
        let predecessors = cfg.blocks.get(block as usize).map(|it| it.predecessors.as_slice());
        for predecessor in predecessors.unwrap_or_default() {
            let predecessor = *predecessor as usize;
            let (Some(own), Some(range)) =
                (cfg.blocks.get(predecessor), self.divergence.block_regions.get(predecessor))
            else {
                continue;
            };
            let Some(last) = (range.end as usize).checked_sub(1) else { continue };
            let Some(end) = self.divergence.regions.get(last) else { continue };
            let leads = |class: &usize| {
                let mut edges = own.edges.iter().enumerate();
                edges.any(|(place, edge)| {
                    edge.is_some_and(|edge| edge.to == block)
                        && self.divergence.edge_classes(predecessor, place, *class) & classes != 0
                })
            };
            let reached = set(bits(end.reachable).filter(leads));
            if reached != 0 && own.exit == Exit::Unknown {
                self.found.push(Origin::Call(own.end - 1));
            }
            self.ask(last, reached);
        }
    }

    /// Goes on with the end of a segment, for the classes that were not asked before.
    fn ask(&mut self, region: usize, classes: u64) {
        let Some(asked) = self.asked.get_mut(region) else { return };
        let classes = classes & !*asked;
        *asked |= classes;
        if classes != 0 {
            let end = self.divergence.regions.get(region).map_or(0, |it| it.end);
            self.stack.push(Rest { region, end, classes });
        }
    }
}

fn set(classes: impl Iterator<Item = usize>) -> u64 {
    classes.fold(0, |set, class| set | 1 << class)
}

//! Definitions that reach a use: back over every path, per class of lanes.

use super::{Dataflow, MemberKind, Origin, Touch, within};
use crate::analysis::cfg::Exit;
use crate::analysis::divergence::{Divergence, bits, set_of};
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
        let Some(range) = divergence.block_regions.get(block) else { return Vec::new() };
        let regions = divergence.regions_of(block);
        let region = range.start + regions.partition_point(|it| it.end <= instruction);
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
        let divergence = self.divergence;
        let region = &divergence.regions[rest.region];
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
        let ranges = &divergence.block_regions;
        let block = ranges.partition_point(|range| range.end <= rest.region);
        if rest.region > ranges[block].start {
            let own = &divergence.regions[rest.region - 1];
            let leads = |class: &usize| divergence.next_classes(own, *class) & classes != 0;
            return self.ask(rest.region - 1, set_of(bits(own.reachable).filter(leads)));
        }
        let cfg = &self.values.cfg;
        if cfg.entries.contains(&(block as u32)) {
            self.found.push(Origin::Entry(region.first));
        }
        for predecessor in cfg.blocks[block].predecessors.iter().map(|it| *it as usize) {
            let own = &cfg.blocks[predecessor];
            let last = ranges[predecessor].end - 1;
            let leads = |class: &usize| {
                let mut behind = divergence.leaving(cfg, predecessor, *class);
                behind.any(|(to, set)| to == block && set & classes != 0)
            };
            let reached = set_of(bits(divergence.regions[last].reachable).filter(leads));
            if reached != 0 && own.exit == Exit::Unknown {
                self.found.push(Origin::Call(own.end - 1));
            }
            self.ask(last, reached);
        }
    }

    /// Goes on with the end of a segment, for the classes that were not asked before.
    fn ask(&mut self, region: usize, classes: u64) {
        let classes = classes & !self.asked[region];
        self.asked[region] |= classes;
        if classes != 0 {
            let end = self.divergence.regions[region].end;
            self.stack.push(Rest { region, end, classes });
        }
    }
}

//! The values of one register: its reads and writes, those of one value together.
//!
//! Where a register holds something that is needed later, all writes that reach there
//! reach the same read. So each class of lanes at the start of a block stands for one
//! value, if any, and one pass over the code joins them: time linear in the code,
//! however many writes and reads there are.

use super::{Dataflow, MemberKind, Origin, Touch, within};
use crate::analysis::cfg::{Direction, Exit, find};
use crate::analysis::divergence::{Divergence, MaskRegion, bits, set_of};
use crate::instruction::Register;

/// The reads and writes of one register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webs {
    /// The reads and writes where control comes, in order; what an instruction reads
    /// comes before what it writes.
    pub members: Vec<Member>,
    /// The values.
    pub webs: Vec<Web>,
}

/// One read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The instruction.
    pub instruction: u32,
    /// The place among its register operands; `None` where no operand names the register.
    pub operand: Option<u8>,
    /// The side of the value.
    pub kind: MemberKind,
    /// Of which value: an index of [`Webs::webs`].
    pub web: u32,
}

/// A value of one register.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Web {
    /// Origins that are not writes: entries and calls.
    pub given: Vec<Origin>,
    /// An instruction behind which code that is not seen may read it.
    pub leaves: Option<u32>,
}

impl Dataflow {
    /// The values of a single register.
    pub fn webs(&self, register: Register) -> Webs {
        let divergence = self.divergence(register.bank);
        let touches = self.touches(register);
        let live = self.live(divergence, &touches);
        let mut joined = Joined::default();
        let mut starts = Vec::with_capacity(self.cfg.blocks.len());
        for block in 0..self.cfg.blocks.len() {
            starts.push(joined.parents.len());
            let classes = divergence.regions_of(block).first().map_or(0, |first| first.classes());
            joined.grow(classes);
        }
        let mut build =
            Build { values: self, divergence, touches, live, starts, joined, found: Vec::new() };
        for block in self.cfg.reverse_postorder.iter().map(|block| *block as usize) {
            build.block(block);
        }
        build.finish()
    }

    /// For each segment the classes of lanes at its start whose value is needed.
    fn live(&self, divergence: &Divergence, touches: &[Touch]) -> Vec<u64> {
        let mut live = vec![0_u64; divergence.regions.len()];
        self.cfg.solve(Direction::Backward, &self.cfg.reverse_postorder, |block| {
            let range = divergence.block_regions[block].clone();
            let (mut now, mut changed) = (0, false);
            for index in range.clone().rev() {
                let own = &divergence.regions[index];
                now = if index + 1 == range.end {
                    self.live_at_end(divergence, &live, block, own.reachable)
                } else {
                    let needed = |class: &usize| divergence.next_classes(own, *class) & now != 0;
                    set_of(bits(own.reachable).filter(needed))
                };
                for touch in within(touches, own).iter().rev() {
                    match touch.kind {
                        MemberKind::Use => now |= touch.classes(own),
                        MemberKind::Def if touch.ends => now &= !touch.classes(own),
                        MemberKind::Def => {}
                    }
                }
                // What the first region needs is what the predecessors are told.
                changed = live[index] != now;
                live[index] = now;
            }
            changed
        });
        live
    }

    fn live_at_end(
        &self,
        divergence: &Divergence,
        live: &[u64],
        block: usize,
        reachable: u64,
    ) -> u64 {
        if self.cfg.blocks[block].exit == Exit::Unknown {
            return reachable;
        }
        let needed = |class: &usize| {
            let mut behind = divergence.leaving(&self.cfg, block, *class);
            behind.any(|(to, classes)| classes & live[divergence.block_regions[to].start] != 0)
        };
        set_of(bits(reachable).filter(needed))
    }
}

/// A union-find of places that hold one value.
#[derive(Default)]
struct Joined {
    parents: Vec<u32>,
    /// The first place of what comes from each entry or call: that is one value.
    given: rustc_hash::FxHashMap<Origin, u32>,
    webs: rustc_hash::FxHashMap<u32, Web>,
}

impl Joined {
    fn grow(&mut self, count: usize) -> u32 {
        let first = self.parents.len() as u32;
        self.parents.extend(first..first + count as u32);
        first
    }

    fn find(&mut self, node: u32) -> u32 {
        find(&mut self.parents, node)
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one.max(other) as usize] = one.min(other);
    }

    /// Two values that may be none.
    fn join_if(&mut self, one: Option<u32>, other: Option<u32>) -> Option<u32> {
        if let (Some(one), Some(other)) = (one, other) {
            self.join(one, other);
        }
        one.or(other)
    }

    /// A value that is there without a write.
    fn give(&mut self, node: u32, origin: Origin) {
        let first = *self.given.entry(origin).or_insert(node);
        self.join(first, node);
        self.web(node).given.push(origin);
    }

    fn web(&mut self, node: u32) -> &mut Web {
        self.webs.entry(node).or_default()
    }
}

/// The one pass.
struct Build<'a> {
    values: &'a Dataflow,
    divergence: &'a Divergence,
    touches: Vec<Touch>,
    live: Vec<u64>,
    /// For each block the place of its start's first class.
    starts: Vec<usize>,
    joined: Joined,
    /// The members, with places instead of values.
    found: Vec<Member>,
}

impl Build<'_> {
    fn block(&mut self, block: usize) {
        let divergence = self.divergence;
        let cfg = &self.values.cfg;
        let own = &cfg.blocks[block];
        let range = divergence.block_regions[block].clone();
        // The value that each class of lanes holds here, as a node of the union-find; none
        // where nothing needs it.
        let mut current: [Option<u32>; 64] = [None; 64];
        for class in bits(self.live[range.start]) {
            let node = (self.starts[block] + class) as u32;
            current[class] = Some(node);
            if cfg.entries.contains(&(block as u32)) {
                self.joined.give(node, Origin::Entry(own.first));
            }
        }
        for index in range.clone() {
            let region = &divergence.regions[index];
            self.region(region, &mut current);
            if index + 1 == range.end {
                break;
            }
            let mut next = [None; 64];
            for class in bits(region.reachable) {
                let needed = divergence.next_classes(region, class) & self.live[index + 1];
                for behind in bits(needed) {
                    next[behind] = self.joined.join_if(next[behind], current[class]);
                }
            }
            current = next;
        }
        let reachable = divergence.regions[range.end - 1].reachable;
        let unknown = own.exit == Exit::Unknown;
        for class in bits(reachable) {
            let Some(node) = current[class] else { continue };
            if unknown {
                self.joined.web(node).leaves = Some(own.end - 1);
            }
            for (to, classes) in divergence.leaving(cfg, block, class) {
                for behind in bits(classes & self.live[divergence.block_regions[to].start]) {
                    let behind = (self.starts[to] + behind) as u32;
                    self.joined.join(node, behind);
                    if unknown {
                        self.joined.give(behind, Origin::Call(own.end - 1));
                    }
                }
            }
        }
    }

    fn region(&mut self, region: &MaskRegion, current: &mut [Option<u32>; 64]) {
        let touches = std::mem::take(&mut self.touches);
        for touch in within(&touches, region) {
            let classes = touch.classes(region);
            let node = match touch.kind {
                MemberKind::Use => {
                    // One operand reads the values of all its lanes, so they are one.
                    let all = bits(classes).map(|class| current[class]);
                    let read = all.fold(None, |one, other| self.joined.join_if(one, other));
                    read.unwrap_or_else(|| self.joined.grow(1))
                }
                MemberKind::Def => {
                    // A definition begins a value, or goes on with the old one in lanes that
                    // may keep it.
                    let node = self.joined.grow(1);
                    for class in bits(classes) {
                        let old = current[class].filter(|_| !touch.ends);
                        current[class] = self.joined.join_if(Some(node), old);
                    }
                    node
                }
            };
            if touch.outside {
                self.joined.web(node).leaves = Some(touch.instruction);
                continue;
            }
            let (instruction, operand, kind) = (touch.instruction, touch.operand, touch.kind);
            self.found.push(Member { instruction, operand, kind, web: node });
        }
        self.touches = touches;
    }

    /// Numbers the values in the order of their first members.
    fn finish(mut self) -> Webs {
        let mut members = std::mem::take(&mut self.found);
        members.sort_by_key(|member| (member.instruction, member.kind, member.operand));
        let mut numbers: rustc_hash::FxHashMap<u32, u32> = rustc_hash::FxHashMap::default();
        for member in &mut members {
            let root = self.joined.find(member.web);
            let next = numbers.len() as u32;
            member.web = *numbers.entry(root).or_insert(next);
        }
        let mut webs = vec![Web::default(); numbers.len()];
        for (node, more) in std::mem::take(&mut self.joined.webs) {
            let number = numbers.get(&self.joined.find(node));
            let Some(web) = number.and_then(|it| webs.get_mut(*it as usize)) else { continue };
            web.given.extend(more.given);
            web.leaves = [web.leaves, more.leaves].into_iter().flatten().min();
        }
        for web in &mut webs {
            web.given.sort_unstable();
            web.given.dedup();
        }
        Webs { members, webs }
    }
}

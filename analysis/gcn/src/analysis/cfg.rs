//! The control-flow graph: basic blocks, edges, natural loops, and control that leaves it.
//!
//! A jump to where a register says, a jump out of the code and words that are no
//! instruction cannot be followed: each is an [`Uncertainty`], and the analyses behind
//! take the worst for it. Everything here takes time linear in the code.

mod loops;
#[cfg(test)]
mod tests;

pub(super) use loops::find;

use super::code::Code;
use super::def_use::DefUse;
use crate::behaviour::{BranchCondition, Control};

/// A basic block: entered at its first instruction and left at its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The index of its first instruction.
    pub first: u32,
    /// The index behind its last instruction.
    pub end: u32,
    /// The edges to its successors: first the next block, then the target of its jump.
    pub edges: [Option<Edge>; 2],
    /// The blocks that may go on here, as they stand in the text; a branch to the next
    /// instruction counts twice.
    pub predecessors: Vec<u32>,
    /// The way in which control leaves the code here.
    pub exit: Exit,
    /// The innermost loop around it.
    pub inner_loop: Option<u32>,
    /// True if an entry leads here.
    pub reachable: bool,
}

impl Block {
    /// The indices of its instructions.
    pub fn instructions(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }

    /// The blocks where it may go on.
    pub fn successors(&self) -> impl Iterator<Item = usize> + use<> {
        self.edges.into_iter().flatten().map(|edge| edge.to as usize)
    }
}

/// An edge from one block to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The block it leads to.
    pub to: u32,
    /// The branch that decides it, and whether it is taken; `None` where there is no
    /// choice.
    pub condition: Option<(BranchCondition, bool)>,
}

/// The way in which control leaves the code at the end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// Control stays in the code.
    None,
    /// The wave ends: nothing is needed any more.
    End,
    /// To code that is not seen, which may need any register.
    Unknown,
}

/// A natural loop: its blocks reach its header again without leaving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The block that is entered first.
    pub header: u32,
    /// The loop around it.
    pub parent: Option<u32>,
    /// The number of loops that it is in, itself counted.
    pub depth: u32,
    /// The blocks that go back to the header.
    pub latches: Vec<u32>,
    /// True if it is entered only at its header.
    pub reducible: bool,
}

/// The direction of a dataflow analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// From each block to its successors.
    Forward,
    /// From each block to its predecessors.
    Backward,
}

/// A reason why control cannot be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Uncertainty {
    /// A register says where control goes.
    IndirectJump,
    /// Code elsewhere is called.
    Call,
    /// A jump leads out of the code or between two instructions.
    JumpOutside,
    /// Control runs on behind the last instruction.
    RunsOut,
    /// Words that are not an instruction.
    Undecodable,
    /// A loop has two entries.
    Irreducible,
}

/// The control-flow graph of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfg {
    /// The blocks in the order of the code; the first is entered first.
    pub blocks: Vec<Block>,
    /// Blocks that are entered from outside.
    pub entries: Vec<u32>,
    /// The reachable blocks, each before its successors but for back edges.
    pub reverse_postorder: Vec<u32>,
    /// The loops; parents stand behind what is in them.
    pub loops: Vec<Loop>,
    /// Control that cannot be followed, with the instruction.
    pub uncertainties: Vec<(u32, Uncertainty)>,
    block_of: Vec<u32>,
}

impl Cfg {
    /// Builds the graph of a code.
    pub fn of(code: &Code, def_use: &[DefUse]) -> Cfg {
        let count = code.instructions.len();
        let mut uncertainties = Vec::new();
        let targets: Vec<Option<u32>> = (0..count)
            .map(|index| target(code, &def_use[index], index, &mut uncertainties))
            .collect();
        // One more than there are: behind the last instruction.
        let mut leaders = vec![false; count + 1];
        leaders[0] = true;
        let entries: Vec<u32> =
            code.entries.iter().filter_map(|offset| index_of(code, i64::from(*offset))).collect();
        let from_gaps = &code.targets_of_gaps;
        for index in entries.iter().chain(targets.iter().flatten()).chain(from_gaps) {
            leaders[*index as usize] = true;
        }
        for (index, own) in def_use.iter().enumerate() {
            leaders[index + 1] |= own.control() != Control::Next || code.may_end_at(index);
        }
        leaders.truncate(count);
        let mut block_of = Vec::with_capacity(count);
        let mut blocks: Vec<Block> = Vec::new();
        for (index, is_leader) in leaders.iter().enumerate() {
            if *is_leader {
                blocks.push(Block {
                    first: index as u32,
                    end: index as u32,
                    edges: [None, None],
                    predecessors: Vec::new(),
                    exit: Exit::None,
                    inner_loop: None,
                    reachable: false,
                });
            }
            if let Some(block) = blocks.last_mut() {
                block.end = index as u32 + 1;
            }
            block_of.push(blocks.len().saturating_sub(1) as u32);
        }
        let mut cfg = Cfg {
            blocks,
            entries: Vec::new(),
            reverse_postorder: Vec::new(),
            loops: Vec::new(),
            uncertainties,
            block_of,
        };
        cfg.connect(code, def_use, &targets);
        let first = (count > 0).then_some(0);
        for index in first.into_iter().chain(entries) {
            let block = cfg.block_of(index as usize);
            if !cfg.entries.contains(&block) {
                cfg.entries.push(block);
            }
        }
        let walk = cfg.walk();
        cfg.find_loops(&walk);
        cfg.uncertainties.sort_by_key(|(index, _)| *index);
        cfg
    }

    /// The block of an instruction.
    pub fn block_of(&self, instruction: usize) -> u32 {
        self.block_of.get(instruction).copied().unwrap_or(0)
    }

    /// Counts the loops that a block is in.
    pub fn depth(&self, block: usize) -> u32 {
        let inner = self.blocks.get(block).and_then(|block| block.inner_loop);
        inner.and_then(|inner| self.loops.get(inner as usize)).map_or(0, |inner| inner.depth)
    }

    /// Visits blocks until a dataflow analysis has its fixpoint, first those of `begin`.
    /// `visit` tells whether what a block hands on changed.
    pub(super) fn solve(
        &self,
        direction: Direction,
        begin: &[u32],
        mut visit: impl FnMut(usize) -> bool,
    ) {
        let mut order: Vec<usize> = self.reverse_postorder.iter().map(|it| *it as usize).collect();
        if direction == Direction::Backward {
            order.reverse();
        }
        // A worklist as flags of blocks: passes in this order reach the fixpoint in as many
        // passes as loops nest, and each visits only what changed.
        let mut waiting = vec![false; self.blocks.len()];
        begin.iter().for_each(|block| waiting[*block as usize] = true);
        let mut changed = true;
        while changed {
            changed = false;
            for block in order.iter().copied() {
                if !std::mem::take(&mut waiting[block]) || !visit(block) {
                    continue;
                }
                changed = true;
                let own = &self.blocks[block];
                match direction {
                    Direction::Forward => own.successors().for_each(|it| waiting[it] = true),
                    Direction::Backward => {
                        own.predecessors.iter().for_each(|it| waiting[*it as usize] = true);
                    }
                }
            }
        }
    }

    fn connect(&mut self, code: &Code, def_use: &[DefUse], targets: &[Option<u32>]) {
        for index in 0..self.blocks.len() {
            let last = self.blocks[index].end - 1;
            let next = (index + 1 < self.blocks.len()).then_some(index as u32 + 1);
            let target = targets[last as usize].map(|target| self.block_of(target as usize));
            let control = match code.may_end_at(last as usize) {
                true => Control::Indirect,
                false => def_use[last as usize].control(),
            };
            let plain = |to: Option<u32>| to.map(|to| Edge { to, condition: None });
            let (edges, mut exit) = match control {
                Control::Next => ([plain(next), None], Exit::None),
                Control::Jump => ([None, plain(target)], Exit::None),
                Control::Branch(condition) => {
                    let edge = |to: Option<u32>, taken| {
                        to.map(|to| Edge { to, condition: Some((condition, taken)) })
                    };
                    ([edge(next, false), edge(target, true)], Exit::None)
                }
                // A callee may need any register, and comes back behind the call.
                Control::Call | Control::Fork => ([plain(next), plain(target)], Exit::Unknown),
                Control::IndirectCall => ([plain(next), None], Exit::Unknown),
                Control::Indirect => ([None, None], Exit::Unknown),
                Control::End => ([None, None], Exit::End),
            };
            let runs_on = !matches!(control, Control::Jump | Control::Indirect | Control::End);
            if runs_on && next.is_none() {
                exit = Exit::Unknown;
                self.uncertainties.push((last, Uncertainty::RunsOut));
            }
            if has_target(control) && target.is_none() {
                exit = Exit::Unknown;
            }
            for edge in edges.into_iter().flatten() {
                self.blocks[edge.to as usize].predecessors.push(index as u32);
            }
            (self.blocks[index].edges, self.blocks[index].exit) = (edges, exit);
        }
    }
}

/// Tells whether an instruction says where control may go.
pub(crate) fn has_target(control: Control) -> bool {
    matches!(control, Control::Jump | Control::Branch(_) | Control::Call | Control::Fork)
}

/// The instruction that a jump leads to.
fn target(
    code: &Code,
    def_use: &DefUse,
    index: usize,
    uncertainties: &mut Vec<(u32, Uncertainty)>,
) -> Option<u32> {
    let mut uncertainty = |uncertainty| uncertainties.push((index as u32, uncertainty));
    let Some(desc) = def_use.desc else {
        uncertainty(Uncertainty::Undecodable);
        return None;
    };
    let control = desc.control();
    match control {
        Control::Call | Control::IndirectCall => uncertainty(Uncertainty::Call),
        Control::Fork | Control::Indirect => uncertainty(Uncertainty::IndirectJump),
        Control::Next | Control::End | Control::Jump | Control::Branch(_) => {}
    }
    if !has_target(control) {
        return None;
    }
    let found = index_of(code, Code::jump_target(&code.instructions[index]));
    if found.is_none() {
        uncertainty(Uncertainty::JumpOutside);
    }
    found
}

pub(super) fn index_of(code: &Code, offset: i64) -> Option<u32> {
    let offset = u32::try_from(offset).ok()?;
    let found = code.instructions.binary_search_by_key(&offset, |instruction| instruction.offset);
    found.ok().map(|index| index as u32)
}

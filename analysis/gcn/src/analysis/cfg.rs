//! The control-flow graph: basic blocks, edges, natural loops, and control that leaves it.
//!
//! What cannot be followed (a jump to where a register says, a jump out of the
//! code, words that are no instruction) is a [`Uncertainty`], and the analyses behind
//! take the worst for it. Everything here takes time linear in the code.

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
    /// Words that are no instruction.
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
        let count = code.instructions.len().min(def_use.len());
        let mut uncertainties = Vec::new();
        let targets: Vec<Option<u32>> = (0..count)
            .map(|index| target(code, def_use.get(index)?, index, &mut uncertainties))
            .collect();
        let mut leaders = vec![false; count];
        let mut mark = |index: usize| {
            if let Some(place) = leaders.get_mut(index) {
                *place = true;
            }
        };
        mark(0);
        let entries: Vec<u32> =
            code.entries.iter().filter_map(|offset| index_of(code, i64::from(*offset))).collect();
        entries.iter().for_each(|index| mark(*index as usize));
        for (index, target) in targets.iter().enumerate() {
            if let Some(target) = target {
                mark(*target as usize);
            }
            if control(def_use, index) != Control::Next {
                mark(index + 1);
            }
        }
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
        cfg.connect(def_use, &targets);
        if count > 0 {
            cfg.entries.push(0);
        }
        for index in entries {
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

    /// Tells whether a block is in a loop, however deep.
    pub fn is_in_loop(&self, block: usize, around: u32) -> bool {
        let mut inner = self.blocks.get(block).and_then(|block| block.inner_loop);
        while let Some(own) = inner {
            if own == around {
                return true;
            }
            inner = self.loops.get(own as usize).and_then(|own| own.parent);
        }
        false
    }

    fn connect(&mut self, def_use: &[DefUse], targets: &[Option<u32>]) {
        for index in 0..self.blocks.len() {
            let Some(last) = self.blocks.get(index).and_then(|block| block.end.checked_sub(1))
            else {
                continue;
            };
            let next = (index + 1 < self.blocks.len()).then_some(index as u32 + 1);
            let target = targets.get(last as usize).copied().flatten();
            let target = target.map(|target| self.block_of(target as usize));
            let control = control(def_use, last as usize);
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
            let jumps = matches!(
                control,
                Control::Jump | Control::Branch(_) | Control::Call | Control::Fork
            );
            if jumps && target.is_none() {
                exit = Exit::Unknown;
            }
            for edge in edges.into_iter().flatten() {
                if let Some(block) = self.blocks.get_mut(edge.to as usize) {
                    block.predecessors.push(index as u32);
                }
            }
            if let Some(block) = self.blocks.get_mut(index) {
                block.edges = edges;
                block.exit = exit;
            }
        }
    }

    /// Walks the reachable blocks depth first, and puts them in reverse postorder.
    fn walk(&mut self) -> DepthFirstTree {
        let count = self.blocks.len();
        let mut walk = DepthFirstTree {
            preorder: vec![UNSEEN; count],
            last_descendant: vec![0; count],
            blocks: Vec::new(),
        };
        let mut finished = Vec::with_capacity(count);
        // A block and how many of its edges were followed. No recursion: code of a hundred
        // thousand blocks in a row would overflow the stack.
        let mut stack: Vec<(u32, u8)> = Vec::new();
        let mut roots: Vec<u32> = self.entries.clone();
        roots.reverse();
        while let Some(root) = roots.pop() {
            if walk.preorder.get(root as usize) == Some(&UNSEEN) {
                walk.enter(root);
                stack.push((root, 0));
            }
            while let Some((block, followed)) = stack.pop() {
                let edges = self.blocks.get(block as usize).map(|block| block.edges);
                let edges = edges.unwrap_or_default();
                let Some(edge) = edges.get(usize::from(followed)) else {
                    walk.leave(block);
                    finished.push(block);
                    continue;
                };
                stack.push((block, followed + 1));
                if let Some(edge) = edge
                    && walk.preorder.get(edge.to as usize) == Some(&UNSEEN)
                {
                    walk.enter(edge.to);
                    stack.push((edge.to, 0));
                }
            }
        }
        for block in &finished {
            if let Some(block) = self.blocks.get_mut(*block as usize) {
                block.reachable = true;
            }
        }
        finished.reverse();
        self.reverse_postorder = finished;
        walk
    }

    /// Finds the loops from the inside out, each collapsed into its header when it is
    /// done (Havlak 1997), which keeps the work near linear however deep they nest.
    fn find_loops(&mut self, walk: &DepthFirstTree) {
        let count = self.blocks.len();
        let mut collapsed: Vec<u32> = (0..count as u32).collect();
        // The loop of each header that is done: it stands for all its blocks.
        let mut loop_of_header: Vec<Option<u32>> = vec![None; count];
        // Against the preorder, so that inner headers come before outer ones.
        for header in walk.blocks.iter().rev().copied() {
            let predecessors =
                self.blocks.get(header as usize).map(|block| block.predecessors.clone());
            let (mut latches, mut body) = (Vec::new(), Vec::new());
            let mut seen = rustc_hash::FxHashSet::default();
            for predecessor in predecessors.unwrap_or_default() {
                if walk.is_ancestor(header, predecessor) {
                    // An edge from a descendant is a back edge.
                    latches.push(predecessor);
                    let representative = find(&mut collapsed, predecessor);
                    if representative != header && seen.insert(representative) {
                        body.push(representative);
                    }
                }
            }
            if latches.is_empty() {
                continue;
            }
            let own = self.loops.len() as u32;
            let mut reducible = true;
            let mut at = 0;
            while let Some(block) = body.get(at).copied() {
                at += 1;
                let predecessors =
                    self.blocks.get(block as usize).map(|block| block.predecessors.clone());
                for predecessor in predecessors.unwrap_or_default() {
                    if walk.preorder.get(predecessor as usize).is_none_or(|n| *n == UNSEEN) {
                        continue;
                    }
                    let representative = find(&mut collapsed, predecessor);
                    if !walk.is_ancestor(header, representative) {
                        // The loop is entered past its header.
                        reducible = false;
                    } else if representative != header && seen.insert(representative) {
                        body.push(representative);
                    }
                }
            }
            for block in &body {
                if let Some(place) = collapsed.get_mut(*block as usize) {
                    *place = header;
                }
                match loop_of_header.get(*block as usize).copied().flatten() {
                    Some(inner) => {
                        if let Some(inner) = self.loops.get_mut(inner as usize) {
                            inner.parent = Some(own);
                        }
                    }
                    None => self.put_in(*block, own),
                }
            }
            self.put_in(header, own);
            if let Some(place) = loop_of_header.get_mut(header as usize) {
                *place = Some(own);
            }
            if !reducible {
                let first = self.blocks.get(header as usize).map_or(0, |block| block.first);
                self.uncertainties.push((first, Uncertainty::Irreducible));
            }
            self.loops.push(Loop { header, parent: None, depth: 1, latches, reducible });
        }
        // Parents stand behind what is in them, so backwards each parent's depth is known.
        for index in (0..self.loops.len()).rev() {
            let parent = self.loops.get(index).and_then(|own| own.parent);
            let around = parent.and_then(|parent| self.loops.get(parent as usize));
            let depth = around.map_or(1, |around| around.depth + 1);
            if let Some(own) = self.loops.get_mut(index) {
                own.depth = depth;
            }
        }
    }

    fn put_in(&mut self, block: u32, inner: u32) {
        if let Some(block) = self.blocks.get_mut(block as usize) {
            block.inner_loop = Some(inner);
        }
    }
}

const UNSEEN: u32 = u32::MAX;

/// The tree of a depth-first walk. A block's descendants have the preorder numbers from its
/// own to that of its last descendant, so that ancestry is two comparisons.
struct DepthFirstTree {
    /// The preorder number of each block.
    preorder: Vec<u32>,
    /// The largest preorder number below each block.
    last_descendant: Vec<u32>,
    /// The blocks in preorder.
    blocks: Vec<u32>,
}

impl DepthFirstTree {
    fn enter(&mut self, block: u32) {
        if let Some(number) = self.preorder.get_mut(block as usize) {
            *number = self.blocks.len() as u32;
            self.blocks.push(block);
        }
    }

    fn leave(&mut self, block: u32) {
        let last = self.blocks.len().saturating_sub(1) as u32;
        if let Some(place) = self.last_descendant.get_mut(block as usize) {
            *place = last;
        }
    }

    fn is_ancestor(&self, ancestor: u32, block: u32) -> bool {
        let number = |block: u32| self.preorder.get(block as usize).copied().unwrap_or(UNSEEN);
        let (own, other) = (number(ancestor), number(block));
        let last = self.last_descendant.get(ancestor as usize).copied().unwrap_or(0);
        other != UNSEEN && own <= other && other <= last
    }
}

/// The header that a block was collapsed into; shortens the way for the next time.
fn find(collapsed: &mut [u32], block: u32) -> u32 {
    let mut at = block as usize;
    while let Some(next) = collapsed.get(at).map(|next| *next as usize) {
        if next == at {
            break;
        }
        let after = collapsed.get(next).copied().unwrap_or(next as u32);
        if let Some(place) = collapsed.get_mut(at) {
            *place = after;
        }
        at = next;
    }
    at as u32
}

fn control(def_use: &[DefUse], index: usize) -> Control {
    let desc = def_use.get(index).and_then(|def_use| def_use.desc);
    desc.map_or(Control::Next, |desc| desc.control())
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
    match desc.control() {
        Control::Next | Control::End => return None,
        Control::Indirect => {
            uncertainty(Uncertainty::IndirectJump);
            return None;
        }
        Control::IndirectCall => {
            uncertainty(Uncertainty::Call);
            return None;
        }
        Control::Call => uncertainty(Uncertainty::Call),
        Control::Fork => uncertainty(Uncertainty::IndirectJump),
        Control::Jump | Control::Branch(_) => {}
    }
    let instruction = code.instructions.get(index)?;
    let found = index_of(code, Code::jump_target(instruction));
    if found.is_none() {
        uncertainty(Uncertainty::JumpOutside);
    }
    found
}

fn index_of(code: &Code, offset: i64) -> Option<u32> {
    let offset = u32::try_from(offset).ok()?;
    let found = code.instructions.binary_search_by_key(&offset, |instruction| instruction.offset);
    found.ok().map(|index| index as u32)
}

#[cfg(test)]
mod tests {
    use super::super::code::AddressCounts;
    use super::*;
    use crate::Target;

    fn cfg(text: &str) -> Cfg {
        let target = Target::find("polaris10").expect("a chip");
        let code = Code::from_lines(target, text, AddressCounts::Named).expect("assembles");
        Cfg::of(&code, &DefUse::of_all(&code, &text::no_checkpoint))
    }

    #[test]
    fn branches_make_blocks_and_edges() {
        let cfg = cfg("s_cbranch_execz end\nv_nop\nend:\ns_endpgm\ns_nop 0");
        assert_eq!(cfg.blocks.len(), 4);
        let successors: Vec<Vec<usize>> =
            cfg.blocks.iter().map(|block| block.successors().collect()).collect();
        assert_eq!(successors, [vec![1, 2], vec![2], vec![], vec![]]);
        assert_eq!(cfg.blocks[2].predecessors, [0, 1]);
        assert_eq!(cfg.blocks[2].exit, Exit::End);
        assert!(!cfg.blocks[3].reachable);
        assert_eq!(cfg.reverse_postorder, [0, 1, 2]);
        assert_eq!(cfg.uncertainties, [(3, Uncertainty::RunsOut)]);
    }

    #[test]
    fn loops_nest() {
        let cfg = cfg("outer:\ns_nop 0\ninner:\ns_nop 1\ns_cbranch_scc1 inner\n\
             s_cbranch_scc0 outer\ns_endpgm");
        assert_eq!(cfg.loops.len(), 2);
        let depths: Vec<u32> = (0..4).map(|block| cfg.depth(block)).collect();
        assert_eq!(depths, [1, 2, 1, 0]);
        assert_eq!(cfg.loops[0].parent, Some(1));
        assert_eq!(cfg.loops[0].latches, [1]);
        assert!(cfg.is_in_loop(1, 1) && !cfg.is_in_loop(0, 0));
    }

    #[test]
    fn two_entries_of_a_loop_are_said() {
        let cfg = cfg("s_cbranch_scc1 second\nfirst:\ns_nop 0\nsecond:\ns_nop 1\n\
             s_cbranch_scc1 first\ns_endpgm");
        assert!(
            cfg.uncertainties
                .iter()
                .any(|(_, uncertainty)| *uncertainty == Uncertainty::Irreducible)
        );
        assert_eq!(cfg.depth(2), 1);
    }

    #[test]
    fn what_cannot_be_followed_is_said() {
        let cfg = cfg("s_swappc_b64 s[0:1], s[2:3]\ns_branch 100\ns_setpc_b64 s[4:5]");
        let uncertainties: Vec<Uncertainty> =
            cfg.uncertainties.iter().map(|(_, uncertainty)| *uncertainty).collect();
        assert_eq!(
            uncertainties,
            [Uncertainty::Call, Uncertainty::JumpOutside, Uncertainty::IndirectJump]
        );
        assert!(cfg.blocks.iter().all(|block| block.exit == Exit::Unknown));
        assert!(cfg.blocks[1].reachable && !cfg.blocks[2].reachable);
    }

    #[test]
    fn no_code_has_no_blocks() {
        let cfg = cfg("");
        assert!(
            cfg.blocks.is_empty() && cfg.reverse_postorder.is_empty() && cfg.entries.is_empty()
        );
    }

    #[test]
    fn deep_nests_are_quick() {
        let mut text = String::new();
        for level in 0..5000 {
            text.push_str(&format!("l{level}:\ns_nop 0\n"));
        }
        for level in (0..5000).rev() {
            text.push_str(&format!("s_cbranch_scc1 l{level}\n"));
        }
        text.push_str("s_endpgm");
        let cfg = cfg(&text);
        assert_eq!(cfg.loops.len(), 5000);
        assert_eq!(cfg.depth(4999), 5000);
    }
}

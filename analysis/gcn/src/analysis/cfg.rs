//! Control flow: blocks, edges, loops, and where control goes out of sight.
//!
//! What cannot be followed (a jump to where a register says, a jump out of the
//! code, words that are no instruction) is a [`Doubt`], and the analyses behind
//! take the worst for it. Everything here takes time linear in the code.

use super::code::Code;
use super::def_use::Effects;
use crate::behaviour::{BranchCondition, Control};

/// A sequence that is entered at its first instruction and left at its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The index of its first instruction.
    pub first: u32,
    /// The index behind its last instruction.
    pub end: u32,
    /// Where it may go on: first the next block, then the target of its jump.
    pub edges: [Option<Edge>; 2],
    /// The blocks that may go on here, as they stand in the text; a branch to the next
    /// instruction counts twice.
    pub predecessors: Vec<u32>,
    /// How control leaves the code here.
    pub exit: Exit,
    /// The innermost loop around it.
    pub inner_loop: Option<u32>,
    /// Whether an entry leads here.
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

/// A way from one block to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The block it leads to.
    pub to: u32,
    /// The branch that decides it, and whether it is taken; `None` where there is no
    /// choice.
    pub condition: Option<(BranchCondition, bool)>,
}

/// How control leaves the code at the end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// It does not.
    None,
    /// The wave ends: nothing is needed any more.
    End,
    /// To code that is not seen, which may need any register.
    Unknown,
}

/// A loop: its blocks reach its header again without leaving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The block that is entered first.
    pub header: u32,
    /// The loop around it.
    pub parent: Option<u32>,
    /// How many loops it is in, itself counted.
    pub depth: u32,
    /// The blocks that go back to the header.
    pub latches: Vec<u32>,
    /// Whether it is entered only at its header.
    pub reducible: bool,
}

/// Something that cannot be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Doubt {
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

/// The control flow of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// The blocks in the order of the code; the first is entered first.
    pub blocks: Vec<Block>,
    /// Blocks that are entered from outside.
    pub entries: Vec<u32>,
    /// The reachable blocks, each before its successors but for loops.
    pub order: Vec<u32>,
    /// The loops; parents stand behind what is in them.
    pub loops: Vec<Loop>,
    /// What cannot be followed, and the instruction.
    pub doubts: Vec<(u32, Doubt)>,
    block_of: Vec<u32>,
}

impl Flow {
    /// The control flow of a code with these effects.
    pub fn of(code: &Code, effects: &[Effects]) -> Flow {
        let count = code.instructions.len().min(effects.len());
        let mut doubts = Vec::new();
        let targets: Vec<Option<u32>> =
            (0..count).map(|index| target(code, effects.get(index)?, index, &mut doubts)).collect();
        let mut leads = vec![false; count];
        let mut mark = |index: usize| {
            if let Some(place) = leads.get_mut(index) {
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
            if control(effects, index) != Control::Next {
                mark(index + 1);
            }
        }
        let mut block_of = Vec::with_capacity(count);
        let mut blocks: Vec<Block> = Vec::new();
        for (index, leads) in leads.iter().enumerate() {
            if *leads {
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
        let mut flow = Flow {
            blocks,
            entries: Vec::new(),
            order: Vec::new(),
            loops: Vec::new(),
            doubts,
            block_of,
        };
        flow.connect(effects, &targets);
        if count > 0 {
            flow.entries.push(0);
        }
        for index in entries {
            let block = flow.block_of(index as usize);
            if !flow.entries.contains(&block) {
                flow.entries.push(block);
            }
        }
        let walk = flow.walk();
        flow.find_loops(&walk);
        flow.doubts.sort_by_key(|(index, _)| *index);
        flow
    }

    /// The block of an instruction.
    pub fn block_of(&self, instruction: usize) -> u32 {
        self.block_of.get(instruction).copied().unwrap_or(0)
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: usize) -> u32 {
        let inner = self.blocks.get(block).and_then(|block| block.inner_loop);
        inner.and_then(|inner| self.loops.get(inner as usize)).map_or(0, |inner| inner.depth)
    }

    /// Whether a block is in a loop, however deep.
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

    fn connect(&mut self, effects: &[Effects], targets: &[Option<u32>]) {
        for index in 0..self.blocks.len() {
            let Some(last) = self.blocks.get(index).and_then(|block| block.end.checked_sub(1))
            else {
                continue;
            };
            let next = (index + 1 < self.blocks.len()).then_some(index as u32 + 1);
            let target = targets.get(last as usize).copied().flatten();
            let target = target.map(|target| self.block_of(target as usize));
            let control = control(effects, last as usize);
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
                Control::Call | Control::Fork => ([plain(next), plain(target)], Exit::Unknown),
                Control::IndirectCall => ([plain(next), None], Exit::Unknown),
                Control::Indirect => ([None, None], Exit::Unknown),
                Control::End => ([None, None], Exit::End),
            };
            let runs_on = !matches!(control, Control::Jump | Control::Indirect | Control::End);
            if runs_on && next.is_none() {
                exit = Exit::Unknown;
                self.doubts.push((last, Doubt::RunsOut));
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

    /// Goes through the reachable blocks in depth, and orders them.
    fn walk(&mut self) -> Walk {
        let count = self.blocks.len();
        let mut walk =
            Walk { number: vec![UNSEEN; count], last: vec![0; count], by_number: Vec::new() };
        let mut finished = Vec::with_capacity(count);
        // A block and how many of its edges were followed.
        let mut stack: Vec<(u32, u8)> = Vec::new();
        let mut roots: Vec<u32> = self.entries.clone();
        roots.reverse();
        while let Some(root) = roots.pop() {
            if walk.number.get(root as usize) == Some(&UNSEEN) {
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
                    && walk.number.get(edge.to as usize) == Some(&UNSEEN)
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
        self.order = finished;
        walk
    }

    /// Finds the loops from the inside out, each collapsed into its header when it is
    /// done (Havlak 1997), which keeps the work near linear however deep they nest.
    fn find_loops(&mut self, walk: &Walk) {
        let count = self.blocks.len();
        let mut collapsed: Vec<u32> = (0..count as u32).collect();
        // The loop that a block is the header of.
        let mut headed: Vec<Option<u32>> = vec![None; count];
        for header in walk.by_number.iter().rev().copied() {
            let predecessors =
                self.blocks.get(header as usize).map(|block| block.predecessors.clone());
            let (mut latches, mut body) = (Vec::new(), Vec::new());
            let mut seen = rustc_hash::FxHashSet::default();
            for predecessor in predecessors.unwrap_or_default() {
                if walk.is_ancestor(header, predecessor) {
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
                    if walk.number.get(predecessor as usize).is_none_or(|n| *n == UNSEEN) {
                        continue;
                    }
                    let representative = find(&mut collapsed, predecessor);
                    if !walk.is_ancestor(header, representative) {
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
                match headed.get(*block as usize).copied().flatten() {
                    Some(inner) => {
                        if let Some(inner) = self.loops.get_mut(inner as usize) {
                            inner.parent = Some(own);
                        }
                    }
                    None => self.put_in(*block, own),
                }
            }
            self.put_in(header, own);
            if let Some(place) = headed.get_mut(header as usize) {
                *place = Some(own);
            }
            if !reducible {
                let first = self.blocks.get(header as usize).map_or(0, |block| block.first);
                self.doubts.push((first, Doubt::Irreducible));
            }
            self.loops.push(Loop { header, parent: None, depth: 1, latches, reducible });
        }
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

/// The order of a walk in depth: a block's descendants have the numbers from its own
/// to its last.
struct Walk {
    number: Vec<u32>,
    last: Vec<u32>,
    by_number: Vec<u32>,
}

impl Walk {
    fn enter(&mut self, block: u32) {
        if let Some(number) = self.number.get_mut(block as usize) {
            *number = self.by_number.len() as u32;
            self.by_number.push(block);
        }
    }

    fn leave(&mut self, block: u32) {
        let last = self.by_number.len().saturating_sub(1) as u32;
        if let Some(place) = self.last.get_mut(block as usize) {
            *place = last;
        }
    }

    fn is_ancestor(&self, ancestor: u32, block: u32) -> bool {
        let number = |block: u32| self.number.get(block as usize).copied().unwrap_or(UNSEEN);
        let (own, other) = (number(ancestor), number(block));
        let last = self.last.get(ancestor as usize).copied().unwrap_or(0);
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

fn control(effects: &[Effects], index: usize) -> Control {
    let recipe = effects.get(index).and_then(|effects| effects.recipe);
    recipe.map_or(Control::Next, |recipe| recipe.control())
}

/// The instruction that a jump leads to.
fn target(
    code: &Code,
    effects: &Effects,
    index: usize,
    doubts: &mut Vec<(u32, Doubt)>,
) -> Option<u32> {
    let mut doubt = |doubt| doubts.push((index as u32, doubt));
    let Some(recipe) = effects.recipe else {
        doubt(Doubt::Undecodable);
        return None;
    };
    match recipe.control() {
        Control::Next | Control::End => return None,
        Control::Indirect => {
            doubt(Doubt::IndirectJump);
            return None;
        }
        Control::IndirectCall => {
            doubt(Doubt::Call);
            return None;
        }
        Control::Call => doubt(Doubt::Call),
        Control::Fork => doubt(Doubt::IndirectJump),
        Control::Jump | Control::Branch(_) => {}
    }
    let instruction = code.instructions.get(index)?;
    let found = index_of(code, Code::jump_target(instruction));
    if found.is_none() {
        doubt(Doubt::JumpOutside);
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

    fn flow(text: &str) -> Flow {
        let target = Target::find("polaris10").expect("a chip");
        let code = Code::from_lines(target, text, AddressCounts::Named).expect("assembles");
        Flow::of(&code, &Effects::of_all(&code))
    }

    #[test]
    fn branches_make_blocks_and_edges() {
        let flow = flow("s_cbranch_execz end\nv_nop\nend:\ns_endpgm\ns_nop 0");
        assert_eq!(flow.blocks.len(), 4);
        let successors: Vec<Vec<usize>> =
            flow.blocks.iter().map(|block| block.successors().collect()).collect();
        assert_eq!(successors, [vec![1, 2], vec![2], vec![], vec![]]);
        assert_eq!(flow.blocks[2].predecessors, [0, 1]);
        assert_eq!(flow.blocks[2].exit, Exit::End);
        assert!(!flow.blocks[3].reachable);
        assert_eq!(flow.order, [0, 1, 2]);
        assert_eq!(flow.doubts, [(3, Doubt::RunsOut)]);
    }

    #[test]
    fn loops_nest() {
        let flow = flow(
            "outer:\ns_nop 0\ninner:\ns_nop 1\ns_cbranch_scc1 inner\n\
             s_cbranch_scc0 outer\ns_endpgm",
        );
        assert_eq!(flow.loops.len(), 2);
        let depths: Vec<u32> = (0..4).map(|block| flow.depth(block)).collect();
        assert_eq!(depths, [1, 2, 1, 0]);
        assert_eq!(flow.loops[0].parent, Some(1));
        assert_eq!(flow.loops[0].latches, [1]);
        assert!(flow.is_in_loop(1, 1) && !flow.is_in_loop(0, 0));
    }

    #[test]
    fn two_entries_of_a_loop_are_said() {
        let flow = flow(
            "s_cbranch_scc1 second\nfirst:\ns_nop 0\nsecond:\ns_nop 1\n\
             s_cbranch_scc1 first\ns_endpgm",
        );
        assert!(flow.doubts.iter().any(|(_, doubt)| *doubt == Doubt::Irreducible));
        assert_eq!(flow.depth(2), 1);
    }

    #[test]
    fn what_cannot_be_followed_is_said() {
        let flow = flow("s_swappc_b64 s[0:1], s[2:3]\ns_branch 100\ns_setpc_b64 s[4:5]");
        let doubts: Vec<Doubt> = flow.doubts.iter().map(|(_, doubt)| *doubt).collect();
        assert_eq!(doubts, [Doubt::Call, Doubt::JumpOutside, Doubt::IndirectJump]);
        assert!(flow.blocks.iter().all(|block| block.exit == Exit::Unknown));
        assert!(flow.blocks[1].reachable && !flow.blocks[2].reachable);
    }

    #[test]
    fn no_code_has_no_blocks() {
        let flow = flow("");
        assert!(flow.blocks.is_empty() && flow.order.is_empty() && flow.entries.is_empty());
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
        let flow = flow(&text);
        assert_eq!(flow.loops.len(), 5000);
        assert_eq!(flow.depth(4999), 5000);
    }
}

//! The depth-first walk of a control-flow graph, and its loops.

use super::{Cfg, Loop, Uncertainty};

const UNSEEN: u32 = u32::MAX;

impl Cfg {
    /// Walks the reachable blocks depth first, and puts them in reverse postorder.
    pub(super) fn walk(&mut self) -> DepthFirstTree {
        let count = self.blocks.len();
        let mut walk = DepthFirstTree {
            preorder: vec![UNSEEN; count],
            last_descendant: vec![0; count],
            blocks: Vec::new(),
        };
        let mut finished = Vec::with_capacity(count);
        // A block and how many of its edges were followed. No recursion: code of a hundred
        // thousand blocks in a row would overflow the stack.
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for root in &self.entries {
            if !walk.is_seen(*root) {
                walk.enter(*root);
                stack.push((*root, 0));
            }
            while let Some((block, followed)) = stack.pop() {
                let Some(edge) = self.blocks[block as usize].edges.get(followed) else {
                    walk.leave(block);
                    finished.push(block);
                    continue;
                };
                stack.push((block, followed + 1));
                if let Some(edge) = edge.filter(|edge| !walk.is_seen(edge.to)) {
                    walk.enter(edge.to);
                    stack.push((edge.to, 0));
                }
            }
        }
        for block in &finished {
            self.blocks[*block as usize].reachable = true;
        }
        finished.reverse();
        self.reverse_postorder = finished;
        walk
    }

    /// Finds the loops from the inside out, each collapsed into its header when it is
    /// done (Havlak 1997), which keeps the work near linear however deep they nest.
    pub(super) fn find_loops(&mut self, walk: &DepthFirstTree) {
        let count = self.blocks.len();
        let mut collapsed: Vec<u32> = (0..count as u32).collect();
        // The loop of each header that is done: it stands for all its blocks.
        let mut loop_of_header: Vec<Option<u32>> = vec![None; count];
        // Against the preorder, so that inner headers come before outer ones.
        for header in walk.blocks.iter().rev().copied() {
            let (mut latches, mut body) = (Vec::new(), Vec::new());
            let mut seen = rustc_hash::FxHashSet::default();
            for predecessor in self.blocks[header as usize].predecessors.iter().copied() {
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
                let predecessors = self.blocks[block as usize].predecessors.iter().copied();
                for predecessor in predecessors.filter(|it| walk.is_seen(*it)) {
                    let representative = find(&mut collapsed, predecessor);
                    if !walk.is_ancestor(header, representative) {
                        // The loop is entered past its header.
                        reducible = false;
                    } else if representative != header && seen.insert(representative) {
                        body.push(representative);
                    }
                }
            }
            for block in body {
                collapsed[block as usize] = header;
                match loop_of_header[block as usize] {
                    Some(inner) => self.loops[inner as usize].parent = Some(own),
                    None => self.blocks[block as usize].inner_loop = Some(own),
                }
            }
            self.blocks[header as usize].inner_loop = Some(own);
            loop_of_header[header as usize] = Some(own);
            if !reducible {
                let first = self.blocks[header as usize].first;
                self.uncertainties.push((first, Uncertainty::Irreducible));
            }
            self.loops.push(Loop { header, parent: None, depth: 1, latches, reducible });
        }
        // Parents stand behind what is in them, so backwards each parent's depth is known.
        for index in (0..self.loops.len()).rev() {
            if let Some(parent) = self.loops[index].parent {
                self.loops[index].depth = self.loops[parent as usize].depth + 1;
            }
        }
    }
}

/// The tree of a depth-first walk. A block's descendants have the preorder numbers from its
/// own to that of its last descendant, so that ancestry is two comparisons.
pub(super) struct DepthFirstTree {
    /// The preorder number of each block.
    preorder: Vec<u32>,
    /// The largest preorder number below each block.
    last_descendant: Vec<u32>,
    /// The blocks in preorder.
    blocks: Vec<u32>,
}

impl DepthFirstTree {
    fn enter(&mut self, block: u32) {
        self.preorder[block as usize] = self.blocks.len() as u32;
        self.blocks.push(block);
    }

    fn leave(&mut self, block: u32) {
        self.last_descendant[block as usize] = self.blocks.len() as u32 - 1;
    }

    fn is_seen(&self, block: u32) -> bool {
        self.preorder[block as usize] != UNSEEN
    }

    fn is_ancestor(&self, ancestor: u32, block: u32) -> bool {
        let own = self.preorder[ancestor as usize];
        let last = self.last_descendant[ancestor as usize];
        self.is_seen(block) && (own..=last).contains(&self.preorder[block as usize])
    }
}

/// The representative of a node of a union-find; shortens the way for the next time.
pub(in crate::analysis) fn find(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let above = parents[parents[node as usize] as usize];
        parents[node as usize] = above;
        node = above;
    }
    node
}

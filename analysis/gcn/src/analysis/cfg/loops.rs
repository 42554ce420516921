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
    pub(super) fn find_loops(&mut self, walk: &DepthFirstTree) {
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

//! Blocks: their ends, who dominates whom, and where parts meet.

use std::collections::{BTreeMap, BTreeSet};

use spirv::words::Op;

use super::{Block, Instruction};

/// Splits what follows the globals into functions of blocks.
pub(super) fn functions(instructions: &[Instruction]) -> Result<Vec<Vec<Block>>, String> {
    let mut functions: Vec<Vec<Block>> = Vec::new();
    let mut open: Option<Block> = None;
    for instruction in instructions {
        match (instruction.op, &mut open) {
            (Op::Function, None) => functions.push(Vec::new()),
            (Op::FunctionEnd, None) => {}
            (Op::Label, None) => {
                let label = instruction.result.unwrap_or(0);
                open = Some(Block { label, instructions: Vec::new() });
            }
            (_, Some(block)) if instruction.op != Op::Label => {
                block.instructions.push(instruction.clone());
                if is_end(instruction.op) {
                    functions.last_mut().ok_or("a block outside of functions")?.extend(open.take());
                }
            }
            (op, _) => return Err(format!("{op:?} stands between blocks or within one")),
        }
    }
    match open {
        Some(block) => Err(format!("block %{} has no end", block.label)),
        None => Ok(functions),
    }
}

fn is_end(op: Op) -> bool {
    matches!(op, Op::Branch | Op::BranchConditional | Op::Switch | Op::Return | Op::Unreachable)
}

impl Block {
    fn end(&self) -> &Instruction {
        &self.instructions[self.instructions.len() - 1]
    }

    /// The blocks that its end leads to.
    fn successors(&self) -> Vec<u32> {
        let end = self.end();
        match end.op {
            Op::Branch => end.ids.clone(),
            Op::BranchConditional | Op::Switch => end.ids[1..].to_vec(),
            _ => Vec::new(),
        }
    }

    /// The merge instruction before its end.
    fn merge(&self) -> Option<&Instruction> {
        let before = self.instructions.len().checked_sub(2)?;
        let merge = &self.instructions[before];
        matches!(merge.op, Op::SelectionMerge | Op::LoopMerge).then_some(merge)
    }
}

/// For each block that can be reached, the blocks through which every way to it leads.
fn dominators(blocks: &[Block]) -> BTreeMap<u32, BTreeSet<u32>> {
    let place: BTreeMap<u32, usize> = blocks.iter().map(|it| it.label).zip(0..).collect();
    let mut found: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    found.insert(blocks[0].label, BTreeSet::from([blocks[0].label]));
    loop {
        let mut changed = false;
        for block in blocks {
            let Some(own) = found.get(&block.label).cloned() else { continue };
            for next in block.successors() {
                if !place.contains_key(&next) || next == blocks[0].label {
                    continue;
                }
                let mut through: BTreeSet<u32> = match found.get(&next) {
                    Some(known) => known.intersection(&own).copied().collect(),
                    None => own.clone(),
                };
                through.insert(next);
                if found.get(&next) != Some(&through) {
                    found.insert(next, through);
                    changed = true;
                }
            }
        }
        if !changed {
            return found;
        }
    }
}

/// Checks a function. `global` has the ids before all functions, `all` those of the module.
pub(super) fn check(
    blocks: &[Block],
    global: &BTreeSet<u32>,
    all: &BTreeSet<u32>,
) -> Result<(), String> {
    let labels: BTreeSet<u32> = blocks.iter().map(|block| block.label).collect();
    if labels.len() != blocks.len() || blocks.is_empty() {
        return Err("a function without blocks, or a label that stands twice".to_owned());
    }
    let dominators = dominators(blocks);
    uses(blocks, global, all, &labels, &dominators)?;
    structure(blocks, &labels, &dominators)
}

fn uses(
    blocks: &[Block],
    global: &BTreeSet<u32>,
    all: &BTreeSet<u32>,
    labels: &BTreeSet<u32>,
    dominators: &BTreeMap<u32, BTreeSet<u32>>,
) -> Result<(), String> {
    let mut home: BTreeMap<u32, u32> = BTreeMap::new();
    for block in blocks {
        for instruction in &block.instructions {
            home.extend(instruction.result.map(|result| (result, block.label)));
        }
    }
    for block in blocks {
        let Some(above) = dominators.get(&block.label) else { continue };
        let mut here = BTreeSet::new();
        for instruction in &block.instructions {
            for (place, id) in instruction.ids.iter().enumerate() {
                let fine = match instruction.op {
                    Op::Phi if place % 2 == 0 => {
                        // The value must be there where its way comes from.
                        let parent = instruction.ids.get(place + 1).copied().unwrap_or(0);
                        let reaches = |home: &u32| {
                            dominators.get(&parent).is_some_and(|above| above.contains(home))
                        };
                        global.contains(id) || home.get(id).is_some_and(reaches)
                    }
                    Op::FunctionCall if place == 0 => all.contains(id),
                    _ => {
                        labels.contains(id)
                            || global.contains(id)
                            || here.contains(id)
                            || home
                                .get(id)
                                .is_some_and(|home| *home != block.label && above.contains(home))
                    }
                };
                if !fine {
                    let (op, label) = (instruction.op, block.label);
                    return Err(format!("{op:?} in block %{label} uses %{id} before it is there"));
                }
            }
            here.extend(instruction.result);
        }
    }
    Ok(())
}

fn structure(
    blocks: &[Block],
    labels: &BTreeSet<u32>,
    dominators: &BTreeMap<u32, BTreeSet<u32>>,
) -> Result<(), String> {
    let order: BTreeMap<u32, usize> = blocks.iter().map(|it| it.label).zip(0..).collect();
    let mut merges = BTreeSet::new();
    // Where jumps out of a construct may lead.
    let mut ends: BTreeSet<u32> = BTreeSet::new();
    let mut loops: BTreeMap<u32, u32> = BTreeMap::new();
    for block in blocks {
        let Some(merge) = block.merge() else { continue };
        if !merges.insert(merge.ids[0]) {
            return Err(format!("two constructs meet in %{}", merge.ids[0]));
        }
        ends.extend(&merge.ids);
        if merge.op == Op::LoopMerge {
            loops.insert(block.label, merge.ids[1]);
        }
        for id in &merge.ids {
            let above = dominators.get(id).is_none_or(|above| above.contains(&block.label));
            if !labels.contains(id) || !above {
                return Err(format!("%{} does not dominate %{id}, where it meets", block.label));
            }
        }
    }
    for block in blocks {
        let successors = block.successors();
        for next in &successors {
            if !labels.contains(next) {
                return Err(format!("%{} jumps to %{next} of no block", block.label));
            }
            if order[next] <= order[&block.label] && loops.get(next) != Some(&block.label) {
                return Err(format!("%{} jumps back to %{next}, no loop of its", block.label));
            }
        }
        let distinct: BTreeSet<u32> = successors.iter().copied().collect();
        let parts = distinct.iter().filter(|next| !ends.contains(next)).count();
        if parts > 1 && block.merge().is_none() {
            return Err(format!("%{} parts and does not say where it meets", block.label));
        }
    }
    for (head, next) in loops {
        let back = blocks.iter().find(|block| block.label == next).map(Block::successors);
        if back != Some(vec![head]) {
            return Err(format!("%{next} does not lead back to its loop %{head}"));
        }
    }
    Ok(())
}

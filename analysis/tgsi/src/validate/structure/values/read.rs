//! Passes to the back: what is written and not read, and loops that end by nothing they change.

use super::Values;
use super::steps::{Set, Step};
use crate::opcodes::Control;
use crate::validate::Block;

/// The passes to the back that a reading may take: one for each depth of loops, and two more.
const MOST_PASSES: usize = 8;

/// A loop: its number, its first step and its last.
type Span = (usize, usize, usize);

impl Values {
    /// Counts the instructions whose results nothing reads, and the loops that nothing that they
    /// change ends.
    pub(super) fn unread(&self, steps: &[&Step]) -> Option<(u32, u32)> {
        let loops = steps.iter().filter(|step| step.control == Some(Control::Loop)).count();
        let mut heads = vec![self.none.clone(); loops];
        for _ in 0..MOST_PASSES {
            let before = heads.clone();
            let (unread, spans) = self.back(steps, &mut heads)?;
            if heads == before {
                let endless = spans.iter().filter(|(number, first, last)| {
                    self.is_endless(&steps[*first..=*last], &heads[*number])
                });
                return Some((unread, u32::try_from(endless.count()).ok()?));
            }
        }
        None
    }

    /// Reads to the back: the results that nothing reads, and the loops with their first and last
    /// steps.
    fn back(&self, steps: &[&Step], heads: &mut [Set]) -> Option<(u32, Vec<Span>)> {
        let mut unread = 0;
        let mut live = self.none.clone();
        let mut open: Vec<Back> = Vec::new();
        let mut number = heads.len();
        let mut spans: Vec<Span> = Vec::new();
        for (at, step) in steps.iter().enumerate().rev() {
            let is_read = step.writes.iter().any(|bits| live.of(*bits) != 0);
            unread += u32::from(step.pure && !step.writes.is_empty() && !is_read);
            step.writes.iter().for_each(|bits| live.take(*bits));
            match step.control.unwrap_or(Control::Next) {
                Control::EndIf => open.push(Back::new(Block::If, at, live.clone(), &self.none)),
                Control::Else => {
                    let back = open.last_mut().filter(|it| it.block == Block::If)?;
                    std::mem::swap(&mut back.exit, &mut live);
                }
                // What the other way needs: behind the block, or at the head of `ELSE`.
                Control::If => live.unite(&open.pop().filter(|it| it.block == Block::If)?.exit),
                Control::EndLoop => {
                    number = number.checked_sub(1)?;
                    let mut back = Back::new(Block::Loop, at, live.clone(), &self.none);
                    back.number = number;
                    live.clone_from(&heads[number]);
                    open.push(back);
                }
                Control::Loop => {
                    let back = open.pop().filter(|it| it.block == Block::Loop)?;
                    spans.push((back.number, at, back.end));
                    heads[back.number].clone_from(&live);
                }
                Control::EndSwitch => {
                    open.push(Back::new(Block::Switch, at, live.clone(), &self.none));
                }
                Control::Case | Control::Default => {
                    let back = open.last_mut().filter(|it| it.block == Block::Switch)?;
                    back.cases.unite(&live);
                    back.default |= step.control == Some(Control::Default);
                }
                Control::Switch => {
                    let back = open.pop().filter(|it| it.block == Block::Switch)?;
                    live = back.cases;
                    if !back.default {
                        live.unite(&back.exit);
                    }
                }
                Control::Break => {
                    live.clone_from(&open.iter().rev().find(|it| it.block != Block::If)?.exit);
                }
                Control::Continue => {
                    let back = open.iter().rev().find(|it| it.block == Block::Loop)?;
                    live.clone_from(&heads[back.number]);
                }
                Control::Return | Control::End => live.clone_from(&self.outputs),
                Control::Next => {}
                Control::Call | Control::Subroutine | Control::EndSubroutine | Control::Jump => {
                    return None;
                }
            }
            step.may_read.iter().for_each(|bits| live.put(*bits));
            if step.reads_any {
                live.0.fill(u64::MAX);
            }
        }
        Some((unread, spans))
    }

    /// Tells whether a loop, from its first word to its last, ends by nothing that it changes. The
    /// values that its head needs are given.
    fn is_endless(&self, steps: &[&Step], needed: &Set) -> bool {
        let mut changes = self.none.clone();
        for step in steps {
            step.writes.iter().for_each(|bits| changes.put(*bits));
            if step.writes_any {
                return false;
            }
        }
        // What one time leaves for the next.
        changes.intersect(needed);
        loop {
            let before = changes.clone();
            let mut blocks: Vec<(Block, bool)> = Vec::new();
            for (at, step) in steps.iter().enumerate() {
                let reads = step.may_read.iter().any(|bits| changes.of(*bits) != 0);
                let around = blocks.iter().any(|(_, changing)| *changing);
                let changing = reads || step.reads_any || step.varies;
                match step.control {
                    Some(Control::If) => blocks.push((Block::If, changing)),
                    Some(Control::Switch) => blocks.push((Block::Switch, changing)),
                    Some(Control::Loop) if at > 0 => blocks.push((Block::Loop, false)),
                    Some(Control::EndIf | Control::EndSwitch) => drop(blocks.pop()),
                    Some(Control::EndLoop) if at + 1 < steps.len() => drop(blocks.pop()),
                    Some(Control::Break) => {
                        let own = blocks.iter().all(|(block, _)| *block == Block::If);
                        if own && (around || blocks.is_empty()) {
                            return false;
                        }
                    }
                    Some(Control::Return | Control::End) => return false,
                    _ => {}
                }
                if changing || around {
                    step.writes.iter().for_each(|bits| changes.put(*bits));
                }
            }
            if changes == before {
                return true;
            }
        }
    }
}

/// A block that is open, read to the back.
struct Back {
    block: Block,
    end: usize,
    /// The registers that are needed after it.
    exit: Set,
    /// The registers that its cases need.
    cases: Set,
    default: bool,
    number: usize,
}

impl Back {
    fn new(block: Block, end: usize, exit: Set, none: &Set) -> Back {
        Back { block, end, exit, cases: none.clone(), default: false, number: 0 }
    }
}

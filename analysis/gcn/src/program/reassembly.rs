//! Incremental assembly: instructions of the text before it.
//!
//! Encoding takes most of the time of a program, and an edit changes few lines. An
//! instruction that asks for no symbol depends on its text and the chip alone, so
//! where the same bytes were encoded before, the words are taken from there. What
//! comes out is the same as without.

use source::TextSize;

use super::{Instruction, Program};
use crate::assembler::Expansion;
use crate::assembler::result::{NOT_CLEANED, Statement};
use crate::assembler::sources::{NodeId, SourceId};
use crate::instruction::Assembled;

/// The instructions of an earlier text, read in step with those of a later one.
#[derive(Debug)]
pub(super) struct Before<'a> {
    expansion: &'a Expansion,
    left: &'a [Instruction],
    /// Bytes at the beginning that both texts have.
    same_start: u32,
    /// The start, in the later text, of the end that both texts have.
    same_end: u32,
    /// The difference to add to an offset of that end for the earlier one's.
    shift: i64,
}

impl<'a> Before<'a> {
    /// Compares the texts; `None` where the earlier one was read in another way.
    pub(super) fn new(before: Option<&'a Program>, later: &Program) -> Option<Before<'a>> {
        let of_same_kind = |it: &&Program| it.target == later.target && it.dialect == later.dialect;
        let before = before.filter(of_same_kind)?;
        let texts = [before, later].map(|it| it.expansion.source(SourceId::ROOT));
        let [old, new] = texts.map(|it| it.as_bytes());
        let shorter = old.len().min(new.len());
        let start = equal_bytes(shorter, |from, to| old[from..to] == new[from..to]);
        let end = equal_bytes(shorter - start, |from, to| {
            old[old.len() - to..old.len() - from] == new[new.len() - to..new.len() - from]
        });
        Some(Before {
            expansion: &before.expansion,
            left: &before.instructions,
            same_start: start as u32,
            same_end: (new.len() - end) as u32,
            shift: old.len() as i64 - new.len() as i64,
        })
    }

    /// The words of a statement, where the earlier text has the same one in the
    /// same place. Statements must be asked for in the order of the text; what is
    /// out of order is not found.
    pub(super) fn words(&mut self, statement: &Statement) -> Option<Assembled> {
        if !is_plain(statement) {
            return None;
        }
        let range = statement.span.range;
        let start = match range {
            it if u32::from(it.end()) <= self.same_start => i64::from(u32::from(it.start())),
            it if u32::from(it.start()) >= self.same_end => {
                i64::from(u32::from(it.start())) + self.shift
            }
            _ => return None,
        };
        let start = TextSize::new(u32::try_from(start).ok()?);
        while let Some((instruction, rest)) = self.left.split_first() {
            let statement = self.expansion.statements.get(instruction.statement as usize)?;
            let found = statement.span.range;
            if is_plain(statement) && found.start() >= start {
                let same = found.start() == start && found.len() == range.len();
                let alone = same && instruction.stands_alone;
                return instruction.assembled.filter(|_| alone);
            }
            self.left = rest;
        }
        None
    }
}

/// Tells whether a statement's text is a part of the file's text.
fn is_plain(statement: &Statement) -> bool {
    statement.span.source == SourceId::ROOT
        && statement.node == NodeId::ROOT
        && statement.cleaned == NOT_CLEANED
}

/// Counts equal bytes up to a limit, in steps that the machine compares fast.
fn equal_bytes(most: usize, equal: impl Fn(usize, usize) -> bool) -> usize {
    const STEP: usize = 4096;
    let mut at = 0;
    while at + STEP <= most && equal(at, at + STEP) {
        at += STEP;
    }
    while at < most && equal(at, at + 1) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::{Options, assemble, reassemble};
    use crate::assembler::Dialect;

    const PARTS: [&str; 17] = [
        "v_add_f32 v0, v1, v2\n",
        "v_add_f32 v0, v1, v2 // a comment\n",
        "s_mov_b32 s0, value\n",
        "value = 7\n",
        "pool = %s[2:3]\n",
        "pool = %s[4:7]\n",
        "s_mov_b64 pool, s[0:1]\n",
        "again:\n",
        "s_branch again\n",
        "/* a /* b */ s_nop 0\n",
        ".macro two\ns_nop 1\ns_nop 2\n.endm\n",
        "two\n",
        ".rept 2\ns_nop 3\n.endr\n",
        ".section .other\ns_nop 4\n.text\n",
        "s_bogus s0; s_nop 5\n",
        "buffer_load_dword v0, v1, s[0:3], 0 offen offset:5000\n",
        "*/ \"",
    ];

    /// Both ways over a chain of edits: a part in, a part out, somewhere.
    #[test]
    fn what_is_taken_over_is_what_would_be_encoded() {
        let (mut seed, mut taken) = (1_u64, 0);
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below.max(1)
        };
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            let options = Options { dialect, ..Options::default() };
            let mut parts: Vec<&str> = PARTS.repeat(2);
            let none = |_: &str| None;
            let mut before = None;
            for _ in 0..300 {
                let at = random(parts.len());
                if random(2) == 0 && parts.len() < 60 {
                    parts.insert(at, PARTS[random(PARTS.len())]);
                } else if !parts.is_empty() {
                    parts.remove(at);
                }
                let text = parts.concat();
                let fresh = assemble(&text, &options, &none, &source::no_checkpoint);
                let again = reassemble(
                    before.as_ref(),
                    &text.as_str().into(),
                    &options,
                    &none,
                    &source::no_checkpoint,
                );
                assert_eq!(fresh.instructions, again.instructions, "{text}");
                assert_eq!(fresh.diagnostics, again.diagnostics, "{text}");
                let mut earlier = super::Before::new(before.as_ref(), &again);
                let words = |it: &super::Statement| earlier.as_mut()?.words(it);
                taken += again.expansion.statements.iter().filter_map(words).count();
                before = Some(again);
            }
        }
        assert!(taken > 1_000, "{taken} were taken over");
    }
}

//! Incremental assembly: instructions of the text before it.
//!
//! Encoding takes most of the time of a program, and an edit changes few lines. An
//! instruction that asks for no symbol depends on its text and the chip alone, so
//! where the same bytes were encoded before, the words are taken from there. What
//! comes out is the same as without.

use std::borrow::Cow;

use source::TextSize;

use super::{Dependence, Instruction, Program};
use crate::assembler::Expansion;
use crate::assembler::change::Change;
use crate::assembler::edited::Kept;
use crate::assembler::result::{NOT_CLEANED, Statement};
use crate::assembler::sources::{NodeId, SourceId};
use crate::instruction::Assembled;

/// The instructions of an earlier text, read in step with those of a later one.
#[derive(Debug)]
pub(super) struct Before<'a> {
    expansion: &'a Expansion,
    /// In the order of their statements.
    instructions: Cow<'a, [Instruction]>,
    /// The next of them.
    at: usize,
    change: Change,
    kept: Option<Kept>,
}

impl<'a> Before<'a> {
    /// Prepares for the instructions of a later text, of which some statements may be known to
    /// be those of the earlier one, with the same symbols.
    pub(super) fn new(before: &'a Program, change: Change, kept: Option<Kept>) -> Before<'a> {
        let mut instructions = Cow::Borrowed(&before.instructions[..]);
        if kept.is_some() && !instructions.is_sorted_by_key(|it| it.statement) {
            instructions.to_mut().sort_by_key(|it| it.statement);
        }
        Before { expansion: &before.expansion, instructions, at: 0, change, kept }
    }

    /// The words of a statement, where the earlier text has the same one in the
    /// same place. Statements must be asked for in the order of the text; what is
    /// out of order is not found.
    pub(super) fn words(
        &mut self,
        index: u32,
        statement: &Statement,
    ) -> Option<(Assembled, Dependence)> {
        match self.kept {
            Some(kept) => self.kept_words(kept.earlier(index)?),
            None => self.equal_words(statement),
        }
    }

    /// The words of a statement of the earlier text, unless something was said of it.
    fn kept_words(&mut self, statement: u32) -> Option<(Assembled, Dependence)> {
        let left = self.instructions.get(self.at..)?;
        self.at += left.iter().position(|it| it.statement >= statement)?;
        let found = self.instructions.get(self.at)?;
        let is_sound = found.statement == statement && found.depends_on != Dependence::Doubt;
        Some((found.assembled.filter(|_| is_sound)?, found.depends_on))
    }

    /// The words of a statement whose bytes did not change, as far as they depend on these
    /// alone.
    fn equal_words(&mut self, statement: &Statement) -> Option<(Assembled, Dependence)> {
        if !is_plain(statement) {
            return None;
        }
        let range = statement.span.range;
        let start = self.change.earlier(range.start().into(), range.end().into())?;
        let start = TextSize::new(u32::try_from(start).ok()?);
        while let Some(instruction) = self.instructions.get(self.at) {
            let statement = self.expansion.statements.get(instruction.statement as usize)?;
            let found = statement.span.range;
            if is_plain(statement) && found.start() >= start {
                let same = found.start() == start && found.len() == range.len();
                let alone = same && instruction.depends_on == Dependence::Text;
                return Some((instruction.assembled.filter(|_| alone)?, Dependence::Text));
            }
            self.at += 1;
        }
        None
    }

    /// Tells whether statements that were kept may be at another distance from each other.
    pub(super) fn has_moved(&self, later: &Program) -> bool {
        let Some(kept) = self.kept else { return false };
        let old = bytes(&self.instructions, kept.first..kept.old_end);
        let new = bytes(&later.instructions, kept.first..kept.new_end);
        old.is_none() || old != new
    }
}

/// The bytes of the instructions of some statements, where all are known. Instructions are in
/// the order of their statements.
fn bytes(instructions: &[Instruction], statements: std::ops::Range<u32>) -> Option<u64> {
    let first = instructions.partition_point(|it| it.statement < statements.start);
    let own = instructions.iter().skip(first).take_while(|it| it.statement < statements.end);
    own.map(|it| Some(4 * it.assembled?.words().len() as u64)).sum()
}

/// Tells whether a statement's text is a part of the file's text.
fn is_plain(statement: &Statement) -> bool {
    statement.span.source == SourceId::ROOT
        && statement.node == NodeId::ROOT
        && statement.cleaned == NOT_CLEANED
}

#[cfg(test)]
mod tests {
    use super::super::{Options, assemble, reassemble};
    use super::*;
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
                if let Some(before) = &before {
                    let texts = [before, &again].map(|it| it.expansion.source(SourceId::ROOT));
                    let change = Change::between(texts[0], texts[1]);
                    let mut earlier = Before::new(before, change, None);
                    let words = |it: &Statement| earlier.words(0, it);
                    taken += again.expansion.statements.iter().filter_map(words).count();
                }
                before = Some(again);
            }
        }
        assert!(taken > 1_000, "{taken} were taken over");
    }
}

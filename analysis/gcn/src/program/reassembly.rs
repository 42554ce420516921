//! Incremental assembly: instructions of the text before it.
//!
//! Encoding takes most of the time of a program, and an edit changes few lines. An
//! instruction that asks for no symbol depends on its text and the chip alone, so
//! where the same bytes were encoded before, the words are taken from there. What
//! comes out is the same as without.

use std::borrow::Cow;

use source::{Checkpoint, TextSize};

use super::{
    CHECKPOINT_STATEMENTS, Dependence, DiagnosticSink, Encoder, Instruction, Jump, Label, Program,
};
use crate::assembler::Expansion;
use crate::assembler::change::Change;
use crate::assembler::edited::{Kept, Moves};
use crate::assembler::result::Statement;
use crate::assembler::sources::{NodeId, SourceId};
use crate::instruction::{Assembled, FixupKind};

/// The instructions of an earlier text, read in step with those of a later one.
#[derive(Debug)]
pub(super) struct Before<'a> {
    expansion: &'a Expansion,
    left: &'a [Instruction],
    change: Change,
}

impl<'a> Before<'a> {
    /// Prepares for the instructions of a later text.
    pub(super) fn new(before: &'a Program, change: Change) -> Before<'a> {
        Before { expansion: &before.expansion, left: &before.instructions, change }
    }

    /// The words of a statement, where the earlier text has the same one in the
    /// same place, and they depend on its text alone. Statements must be asked for in the order
    /// of the text; what is out of order is not found.
    pub(super) fn words(&mut self, statement: &Statement) -> Option<(Assembled, Dependence)> {
        if !is_plain(statement) {
            return None;
        }
        let range = statement.span.range;
        let start = self.change.earlier(range.start().into(), range.end().into())?;
        let start = TextSize::new(u32::try_from(start).ok()?);
        while let Some((instruction, rest)) = self.left.split_first() {
            let statement = self.expansion.statements.get(instruction.statement as usize)?;
            let found = statement.span.range;
            if is_plain(statement) && found.start() >= start {
                let same = found.start() == start && found.len() == range.len();
                let alone = same && instruction.depends_on == Dependence::Text;
                return Some((instruction.assembled.filter(|_| alone)?, Dependence::Text));
            }
            self.left = rest;
        }
        None
    }
}

impl Program {
    /// Places every statement where all but some are known to be those of an earlier text, with
    /// the same symbols. Instructions of which something was said are encoded again, to say it
    /// again; so are those that hold distances, where these may be others.
    pub(super) fn place_kept(
        &mut self,
        before: &Program,
        moves: &Moves,
        encoder: &Encoder,
        sink: &mut DiagnosticSink,
        checkpoint: Checkpoint<'_>,
    ) {
        let kept = moves.kept;
        let old = in_order(&before.instructions);
        let place = |statement: u32| old.partition_point(|it| it.statement < statement);
        let (start, end) = (place(kept.first), place(kept.old_end));
        let jump = |it: &Jump| {
            Some(Jump { statement: kept.later(it.statement)?, to: moves.address(it.to)? })
        };
        self.jumps = before.jumps.iter().filter_map(jump).collect();
        self.layout.keep_start(&before.layout, &before.expansion.statements, kept.first as usize);
        self.keep_instructions(&old[..start], kept, encoder, sink, checkpoint);
        for index in kept.first..kept.new_end {
            self.place_statement(index as usize, |_| None, encoder, sink);
        }
        let lines = bytes(&old[start..end]);
        if lines.is_some() && lines == bytes(&self.instructions[start..]) {
            self.layout.keep_end(&before.layout, kept.old_end as usize);
            return self.keep_instructions(&old[end..], kept, encoder, sink, checkpoint);
        }
        let mut left = old[end..].iter().peekable();
        for index in kept.new_end as usize..self.expansion.statements.len() {
            if index % CHECKPOINT_STATEMENTS == 0 {
                checkpoint();
            }
            let earlier = kept.earlier(index as u32);
            let own = left.next_if(|it| Some(it.statement) == earlier);
            let own = own.filter(|it| it.depends_on != Dependence::Doubt);
            let known = own.and_then(|it| Some((it.assembled?, it.depends_on)));
            self.place_statement(index, |_| known, encoder, sink);
        }
        let mut instructions = std::mem::take(&mut self.instructions);
        let mut jumps = std::mem::take(&mut self.jumps);
        let mut known = jumps.iter_mut().peekable();
        for own in instructions.iter_mut().filter(|it| it.depends_on == Dependence::Places) {
            let jump = known.next_if(|it| it.statement == own.statement);
            if let Some(jump) = &jump
                && self.reach(own, jump.to).is_some()
            {
                continue;
            }
            if let Some(jump) = jump {
                jump.statement = GONE;
            }
            let statement = self.expansion.statements.get(own.statement as usize);
            let Some(statement) = statement else { continue };
            (own.assembled, own.depends_on) = self.encode(own.statement, statement, encoder, sink);
        }
        jumps.retain(|it| it.statement != GONE);
        (self.instructions, self.jumps) = (instructions, jumps);
    }

    /// Adds instructions of an earlier text that are at the same places.
    fn keep_instructions(
        &mut self,
        old: &[Instruction],
        kept: Kept,
        encoder: &Encoder,
        sink: &mut DiagnosticSink,
        checkpoint: Checkpoint<'_>,
    ) {
        for some in old.chunks(CHECKPOINT_STATEMENTS) {
            checkpoint();
            for own in some {
                let statement = kept.later(own.statement).unwrap_or(own.statement);
                let mut own = Instruction { statement, ..*own };
                if own.depends_on == Dependence::Doubt
                    && let Some(text) = self.expansion.statements.get(statement as usize)
                {
                    (own.assembled, own.depends_on) = self.encode(statement, text, encoder, sink);
                    let is_allocated = |it: &Assembled| {
                        it.fixup.is_some_and(|fixup| fixup.kind == FixupKind::Registers)
                    };
                    own.assembled = own.assembled.filter(|it| !is_allocated(it));
                }
                self.instructions.push(own);
            }
        }
    }

    /// Finds the labels where all statements but some are those of an earlier text.
    pub(super) fn keep_labels(&mut self, before: &Program, kept: Kept) {
        let statements = &before.expansion.statements;
        let section = |it: &Label| statements.get(it.statement as usize).map(|it| it.section);
        let lines = kept.first as usize..kept.new_end as usize;
        let own: Vec<Label> = lines.filter_map(|index| self.label_of(index, 0)).collect();
        let written =
            if kept.first < kept.new_end { &self.expansion.statements } else { statements };
        let of_lines = written.get(kept.first as usize).map(|it| it.section);
        let added = self.instructions.len() as i64 - before.instructions.len() as i64;
        let mut labels: Vec<Label> = Vec::with_capacity(before.labels.len());
        for label in &before.labels {
            let Some(statement) = kept.later(label.statement) else { continue };
            // Instructions are in the order of sections.
            let is_behind = section(label).cmp(&of_lines).then(label.statement.cmp(&kept.old_end));
            let by = if is_behind.is_ge() { added } else { 0 };
            labels.push(Label {
                name: label.name.clone(),
                statement,
                instruction: (i64::from(label.instruction) + by) as u32,
            });
        }
        labels.extend(own);
        if !labels.is_sorted_by_key(|it| (it.instruction, it.statement)) {
            labels.sort_by_key(|it| (it.instruction, it.statement));
        }
        self.labels = labels;
    }
}

/// The statement of a jump that is read again.
const GONE: u32 = u32::MAX;

/// Instructions in the order of their statements, which mostly they are in.
fn in_order(instructions: &[Instruction]) -> Cow<'_, [Instruction]> {
    let mut all = Cow::Borrowed(instructions);
    if !all.is_sorted_by_key(|it| it.statement) {
        all.to_mut().sort_by_key(|it| it.statement);
    }
    all
}

/// The bytes of some instructions, where all are known.
fn bytes(instructions: &[Instruction]) -> Option<u64> {
    instructions.iter().map(|it| Some(4 * it.assembled?.words().len() as u64)).sum()
}

/// Tells whether a statement's text is a part of the file's text.
fn is_plain(statement: &Statement) -> bool {
    statement.span.source == SourceId::ROOT
        && statement.node == NodeId::ROOT
        && statement.is_as_written()
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
                    let mut earlier = Before::new(before, change);
                    let words = |it: &Statement| earlier.words(it);
                    taken += again.expansion.statements.iter().filter_map(words).count();
                }
                before = Some(again);
            }
        }
        assert!(taken > 1_000, "{taken} were taken over");
    }
}

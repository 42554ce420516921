//! Counts of registers that the LLVM assembler keeps in symbols.
//!
//! `.amdgcn.next_free_vgpr` is one more than the highest vector register that any
//! instruction named so far; a text may set it to start again. Instructions are
//! looked through only when such a symbol is read or set.

use super::expand::Expander;
use super::lines::{end_of_word, is_word};
use super::result::{Expansion, StatementKind};
use crate::dialect::Dialect;

/// The counts, and which statements were looked through.
#[derive(Debug, Default)]
pub(super) struct RegisterCounts {
    seen: usize,
    /// Vector and scalar registers.
    counts: [i64; 2],
}

/// Returns the count that a symbol holds.
fn index_of(name: &str) -> Option<usize> {
    match name {
        ".amdgcn.next_free_vgpr" | ".kernel.vgpr_count" => Some(0),
        ".amdgcn.next_free_sgpr" | ".kernel.sgpr_count" => Some(1),
        _ => None,
    }
}

impl Expander<'_> {
    /// The count a symbol holds, for a symbol that holds one.
    pub(super) fn counted(&mut self, name: &str) -> Option<i64> {
        if self.dialect != Dialect::Llvm || !name.starts_with('.') {
            return None;
        }
        let index = index_of(name)?;
        self.counts.look_through(&self.out);
        Some(self.counts.counts[index])
    }

    pub(super) fn set_counted(&mut self, name: &str, value: i64) {
        if self.dialect == Dialect::Llvm
            && name.starts_with('.')
            && let Some(index) = index_of(name)
        {
            self.counts.look_through(&self.out);
            self.counts.counts[index] = value;
        }
    }

    /// Starts both counts again: a kernel begins.
    pub(super) fn reset_counts(&mut self) {
        self.counts.look_through(&self.out);
        self.counts.counts = [0, 0];
    }
}

impl RegisterCounts {
    /// The number of statements that were looked through.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    fn look_through(&mut self, expansion: &Expansion) {
        for index in self.seen..expansion.statements.len() {
            let statement = &expansion.statements[index];
            if statement.kind == StatementKind::Instruction {
                let number = u32::try_from(index).unwrap_or(u32::MAX);
                self.instruction(expansion, expansion.text(statement), number);
            }
        }
        self.seen = expansion.statements.len();
    }

    fn instruction(&mut self, expansion: &Expansion, text: &str, statement: u32) {
        let bytes = text.as_bytes();
        let mut at = end_of_word(bytes, 0);
        while at < bytes.len() {
            if !is_word(bytes[at]) {
                at += 1;
                continue;
            }
            let end = end_of_word(bytes, at);
            let word = &text[at..end];
            at = end;
            let file = match word.as_bytes()[0] {
                b'v' => 0,
                b's' => 1,
                _ => continue,
            };
            let highest = if word.len() == 1 && bytes.get(end) == Some(&b'[') {
                highest(expansion, text, end + 1, statement)
            } else {
                word[1..].parse::<i64>().ok()
            };
            if let Some(highest) = highest.filter(|it| (0..1024).contains(it)) {
                self.counts[file] = self.counts[file].max(highest + 1);
            }
        }
    }
}

/// The last index of a range such as `[4:7]`, from behind its bracket.
fn highest(expansion: &Expansion, text: &str, from: usize, statement: u32) -> Option<i64> {
    let (first, end) = expansion.evaluate(text, from, statement).ok()?;
    let last = match text.as_bytes().get(end) {
        Some(b':') => expansion.evaluate(text, end + 1, statement).ok()?.0,
        _ => first,
    };
    last.absolute()
}

//! Lines that were encoded before: kernels repeat themselves, and macros do more so.

use std::cell::Cell;
use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::{Instruction, Program};

/// The last instruction of each hash of a text whose words hold for the same text further on.
///
/// Texts are compared as well, so that a hash only saves time. The table is small enough to
/// remain in a processor's cache beside the program.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    last: Vec<Cell<Kept>>,
}

/// An instruction by its number, and the first statement that may have other words.
#[derive(Debug, Clone, Copy, Default)]
struct Kept {
    instruction: u32,
    until: u32,
}

/// The most instructions that are kept.
const MOST: usize = 1 << 13;

impl Repeated {
    /// A table for a program of so many statements.
    pub(super) fn for_statements(count: usize) -> Repeated {
        let size = count.clamp(1, MOST).next_power_of_two();
        Repeated { last: vec![Cell::default(); size] }
    }

    /// The place of a text; `None` in an empty table.
    fn place(&self, text: &str) -> Option<&Cell<Kept>> {
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        let hash = hasher.finish() as usize;
        self.last.get(hash & self.last.len().checked_sub(1)?)
    }

    /// The instruction of a program with the words of a text at a statement.
    pub(super) fn find<'p>(
        &self,
        text: &str,
        statement: u32,
        program: &'p Program,
    ) -> Option<&'p Instruction> {
        let kept = self.place(text)?.get();
        let found = program.instructions.get(kept.instruction as usize)?;
        (statement < kept.until && program.text(found) == text).then_some(found)
    }

    /// Keeps the instruction of a text by its number, for statements before one.
    pub(super) fn keep(&self, text: &str, instruction: usize, until: u32) {
        if let (Some(place), Ok(instruction)) = (self.place(text), u32::try_from(instruction)) {
            place.set(Kept { instruction, until });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Options, assemble};
    use crate::Target;
    use crate::assembler::Dialect;

    /// The words of all instructions of a text, in order.
    fn words(text: &str, dialect: Dialect) -> Vec<Vec<u32>> {
        let target = Target::find("gfx803");
        let options = Options { target, dialect, ..Options::default() };
        let program = assemble(text, &options, &|_| None, &source::no_checkpoint);
        assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
        let words = program.instructions.iter().map(|it| it.assembled.unwrap().words().to_vec());
        words.collect()
    }

    /// The moves of numbers into `v0`.
    fn moves(numbers: &[u32]) -> Vec<Vec<u32>> {
        numbers.iter().map(|number| vec![0x7e00_0280 + number]).collect()
    }

    #[test]
    fn a_line_has_the_words_of_its_own_place() {
        let line = "v_mov_b32_e32 v0, n\n";
        let twice = format!(".set n, 1\n{line}{line}.set n, 2\n{line}{line}");
        assert_eq!(words(&twice, Dialect::Llvm), moves(&[1, 1, 2, 2]));
        for (text, numbers) in [
            (format!(".set m, 1\n.set n, m\n{line}.set m, 2\n{line}"), [1, 1]),
            (".macro f n\nv_mov_b32_e32 v0, \\n\n.endm\nf 1\nf 2\n".to_owned(), [1, 2]),
        ] {
            assert_eq!(words(&text, Dialect::Llvm), moves(&numbers), "{text}");
        }
        for text in [
            format!("m = 1\n.eqv n, m\n{line}m = 2\n{line}"),
            format!(".scope a\nn = 1\n{line}.ends\n.scope b\nn = 2\n{line}.ends\n"),
        ] {
            assert_eq!(words(&text, Dialect::Clrx), moves(&[1, 2]), "{text}");
        }
    }

    #[test]
    fn jumps_with_the_same_text_have_distances_of_their_own() {
        let text = "a: s_nop 0\ns_branch a\ns_branch a\n1: s_nop 0\ns_branch 1b\n1: s_branch 1b\n";
        let expected =
            [0xbf80_0000, 0xbf82_fffe, 0xbf82_fffd, 0xbf80_0000, 0xbf82_fffe, 0xbf82_ffff];
        assert_eq!(words(text, Dialect::Llvm).concat(), expected);
    }

    #[test]
    fn more_lines_than_are_kept_have_their_words() {
        let line = |number: usize| {
            let (a, b, c) = (number % 251, number / 251 % 251, number / 63_001);
            format!("v_mad_f32 v{a}, v{b}, v{c}, v{a}\n")
        };
        let all: String = (0..2 * super::MOST).map(line).collect();
        let alone = words(&all, Dialect::Llvm);
        let numbers = (0..3 * super::MOST).map(|it| it * 7 % (2 * super::MOST));
        let (text, expected): (String, Vec<_>) =
            numbers.map(|it| (line(it), alone[it].clone())).unzip();
        assert_eq!(words(&text, Dialect::Llvm), expected);
    }
}

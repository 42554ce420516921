//! The layout of assembly: nothing but blanks changes, once is enough, and what is laid out
//! assembles to the same.

use crate::kernels::Kernel;
use gcn::program::Program;
use gcn::service::{View, formatting};
use source::{TextRange, TextSize, apply_edits};

/// The text of a program, laid out.
///
/// # Panics
/// Where edits touch.
pub fn formatted(text: &str, program: &Program) -> String {
    let whole = TextRange::up_to(TextSize::of(text));
    let edits = formatting::edits(View::root(program), whole);
    apply_edits(text, &edits).expect("disjoint edits in order")
}

/// A text without its blanks.
pub fn without_blanks(text: &str) -> String {
    text.chars().filter(|letter| !matches!(letter, ' ' | '\t')).collect()
}

/// Kernels that assemble do so to the same words when they are laid out; returns how many.
///
/// # Panics
/// Names one that does not.
pub fn laid_out_kernels_assemble_to_the_same(kernels: &[Kernel]) -> usize {
    let (mut files, mut changed) = (0, 0);
    for kernel in kernels.iter().filter(|kernel| kernel.assembles()) {
        let text = kernel.text();
        let program = kernel.assemble(&text);
        let neat = formatted(&text, &program);
        assert_eq!(without_blanks(&text), without_blanks(&neat), "{}", kernel.file);
        let again = kernel.assemble(&neat);
        assert_eq!(formatted(&neat, &again), neat, "{}: once is enough", kernel.file);
        let words = |program: &Program| -> Vec<_> {
            program.instructions.iter().map(|it| (it.offset, it.assembled)).collect()
        };
        assert_eq!(words(&program), words(&again), "{}", kernel.file);
        assert_eq!(program.diagnostics.len(), again.diagnostics.len(), "{}", kernel.file);
        files += 1;
        changed += usize::from(neat != text);
    }
    eprintln!("{files} kernels, of which {changed} are laid out otherwise");
    files
}

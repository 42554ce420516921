//! Real kernels after edits: what is kept of the text before is what reading all of it gives.

use gcn::program::Program;
use tests::corpora::shared;
use tests::kernels::kernels;

#[path = "../../src/chance.rs"]
mod chance;

use chance::Chance;

/// Kernels that are edited: every one of so many.
const EVERY: usize = 7;
/// Edits of each.
const EDITS: usize = 4;

/// Things that are typed, at places where people type them.
const TYPED: [&str; 10] = [
    " ",
    " // a remark",
    "\n",
    "7",
    "  s_nop 0\n",
    "  v_mov_b32 v1, v2\n",
    "  s_mov_b32 s3, 0x12345678\n",
    "edited:\n",
    "  s_branch edited\n",
    "/*",
];

/// All that follows from a text, but for what is shown elsewhere.
fn facts(program: &Program) -> String {
    let Program { labels, kernels, diagnostics, diagnostic_places, expansion, .. } = program;
    let symbols = expansion.symbols();
    let read = (symbols, &expansion.kernels, &expansion.problems, &expansion.metadata);
    format!("{labels:?} {kernels:?} {diagnostics:?} {diagnostic_places:?} {read:?}")
}

#[test]
fn an_edited_kernel_is_what_reading_it_anew_gives() {
    let mut chance = Chance(24);
    let (mut edits, mut equal_statements) = (0, 0);
    for kernel in kernels(&shared("corpora/gcn")).iter().step_by(EVERY) {
        let mut text = kernel.text();
        let mut before = kernel.assemble(&text);
        for _ in 0..EDITS {
            let mut at = chance.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            if chance.below(2) == 0 {
                at = text[..at].rfind('\n').map_or(0, |end| end + 1);
            }
            text.insert_str(at, chance.one(&TYPED));
            let (fresh, again) = (kernel.assemble(&text), kernel.reassemble(Some(&before), &text));
            let place = format!("{} after {edits} edits, at {at}", kernel.file);
            assert_eq!(fresh.instructions, again.instructions, "{place}");
            assert_eq!(fresh.expansion.statements, again.expansion.statements, "{place}");
            assert_eq!(facts(&fresh), facts(&again), "{place}");
            edits += 1;
            equal_statements += fresh.expansion.statements.len();
            before = again;
        }
    }
    assert!(edits > 40 && equal_statements > 50_000, "{edits} edits, {equal_statements}");
}

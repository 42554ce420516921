//! The layout of assembly: nothing but blanks changes, once is enough, and what is laid out
//! assembles to the same.

use gcn::assembler::Dialect;
use gcn::program::{Options, Program, assemble};
use gcn::service::{View, formatting};
use tests::corpora::shared;
use tests::kernels::{Kernel, kernels};
use text::{TextRange, TextSize, apply_edits};

fn assembled(kernel: &Kernel, text: &str) -> Program {
    let options = Options {
        target: Some(kernel.target),
        dialect: Dialect::Llvm,
        symbols: kernel.symbols.clone(),
        abi: kernel.abi,
        ..Options::default()
    };
    assemble(text, &options, &|name| kernel.include(name), &text::no_checkpoint)
}

fn formatted(text: &str, program: &Program) -> String {
    let whole = TextRange::up_to(TextSize::of(text));
    let edits = formatting::edits(View::root(program), whole);
    apply_edits(text, &edits).expect("disjoint edits in order")
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|letter| !matches!(letter, ' ' | '\t')).collect()
}

#[test]
fn kernels_that_are_laid_out_assemble_to_the_same() {
    let Some(root) = shared("corpora/gcn") else { return };
    let (mut files, mut changed) = (0, 0);
    for kernel in kernels(&root).iter().filter(|kernel| kernel.assembles()) {
        let text = kernel.text();
        let program = assembled(kernel, &text);
        let neat = formatted(&text, &program);
        assert_eq!(without_blanks(&text), without_blanks(&neat), "{}", kernel.file);
        let again = assembled(kernel, &neat);
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
    assert!(files > 40, "{files} kernels");
}

/// Numbers that look random and are the same in every run (xorshift, 64 bits).
fn random(state: &mut u64, below: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % below as u64) as usize
}

#[test]
fn of_any_text_only_blanks_change_and_once_is_enough() {
    const PIECES: [&str; 28] = [
        "\n",
        "\r\n",
        "\r",
        " ",
        "   ",
        "\t",
        ".macro twice a",
        ".endm",
        ".if x",
        ".else",
        ".endif",
        ".rept 2",
        ".endr",
        "label:",
        "v_add_f32 v0,v1 ,v2",
        "s_endpgm",
        "; note",
        "// note",
        "/* two\n lines */",
        "# note",
        ".amdgpu_metadata",
        ".end_amdgpu_metadata",
        "- name: x",
        "x = 5",
        ".ascii \"a , b\"",
        "twice 3,4",
        "\\",
        ";",
    ];
    let state = &mut 0x9e37_79b9_7f4a_7c15;
    for round in 0..500 {
        let count = random(state, 24);
        let text: String = (0..count).map(|_| PIECES[random(state, PIECES.len())]).collect();
        for dialect in [Dialect::Llvm, Dialect::Clrx] {
            let options = Options { dialect, ..Options::default() };
            let read = |text: &str| assemble(text, &options, &|_| None, &text::no_checkpoint);
            let neat = formatted(&text, &read(&text));
            assert_eq!(without_blanks(&text), without_blanks(&neat), "{round}: {text:?}");
            assert_eq!(formatted(&neat, &read(&neat)), neat, "{round}: {text:?}");
        }
    }
}

//! The layout of assembly: nothing but blanks changes, once is enough, and what is laid out
//! assembles to the same.

use gcn::assembler::Dialect;
use gcn::program::{Options, assemble};
use tests::checks::assembly_layout::{
    formatted, laid_out_kernels_assemble_to_the_same, without_blanks,
};
use tests::corpus;

#[test]
fn own_kernels_that_are_laid_out_assemble_to_the_same() {
    let files = laid_out_kernels_assemble_to_the_same(&corpus::gcn_programs());
    assert!(files >= 5, "{files}");
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
    const PIECES: [&str; 29] = [
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
        "v_add_f32 v0,, v2 , ,,",
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
            let read = |text: &str| assemble(text, &options, &|_| None, &source::no_checkpoint);
            let neat = formatted(&text, &read(&text));
            assert_eq!(without_blanks(&text), without_blanks(&neat), "{round}: {text:?}");
            assert_eq!(formatted(&neat, &read(&neat)), neat, "{round}: {text:?}");
        }
    }
}

//! Differential execution: what it takes for right, and its verdicts about compiled programs.

mod expectation;
mod explicit;
mod made_up;
mod outside;
pub(crate) mod recorded;
mod reference;
mod values;

use diff_exec::{Parameters, relocated};
use lower::Bank;

#[test]
fn registers_follow_the_words() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
                MOV OUT[0], IN[0]\nEND\n";
    let shader = tgsi::parser::parse(text, &source::no_checkpoint).shader.expect("a shader");
    let module = lower::lower(&shader, lower::Generation::Gfx8).expect("it is lowered");
    let found = Parameters::of(&module.entry, Some(0b1_0000_1010));
    let place = |name| found.find(name).map(|it| (it.bank, it.first, it.words));
    assert_eq!(place("rw_buffers"), Some((Bank::Scalar, 0, 1)));
    assert_eq!(place("primitive_mask"), Some((Bank::Scalar, 5, 1)));
    assert_eq!(place("perspective_sample"), None);
    assert_eq!(place("perspective_center"), Some((Bank::Vector, 0, 2)));
    assert_eq!(place("perspective_pull_model"), Some((Bank::Vector, 2, 3)));
    assert_eq!(place("position_x"), Some((Bank::Vector, 5, 1)));
    assert_eq!(found.scalars, 6);
}

#[test]
fn addresses_of_scratch_memory_are_filled_in() {
    let move_of = |word: usize| format!("s_mov_b32 s{word}, SCRATCH_RSRC_DWORD{word}");
    // Its address, and the bits of one word for each lane at a time.
    let [first, second] = [0x4000_0000, 0x8000_8000];
    assert_eq!(relocated(&move_of(0), &[0xbe80_00ff, 0]), [0xbe80_00ff, first]);
    assert_eq!(relocated(&move_of(1), &[0xbe81_00ff, 0]), [0xbe81_00ff, second]);
    assert_eq!(relocated("s_mov_b32 s0, 0x100", &[0xbe80_00ff, 256]), [0xbe80_00ff, 256]);
}

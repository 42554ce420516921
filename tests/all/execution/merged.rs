//! Control and geometry shaders, own ones and those that are made from the opcode table, in
//! the program that gfx9 runs them as: behind a vertex shader that hands over what they read.
//! `pipelines.rs` has pairs whose faults are seen.

use tests::agreement::meaningless;
use tests::checks::merged::{is_second, second_stages_agree};
use tests::corpus::{self, Program};

/// So many of them at least are compared.
const MERGED: usize = 4;

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn second_stages_agree_behind_a_partner() {
    let made = corpus::made_programs().into_iter().filter(|it| meaningless(&it.name).is_none());
    let own = corpus::written_programs().into_iter().filter(|it| it.accepted);
    let programs: Vec<Program> = made.chain(own).filter(is_second).collect();
    let agree = second_stages_agree(crate::TUNGSTEN.as_ref(), &programs);
    assert!(agree >= MERGED, "{agree} of {}", programs.len());
}

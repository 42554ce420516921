//! Control and geometry shaders, own ones and those that are made from the opcode table, in
//! the program that gfx9 runs them as: behind a vertex shader that hands over what they read.
//! `pipelines.rs` has pairs whose faults are seen.

use tests::agreement::left_open;
use tests::checks::merged::{is_second, second_stages_agree};
use tests::corpus::{self, Program};
use tests::lower_shaders;

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn second_stages_agree_behind_a_partner() {
    let made = lower_shaders::all().into_iter().filter(|it| left_open(&it.name).is_none());
    let made = made.map(|it| Program {
        name: it.name,
        stage: String::new(),
        accepted: true,
        text: it.text,
    });
    let own = corpus::tgsi_programs().into_iter().filter(|it| it.accepted);
    let mut programs: Vec<Program> = made.chain(own).filter(is_second).collect();
    programs.sort_by(|one, two| one.name.cmp(&two.name));
    programs.dedup_by(|one, two| one.name == two.name);
    let agree = second_stages_agree(crate::TUNGSTEN.as_ref(), &programs);
    assert!(agree > MERGED, "{agree} of {}", programs.len());
}

/// So many of them at least are compared.
const MERGED: usize = 4;

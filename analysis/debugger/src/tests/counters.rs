//! Wait counters in flight: what is under way where a wave stands, and what says that it is done.

use super::kernel;
use crate::expression::Expression;
use crate::*;

/// Three stores of one instruction, then others.
pub(super) const MEMORY: &str = r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
k:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_mov_b32 s6, 0
  s_waitcnt lgkmcnt(0)
again:
  global_store_dword v1, v0, s[4:5]
  s_add_u32 s6, s6, 1
  s_cmp_lt_u32 s6, 3
  s_cbranch_scc1 again
  global_load_dwordx2 v[3:4], v1, s[4:5]
  ds_write_b32 v1, v1
  s_waitcnt vmcnt(1)
  global_load_dword v2, v1, s[4:5]
  s_waitcnt vmcnt(1)
  s_waitcnt vmcnt(0) lgkmcnt(0)
  s_endpgm
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 256
  .amdhsa_next_free_vgpr 5
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
"#;
pub(super) const INPUTS: &str = "[arg]\n0 = \"buf.0\"\n[buf]\n0 = { words = 65 }\n";

/// The counters of wave 0, and below each what is under way.
fn shown<S: Subject>(subject: &S) -> Vec<String> {
    let scopes = subject.scopes(0);
    let own = scopes.iter().find(|scope| scope.name == "Counters in flight").expect("a scope");
    let mut lines = Vec::new();
    for counter in &own.variables {
        let Bits::Said(number, _) = &counter.bits else { panic!("{counter:?}") };
        lines.push(format!("{} {number}", counter.name));
        for part in &counter.parts {
            let Bits::Said(_, said) = &part.bits else { panic!("{part:?}") };
            lines.push(format!("{}: {said}", part.name));
        }
    }
    lines
}

#[test]
fn counters_say_what_they_wait_for() {
    let kernel = kernel(MEMORY, INPUTS);
    let mut debugger = Debugger::new(Recording::new(kernel.run(), DEFAULT_BYTES));
    let mut stand_at = |text: &str| {
        while !debugger.subject().text(debugger.subject().instruction(0).unwrap()).starts_with(text)
        {
            let stop = debugger.step_in(0, Stride::Instruction, &mut || Pace::Go);
            assert_eq!(stop, Stop::Step);
        }
        let count = Expression::parse("vmcnt").expect("an expression");
        (shown(debugger.subject()), display(&debugger.evaluate(&count, 0, 0).expect("a value")))
    };
    let nothing = ["vmcnt 0", "expcnt 0", "lgkmcnt 0"];
    assert_eq!(stand_at("s_load_dwordx2").0, nothing);
    let (counters, _) = stand_at("s_mov_b32 s6");
    assert_eq!(
        counters,
        [
            "vmcnt 0",
            "expcnt 0",
            "lgkmcnt 1",
            "4: s_load_dwordx2 s[4:5], s[0:1], 0x0: has written s4, s5 at lgkmcnt(0)",
        ]
    );
    // Of a store that was issued three times the last one is named, and all are counted.
    let (counters, count) = stand_at("s_waitcnt vmcnt(1)");
    assert_eq!(
        counters,
        [
            "vmcnt 4",
            "9: global_store_dword v1, v0, s[4:5]: is done at vmcnt(1)",
            "13: global_load_dwordx2 v[3:4], v1, s[4:5]: has written v3, v4 at vmcnt(0)",
            "expcnt 0",
            "lgkmcnt 1",
            "14: ds_write_b32 v1, v1: is done at lgkmcnt(0)",
        ]
    );
    assert_eq!(count, "4");
    let (counters, count) = stand_at("s_waitcnt vmcnt(0)");
    assert_eq!(
        counters[..2],
        ["vmcnt 1", "16: global_load_dword v2, v1, s[4:5]: has written v2 at vmcnt(0)"]
    );
    assert_eq!(count, "1");
    assert_eq!(stand_at("s_endpgm").0, nothing);
}

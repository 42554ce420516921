//! Missing waits: a run stops there when somebody asks for it, and can go on.

use super::kernel;
use crate::expression::Expression;
use crate::*;

/// A loaded value is used at once, and again after a wait.
pub(super) const EARLY: &str = r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
k:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
  v_add_f32_e32 v3, 1.0, v2
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v4, 1.0, v2
  s_endpgm
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
  .amdhsa_next_free_vgpr 5
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
"#;
pub(super) const INPUTS: &str = "[arg]\n0 = \"buf.0\"\n[buf]\n0 = { words = 64 }\n";

#[test]
fn a_missing_wait_is_an_event_in_both_directions() {
    let kernel = kernel(EARLY, INPUTS);
    let mut debugger = Debugger::new(Recording::new(kernel.run(), DEFAULT_BYTES));
    debugger.events.insert(EventKind::MissingWait);
    let Stop::Event(event) = debugger.go_on(&mut || Pace::Go) else { panic!("no event") };
    assert_eq!(
        event.message(),
        "`v2` may not have arrived: no wait after `global_load_dword` covers it; the run goes on \
         as if it had waited"
    );
    let standing = |debugger: &Debugger<_>| {
        let subject: &kernel::KernelRun<'_> = debugger.subject();
        subject.instruction(0).map(|own| subject.text(own).to_owned())
    };
    assert_eq!(standing(&debugger).as_deref(), Some("s_waitcnt vmcnt(0)"));
    // As if it had waited: both sums are the same. The second one is no fault.
    assert_eq!(debugger.go_on(&mut || Pace::Go), Stop::End);
    debugger.step_back(0, Stride::Instruction, &mut || Pace::Go);
    let same = Expression::parse("all(v3 == v4) && all(v3 == 1.0)").expect("an expression");
    let value = debugger.evaluate(&same, 0, 0).expect("a value");
    assert_eq!(display(&value), "true");
    let back = debugger.go_back(&mut || Pace::Go);
    assert_eq!(back, Stop::Event(event));
    assert_eq!(standing(&debugger).as_deref(), Some("v_add_f32_e32 v3, 1.0, v2"));
    assert_eq!(debugger.go_back(&mut || Pace::Go), Stop::Beginning);
}

#[test]
fn nobody_who_does_not_ask_is_stopped() {
    let kernel = kernel(EARLY, INPUTS);
    let mut debugger = Debugger::new(Recording::new(kernel.run(), DEFAULT_BYTES));
    assert_eq!(debugger.go_on(&mut || Pace::Go), Stop::End);
    assert!(EventKind::ALL.into_iter().filter(|it| it.is_default()).eq([EventKind::MissingWait]));
}

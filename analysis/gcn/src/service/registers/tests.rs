//! Registers of small kernels: what leads where, what moves together, what is refused.
//! `$0` is the cursor.

use source::{TextSize, apply_edits};

use super::*;
use crate::Target;
use crate::program::{Options, assemble};

fn assembled(text: &str, target: &str) -> Program {
    let options = Options { target: Target::find(target), ..Options::of(text, "") };
    assemble(text, &options, &|_| None, &source::no_checkpoint)
}

/// The text without its cursor, the program for gfx803, and the place.
fn read(text: &str) -> (String, Program, TextSize) {
    let at = text.find("$0").expect("a cursor");
    let text = text.replace("$0", "");
    let program = assembled(&text, "gfx803");
    (text, program, TextSize::new(u32::try_from(at).expect("small")))
}

/// The statements that a register leads to.
fn leads_to(text: &str) -> Vec<String> {
    let (text, program, offset) = read(text);
    let found = definitions(View::root(&program), offset);
    let places = found.into_iter().flat_map(|(_, places)| places);
    places.map(|place| text[place.whole.range].trim().to_owned()).collect()
}

/// The words that read and write its value, with their lines counted from 1.
fn used(text: &str) -> Vec<String> {
    let (text, program, offset) = read(text);
    let uses = uses(View::root(&program), offset).unwrap_or_default();
    let line = |place: &Use| text[..place.span.range.start().into()].matches('\n').count() + 1;
    uses.iter().map(|it| format!("{} {:?} {}", line(it), it.kind, &text[it.span.range])).collect()
}

/// The text with other registers.
fn renamed(text: &str, new: &str) -> Result<String, String> {
    renamed_on(text, new, "gfx803")
}

fn renamed_on(text: &str, new: &str, target: &str) -> Result<String, String> {
    let (text, _, offset) = read(text);
    let program = assembled(&text, target);
    let view = View::root(&program);
    let assemble = |text: &str| assembled(text, target);
    let edits = rename::rename(view, offset, new, &assemble).expect("a register");
    let prepared = rename::prepare(view, offset).expect("a register");
    assert!(edits.is_err() || prepared.is_ok(), "what can be renamed can be prepared");
    let edits = edits.map_err(|reason| reason.to_string())?;
    Ok(apply_edits(&text, &edits).expect("edits that do not touch"))
}

fn refused(text: &str, new: &str) -> String {
    renamed(text, new).expect_err(text)
}

const KERNEL: &str = "\
main:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  buffer_load_dwordx4 v[2:5], v1, s[4:7], 0 offen
  s_waitcnt vmcnt(0)
  v_add_f32 v3, v3, v4
  v_mov_b32 v1, s4
  exp mrt0 v2, v3, v4, v5 done vm
  exp mrt1 v1, v1, v1, v1 done vm
  s_endpgm
";

fn at(word: &str, within: usize) -> String {
    let place = KERNEL.find(word).expect("the word") + within;
    format!("{}$0{}", &KERNEL[..place], &KERNEL[place..])
}

#[test]
fn a_register_leads_to_what_wrote_it() {
    let load = "buffer_load_dwordx4 v[2:5], v1, s[4:7], 0 offen";
    assert_eq!(leads_to(&at("v3, v4\n", 1)), [load]);
    assert_eq!(leads_to(&at("v3, v3", 1)), ["v_add_f32 v3, v3, v4"], "a write leads to itself");
    assert_eq!(leads_to(&at("v4, v5 done", 1)), [load]);
    assert_eq!(leads_to(&at("s[4:7], 0", 1)), ["s_load_dwordx4 s[4:7], s[0:1], 0x0"]);
    assert_eq!(leads_to(&at("v0", 1)), ["main"], "an input is there when the kernel begins");
    // A group leads to the writes of all its parts.
    let parts = "v_mov_b32 v2, 0\nv_mov_b32 v3, 1.0\nv_add_f64 v[4:5], v[$02:3], v[2:3]\ns_endpgm";
    assert_eq!(leads_to(parts), ["v_mov_b32 v2, 0", "v_mov_b32 v3, 1.0"]);
    // A sum leads to what it adds to, and to itself.
    let sum = "v_mov_b32 v2, 0\nv_mac_f32 v$02, v0, v1\nexp mrt0 v2, v2, v2, v2 done vm\ns_endpgm";
    assert_eq!(leads_to(sum), ["v_mov_b32 v2, 0", "v_mac_f32 v2, v0, v1"]);
    let mask = "v_cmp_lt_f32 vcc, v0, v1\nv_cndmask_b32 v2, v0, v1, v$0cc\ns_endpgm";
    assert_eq!(leads_to(mask), ["v_cmp_lt_f32 vcc, v0, v1"]);
    for nowhere in
        ["s_endpgm\nv_mov_b32 v1, v$02\ns_endpgm", "v_not_known v2\nv_mov_b32 v1, v$02\ns_endpgm"]
    {
        assert_eq!(leads_to(nowhere), Vec::<String>::new(), "{nowhere}");
    }
}

#[test]
fn the_uses_are_those_of_one_value() {
    assert_eq!(used(&at("v1, 2", 1)), ["3 Write v1", "5 Read v1"]);
    assert_eq!(used(&at("v1, s4", 1))[0], "8 Write v1");
    assert_eq!(used(&at("v1, s4", 1)).len(), 5);
    assert_eq!(used(&at("s4", 1)), ["2 Write s[4:7]", "5 Read s[4:7]", "8 Read s4"]);
    assert_eq!(used(&at("v5", 1)), ["5 Write v[2:5]", "9 Read v5"]);
    let carry = "v_add_u32 v0, v$0cc, v1, v2\nv_addc_u32 v1, vcc, v1, v3, vcc\ns_cbranch_vccz out\n\
                 out:\ns_endpgm";
    assert_eq!(
        used(carry),
        ["1 Write vcc", "2 Read vcc"],
        "the carry that is added goes no further"
    );
}

#[test]
fn what_a_macro_reads_is_shown_at_its_call() {
    let text = ".macro twice reg\n v_add_f32 v\\reg, v\\reg, v\\reg\n.endm\n\
                v_mov_b32 v$02, 0\n twice 2\nexp mrt0 v2, v2, v2, v2 done vm\ns_endpgm";
    assert_eq!(used(text), ["4 Write v2", "5 Read twice 2"]);
    assert!(refused(text, "v3").contains("the macro in line 5 uses it"));
    let behind = text.replace("v$02, 0", "v2, 0").replace("mrt0 v2", "mrt0 v$02");
    assert_eq!(leads_to(&behind), ["twice 2"]);
}

#[test]
fn all_that_shares_a_word_moves_together() {
    // The sum in v3 is another value than what was loaded there.
    let moved = KERNEL
        .replace("v[2:5]", "v[10:13]")
        .replace("v3, v3, v4", "v3, v11, v12")
        .replace("v2, v3, v4, v5", "v10, v3, v12, v13");
    assert_eq!(renamed(&at("v3, v4\n", 1), "v11"), Ok(moved.clone()));
    assert_eq!(renamed(&at("v[2:5]", 2), "v[10:13]"), Ok(moved));
    // One of the values of v1, and not the other.
    let moved = KERNEL.replace("v1, 2", "v8, 2").replace("v[2:5], v1", "v[2:5], v8");
    assert_eq!(renamed(&at("v1, 2", 1), " v[8] "), Ok(moved));
    let moved = KERNEL.replace("s[4:7]", "s[8:11]").replace("s4", "s8");
    assert_eq!(renamed(&at("s4", 1), "s8"), Ok(moved));
    assert_eq!(renamed(&at("v1, 2", 1), "v1"), Ok(KERNEL.to_owned()));
    // Nobody needs what v0 held before.
    let moved = KERNEL.replace("v1, 2", "v0, 2").replace("v[2:5], v1", "v[2:5], v0");
    assert_eq!(renamed(&at("v1, 2", 1), "v0"), Ok(moved));
}

#[test]
fn what_would_change_the_meaning_is_refused() {
    for (word, new, why) in [
        ("v1, s4", "v5", "`v5` is in use: line 9 reads another value of it"),
        ("v3, v4\n", "v0", "below 0"),
        ("v1, s4", "v3", "`v3` is in use: line 9 reads another value of it"),
        ("s4", "s5", "multiple of 4"),
        ("s4", "s100", "has 102"),
        ("v0", "v9", "an input stays"),
        ("s[0:1]", "s[8:9]", "an input stays"),
        ("v1, 2", "s3", "another kind"),
        ("v[2:5]", "v8", "4 registers"),
        ("v1, 2", "loop", "not a register"),
        ("v1, 2", "vcc", "not a register"),
        ("v1, 2", "v256", "has no"),
        ("s4", "ttmp4", "another kind"),
    ] {
        let reason = refused(&at(word, 1), new);
        assert!(reason.contains(why), "{word} to {new}: {reason}");
    }
}

#[test]
fn what_cannot_be_followed_is_refused() {
    for (text, new, why) in [
        ("v_movrels_b32 v1, v2\nv_mov_b32 v$05, 0\ns_endpgm", "v6", "line 1 reaches registers"),
        ("s_mov_b32 s$04, 0\ns_swappc_b64 s[0:1], s[2:3]\ns_endpgm", "s5", "not seen may read"),
        ("s_mov_b32 s$04, 0\ns_setpc_b64 s[30:31]", "s5", "not seen may read"),
        ("s_mov_b32 s$04, 0\ns_trap 2\ns_endpgm", "s5", "not seen may read"),
        ("s_mov_b32 s$04, 0\ns_branch far_away\ns_endpgm", "s5", "is not known"),
        ("s_mov_b32 s$04, 0\ns_nop what\ns_endpgm", "s5", "not an instruction of the chip"),
        ("v_cmp_lt_f32 v$0cc, v0, v1\ns_endpgm", "s[4:5]", "special register"),
        ("s_mov_b32 m$00, 0\ns_endpgm", "s4", "special register"),
        ("s_endpgm\nv_mov_b32 v$01, 0\ns_endpgm", "v2", "never reaches this"),
        (
            "base = 4\ns_mov_b32 s$04, 0\ns_mov_b32 s5, s[base]\ns_endpgm",
            "s6",
            "line 3 names it by more than its number",
        ),
        (
            ".globl side\ns_mov_b32 s4, 0\nside:\ns_mov_b32 s5, s$04\ns_endpgm",
            "s6",
            "an input stays",
        ),
    ] {
        let reason = refused(text, new);
        assert!(reason.contains(why), "{text}: {reason}");
    }
}

#[test]
fn registers_that_the_kernel_does_not_ask_for_are_refused() {
    let descriptor = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n.text\nmain:\n\
                      v_mov_b32 v$01, 0\nexp mrt0 v1, v1, v1, v1 done vm\ns_endpgm\n\
                      .amdhsa_kernel main\n.amdhsa_next_free_vgpr 6\n.amdhsa_next_free_sgpr 8\n\
                      .end_amdhsa_kernel\n";
    assert!(renamed(descriptor, "v5").is_ok());
    assert!(refused(descriptor, "v6").contains("asks for 6 vector registers"));
}

#[test]
fn a_result_that_is_still_on_its_way_keeps_its_register() {
    // Nobody reads the load; what is written meanwhile would be overwritten by it.
    let text = "s_load_dword s$04, s[0:1], 0x0\ns_mov_b32 s5, 1\ns_waitcnt lgkmcnt(0)\n\
                v_mov_b32 v0, s5\nexp mrt0 v0, v0, v0, v0 done vm\ns_endpgm";
    let reason = refused(text, "s5");
    assert!(reason.contains("s5"), "{reason}");
    assert!(renamed(text, "s6").is_ok());
    // Where faults are replayed the address must still be there.
    let load = "s_load_dwordx2 s[$04:5], s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\n\
                v_mov_b32 v0, s4\nexp mrt0 v0, v0, v0, v0 done vm\ns_endpgm";
    assert!(renamed_on(load, "s[2:3]", "gfx803").is_ok());
    let reason = renamed_on(load, "s[2:3]", "gfx902").expect_err("it is read again");
    assert!(reason.contains("would lie on what it still reads"), "{reason}");
}

#[test]
fn lanes_that_sleep_keep_their_register() {
    // The lanes that do not take part still need v2.
    let text = "v_mov_b32 v2, 0\nv_cmp_lt_f32 vcc, v0, v1\ns_and_saveexec_b64 s[0:1], vcc\n\
                v_mov_b32 v$03, 1.0\nexp mrt1 v3, v3, v3, v3 done vm\ns_mov_b64 exec, s[0:1]\n\
                exp mrt0 v2, v2, v2, v2 done vm\ns_endpgm";
    let reason = refused(text, "v2");
    assert!(reason.contains("`v2` is in use"), "{reason}");
    assert!(renamed(text, "v4").is_ok());
}

//! Texts after edits at random: what is taken over of the text before is what reading all of it
//! gives, to the last field.

use std::sync::Arc;

use super::{Options, Program, assemble, reassemble_keeping};
use crate::dialect::Dialect;

/// A kernel with what a rest of a text may depend on: macros, conditions, sections, labels of
/// both kinds, symbols before and after their uses, and counts of what was read.
const KERNEL: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"
// tungsten: launch-lds=64
.macro twice first, second=v1
  v_mov_b32 \\first, \\second // within
  s_nop 1
.endm
.set early, 3
.text
.globl k
.type k,@function
k:
  s_mov_b32 s0, early
  s_mov_b32 s1, late
  v_add_f32 v0, v1, v2
  twice v3
Lloop:
  v_mul_f32 v4, v5, v6 ; a product
  s_cbranch_scc0 Lend
1: s_add_u32 s2, s2, 1
  s_cbranch_scc1 1b
  s_branch 1f
.rept 2
  v_mov_b32 v9, v8
.endr
  s_branch Lloop
1:
  v_sub_f32 v7, v0, v4
  s_bogus v1
  s_mov_b32 s4, nowhere
Lend: s_endpgm
.if early > 2
  s_nop 2
.else
  s_nop 3
.endif
here = .
  s_nop 4
  s_nop 5
late = 12
.section .other
other:
  s_nop 6
  s_branch other
.text
  s_nop 7
.if unknown_symbol
  s_nop 8
.endif
  v_mov_b32 v10, v11

  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 12
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
  amdhsa.kernels:
    - .name: k
.end_amdgpu_metadata
";

/// A kernel whose text asks how many registers were named and how far places are apart.
const MEASURED: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"
.text
k:
  v_mov_b32 v3, v1
  s_nop 0
  v_mov_b32 v7, 0x12345678
end:
.if end - k > 8
  s_nop 1
.endif
  s_nop 2
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr .amdgcn.next_free_vgpr
  .amdhsa_next_free_sgpr .amdgcn.next_free_sgpr
.end_amdhsa_kernel
.text
  v_mov_b32 v30, v1
  s_nop 3
";

const CLRX: &str = "\
.amdcl2
.gpu Fiji
.kernel k
  .config
    .dims x
    .vgprsnum 9
  .text
  s_mov_b32 s0, s1; s_nop 0
start: v_add_f32 v0, v1, v2 # a sum
  pool = %s[2:3]
  s_mov_b64 pool, s[0:1]
.macro one x
  local inner
  v_mov_b32 v1, \\x
.endm
  one v2
.scope inner
there:
  s_branch there
.ends
  s_branch start
  v_mov_b32 \\
    v1, v2
  /* a
  comment */ s_nop 1
  s_branch 12
  s_endpgm
";

/// Things that are written into a text.
const WRITTEN: [&str; 26] = [
    " ",
    "\n",
    "\t// a remark\n",
    "  s_nop 0\n",
    "  v_mov_b32 v1, v2\n",
    "7",
    "x",
    ":",
    ";",
    "#",
    "/*",
    "*/",
    "\"",
    "\\",
    "\r",
    "\r\n",
    "L9:\n",
    "  s_branch Lend\n",
    ".endm\n",
    ".if 0\n",
    ".endif\n",
    "late = 4\n",
    "  twice v1, v2\n",
    "\u{e4}",
    "  v_mov_b32 v200, 0x12345678\n",
    ".",
];

/// Edits a text at random places: something in, something out, or both.
fn check(text: &str, dialect: Dialect, rounds: usize) -> usize {
    let (mut seed, mut kept_texts) = (text.len() as u64, 0);
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below.max(1)
    };
    let options = Options { dialect, ..Options::default() };
    let none = |_: &str| None;
    let mut before: Option<Program> = None;
    let mut current = text.to_owned();
    for round in 0..rounds {
        let at = |current: &str, mut at: usize| {
            while !current.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        if round % 12 == 0 {
            current = text.to_owned();
        } else {
            let line_start = |at: usize| current[..at].rfind('\n').map_or(0, |it| it + 1);
            let mut from = at(&current, random(current.len() + 1));
            if random(2) == 0 {
                from = line_start(from);
            }
            let taken = [0, 0, 1, 3, 40][random(5)];
            let to = at(&current, (from + taken).min(current.len())).max(from);
            let written = if random(4) == 0 { "" } else { WRITTEN[random(WRITTEN.len())] };
            current.replace_range(from..to, written);
        }
        let fresh = assemble(&current, &options, &none, &source::no_checkpoint);
        let text = Arc::from(current.as_str());
        let (again, kept) =
            reassemble_keeping(before.as_ref(), &text, &options, &none, &source::no_checkpoint);
        for program in [&fresh, &again] {
            for number in 0..program.kernels.len() {
                program.whole_code(number, &source::no_checkpoint);
            }
        }
        let [fresh, shown] = [&fresh, &again].map(|it| format!("{it:#?}"));
        if fresh != shown {
            let differs = fresh.lines().zip(shown.lines()).find(|(old, new)| old != new);
            panic!("{differs:?} of\n{current}");
        }
        kept_texts += usize::from(kept.is_some());
        before = Some(again);
    }
    kept_texts
}

#[test]
fn an_edited_text_is_what_reading_it_anew_gives() {
    let kept = check(KERNEL, Dialect::Llvm, 1_000);
    assert!(kept > 100, "{kept} texts kept what they had");
}

#[test]
fn what_was_measured_is_measured_again() {
    let kept = check(MEASURED, Dialect::Llvm, 600);
    assert!(kept > 50, "{kept} texts kept what they had");
}

#[test]
fn the_other_dialect_keeps_what_it_may() {
    let kept = check(CLRX, Dialect::Clrx, 800);
    assert!(kept > 50, "{kept} texts kept what they had");
}

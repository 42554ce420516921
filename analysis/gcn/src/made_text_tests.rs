//! Answers about texts made of lines at random, pinned by checksums: conditions, macros,
//! loops, sections, scopes, symbols and data in every order and nesting, in both dialects.

use std::fmt::Write as _;
use std::sync::Arc;

use source::{TextRange, TextSize, apply_edits};

use crate::assembler::{Abi, Dialect};
use crate::program::{Options, assemble};
use crate::recorded_tests::{
    asking::everywhere, chance::Chance, code, converted, diagnostics, table, target_of,
};
use crate::service::{self, View};

/// Texts of each dialect.
const TEXTS: u64 = 320;

/// Lines of both dialects.
const LINES: [&str; 65] = [
    "s_nop 0",
    "v_mov_b32 v1, x",
    "s_mov_b32 s1, x+4*(y-1)",
    "v_add_f32 v0, v1, v2 // a note",
    "/* more",
    "than a line */ s_nop 1",
    "s_branch a",
    "s_cbranch_vccnz a+4",
    "a:",
    "b: s_cbranch_scc1 b",
    "1:",
    "s_branch 1b",
    "s_branch 1f",
    "s_endpgm",
    "x = 4",
    "x = x + 1",
    ".set y, x*2",
    ".equ z, 0x10",
    ".equiv w, 7",
    ".if x > 4",
    ".if y",
    ".ifdef x",
    ".ifndef w",
    ".ifb",
    ".ifc one,two",
    ".ifeq x-4",
    ".else",
    ".elseif z",
    ".endif",
    ".macro m p, q=2",
    ".macro load reg:req, rest:vararg",
    "v_mov_b32 v\\p, \\q",
    "s_nop \\@",
    ".endm",
    ".exitm",
    "m 1",
    "m 3, 5",
    "m q=7",
    "load v1, v2, v3",
    ".purgem m",
    ".rept 2",
    ".rept x",
    ".irp n, 1, 2",
    ".irpc n, 34",
    "s_movk_i32 s\\n, \\n",
    ".endr",
    ".include \"first.inc\"",
    ".include \"none.inc\"",
    ".text",
    ".data",
    ".section .rodata",
    ".section .text",
    ".byte 1, 2, x",
    ".long a, b-a",
    ".ascii \"text\\n\"",
    ".string \"a;b\"",
    ".fill 3, 2, 1",
    ".skip 8",
    ".space 4, 1",
    ".align 16",
    ".p2align 3",
    ".org 64",
    ".globl a",
    ".size a, 8",
    ".error \"told\"",
];

/// Lines of LLVM's dialect.
const LLVM: [&str; 22] = [
    ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"",
    "  .amd_kernel_code_t",
    "\t.hsa_code_object_version 2,1",
    ".amdgpu_hsa_kernel a",
    ".amdhsa_kernel a",
    ".amdhsa_next_free_vgpr 8",
    ".amdhsa_next_free_sgpr 16",
    ".end_amdhsa_kernel",
    ".end_amd_kernel_code_t",
    ".pushsection .data",
    ".popsection",
    ".previous",
    ".type a,@function",
    "s_mov_b32 s0, .option.machine_version_major",
    "s_waitcnt vmcnt(0) & lgkmcnt(1)",
    "s_mov_b32 s2, hwreg(HW_REG_MODE, 0, 4)",
    "v_mov_b32 v1, -|v2| ; a note",
    "# only a note",
    ".altmacro",
    ".weak b",
    "s_getpc_b64 s[0:1]",
    "s_add_u32 s0, s0, a-.-4",
];

/// Lines of CLRX's dialect.
const CLRX: [&str; 26] = [
    ".rawcode",
    ".gpu Fiji",
    ".amdcl2",
    ".kernel a",
    ".config",
    ".dims xy",
    ".arg n, uint",
    ".arg p, float*, global",
    ".sgprsnum 12",
    ".useargs",
    ".scope s",
    ".ends",
    ".using s",
    ".enum one, two",
    ".regvar r:v, t:s:2",
    "v_mov_b32 r, t[1]",
    "v_add_f32 v1, v2, \\",
    "v3; s_nop 2",
    "s_mov_b32 \\",
    "s1, 2",
    ".for i = 0, i < 3, i + 1",
    ".while x < 7",
    ".ifarch gcn1.2",
    ".macrocase",
    "ra = %v[3:4]",
    "v_mul_f32 v0, v1, v2 omod:1 # a note",
];

fn include(name: &str) -> Option<Arc<str>> {
    let text = match name {
        "first.inc" => {
            "x = 9\n.macro m p\n s_nop \\p\n.endm\n.include \"second.inc\"\n c: s_nop 3\n"
        }
        "second.inc" => ".if x\nv_mov_b32 v9, x\n.data\n.endif\n",
        _ => return None,
    };
    Some(Arc::from(text))
}

/// A text, with what is left open closed in half of them.
fn made(dialect: Dialect, seed: u64) -> String {
    let own: &[&str] = if dialect == Dialect::Llvm { &LLVM } else { &CLRX };
    let mut numbers = Chance(seed * 977 + 5);
    let mut text = String::new();
    let mut open = Vec::new();
    for _ in 0..8 + numbers.below(14) {
        let line = match numbers.below(3) {
            0 => own[numbers.below(own.len())],
            _ => LINES[numbers.below(LINES.len())],
        };
        let end = match line.split(' ').next().unwrap_or_default() {
            ".if" | ".ifdef" | ".ifndef" | ".ifb" | ".ifc" | ".ifeq" | ".ifarch" => ".endif",
            ".macro" => ".endm",
            ".rept" | ".irp" | ".irpc" | ".for" | ".while" => ".endr",
            ".scope" => ".ends",
            _ => "",
        };
        if !end.is_empty() && seed.is_multiple_of(2) {
            open.push(end);
        }
        let end = ["\n", "\n", "\n", "\r\n", "\n\n"][numbers.below(5)];
        let _ = write!(text, "{}{line}{end}", ["", "  ", "\t"][numbers.below(3)]);
        if numbers.below(3) == 0
            && let Some(end) = open.pop()
        {
            let _ = writeln!(text, "{end}");
        }
    }
    for end in open.iter().rev() {
        let _ = writeln!(text, "{end}");
    }
    text
}

/// All that is asked about a text.
fn said(text: &str, dialect: Dialect) -> [String; 3] {
    let options = Options { dialect, ..Options::of(text, "made.s") };
    let program = assemble(text, &options, &include, &source::no_checkpoint);
    let made = code(&program) + &diagnostics(&program);
    let view = View::root(&program);
    let mut whole = format!("{options:?} {:?} {:?}\n", Abi::of(text), target_of(text, &options));
    let mut places = String::new();
    if view.text() == text {
        let all = TextRange::up_to(TextSize::of(text));
        let edits = service::formatting::edits(view, all);
        let _ = writeln!(whole, "{:?}", apply_edits(text, &edits));
        let _ = writeln!(whole, "{}", converted(view, all));
        let _ = writeln!(whole, "{:?}", service::folding::folds(view));
        let _ = writeln!(whole, "{:?}", service::outline::outline(view));
        let _ = writeln!(whole, "{:?}", service::includes::includes(view));
        let _ = writeln!(whole, "{:?}", service::names::names(view, all));
        let _ = writeln!(whole, "{:?}", service::tokens::tokens(view, all));
        places = everywhere(text, |at| {
            let at = TextSize::new(at as u32);
            (
                program.instruction_at(at),
                service::highlight::highlights(view, at),
                service::registers::definitions(view, at),
                service::registers::uses(view, at),
                service::rename::rename(view, at, "other"),
                service::signature::signature(view, at),
                service::formatting::indentation(view, at),
            )
        });
    }
    [made, whole, places]
}

#[test]
fn lines_in_any_order() {
    let mut records = table("made_texts.tsv");
    for dialect in [Dialect::Llvm, Dialect::Clrx] {
        for row in 0..TEXTS / 16 {
            let mut all = <[String; 3]>::default();
            for seed in row * 16..row * 16 + 16 {
                let answers = said(&made(dialect, seed), dialect);
                all.iter_mut().zip(answers).for_each(|(all, one)| *all += &one);
            }
            let row = format!("{} {row}", dialect.name());
            for (name, said) in ["made", "whole", "places"].into_iter().zip(&all) {
                records.add(&row, name, said);
            }
        }
    }
    records.check();
}

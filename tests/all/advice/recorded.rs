//! Recorded moves: everything that can be done with own programs, with programs that were made
//! worse and with such put together at random, pinned by checksums.

use std::fmt::Write as _;

use advise::kernel::{self, KernelMoves};
use advise::shader::{self, ShaderMoves};
use advise::{Moves, difference, line_edits};
use engine::Language;
use gcn::Target;
use gcn::program::Options;
use tests::random_shaders::{Numbers, Shader};
use tests::{corpus, inefficiencies};

use crate::records::Records;

/// Shaders and kernels put together at random.
const RANDOM: u64 = 90;
/// Of the variants of a text, one in this many is completed, which takes long.
const COMPLETED: usize = 40;
/// Lines of a random kernel.
const LINES: usize = 12;

fn table(name: &str) -> Records {
    Records::new(crate::architecture::root().join("analysis/advise/records").join(name))
}

/// All variants of a text, and some of them completed.
fn said(moves: &dyn Moves, text: &str) -> String {
    let mut said = String::new();
    for (number, variant) in moves.moves(text).into_iter().enumerate() {
        let _ = writeln!(said, "{}: {:?} {}", variant.change, variant.promise, variant.assumes);
        let _ = writeln!(said, "{}", variant.text);
        if number % COMPLETED == 0 {
            let _ = writeln!(said, "{:?}", line_edits(text, &variant.text));
            let _ = writeln!(said, "{:?}", difference(text, &variant.text));
            let _ = writeln!(said, "{:?}", moves.completed(variant));
        }
    }
    said
}

fn of_shader(text: &str) -> String {
    format!("{:?}\n{}", shader::refusal(text), said(&ShaderMoves, text))
}

fn of_kernel(text: &str, options: &Options) -> String {
    format!("{:?}\n{}", kernel::refusal(text, options), said(&KernelMoves::new(options), text))
}

fn options(target: Target) -> Options {
    Options { target: Some(target), ..Options::default() }
}

#[test]
fn moves_of_programs_that_were_made_worse() {
    let mut records = table("worse.tsv");
    // Moves of kernels take long.
    let mut kernels = 0;
    for it in [inefficiencies::all(), inefficiencies::held_out()].concat() {
        kernels += usize::from(it.language == Language::Gcn);
        if it.language == Language::Gcn && kernels % 3 != 0 {
            continue;
        }
        let said = match it.language {
            Language::Tgsi => of_shader(&it.worse),
            Language::Gcn => of_kernel(&it.worse, &options(it.target)),
        };
        records.add(&it.name, "moves", &said);
    }
    records.check();
}

#[test]
fn moves_of_own_programs() {
    let mut records = table("programs.tsv");
    for program in corpus::written_programs() {
        records.add(&program.name, "moves", &of_shader(&program.text));
    }
    for program in corpus::gcn_programs() {
        let said = of_kernel(&program.text(), &options(program.target));
        records.add(&program.file, "moves", &said);
    }
    records.check();
}

/// Instructions of which random kernels are made; `#` stands for a register's number.
const INSTRUCTIONS: [&str; 28] = [
    "v_mov_b32_e32 v#, v#",
    "v_mov_b32_e32 v#, s#",
    "v_mov_b32_e32 v#, 1.0",
    "s_mov_b32 s#, s#",
    "s_mov_b32 s#, 3",
    "v_add_f32_e32 v#, v#, v#",
    "v_add_f32_e64 v#, -v#, |v#|",
    "v_add_u32_e32 v#, 7, v#",
    "v_mul_lo_u32 v#, v#, 5",
    "v_mul_lo_u32 v#, 12, v#",
    "v_mul_u32_u24_e32 v#, 3, v#",
    "v_lshlrev_b32_e32 v#, 2, v#",
    "v_and_b32_e32 v#, 0xff, v#",
    "v_cndmask_b32_e32 v#, v#, v#, vcc",
    "v_cmp_lt_u32_e32 vcc, v#, v#",
    "s_add_u32 s#, s#, s#",
    "s_lshl_b32 s#, s#, 1",
    "s_cmp_lt_u32 s#, 4",
    "s_cselect_b32 s#, s#, s#",
    "v_lshlrev_b64 v[8:9], 3, v[4:5]",
    "s_and_saveexec_b64 s[20:21], vcc",
    "s_mov_b64 exec, s[20:21]",
    "global_load_dword v#, v#, s[10:11]",
    "global_store_dword v#, v#, s[10:11]",
    "ds_write_b32 v#, v#",
    "ds_read_b32 v#, v#",
    "s_load_dword s#, s[10:11], 0x4",
    "s_waitcnt vmcnt(0) lgkmcnt(0)",
];

/// A kernel of lines at random, some of which are repeated, with a loop or a branch around some.
fn random_kernel(numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = Vec::new();
    for _ in 0..LINES {
        let line = match numbers.below(5) {
            0 if !lines.is_empty() => lines[numbers.below(lines.len())].clone(),
            _ => {
                let form = INSTRUCTIONS[numbers.below(INSTRUCTIONS.len())];
                let parts: Vec<&str> = form.split('#').collect();
                let (last, parts) = parts.split_last().expect("a text");
                parts
                    .iter()
                    .fold(String::new(), |all, part| format!("{all}{part}{}", numbers.below(6)))
                    + last
            }
        };
        lines.push(line);
    }
    let (first, last) = (numbers.below(LINES / 2), LINES / 2 + numbers.below(LINES / 2));
    match numbers.below(3) {
        0 => {
            lines.insert(last, "s_cbranch_scc1 again".to_owned());
            lines.insert(first, "again:".to_owned());
        }
        1 => {
            lines.insert(last, "over:".to_owned());
            lines.insert(first, "s_cbranch_vccz over".to_owned());
        }
        _ => {}
    }
    lines.extend(
        ["s_waitcnt vmcnt(0) lgkmcnt(0)", "global_store_dword v0, v1, s[10:11]", "s_endpgm"]
            .map(str::to_owned),
    );
    lines.join("\n") + "\n"
}

#[test]
fn moves_of_random_programs() {
    let mut records = table("random.tsv");
    let mut numbers = Numbers::new(11);
    let chips = ["tahiti", "polaris10", "gfx900", "gfx90a"];
    for seed in 0..RANDOM {
        let name = format!("{seed}");
        records.add(&name, "shader", &of_shader(&Shader::of(seed).text()));
        let target = Target::find(chips[seed as usize % chips.len()]).expect("a chip");
        let text = random_kernel(&mut numbers);
        records.add(&name, "kernel", &format!("{text}{}", of_kernel(&text, &options(target))));
    }
    records.check();
}

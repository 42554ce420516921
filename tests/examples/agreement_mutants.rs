//! Whether faults would be found: shaders of the corpora are lowered, one thing at a time
//! is changed in the lowered text or in the machine code, and both sides are compared.
//!
//! `cargo run --release -p tests --example agreement_mutants -- [--every N] [--mutants N] [--sets N] [--show] [--made] [TARGET]`
//!
//! `--made` takes the shaders that are made from the opcode table, whose outputs show all
//! that is computed; many of the corpora only say whether a result is as expected.
//! Prints for every kind of fault how many were made and how many found; `--show` those
//! that were not. Faults that
//! do not change the machine code are not counted. Some of the others change nothing that
//! counts (a limit that no value reaches, a wait for what has come); so not all can be
//! found.

#[path = "../tests/lower_shaders/mod.rs"]
mod lower_shaders;

use std::collections::BTreeMap;
use std::process::ExitCode;

use agreement::{Random, Verdict};
use gcn::Target;
use llvm::Job;
use tests::agreement::{compiler, job, judge, left_open, parsed};
use tests::bench::serve_if_worker;
use tests::corpora::tgsi_programs;

/// A fault of the lowered text: its name, what stands there and what comes instead.
const FAULTS: &[(&str, &str, &str)] = &[
    ("wrong operation", " = fadd float ", " = fsub float "),
    ("wrong operation", " = fmul float ", " = fadd float "),
    ("wrong operation", " = add i32 ", " = sub i32 "),
    ("wrong operation", " = and i32 ", " = or i32 "),
    ("wrong operation", " = shl i32 ", " = lshr i32 "),
    ("wrong comparison", "fcmp olt ", "fcmp ole "),
    ("wrong comparison", "fcmp oge ", "fcmp ogt "),
    ("wrong comparison", "fcmp oeq ", "fcmp une "),
    ("wrong comparison", "fcmp une ", "fcmp oeq "),
    ("wrong comparison", "icmp ne ", "icmp eq "),
    ("wrong comparison", "icmp slt ", "icmp sge "),
    ("wrong swizzle", "float> %v, i32 0", "float> %v, i32 1"),
    ("wrong swizzle", ", i32 0, i32 0, i32 %primitive_mask", ", i32 1, i32 0, i32 %primitive_mask"),
    ("wrong swizzle", ", i32 1, i32 0, i32 %primitive_mask", ", i32 2, i32 0, i32 %primitive_mask"),
    ("wrong corner", "interp.mov(i32 2", "interp.mov(i32 0"),
    ("dropped saturate", "float 0x3FF0000000000000)", "float 0x7FF0000000000000)"),
    ("dropped saturate", "float 1.000000e+00)", "float 0x7FF0000000000000)"),
    ("wrong constant", ", i32 4, i32 0)", ", i32 8, i32 0)"),
    ("wrong constant", ", i32 16, i32 0)", ", i32 20, i32 0)"),
    ("wrong export", "i32 15, float ", "i32 7, float "),
    ("wrong function", "@llvm.floor.f32(", "@llvm.ceil.f32("),
    ("wrong function", "@llvm.minnum.f32(", "@llvm.maxnum.f32("),
    ("wrong function", "@llvm.maxnum.f32(", "@llvm.minnum.f32("),
];

/// A word of code that waits for nothing.
const NO_OPERATION: u32 = 0xbf80_0000;
/// The upper half of `s_waitcnt` on all generations.
const WAIT: u32 = 0xbf8c;

/// A text with one fault, of those that are possible.
fn faulty(ir: &str, random: &mut Random) -> Option<(&'static str, String)> {
    let body = ir.find("define ")?;
    let end = body + ir[body..].find("\n}\n")?;
    let mut places = Vec::new();
    for (number, (_, from, _)) in FAULTS.iter().enumerate() {
        places.extend(ir[body..end].match_indices(from).map(|(at, _)| (number, body + at)));
    }
    // One kind as often as another, however often it is possible.
    let mut kinds: Vec<&str> = places.iter().map(|(number, _)| FAULTS[*number].0).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let kind = *kinds.get(random.below(kinds.len() as u32) as usize)?;
    places.retain(|(number, _)| FAULTS[*number].0 == kind);
    let (number, at) = *places.get(random.below(places.len() as u32) as usize)?;
    let (kind, from, to) = FAULTS[number];
    let mut text = String::with_capacity(ir.len() + 8);
    text.push_str(&ir[..at]);
    text.push_str(to);
    text.push_str(&ir[at + from.len()..]);
    // What the text calls must be declared.
    for name in ["floor", "ceil", "minnum", "maxnum"] {
        let (call, declaration) =
            (format!("@llvm.{name}.f32("), format!("declare float @llvm.{name}.f32("));
        if text.contains(&call) && !text.contains(&declaration) {
            let second = if name.ends_with("num") { ", float" } else { "" };
            text.push_str(&format!("\n{declaration}float{second})\n"));
        }
    }
    Some((kind, text))
}

/// Replaces one wait of listing and code. Answers whether there is one.
fn drop_wait(listing: &mut String, code: &mut [u8], random: &mut Random) -> bool {
    let words: Vec<usize> = (0..code.len() / 4)
        .filter(|word| code[4 * word + 2..4 * word + 4] == (WAIT as u16).to_le_bytes())
        .collect();
    let lines: Vec<usize> = listing.match_indices("\ts_waitcnt ").map(|(at, _)| at).collect();
    let chosen = random.below(words.len().max(1) as u32) as usize;
    let (Some(word), Some(line)) = (words.get(chosen), lines.get(chosen)) else {
        return false;
    };
    if lines.len() != words.len() {
        return false;
    }
    let end = listing[line + 1..].find('\n').map_or(listing.len(), |length| line + 1 + length);
    listing.replace_range(*line..end, "\ts_nop 0");
    code[4 * word..4 * word + 4].copy_from_slice(&NO_OPERATION.to_le_bytes());
    true
}

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    serve_if_worker();
    let (mut every, mut mutants, mut sets) = (25, 6, 12);
    let (mut show, mut made) = (false, false);
    let mut target = Target::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|it| it.parse::<u64>().ok()).unwrap_or(1);
        match argument.as_str() {
            "--every" => every = number().max(1),
            "--mutants" => mutants = number(),
            "--sets" => sets = number(),
            "--show" => show = true,
            "--made" => made = true,
            chip => match Target::find(chip) {
                Some(found) => target = found,
                None => {
                    eprintln!("no target {chip}");
                    return ExitCode::from(2);
                }
            },
        }
    }
    let programs: Vec<(String, String)> = if made {
        let all = lower_shaders::all().into_iter();
        all.filter(|it| left_open(&it.name).is_none()).map(|it| (it.name, it.text)).collect()
    } else {
        let Some(programs) = tgsi_programs() else { return ExitCode::SUCCESS };
        let accepted = programs.into_iter().filter(|it| it.accepted);
        accepted.map(|it| (it.name, it.text)).collect()
    };
    let Some((mut compiler, version)) = compiler(None) else {
        eprintln!("skipped: no libLLVM");
        return ExitCode::SUCCESS;
    };
    let mut random = Random::new(7);
    let mut scores: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut shaders = 0;
    for (name, text) in programs.iter().step_by(every as usize) {
        let Some(shader) = parsed(text) else { continue };
        let Ok(good) = job(&shader, target) else { continue };
        let mut right = Vec::new();
        let mut keep = |_: &mut String, code: &mut Vec<u8>| right.clone_from(code);
        let verdict = judge(&shader, target, &good, sets, &mut compiler, &mut keep);
        if verdict != Verdict::Agree {
            continue;
        }
        shaders += 1;
        for number in 0..mutants {
            let (kind, what, verdict) = if number % 3 == 2 {
                let mut dropped = false;
                let mut change = |listing: &mut String, code: &mut Vec<u8>| {
                    dropped = drop_wait(listing, code, &mut random);
                };
                let verdict = judge(&shader, target, &good, sets, &mut compiler, &mut change);
                if !dropped {
                    continue;
                }
                ("dropped wait", String::new(), verdict)
            } else {
                let Some((kind, ir)) = faulty(&good.ir, &mut random) else { continue };
                let bad = Job { ir, ..good.clone() };
                let mut same = false;
                let mut compare = |_: &mut String, code: &mut Vec<u8>| same = *code == right;
                let verdict = judge(&shader, target, &bad, sets, &mut compiler, &mut compare);
                // A fault in what nobody reads is none.
                if same {
                    continue;
                }
                let lines = good.ir.lines().zip(bad.ir.lines());
                let line = lines.into_iter().find(|(one, two)| one != two).map_or("", |it| it.1);
                (kind, line.trim().to_owned(), verdict)
            };
            let score = scores.entry(kind).or_default();
            match verdict {
                Verdict::Skipped(_) => {}
                Verdict::Agree => {
                    score[0] += 1;
                    if show {
                        println!("  not found: {kind} in {name}: {what}");
                    }
                }
                Verdict::Differ(_) => {
                    score[0] += 1;
                    score[1] += 1;
                }
            }
        }
    }
    println!("LLVM {version}, {}, {shaders} shaders, {sets} sets each", target.name());
    let mut all = [0; 2];
    for (kind, [made, found]) in &scores {
        println!("  {kind:<18} {found:>4} of {made:>4} found");
        all = [all[0] + made, all[1] + found];
    }
    println!("  all                {:>4} of {:>4} found", all[1], all[0]);
    ExitCode::SUCCESS
}

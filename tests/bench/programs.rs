//! The time that a line of a GCN program takes to be read, expanded, encoded and placed,
//! beside a yardstick of the same run, and beside llvm-mc and clrxasm where they are
//! installed.
//!
//! `cargo bench -p tests --bench programs`

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gcn::Target;
use gcn::assembler::{self, Dialect};
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};
use gcn::program::{Options, assemble};
use source::no_checkpoint;
use tests::measure::{median_of, yardstick};

/// The lines of a kernel.
const MIXED: [&str; 12] = [
    "\tv_mad_f32 v{a}, v{b}, v{c}, v{a}",
    "\tv_mul_f32_e32 v{a}, s{b}, v{c}",
    "\tv_add_f32 v{a}, v{b}, v{c}  // sum",
    "\tbuffer_load_dword v{a}, v{b}, s[4:7], 0 offen offset:{b}",
    "\ts_waitcnt vmcnt(0) & lgkmcnt(0)",
    "\ts_add_u32 s{b}, s{b}, 0x12345",
    "\tv_cmp_lt_f32 vcc, v{a}, v{b}",
    "\tv_cndmask_b32 v{a}, v{b}, v{c}, vcc",
    "\tds_read_b32 v{a}, v{b} offset:{c}",
    "\ts_cbranch_scc1 label_{label}",
    "label_{n}:",
    "\tv_mov_b32 v{a}, 1.0",
];

const IMAGES: [&str; 3] = [
    "\timage_sample v[0:3], v[{a}:{d}], s[8:15], s[16:19] dmask:0xf unorm",
    "\timage_load v[0:1], v[{a}:{d}], s[8:15] dmask:0x3 glc",
    "\timage_gather4_lz v[0:3], v[{a}:{d}], s[8:15], s[16:19] dmask:0x1",
];

const CALLS: [&str; 2] = ["\tstep v{a}, v{b}", "\tstep v{c}, v{a}"];

const STEP: &str =
    ".macro step to, from\n\tv_add_f32 \\to, \\from, \\to\n\tv_mul_f32 \\to, 2.0, \\to\n.endm\n";

#[allow(clippy::print_stdout)]
fn main() {
    println!(
        "{:<8} {:>7} {:>9} {:>9} {:>9} {:>9}  beside",
        "ns", "lines", "expand", "encode", "assemble", "yardstick"
    );
    for (lines, runs) in [(20_000, 31), (100_000, 11), (500_000, 5)] {
        report("mixed", &program(&MIXED, lines, ""), runs);
    }
    report("images", &program(&IMAGES, 20_000, ""), 31);
    report("calls", &program(&CALLS, 20_000, STEP), 31);
}

/// One row: nanoseconds for a line of the text.
#[allow(clippy::print_stdout)]
fn report(what: &str, text: &str, runs: usize) {
    let lines = text.lines().count();
    let per_line = |time: Duration| time.as_nanos() / lines.max(1) as u128;
    let target = Target::find("gfx803").unwrap_or_default();
    let options = assembler::Options { target, ..assembler::Options::default() };
    let none = |_: &str| None;
    let expand = median_of(runs, || {
        let expansion = assembler::expand(text, Dialect::Llvm, &none, &options, &no_checkpoint);
        drop(black_box(expansion));
    });
    let set = InstructionSet::of(target);
    let encode = median_of(runs, || {
        for line in text.lines() {
            let _ = black_box(assemble_line(line, set, &NoSymbols));
        }
    });
    let options = Options { target: Some(target), ..Options::default() };
    let ours = median_of(runs, || {
        let program = assemble(text, &options, &none, &no_checkpoint);
        assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics[0]);
        drop(black_box(program));
    });
    let (expand, encode, assemble) = (per_line(expand), per_line(encode), per_line(ours));
    let hash = per_line(yardstick(text));
    let beside = [
        beside("llvm-mc", &["-arch=amdgcn", "-mcpu=gfx803", "-filetype=obj"], text, ours),
        beside("clrxasm", &["--gpuType=polaris10", "-b", "rawcode"], text, ours),
    ];
    let beside = beside.join(", ");
    println!("{what:<8} {lines:>7} {expand:>9} {encode:>9} {assemble:>9} {hash:>9}  {beside}");
}

/// Returns the time of an installed assembler, its start included, as a multiple of ours.
fn beside(program: &str, arguments: &[&str], text: &str, ours: Duration) -> String {
    let path = std::env::temp_dir().join(format!("tungsten-bench-{}.s", std::process::id()));
    if std::fs::write(&path, text).is_err() {
        return format!("{program}: no room for its file");
    }
    let start = Instant::now();
    let ended = run(program, arguments, &path);
    let time = start.elapsed();
    let _ = std::fs::remove_file(&path);
    match ended {
        Some(true) => format!("{program} x {:.1}", time.as_secs_f64() / ours.as_secs_f64()),
        Some(false) => format!("{program} refuses it"),
        None => format!("no {program} here"),
    }
}

fn run(program: &str, arguments: &[&str], path: &Path) -> Option<bool> {
    let mut command = Command::new(program);
    command.args(arguments).args(["-o", "/dev/null"]).arg(path).stderr(Stdio::null());
    Some(command.status().ok()?.success())
}

/// A program of `lines` lines.
fn program(templates: &[&str], lines: usize, head: &str) -> String {
    let mut text = head.to_owned();
    let labels = lines.div_ceil(templates.len()).saturating_sub(1);
    for line in 0..lines {
        let template = templates[line % templates.len()];
        let round = line / templates.len();
        let (a, b, c) = (line % 200, line % 96, (line * 7) % 200);
        // The next label, as loops and branches have it.
        let label = (round + 1).min(labels.saturating_sub(1));
        let line = template
            .replace("{label}", &label.to_string())
            .replace("{n}", &round.to_string())
            .replace("{a}", &a.to_string())
            .replace("{b}", &b.to_string())
            .replace("{c}", &c.to_string())
            .replace("{d}", &(a + 3).to_string());
        text.push_str(&line);
        text.push('\n');
    }
    text
}

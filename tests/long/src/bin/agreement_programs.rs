//! Writes `analysis/diff-exec/programs` anew: shaders with the machine code that a libLLVM
//! makes of them, for tests that need no compiler.
//!
//! A file has the chip, one shader or two that run as one program, what is read of the IR, the
//! compiler's assembly and its bytes, each behind a line `--- NAME`.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use diff_exec::{Compiled, TestPair, Verdict, lowered, lowered_merged};
use gcn::Target;
use llvm::{Compiler, Job};
use tests::agreement::{compiler, meaningless, parsed};
use tests::bench::{own_program, serve_if_worker};
use tests::checks::merged::partner;
use tests::corpus::{made_programs, written_programs};

/// Written shaders of each stage.
const WRITTEN: usize = 3;
/// Of the shaders that are made from the opcode table, one of so many.
const MADE: usize = 83;
/// Longer code takes long to judge.
const LONGEST: usize = 500;
/// On so many sets of inputs both sides agree.
const SEEDS: u64 = 9;
const TARGETS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

fn main() {
    serve_if_worker();
    let (mut compiler, version) = compiler(&own_program(), None).expect("a libLLVM");
    println!("LLVM {version}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../analysis/diff-exec/programs");
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut turn = 0;
    let written = written_programs().into_iter().filter(|it| it.accepted && it.name.contains('/'));
    let chosen = written
        .map(|it| (it, false))
        .chain(made_programs().into_iter().step_by(MADE).map(|it| (it, true)));
    for (program, made) in chosen {
        let count = taken.entry(program.stage.clone()).or_default();
        if !made && *count >= WRITTEN || made && meaningless(&program.name).is_some() {
            continue;
        }
        let Some(target) = Target::find(TARGETS[turn % TARGETS.len()]) else { continue };
        let Some(text) = alone(&mut compiler, &program.text, target) else { continue };
        turn += 1;
        *count += usize::from(!made);
        let name: String =
            program.name.chars().map(|it| if it.is_alphanumeric() { it } else { '_' }).collect();
        std::fs::write(folder.join(format!("{name}.txt")), text).expect("a file");
        let target = Target::find("vega10").expect("a chip");
        if !made && let Some(text) = together(&mut compiler, &program.text, target) {
            std::fs::write(folder.join(format!("{name}_merged.txt")), text).expect("a file");
        }
    }
}

/// The file of a shader that is a program.
fn alone(compiler: &mut Compiler, shader: &str, target: Target) -> Option<String> {
    let lowered = lowered(&parsed(shader)?, target).ok()?;
    compiled(compiler, &[shader], target, lowered)
}

/// The file of a shader behind a vertex shader, where the chip runs both as one program.
fn together(compiler: &mut Compiler, second: &str, target: Target) -> Option<String> {
    let shader = parsed(second)?;
    let first = partner(&shader);
    let lowered = lowered_merged(&parsed(&first)?, &shader, target).ok()?;
    compiled(compiler, &[&first, second], target, lowered)
}

fn compiled(
    compiler: &mut Compiler,
    shaders: &[&str],
    target: Target,
    lowered: diff_exec::Lowered,
) -> Option<String> {
    let job = Job {
        ir: lowered.ir,
        processor: lowered.processor.to_owned(),
        features: lowered.features.to_owned(),
        instructions: lowered.instructions,
    };
    let output = compiler.compile(&job).ok().filter(|it| it.code.len() <= LONGEST)?;
    let made =
        Compiled { target, entry: &lowered.entry, assembly: &output.assembly, code: &output.code };
    if let [shader] = shaders {
        let shader = parsed(shader)?;
        let subject = TestPair::new(&shader, &made).ok()?;
        // What lanes do to each other may come out in several ways.
        let differs = |seed| matches!(subject.check(seed), Verdict::Differ(_));
        if (0..SEEDS).any(differs) {
            return None;
        }
    }
    let mut text = format!("--- chip\n{}\n", target.name());
    for shader in shaders {
        let _ = write!(text, "--- shader\n{shader}");
    }
    let code: String = output.code.iter().map(|byte| format!("{byte:02x}")).collect();
    let _ = writeln!(text, "--- assembly\n{}\n--- code\n{code}", output.assembly.trim_end());
    Some(text)
}

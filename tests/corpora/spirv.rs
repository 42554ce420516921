//! Modules of real and own shaders, judged by the validator of SPIRV-Tools; what is refused, and
//! why; and the text that its disassembler prints.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use expect_test::expect_file;
use tests::checks::spirv::random_module;
use tests::corpora;
use tests::corpus::{self, Program};

/// The names of programs that are refused, by reason.
type Refusals = BTreeMap<String, Vec<String>>;

/// The modules of programs, and the programs that are refused by their first reason.
fn modules(programs: &[Program]) -> (Vec<(String, spirv::Module)>, Refusals) {
    let (mut modules, mut refused) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
    for program in programs {
        let parse = tgsi::parser::parse(&program.text, &source::no_checkpoint);
        let Some(shader) = parse.shader else { panic!("{}: no shader", program.name) };
        match spirv::translate(&shader, &spirv::Options::default()) {
            Ok(module) => modules.push((program.name.clone(), module)),
            Err(failures) => {
                let reason = failures[0].construct.clone();
                refused.entry(reason).or_default().push(program.name.clone());
            }
        }
    }
    (modules, refused)
}

/// The answer of a tool of SPIRV-Tools to a module on standard input: its success and its words.
fn told(tool: &str, arguments: &[&str], module: &spirv::Module) -> (bool, String) {
    let mut child = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{tool}: {error}; Debian has it in `spirv-tools`"));
    let mut input = child.stdin.take().expect("a pipe");
    let bytes = module.bytes();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().expect("an end");
    let _ = writer.join(); // It may have had enough before the end.
    let words = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&words).into_owned())
}

/// Checks modules by some threads; returns what is wrong.
fn wrong(
    modules: &[(String, spirv::Module)],
    check: impl Fn(&str, &spirv::Module) -> Option<String> + Sync,
) -> Vec<String> {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let share = modules.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let check = &check;
        let running: Vec<_> = modules
            .chunks(share)
            .map(|part| {
                scope.spawn(move || {
                    part.iter().filter_map(|(name, module)| check(name, module)).collect::<Vec<_>>()
                })
            })
            .collect();
        running.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    })
}

fn accepted_by_the_validator(modules: &[(String, spirv::Module)]) {
    let wrong = wrong(modules, |name, module| {
        let (good, words) = told("spirv-val", &["--target-env", "vulkan1.1", "-"], module);
        (!good).then(|| format!("{name}: {words}"))
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), modules.len(), wrong.join("\n"));
}

#[test]
fn modules_of_real_shaders_are_valid() {
    let programs = corpora::programs_with_verdicts().into_iter();
    let read = programs.filter(|it| it.accepted_by_mesa_21).map(|it| it.program);
    let programs: Vec<Program> = read.collect();
    let (modules, refused) = modules(&programs);
    assert!(modules.len() > 1500, "{} modules", modules.len());
    let mut stages = BTreeMap::<String, usize>::new();
    for (_, module) in &modules {
        *stages.entry(module.stage.to_string()).or_default() += 1;
    }
    assert_eq!(stages.len(), 6, "{stages:?}");
    let mut table = String::from(
        "# Real shaders as SPIR-V\n\nKept by the test `modules_of_real_shaders_are_valid`: the shaders \
         that Mesa 21 reads, of\nwhich every module is accepted by `spirv-val --target-env vulkan1.1`.\n\n\
         | stage | modules |\n|---|---|\n",
    );
    for (stage, count) in stages {
        let _ = writeln!(table, "| {stage} | {count} |"); // Writing to a string cannot fail.
    }
    table.push_str("\n| refused for | shaders | one of them |\n|---|---|---|\n");
    for (reason, names) in refused {
        let _ = writeln!(table, "| {reason} | {} | `{}` |", names.len(), names[0]);
    }
    expect_file!["../results/spirv.md"].assert_eq(&table);
    accepted_by_the_validator(&modules);
}

#[test]
fn modules_of_own_shaders_are_valid() {
    let mut programs = [corpus::written_programs(), corpus::made_programs()].concat();
    programs.retain(|program| program.accepted);
    let (modules, _) = modules(&programs);
    assert!(modules.len() > 1000, "{} modules", modules.len());
    accepted_by_the_validator(&modules);
}

#[test]
fn modules_of_random_shaders_are_valid() {
    let module = |seed: u64| Some((format!("seed {seed}"), random_module(seed)?.1));
    let modules: Vec<_> = (0..400).filter_map(module).collect();
    assert!(modules.len() > 200, "{} modules", modules.len());
    accepted_by_the_validator(&modules);
}

#[test]
fn the_text_is_that_of_the_disassembler() {
    let mut programs = corpora::tgsi_programs();
    programs.retain(|program| program.accepted);
    let programs: Vec<Program> = programs.into_iter().step_by(5).collect();
    let (modules, _) = modules(&programs);
    assert!(modules.len() > 200, "{} modules", modules.len());
    let wrong = wrong(&modules, |name, module| {
        let ours = spirv::disassemble(&module.words).expect("known instructions");
        let (_, theirs) = told("spirv-dis", &["--no-color", "-"], module);
        let differ = |(ours, theirs): &(&str, &str)| ours != theirs;
        let first = ours.lines().zip(theirs.lines()).find(differ);
        (ours != theirs).then(|| format!("{name}: {first:?}"))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! `tungsten fmt` from outside: what it writes, and what its exit status says.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const MESSY: &str = "# a note\nVERT\ndcl  IN[0]\n 0:mov OUT[0],IN[0].xyzw\n1: END\n";
const NEAT: &str = "# a note\nVERT\nDCL IN[0]\n  0: MOV OUT[0], IN[0]\n  1: END\n";

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(crate::TUNGSTEN);
    command.arg("fmt").args(arguments).stdin(Stdio::null()).output().expect("tungsten starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// A file of its own for a test.
fn file(name: &str, text: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("writable");
    path
}

#[test]
fn files_are_written_in_place() {
    let path = file("fmt-in-place.tgsi", MESSY.as_bytes());
    let name = path.to_str().expect("UTF-8");
    let output = run(&[name]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(stdout(&output), "");
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), NEAT);
}

#[test]
fn check_names_files_and_writes_nothing() {
    let messy = file("fmt-messy.tgsi", MESSY.as_bytes());
    let neat = file("fmt-neat.tgsi", NEAT.as_bytes());
    let (messy_name, neat_name) = (messy.to_str().expect("UTF-8"), neat.to_str().expect("UTF-8"));
    let output = run(&["--check", messy_name, neat_name]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), format!("{messy_name}\n"));
    assert_eq!(std::fs::read_to_string(&messy).expect("readable"), MESSY);
    assert_eq!(run(&["--check", neat_name]).status.code(), Some(0));
}

#[test]
fn stdout_writes_there_and_not_to_the_file() {
    let path = file("fmt-stdout.tgsi", MESSY.as_bytes());
    let name = path.to_str().expect("UTF-8");
    assert_eq!(stdout(&run(&["--stdout", name])), NEAT);
    let bare = NEAT.replace("  0: ", "").replace("  1: ", "");
    assert_eq!(stdout(&run(&["--stdout", "--numbers", "never", name])), bare);
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), MESSY);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let mut child = Command::new(crate::TUNGSTEN)
        .args(["fmt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("tungsten starts");
    child.stdin.take().expect("piped").write_all(MESSY.as_bytes()).expect("it reads");
    assert_eq!(stdout(&child.wait_with_output().expect("it ends")), NEAT);
}

#[test]
fn assembly_is_laid_out_too() {
    let path = file("fmt-kernel.s", b"  main:\n  v_add_f32 v0,v1,v2 \ns_endpgm\n");
    let name = path.to_str().expect("UTF-8");
    assert_eq!(run(&[name]).status.code(), Some(0));
    let neat = "main:\n  v_add_f32 v0, v1, v2\n  s_endpgm\n";
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), neat);
    assert_eq!(run(&["--check", name]).status.code(), Some(0));
}

#[test]
fn what_cannot_be_written_back_is_refused() {
    let latin = file("fmt-latin.tgsi", b"VERT\n# caf\xe9\nend\n");
    let name = latin.to_str().expect("UTF-8");
    assert_eq!(run(&[name]).status.code(), Some(2));
    assert_eq!(std::fs::read(&latin).expect("readable"), b"VERT\n# caf\xe9\nend\n");
    let foreign = file("fmt-foreign.s", b"\tmovq %rax, %rbx\n\tpushq %rbp\n\tret\n");
    assert_eq!(run(&[foreign.to_str().expect("UTF-8")]).status.code(), Some(2));
    assert_eq!(run(&["/no/such/file.tgsi"]).status.code(), Some(2));
}

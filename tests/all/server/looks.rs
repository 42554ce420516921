//! The command line as it looks: colours, many files, the order of what is said, forms of
//! results, values of runs.

use std::fs::{File, read_to_string};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const SHADER: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
const KERNEL: &str = "s_mov_b32 s0, 1\ns_endpgm\n";

fn tungsten(arguments: &[&str]) -> Command {
    let mut command = Command::new(crate::TUNGSTEN);
    command.args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.env("TUNGSTEN_CACHE", "off").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    tungsten(arguments).output().expect("tungsten starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file for a test, by a name that no other has.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("writable");
    path.display().to_string()
}

#[test]
fn colours_are_where_they_are_asked_for() {
    let coloured = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = tungsten(arguments);
        command.envs(variables.iter().copied());
        stdout(&command.output().expect("tungsten starts")).contains('\x1b')
    };
    let plain = ["targets"];
    assert!(!coloured(&plain, &[]), "no terminal");
    assert!(coloured(&plain, &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&plain, &[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&plain, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&["targets", "--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!coloured(&["--color", "never", "targets"], &[("CLICOLOR_FORCE", "1")]));
    let wrong = file("looks-colours.tgsi", &SHADER.replace("MOV", "MOVV"));
    let check = tungsten(&["check", "--color", "always", &wrong]).output().expect("it starts");
    assert!(stdout(&check).contains("\x1b["), "{check:?}");
}

#[test]
fn pages_are_read_without_their_marks_where_they_are_seen() {
    let shown = stdout(&run(&["explain", "MAD", "--color", "always"]));
    assert!(!shown.contains("```") && !shown.contains("**"), "{shown}");
    assert!(shown.contains("dst.c = src0.c * src1.c + src2.c"), "{shown}");
    let kept = stdout(&run(&["explain", "MAD"]));
    assert!(kept.contains("```tgsi\nMAD "), "{kept}");
}

#[test]
fn the_sum_comes_after_what_it_sums_up() {
    let wrong = file("looks-order.tgsi", &SHADER.replace("MOV", "MOVV"));
    let both = file("looks-order.txt", "");
    let stream = || File::options().append(true).open(&both).expect("writable");
    let status = tungsten(&["check", &wrong]).stdout(stream()).stderr(stream()).status();
    assert_eq!(status.expect("it ends").code(), Some(1));
    let said = read_to_string(&both).expect("readable");
    assert!(said.starts_with("error[tgsi::unknown-opcode]"), "{said}");
    assert!(said.ends_with("1 error, 0 warnings, 0 hints in 1 file\n"), "{said}");
}

#[test]
fn commands_take_many_files() {
    let shader = file("looks-many.tgsi", SHADER);
    let kernel = file("looks-many.s", KERNEL);
    let missing = format!("{shader}.missing");
    // What is named twice is compiled once.
    let copies = [file("looks-more.tgsi", SHADER), file("looks-more.s", KERNEL)];
    let cases: [(&[&str], &str, &str); 7] = [
        (&["compile", "--emit", "ir"], &shader, "define "),
        (&["tokens", "--encode"], &shader, "\n00"),
        (&["run"], &shader, "OUT[0]"),
        (&["asm"], &kernel, "810080be"),
        (&["convert", "--to", "clrx"], &kernel, "s_mov_b32"),
        (&["disasm", "--target", "fiji"], &kernel, "\t"),
        (&["fmt", "--stdout"], &kernel, "s_endpgm"),
    ];
    for (command, name, word) in cases {
        let copy = &copies[usize::from(name != shader)];
        let output = run(&[command, &[name, &missing, copy]].concat());
        let shown = stdout(&output);
        assert_eq!(output.status.code(), Some(2), "{command:?}: one is missing");
        assert!(stderr(&output).contains(&missing), "{command:?}: {}", stderr(&output));
        assert!(shown.matches(word).count() >= 2, "{command:?}: {shown}");
        let is_head = |line: &&str| [name, copy].iter().any(|it| *line == format!("# {it}"));
        let heads = shown.lines().filter(is_head).count();
        assert_eq!(heads, if command[0] == "fmt" { 0 } else { 2 }, "{command:?}: {shown}");
    }
    let figures = stdout(&run(&["stats", "--format", "csv", &kernel, &kernel]));
    assert_eq!(figures.lines().filter(|line| line.starts_with("file,")).count(), 1, "{figures}");
    assert!(figures.lines().count() > 4, "{figures}");
    for arguments in [&["asm", "--emit", "bin"][..], &["tokens", "--encode", "--raw"]] {
        let refused = run(&[arguments, &[&kernel, &kernel]].concat());
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&refused).contains("takes one file"), "{}", stderr(&refused));
    }
}

#[test]
fn one_word_chooses_the_form_of_results() {
    let (shader, kernel) = (file("looks-form.tgsi", SHADER), file("looks-form.s", KERNEL));
    let wrong = file("looks-form-wrong.tgsi", &SHADER.replace("MOV", "MOVV"));
    let commands = [
        ["check", &wrong],
        ["compile", &shader],
        ["caps", &shader],
        ["stats", &kernel],
        ["targets", "--color=never"],
        ["profiles", "--color=never"],
    ];
    for command in commands {
        let json = run(&[&command[..], &["--format", "json"]].concat());
        for line in stdout(&json).lines() {
            let object: Result<Value, _> = serde_json::from_str(line);
            assert!(object.is_ok_and(|it| it.is_object()), "{command:?}: {line}");
        }
        let before = run(&[&command[..], &["--json"]].concat());
        assert_eq!(before.stdout, json.stdout, "{command:?}: as it was called before");
        assert_ne!(json.stdout, run(&command).stdout, "{command:?}");
    }
    let found: Value =
        serde_json::from_str(&stdout(&run(&["doctor", "--format", "json"]))).unwrap();
    assert!(found["libraries"].is_array(), "{found}");
}

#[test]
fn a_shader_is_no_assembly() {
    let shader = file("looks-shader.tgsi", SHADER);
    for command in [&["asm"][..], &["convert", "--to", "clrx"]] {
        let output = run(&[command, &[&shader]].concat());
        assert_eq!(output.status.code(), Some(2));
        let said =
            format!("tungsten: {shader}: is TGSI, not assembly: `tungsten compile {shader}`\n");
        assert_eq!(stderr(&output), said);
    }
}

#[test]
fn no_hidden_command_is_offered() {
    let said = stderr(&run(&["compil"]));
    assert!(said.contains("compile") && !said.contains("worker"), "{said}");
}

#[test]
fn values_are_shown_as_what_they_are_used_as() {
    let shader = file(
        "looks-values.tgsi",
        "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {0.0, -1.0, 0.0, 0.0}\n\
         RCP TEMP[0].x, IMM[0].xxxx\nSQRT TEMP[0].y, IMM[0].yyyy\n\
         F2I TEMP[0].z, IMM[0].yyyy\nMUL TEMP[0].w, IMM[0].yyyy, TEMP[0].xxxx\n\
         MOV OUT[0], TEMP[0]\nEND\n",
    );
    for arguments in [&["run", &shader][..], &["run", "--trace", &shader]] {
        let shown = stdout(&run(arguments));
        let outputs = &shown[shown.find("OUT[0], COLOR").expect("the output")..];
        let values: Vec<&str> =
            outputs.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
        assert_eq!(values, ["inf", "NaN", "-1", "-inf"], "{shown}");
        assert!(!shown.contains("2139095040"), "{shown}");
    }
}

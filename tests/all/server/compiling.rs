//! `tungsten compile` of many files, those of folders among them.

use serde_json::Value;

use super::folder::{Folder, stderr, stdout};

const SHADER: &str = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}\n\
                      0: MOV OUT[0], IMM[0]\n1: END\n";
const WRONG: &str = "FRAG\nDCL OUT[0], COLOR\n0: MOV OUT[1], OUT[0]\n1: END\n";

fn shaders() -> Folder {
    let files = [
        ("a.tgsi", SHADER),
        ("inner/b.tgsi", WRONG),
        ("inner/kernel.s", " s_endpgm\n"),
        ("inner/two.tgsi", &format!("{SHADER}\n{SHADER}")),
        ("target/made.tgsi", WRONG),
        (".ignore", "left_out.tgsi\n"),
        ("left_out.tgsi", WRONG),
    ];
    Folder::with("compiling", &files)
}

/// The file, shader and status of each result.
fn results(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let output = folder.run(&[&["compile", "--json"], arguments].concat());
    let lines = stdout(&output);
    let results = lines.lines().map(|line| {
        let result: Value = serde_json::from_str(line).expect("an object");
        let word = |key: &str| result[key].as_str().unwrap_or_default().to_owned();
        format!("{} {} {}", word("file"), result["shader"], word("status"))
    });
    results.collect()
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_folder_stands_for_its_shaders() {
    let folder = shaders();
    let all = ["./a.tgsi 0 ok", "./inner/b.tgsi 0 invalid", "./inner/two.tgsi 0 ok"];
    let expected = [&all[..], &["./inner/two.tgsi 1 ok"]].concat();
    assert_eq!(results(&folder, &["."]), expected);
    // A file that is named and lies in a folder that is named is compiled once.
    assert_eq!(results(&folder, &["a.tgsi", "inner", "."]).len(), 4);
    assert_eq!(results(&folder, &["left_out.tgsi"]), ["left_out.tgsi 0 invalid"]);

    let output = folder.run(&["compile", ".", "--target", "tahiti,vega10"]);
    assert_eq!(output.status.code(), Some(1));
    let end = stderr(&output);
    let last = end.lines().last().unwrap_or_default();
    assert_eq!(last, "6 shaders compiled, 2 not compiled, in 3 files");
    assert_eq!(stdout(&output).matches("./inner/two.tgsi").count(), 4, "{}", stdout(&output));
    let one = folder.run(&["compile", "a.tgsi"]);
    assert!(!stderr(&one).contains("in 1 file"), "{}", stderr(&one));
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_folder_is_compared_with_what_it_was() {
    let folder = shaders();
    let before = folder.run(&["compile", "--json", "inner", "a.tgsi"]);
    folder.write("before.jsonl", &stdout(&before));
    folder.write("a.tgsi", &SHADER.replace("MOV OUT[0], IMM[0]", "MOV OUT[0], IMM[0].yyyy"));
    let output = folder.run(&["compile", "--baseline", "before.jsonl", "inner", "a.tgsi"]);
    assert!(stdout(&output).contains("# a.tgsi"), "{}", stdout(&output));
    assert!(!stderr(&output).contains("the baseline has no shader"), "{}", stderr(&output));
}

#[test]
fn folders_without_shaders_are_told() {
    let folder = Folder::with("compiling-none", &[("kernel.s", " s_endpgm\n")]);
    let output = folder.run(&["compile", "."]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no file of TGSI was found"), "{}", stderr(&output));
    let named = folder.run(&["compile", "kernel.s"]);
    assert_eq!(named.status.code(), Some(2));
    assert!(stderr(&named).contains("is machine code already"), "{}", stderr(&named));
}

//! `tungsten tokens` from outside.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use expect_test::expect;

use super::folder::Folder;

const SHADER: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";

/// Runs with bytes on standard input.
fn feed(arguments: &[&str], bytes: &[u8]) -> Output {
    let mut child = Command::new(crate::TUNGSTEN)
        .arg("tokens")
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tungsten starts");
    // Where the arguments are refused nobody reads.
    let _ = child.stdin.take().expect("piped").write_all(bytes);
    child.wait_with_output().expect("it ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn text_to_words_and_back() {
    let words = feed(&["--encode", "-"], SHADER.as_bytes());
    assert!(words.status.success());
    expect![[r#"
        00000902
        00000000
        000f2020
        00000000
        002f3030
        00000000
        00000000
        00a01022
        000000f3
        39000002
        00075002
    "#]]
    .assert_eq(&stdout(&words));
    let text = feed(&["--decode", "-"], &words.stdout);
    assert!(text.status.success());
    assert_eq!(stdout(&text), SHADER);
    assert!(stderr(&text).contains("read in the layout of 2016: "), "{}", stderr(&text));
    for year in ["2007", "2008", "2009", "2012", "2016", "2022"] {
        let source = SHADER.replace(", POSITION", "");
        let bytes = feed(&["--encode", "--raw", "--layout", year, "-"], source.as_bytes());
        assert!(bytes.status.success(), "{year}: {}", stderr(&bytes));
        let text = feed(&["--decode", "--raw", "--layout", year, "-"], &bytes.stdout);
        assert_eq!(stdout(&text), source, "{year}");
        assert_eq!(stderr(&text), "", "{year}");
    }
}

#[test]
fn every_word_is_explained() {
    let annotated =
        feed(&["--encode", "--annotate", "-"], b"VERT\nMOV OUT[0].x, -CONST[1][4]\nEND\n");
    let lines = stdout(&annotated);
    let lines: String = lines.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    expect![[r#"
            0  00000502  5 words of body                                   header HeaderSize=2 BodySize=5
            1  00000000  VERT                                              processor Processor=0
            2  00a01032  MOV OUT[0].x, -CONST[1][4]                        instruction Type=2 Size=3 Opcode=1 Saturate=0 NumDstRegs=1 NumSrcRegs=1 Label=0 Texture=0 Memory=0 Precise=0
            3  00000013    OUT[0].x                                        destination File=3 WriteMask=1 Indirect=0 Dimension=0 Index=0
            4  b9000121    -CONST[1][4]                                    source File=1 Indirect=0 Dimension=1 Index=4 SwizzleX=0 SwizzleY=1 SwizzleZ=2 SwizzleW=3 Absolute=0 Negate=1
            5  00010000    [1]                                             dimension Indirect=0 Dimension=0 Index=1
            6  00075002  END                                               instruction Type=2 Size=0 Opcode=117 Saturate=0 NumDstRegs=0 NumSrcRegs=0 Label=0 Texture=0 Memory=0 Precise=0
    "#]]
    .assert_eq(&lines);
}

#[test]
fn what_cannot_be_done_is_said() {
    let refused = feed(&["--encode", "--layout", "2009", "-"], b"VERT\nDCL TEMP[0], LOCAL\nEND\n");
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(stderr(&refused), "tungsten: -:2:10: a declaration token of 2009 has no Local\n");
    let broken = feed(&["--encode", "-"], b"VERT\nMOV TEMP[0]\nEND\n");
    assert_eq!((broken.status.code(), stdout(&broken).as_str()), (Some(1), ""));
    assert!(stderr(&broken).contains("tgsi::missing-operand"), "{}", stderr(&broken));
    let cut = feed(&["--decode", "--layout", "2016", "-"], b"00000502\n00000000\n00a01032");
    assert_eq!(cut.status.code(), Some(1));
    assert_eq!(
        stderr(&cut),
        "tungsten: -: word 0: error: the body is stated to have 5 words, but has 1\n\
         tungsten: -: word 3: error: the stream ends where a destination word is due\n"
    );
    let text = feed(&["--decode", "-"], b"MOV");
    assert_eq!(text.status.code(), Some(2));
    assert_eq!(stderr(&text), "tungsten: -: line 1: `MOV` is not a word in hexadecimal\n");
    let several = feed(&["--encode", "-"], b"VERT\nEND\nFRAG\nEND\n");
    assert_eq!(several.status.code(), Some(2));
    assert_eq!(stderr(&several), "tungsten: -: it holds 2 shaders; choose one by --shader\n");
    let second = feed(&["--encode", "--shader", "2", "-"], b"VERT\nEND\nFRAG\nEND\n");
    assert_eq!(stdout(&second), "00000102\n00000001\n00075002\n");
}

/// Runs a command on a file of that shader's tokens, named in the output.
fn on_token_file(command: &[&str]) -> Output {
    let folder = Folder::new("tokens");
    let path = folder.path().join("shader.tgsib");
    let bytes = feed(&["--encode", "--raw", "-"], SHADER.as_bytes());
    std::fs::write(&path, bytes.stdout).expect("written");
    Command::new(crate::TUNGSTEN)
        .args(command)
        .arg("shader.tgsib")
        .current_dir(folder.path())
        .env("NO_COLOR", "1")
        .output()
        .expect("tungsten starts")
}

#[test]
fn a_file_of_tokens_is_worked_on_as_text() {
    let formatted = on_token_file(&["fmt", "--stdout"]);
    assert_eq!(stdout(&formatted), SHADER, "{}", stderr(&formatted));
    let said = stderr(&formatted);
    assert!(said.contains("shader.tgsib: read in the layout of 2016: "), "{said}");
    assert!(said.contains("lines are those of `tungsten tokens --decode shader.tgsib`"), "{said}");

    let written = on_token_file(&["fmt"]);
    assert_eq!(written.status.code(), Some(2), "text is not written over tokens");

    let checked = on_token_file(&["check", "--json"]);
    assert_eq!(checked.status.code(), Some(0), "{}{}", stdout(&checked), stderr(&checked));

    let again = on_token_file(&["tokens", "--encode", "--layout", "2008"]);
    assert!(stdout(&again).starts_with("00000101\n"), "{}", stdout(&again));
}

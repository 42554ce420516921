//! `tungsten check --fix`: what it writes, what it leaves, and what it says.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::Value;
use tests::corpus;
use tests::planted;
use tests::random_shaders::Numbers;

use super::folder::{Folder, stderr, stdout};

const WRONG: &str = "FRAG\nDCL OUT[0], COLOR\nMOVV OUT[0], OUT[0].rgba;\nEND\n";
const RIGHT: &str = "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0].xyzw\nEND\n";

impl Folder {
    fn check(&self, arguments: &[&str]) -> Output {
        self.run(&[&["check"], arguments].concat())
    }
}

/// The last line that is said beside the output.
fn conclusion(output: &Output) -> String {
    stderr(output).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn sure_fixes_are_written_and_the_rest_is_shown() {
    let folder = Folder::new("fixing-written");
    folder.write("wrong.tgsi", WRONG);
    folder.write("right.tgsi", RIGHT);
    folder.write("left.tgsi", "FRAG\nDCL OUT[0], COLOR\nMOVV OUT[0], IN[0]\nEND\n");
    folder.write(
        "a.s",
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n  s_mov_b3 s0, 0\n  s_endpgm\n",
    );
    let fixed = folder.check(&["--fix", "wrong.tgsi", "right.tgsi", "left.tgsi", "a.s"]);
    assert_eq!(folder.read("wrong.tgsi"), RIGHT);
    assert_eq!(folder.read("right.tgsi"), RIGHT);
    assert!(folder.read("left.tgsi").contains("MOV OUT[0], IN[0]"));
    assert!(folder.read("a.s").contains("  s_mov_b32 s0, 0\n"), "{}", folder.read("a.s"));
    let shown = stdout(&fixed);
    assert!(shown.contains("`IN[0]` is not declared") && !shown.contains("MOVV"), "{shown}");
    assert_eq!(fixed.status.code(), Some(1), "an error is left");
    let said = conclusion(&fixed);
    assert!(said.starts_with("Fixed 5 problems in 3 files; "), "{said}");

    let again = folder.check(&["--fix", "wrong.tgsi", "right.tgsi"]);
    assert_eq!(again.status.code(), Some(0));
    assert!(conclusion(&again).starts_with("Fixed 0 problems in 0 files; "));
}

#[test]
fn fixes_that_lose_or_guess_something_are_asked_for() {
    let folder = Folder::new("fixing-unsafe");
    let commented = "FRAG\nDCL OUT[0], COLOR # red\nMOV OUT[0], OUT[0]\nEND\n";
    folder.write("a.tgsi", commented);
    let sure = folder.check(&["--fix", "a.tgsi"]);
    assert_eq!(folder.read("a.tgsi"), commented);
    let said = conclusion(&sure);
    assert!(said.ends_with("1 of them with fixes for `--unsafe-fixes`"), "{said}");
    folder.check(&["--fix", "--unsafe-fixes", "a.tgsi"]);
    assert_eq!(folder.read("a.tgsi"), commented.replace("# red", ""));
    assert_eq!(folder.check(&["--unsafe-fixes", "a.tgsi"]).status.code(), Some(2));
}

#[test]
fn strings_of_sources_are_fixed_in_place() {
    let folder = Folder::new("fixing-strings");
    let sources = [
        ("a.rs", format!("const A: &str = \"{}\";\n", WRONG.replace('\n', "\\n"))),
        ("b.rs", format!("const A: &str = r#\"\n{WRONG}\"#;\n")),
        ("c.go", format!("var a = `{WRONG}`\n")),
        (
            "d.c",
            format!(
                "const char *a =\n    \"{}\";\n",
                WRONG.trim_end().replace('\n', "\\n\"\n    \"")
            ),
        ),
    ];
    for (name, source) in &sources {
        folder.write(name, source);
    }
    let names: Vec<&str> = sources.iter().map(|(name, _)| *name).collect();
    let fixed = folder.check(&[&["--fix"], &names[..]].concat());
    for (name, source) in &sources {
        let expected = source.replace("MOVV", "MOV").replace(".rgba;", ".xyzw");
        assert_eq!(folder.read(name), expected, "{name}");
    }
    assert!(conclusion(&fixed).starts_with("Fixed 12 problems in 4 files; "), "{fixed:?}");
}

#[test]
fn a_log_is_never_written() {
    let folder = Folder::new("fixing-log");
    let log = format!("driver: loaded\n{WRONG}driver: done\n");
    folder.write("a.log", &log);
    folder.write("b.bin", "");
    let checked = folder.check(&["--fix", "a.log"]);
    assert_eq!(folder.read("a.log"), log);
    let said = stderr(&checked);
    assert!(said.contains("a.log: a log or listing, which is not rewritten"), "{said}");
    assert_eq!(checked.status.code(), Some(1));
    std::fs::write(folder.path().join("c.tgsi"), [WRONG.as_bytes(), b"# \xff\n"].concat())
        .expect("written");
    let checked = folder.check(&["--fix", "c.tgsi"]);
    let said = stderr(&checked);
    assert!(said.contains("c.tgsi: no text in UTF-8, which is not rewritten"), "{said}");
}

#[test]
fn a_pipe_gets_the_fixed_text_and_the_terminal_the_rest() {
    let folder = Folder::new("fixing-pipe");
    let piped = |arguments: &[&str], text: &str| {
        let mut command = folder.command(&[&["check"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("tungsten starts");
        child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("read");
        child.wait_with_output().expect("it ends")
    };
    let fixed = piped(&["--fix", "-"], WRONG);
    assert_eq!(stdout(&fixed), RIGHT);
    assert!(conclusion(&fixed).starts_with("Fixed 3 problems in 1 file; "), "{fixed:?}");
    assert_eq!(stdout(&piped(&["--fix", "-"], RIGHT)), RIGHT);
    let log = format!("driver: loaded\n{WRONG}");
    assert_eq!(stdout(&piped(&["--fix", "-"], &log)), log);
    assert_eq!(piped(&["--fix", "--json", "-"], WRONG).status.code(), Some(2));
}

#[test]
fn a_difference_is_shown_and_nothing_written() {
    let folder = Folder::new("fixing-diff");
    folder.write("a.tgsi", WRONG);
    folder.write("b.tgsi", RIGHT);
    let shown = folder.check(&["--diff", "a.tgsi", "b.tgsi"]);
    assert_eq!(folder.read("a.tgsi"), WRONG);
    let expected = "--- a.tgsi\n+++ a.tgsi\n@@ -1,4 +1,4 @@\n FRAG\n DCL OUT[0], COLOR\n\
                    -MOVV OUT[0], OUT[0].rgba;\n+MOV OUT[0], OUT[0].xyzw\n END\n";
    assert_eq!(stdout(&shown), expected);
    assert_eq!(shown.status.code(), Some(1));
    assert!(conclusion(&shown).starts_with("Would fix 3 problems in 1 file; "), "{shown:?}");
    assert_eq!(folder.check(&["--diff", "b.tgsi"]).status.code(), Some(0));
}

/// The errors of every file of a folder, by name.
fn errors(folder: &Folder) -> BTreeMap<String, usize> {
    let shown = stdout(&folder.check(&["--json", "."]));
    let found = shown.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut errors = BTreeMap::new();
    for diagnostic in found.filter(|it| it["severity"] == "error") {
        let name = diagnostic["file"].as_str().expect("a name").to_owned();
        *errors.entry(name).or_default() += 1;
    }
    errors
}

fn texts(folder: &Folder) -> BTreeMap<PathBuf, String> {
    let files = std::fs::read_dir(folder.path()).expect("a folder");
    let paths = files.map(|file| file.expect("an entry").path());
    paths.map(|path| (path.clone(), std::fs::read_to_string(path).expect("UTF-8"))).collect()
}

/// Fills a folder with programs that have mistakes.
fn plant(folder: &Folder) {
    let mut random = Numbers::new(19);
    for (number, text) in planted::shaders(150, &mut random).iter().enumerate() {
        folder.write(&format!("planted{number}.tgsi"), text);
    }
    for (number, example) in tgsi::codes::examples().enumerate() {
        folder.write(&format!("example{number}.tgsi"), example.wrong);
    }
    for kernel in corpus::gcn_programs().iter().take(40) {
        for number in 0..2 {
            let name = kernel.file.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
            folder
                .write(&format!("{name}{number}.s"), &planted::kernel(&kernel.text(), &mut random));
        }
    }
    let faults = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    for kind in ["tgsi/faults", "gcn/fault"] {
        for file in std::fs::read_dir(faults.join(kind)).expect("a folder") {
            let path = file.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            folder.write(name, &std::fs::read_to_string(&path).expect("UTF-8"));
        }
    }
}

/// Fixes all mistakes of a folder.
fn no_error_comes_and_nothing_is_left_to_fix(name: &str, arguments: &[&str], least: usize) {
    let folder = Folder::new(name);
    plant(&folder);
    let before = errors(&folder);
    let first = folder.check(&[arguments, &["."]].concat());
    let after = errors(&folder);
    for (name, count) in &after {
        assert!(count <= before.get(name).unwrap_or(&0), "{name}: {count} errors");
    }
    let sum = |errors: &BTreeMap<String, usize>| errors.values().sum::<usize>();
    println!("{} errors, {} after {}", sum(&before), sum(&after), conclusion(&first));
    assert!(sum(&before) - sum(&after) >= least, "{} of {}", sum(&after), sum(&before));
    let settled = texts(&folder);
    let again = folder.check(&[arguments, &["."]].concat());
    assert!(
        conclusion(&again).starts_with("Fixed 0 problems in 0 files; "),
        "{}",
        conclusion(&again)
    );
    assert!(settled == texts(&folder), "a file was written again");
}

#[test]
fn sure_fixes_of_planted_mistakes_bring_no_error_and_settle() {
    no_error_comes_and_nothing_is_left_to_fix("fixing-sure", &["--fix"], 200);
}

#[test]
fn all_fixes_of_planted_mistakes_bring_no_error_and_settle() {
    no_error_comes_and_nothing_is_left_to_fix("fixing-all", &["--fix", "--unsafe-fixes"], 250);
}

#[test]
fn fixes_and_formatting_keep_the_line_ending_of_a_file() {
    let folder = Folder::new("fixing-crlf");
    let shader = "FRAG\nDCL OUT[0], COLOR\nMOVV OUT[0], IN[0]\nIF TEMP[0]\n      NOP NOP\nEND\n";
    let kernel = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\n  v_mov_b32 v1, 0\n  v_mov_b3 v2, 0\n\
                  \ts_load_dword s40, s[4:5], 0x0\n  s_add_u32 s0, s40, 1\n\
                  v_readfirstlane_b32 s12, v1\n  buffer_load_dword v26, off, s[12:15], 0\n  s_endpgm\n";
    for (name, text) in [("a.tgsi", shader), ("a.s", kernel)] {
        let lines = |ending: &str| {
            folder.write(name, &text.replace('\n', ending));
            folder.check(&["--fix", "--unsafe-fixes", name]);
            let fixed = folder.read(name);
            folder.run(&["fmt", name]);
            (fixed, folder.read(name))
        };
        let (fixed, formatted) = lines("\n");
        // Each has a line that was inserted.
        let is_inserted = fixed.contains("DCL TEMP[0]\n") || fixed.contains("s_nop 4\n");
        assert!(is_inserted, "{fixed}");
        let (crlf_fixed, crlf_formatted) = lines("\r\n");
        for (own, other) in [(&fixed, &crlf_fixed), (&formatted, &crlf_formatted)] {
            assert_eq!(*own, other.replace("\r\n", "\n"));
            // Lines of a shader are mended to end with a line feed.
            let mended = own.replace('\n', "\r\n");
            assert_eq!(*other == mended, name == "a.s", "{other:?}");
        }
    }
}

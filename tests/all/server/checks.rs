//! `tungsten check` for machines and folders: formats, projects, watching; and the
//! commands that packages and benchmarks use.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::folder::{Folder, stderr, stdout};

const UNUSED: &str = "FRAG\nDCL TEMP[0]\nEND\n";
const WRONG: &str = "FRAG\nDCL OUT[0], COLOR\n  0: MOVV OUT[0], OUT[0]\n  1: END\n";

#[test]
fn a_workspace_is_walked_and_each_file_has_its_project() {
    let folder = Folder::new("checks-workspace");
    folder.write("a.tgsi", UNUSED);
    folder.write("inner dir/b.tgsi", UNUSED);
    folder.write("inner dir/notes.txt", "no shader");
    folder.write("inner dir/foreign.s", "main:\n\tpushq %rbp\n\tmovq %rsp, %rbp\n\tret\n");
    folder.write("inner dir/tungsten.toml", "[severity]\nunused-declaration = 'error'\n");
    std::fs::create_dir_all(folder.path().join(".hidden")).expect("made");
    folder.write(".hidden/c.tgsi", WRONG);
    let checked = folder.run(&["check", "--workspace", "--json"]);
    let found: Vec<Value> =
        stdout(&checked).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let said: Vec<_> =
        found.iter().map(|it| (it["file"].as_str(), it["severity"].as_str())).collect();
    assert_eq!(
        said,
        [(Some("./a.tgsi"), Some("hint")), (Some("./inner dir/b.tgsi"), Some("error"))]
    );
    assert_eq!(checked.status.code(), Some(1), "the project makes it an error");
    assert_eq!(stderr(&checked), "");
    let allowed = folder.run(&["check", "--workspace", "--allow", "unused-declaration"]);
    let counts = stderr(&allowed);
    assert_eq!(counts, "0 errors, 0 warnings, 0 hints in 2 files\n");

    folder.write("inner dir/tungsten.toml", "\ntargts = 1\n");
    let wrong = folder.run(&["check", "inner dir/b.tgsi"]);
    let said = stderr(&wrong);
    assert!(said.contains("tungsten.toml:2: no setting is called `targts`; `targets`?"), "{said}");
}

#[test]
fn a_workspace_is_what_git_and_the_project_leave_of_the_folders() {
    let folder = Folder::new("checks-excluded");
    for name in ["a.tgsi", "b.tgsi", "inner dir/a.tgsi", "inner dir/c.tgsi"] {
        folder.write(name, UNUSED);
    }
    std::fs::create_dir(folder.path().join(".git")).expect("made");
    folder.write(".gitignore", "c.tgsi\n");
    folder.write("tungsten.toml", "exclude = ['/a.tgsi']\n");
    std::fs::File::create(folder.path().join("long.s"))
        .and_then(|file| file.set_len(source::MAX_TEXT_LENGTH as u64 + 1))
        .expect("written");
    let checked = folder.run(&["check", "--workspace", "--json"]);
    let files: Vec<String> = stdout(&checked)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["file"].to_string())
        .collect();
    assert_eq!(files, ["\"./b.tgsi\"", "\"./inner dir/a.tgsi\""]);
    assert_eq!(checked.status.code(), Some(0));
    let said = stderr(&checked);
    assert!(said.contains("./long.s: left out, larger than 33554432 bytes"), "{said}");

    // What is named is meant.
    let named = folder.run(&["check", "--json", "a.tgsi", "inner dir/c.tgsi"]);
    assert_eq!(stdout(&named).lines().count(), 2);
    folder.write("tungsten.toml", "exclude = ['{a']\n");
    let wrong = folder.run(&["check", "b.tgsi"]);
    assert!(stderr(&wrong).contains("tungsten.toml:1: `tungsten.exclude`: "), "{wrong:?}");
}

#[test]
fn many_files_are_told_of_in_their_order_as_each_of_them_alone() {
    let folder = Folder::new("checks-many");
    let names: Vec<String> = (0..40).map(|number| format!("{number:02}.tgsi")).collect();
    for (number, name) in names.iter().enumerate() {
        // The first ones take longest.
        let lines = "# a comment\n".repeat(if number < 3 { 20_000 } else { number });
        let text = if number % 2 == 0 { UNUSED } else { WRONG };
        folder.write(name, &text.replacen('\n', &format!("\n{lines}"), 1));
    }
    folder.write("20.tgsi", "");
    std::fs::remove_file(folder.path().join("30.tgsi")).expect("removed");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for format in ["text", "json", "github"] {
        let options = ["check", "--format", format];
        let together = folder.run(&[&options[..], &names].concat());
        let alone: String = names
            .iter()
            .map(|name| stdout(&folder.run(&[&options[..], &[*name]].concat())))
            .collect();
        assert!(alone.matches("MOVV").count() >= 20 || format != "text", "{alone}");
        assert_eq!(stdout(&together), alone, "{format}");
        assert_eq!(together.status.code(), Some(2), "one file is missing");
        assert!(stderr(&together).starts_with("tungsten: 30.tgsi: "), "{}", stderr(&together));
    }
}

#[test]
fn sarif_says_what_json_says() {
    let folder = Folder::new("checks-sarif");
    folder.write("inner dir/b.tgsi", WRONG);
    let path = "inner dir/b.tgsi";
    let sarif = folder.run(&["check", "--format", "sarif", path]);
    assert_eq!(sarif.status.code(), Some(1));
    let log: Value = serde_json::from_str(&stdout(&sarif)).expect("one document");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "tungsten");
    let json = stdout(&folder.run(&["check", "--json", path]));
    let diagnostics: Vec<Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let results = run["results"].as_array().expect("a list");
    assert_eq!(results.len(), diagnostics.len());
    assert!(!results.is_empty());
    let rules: Vec<&Value> = run["tool"]["driver"]["rules"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["id"])
        .collect();
    for (result, diagnostic) in results.iter().zip(&diagnostics) {
        assert_eq!(result["ruleId"], diagnostic["code"]);
        assert!(rules.contains(&&result["ruleId"]));
        assert_eq!(result["message"]["text"], diagnostic["message"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "inner%20dir/b.tgsi");
        assert_eq!(place["region"]["startLine"], diagnostic["line"]);
        assert_eq!(place["region"]["endColumn"], diagnostic["endColumn"]);
    }
}

#[test]
fn annotations_are_workflow_commands() {
    let folder = Folder::new("checks-github");
    folder.write("a.tgsi", WRONG);
    let said = stdout(&folder.run(&["check", "--format", "github", "a.tgsi"]));
    let first = said.lines().next().expect("a line");
    let expected = "::error file=a.tgsi,line=3,col=6,endLine=3,endColumn=10,\
                    title=tgsi%3A%3Aunknown-opcode::";
    assert!(first.starts_with(expected), "{first}");
}

#[test]
fn watching_checks_again_after_a_change() {
    let folder = Folder::new("checks-watch");
    folder.write("a.tgsi", WRONG);
    let mut child = folder
        .command(&["check", "--watch", "--json", "--workspace"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("tungsten starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut code = || {
        let line = lines.next().expect("a line").expect("UTF-8");
        serde_json::from_str::<Value>(&line).expect("JSON")["code"].clone()
    };
    assert_eq!(code(), "tgsi::unknown-opcode");
    // Other diagnostics of the first text may come, but not this.
    folder.write("a.tgsi", UNUSED);
    while code() != "tgsi::unused-declaration" {}
    child.kill().expect("it runs until then");
    child.wait().expect("it ends");
}

/// The codes that a run which watches prints, one after the other.
struct Watching {
    child: std::process::Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Watching {
    fn start(folder: &Folder, arguments: &[&str]) -> Watching {
        let mut child = folder
            .command(&[&["check", "--watch", "--json"], arguments].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("tungsten starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        Watching { child, lines }
    }

    fn code(&mut self) -> String {
        let line = self.lines.next().expect("a line").expect("UTF-8");
        let diagnostic = serde_json::from_str::<Value>(&line).expect("JSON");
        diagnostic["code"].as_str().expect("a code").to_owned()
    }

    fn end(mut self) {
        self.child.kill().expect("it runs until then");
        self.child.wait().expect("it ends");
    }
}

#[test]
fn watching_follows_what_is_included_and_the_other_stages() {
    let folder = Folder::new("checks-watch-others");
    // One project, so that the files of its inner folders may include those of the outer.
    std::fs::create_dir_all(folder.path().join(".git")).expect("made");
    // What is included comes, changes, and is shadowed by a nearer file.
    folder.write("inner dir/a.s", ".include \"a.inc\"\n  twice\n  s_endpgm\n");
    let mut watching = Watching::start(&folder, &["inner dir/a.s"]);
    assert_eq!(watching.code(), "gcn::include");
    assert_eq!(watching.code(), "gcn::unknown-mnemonic");
    folder.write("a.inc", ".macro twice\n  s_nonsense\n.endm\n");
    assert_eq!(watching.code(), "gcn::unknown-mnemonic");
    folder.write("a.inc", ".macro once\n.endm\n  v_mov_b32 s0, v0\n");
    while watching.code() != "gcn::operand" {}
    folder.write("inner dir/a.inc", ".macro twice\n  s_nonsense\n.endm\n");
    while watching.code() != "gcn::unknown-mnemonic" {}
    watching.end();

    // The stage beside the one that is checked.
    let vertex = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[1]\nMOV OUT[0], IN[0]\nEND\n";
    folder.write("tungsten.toml", "[[pipeline]]\nfiles = ['v.tgsi', 'f.tgsi']\n");
    folder.write("v.tgsi", &vertex.replace("[1]", "[3]"));
    folder.write(
        "f.tgsi",
        "FRAG\nDCL TEMP[0]\nDCL IN[0], GENERIC[3], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n",
    );
    let mut watching = Watching::start(&folder, &["f.tgsi"]);
    assert_eq!(watching.code(), "tgsi::unused-declaration");
    folder.write("v.tgsi", vertex);
    assert_eq!(watching.code(), "tgsi::unused-declaration");
    assert_eq!(watching.code(), "tgsi::link-input");
    watching.end();
}

#[test]
fn folders_within_each_other_are_checked_once_and_one_that_is_missing_fails() {
    let folder = Folder::new("checks-folders");
    folder.write("inner dir/b.tgsi", UNUSED);
    let output = folder.run(&["check", "--json", "--workspace", ".", "inner dir"]);
    assert_eq!((stdout(&output).lines().count(), output.status.code()), (1, Some(0)));
    folder.write("inner dir/b.tgsi", WRONG);
    folder.write("inner dir/of_another_machine.s", "\tmovq %rax, %rbx\n\tret\n");
    for arguments in [&["check", "inner dir"][..], &["check", "--workspace", "inner dir"]] {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(!stderr(&output).contains("not checked"), "nobody named that file");
    }
    let output = folder.run(&["check", "--json", "--workspace", "inner dir", "none"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(!stdout(&output).is_empty() && stderr(&output).contains("none: there is no such file"));
}

#[test]
#[cfg_attr(no_script, ignore = "no `script`, which gives a terminal, on this machine")]
fn how_far_a_run_is_shows_on_a_terminal_alone() {
    let folder = Folder::new("checks-display");
    for number in 0..40 {
        folder.write(&format!("{number}.tgsi"), "FRAG\nEND\n");
    }
    let output = folder.run(&["check", "--workspace"]);
    assert!(!stderr(&output).contains(" of 40 files"), "{}", stderr(&output));
    // A terminal is what `script` gives; its output holds what is written to both.
    let tungsten = crate::TUNGSTEN;
    let command = format!("{tungsten} check --workspace");
    let terminal = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output();
    let shown = String::from_utf8_lossy(&terminal.expect("`script`").stdout).into_owned();
    assert!(shown.contains("\r8 of 40 files") && shown.contains("\r\x1b[K"), "{shown:?}");
}

#[test]
fn figures_completions_and_the_manual_are_printed() {
    let folder = Folder::new("checks-figures");
    folder.write("a.tgsi", UNUSED);
    let figures = stdout(&folder.run(&["analysis-stats", "a.tgsi"]));
    for line in figures.lines() {
        let parts: Vec<&str> = line.split(':').collect();
        assert_eq!((parts.len(), parts[0]), (4, "METRIC"), "{line}");
        parts[2].parse::<u64>().expect("a number");
    }
    assert!(figures.contains("METRIC:lines:3:count\n"), "{figures}");
    assert!(figures.contains("METRIC:diagnostics:1:count\n"), "{figures}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&folder.run(&["completions", shell]));
        assert!(script.contains("analysis-stats"), "{shell}: {script}");
    }
    let page = stdout(&folder.run(&["man"]));
    assert!(page.contains(".TH") && page.contains("TUNGSTEN CHECK") && page.contains("sarif"));
    assert!(!page.contains("COMPILE-WORKER") && !page.contains("compile\\-worker"), "{page}");
}

#[test]
fn every_command_reads_the_project_around_its_file() {
    let folder = Folder::new("checks-commands");
    folder.write(
        "inner dir/tungsten.toml",
        "targets = ['tahiti', 'vega10']\nprofile = 'softpipe'\n\
         [assembly]\ntarget = 'vega10'\nincludeFolders = ['shared']\n",
    );
    std::fs::create_dir_all(folder.path().join("inner dir/shared")).expect("made");
    folder.write("inner dir/shared/macros.inc", ".macro finish\n  s_endpgm\n.endm\n");
    folder.write("inner dir/a.s", ".include \"macros.inc\"\nmain:\n  s_nop 0\n  finish\n");

    let output = folder.run(&["asm", "inner dir/a.s"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("target vega10, from the setting"), "{}", stderr(&output));
    let asked = folder.run(&["asm", "inner dir/a.s", "--target", "tahiti"]);
    assert!(!stderr(&asked).contains("vega10"), "{}", stderr(&asked));

    let output = folder.run(&["stats", "inner dir/a.s", "--json"]);
    let line: Value = serde_json::from_str(stdout(&output).trim()).expect("one object");
    assert_eq!(line["target"], "vega10", "{line}");

    folder.write(
        "inner dir/b.frag.tgsi",
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n\
        DCL TEMP[0]\n  0: DFRACEXP TEMP[0].xy, TEMP[0].x, IN[0]\n  1: MOV OUT[0], IN[0]\n  2: END\n",
    );
    let output = folder.run(&["caps", "inner dir/b.frag.tgsi", "--json"]);
    let first = stdout(&output).lines().next().map(str::to_owned).unwrap_or_default();
    let line: Value = serde_json::from_str(&first).expect("an object");
    assert_eq!(line["profile"], "softpipe", "{line}");
}

#[test]
fn the_dialect_decides_what_is_an_error() {
    let folder = Folder::new("checks-dialect");
    folder.write("old.tgsi", "FRAG1.1\nEND\n");
    folder.write("new.tgsi", "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n");
    let codes = |arguments: &[&str]| -> Vec<String> {
        let output = folder.run(&[&["check", "--json"], arguments].concat());
        let lines = stdout(&output);
        let found = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let word = |it: &Value, key: &str| it[key].as_str().unwrap_or_default().to_owned();
        found.map(|it| format!("{} {}", word(&it, "severity"), word(&it, "code"))).collect()
    };
    assert_eq!(codes(&["old.tgsi"]), ["hint tgsi::historic-header"]);
    assert_eq!(codes(&["--dialect", "mesa-21", "old.tgsi"]), ["error tgsi::historic-header"]);
    assert_eq!(codes(&["--dialect", "mesa-2009", "old.tgsi"]), [""; 0]);
    assert_eq!(codes(&["--dialect", "mesa-2009", "new.tgsi"]), ["error tgsi::dialect"]);
    // A project says it for its files, and the file for itself.
    folder.write("tungsten.toml", "[tgsi]\ndialect = 'mesa-24'\n");
    assert_eq!(codes(&["old.tgsi"]), ["error tgsi::historic-header"]);
    folder.write("old.tgsi", "# tungsten: dialect=auto\nFRAG1.1\nEND\n");
    assert_eq!(codes(&["old.tgsi"]), ["hint tgsi::historic-header"]);
    let wrong = folder.run(&["check", "--dialect", "mesa-2l", "old.tgsi"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("did you mean `mesa-21`?"), "{}", stderr(&wrong));
}

#[test]
fn an_old_word_in_a_new_text_is_an_error_of_every_command() {
    let folder = Folder::new("checks-mixed");
    let mixed = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL BUFFER[0]\nKIL IN[0]\nEND\n";
    folder.write("mixed.tgsi", mixed);
    folder.write("old.tgsi", &mixed.replace("DCL BUFFER[0]\n", ""));
    let json = |output: &Output| -> Value {
        let first = stdout(output).lines().last().map(str::to_owned).unwrap_or_default();
        serde_json::from_str(&first).expect("an object")
    };
    let checked = folder.run(&["check", "--json", "mixed.tgsi"]);
    let compiled = folder.run(&["compile", "--json", "mixed.tgsi"]);
    let (found, refused) = (json(&checked), json(&compiled));
    assert_eq!((checked.status.code(), compiled.status.code()), (Some(1), Some(1)));
    assert_eq!(
        (&found["code"], &found["severity"]),
        (&"tgsi::historic-opcode".into(), &"error".into())
    );
    assert_eq!((&refused["status"], &refused["line"]), (&"invalid".into(), &found["line"]));
    assert_eq!(refused["message"], found["message"]);
    let checked = folder.run(&["check", "old.tgsi"]);
    assert_eq!(checked.status.code(), Some(0));
    let shown = stdout(&checked);
    assert_eq!(shown.matches("this is TGSI of mesa-2010 to mesa-2012").count(), 1, "{shown}");
    assert_ne!(json(&folder.run(&["compile", "--json", "old.tgsi"]))["status"], "invalid");
}

#[test]
fn the_dialect_of_a_project_decides_what_is_compiled() {
    let folder = Folder::new("checks-compile-dialect");
    folder.write(
        "old.tgsi",
        "FRAG1.1\nDCL OUT[0], COLOR\nDCL IN[0], COLOR, LINEAR\nMOV OUT[0], IN[0]\nEND\n",
    );
    let status = || {
        let output = folder.run(&["compile", "--json", "old.tgsi"]);
        let line: Value = serde_json::from_str(stdout(&output).trim()).expect("one object");
        (line["status"].clone(), line["line"].clone(), line["message"].clone())
    };
    assert_ne!(status().0, "invalid");
    folder.write("tungsten.toml", "[tgsi]\ndialect = 'mesa-24'\n");
    let (refused, line, message) = status();
    assert_eq!((&refused, &line), (&"invalid".into(), &1.into()), "{message}");
    let checked = folder.run(&["check", "--json", "old.tgsi"]);
    let found: Value = stdout(&checked)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .find(|it| it["severity"] == "error")
        .expect("an error");
    assert_eq!(found["message"], message);
}

#[test]
fn denied_diagnostics_count_as_errors() {
    let folder = Folder::new("checks-deny");
    folder.write("hint.tgsi", UNUSED);
    folder.write("warning.tgsi", "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n");
    let status = |arguments: &[&str]| folder.run(&[&["check"], arguments].concat()).status.code();
    assert_eq!(status(&["hint.tgsi", "warning.tgsi"]), Some(0));
    assert_eq!(status(&["hint.tgsi", "--deny", "warnings"]), Some(0));
    assert_eq!(status(&["warning.tgsi", "--deny", "warnings"]), Some(1));
    assert_eq!(status(&["warning.tgsi", "--deny", "tgsi::output-read"]), Some(1));
    assert_eq!(status(&["hint.tgsi", "--deny", "unused-declaration"]), Some(1));
    let shown = stdout(&folder.run(&["check", "warning.tgsi", "--deny", "warnings"]));
    assert!(shown.contains("error"), "{shown}");
    // A misspelt code would deny nothing.
    for option in ["--deny", "--allow"] {
        let refused = folder.run(&["check", "warning.tgsi", option, "tgsi::output-reed"]);
        assert_eq!(refused.status.code(), Some(2));
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains("did you mean `tgsi::output-read`?"), "{said}");
    }
}

//! Requirements of shaders on drivers, on the command line: the matrix, the profiles, and
//! what a chosen one adds to `check`.

use std::process::Output;

use super::folder::Folder;

const DOUBLES: &str =
    "FRAG\nDCL TEMP[0]\nIMM[0] FLT64 {1.0, 2.0}\nDADD TEMP[0], IMM[0], IMM[0]\nEND\n";
const VERTEX: &str = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[1]\nDCL OUT[1], POSITION\nMOV OUT[0], IN[0]\n\
    MOV OUT[1], IN[0]\nEND\n";
const FRAGMENT: &str =
    "FRAG\nDCL IN[0], GENERIC[2], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

fn lines(output: &Output) -> Vec<serde_json::Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_matrix_says_who_runs_a_shader() {
    let folder = Folder::with("matrix", &[("a.tgsi", DOUBLES)]);
    let output = folder.run(&["caps", "a.tgsi", "--json", "--profile", "r600,radeonsi-gfx8"]);
    assert_eq!(output.status.code(), Some(1), "r600 has no doubles");
    let doubles = |profile: &str| {
        let of = |line: &&serde_json::Value| {
            line["profile"] == profile && line["capability"] == "PIPE_CAP_DOUBLES"
        };
        lines(&output).iter().find(of).cloned().expect("a line")
    };
    assert_eq!(doubles("r600")["verdict"], "unmet");
    assert_eq!(doubles("r600")["line"], 3);
    assert_eq!(doubles("radeonsi-gfx8")["verdict"], "met");
    let all = folder.run(&["caps", "a.tgsi", "--all"]);
    assert_eq!(all.status.code(), Some(0));
    let text = String::from_utf8_lossy(&all.stdout).into_owned();
    assert!(text.lines().count() > 45, "{text}");
    assert_eq!(folder.run(&["caps", "a.tgsi", "--profile", "nobody"]).status.code(), Some(2));
}

#[test]
fn profiles_are_listed() {
    let folder = Folder::with("profiles", &[]);
    let output = folder.run(&["profiles"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for name in ["radeonsi-gfx6", "llvmpipe", "softpipe", "virgl", "i915", "freedreno-a6xx"] {
        assert!(text.lines().any(|line| line.trim_start().starts_with(name)), "{name}");
    }
}

#[test]
fn check_judges_for_a_profile_of_the_users_own() {
    let own = "base: r600\nPIPE_CAP_DOUBLES: yes\n";
    let folder = Folder::with("own", &[("a.tgsi", DOUBLES), ("mine.caps", own)]);
    let codes = |arguments: &[&str]| -> Vec<String> {
        let found = lines(&folder.run(arguments));
        found.iter().map(|line| line["code"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let check = ["check", "--json", "a.tgsi"];
    assert_eq!(codes(&[&check[..], &["--profile", "r600"]].concat()), ["tgsi::capability"]);
    assert_eq!(codes(&[&check[..], &["--profile", "mine.caps"]].concat()), [""; 0]);
    let allowed = ["--profile", "r600", "--allow", "capability"];
    assert_eq!(codes(&[&check[..], &allowed].concat()), [""; 0]);
}

#[test]
fn stages_in_files_are_linked() {
    let folder = Folder::with("link", &[("a.vert", VERTEX), ("b.frag", FRAGMENT)]);
    let output = folder.run(&["check", "--json", "--pipeline", "a.vert", "b.frag"]);
    let found = lines(&output);
    let found: Vec<_> = found.iter().map(|line| (&line["file"], &line["code"])).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        (found[0].0.as_str(), found[0].1.as_str()),
        (Some("a.vert"), Some("tgsi::link-output"))
    );
    assert_eq!(
        (found[1].0.as_str(), found[1].1.as_str()),
        (Some("b.frag"), Some("tgsi::link-input"))
    );
    let wrong = folder.run(&["check", "--json", "--pipeline", "b.frag", "a.vert"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn stages_that_the_project_names_are_linked() {
    let toml = "[[pipeline]]\nfiles = ['a.vert', 'b.frag']\n";
    let files = [("a.vert", VERTEX), ("b.frag", FRAGMENT), ("tungsten.toml", toml)];
    let folder = Folder::with("named", &files);
    let codes = |files: &[&str]| -> Vec<(String, String)> {
        let found = lines(&folder.run(&[&["check", "--json"], files].concat()));
        let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        found.iter().map(|it| (word(&it["file"]), word(&it["code"]))).collect()
    };
    let pair = |file: &str, code: &str| (file.to_owned(), code.to_owned());
    let (first, second) = (pair("a.vert", "tgsi::link-output"), pair("b.frag", "tgsi::link-input"));
    assert_eq!(codes(&["b.frag"]), std::slice::from_ref(&second));
    assert_eq!(codes(&["a.vert", "b.frag"]), [first, second]);
    // The same file by another way.
    assert_eq!(codes(&["./a.vert"]), [pair("./a.vert", "tgsi::link-output")]);
}

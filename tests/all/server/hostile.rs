//! The command line in repositories of strangers: nothing of theirs is loaded, nothing of the
//! user's is read or shown, and nothing that they write commands the terminal.

use std::process::{Command, Output, Stdio};

use super::folder::Folder;

/// A home with a secret, and a repository of a stranger within it.
struct Place(Folder);

const SECRET: &str = "hunter2";

impl Place {
    fn new(name: &str) -> Place {
        let shared = ("trusted/shared.inc", "shared = 1\n");
        let root = Folder::with(name, &[("secret", &format!("{SECRET} v0\n")), shared]);
        std::fs::create_dir_all(root.path().join("repository/.git")).expect("made");
        // Of the home itself; the history makes no project of it.
        std::fs::create_dir_all(root.path().join(".git")).expect("made");
        Place(root)
    }

    fn write(&self, name: &str, text: &str) {
        self.0.write(&format!("repository/{name}"), text);
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(crate::TUNGSTEN);
        command
            .args(arguments)
            .current_dir(self.0.path().join("repository"))
            .env("HOME", self.0.path())
            .env("NO_COLOR", "1")
            .env("TUNGSTEN_CACHE", "off")
            .env_remove("XDG_CONFIG_HOME")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("tungsten starts")
    }

    /// Everything that a run says.
    fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = [output.stdout, output.stderr].concat();
        String::from_utf8(said).expect("UTF-8")
    }
}

const SHADER: &str = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}\n\
                      0: MOV OUT[0], IMM[0]\n1: END\n";

#[test]
fn a_project_names_no_native_code() {
    let place = Place::new("native");
    place.write("x.tgsi", SHADER);
    place.write("libLLVM-19.so", "no library");
    place.write(
        "tungsten.toml",
        "\nllvm = 'libLLVM-19.so'\ncache = '/tmp/x'\ntrustedFolders = ['/']\n",
    );
    let said = place.says(&["check", "x.tgsi"]);
    for (line, key) in [(2, "llvm"), (3, "cache"), (4, "trustedFolders")] {
        let expected =
            format!("tungsten.toml:{line}: `{key}` has an effect only in the user's own settings");
        assert!(said.contains(&expected), "{said}");
    }
    assert!(said.contains("--llvm PATH") && said.contains("tungsten/tungsten.toml"), "{said}");
    for command in ["compile", "stats"] {
        let said = place.says(&[command, "x.tgsi"]);
        assert!(!said.contains("repository/libLLVM-19.so"), "{command} takes it: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_users_own_file_names_it() {
    let place = Place::new("own");
    std::fs::create_dir_all(place.0.path().join(".config/tungsten")).expect("made");
    let own = place.0.path().join(".config/tungsten/tungsten.toml");
    std::fs::write(&own, "llvm = '/nowhere/libLLVM.so'\ntrustedFolders = ['~/trusted']\n")
        .expect("written");
    let said = place.says(&["doctor"]);
    assert!(said.contains("/nowhere/libLLVM.so"), "{said}");
    assert!(said.contains("/trusted, which you trust"), "{said}");
    assert!(said.contains(".config/tungsten/tungsten.toml is read"), "{said}");
    place.write("a.gcn", ".include \"../trusted/shared.inc\"\n s_nop shared\n s_endpgm\n");
    let checked = place.run(&["check", "a.gcn"]);
    assert_eq!(String::from_utf8_lossy(&checked.stdout), "");
}

#[test]
fn files_name_nothing_outside_of_their_project() {
    let place = Place::new("outside");
    let secret = place.0.path().join("secret").display().to_string();
    let absolute = format!(".include \"{secret}\"\n s_endpgm\n");
    place.write("absolute.gcn", &absolute);
    place.write("relative.gcn", ".include \"../secret\"\n s_endpgm\n");
    place.write("shader.tgsi", &format!("# tungsten: run=../secret\n{SHADER}"));
    #[cfg(unix)]
    {
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(
                place.0.path().join(to),
                place.0.path().join("repository").join(name),
            )
            .expect("linked");
        };
        link("secret", "linked.inc");
        link("", "linked");
        place.write("link.gcn", ".include \"linked.inc\"\n s_endpgm\n");
        place.write("folder.gcn", ".include \"linked/secret\"\n s_endpgm\n");
    }
    let mut files = vec!["absolute.gcn", "relative.gcn"];
    if cfg!(unix) {
        files.extend(["link.gcn", "folder.gcn"]);
    }
    for file in &files {
        let said = place.says(&["check", file]);
        assert!(said.contains("outside of the folders that may be read"), "{file}: {said}");
        assert!(said.contains("--trust FOLDER"), "{file}: {said}");
        for command in [
            &["check"][..],
            &["check", "--format", "sarif"],
            &["check", "--json"],
            &["asm", "--target", "tahiti"],
            &["stats"],
        ] {
            let said = place.says(&[command, &[file]].concat());
            assert!(!said.contains(SECRET), "{command:?} {file}: {said}");
        }
    }
    let said = place.says(&["run", "shader.tgsi"]);
    assert!(said.contains("outside of the folders") && !said.contains(SECRET), "{said}");
    // A name of nothing there is refused alike: nobody learns what there is.
    place.write("nothing.gcn", ".include \"../nothing\"\n s_endpgm\n");
    let said = place.says(&["check", "nothing.gcn"]);
    assert!(said.contains("outside of the folders"), "{said}");
}

#[test]
fn a_projects_settings_name_nothing_outside_either() {
    let place = Place::new("settings");
    place.write("x.tgsi", SHADER);
    place.write("a.gcn", ".include \"secret\"\n s_endpgm\n");
    place.write(
        "tungsten.toml",
        "profile = '../secret'\n[run]\ninputs = '../secret'\n[assembly]\nincludeFolders = ['..']\n\
         [[pipeline]]\nfiles = ['../secret']\n",
    );
    for arguments in [&["check", "."][..], &["run", "x.tgsi"], &["check", "x.tgsi", "a.gcn"]] {
        let said = place.says(arguments);
        assert!(!said.contains(SECRET), "{arguments:?}: {said}");
    }
    let said = place.says(&["check", "."]);
    for line in [1, 5, 7] {
        let place = format!("tungsten.toml:{line}: ");
        let mut lines = said.lines().filter(|it| it.contains(&place));
        assert!(lines.any(|it| it.contains("outside of the folders")), "line {line}: {said}");
    }
    #[cfg(unix)]
    {
        let file = place.0.path().join("repository/tungsten.toml");
        std::fs::remove_file(&file).expect("removed");
        std::os::unix::fs::symlink(place.0.path().join("secret"), &file).expect("linked");
        let said = place.says(&["check", "x.tgsi"]);
        assert!(said.contains("the file cannot be read") && !said.contains(SECRET), "{said}");
    }
}

#[test]
fn the_user_may_allow_a_folder() {
    let place = Place::new("allowed");
    place.write("a.gcn", ".include \"../trusted/shared.inc\"\n s_nop shared\n s_endpgm\n");
    assert!(place.says(&["check", "a.gcn"]).contains("cannot be read"));
    for arguments in [
        &["--trust", "../trusted", "check", "a.gcn"][..],
        &["check", "a.gcn", "--trust=../trusted"],
        &["check", "-I", "../trusted", "a.gcn"],
    ] {
        let checked = place.run(arguments);
        assert_eq!(String::from_utf8_lossy(&checked.stdout), "", "{arguments:?}");
        assert_eq!(checked.status.code(), Some(0), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_ends_at_once() {
    use std::time::{Duration, Instant};

    let place = Place::new("devices");
    let made = Command::new("mkfifo").arg(place.0.path().join("repository/pipe.gcn")).status();
    assert!(made.expect("mkfifo starts").success());
    place.write("a.gcn", ".include \"pipe.gcn\"\n s_endpgm\n");
    // Lists of what is left out are files of the repository, too.
    std::fs::create_dir(place.0.path().join("repository/lists")).expect("made");
    place.write("lists/a.gcn", " s_endpgm\n");
    std::os::unix::fs::symlink("/dev/zero", place.0.path().join("repository/lists/.gitignore"))
        .expect("linked");
    let made = Command::new("mkfifo").arg(place.0.path().join("repository/lists/.ignore")).status();
    assert!(made.expect("mkfifo starts").success());
    let large = std::fs::File::create(place.0.path().join("repository/large.gcn")).expect("made");
    large.set_len(1 << 40).expect("sparse");
    for (arguments, reason) in [
        (&["check", "pipe.gcn"][..], "is not a plain file"),
        (&["check", "/dev/zero"], "is not a plain file"),
        (&["fmt", "--check", "/dev/zero"], "is not a plain file"),
        (&["disasm", "--target", "tahiti", "/dev/zero"], "is not a plain file"),
        (&["tokens", "--decode", "pipe.gcn"], "is not a plain file"),
        (&["check", "."], "0 errors"),
        (&["check", "large.gcn"], "larger than"),
        (&["check", "lists"], "lists/.ignore: cannot be read"),
        (&["check", "lists"], "in 1 file"),
        (&["check", "a.gcn"], "was not found"),
    ] {
        let begin = Instant::now();
        let said = place.says(arguments);
        assert!(begin.elapsed() < Duration::from_secs(20), "{arguments:?}");
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
}

/// Tells whether a text has characters that command a terminal.
fn commands(said: &str) -> bool {
    said.contains(|it| source::is_hidden(it) && it != '\n' && it != '\t')
}

#[test]
fn no_text_commands_the_terminal() {
    let place = Place::new("terminal");
    let hostile = "FRAG\nDCL IN[0], \u{1b}]0;pwned\u{7}\u{1b}[31mBOGUS\u{202e}\u{9b}2J\nEND\n";
    place.write("a.tgsi", hostile);
    place.write("b.gcn", ".include \"\u{1b}[2Jx.inc\"\n \u{1b}[31mfoo v0\n s_endpgm\n");
    let formats = ["text", "github", "sarif", "json"];
    for (file, format) in ["a.tgsi", "b.gcn"].into_iter().flat_map(|it| formats.map(|f| (it, f))) {
        let said = place.says(&["check", "--format", format, file]);
        assert!(said.len() > 20 && !commands(&said), "{file} as {format}: {said:?}");
    }
    let said = place.says(&["check", "a.tgsi"]);
    assert!(said.contains("DCL IN[0], ␛]0;pwned␇␛[31mBOGUS\\u{202e}\\u{9b}2J"), "{said}");
    // The mark stands below what it is about.
    let lines: Vec<&str> = said.lines().collect();
    let at = lines.iter().position(|it| it.contains("DCL IN[0]")).expect("drawn");
    assert!(lines[at + 1].contains('^'), "{said}");
    for command in
        [&["caps"][..], &["asm", "--target", "tahiti"], &["stats"], &["run"], &["fmt", "--check"]]
    {
        for file in ["a.tgsi", "b.gcn"] {
            let said = place.says(&[command, &[file]].concat());
            assert!(!commands(&said), "{command:?} {file}: {said:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn no_name_begins_a_line_as_a_command() {
    let place = Place::new("names");
    let names = [
        "x\n::error file=x::pwn.gcn",
        "::error file=y::pwn.gcn",
        "\u{1b}[2J.gcn",
        "a\r::error::z.tgsi",
    ];
    for name in names {
        place.write(name, " v_foo\n");
    }
    let of_names = names.map(|name| ["check", name]);
    let mut runs: Vec<Vec<&str>> = of_names.iter().map(|it| it.to_vec()).collect();
    runs.push(vec!["check", "."]);
    runs.extend(names.map(|name| vec!["fmt", "--check", name]));
    runs.extend(names.map(|name| vec!["caps", name]));
    runs.extend(names.map(|name| vec!["stats", name]));
    for arguments in runs {
        let said = place.says(&arguments);
        assert!(!commands(&said), "{arguments:?}: {said:?}");
        let begins = said.lines().find(|line| line.trim_start().starts_with("::"));
        assert_eq!(begins, None, "{arguments:?}: {said:?}");
    }
    // What is a command begins with ours.
    let said = place.says(&["check", "--format", "github", "."]);
    assert!(!said.contains("\n::error file=x::") && said.contains("%0A%3A%3Aerror"), "{said:?}");
}

#[test]
fn a_document_that_is_asked_for_is_itself() {
    let place = Place::new("document");
    let text = "FRAG\n# \u{1b}[1m\nDCL OUT[0], COLOR\n  0: END\n";
    place.write("a.tgsi", text);
    let shown = place.run(&["fmt", "--stdout", "a.tgsi"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("\u{1b}[1m"), "no terminal reads it");
}

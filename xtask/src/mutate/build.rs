//! Building the copy: which mutations do not compile, and which executables hold the tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::tree::Written;

/// The calls of cargo.
pub(super) struct Cargo<'a> {
    /// The copy of the repository.
    pub(super) tree: &'a Path,
    /// The target folder.
    pub(super) target: &'a Path,
    /// The command that each heavy command is given to, if any.
    pub(super) prefix: &'a [String],
}

/// The tests to build.
#[derive(Clone, Copy)]
pub(super) enum Goal<'a> {
    /// All that `cargo test` runs.
    Everything,
    /// Only the package in a folder.
    Package(&'a str),
}

/// An executable that holds tests.
#[derive(Debug, Clone)]
pub(super) struct Tests {
    pub(super) executable: PathBuf,
    /// The folder that it runs in.
    pub(super) folder: PathBuf,
    pub(super) name: String,
}

/// The executables of a build.
#[derive(Debug, Default)]
pub(super) struct Built {
    pub(super) tests: Vec<Tests>,
    /// Programs that tests start.
    pub(super) programs: Vec<PathBuf>,
}

/// An error of the compiler.
#[derive(Debug)]
pub(super) struct Failure {
    /// Files and bytes, the most important first.
    places: Vec<(String, std::ops::Range<usize>)>,
    pub(super) text: String,
}

impl Cargo<'_> {
    /// Builds tests; the inner error holds what does not compile. They are optimised a little,
    /// since they run far longer than they are built.
    pub(super) fn build(&self, goal: Goal<'_>) -> Result<Result<Built, Vec<Failure>>, String> {
        let mut command = command(self.prefix, "cargo");
        match goal {
            // Not `test`, which would stop at the first crate with errors.
            Goal::Everything => command.args(["build", "--tests", "--keep-going"]),
            Goal::Package(folder) => {
                let manifest = self.tree.join(folder).join("Cargo.toml");
                let target: &[&str] =
                    if folder == "tests" { &["--test", "all"] } else { &["--lib"] };
                command.args(["test", "--no-run", "--manifest-path"]).arg(manifest).args(target)
            }
        };
        command.args(["--offline", "--message-format=json"]);
        command.env("CARGO_TARGET_DIR", self.target).env("CARGO_INCREMENTAL", "1");
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
        let output = command.current_dir(self.tree).stderr(Stdio::null()).output();
        let output = output.map_err(|error| format!("cargo: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let (mut built, mut failures) = (Built::default(), Vec::new());
        for message in messages {
            match message["reason"].as_str() {
                Some("compiler-artifact") => executable(&message, &mut built),
                Some("compiler-message") => failures.extend(failure(&message["message"])),
                _ => {}
            }
        }
        Ok(if output.status.success() { Ok(built) } else { Err(failures) })
    }
}

/// Begins a command, behind the one that it is given to.
pub(super) fn command(prefix: &[String], program: impl AsRef<std::ffi::OsStr>) -> Command {
    let Some((first, rest)) = prefix.split_first() else { return Command::new(program) };
    let mut command = Command::new(first);
    command.args(rest).arg(program);
    command
}

fn executable(message: &Value, built: &mut Built) {
    let manifest = Path::new(message["manifest_path"].as_str().unwrap_or_default());
    let Some(executable) = message["executable"].as_str().map(PathBuf::from) else { return };
    match (message["profile"]["test"] == true, manifest.parent()) {
        (true, Some(folder)) => built.tests.push(Tests {
            executable,
            folder: folder.to_path_buf(),
            name: message["target"]["name"].as_str().unwrap_or_default().to_owned(),
        }),
        _ => built.programs.push(executable),
    }
}

fn failure(message: &Value) -> Option<Failure> {
    (message["level"] == "error").then_some(())?;
    let mut spans: Vec<&Value> = message["spans"].as_array()?.iter().collect();
    spans.sort_by_key(|span| span["is_primary"] != true);
    let mut places = Vec::new();
    for span in spans {
        let mut span = span;
        while span.is_object() {
            let byte = |name| span[name].as_u64().and_then(|it| usize::try_from(it).ok());
            if let (Some(file), Some(start), Some(end)) =
                (span["file_name"].as_str(), byte("byte_start"), byte("byte_end"))
            {
                places.push((file.to_owned(), start..end));
            }
            span = &span["expansion"]["span"];
        }
    }
    let text = message["rendered"].as_str().unwrap_or("").to_owned();
    (!places.is_empty()).then_some(Failure { places, text })
}

/// The mutations that the errors of a common build name.
#[derive(Default)]
pub(super) struct Blame {
    /// Mutations that surely do not compile.
    pub(super) unviable: BTreeSet<usize>,
    /// Mutations that may compile alone.
    pub(super) alone: BTreeSet<usize>,
    /// Errors that no mutation explains.
    pub(super) unexplained: Vec<String>,
}

/// Finds the mutations that errors come from.
pub(super) fn blame(failures: &[Failure], written: &[Written]) -> Blame {
    let mut blame = Blame::default();
    for failure in failures {
        let arm = failure.places.iter().find_map(|(path, bytes)| {
            let file = written.iter().find(|file| file.path == *path)?;
            let inside =
                |arm: &std::ops::Range<usize>| arm.start <= bytes.start && bytes.end <= arm.end;
            file.arms.iter().find(|(arm, _)| inside(arm)).map(|(_, number)| *number)
        });
        // An error of types may come from the two forms standing side by side.
        let by_form = failure.text.contains("E0308") || failure.text.contains("E0015");
        let whole = failure.places.iter().find_map(|(path, bytes)| {
            let file = written.iter().find(|file| file.path == *path)?;
            file.wholes.iter().find(|(whole, _)| whole.contains(&bytes.start))
        });
        match (arm, whole) {
            (Some(number), _) if !by_form => drop(blame.unviable.insert(number)),
            (Some(number), _) => drop(blame.alone.insert(number)),
            (None, Some((_, numbers))) => blame.alone.extend(numbers),
            (None, None) => blame.unexplained.push(failure.text.clone()),
        }
    }
    blame
}

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

/// An executable that holds tests.
#[derive(Debug, Clone)]
pub(super) struct Tests {
    pub(super) executable: PathBuf,
    /// The folder that it runs in.
    pub(super) folder: PathBuf,
    pub(super) name: String,
}

/// An error of the compiler.
#[derive(Debug)]
pub(super) struct Failure {
    /// Files and bytes, the most important first.
    places: Vec<(String, std::ops::Range<usize>)>,
    pub(super) text: String,
}

impl Cargo<'_> {
    /// Builds the tests that arguments name; the inner error holds what does not compile.
    pub(super) fn tests(
        &self,
        arguments: &[&str],
    ) -> Result<Result<Vec<Tests>, Vec<Failure>>, String> {
        let mut command = command(self.prefix, "cargo");
        command.args(["test", "--no-run", "--offline", "--message-format=json"]).args(arguments);
        command.env("CARGO_TARGET_DIR", self.target).env("CARGO_INCREMENTAL", "1");
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").current_dir(self.tree);
        let output = command.stderr(Stdio::null()).output();
        let output = output.map_err(|error| format!("cargo: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let (mut tests, mut failures) = (Vec::new(), Vec::new());
        for message in messages {
            match message["reason"].as_str() {
                Some("compiler-artifact") => tests.extend(executable(&message)),
                Some("compiler-message") => failures.extend(failure(&message["message"])),
                _ => {}
            }
        }
        Ok(if output.status.success() { Ok(tests) } else { Err(failures) })
    }
}

/// Begins a command, behind the one that it is given to.
pub(super) fn command(prefix: &[String], program: impl AsRef<std::ffi::OsStr>) -> Command {
    let Some((first, rest)) = prefix.split_first() else { return Command::new(program) };
    let mut command = Command::new(first);
    command.args(rest).arg(program);
    command
}

fn executable(message: &Value) -> Option<Tests> {
    message["profile"]["test"].as_bool()?.then_some(())?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    Some(Tests {
        executable: message["executable"].as_str()?.into(),
        folder: manifest.parent()?.to_path_buf(),
        name: message["target"]["name"].as_str()?.to_owned(),
    })
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

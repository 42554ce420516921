//! Line coverage of production code: by the tests of a lone clone, and by those
//! together with the suite over the data beside the project.
//!
//! Tests are built with the compiler's own instrumentation in a target folder of their
//! own; the tools that read its records are the toolchain's (`rustup component add
//! llvm-tools`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bodies of tests, by the words that follow `cargo test`.
const SUITES: [(&str, &[&str]); 2] =
    [("lone clone", &[]), ("with shared data", &["-p", "tests", "--test", "corpora"])];
/// Folders whose sources count, one crate below each but the last, which is one.
const COUNTED: [&str; 2] = ["analysis/", "server/src"];

/// Lines of one crate: all that can run, and those that ran.
#[derive(Clone, Copy, Default)]
struct Lines {
    all: u64,
    ran: u64,
}

impl Lines {
    fn percent(self) -> f64 {
        self.ran as f64 * 100.0 / (self.all.max(1)) as f64
    }
}

/// Measures both bodies, one after the other, and returns a table in Markdown.
///
/// Records add up, so the second column is of both bodies together.
///
/// # Errors
///
/// Says which program could not be run, or which tests failed.
pub(crate) fn run(root: &Path) -> Result<String, String> {
    let target = root.join("target/coverage");
    let records = target.join("records");
    let _ = std::fs::remove_dir_all(&records);
    std::fs::create_dir_all(&records).map_err(|error| error.to_string())?;
    let mut columns = Vec::new();
    let mut objects = Vec::new();
    for (name, words) in SUITES {
        objects.extend(executables(root, &target, words)?);
        test(root, &target, &records, words).map_err(|error| format!("{name}: {error}"))?;
        columns.push(covered(root, &target, &records, &objects)?);
    }
    Ok(table(&columns))
}

fn cargo(root: &Path, target: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root).arg("test").arg("--locked").args(words);
    command.env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "0");
    command.env("RUSTFLAGS", "-Cinstrument-coverage");
    // Build scripts are instrumented as well; their records are of no interest.
    command.env("LLVM_PROFILE_FILE", "/dev/null");
    command
}

/// Returns the executables that a body of tests is built as, and the programs they start.
fn executables(root: &Path, target: &Path, words: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut command = cargo(root, target, words);
    let output = output(command.args(["--no-run", "--message-format", "json"]))?;
    let messages = output.lines().filter(|line| line.contains("\"executable\":\""));
    let paths = messages.filter_map(|line| line.split_once("\"executable\":\"")?.1.split_once('"'));
    Ok(paths.map(|(path, _)| PathBuf::from(path)).collect())
}

fn test(root: &Path, target: &Path, records: &Path, words: &[&str]) -> Result<(), String> {
    let mut command = cargo(root, target, words);
    // Tests start thousands of processes: those of one program add to four files.
    command.env("LLVM_PROFILE_FILE", records.join("%4m.profraw"));
    match command.args(["--quiet", "--no-fail-fast"]).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("tests failed".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns the lines by crate that the records so far cover.
fn covered(
    root: &Path,
    target: &Path,
    records: &Path,
    objects: &[PathBuf],
) -> Result<BTreeMap<String, Lines>, String> {
    let tools = tools()?;
    let merged = target.join("merged.profdata");
    let list = target.join("records.txt");
    let entries = std::fs::read_dir(records).map_err(|error| error.to_string())?;
    let paths: Vec<String> =
        entries.flatten().map(|entry| entry.path().display().to_string()).collect();
    std::fs::write(&list, paths.join("\n")).map_err(|error| error.to_string())?;
    output(
        // A process that was killed leaves a record that is cut off.
        Command::new(tools.join("llvm-profdata"))
            .args(["merge", "--sparse", "--failure-mode=all", "-f"])
            .arg(&list)
            .arg("-o")
            .arg(&merged),
    )?;
    let mut export = Command::new(tools.join("llvm-cov"));
    export.args(["export", "--format=lcov", "--instr-profile"]).arg(&merged);
    for object in objects {
        export.arg("--object").arg(object);
    }
    Ok(by_crate(root, &output(&mut export)?))
}

/// Reads records in the form of lcov: of each file its lines with how often they ran.
fn by_crate(root: &Path, text: &str) -> BTreeMap<String, Lines> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let root = format!("{}/", root.display());
    let mut crates: BTreeMap<String, Lines> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let path = path.split_once(&root).map_or("", |(_, path)| path);
            let tested = path.contains("/tests/") || path.ends_with("tests.rs");
            let counted = COUNTED.iter().any(|folder| path.starts_with(folder)) && !tested;
            current = counted.then(|| crate_of(path));
        } else if let (Some(name), Some(fields)) = (&current, line.strip_prefix("DA:")) {
            let lines = crates.entry(name.clone()).or_default();
            lines.all += 1;
            lines.ran += u64::from(!fields.ends_with(",0"));
        }
    }
    crates
}

fn crate_of(path: &str) -> String {
    path.split("/src/").next().unwrap_or(path).rsplit('/').next().unwrap_or(path).to_owned()
}

fn table(columns: &[BTreeMap<String, Lines>]) -> String {
    let mut text = String::from("| crate | lines |");
    for (name, _) in SUITES {
        let _ = write!(text, " {name} |");
    }
    text.push_str("\n|---|---|---|---|\n");
    let mut sums = vec![Lines::default(); columns.len()];
    let names = columns.iter().flat_map(BTreeMap::keys).collect::<std::collections::BTreeSet<_>>();
    for name in names {
        let of_crate = columns.iter().map(|it| it.get(name).copied().unwrap_or_default());
        let of_crate: Vec<Lines> = of_crate.collect();
        row(&mut text, name, &of_crate);
        for (sum, lines) in sums.iter_mut().zip(&of_crate) {
            sum.all += lines.all;
            sum.ran += lines.ran;
        }
    }
    row(&mut text, "all", &sums);
    text
}

fn row(text: &mut String, name: &str, columns: &[Lines]) {
    let all = columns.iter().map(|lines| lines.all).max().unwrap_or_default();
    let _ = write!(text, "| {name} | {all} |");
    for lines in columns {
        let _ = write!(text, " {:.1} % |", lines.percent());
    }
    text.push('\n');
}

/// Returns the folder of the toolchain's own tools.
fn tools() -> Result<PathBuf, String> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let folder = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin");
    match folder.join("llvm-cov").exists() {
        true => Ok(folder),
        false => Err("llvm-cov is missing: rustup component add llvm-tools".to_owned()),
    }
}

/// Runs a program and returns its standard output.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

//! Recorded runs of real shaders, repeated.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tests::corpora::shared;

const CHIPS: [&str; 4] = ["tahiti", "bonaire", "polaris10", "vega10"];

/// One recorded run in this many is taken.
const EVERY: usize = 3;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(crate::TUNGSTEN);
    command.arg("run").args(arguments).env("NO_COLOR", "1").env("TUNGSTEN_CACHE", "off");
    command.stdin(Stdio::null()).output().expect("tungsten starts")
}

/// A file in the folder for this test run.
fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recorded").join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
    std::fs::write(&path, text).expect("writable");
    path.to_str().expect("UTF-8").to_owned()
}

/// The folder of the programs, and the files of recorded runs.
fn records() -> (String, Vec<PathBuf>) {
    let root = shared("corpora/tgsi");
    let files = std::fs::read_dir(root.join("exec")).expect("recorded runs").flatten();
    let mut files: Vec<PathBuf> = files.map(|it| it.path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
    files.sort();
    (root.to_str().expect("UTF-8").to_owned(), files)
}

#[test]
fn recorded_runs_go_through_the_machine_code_of_every_generation() {
    let (root, records) = records();
    let (mut same, mut undefined) = (0, 0);
    for (turn, path) in records.into_iter().enumerate() {
        let chip = CHIPS[turn % CHIPS.len()];
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        let some: String = text.split_inclusive('\n').step_by(EVERY).collect();
        let path = file(&format!("{chip}-{turn}.jsonl"), &some);
        let output = run(&["--records", &path, "--programs", &root, "--engine", chip]);
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            match line.split('\t').collect::<Vec<_>>()[..] {
                [_, _, "same", _] => same += 1,
                // Inputs at random may lead indices out of bounds, which leaves nothing defined.
                [_, _, "skipped", "nothing that could be compared"] => undefined += 1,
                _ => panic!("{chip}: {line}"),
            }
        }
    }
    println!("{same} recorded runs agree, {undefined} leave nothing defined");
    assert!(undefined < same / 20, "{undefined} of {same}");
    assert!(same > 800 / EVERY, "{same}");
}

/// Runs that come out otherwise, and why that is right.
const EXCEPTIONS: &[(&str, u32, &str)] = &[
    ("mesa-python-tests/frag-ex2.tgsi", 7, MESA_EX2),
    ("mesa22-virgl-piglit/glsl-1.30_fs-isinf-vec4.frag.tgsi", 7, MESA_EX2),
    ("mesa-graw/frag-ucmp.tgsi", 2, NEGATIVE_F2U),
    ("mesa-graw/frag-ucmp.tgsi", 7, NEGATIVE_F2U),
];
const MESA_EX2: &str = "Mesa's EX2 is a table that knows neither infinity nor zero";
const NEGATIVE_F2U: &str = "F2U of a negative number is undefined; ours clamps as GCN does";

/// Repeats all recorded runs by an engine that is judged by what they left.
fn repeated_by(engine: &str) {
    let (root, records) = records();
    let (mut same, mut exceptions, mut others) = (0, 0, Vec::new());
    for path in records {
        let path = path.to_str().expect("UTF-8");
        let output = run(&["--records", path, "--programs", &root, "--engine", engine]);
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let [file, set, verdict, _] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let known = EXCEPTIONS.iter().find(|it| it.0 == file && it.1.to_string() == set);
            match (known, verdict) {
                (Some((.., reason)), "differs") => {
                    eprintln!("{file} {set} differs: {reason}");
                    exceptions += 1;
                }
                (None, "same") => same += 1,
                _ => others.push(line.to_owned()),
            }
        }
    }
    assert_eq!((same, exceptions), (880, EXCEPTIONS.len()), "{}", others.join("\n"));
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn recorded_runs_are_repeated() {
    repeated_by("tgsi");
}

/// Step by step to the end, back, and forth again.
#[test]
fn recorded_runs_are_stepped_in_the_debugger() {
    repeated_by("debugger");
}

//! Results on the disk, from outside: a second run has them, damage does no harm, and
//! whoever wants none has none.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::folder::Folder;

const SHADER: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";

/// A folder with a shader, and one for results.
struct Machine(Folder);

impl Machine {
    fn new(name: &str) -> Machine {
        Machine(Folder::with(name, &[("shader.tgsi", SHADER)]))
    }

    fn results(&self) -> PathBuf {
        self.0.path().join("results")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(crate::TUNGSTEN);
        command.args(arguments).current_dir(self.0.path()).env("TUNGSTEN_CACHE", self.results());
        command.output().expect("it runs")
    }

    fn compile(&self, arguments: &[&str]) -> String {
        let output = self.run(&[&["compile", "shader.tgsi", "--json"], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn doctor(&self) -> Output {
        self.run(&["doctor"])
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(folder).map(|it| it.flatten().map(|it| it.path()).collect());
    let mut found: Vec<PathBuf> = found.unwrap_or_default();
    found.sort();
    found
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn a_second_run_has_the_results_of_the_first() {
    let machine = Machine::new("cache");
    let first = machine.compile(&["--target", "polaris10,tahiti"]);
    let kept = files(&machine.results());
    assert_eq!(kept.len(), 2, "one for each target: {kept:?}");
    let doctor = String::from_utf8(machine.doctor().stdout).expect("UTF-8");
    let folder = machine.results();
    let line = format!("Results are kept in {}: 2 of at most", folder.display());
    assert!(doctor.contains(&line), "{doctor}");

    // What is read again is what was kept, and not compiled anew.
    let times = |files: &[PathBuf]| -> Vec<_> {
        files.iter().map(|it| it.metadata().and_then(|it| it.modified()).expect("a time")).collect()
    };
    let before = times(&kept);
    assert_eq!(machine.compile(&["--target", "polaris10,tahiti"]), first);
    assert_eq!(times(&files(&machine.results())), before);

    // Damage is found, and fixed by a compile.
    for file in &kept {
        let mut bytes = std::fs::read(file).expect("readable");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(file, bytes).expect("writable");
    }
    assert_eq!(machine.compile(&["--target", "polaris10,tahiti"]), first);
    assert_eq!(files(&machine.results()), kept);
}

#[test]
#[cfg_attr(no_libllvm, ignore = "no libLLVM on this machine")]
fn whoever_wants_no_results_kept_has_none() {
    let machine = Machine::new("no-cache");
    machine.compile(&["--no-cache"]);
    assert!(!machine.results().exists());
    // A file where the folder should be: nothing can be kept, and all is compiled.
    std::fs::write(machine.results(), "no folder").expect("written");
    machine.compile(&[]);
    assert_eq!(std::fs::read(machine.results()).expect("still there"), b"no folder");
}

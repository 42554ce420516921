//! Foreign programs in a sandbox of their own.

#[cfg(target_os = "linux")]
use std::path::{Path, PathBuf};

use worker::enclosed::Enclosed;
#[cfg(target_os = "linux")]
use worker::enclosed::readable;

#[test]
fn what_to_become_comes_back_from_arguments() {
    let enclosed = Enclosed {
        program: "/usr/bin/true".into(),
        arguments: vec!["--a".into(), "b c".into()],
        folder: "/tmp/x".into(),
    };
    let arguments = enclosed.clone().arguments_of();
    assert_eq!(Enclosed::of_arguments(arguments.into_iter()), Some(enclosed));
    assert_eq!(Enclosed::of_arguments(std::iter::once("/tmp".into())), None);
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_reads_the_system_and_what_lies_beside_it() {
    let folders = readable(Path::new("/tmp/../usr/bin/env"));
    assert!(folders.contains(&PathBuf::from("/usr")));
    assert!(!folders.contains(&PathBuf::from("/tmp")) && !folders.contains(&"/home".into()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_cannot_be_started_is_named_with_the_reason() {
    let enclosed = Enclosed {
        program: "/usr/bin/no such program".into(),
        arguments: Vec::new(),
        folder: std::env::temp_dir(),
    };
    let ended = std::process::Command::new(crate::TUNGSTEN)
        .arg(vrend::COMMAND)
        .args(enclosed.arguments_of())
        .output()
        .expect("a process");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.starts_with("/usr/bin/no such program: "), "{said}");
    assert!(!ended.status.success());
}

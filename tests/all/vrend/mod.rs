//! The way to virglrenderer: hosts, its test server, what it is sent and what it prints.

mod connection;
mod hosts;
mod partners;
mod printed;
#[cfg(unix)]
mod process;

use std::path::Path;

use tgsi::Stage;
use vrend::library::{PROGRAM, VARIABLE, at};
use vrend::printed::Printed;
use vrend::translator::judge;
use vrend::{TranslateError, Verdict};

#[test]
fn a_log_without_the_shader_is_no_verdict() {
    let found = judge(&Printed::default(), Stage::Fragment, false);
    assert!(matches!(found, Err(TranslateError::NotShown(_))));
    let refused = judge(&Printed::default(), Stage::Fragment, true).unwrap();
    assert_eq!(refused.verdict, Verdict::Untranslated(String::new()));
}

#[test]
fn a_server_is_a_file_or_in_a_folder() {
    let folder = std::env::temp_dir().join(format!("tungsten-vrend-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let missing = at(&folder, VARIABLE);
    std::fs::write(folder.join(PROGRAM), "").unwrap();
    let (named, inside) = (at(&folder.join(PROGRAM), VARIABLE), at(&folder, VARIABLE));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(missing.path, folder.join(PROGRAM));
    assert!(missing.problem.is_some());
    assert_eq!(named, inside);
    assert_eq!(named.problem.is_none(), cfg!(target_os = "linux"));
    assert!(at(Path::new(PROGRAM), VARIABLE).problem.is_some());
}

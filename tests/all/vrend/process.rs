//! The server's process.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use vrend::Host;
use vrend::process::{Server, private_folder};

#[test]
fn a_folder_is_private_and_new() {
    let (first, second) = (private_folder().unwrap(), private_folder().unwrap());
    let mode = fs::metadata(&first).unwrap().permissions().mode();
    for folder in [&first, &second] {
        fs::remove_dir_all(folder).unwrap();
    }
    assert_eq!(mode & 0o777, 0o700);
    assert_ne!(first, second);
}

#[test]
fn a_server_that_does_not_start_says_why_in_its_log() {
    // `false` stands for our own program, and ends at once.
    let program = Path::new("/usr/bin/false");
    let mut server = Server::start(program, program, &Host::default()).unwrap();
    let folder = server.folder.clone();
    assert!(server.connect(Duration::from_secs(5)).is_err());
    assert!(server.ends() && server.status().contains('1'));
    assert_eq!(server.printed().unwrap(), "");
    drop(server);
    assert!(!folder.exists());
}

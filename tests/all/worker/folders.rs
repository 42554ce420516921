//! The folders in which a system keeps its libraries.

use std::path::PathBuf;

#[cfg(target_os = "linux")]
use worker::folders::system;
use worker::folders::{children, configured};

#[test]
fn the_loader_s_configuration_is_followed() {
    let root = std::env::temp_dir().join(format!("folders-test-{}", std::process::id()));
    std::fs::create_dir_all(root.join("more")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
    // It includes itself: that must end too.
    write("main.conf", "/first # why\n\ninclude more/*.conf\ninclude main.conf\nrelative\n");
    write("more/a.conf", "/second\n");
    write("more/b.conf", "/third\n");
    write("more/c.other", "/never\n");
    let mut folders = Vec::new();
    configured(&root.join("main.conf"), &mut folders);
    folders.sort();
    folders.dedup();
    assert_eq!(folders, ["/first", "/second", "/third"].map(PathBuf::from));
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn folders_of_one_beginning_are_in_order() {
    let root = std::env::temp_dir().join(format!("children-test-{}", std::process::id()));
    for name in ["llvm-19", "llvm-15", "other-18", "llvm-17"] {
        std::fs::create_dir_all(root.join(name)).unwrap();
    }
    let mut folders = vec![PathBuf::from("/first")];
    children(&root, "llvm-", "lib", &mut folders);
    std::fs::remove_dir_all(&root).unwrap();
    let expected = ["llvm-15", "llvm-17", "llvm-19"].map(|name| root.join(name).join("lib"));
    assert_eq!(folders[0], PathBuf::from("/first"));
    assert_eq!(folders[1..], expected);
}

#[test]
#[cfg(target_os = "linux")]
fn the_system_s_folders_are_looked_at() {
    let folders = system();
    let debian = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    for folder in [debian.as_str(), "/usr/lib64", "/usr/lib", "/usr/local/lib"] {
        assert!(folders.contains(&PathBuf::from(folder)), "{folder}");
    }
}

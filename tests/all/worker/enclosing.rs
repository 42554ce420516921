//! The layers of a foreign program's sandbox, each alone.

use std::fs::File;
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::net::UnixDatagram;

use worker::confinement::enclosing::{Reach, restrict_paths, without_network};

#[test]
fn a_program_writes_to_its_folder_alone() {
    let folder = std::env::temp_dir().join(format!("enclosed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let inside = folder.clone();
    let found = std::thread::spawn(move || {
        let reach = Reach { readable: vec!["/etc".into()], written: inside.clone() };
        restrict_paths(&reach).map(|()| {
            let own = File::create(inside.join("log")).is_ok();
            let read = File::open("/etc/hosts").is_ok() || !std::fs::exists("/etc/hosts").unwrap();
            let elsewhere = File::create(std::env::temp_dir().join("enclosed-elsewhere"));
            (own, read, elsewhere.is_err())
        })
    });
    let found = found.join().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    // A kernel without Landlock restricts nothing.
    let (own, read, denied) = found.unwrap();
    let has = std::path::Path::new("/sys/kernel/security/landlock").exists();
    assert!(own && read && (denied || !has), "{own} {read} {denied} {has}");
}

#[test]
fn a_program_has_sockets_of_files_and_no_network() {
    let (files, network) = std::thread::spawn(|| {
        seccompiler::apply_filter(&without_network().unwrap()).unwrap();
        let network = TcpStream::connect((Ipv4Addr::LOCALHOST, 9)).unwrap_err();
        (UnixDatagram::unbound().is_ok(), network.raw_os_error())
    })
    .join()
    .unwrap();
    assert_eq!((files, network), (true, Some(libc::EPERM)));
}

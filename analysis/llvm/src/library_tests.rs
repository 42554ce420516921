//! The files among which a libLLVM is looked for: small shared libraries made here, each
//! with something that speaks for or against it.

use std::fs;
use std::path::PathBuf;

use crate::library::{Found, choose, find};

/// A folder that is removed with it.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tungsten-library-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let file = self.0.join(name);
        fs::write(&file, bytes).unwrap();
        file
    }

    /// Writes a library of this processor that can do what is asked.
    fn sound(&self, name: &str, own_name: &str) -> PathBuf {
        self.write(name, &library(OWN_MACHINE, own_name, BACK_END))
    }
}

/// The number of the processor that runs the tests, and that of another.
const OWN_MACHINE: u16 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
const OTHER_MACHINE: u16 = 8;
/// The function that a library with a back end for these chips has.
const BACK_END: &str = "LLVMInitializeAMDGPUTarget";

/// A shared library of 64 bits that defines one symbol and gives itself a name.
fn library(machine: u16, own_name: &str, symbol: &str) -> Vec<u8> {
    let strings = format!("\0{symbol}\0{own_name}\0");
    let hash = symbol
        .bytes()
        .fold(5381_u32, |hash, byte| hash.wrapping_mul(33).wrapping_add(u32::from(byte)));
    let mut symbols = vec![0; 48];
    symbols[24] = 1;
    // One bucket, the first symbol, one word of the filter and its shift; then all three.
    let table = [1, 1, 1, 0, u32::MAX, u32::MAX, 1, hash | 1].map(u32::to_le_bytes).concat();
    let entries = [14, 2 + symbol.len() as u64, 0, 0].map(u64::to_le_bytes).concat();
    let sections: [(u32, u32, &[u8]); 5] = [
        (0, 0, b""),
        (3, 0, strings.as_bytes()),
        (11, 1, &symbols),
        (0x6fff_fff6, 2, &table),
        (6, 1, &entries),
    ];
    let mut bytes = vec![0; 64 + 64 * sections.len()];
    bytes[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    bytes[18..20].copy_from_slice(&machine.to_le_bytes());
    (bytes[40], bytes[58], bytes[60], bytes[62]) = (64, 64, sections.len() as u8, 1);
    for (index, (kind, link, contents)) in sections.into_iter().enumerate() {
        let (row, offset) = (64 + 64 * index, bytes.len() as u64);
        bytes[row + 4..row + 8].copy_from_slice(&kind.to_le_bytes());
        bytes[row + 24..row + 32].copy_from_slice(&offset.to_le_bytes());
        bytes[row + 32..row + 40].copy_from_slice(&(contents.len() as u64).to_le_bytes());
        bytes[row + 40..row + 44].copy_from_slice(&link.to_le_bytes());
        bytes.extend_from_slice(contents);
    }
    bytes
}

/// Returns what is found where the setting names a path.
fn found(setting: PathBuf) -> Vec<Found> {
    let all = find(Some(&setting));
    all.into_iter().filter(|it| it.origin == "the setting").collect()
}

#[test]
fn each_file_is_told_its_problem() {
    let folder = Folder::new("problems");
    let old = library(OWN_MACHINE, "libLLVM-14.so.1", BACK_END);
    let foreign = library(OTHER_MACHINE, "libLLVM.so.19.1", BACK_END);
    let without = library(OWN_MACHINE, "libLLVM.so.19.1", "LLVMInitializeX86Target");
    let mut small = library(OWN_MACHINE, "libLLVM.so.19.1", BACK_END);
    small[4] = 1;
    for (name, bytes, version, problem) in [
        ("old", &old, "14", Some("LLVM 14 is too old; 15 or later is needed")),
        ("foreign", &foreign, "19.1", Some("it is built for another kind of processor")),
        ("without", &without, "19.1", Some("it is built without the AMDGPU back end")),
        ("small", &small, "unknown", Some("it is not a shared library of 64 bits")),
        (
            "libLLVM-18.so.1",
            &b"a text".to_vec(),
            "18",
            Some("it is not a shared library of 64 bits"),
        ),
        ("first", &library(OWN_MACHINE, "libLLVM-15.so.1", BACK_END), "15", None),
        ("nameless", &library(OWN_MACHINE, "libother.so", BACK_END), "unknown", None),
        ("libLLVM-16.so", &library(OWN_MACHINE, "libother.so", BACK_END), "16", None),
        ("libLLVM-17.so", &library(OWN_MACHINE, "libLLVM.so.19.1", BACK_END), "19.1", None),
    ] {
        let path = folder.write(name, bytes);
        let problem = problem.map(str::to_owned);
        let usable = problem.is_none();
        let expected = Found {
            path: path.clone(),
            origin: "the setting",
            version: version.to_owned(),
            problem,
        };
        assert_eq!(found(path.clone()), std::slice::from_ref(&expected), "{name}");
        assert_eq!(expected.is_usable(), usable);
        let chosen = choose(Some(&path));
        assert_eq!(chosen.as_ref().ok() == Some(&expected), usable, "{name}: {chosen:?}");
    }
}

#[test]
fn a_folder_stands_for_the_libraries_in_it() {
    let folder = Folder::new("folder");
    let short = folder.sound("libLLVM.so", "libLLVM.so.20.1");
    let long = folder.sound("libLLVM-16.so.1", "libLLVM-16.so.1");
    folder.sound("libLLVMCore.so", "libLLVMCore.so");
    folder.sound("other.so", "libLLVM-18.so.1");
    let script = folder.write("libLLVM.so.21.1.2", b"INPUT(libLLVM-21.so)");
    let names: Vec<_> = found(folder.0.clone()).into_iter().map(|it| it.path).collect();
    // What the user names is listed as it is, the longest names first.
    assert_eq!(names, [script, long.clone(), short]);
    // The first that can be used is taken.
    assert_eq!(choose(Some(&folder.0)).unwrap().path, long);
    let empty = Folder::new("empty");
    let [only] = &found(empty.0.clone())[..] else { panic!("one path") };
    assert_eq!(only.problem.as_deref(), Some("it is not a file"));
    assert_eq!(only.version, "unknown");
}

#[test]
fn one_file_of_two_names_is_listed_once() {
    let folder = Folder::new("twice");
    let file = folder.sound("libLLVM.so.19.1", "libLLVM.so.19.1");
    std::os::unix::fs::symlink(&file, folder.0.join("libLLVM-19.so.1.2")).unwrap();
    let found = found(folder.0.clone());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, folder.0.join("libLLVM-19.so.1.2"));
    assert_eq!(found[0].version, "19.1");
}

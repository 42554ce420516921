//! Code objects that compilers and people made for today's chips, as listings.

use std::path::{Path, PathBuf};

use gcn::object;
use tests::checks::objects::assembles_again;
use tests::corpora::shared;

/// The code objects in a folder and those within it.
fn objects(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            objects(&path, found);
        } else if path.extension().is_some_and(|it| it == "co" || it == "o") {
            found.push(path);
        }
    }
}

#[test]
fn listings_of_code_objects_assemble_to_their_bytes() {
    for (folder, least) in [("data/cdna/kernels", 22), ("data/cdna/compiled/kernels", 500)] {
        let mut found = Vec::new();
        objects(&shared(folder), &mut found);
        for path in &found {
            let (bytes, name) = (std::fs::read(path).unwrap(), path.display().to_string());
            assembles_again(&bytes, None, &name);
            let contents = object::contents(&bytes).unwrap();
            assert!(contents.is_single() && contents.faults.is_empty(), "{name}");
        }
        assert!(found.len() >= least, "{} code objects in {folder}", found.len());
        eprintln!("{} code objects in {folder}", found.len());
    }
}

/// The relocations of `llvm-objdump -d -r` of LLVM 19, at the same places.
#[test]
fn listings_name_what_a_linker_fills() {
    let path = shared("data/cdna/compiled/kernels/gfx942/const_table.O2.o");
    let text = object::listing(&std::fs::read(path).unwrap(), None).unwrap().text();
    let lines: Vec<&str> = text.lines().collect();
    let low = lines.iter().position(|line| line.contains("R_AMDGPU_REL32_LO")).expect("one");
    assert_eq!(lines[low], "\t// 000000000014: R_AMDGPU_REL32_LO tab+4");
    assert!(lines[low - 1].starts_with("\ts_add_u32 s0, s0, lit(0x0)"), "{}", lines[low - 1]);
    assert_eq!(lines[low + 2], "\t// 00000000001C: R_AMDGPU_REL32_HI tab+12");
}

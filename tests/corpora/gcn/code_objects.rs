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

//! Kernels that LLVM 22 compiled for chips from gfx90a on: assembled here they have the bytes of
//! the objects beside them, the descriptors and the metadata, and nothing in them is wrong.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gcn::program::{Options, Program, assemble};
use tests::corpora::shared;

/// The sections of an object of 64 bits, by name.
fn sections(object: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let number = |at: usize, size: usize| {
        object[at..at + size].iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
    };
    let (table, count, names) = (number(40, 8), number(60, 2), number(62, 2));
    let row = |index: usize| table + 64 * index;
    let contents = |at: usize| match number(at + 4, 4) {
        8 => Vec::new(),
        _ => object[number(at + 24, 8)..][..number(at + 32, 8)].to_vec(),
    };
    let names = contents(row(names));
    let name = |at: usize| {
        let bytes = names[number(at, 4)..].iter().take_while(|byte| **byte != 0);
        bytes.map(|byte| char::from(*byte)).collect::<String>()
    };
    (1..count).map(|index| (name(row(index)), contents(row(index)))).collect()
}

/// The bytes of a section of a program, as far as they are known.
fn section(program: &Program, name: &str) -> Vec<u8> {
    let index = program.expansion.sections.iter().position(|it| &*it.name == name);
    index.map_or(Vec::new(), |index| program.image(index as u32).bytes)
}

fn files(chip: &str) -> Vec<PathBuf> {
    let folder = shared("data/cdna/compiled/kernels").join(chip);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "s"));
    files.sort();
    files
}

fn read(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).unwrap();
    assemble(&text, &Options::of(&text, ""), &|_| None, &|| ())
}

/// Lines of metadata, each with its depth and its words, whatever the blanks.
fn metadata(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|it| !matches!(it.trim(), "---" | "..." | ""));
    lines.map(|it| it.replace(['\'', '"'], "").split_whitespace().collect()).collect()
}

#[test]
fn kernels_have_the_bytes_and_metadata_of_their_objects() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for chip in ["gfx90a", "gfx942", "gfx950"] {
        for path in files(chip) {
            let program = read(&path);
            let object = std::fs::read(path.with_extension("o")).unwrap();
            let theirs = sections(&object);
            let name = format!("{chip}/{}", path.file_name().unwrap().display());
            if let Some(first) = program.diagnostics.first() {
                wrong.push(format!("{name}: {} {}", first.code.0, first.message));
                continue;
            }
            for own in [".text", ".rodata"] {
                let empty = Vec::new();
                if section(&program, own) != *theirs.get(own).unwrap_or(&empty) {
                    wrong.push(format!("{name}: other bytes in {own}"));
                }
            }
            let listing = gcn::object::listing(&object, None).unwrap();
            let noted = listing.metadata.map_or(Vec::new(), |it| metadata(&it.text));
            let mut own: Vec<String> =
                program.expansion.metadata.iter().flat_map(|it| metadata(&it.text)).collect();
            // The text names the target in front, the note wherever it likes.
            let mut noted = noted;
            own.sort();
            noted.sort();
            if own != noted {
                wrong.push(format!("{name}: other metadata"));
            }
            compared += 1;
        }
    }
    eprintln!("{compared} kernels, {} differences", wrong.len());
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(40)]);
    assert!(compared > 450, "{compared}");
}

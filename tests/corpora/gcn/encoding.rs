//! Lengths, encodings and opcode numbers against the assembler's own bytes:
//! every opcode of every generation, and some hundred thousand lines.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use gcn::encoding::{Encoding, shape};
use gcn::mnemonics::op_info;
use gcn::{Generation, Target};
use tests::corpora::shared;

fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    text
}

/// The words of `0x80,0x02,…` or `8002…`; `None` for anything else.
fn words(cell: &str) -> Option<Vec<u32>> {
    let digits = cell.replace("0x", "").replace([',', '[', ']', ' '], "");
    let bytes: Option<Vec<u8>> = digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    let bytes = bytes.filter(|bytes| !bytes.is_empty() && bytes.len() % 4 == 0)?;
    Some(bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
}

/// The files of a folder by name, with the text before the first point.
fn files(folder: &Path) -> Vec<(String, std::path::PathBuf)> {
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name.split('.').next().unwrap().to_owned(), path)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn every_opcode_has_its_length_encoding_number_and_name() {
    let folder = shared("data/gcn/opcodes");
    let mut checked = 0;
    for (name, path) in files(&folder) {
        let Some(target) = name.rsplit('-').next().and_then(Target::find) else { continue };
        if path.to_string_lossy().contains(".diff") {
            continue;
        }
        for row in read(&path).lines().skip(1) {
            let cells: Vec<&str> = row.split('\t').collect();
            let [encoding, opcode, mnemonic, source] = [cells[0], cells[1], cells[3], cells[6]];
            // Nonsense that only a disassembler reads, such as DPP of a literal.
            if source == "clrx-only" {
                continue;
            }
            let words = words(cells[5]).unwrap_or_else(|| panic!("{row}"));
            let found =
                shape(&words, target.generation()).unwrap_or_else(|e| panic!("{row}: {e:?}"));
            assert_eq!(usize::from(found.words), words.len(), "{name}: {row}");
            let (base, _form) = encoding.split_once('_').unwrap_or((encoding, ""));
            assert_eq!(Some(found.encoding), Encoding::named(base), "{name}: {row}");
            assert_eq!(found.opcode.to_string(), opcode, "{name}: {row}");
            let info = op_info(mnemonic).unwrap_or_else(|| panic!("no {mnemonic}"));
            assert!(
                info.forms(target)
                    .iter()
                    .any(|form| (form.encoding, form.opcode) == (found.encoding, found.opcode)),
                "{name}: {row}"
            );
            checked += 1;
        }
    }
    eprintln!("{checked} opcodes");
    assert!(checked > 7_000, "{checked}");
}

#[test]
fn every_assembled_line_has_its_length() {
    let mut checked = BTreeMap::new();
    for (folder, columns) in [("data/gcn/mc", [2, 4]), ("data/gcn/mc-matrix", [2, 2])] {
        let folder = shared(folder);
        for (name, path) in files(&folder) {
            // The assembler's generic chip is of the first generation.
            let target = if name == "generic" { "gfx600" } else { &name };
            let target = Target::find(target).unwrap_or_else(|| panic!("no {target}"));
            for row in read(&path).lines().skip(1) {
                let cells: Vec<&str> = row.split('\t').collect();
                for column in columns {
                    let Some(words) = cells.get(column).and_then(|cell| words(cell)) else {
                        continue;
                    };
                    let found = shape(&words, target.generation());
                    let found = found.map(|shape| usize::from(shape.words));
                    assert_eq!(found, Ok(words.len()), "{name}: {row}");
                    *checked.entry(target.generation()).or_insert(0) += 1;
                }
            }
        }
    }
    eprintln!("{checked:?}");
    assert!(Generation::ALL.iter().all(|generation| checked[generation] > 10_000), "{checked:?}");
}

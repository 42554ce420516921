//! The bytes of our own programs as LLVM's assembler makes them.

use std::path::Path;

use super::llvm::Judge;

/// Judges the programs of the manifest that are in LLVM's dialect and free of faults;
/// returns those whose stored bytes are not current.
pub(crate) fn judge(root: &Path, judges: &[Judge], check: bool) -> Result<Vec<String>, String> {
    let folder = root.join("tests/data/gcn");
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap_or_default();
    let mut stale = Vec::new();
    for row in manifest.lines() {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, "llvm", chip, kind, _, bytes, ..] = cells[..] else { continue };
        if !bytes.ends_with(".hex") || !matches!(kind, "kernel" | "macro") {
            continue;
        }
        let hex = code_of(&folder, file, chip, &super::who_know(chip, judges)?)?;
        let path = folder.join(bytes);
        if std::fs::read_to_string(&path).unwrap_or_default() == hex {
            continue;
        }
        if check {
            stale.push(bytes.to_owned());
        } else {
            std::fs::write(&path, hex).map_err(|error| format!("{bytes}: {error}"))?;
        }
    }
    Ok(stale)
}

/// The code that all judges make of a program who take it, in hexadecimal digits.
/// Old directives are known to old judges only.
fn code_of(folder: &Path, file: &str, chip: &str, judges: &[Judge]) -> Result<String, String> {
    let text =
        std::fs::read_to_string(folder.join(file)).map_err(|error| format!("{file}: {error}"))?;
    let (mcpu, include) = (format!("-mcpu={chip}"), format!("-I{}", folder.display()));
    let arguments = ["-triple=amdgcn-amd-amdhsa", &mcpu, &include, "-filetype=obj"];
    let mut found: Option<String> = None;
    let mut complaints = String::new();
    for judge in judges {
        let (object, said) = judge.bytes_of(&arguments, &text)?;
        if said.contains("error:") {
            complaints.push_str(&format!("{}: {said}", judge.name));
            continue;
        }
        let code = section(&object, ".text").ok_or_else(|| format!("{file}: no code"))?;
        let code: String = code
            .chunks(16)
            .map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n")
            .collect();
        match &found {
            Some(known) if *known != code => return Err(format!("{file}: {} differs", judge.name)),
            _ => found = Some(code),
        }
    }
    found.ok_or_else(|| format!("{file}: no judge takes it\n{complaints}"))
}

/// The bytes of a section of a 64-bit ELF file.
fn section<'a>(object: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let number = |at: usize, size: usize| {
        let bytes = object.get(at..at + size)?.iter().rev();
        Some(bytes.fold(0, |number, byte| number << 8 | usize::from(*byte)))
    };
    let (headers, count, names) = (number(0x28, 8)?, number(0x3c, 2)?, number(0x3e, 2)?);
    let header = |index: usize| headers + 64 * index;
    let range = |index: usize| {
        let (start, size) = (number(header(index) + 0x18, 8)?, number(header(index) + 0x20, 8)?);
        object.get(start..start + size)
    };
    let names = range(names)?;
    (0..count).find_map(|index| {
        let own = names.get(number(header(index), 4)?..)?;
        let own = own.split(|byte| *byte == 0).next()?;
        if own == name.as_bytes() { range(index) } else { None }
    })
}

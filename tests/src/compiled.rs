//! Compiled shaders against our own assembler.

use gcn::Target;
use gcn::program::{Options, assemble};

/// Assembles the compiler's listing and compares with the bytes of its object.
/// `None` where all is well, else what is wrong.
pub fn reassembled_difference(target: Target, assembly: &str, code: &[u8]) -> Option<String> {
    let options = Options { target: Some(target), ..Options::of(assembly, "") };
    let program = assemble(assembly, &options, &|_| None, &source::no_checkpoint);
    let errors = program.diagnostics.iter().filter(|it| it.severity == source::Severity::Error);
    if let Some(error) = errors.into_iter().next() {
        let line = assembly[..usize::from(error.range.start())].lines().count();
        return Some(format!("our assembler at line {line}: {}", error.message));
    }
    let Some(first) = program.instructions.first() else {
        return Some("our assembler finds no instruction".to_owned());
    };
    let image = program.image(first.section);
    // The object may end in padding that the listing asks for elsewhere.
    let ours = image.bytes.get(..code.len()).unwrap_or(&image.bytes);
    match ours.iter().zip(code).position(|(ours, theirs)| ours != theirs) {
        Some(place) => Some(format!("our assembler makes other bytes from offset {place:#x} on")),
        None if ours.len() < code.len() => {
            Some(format!("our assembler makes {} bytes of {}", ours.len(), code.len()))
        }
        None => None,
    }
}

//! `PROTOCOL.md` carries the hash of the code that it describes.

use std::path::{Path, PathBuf};

#[test]
fn the_protocol_page_is_of_the_current_code() {
    let room = &Path::new(env!("CARGO_MANIFEST_DIR")).join("../server");
    let folder = std::fs::read_dir(room.join("src/lsp/extensions")).expect("readable");
    let mut files: Vec<PathBuf> = folder.map(|file| file.expect("readable").path()).collect();
    files.sort();
    files.push(room.join("../analysis/editor-model/src/compiled.rs"));
    let code = files.iter().map(|file| std::fs::read_to_string(file).expect("readable"));
    let code = code.collect::<String>().replace('\r', "");
    let page = std::fs::read_to_string(room.join("PROTOCOL.md")).expect("readable");
    let first = page.lines().next().unwrap_or_default();
    let expected = format!("<!-- extensions: {:016x} -->", hash(&code));
    assert_eq!(
        first, expected,
        "the shapes of messages have changed: bring PROTOCOL.md up to date, then its first line"
    );
}

/// FNV-1a, which is the same everywhere and for ever.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

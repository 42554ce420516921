//! The manifest of the programs, and what stands in their folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A row of the manifest.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The file's name in the folder.
    pub(crate) file: String,
    /// The stages of its shaders, in order; `-` where it has none.
    pub(crate) stage: String,
    /// The era of the text: `current`, a year, or a dialect.
    pub(crate) era: String,
    /// The form in which the shaders stand in the file.
    pub(crate) shape: String,
    /// `clean`, or the codes of its errors and warnings, in order; `-` of other files.
    pub(crate) expect: String,
}

impl Entry {
    /// Tells whether shaders are read from the file, or would be.
    pub(crate) fn has_shaders(&self) -> bool {
        self.file.ends_with(".tgsi") || self.file.ends_with(".tgsib")
    }

    /// Tells whether it has no diagnostics.
    pub(crate) fn is_clean(&self) -> bool {
        self.expect == "clean"
    }

    /// Its path.
    pub(crate) fn path(&self) -> PathBuf {
        folder().join(&self.file)
    }

    /// Its text, or that which its tokens stand for.
    pub(crate) fn text(&self) -> String {
        let bytes = std::fs::read(self.path()).expect("a file");
        match self.file.ends_with(".tgsib") {
            true => tgsi::tokens::open(&bytes).expect("tokens").text,
            false => String::from_utf8(bytes).expect("text"),
        }
    }
}

/// The folder of the programs.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tgsi")
}

/// The rows of the manifest.
pub(crate) fn entries() -> Vec<Entry> {
    let text = std::fs::read_to_string(folder().join("MANIFEST.tsv")).expect("the manifest");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("file\tstage\tera\tshape\texpect\tnote"));
    let entry = |line: &str| {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let fields: [String; 6] = fields.try_into().expect("six fields");
        let [file, stage, era, shape, expect, note] = fields;
        assert!(!note.is_empty(), "{file} says nothing of its purpose");
        Entry { file, stage, era, shape, expect }
    };
    lines.map(entry).collect()
}

/// Every file in the folder but those that tell of the others.
pub(crate) fn files() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder()];
    while let Some(path) = folders.pop() {
        for entry in std::fs::read_dir(path).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder()).expect("within the folder");
            let name = name.to_string_lossy().replace('\\', "/");
            if !["MANIFEST.tsv", "COVERAGE.md"].contains(&name.as_str()) {
                found.insert(name);
            }
        }
    }
    found
}

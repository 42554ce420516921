//! Shaders and kernels that were made worse on purpose, each beside its original: what advice
//! is measured by. The rows of `data/advice/MANIFEST.tsv` and `HELD_OUT.tsv` say how.

use std::path::Path;

use engine::Language;
use gcn::Target;

/// The way in which a program was made worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoiled {
    /// By the inverse of something that a search might try.
    Inverse,
    /// By hand, another option of a compiler or another version of it.
    Other,
}

/// A program and what it was before it was made worse.
#[derive(Debug, Clone)]
pub struct Inefficiency {
    /// The name of both files.
    pub name: String,
    /// The language of both.
    pub language: Language,
    /// The chip on which the one is worse.
    pub target: Target,
    /// The kind of what was done.
    pub spoiled: Spoiled,
    /// The change, in a sentence.
    pub how: String,
    /// The text before.
    pub original: String,
    /// The text after.
    pub worse: String,
}

/// Programs that the search was written with, in the order of their names.
///
/// # Panics
/// If the manifest names a file or a chip that is not there.
pub fn all() -> Vec<Inefficiency> {
    named_by("MANIFEST.tsv")
}

/// Programs that nobody looked at while moves were written: what the search does with some that
/// it was not made for.
///
/// # Panics
/// If the manifest names a file or a chip that is not there.
pub fn held_out() -> Vec<Inefficiency> {
    named_by("HELD_OUT.tsv")
}

fn named_by(manifest: &str) -> Vec<Inefficiency> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/advice");
    let read = |path: &Path| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let manifest = read(&folder.join(manifest));
    let rows = manifest.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
    let programs = rows.map(|row| Inefficiency {
        name: row[0].to_owned(),
        language: match row[0].ends_with(".s") {
            true => Language::Gcn,
            false => Language::Tgsi,
        },
        target: Target::find(row[1]).unwrap_or_else(|| panic!("no chip {}", row[1])),
        spoiled: match row[2] {
            "inverse" => Spoiled::Inverse,
            "other" => Spoiled::Other,
            word => panic!("{}: `{word}`", row[0]),
        },
        how: row[3].to_owned(),
        original: read(&folder.join("original").join(row[0])),
        worse: read(&folder.join("spoiled").join(row[0])),
    });
    programs.collect()
}

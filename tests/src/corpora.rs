//! The real programs and tables that lie beside the project, where they exist.
//!
//! They are not part of it: a test that needs them says so and passes where
//! they are absent.

use std::path::{Path, PathBuf};

/// A file or folder beside the project; `None`, said aloud, where it is absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let full = root.join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("skipped: no shared/{path} beside the project");
    None
}

/// One TGSI program of the corpora.
#[derive(Debug, Clone)]
pub struct Program {
    /// The file's name within the corpora.
    pub name: String,
    /// The stage word of its header.
    pub stage: String,
    /// Whether Mesa 21 parses it.
    pub accepted_by_mesa_21: bool,
    /// How many errors the checker of Mesa 21 counts, where it parses it.
    pub sanity_errors: Option<u32>,
    /// How many registers it says are never used, where it parses it.
    pub sanity_warnings: Option<u32>,
    /// Whether any reference parser accepts it.
    pub accepted: bool,
    /// The reference parsers that accept it, by their short names: `o2009`, `m21`.
    pub accepted_by: Vec<String>,
    /// Its text.
    pub text: String,
}

/// The TGSI programs; `None` where the corpora are absent.
pub fn tgsi_programs() -> Option<Vec<Program>> {
    let root = shared("corpora/tgsi")?;
    let manifest = std::fs::read_to_string(root.join("MANIFEST.tsv")).ok()?;
    let mut rows = manifest.lines();
    let heads: Vec<&str> = rows.next()?.split('\t').collect();
    let column = |name: &str| heads.iter().position(|head| *head == name);
    let (file, stage) = (column("file")?, column("stage")?);
    let (mesa, accepted) = (column("verdict_mesa21")?, column("accepted_by_parsers")?);
    let programs = rows
        .filter_map(|row| {
            let fields: Vec<&str> = row.split('\t').collect();
            let field = |index: usize| fields.get(index).copied().unwrap_or_default();
            let bytes = std::fs::read(root.join(field(file))).ok()?;
            Some(Program {
                name: field(file).to_owned(),
                stage: field(stage).to_owned(),
                accepted_by_mesa_21: field(mesa).starts_with("OK"),
                sanity_errors: count(field(mesa), "e="),
                sanity_warnings: count(field(mesa), "w="),
                accepted: !field(accepted).trim().is_empty(),
                accepted_by: field(accepted).trim().split(',').map(str::to_owned).collect(),
                text: String::from_utf8_lossy(&bytes).into_owned(),
            })
        })
        .collect();
    Some(programs)
}

/// A count in a verdict such as `OK e=0 w=3`.
fn count(verdict: &str, name: &str) -> Option<u32> {
    let words = verdict.strip_prefix("OK ")?;
    words.split(' ').find_map(|word| word.strip_prefix(name)?.parse().ok())
}

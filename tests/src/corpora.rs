//! The real programs and tables that lie beside the project.
//!
//! They are not part of it: what needs them is run by name, and fails without them.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::corpus::Program;

/// A file or folder beside the project.
///
/// # Panics
/// Where it is absent.
pub fn shared(path: &str) -> PathBuf {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(path);
    assert!(full.exists(), "no `shared/{path}`: the folder `shared` must be beside the project");
    full
}

/// The bytes that a gzip file stands for.
///
/// # Panics
/// Where they are none.
pub fn decompress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let read = flate2::read::GzDecoder::new(bytes).read_to_end(&mut out);
    read.unwrap_or_else(|error| panic!("gzip: {error}"));
    out
}

/// One TGSI program of the corpora, with the verdicts of those who read it.
#[derive(Debug, Clone)]
pub struct ProgramVerdicts {
    /// The program, by its file's name. It is accepted where any reference parser accepts it.
    pub program: Program,
    /// True if Mesa 21 parses it.
    pub accepted_by_mesa_21: bool,
    /// Errors that the checker of Mesa 21 counts, where it parses it.
    pub sanity_errors: Option<u32>,
    /// Registers that it reports as never used, where it parses it.
    pub sanity_warnings: Option<u32>,
    /// The reference parsers that accept it, by their short names: `o2009`, `m21`.
    pub accepted_by: Vec<String>,
}

/// Programs whose texts end in the middle of a subroutine. Parsers read them; no driver makes
/// a shader of one.
pub const CUT_OFF: [&str; 3] = [
    "mesa-c-strings/compute-31.tgsi",
    "mesa-c-strings/compute-33.tgsi",
    "mesa-c-strings/compute-51.tgsi",
];

/// The TGSI programs.
///
/// # Panics
/// Where they are absent.
pub fn tgsi_programs() -> Vec<Program> {
    programs_with_verdicts().into_iter().map(|entry| entry.program).collect()
}

/// The TGSI programs with the verdicts.
///
/// # Panics
/// Where they are absent, or the manifest is not as its description says.
pub fn programs_with_verdicts() -> Vec<ProgramVerdicts> {
    let root = shared("corpora/tgsi");
    let manifest = std::fs::read_to_string(root.join("MANIFEST.tsv"));
    let manifest = manifest.unwrap_or_else(|error| panic!("the manifest: {error}"));
    let mut rows = manifest.lines();
    let heads: Vec<&str> = rows.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let found = heads.iter().position(|head| *head == name);
        found.unwrap_or_else(|| panic!("the manifest has no column {name}"))
    };
    let (file, stage) = (column("file"), column("stage"));
    let (mesa, accepted) = (column("verdict_mesa21"), column("accepted_by_parsers"));
    let programs = rows.filter_map(|row| {
        let fields: Vec<&str> = row.split('\t').collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or_default();
        let bytes = std::fs::read(root.join(field(file))).ok()?;
        Some(ProgramVerdicts {
            program: Program {
                name: field(file).to_owned(),
                stage: field(stage).to_owned(),
                accepted: !field(accepted).trim().is_empty(),
                text: String::from_utf8_lossy(&bytes).into_owned(),
            },
            accepted_by_mesa_21: field(mesa).starts_with("OK"),
            sanity_errors: count(field(mesa), "e="),
            sanity_warnings: count(field(mesa), "w="),
            accepted_by: field(accepted).trim().split(',').map(str::to_owned).collect(),
        })
    });
    programs.collect()
}

/// A count in a verdict such as `OK e=0 w=3`.
fn count(verdict: &str, name: &str) -> Option<u32> {
    let words = verdict.strip_prefix("OK ")?;
    words.split(' ').find_map(|word| word.strip_prefix(name)?.parse().ok())
}

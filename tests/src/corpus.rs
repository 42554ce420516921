//! The repository's own programs: files with a manifest, the shaders of the literate
//! suites, and those that are made from the opcode table.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use gcn::Target;

use crate::kernels::Kernel;
use crate::{literate, lower_shaders};

/// A TGSI program, of this repository or of another body of cases.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its name among the others.
    pub name: String,
    /// The stage word of its header.
    pub stage: String,
    /// True if it has no certain mistake.
    pub accepted: bool,
    /// Its text.
    pub text: String,
}

/// Of the shaders that are made from the opcode table, one in this many is a program.
const MADE: usize = 9;

/// The TGSI programs: written ones, those of the suites, and a sample of those that are made.
pub fn tgsi_programs() -> Vec<Program> {
    static PROGRAMS: LazyLock<Vec<Program>> = LazyLock::new(|| {
        let made = made_programs().into_iter().step_by(MADE);
        written_programs().into_iter().chain(made).collect()
    });
    PROGRAMS.clone()
}

/// The TGSI programs that were written by hand: files with a manifest, and those of the suites.
///
/// # Panics
/// Where a manifest names a file that is not there.
pub fn written_programs() -> Vec<Program> {
    // Texts of other times, of tokens, layouts and logs are checked by `tgsi::own`.
    let current = rows("tgsi")
        .filter(|row| row[2] == "current" && row[3] == "plain" && !row[0].starts_with("tokens/"));
    let files = current.map(|row| Program {
        text: read(&folder("tgsi").join(&row[0])),
        accepted: row[4] == "clean",
        stage: row[1].clone(),
        name: row[0].clone(),
    });
    files.chain(suites()).collect()
}

/// All that are made from the opcode table.
pub fn made_programs() -> Vec<Program> {
    let program = |made: lower_shaders::Made| Program {
        stage: stage(&made.text),
        accepted: true,
        name: made.name,
        text: made.text,
    };
    lower_shaders::all().into_iter().map(program).collect()
}

/// The shaders of the literate suites that stand alone in their text and are compiled.
fn suites() -> Vec<Program> {
    let mut programs = Vec::new();
    for (suite, case) in cases() {
        let Some(shader) = case.block("tgsi") else { continue };
        let compiled = case.blocks.iter().any(|it| it.kind.starts_with("gcn"));
        let wrong = case.blocks.iter().any(|it| it.kind.contains("diagnostics"));
        let regions = tgsi::regions::split(&shader.text).shaders;
        let alone = regions.len() == 1 && regions[0].range().start() == 0.into();
        if compiled && alone && !wrong {
            programs.push(Program {
                name: format!("{suite}: {}", case.name),
                stage: stage(&shader.text),
                accepted: true,
                text: shader.text.clone(),
            });
        }
    }
    programs
}

/// The GCN programs in LLVM's dialect that assemble: written ones and those of the suites.
///
/// # Panics
/// Where a manifest names a file that is not there, or a chip that is none.
pub fn gcn_programs() -> Vec<Kernel> {
    static KERNELS: LazyLock<Vec<Kernel>> = LazyLock::new(read_gcn_programs);
    KERNELS.clone()
}

/// The texts in CLRX's dialect that somebody wrote, right and wrong.
///
/// # Panics
/// Where a manifest names a file that is not there.
pub fn clrx_texts() -> Vec<String> {
    rows("gcn")
        .filter(|row| row[1] == "clrx")
        .map(|row| read(&folder("gcn").join(&row[0])))
        .collect()
}

/// The files of inputs of the programs.
pub fn inputs() -> Vec<String> {
    let runs = written_programs().into_iter().filter_map(|program| {
        let path = folder("tgsi").join(program.name).with_extension("inputs.toml");
        std::fs::read_to_string(path).ok()
    });
    runs.collect()
}

fn read_gcn_programs() -> Vec<Kernel> {
    let programs = rows("gcn").filter(|row| ["kernel", "macro"].contains(&row[3].as_str()));
    let sound = programs.filter(|row| row[1] == "llvm" && row[4] == "clean");
    let written = sound.map(|row| {
        let target = Target::find(&row[2]).unwrap_or_else(|| panic!("no chip {}", row[2]));
        Kernel::own(&row[0], target, &read(&folder("gcn").join(&row[0])), folder("gcn"))
    });
    let mut kernels: Vec<Kernel> = written.collect();
    for (suite, case) in cases() {
        let Some(source) = case.block("asm") else { continue };
        if case.blocks.iter().any(|it| it.kind.contains("diagnostics")) {
            continue;
        }
        let [name] = &source.arguments[..] else { continue };
        let Some(target) = Target::find(name) else { continue };
        let whole = case.block("include").is_none();
        let kernel =
            Kernel::own(&format!("{suite}: {}", case.name), target, &source.text, folder("gcn"));
        if whole && kernel.is_sound() {
            kernels.push(kernel);
        }
    }
    kernels
}

/// Every case of every suite, with the suite's name.
fn cases() -> Vec<(String, literate::Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let cases = files
        .iter()
        .flat_map(|path| literate::read(&read(path)).into_iter().map(|case| (name(path), case)));
    cases.collect()
}

/// The folder of written programs of a language.
fn folder(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(language)
}

/// The rows of a language's manifest.
fn rows(language: &str) -> impl Iterator<Item = Vec<String>> {
    let path = folder(language).join("MANIFEST.tsv");
    let text = read(&path);
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let lines: Vec<String> = rows.map(str::to_owned).collect();
    lines.into_iter().map(|line| line.split('\t').map(str::to_owned).collect())
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The stage word with which a text's first shader begins.
fn stage(text: &str) -> String {
    let regions = tgsi::regions::split(text);
    let first = regions.shaders.first().map_or("", |region| region.text(text));
    first.split_whitespace().next().unwrap_or_default().to_owned()
}

//! Tables of what other assemblers say of our own lines.
//!
//! The lines are made from the tables of the instruction set and from templates,
//! the same ones for the same code. The judges are versions of LLVM's `llvm-mc`.
//! What is stored are facts: whether a line is an instruction, its bytes, how it is
//! spelled, the column of a complaint. No sentence of a judge is kept.

mod alter;
mod clrx;
mod lines;
mod llvm;
mod programs;
mod random;
mod table;
mod templates;
mod words;

use std::path::{Path, PathBuf};

use llvm::Judge;
use table::{Outcome, Source};

/// What `cargo xtask judge` was told.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Says whether the stored tables are current, and writes none.
    #[arg(long)]
    check: bool,
    /// Judges these classes of chips only.
    #[arg(long, value_delimiter = ',')]
    class: Vec<String>,
    /// Runs LLVM 22's llvm-mc: a program, or a wrapper with the program's name behind it.
    #[arg(long, value_name = "COMMAND", default_value = "llvm-mc-22")]
    llvm22: String,
    /// Takes verdicts of the CLRX assembler from a folder of `CLASS.tsv.gz`.
    #[arg(long, value_name = "FOLDER")]
    clrx: Option<PathBuf>,
}

/// The chips whose instruction sets differ.
const CLASSES: [&str; 9] =
    ["gfx600", "gfx704", "gfx801", "gfx803", "gfx810", "gfx900", "gfx904", "gfx906", "gfx908"];

/// Judges lines and programs, and writes or compares the tables.
///
/// # Errors
/// Where a judge is missing or a table is not current.
pub(crate) fn run(options: &Options, root: &Path) -> Result<String, String> {
    let judges = [
        Judge::new("llvm-15", "llvm-mc-15", "on Debian 12 install the package llvm-15")?,
        Judge::new("llvm-19", "llvm-mc-19", "on Debian 12 install the package llvm-19")?,
        Judge::new(
            "llvm-22",
            &options.llvm22,
            "install the package llvm-22 of Debian unstable, or name its llvm-mc by --llvm22",
        )?,
    ];
    let folder = root.join("tests/data/judged");
    let mut sources = Source::read(&folder)?;
    let places = lines::all_places();
    let mut stale = Vec::new();
    let mut said = String::new();
    let asked =
        |class: &str| options.class.is_empty() || options.class.iter().any(|it| it == class);
    for class in CLASSES.into_iter().filter(|class| asked(class)) {
        let name = format!("gcn-{class}.tsv.gz");
        let lines = lines::lines(class, share(class), &places);
        let (text, outcome) = judged(class, &lines, &judges)?;
        said.push_str(&format!("{name}: {outcome}\n"));
        let is_current = table::is_current(&folder.join(&name), &text)?;
        let mut tables = vec![(name, text, outcome, versions(&judges))];
        if let Some(clrx) = &options.clrx {
            tables.extend(clrx::table(clrx, class, &lines)?);
        }
        for (name, text, outcome, judges) in tables {
            let is_current = is_current && table::is_current(&folder.join(&name), &text)?;
            if options.check && !is_current {
                stale.push(name);
            } else if !is_current {
                table::write(&folder.join(&name), &text)?;
                sources.record(&name, &judges, &outcome)?;
            }
        }
    }
    stale.extend(programs::judge(root, &judges, options.check)?);
    if !stale.is_empty() {
        return Err(format!("not current: {}", stale.join(", ")));
    }
    if !options.check {
        sources.write(&folder)?;
    }
    Ok(said)
}

/// Of so many lines a class keeps one: less of the chips that differ in few instructions.
fn share(class: &str) -> usize {
    match class {
        "gfx801" | "gfx810" | "gfx904" | "gfx906" => 4,
        _ => 1,
    }
}

fn versions(judges: &[Judge]) -> String {
    let versions = judges.iter().map(|judge| format!("{} {}", judge.name, judge.version));
    versions.collect::<Vec<_>>().join("; ")
}

/// The table of a class, and what it holds in numbers.
fn judged(class: &str, lines: &[String], judges: &[Judge]) -> Result<(String, Outcome), String> {
    let verdicts = std::thread::scope(|scope| {
        let asked: Vec<_> =
            judges.iter().map(|judge| scope.spawn(|| judge.assemble(class, lines))).collect();
        let answers =
            asked.into_iter().map(|it| it.join().map_err(|_| "a judge broke".to_owned())?);
        answers.collect::<Result<Vec<_>, String>>()
    })?;
    let mut rows = table::rows(lines, judges, &verdicts);
    // Of the first two generations LLVM has no disassembler: its assembler prints them.
    if let (Some(judge), true) = (judges.last(), class >= "gfx8") {
        table::respell(&mut rows, |words| judge.disassemble(class, words))?;
    }
    Ok(table::print(class, &rows, judges))
}

//! Mutations: small changes of the code and the tables, each of which a test should see.
//!
//! They are drawn from a seed, evenly over lines of code and rows of tables, and tried
//! in a copy of the repository. A run that was broken off goes on where it was: verdicts, the
//! common build and what each test reaches are kept.

mod alone;
mod build;
mod crates;
mod draw;
mod lexer;
mod operators;
mod others;
mod reach;
mod report;
mod session;
mod source;
mod state;
mod store;
mod tables;
mod tree;
mod trial;

use std::path::{Path, PathBuf};

use crates::{CRATES, Crate};
use draw::Sheet;
use session::{Asked, Scope, Session};
use state::{Entry, Record, Verdict};
use store::Store;
use tree::Tree;

/// One mutation in so many is drawn beyond the number that counts: some do not compile, and
/// a second common build costs more than what is not tried.
const SURPLUS: usize = 4;

/// Draws mutations and tells which of them no test sees.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of mutations; one that does not compile is drawn again.
    #[arg(long, default_value_t = 300)]
    count: usize,
    /// The number that the draw follows from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draws from a crate alone and tries what was drawn of it; may stand more than once.
    #[arg(long = "crate", value_name = "CRATE")]
    only: Vec<String>,
    /// Asks the tests of all crates about what the tests of its own crate do not see.
    #[arg(long)]
    all: bool,
    /// Tries again what no test has seen.
    #[arg(long)]
    again: bool,
    /// Lists the mutations and what is known of them, and ends.
    #[arg(long)]
    list: bool,
    /// Writes a report.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The record of the run [default: target/mutants/seed-SEED.tsv].
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The number of mutations that are tried at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// A command before each build and each run of tests, such as `nice`.
    #[arg(long, value_name = "COMMAND")]
    prefix: Option<String>,
    /// The folder of the copy and of what is built there; two runs at once want one each
    /// [default: target/mutants].
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(root: &Path, options: &Options) -> Result<(), String> {
    let root = root.canonicalize().map_err(|error| error.to_string())?;
    let folder = options.folder.clone().unwrap_or_else(|| root.join("target/mutants"));
    let chosen = chosen(&options.only)?;
    let recorded = folder.join(format!("seed-{}.tsv", options.seed));
    let mut record = Record::open(options.record.as_ref().unwrap_or(&recorded))?;
    draw(&root, &chosen, options, &mut record)?;
    if options.list {
        report::list(&record.entries);
        return Ok(());
    }
    if options.again {
        for entry in record.entries.clone() {
            if matches!(entry.verdict, Verdict::Missed | Verdict::Survived) {
                record.add(Entry { verdict: Verdict::Drawn, ..entry })?;
            }
        }
    }
    let asked = if options.all { Asked::All } else { Asked::Own };
    let scope = Scope { folders: chosen, count: options.count, asked };
    let mut session = Session {
        tree: Tree::new(&root, folder.join("tree"))?,
        target: folder.join("target"),
        store: Store::new(folder.join("common")),
        prefix: options.prefix.iter().flat_map(|it| it.split(' ')).map(str::to_owned).collect(),
        jobs: options.jobs.max(1),
    };
    while !scope.open(&record).is_empty() {
        session.round(&scope, &mut record)?;
        // What does not compile is replaced, until enough does.
        draw(&root, &scope.folders, options, &mut record)?;
    }
    let text = report::markdown(&root, options.seed, options.count, &record.entries)?;
    match &options.report {
        Some(file) => std::fs::write(file, text).map_err(|error| error.to_string()),
        None => {
            report::print(&text);
            Ok(())
        }
    }
}

/// Returns the crates that names mean; all where there are none.
fn chosen(names: &[String]) -> Result<Vec<&'static str>, String> {
    let last = |it: &Crate| it.folder.rsplit('/').next().unwrap_or(it.folder);
    if let Some(unknown) = names.iter().find(|name| !CRATES.iter().any(|it| last(it) == **name)) {
        return Err(format!("no crate is called {unknown}"));
    }
    let wanted = |it: &&Crate| names.is_empty() || names.iter().any(|name| last(it) == name);
    Ok(CRATES.iter().filter(wanted).map(|it| it.folder).collect())
}

/// Draws what is missing to the number that counts, and as many more as will not compile.
fn draw(
    root: &Path,
    folders: &[&str],
    options: &Options,
    record: &mut Record,
) -> Result<(), String> {
    let missing = options.count.saturating_sub(record.counted(options.count).count());
    if missing == 0 {
        return Ok(());
    }
    let sheet = Sheet::read(root, folders)?;
    let (lines, rows) = sheet.size();
    report::print(&format!("{missing} mutations from {lines} lines of code and {rows} rows\n"));
    let known: Vec<_> = record.entries.iter().map(|entry| entry.mutation.clone()).collect();
    let new = sheet.draw(options.seed).filter(|mutation| !known.contains(mutation));
    for mutation in new.take(missing + missing.div_ceil(SURPLUS)) {
        record.add(Entry::drawn(mutation))?;
    }
    Ok(())
}

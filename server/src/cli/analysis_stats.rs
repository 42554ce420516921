//! `tungsten analysis-stats`: what analysing files costs, one line
//! `METRIC:name:value:unit` per figure, for scripts that watch it over time.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use engine::{Cancelled, FileId, Host, Settings};
use source::{TextRange, TextSize};

use super::files::SourceFile;
use super::output::Output;
use super::{Status, Stop, failed};

/// The files that are measured.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Edits of each file: enough for a stable figure, few enough for large files.
const EDITS: u32 = 10;

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let files: Vec<SourceFile> =
        arguments.files.iter().filter_map(|path| SourceFile::read(path).ok()).collect();
    let mut host =
        Host::new(Settings { targets: vec![gcn::Target::default()], ..Settings::default() });
    let mut sums = Sums::default();
    for file in &files {
        let id = host.set_file(&file.name, file.text.clone(), file.language);
        time(&host, id, file, &mut sums)
            .map_err(|why| failed(format_args!("{}: {why}", file.name)))?;
        for edit in 0..EDITS {
            // A line behind everything: nothing that stands there changes.
            let text = format!("{}{}", file.text, "\n".repeat(edit as usize + 1));
            let before = Instant::now();
            host.set_file(&file.name, text.into(), file.language);
            let _ = host.snapshot().diagnostics(id);
            sums.edits += before.elapsed();
        }
        host.remove_file(id);
        host.evict_caches();
    }
    let lines = sums.lines.max(1);
    let edits = (files.len() as u128 * u128::from(EDITS)).max(1);
    let metric = |name: &str, value: u128, unit: &str| format!("METRIC:{name}:{value}:{unit}");
    for line in [
        metric("files", files.len() as u128, "count"),
        metric("lines", sums.lines, "count"),
        metric("bytes", sums.bytes, "bytes"),
        metric("diagnostics", sums.diagnostics, "count"),
        metric("analysis", sums.cold.as_micros(), "us"),
        metric("analysis-per-line", sums.cold.as_nanos() / lines, "ns"),
        metric("edit-to-diagnostics", sums.edits.as_micros() / edits, "us"),
        metric("semantic-tokens", sums.tokens.as_micros(), "us"),
        metric("symbols", sums.symbols.as_micros(), "us"),
    ] {
        output.line(&line)?;
    }
    Ok(if files.len() < arguments.files.len() { Status::Failed } else { Status::Good })
}

/// The sums over all files.
#[derive(Debug, Default)]
struct Sums {
    lines: u128,
    bytes: u128,
    diagnostics: u128,
    cold: Duration,
    edits: Duration,
    tokens: Duration,
    symbols: Duration,
}

/// Analyses a file that is new to the engine.
fn time(host: &Host, id: FileId, file: &SourceFile, sums: &mut Sums) -> Result<(), Cancelled> {
    let snapshot = host.snapshot();
    let before = Instant::now();
    let diagnostics = snapshot.diagnostics(id)?;
    sums.cold += before.elapsed();
    let before = Instant::now();
    let all = TextRange::up_to(TextSize::of(&*file.text));
    snapshot.semantic_tokens(id, all)?;
    sums.tokens += before.elapsed();
    let before = Instant::now();
    snapshot.symbols(id)?;
    sums.symbols += before.elapsed();
    sums.lines += file.text.lines().count() as u128;
    sums.bytes += file.text.len() as u128;
    sums.diagnostics += diagnostics.len() as u128;
    Ok(())
}

//! `tungsten run`: execute shaders. With `--records` it repeats recorded runs
//! and compares their outcome.

mod comparison;
mod records;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;

use super::output::Output;
use super::{Status, complain};
use comparison::Verdict;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Repeat the runs recorded in this file, one JSON object a line, and say
    /// for each whether the outcome is the same
    #[arg(long, value_name = "FILE")]
    records: PathBuf,
    /// The folder that the records' file names start from
    #[arg(long, value_name = "FOLDER")]
    programs: PathBuf,
    /// What executes: `tgsi`, the interpreter
    #[arg(long, value_name = "ENGINE", default_value = "tgsi")]
    engine: String,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> io::Result<Status> {
    if arguments.engine != "tgsi" {
        complain(format_args!("--engine {}: the only engine so far is tgsi", arguments.engine));
        return Ok(Status::Failed);
    }
    let text = match std::fs::read_to_string(&arguments.records) {
        Ok(text) => text,
        Err(error) => {
            complain(format_args!("{}: {error}", arguments.records.display()));
            return Ok(Status::Failed);
        }
    };
    let mut counts = [0usize; 3];
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let record = match records::read(line) {
            Ok(record) => record,
            Err(message) => {
                let name = arguments.records.display();
                complain(format_args!("{name}:{}: {message}", number + 1));
                return Ok(Status::Failed);
            }
        };
        let (verdict, detail) = records::repeat(&record, &arguments.programs);
        counts[verdict as usize] += 1;
        let word = verdict.word();
        output.line(&format!("{}\t{}\t{word}\t{detail}", record.file, record.set))?;
    }
    let [same, differs, skipped] = counts;
    complain(format_args!("{same} same, {differs} differ, {skipped} skipped"));
    let all_same = counts[Verdict::Differs as usize] == 0;
    Ok(if all_same { Status::Good } else { Status::Bad })
}

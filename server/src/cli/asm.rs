//! `tungsten asm`: GCN text to machine code.

use std::io;
use std::path::PathBuf;

use clap::ValueEnum;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line};

use super::files::SourceFile;
use super::output::Output;
use super::{Status, complain, read_targets};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The chip to assemble for
    #[arg(long, value_name = "TARGET")]
    target: String,
    /// What to print
    #[arg(long, value_enum, default_value_t = Emit::Hex)]
    emit: Emit,
    /// Judge every line by itself: `LINE ok HEX` or `LINE err COLUMN MESSAGE`, with tabs
    #[arg(long)]
    each_line: bool,
    /// Whose assembly language it is
    #[arg(long, value_enum, default_value_t = Dialect::Llvm)]
    dialect: Dialect,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The bytes in order of memory, a line for each line that has an instruction
    Hex,
}

/// Dialects that can be assembled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Dialect {
    /// LLVM's
    Llvm,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> io::Result<Status> {
    let Dialect::Llvm = arguments.dialect;
    let Emit::Hex = arguments.emit;
    let Some(targets) = read_targets(std::slice::from_ref(&arguments.target)) else {
        return Ok(Status::Failed);
    };
    let Some(file) = SourceFile::read(&arguments.file) else { return Ok(Status::Failed) };
    let Some(target) = targets.first() else { return Ok(Status::Failed) };
    let set = InstructionSet::of(*target);
    let mut status = Status::Good;
    let mut line_of_output = String::new();
    for (index, line) in file.text.lines().enumerate() {
        let number = index + 1;
        if is_empty(line) {
            continue;
        }
        line_of_output.clear();
        match assemble_line(line, set, &NoSymbols) {
            Ok(assembled) => {
                let separator = if arguments.each_line { "\tok\t" } else { "\t" };
                write_hex(&mut line_of_output, number, separator, assembled.bytes());
                output.line(&line_of_output)?;
            }
            Err(error) => {
                status = Status::Bad;
                let before = line.get(..error.range.start).unwrap_or(line);
                let column = before.chars().count() + 1;
                if arguments.each_line {
                    output.line(&format!("{number}\terr\t{column}\t{}", error.message))?;
                } else {
                    let name = &file.name;
                    complain(format_args!("{name}:{number}:{column}: {}", error.message));
                }
            }
        }
    }
    Ok(status)
}

/// Whether a line has nothing but blanks and a comment.
fn is_empty(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', ';']) || line.starts_with("//")
}

fn write_hex(out: &mut String, number: usize, separator: &str, bytes: impl Iterator<Item = u8>) {
    use std::fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = write!(out, "{number}{separator}");
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
}

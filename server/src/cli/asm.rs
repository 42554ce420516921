//! `tungsten asm`: GCN text to machine code.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use engine::{AssemblyKind, TargetOrigin};
use gcn::Target;
use gcn::assembler::Dialect;
use gcn::assembler::result::StatementKind;
use gcn::dialect;
use gcn::instruction::{InstructionSet, NoSymbols, assemble_line, suggest};
use gcn::program::{Options, Program, reassemble};
use source::{Severity, TextRange, digits};

use super::assembly::{
    Assembly, AssemblyInputs, complain_of_guess, refuse_shaders, refuse_unsupported,
};
use super::files::{Heads, SourceFile, each_file};
use super::output::{Output, Style};
use super::{Status, Stop, check, complain, failed, one_of, read_target};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The chip to assemble for; by default the one that the file or its name states
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// The form to print
    #[arg(long, value_enum, default_value_t = Emit::Hex)]
    emit: Emit,
    /// Check every line by itself: `LINE ok HEX` or `LINE err COLUMN MESSAGE`, with tabs
    #[arg(long)]
    each_line: bool,
    /// The assembly dialect; by default the text decides
    #[arg(long, value_parser = one_of(DIALECTS))]
    dialect: Option<Dialect>,
    #[command(flatten)]
    inputs: AssemblyInputs,
}

/// The form that is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The bytes in order of memory, a line for each line of the file that makes some
    Hex,
    /// Labels, offsets, bytes and instructions, macros expanded
    Listing,
    /// The bytes of the sections with code and constants, one after the other
    Bin,
}

/// Dialects that can be assembled.
pub(super) const DIALECTS: &[(&str, &str, Dialect)] =
    &[("llvm", "LLVM's", Dialect::Llvm), ("clrx", "CLRadeonExtender's", Dialect::Clrx)];

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let target = read_target(arguments.target.as_deref())?;
    if arguments.emit == Emit::Bin && arguments.files.len() > 1 {
        return Err(failed("`--emit bin` takes one file: nothing would tell their bytes apart"));
    }
    each_file(&arguments.files, Heads::Comments, output, |path, output| {
        print(path, arguments, target, output)
    })
}

fn print(
    path: &Path,
    arguments: &Arguments,
    target: Option<Target>,
    output: &mut Output,
) -> Result<Status, Stop> {
    let file = SourceFile::read(path)?;
    refuse_shaders(&file)?;
    if arguments.each_line {
        let named = dialect::target_in(&file.text, &file.name).filter(|_| target.is_none());
        if let Some(Err(unsupported)) = named.map(|it| it.target) {
            return Err(failed(format_args!("{}: {unsupported} is not supported yet", file.name)));
        }
        let dialect = arguments.dialect.unwrap_or(Dialect::Llvm);
        let set = InstructionSet::in_dialect(target.unwrap_or_default(), dialect);
        return Ok(each_line(&file, set, output)?);
    }
    let assembly = Assembly::new(&file, path, &arguments.inputs);
    let reading = assembly.kind(target);
    let mut options = Options { target, ..assembly.options(reading.as_ref()) };
    options.dialect = arguments.dialect.unwrap_or(options.dialect);
    let includes = |name: &str| assembly.include(name);
    let program = reassemble(None, &file.text, &options, &includes, &source::no_checkpoint);
    if let Some(reading) = &reading {
        complain_of_reading(arguments, reading, target, &program);
    }
    refuse_unsupported(&file, &program)?;
    check::complain_of(&file, &program.diagnostics)?;
    let is_bad = program.diagnostics.iter().any(|it| it.severity == Severity::Error);
    if is_bad {
        complain_of_guess(&program);
    }
    match arguments.emit {
        Emit::Hex => print_hex(&file, &program, output)?,
        Emit::Listing => print_listing(&program, output)?,
        Emit::Bin if is_bad => complain("no output is written for a program with errors"),
        Emit::Bin => {
            for (section, what) in (0..).zip(&program.expansion.sections) {
                let has_code = !program.instructions_of_section(section).is_empty();
                if has_code || what.name.starts_with(".rodata") {
                    output.bytes(&program.image(section).bytes)?;
                }
            }
        }
    }
    Ok(if is_bad { Status::Bad } else { Status::Good })
}

/// Says what the text and its project showed, where nobody asked for a chip or a dialect.
fn complain_of_reading(
    arguments: &Arguments,
    reading: &AssemblyKind,
    target: Option<Target>,
    program: &Program,
) {
    if target.is_none() && reading.unsupported.is_none() {
        let why = match reading.target_origin {
            _ if program.target != reading.target => "from a directive after it".to_owned(),
            TargetOrigin::Default => "the default; --target chooses another".to_owned(),
            TargetOrigin::Instructions => {
                format!("guessed from {}; --target chooses another", reading.target_why)
            }
            _ => format!("from {}", reading.target_why),
        };
        complain(format_args!("target {}, {why}", program.target.name()));
    }
    if arguments.dialect.is_none() {
        complain(format_args!("dialect {}, {}", reading.dialect.name(), reading.dialect_why));
    }
}

/// Lines of which the one that was meant is looked for, at most.
const SUGGESTIONS: usize = 256;

fn each_line(file: &SourceFile, set: InstructionSet, output: &mut Output) -> io::Result<Status> {
    let mut status = Status::Good;
    let mut line_of_output = String::new();
    let mut errors = 0;
    for (index, line) in file.text.lines().enumerate() {
        let number = index + 1;
        if is_empty(line) {
            continue;
        }
        line_of_output.clear();
        match assemble_line(line, set, &NoSymbols) {
            Ok(assembled) => {
                // Writing to a string cannot fail.
                let _ = write!(line_of_output, "{number}\tok\t");
                digits::bytes(&mut line_of_output, assembled.bytes());
                output.line(&line_of_output)?;
            }
            Err(error) => {
                if let Some(cut) = error.cut {
                    let _ = write!(line_of_output, "{number}\tok\t");
                    digits::bytes(&mut line_of_output, cut.bytes());
                    let _ = write!(line_of_output, "\t{}", error.message);
                    output.line(&line_of_output)?;
                    continue;
                }
                status = Status::Bad;
                errors += 1;
                let before = line.get(..error.range.start).unwrap_or(line);
                let column = before.chars().count() + 1;
                let meant = Some(()).filter(|()| errors <= SUGGESTIONS);
                let meant = meant.and_then(|()| suggest::find(line, &error, set, &NoSymbols));
                let meant = meant.and_then(|fix| fix.edits.into_iter().next());
                let meant = meant.filter(|edit| !edit.range.is_empty()).map(|edit| edit.insert);
                let question = meant.map_or(String::new(), |it| format!("; did you mean `{it}`?"));
                output.line(&format!("{number}\terr\t{column}\t{}{question}", error.message))?;
            }
        }
    }
    Ok(status)
}

/// Tells whether a line has nothing but blanks and a comment.
fn is_empty(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', ';']) || line.starts_with("//")
}

/// A line for each run of statements that one line of the file made.
fn print_hex(file: &SourceFile, program: &Program, output: &mut Output) -> io::Result<()> {
    let mut line_of_output = String::new();
    let mut last = None;
    for (statement, index) in program.expansion.statements.iter().zip(0..) {
        let bytes = program.bytes_of_statement(index);
        if bytes.is_empty() {
            continue;
        }
        let shown: TextRange = program.expansion.in_root(statement.span, statement.node);
        let line = file.line(shown.start());
        if last != Some(line) {
            if last.is_some() {
                output.line(&line_of_output)?;
            }
            line_of_output.clear();
            let _ = write!(line_of_output, "{line}\t");
            last = Some(line);
        }
        digits::bytes(&mut line_of_output, bytes);
    }
    if last.is_some() { output.line(&line_of_output) } else { Ok(()) }
}

/// Data is shown up to so many bytes.
const BYTES_SHOWN: usize = 16;

fn print_listing(program: &Program, output: &mut Output) -> io::Result<()> {
    let mut section = None;
    let mut offsets = vec![0_u64; program.expansion.sections.len()];
    for (statement, index) in program.expansion.statements.iter().zip(0..) {
        let text = program.expansion.text(statement).trim();
        let is_label =
            matches!(statement.kind, StatementKind::Label(_) | StatementKind::NumericLabel);
        let bytes = program.bytes_of_statement(index);
        let wrong = statement.kind == StatementKind::Instruction && bytes.is_empty();
        if bytes.is_empty() && !is_label && !wrong {
            continue;
        }
        if section != Some(statement.section) {
            section = Some(statement.section);
            let name = &program.expansion.sections[statement.section as usize].name;
            output.styled(Style::Strong, &format!("{name}\n"))?;
        }
        if is_label {
            output.styled(Style::Place, &format!("{text}:\n"))?;
            continue;
        }
        let offset = &mut offsets[statement.section as usize];
        let mut hex = String::new();
        for word in bytes.chunks(4).take(BYTES_SHOWN / 4) {
            digits::bytes(&mut hex, word.iter().copied());
            hex.push(' ');
        }
        if bytes.len() > BYTES_SHOWN {
            let _ = write!(hex, "… {} bytes", bytes.len());
        }
        let shown = if wrong { "?" } else { hex.trim_end() };
        output.styled(Style::Faint, &format!("{offset:6x}  {shown:<18}"))?;
        output.line(&format!("  {text}"))?;
        *offset += bytes.len() as u64;
    }
    Ok(())
}

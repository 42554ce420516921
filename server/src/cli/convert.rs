//! `tungsten convert`: GCN assembly of one dialect written in the other.

use std::path::{Path, PathBuf};

use gcn::Target;
use gcn::assembler::Dialect;
use gcn::program::{Options, assemble};
use gcn::service::View;
use source::{TextRange, TextSize};

use super::asm::DIALECTS;
use super::assembly::{Assembly, AssemblyInputs, refuse_shaders, refuse_unsupported};
use super::files::{Heads, SourceFile, each_file};
use super::output::Output;
use super::{Status, Stop, complain, one_of, read_target};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The files of assembly; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The dialect to convert to
    #[arg(long, value_parser = one_of(DIALECTS), value_name = "DIALECT")]
    to: Dialect,
    /// The chip it is for, where it does not say so itself
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    #[command(flatten)]
    inputs: AssemblyInputs,
}

/// Prints the text where all of it can be written so that it has the same bytes; else
/// says of each line that cannot why.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let target = read_target(arguments.target.as_deref())?;
    each_file(&arguments.files, Heads::Comments, output, |path, output| {
        convert(path, arguments, target, output)
    })
}

fn convert(
    path: &Path,
    arguments: &Arguments,
    target: Option<Target>,
    output: &mut Output,
) -> Result<Status, Stop> {
    let file = SourceFile::read(path)?;
    refuse_shaders(&file)?;
    let to = arguments.to;
    // A text that both assemblers could read is taken for one of the other dialect.
    let dialect = to.other();
    let assembly = Assembly::new(&file, path, &arguments.inputs);
    let reading = assembly.kind(target);
    let options = Options { target, dialect, ..assembly.options(reading.as_ref()) };
    let includes = |name: &str| assembly.include(name);
    let program = assemble(&file.text, &options, &includes, &source::no_checkpoint);
    refuse_unsupported(&file, &program)?;
    let whole = TextRange::up_to(TextSize::of(&*file.text));
    let conversion = gcn::convert::convert(View::root(&program), whole);
    if conversion.refused.is_empty() {
        output.document(&conversion.applied(&file.text))?;
        return Ok(Status::Good);
    }
    let lines = source::LineIndex::new(&file.text);
    for refusal in &conversion.refused {
        let line = lines.line(refusal.range.start()) + 1;
        complain(format_args!("{}:{line}: {}", file.name, refusal.reason));
    }
    complain(format_args!(
        "{}: nothing is written: {} lines have no certain form in the {} dialect",
        file.name,
        conversion.refused.len(),
        to.name()
    ));
    Ok(Status::Bad)
}

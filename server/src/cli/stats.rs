//! `tungsten stats`: what shaders and kernels cost: registers, waves, clocks.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use gcn::Target;
use gcn::analysis::compare;
use gcn::analysis::timing::{Model, Profile, TimingOptions};

use super::assembly::AssemblyInputs;
use super::compiler::Compiler;
use super::files::{Heads, SourceFile, each_file};
use super::output::Output;
use super::{
    CompilerArguments, Status, Stop, one_of, read_targets, stats_data, stats_text, subjects,
};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The files: TGSI, which is compiled first, or GCN assembly; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The chips; by default the one that the file names
    #[arg(long, value_delimiter = ',', value_name = "TARGET")]
    target: Vec<String>,
    /// The timing model
    #[arg(long, value_parser = one_of(MODELS), default_value = "measured")]
    model: Model,
    /// The version of Mesa whose waves and waits the model `aco` has
    #[arg(long, value_parser = one_of(PROFILES), default_value = "mesa25")]
    profile: Profile,
    /// The threads of a workgroup, for machine code that does not state it
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u32).range(1..=1024))]
    workgroup: Option<u32>,
    /// Name the registers that are live before every instruction
    #[arg(long)]
    live: bool,
    /// Every instruction with its clocks and registers
    #[arg(long)]
    lines: bool,
    /// Form of the results
    #[arg(long, value_name = "FORM", conflicts_with = "lines")]
    format: Option<Format>,
    /// Alias of `--format json`
    #[arg(long, hide = true, conflicts_with_all = ["format", "csv", "lines"])]
    json: bool,
    /// Alias of `--format csv`
    #[arg(long, hide = true, conflicts_with_all = ["format", "lines"])]
    csv: bool,
    #[command(flatten)]
    inputs: AssemblyInputs,
    #[command(flatten)]
    compiler: CompilerArguments,
}

/// The form of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON object per shader or kernel and target
    Json,
    /// A line of comma-separated values per instruction
    Csv,
}

const MODELS: &[(&str, &str, Model)] = &[
    ("measured", "Measurements, and vector memory that answers from L2", Model::Measured),
    ("aco", "The figures that Mesa's ACO back end assumes", Model::Aco),
];

const PROFILES: &[(&str, &str, Profile)] =
    &[("mesa22", "Mesa 22.3", Profile::Mesa22), ("mesa25", "Mesa 25.0", Profile::Mesa25)];

/// The part of the instructions that is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Sums.
    Sums,
    /// Clocks and register counts of each.
    Lines,
    /// Also the names of live registers.
    Live,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let targets = read_targets(&arguments.target)?;
    let asked = (!arguments.target.is_empty()).then_some(targets);
    let detail = match (arguments.live, arguments.lines) {
        (true, _) => Detail::Live,
        (false, true) => Detail::Lines,
        (false, false) => Detail::Sums,
    };
    let format = match arguments.format {
        Some(format) => format,
        None if arguments.json => Format::Json,
        None if arguments.csv => Format::Csv,
        None => Format::Text,
    };
    if format == Format::Csv {
        stats_data::print_csv_head(detail, output)?;
    }
    let compiler = Compiler::new(&arguments.compiler);
    each_file(&arguments.files, Heads::None, output, |path, output| {
        print(path, arguments, (asked.clone(), &compiler), (format, detail), output)
    })
}

fn print(
    path: &Path,
    arguments: &Arguments,
    (targets, compiler): (Option<Vec<Target>>, &Compiler<'_>),
    (format, detail): (Format, Detail),
    output: &mut Output,
) -> Result<Status, Stop> {
    let file = SourceFile::read_for(path, targets.as_deref().unwrap_or_default())?;
    let timing = TimingOptions {
        model: arguments.model,
        profile: arguments.profile,
        ..TimingOptions::default()
    };
    let inputs = (&arguments.inputs, arguments.workgroup);
    let (subjects, status) = subjects::of_file((path, &file), targets, compiler, inputs)?;
    let reports = compare(subjects.iter().map(|it| (&it.code, it.declared)), timing);
    for (subject, report) in subjects.iter().zip(&reports) {
        match format {
            Format::Json => stats_data::print_json(subject, report, timing, detail, output)?,
            Format::Csv => stats_data::print_csv(subject, report, detail, output)?,
            Format::Text => stats_text::print(subject, report, detail, output)?,
        }
    }
    if format == Format::Text {
        stats_text::print_comparisons(&subjects, &reports, output)?;
    }
    Ok(status)
}

/// Clocks as a whole number; sums of absurd size end at the largest.
pub(super) fn whole(clocks: f64) -> u64 {
    clocks.round() as u64
}

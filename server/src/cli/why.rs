//! `tungsten why`: the values behind a number of registers, and the operations behind a wait.

use std::path::{Path, PathBuf};

use engine::ide::{
    ExplainedMemory, ExplainedPressure, ExplainedValue, ExplainedWait, Explanation, Place, Relief,
    declaration, explained_memory, explanation, explanation_head, explanation_lines,
};
use gcn::Target;
use gcn::analysis::timing::TimingOptions;
use gcn::analysis::{Explainer, Options, Report, analyse, longest_waits, peak_of};
use gcn::instruction::Bank;
use gcn::limits::EXPLAINED_WAITS;
use serde::Serialize;
use source::TextRange;

use super::assembly::AssemblyInputs;
use super::compiler::Compiler;
use super::files::{Heads, SourceFile, each_file};
use super::format::{Format, FormatArgument};
use super::output::{Output, Style};
use super::subjects::{self, Subject};
use super::{CompilerArguments, CompilerName, Status, Stop, complain, failed, read_targets};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The files: TGSI, which is compiled first, or GCN assembly; `-` is standard input, and
    /// `FILE:LINE` asks about a line
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The line to explain; by default the peaks of registers and the longest waits
    #[arg(long, value_name = "LINE", value_parser = clap::value_parser!(u32).range(1..))]
    at: Option<u32>,
    /// The chips; by default the one that the file names
    #[arg(long, value_delimiter = ',', value_name = "TARGET")]
    target: Vec<String>,
    /// The threads of a workgroup, for machine code that does not state it
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u32).range(1..=1024))]
    workgroup: Option<u32>,
    #[command(flatten)]
    format: FormatArgument,
    #[command(flatten)]
    inputs: AssemblyInputs,
    #[command(flatten)]
    compiler: CompilerArguments,
}

/// So many waits are printed where no line is asked about.
const WAITS: usize = 4;

/// An object of `why --format json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonExplanation<'a> {
    file: &'a str,
    shader: usize,
    name: &'a str,
    target: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    compiler: Option<&'static str>,
    /// The line that was asked about.
    line: Option<u32>,
    peak: JsonPeak,
    waves: u32,
    limiter: &'static str,
    relief: Option<Relief>,
    lds: u32,
    scratch: u32,
    registers: Vec<ExplainedPressure>,
    values: Vec<ExplainedValue>,
    stalls: Vec<ExplainedWait>,
    memories: Vec<ExplainedMemory>,
}

/// The most registers that are needed at once, and the line where most vector registers are.
#[derive(Serialize)]
struct JsonPeak {
    vgprs: u16,
    agprs: u16,
    sgprs: u16,
    line: Option<u32>,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let targets = read_targets(&arguments.target)?;
    let targets = (!arguments.target.is_empty()).then_some(targets);
    let compiler = Compiler::new(&arguments.compiler);
    let named: Vec<(PathBuf, Option<u32>)> =
        arguments.files.iter().map(|it| file_line(it)).collect();
    let lines: Vec<Option<u32>> = named.iter().map(|(_, line)| line.or(arguments.at)).collect();
    if arguments.at.is_some() && named.iter().any(|(_, line)| line.is_some()) {
        return Err(failed("name the line once: as `FILE:LINE` or by `--at LINE`"));
    }
    let files: Vec<PathBuf> = named.into_iter().map(|(file, _)| file).collect();
    let mut lines = lines.into_iter();
    each_file(&files, Heads::None, output, |path, output| {
        let asked = (targets.clone(), lines.next().flatten());
        explain(path, arguments, asked, &compiler, output)
    })
}

/// Takes the line off a file's name, where such a file is not there.
fn file_line(path: &Path) -> (PathBuf, Option<u32>) {
    let found = path.to_str().and_then(|text| {
        let (file, line) = text.rsplit_once(':')?;
        Some((PathBuf::from(file), line.parse().ok().filter(|line| *line > 0)?))
    });
    match found.filter(|_| !path.exists()) {
        Some((file, line)) => (file, Some(line)),
        None => (path.to_path_buf(), None),
    }
}

fn explain(
    path: &Path,
    arguments: &Arguments,
    (targets, line): (Option<Vec<Target>>, Option<u32>),
    compiler: &Compiler<'_>,
    output: &mut Output,
) -> Result<Status, Stop> {
    let file = SourceFile::read_for(path, targets.as_deref().unwrap_or_default())?;
    let inputs = (&arguments.inputs, arguments.workgroup);
    let (subjects, mut status) = subjects::of_file((path, &file), targets, compiler, inputs)?;
    let has_line = |subject: &&Subject<'_>| line.is_none() || subject.lines.contains(&line);
    let mut explained = 0;
    for subject in subjects.iter().filter(has_line) {
        explained += 1;
        print(subject, line, arguments.format.chosen(), output)?;
    }
    if let (Some(line), 0, false) = (line, explained, subjects.is_empty()) {
        let name = &file.name;
        complain(format_args!("{name}:{line}: no instruction comes from this line alone"));
        status = status.max(Status::Bad);
    }
    Ok(status)
}

fn print(
    subject: &Subject<'_>,
    line: Option<u32>,
    format: Format,
    output: &mut Output,
) -> Result<(), Stop> {
    let options = Options { declared: subject.declared, ..Options::default() };
    let report = analyse(&subject.code, &options, &source::no_checkpoint);
    let timing = TimingOptions::default();
    let mut explainer = Explainer::new(&subject.code, &report, timing, &source::no_checkpoint);
    let own: Vec<u32> = (0..)
        .zip(&subject.lines)
        .filter(|(_, it)| line.is_some() && **it == line)
        .map(|(index, _)| index)
        .collect();
    let pressures = Bank::ALL.into_iter().filter_map(|bank| {
        let at = match line {
            Some(_) => busiest(&report, bank, &own)?,
            None => peak_of(&report, bank)?,
        };
        explainer.registers(bank, at)
    });
    let pressures: Vec<_> = pressures.collect();
    let most = if format == Format::Json { EXPLAINED_WAITS } else { WAITS };
    let waits = match line {
        Some(_) => explainer.waits(&own),
        None => explainer.waits(&longest_waits(&report, most)),
    };
    let place = |index: u32| {
        let at = index as usize;
        let text = subject.texts.get(at).cloned().unwrap_or_default();
        Place { line: subject.lines.get(at).copied().flatten(), offset: subject.offset(at), text }
    };
    let file = subject.file;
    let statement = |range: TextRange| {
        let text = file.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
        declaration(file.line(range.start()), text)
    };
    let statistics = subject.compiled.as_ref();
    let mut memories = explained_memory(&report, &subject.memory, statistics, &place, &statement);
    if line.is_some() {
        memories.iter_mut().for_each(|it| it.accesses.retain(|access| access.at.line == line));
        memories.retain(|it| {
            !it.accesses.is_empty() || it.declared.iter().any(|own| Some(own.line) == line)
        });
    }
    let found = Explanation { memories, ..explanation(&report, &pressures, &waits, &place) };
    if format == Format::Text {
        let row = report.target.row();
        output.styled(Style::Strong, &format!("{} → {}", subject.name, row.name))?;
        let of = format!("  {}; number {} of {}", row.processor, subject.number, subject.file.name);
        output.styled_line(Style::Faint, &of)?;
        output.line(&format!("  {}", explanation_head(&report, statistics)))?;
        output.line("")?;
        for (_, text) in explanation_lines(&found) {
            output.line(&text)?;
        }
        output.line("")?;
        return Ok(());
    }
    let peak = report.liveness.peak();
    let at_peak = peak_of(&report, Bank::Vector);
    output.json(&JsonExplanation {
        file: &subject.file.name,
        shader: subject.number,
        name: &subject.name,
        target: report.target.name(),
        compiler: subject.compiler.map(CompilerName::word),
        line,
        peak: JsonPeak {
            vgprs: peak.vgprs,
            agprs: peak.agprs,
            sgprs: peak.sgprs,
            line: at_peak.and_then(|at| subject.lines.get(at).copied().flatten()),
        },
        waves: report.occupancy.waves,
        limiter: report.occupancy.limiter.name(),
        relief: report.occupancy.relief,
        lds: report.usage.lds,
        scratch: subject.compiled.as_ref().map_or(subject.memory.scratch_bytes, |it| it.scratch),
        registers: found.registers,
        values: found.values,
        stalls: found.stalls,
        memories: found.memories,
    })?;
    Ok(())
}

/// The one of some instructions that needs most registers of a bank.
fn busiest(report: &Report, bank: Bank, instructions: &[u32]) -> Option<usize> {
    let pressure = |index: &usize| report.liveness.pressure(*index).of_bank(bank);
    let instructions = instructions.iter().rev().map(|index| *index as usize);
    instructions.max_by_key(pressure).filter(|index| pressure(index) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_off_a_name() {
        let of = |text: &str| file_line(Path::new(text));
        assert_eq!(of("no/such.s:12"), (PathBuf::from("no/such.s"), Some(12)));
        for whole in ["no/such.s", "no/such.s:", "no/such.s:0", "no:such.s", "Cargo.toml"] {
            assert_eq!(of(whole), (PathBuf::from(whole), None));
        }
    }
}

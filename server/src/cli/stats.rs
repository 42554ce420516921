//! `tungsten stats`: what shaders and kernels cost: registers, waves, clocks.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use engine::Language;
use engine::ide::{CompiledFigures, compiled_figures, figures};
use gcn::Target;
use gcn::analysis::timing::{Model, Profile, TimingOptions};
use gcn::analysis::{Code, Declared, InstructionCost, Report, compare};
use gcn::dialect::Statistic;
use gcn::program::{self, KernelCode, Program};
use source::{Severity, TextSize};

use super::assembly::{Assembly, AssemblyInputs, complain_of_guess, refuse_unsupported};
use super::compiler::{Compiler, Maker};
use super::files::{Heads, SourceFile, each_file};
use super::output::Output;
use super::settings::Projects;
use super::{
    CompilerArguments, CompilerName, Status, Stop, compile, complain, one_of, read_targets,
    stats_data, stats_text,
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

/// A shader or kernel on a chip.
pub(super) struct Subject<'a> {
    pub(super) file: &'a SourceFile,
    /// Its name, or its stage.
    pub(super) name: String,
    /// Its number in the file.
    pub(super) number: usize,
    pub(super) code: Code,
    pub(super) texts: Vec<String>,
    /// The line of each instruction, from 1; `None` where several share it or none owns it.
    pub(super) lines: Vec<Option<u32>>,
    /// Scratch and spills, of compiled shaders.
    pub(super) compiled: Option<gcn::compiled::Statistics>,
    pub(super) declared: Declared,
    /// The figures that a dump states of it.
    pub(super) stated: Vec<Statistic>,
    /// The compiler that made it of a shader.
    pub(super) compiler: Option<CompilerName>,
    /// The vector and the scalar registers that the words name, of ACO's code, whose driver may
    /// allocate more.
    pub(super) named: Option<[u32; 2]>,
    /// The registers that the hardware loads before it begins.
    pub(super) inputs: Option<[u32; 2]>,
}

/// Threads of a wave.
const WAVE: u32 = 64;

impl Subject<'_> {
    /// The offset of an instruction.
    pub(super) fn offset(&self, index: usize) -> u32 {
        self.code.instructions.get(index).map_or(0, |it| it.offset)
    }

    /// Bytes from the first instruction to the end of the last.
    pub(super) fn bytes(&self) -> u32 {
        let end = self.code.instructions.last().map_or(0, gcn::analysis::Instruction::end);
        end.saturating_sub(self.offset(0))
    }

    /// The place of an instruction, in words: its line, or its offset where it has none.
    pub(super) fn place(&self, index: usize) -> String {
        match self.lines.get(index).copied().flatten() {
            Some(line) => format!("line {line}"),
            None => format!("offset {:#x}", self.offset(index)),
        }
    }

    /// The costs of all instructions, by index.
    pub(super) fn instructions<'a>(
        &self,
        report: &'a Report,
    ) -> impl Iterator<Item = (usize, InstructionCost)> + use<'a> {
        let count = self.code.instructions.len();
        (0..count).filter_map(|index| Some((index, report.instruction(index)?)))
    }

    /// The figures as scripts read them.
    pub(super) fn figures(&self, report: &Report) -> CompiledFigures {
        match &self.compiled {
            Some(compiled) => compiled_figures(compiled, report),
            None => {
                let count = u32::try_from(self.code.instructions.len()).unwrap_or(u32::MAX);
                figures(count, self.bytes(), report)
            }
        }
    }
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
    let mut subjects = Vec::new();
    let status = if file.language == Language::Tgsi {
        let inputs = compile::Inputs::of(path, targets, &mut Projects::default());
        compile::each_compiled(&file, &inputs, compiler, |result| {
            subjects.extend(compiled(&file, result))
        })?
    } else {
        assembled(arguments, (path, &file), targets.as_deref(), &mut subjects)?
    };
    // Shader by shader, the chips side by side.
    subjects.sort_by_key(|subject| subject.number);
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

fn compiled<'a>(file: &'a SourceFile, result: &compile::CompiledShader<'_>) -> Option<Subject<'a>> {
    let compiled = result.code.compiled.as_ref()?;
    let (code, declared) = compiled.code(result.target);
    let sources = result.code.sources.iter();
    Some(Subject {
        file,
        name: result.stage().unwrap_or("shader").to_owned(),
        number: result.shader,
        code,
        texts: compiled.instructions.iter().map(|it| it.text.clone()).collect(),
        lines: sources.map(|range| range.map(|it| file.line(it.start()))).collect(),
        compiled: Some(compiled.statistics.clone()),
        declared,
        stated: match result.maker {
            Maker::Aco(Some(made)) => made.figures.clone(),
            Maker::Aco(None) | Maker::Llvm(_) => Vec::new(),
        },
        compiler: Some(result.maker.name()),
        named: (result.maker.name() == CompilerName::Aco).then_some(compiled.named),
        inputs: match result.maker {
            Maker::Aco(Some(made)) => made.inputs,
            Maker::Aco(None) | Maker::Llvm(_) => None,
        },
    })
}

/// The kernels of a file of machine code for every chip; for that of the file where
/// none was asked for.
fn assembled<'a>(
    arguments: &Arguments,
    (path, file): (&Path, &'a SourceFile),
    targets: Option<&[Target]>,
    subjects: &mut Vec<Subject<'a>>,
) -> Result<Status, Stop> {
    let assembly = Assembly::new(file, path, &arguments.inputs);
    let first = targets.and_then(|it| it.first().copied());
    let options = assembly.options(assembly.kind(first).as_ref());
    let asked = targets.map_or(vec![None], |it| it.iter().copied().map(Some).collect());
    let includes = |name: &str| assembly.include(name);
    let mut status = Status::Good;
    for target in asked {
        let options = program::Options { target, ..options.clone() };
        let program = program::assemble(&file.text, &options, &includes, &source::no_checkpoint);
        refuse_unsupported(file, &program)?;
        status = status.max(complain_of(file, &program));
        let before = subjects.len();
        for (number, kernel) in program.kernels.iter().enumerate() {
            let own =
                KernelCode::of(&program, kernel, program.address_counts(), &source::no_checkpoint);
            if own.code.instructions.is_empty() {
                continue;
            }
            let instruction = |index: &u32| &program.instructions[*index as usize];
            let place = |index| -> TextSize { program.range(instruction(index)).start() };
            subjects.push(Subject {
                file,
                name: if kernel.name.is_empty() {
                    "code".to_owned()
                } else {
                    kernel.name.to_string()
                },
                number,
                texts: own
                    .instructions
                    .iter()
                    .map(|it| squeeze(program.text(instruction(it))))
                    .collect(),
                lines: own.instructions.iter().map(|it| Some(file.line(place(it)))).collect(),
                code: own.code,
                stated: program
                    .disassembly_of(kernel)
                    .map_or(Vec::new(), |it| it.statistics.to_vec()),
                compiled: None,
                compiler: None,
                named: None,
                inputs: None,
                declared: Declared {
                    waves_per_group: arguments
                        .workgroup
                        .map(|threads| threads.div_ceil(WAVE))
                        .or(own.declared.waves_per_group),
                    ..own.declared
                },
            });
        }
        if subjects.len() == before {
            complain(format_args!("{}: no machine code was found", file.name));
            status = Status::Failed;
        }
    }
    Ok(status)
}

/// Says that there are errors, which keep lines out of the figures.
fn complain_of(file: &SourceFile, program: &Program) -> Status {
    let errors = program.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    let count = errors.clone().count();
    let Some(first) = errors.clone().next() else { return Status::Good };
    let line = file.line(first.range.start());
    complain(format_args!(
        "{}:{line}: {} ({count} errors on {}; such lines are not counted)",
        file.name, first.message, program.target
    ));
    complain_of_guess(program);
    Status::Bad
}

/// Clocks as a whole number; sums of absurd size end at the largest.
pub(super) fn whole(clocks: f64) -> u64 {
    clocks.round() as u64
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

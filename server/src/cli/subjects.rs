//! Shaders and kernels of files with their machine code: what commands about costs are about.

use std::path::Path;

use engine::Language;
use engine::ide::{CompiledFigures, MemoryDeclarations, compiled_figures, figures};
use gcn::Target;
use gcn::analysis::{Code, Declared, InstructionCost, Report};
use gcn::dialect::Statistic;
use gcn::program::{self, KernelCode, Program};
use source::{Severity, TextSize};

use super::assembly::{Assembly, AssemblyInputs, complain_of_guess, refuse_unsupported};
use super::compiler::{Compiler, Maker};
use super::files::SourceFile;
use super::settings::Projects;
use super::{CompilerName, Status, Stop, compile, complain};

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
    /// The statements that declare its memory.
    pub(super) memory: MemoryDeclarations,
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

/// The shaders or kernels of a file, shader by shader with the chips side by side, and what became
/// of the others. A file of TGSI is compiled, another one assembled.
pub(super) fn of_file<'a>(
    (path, file): (&Path, &'a SourceFile),
    targets: Option<Vec<Target>>,
    compiler: &Compiler<'_>,
    inputs: (&AssemblyInputs, Option<u32>),
) -> Result<(Vec<Subject<'a>>, Status), Stop> {
    let mut subjects = Vec::new();
    let status = if file.language == Language::Tgsi {
        let inputs = compile::Inputs::of(path, targets, &mut Projects::default());
        compile::each_compiled(file, &inputs, compiler, |result| {
            subjects.extend(compiled(file, result))
        })?
    } else {
        assembled(inputs, (path, file), targets.as_deref(), &mut subjects)?
    };
    subjects.sort_by_key(|subject| subject.number);
    Ok((subjects, status))
}

/// The code of a shader, where it has some.
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
        memory: MemoryDeclarations::of_shader(&file.text, result.shader),
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
    (inputs, workgroup): (&AssemblyInputs, Option<u32>),
    (path, file): (&Path, &'a SourceFile),
    targets: Option<&[Target]>,
    subjects: &mut Vec<Subject<'a>>,
) -> Result<Status, Stop> {
    let assembly = Assembly::new(file, path, inputs);
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
                memory: program.memory_fields(kernel).into(),
                compiler: None,
                named: None,
                inputs: None,
                declared: Declared {
                    waves_per_group: workgroup
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

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

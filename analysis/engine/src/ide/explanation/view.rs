//! Explanations as documents beside their source.

use editor_model::{CompiledState, Explanation, Place};
use gcn::analysis::{RegisterPressure, WaitExplanation};
use gcn::assembler::sources::SourceId;
use gcn::compiled::Statistics;
use salsa::Database;
use source::TextRange;

use super::memory::{MemoryDeclarations, declaration, explained_memory};
use super::{explanation, explanation_head, explanation_lines};
use crate::ide::compiled::{CompiledRef, compiled_code};
use crate::ide::costs::{self, CostedCode};
use crate::ide::languages::{Query, service};
use crate::ide::views::{CompiledView, Document, heading, one_line};
use crate::inputs::File;
use crate::queries::explanations::{self, Explained};
use crate::queries::{compile, programs, shaders};

/// A part of an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExplainedPart {
    /// The peaks of registers.
    Registers,
    /// The waits.
    Waits,
}

/// A code with a part of its explanation.
pub(crate) struct ExplainedCode {
    pub(in crate::ide) code: CostedCode,
    /// The name of what it is, for the head of a document.
    pub(in crate::ide) heading: String,
    /// The offset and the text of each instruction.
    pub(in crate::ide) listing: Vec<(u32, String)>,
    /// The figures of a compiler.
    pub(in crate::ide) statistics: Option<Statistics>,
    pub(in crate::ide) registers: Option<Explained<RegisterPressure>>,
    pub(in crate::ide) waits: Option<Explained<WaitExplanation>>,
    /// The statements that declare its memory, as far as they stand in the file.
    pub(in crate::ide) memory: MemoryDeclarations,
}

/// The peaks of registers of a shader or kernel as a document.
pub(crate) fn registers_view(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<CompiledView> {
    view(db, file, compiled, ExplainedPart::Registers)
}

/// The longest waits of a shader or kernel as a document.
pub(crate) fn waits_view(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<CompiledView> {
    view(db, file, compiled, ExplainedPart::Waits)
}

fn view(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
    part: ExplainedPart,
) -> Option<CompiledView> {
    let mut document = Document::default();
    let found = service(db, file).explained(Query::of(db, file), compiled, part);
    let Some(own) = found else {
        // There is no code: the reason is that of the view of machine code.
        let code = compiled_code(db, file, compiled);
        let state = code.as_ref().map_or(CompiledState::Unavailable, |code| code.state);
        let message = code.and_then(|code| code.problem).map(|problem| problem.message);
        let reason = message.as_deref().unwrap_or(match state {
            CompiledState::Pending => "compiling\u{2026}",
            _ => "there is no machine code here",
        });
        document.line(None, &format!("; {reason}"));
        return Some(document.finish(state, message));
    };
    document.line(None, &format!("; {}", own.heading));
    document
        .line(None, &format!("; {}", explanation_head(&own.code.report, own.statistics.as_ref())));
    document.line(None, "");
    let lines = shaders::line_index(db, file);
    let place = |index: u32| {
        let source = own.code.source(index);
        let (offset, text) = own.listing.get(index as usize).cloned().unwrap_or_default();
        Place { line: source.map(|range| lines.line(range.start()) + 1), offset, text }
    };
    let registers = own.registers.as_ref().map_or(&[][..], |it| &it[..]);
    let waits = own.waits.as_ref().map_or(&[][..], |it| &it[..]);
    let mut found: Explanation = explanation(&own.code.report, registers, waits, &place);
    if part == ExplainedPart::Registers {
        let text = file.text(db);
        let statement = |range: TextRange| {
            let text = text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
            declaration(lines.line(range.start()) + 1, text)
        };
        let statistics = own.statistics.as_ref();
        found.memories =
            explained_memory(&own.code.report, &own.memory, statistics, &place, &statement);
    }
    let text = explanation_lines(&found);
    if text.is_empty() {
        document.line(
            None,
            match part {
                ExplainedPart::Registers => "no register is needed",
                ExplainedPart::Waits => "nothing waits",
            },
        );
    }
    for (line, text) in text {
        document.line(line.map(|line| line - 1), &text);
    }
    Some(document.finish(own.code.state, None))
}

/// The code of a kernel of an assembly file, as far as it stands in it, with its explanation.
pub(in crate::ide) fn of_kernel(
    db: &dyn Database,
    file: File,
    number: usize,
    part: ExplainedPart,
) -> Option<ExplainedCode> {
    let kernel = costs::kernel(db, file, number)?;
    let code = costs::of_kernel(db, file, number)?;
    let (root, _) = programs::root_includer(db, file).unwrap_or((file, SourceId::ROOT));
    let program = programs::program(db, root);
    let text = |index: &u32| {
        let own = program.instructions.get(*index as usize);
        own.map_or_else(String::new, |own| one_line(program.text(own)))
    };
    let offsets = kernel.code(db);
    let offsets = offsets.code.instructions.iter().map(|it| it.offset);
    Some(ExplainedCode {
        heading: format!("{} for {}", code.name, code.report.target),
        listing: offsets.zip(kernel.instructions(db).iter().map(text)).collect(),
        statistics: None,
        registers: (part == ExplainedPart::Registers)
            .then(|| explanations::kernel_registers(db, kernel)),
        waits: (part == ExplainedPart::Waits).then(|| explanations::kernel_waits(db, kernel)),
        memory: match program.kernels.get(number).filter(|_| root == file) {
            Some(kernel) => program.memory_fields(kernel).into(),
            None => MemoryDeclarations::default(),
        },
        code,
    })
}

/// The compiled code of a shader with its explanation.
pub(in crate::ide) fn of_shader(
    db: &dyn Database,
    file: File,
    wanted: &CompiledRef,
    part: ExplainedPart,
) -> Option<ExplainedCode> {
    let code = costs::compiled(db, file, wanted)?;
    let slot = compile::slot(db, file, wanted.shader, wanted.build())?;
    let compiled = compile::compiled(db, slot)?.ok()?;
    Some(ExplainedCode {
        heading: heading(db, file, wanted),
        listing: compiled.instructions.iter().map(|it| (it.offset, it.text.clone())).collect(),
        statistics: Some(compiled.statistics.clone()),
        registers: match part {
            ExplainedPart::Registers => explanations::compiled_registers(db, slot),
            ExplainedPart::Waits => None,
        },
        waits: match part {
            ExplainedPart::Registers => None,
            ExplainedPart::Waits => explanations::compiled_waits(db, slot),
        },
        memory: MemoryDeclarations::of_shader(&file.text(db), wanted.shader),
        code,
    })
}

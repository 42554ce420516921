//! The costs of code, joined to the lines of its text: kernels of assembly, and the
//! compiled code of shaders, in one shape. Hints, lenses, hovers and the heat map all
//! read it.

mod diagnostics;
mod hover;

use std::collections::BTreeMap;

use editor_model::{ChipCosts, CodeCosts, CompiledState, LineCost, RegisterCosts};
use gcn::Target;
use gcn::analysis::Report;
use gcn::assembler::sources::SourceId;
use gcn::occupancy;
use gcn::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use source::{LineIndex, TextRange, TextSize};

use super::compiled::{CompiledRef, compiled_code};
use super::languages::{Query, service};
use crate::inputs::File;
use crate::queries::compile;
use crate::queries::costs::{self, CostReport, KernelText};
use crate::queries::programs;
use crate::queries::rules::directives;
use crate::queries::shaders;

pub(super) use diagnostics::diagnostics;
pub(super) use hover::{
    edges, in_addition, in_groups, kernel_rows, of_chips, of_place, shader_rows,
};

/// The most instructions of a file whose costs are worked out for other chips too: each
/// takes an assembly and an analysis of its own.
const MOST_COMPARED: usize = 4_000;

/// A code with its costs, and the place in the file of each instruction.
pub(crate) struct CostedCode {
    pub(super) name: String,
    pub(super) number: usize,
    pub(super) state: CompiledState,
    pub(super) report: CostReport,
    /// Per instruction the statement that it came from; none for what the compiler
    /// added, and for what stands in another file.
    pub(super) sources: Vec<Option<TextRange>>,
    /// The head above it: its label, or the shader's header.
    pub(super) head: TextRange,
}

/// The sums of a code on a chip.
pub(super) fn sums(report: &Report) -> ChipCosts {
    let (usage, occupancy) = (&report.usage, &report.occupancy);
    let totals = &report.timing.totals;
    let peak = report.liveness.peak();
    let [vgprs, agprs] = occupancy.allocated_by_kind(usage, report.target);
    // Sums of absurd size end at the largest number.
    let whole = |clocks: f64| clocks.round() as u64;
    ChipCosts {
        target: report.target.name(),
        waves: occupancy.waves,
        whole_groups: occupancy.whole_groups(usage),
        limiter: occupancy.limiter.name(),
        vgprs: RegisterCosts {
            used: usage.vgprs,
            allocated: vgprs,
            peak: peak.vgprs.into(),
            spare: occupancy.spare_vgprs,
        },
        agprs: (usage.agprs > 0).then(|| RegisterCosts {
            used: usage.agprs,
            allocated: agprs,
            peak: peak.agprs.into(),
            spare: occupancy.spare_agprs,
        }),
        total_vgprs: usage.total_vgprs(report.target).map(|used| RegisterCosts {
            used,
            allocated: occupancy.allocated_vgprs,
            peak: report.liveness.peak_of_vectors(),
            spare: occupancy.spare_total_vgprs(usage, report.target),
        }),
        sgprs: RegisterCosts {
            used: usage.sgprs,
            allocated: occupancy.allocated_sgprs,
            peak: peak.sgprs.into(),
            spare: occupancy.spare_sgprs,
        },
        relief: occupancy.relief,
        ladder: occupancy::ladder(report.target).collect(),
        clocks: whole(totals.latency),
        best: whole(report.timing.paths.best),
        worst: whole(report.timing.paths.worst),
        inverse_throughput: whole(totals.inverse_throughput),
        bound: totals.bound.name(),
    }
}

impl CostedCode {
    /// The lines that became instructions, in order.
    pub(super) fn lines(&self, index: &LineIndex) -> Vec<LineCost> {
        self.lines_within(index, self.range())
    }

    /// The lines that a range touches.
    pub(super) fn lines_within(&self, index: &LineIndex, range: TextRange) -> Vec<LineCost> {
        let line_at = |offset| index.line_range(index.line(offset)).unwrap_or(range);
        let range = line_at(range.start()).cover(line_at(range.end()));
        let peak = self.report.liveness.peak().vgprs;
        let line = |range: TextRange| index.line(range.start());
        let mut lines: BTreeMap<u32, (LineCost, u32)> = BTreeMap::new();
        for (instruction, source) in self.sources.iter().enumerate() {
            let Some(source) = source.filter(|it| range.contains_inclusive(it.start())) else {
                continue;
            };
            let Some(cost) = self.report.instruction(instruction) else { continue };
            let (own, longest) = lines.entry(line(source)).or_insert_with(|| {
                (LineCost { line: line(source), range: source, ..LineCost::default() }, 0)
            });
            own.range = own.range.cover(source);
            own.instructions = own.instructions.saturating_add(1);
            own.issue = own.issue.saturating_add(cost.time.issue);
            own.stall = own.stall.saturating_add(cost.time.stall);
            own.vgprs = own.vgprs.max(cost.live.vgprs);
            own.agprs = own.agprs.max(cost.live.agprs);
            own.sgprs = own.sgprs.max(cost.live.sgprs);
            own.peak |= peak > 0 && cost.live.vgprs == peak;
            if let Some(cause) = cost.time.cause.filter(|_| cost.time.stall > *longest) {
                *longest = cost.time.stall;
                own.cause = self.source(cause.producer).map(line);
            }
        }
        lines.into_values().map(|(cost, _)| cost).collect()
    }

    /// The statement that an instruction came from.
    pub(super) fn source(&self, instruction: u32) -> Option<TextRange> {
        self.sources.get(instruction as usize).copied().flatten()
    }

    /// All lines that have code.
    pub(super) fn range(&self) -> TextRange {
        self.sources.iter().flatten().fold(self.head, |all, own| all.cover(*own))
    }
}

/// The shaders that a range touches, as they are compiled for their main targets.
pub(super) fn of_shaders(db: &dyn Database, file: File, within: TextRange) -> Vec<CostedCode> {
    let regions = shaders::regions(db, file);
    let touched = regions.shaders.iter().enumerate();
    let touched = touched.filter(|(_, region)| region.range().intersect(within).is_some());
    touched
        .filter_map(|(shader, _)| {
            let build = directives::main_build(db, file, shader)?;
            compiled(db, file, &CompiledRef::new(shader, build))
        })
        .collect()
}

/// A shader's compiled code with its costs.
pub(super) fn compiled(db: &dyn Database, file: File, wanted: &CompiledRef) -> Option<CostedCode> {
    let slot = compile::slot(db, file, wanted.shader, wanted.build())?;
    let report = costs::compiled_report(db, slot)?;
    let code = compiled_code(db, file, wanted)?;
    let shader = *shaders::shaders(db, file).get(wanted.shader)?;
    let stage = shaders::parse(db, shader).shader.as_ref().map(|shader| shader.stage)?;
    let head = shaders::map(db, file, wanted.shader)?.to_file(stage.range);
    Some(CostedCode {
        name: stage.value.word().to_owned(),
        number: wanted.shader,
        state: code.state,
        report,
        sources: code.sources,
        head,
    })
}

/// The kernels of the program that a file belongs to, as far as they stand in it.
pub(super) fn of_kernels(db: &dyn Database, file: File) -> Vec<CostedCode> {
    let (root, source) = programs::root_includer(db, file).unwrap_or((file, SourceId::ROOT));
    let program = programs::program(db, root);
    let kernels = costs::kernels(db, root).iter().copied();
    let heads = Heads::of(&program, source);
    kernels.filter_map(|kernel| kernel_in(db, kernel, &heads)).collect()
}

/// One of them, by its number.
pub(super) fn of_kernel(db: &dyn Database, file: File, number: usize) -> Option<CostedCode> {
    let (root, source) = programs::root_includer(db, file).unwrap_or((file, SourceId::ROOT));
    let program = programs::program(db, root);
    kernel_in(db, kernel(db, file, number)?, &Heads::of(&program, source))
}

/// The same by number, with the place of each head: what is known without its costs.
pub(super) fn kernel_heads(db: &dyn Database, file: File) -> Vec<(usize, TextRange)> {
    let (root, source) = programs::root_includer(db, file).unwrap_or((file, SourceId::ROOT));
    let program = programs::program(db, root);
    let heads = Heads::of(&program, source);
    let head = |kernel: &KernelText<'_>| {
        let instructions = kernel.instructions(db);
        let first = instructions
            .iter()
            .find_map(|it| place_of(&program, program.instructions.get(*it as usize)?, source));
        Some((kernel.number(db), heads.of_kernel(&kernel.name(db), first?)))
    };
    costs::kernels(db, root).iter().filter_map(head).collect()
}

/// A kernel of the program that a file belongs to.
pub(super) fn kernel(db: &dyn Database, file: File, number: usize) -> Option<KernelText<'_>> {
    let (root, _) = programs::root_includer(db, file).unwrap_or((file, SourceId::ROOT));
    let kernels = costs::kernels(db, root);
    let place = kernels.binary_search_by_key(&number, |kernel| kernel.number(db)).ok()?;
    kernels.get(place).copied()
}

/// The figures that a dump states of a kernel, in a line.
pub(super) fn stated(db: &dyn Database, file: File, number: usize) -> Option<String> {
    let (root, _) = programs::root_includer(db, file).unwrap_or((file, SourceId::ROOT));
    let program = programs::program(db, root);
    let stated = program.disassembly_of(program.kernels.get(number)?)?.summary();
    (!stated.is_empty()).then_some(stated)
}

fn kernel_in<'db>(
    db: &'db dyn Database,
    kernel: KernelText<'db>,
    heads: &Heads<'_>,
) -> Option<CostedCode> {
    let (program, source) = (heads.program, heads.source);
    let instructions = kernel.instructions(db);
    let instructions = instructions.iter().map(|it| program.instructions.get(*it as usize));
    let place = |instruction| place_of(program, instruction, source);
    let sources: Vec<Option<TextRange>> = instructions.map(|it| it.and_then(place)).collect();
    let first = sources.iter().flatten().next().copied()?;
    let name = kernel.name(db);
    Some(CostedCode {
        head: heads.of_kernel(&name, first),
        name: if name.is_empty() { "code".to_owned() } else { name.into() },
        number: kernel.number(db),
        state: CompiledState::Fresh,
        report: costs::kernel_report(db, kernel),
        sources,
    })
}

/// The heads of the kernels of a program in one of its files.
struct Heads<'a> {
    program: &'a Program,
    source: SourceId,
    /// The statement that defines the label of each kernel first.
    labels: FxHashMap<&'a str, u32>,
}

impl<'a> Heads<'a> {
    fn of(program: &'a Program, source: SourceId) -> Heads<'a> {
        let names: FxHashSet<&str> = program.kernels.iter().map(|kernel| &*kernel.name).collect();
        let mut labels = FxHashMap::default();
        for label in program.labels.iter().filter(|it| names.contains(&*it.name)) {
            labels.entry(&*label.name).or_insert(label.statement);
        }
        Heads { program, source, labels }
    }

    /// The label of a kernel, or its first instruction.
    fn of_kernel(&self, name: &str, first: TextRange) -> TextRange {
        let label = self.labels.get(name).map(|statement| *statement as usize);
        let label = label.and_then(|it| self.program.expansion.statements.get(it));
        let label = label.map(|it| it.span).filter(|span| span.source == self.source);
        label.map_or(first, |span| span.range)
    }
}

/// The place at which an instruction is shown in a file of a program.
fn place_of(
    program: &Program,
    instruction: &gcn::program::Instruction,
    source: SourceId,
) -> Option<TextRange> {
    if source == SourceId::ROOT {
        return Some(program.range(instruction));
    }
    let place = program.expansion.in_file(program.statement(instruction).span);
    (place.source == source).then_some(place.range)
}

/// The costs of the shaders or kernels of a file, line by line and chip by chip.
pub(crate) fn code_costs(db: &dyn Database, file: File) -> Vec<CodeCosts> {
    let index = shaders::line_index(db, file);
    let whole = TextRange::up_to(TextSize::of(&*file.text(db)));
    let costed_code = service(db, file).costed_code(Query::of(db, file), whole);
    let costs = costed_code.iter().map(|code| CodeCosts {
        name: code.name.clone(),
        number: code.number,
        range: code.range(),
        first_line: index.line(code.range().start()),
        last_line: index.line(code.range().end()),
        state: code.state,
        chips: on_chips(db, file, code),
        lines: code.lines(&index),
    });
    costs.collect()
}

/// The sums of a code on its own chip, then on the others of the settings.
fn on_chips(db: &dyn Database, file: File, code: &CostedCode) -> Vec<ChipCosts> {
    let others = service(db, file).other_reports(Query::of(db, file), code);
    std::iter::once(&code.report).chain(&others).map(|report| sums(report)).collect()
}

/// The costs of a shader's code on the other chips that it is compiled for.
pub(super) fn other_reports_of_shader(q: Query<'_>, code: &CostedCode) -> Vec<CostReport> {
    let Query { db, file, .. } = q;
    let targets = directives::targets(db, file, code.number);
    let others = targets.iter().filter(|target| **target != code.report.target);
    let slot = |target: &Target| compile::slot(db, file, code.number, *target);
    others.filter_map(|it| costs::compiled_report(db, slot(it)?)).collect()
}

/// The costs of a kernel on the other chips of the settings, as far as it is code there.
pub(super) fn other_reports_of_kernel(q: Query<'_>, code: &CostedCode) -> Vec<CostReport> {
    let Query { db, file, .. } = q;
    let (root, _) = programs::root_includer(db, file).unwrap_or((file, SourceId::ROOT));
    if programs::program(db, root).instructions.len() > MOST_COMPARED {
        return Vec::new();
    }
    let targets = file.settings(db).targets(db).iter();
    let others = targets.copied().filter(|target| *target != code.report.target);
    others.filter_map(|it| costs::kernel_report_on(db, root, it, code.number)).collect()
}

#[cfg(test)]
mod tests;

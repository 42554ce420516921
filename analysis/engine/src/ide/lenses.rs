//! A line of figures above each shader, one lens per target, and above each kernel.

use gcn::occupancy::Limiter;
use salsa::Database;
use source::TextRange;

use crate::ide::compiled::{CompiledRef, Problem, ProblemKind, compiled_code};
use crate::ide::costs;
use crate::inputs::File;
use crate::queries::rules::directives;
use crate::queries::shaders;
use editor_model::{ChipCosts, CompiledState};

/// A line of figures above a shader or kernel: where it stands, and of what it is. The
/// figures themselves are asked for by [`lens_title`], since they take far longer to have
/// and most lenses of a long file are never looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeLens {
    /// The thing that it stands above: the shader's header, the kernel's label.
    pub range: TextRange,
    /// The shader or kernel whose figures it shows.
    pub measured: Measured,
}

/// A shader or kernel whose figures a lens shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measured {
    /// Compiled code of a shader, which the lens opens.
    Shader(CompiledRef),
    /// A kernel, by its number in the program. Its code is in sight.
    Kernel(usize),
}

/// The lenses of the kernels of an assembly file.
pub(super) fn of_kernels(db: &dyn Database, file: File) -> Vec<CodeLens> {
    let heads = costs::kernel_heads(db, file).into_iter();
    let lens = |(number, range)| CodeLens { range, measured: Measured::Kernel(number) };
    heads.map(lens).collect()
}

/// The lenses of the shaders of a file.
pub(super) fn of_shaders(db: &dyn Database, file: File) -> Vec<CodeLens> {
    let regions = shaders::regions(db, file);
    let mut lenses = Vec::new();
    for (index, (shader, region)) in
        shaders::shaders(db, file).iter().zip(&regions.shaders).enumerate()
    {
        let parse = shaders::parse(db, *shader);
        let Some(ast) = &parse.shader else { continue };
        let range = region.map().to_file(ast.stage.range);
        lenses.extend(directives::builds(db, file, index).iter().map(|build| {
            let compiled = CompiledRef::new(index, *build);
            CodeLens { range, measured: Measured::Shader(compiled) }
        }));
    }
    lenses
}

/// The text of a lens, as in
/// `polaris10: 24 VGPRs, 32 SGPRs, 10 waves, 312 bytes, 840 clocks`; `None` where the file
/// has no such shader or kernel.
pub(crate) fn lens_title(db: &dyn Database, file: File, measured: &Measured) -> Option<String> {
    match measured {
        Measured::Shader(compiled) => shader_title(db, file, compiled),
        Measured::Kernel(number) => kernel_title(db, file, *number),
    }
}

fn kernel_title(db: &dyn Database, file: File, number: usize) -> Option<String> {
    let kernel = costs::kernel(db, file, number)?;
    let report = crate::queries::costs::kernel_report(db, kernel);
    let sums = costs::sums(&report);
    let part = if kernel.is_error_free(db) { "" } else { " (without the lines that have errors)" };
    let (vgprs, sgprs, edges) = (sums.vgprs.used, sums.sgprs.used, costs::edges(&sums));
    let agprs = costs::in_addition(&sums);
    let whole = costs::in_groups(&sums);
    let ChipCosts { target, waves, clocks, .. } = sums;
    let depends = matches!(report.occupancy.limiter, Limiter::Lds | Limiter::Groups);
    let assumed = match (kernel.code(db).declared.waves_per_group, report.usage.waves_per_group) {
        (None, 1) if depends => ", if a workgroup has one".to_owned(),
        (None, waves) if depends => format!(", if a workgroup has {waves}"),
        _ => String::new(),
    };
    let stated = match costs::stated(db, file, number) {
        Some(figures) => format!("; the dump states {figures}"),
        None => String::new(),
    };
    Some(format!(
        "{target}: {vgprs} VGPRs{agprs}, {sgprs} SGPRs, {waves} waves{whole}{assumed}, {clocks} clocks; \
         {edges}{part}{stated}"
    ))
}

fn shader_title(db: &dyn Database, file: File, opens: &CompiledRef) -> Option<String> {
    let code = compiled_code(db, file, opens)?;
    let name = opens.build().name();
    let Some(compiled) = &code.compiled else {
        return Some(match code.problem {
            // The errors say it in their own places.
            Some(Problem { kind: ProblemKind::Invalid, .. }) => {
                format!("{name}: not compiled, as the shader has errors")
            }
            Some(problem) => format!("{name}: {}", problem.message),
            None => format!("{name}: compiling\u{2026}"),
        });
    };
    let statistics = &compiled.statistics;
    let age = match code.state {
        CompiledState::Stale => " (compiling\u{2026})",
        CompiledState::Outdated => " (out of date)",
        _ => "",
    };
    let clocks = costs::compiled(db, file, opens)
        .map(|code| format!(", {} clocks", costs::sums(&code.report).clocks));
    Some(format!(
        "{name}: {} VGPRs, {} SGPRs, {} waves, {} bytes{}{age}",
        statistics.vgprs,
        statistics.sgprs,
        statistics.waves,
        statistics.bytes,
        clocks.unwrap_or_default()
    ))
}

//! A line of figures above each shader, one lens per target, and above each kernel.

use salsa::Database;
use text::TextRange;

use crate::database::{File, Language, targets};
use crate::ide::compiled::{CompiledRef, CompiledState, compiled_code};
use crate::ide::costs;
use crate::shaders;

/// A line of figures above a shader, with what it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLens {
    /// What it stands above: the shader's header, the kernel's label.
    pub range: TextRange,
    /// `polaris10: 24 VGPRs, 32 SGPRs, 10 waves, 312 bytes, 840 clocks`
    pub title: String,
    /// The compiled code that it opens; nothing above a kernel, whose code is in sight.
    pub opens: Option<CompiledRef>,
}

pub(crate) fn code_lenses(db: &dyn Database, file: File) -> Vec<CodeLens> {
    if file.language(db) != Language::Tgsi {
        return kernel_lenses(db, file);
    }
    let targets = targets(db, file);
    let regions = shaders::regions(db, file);
    let mut lenses = Vec::new();
    for (index, (shader, region)) in
        shaders::shaders(db, file).iter().zip(&regions.shaders).enumerate()
    {
        let parse = shaders::parse(db, *shader);
        let Some(ast) = &parse.shader else { continue };
        for target in &targets {
            let opens = CompiledRef { shader: index, target: *target };
            if let Some(title) = title(db, file, &opens) {
                let range = region.map().to_file(ast.stage.range);
                lenses.push(CodeLens { range, title, opens: Some(opens) });
            }
        }
    }
    lenses
}

fn kernel_lenses(db: &dyn Database, file: File) -> Vec<CodeLens> {
    let kernels = costs::priced(db, file).into_iter().map(|kernel| {
        let figures = costs::Figures::of(&kernel.report);
        let costs::Figures { vgprs, sgprs, waves, clocks, .. } = figures;
        let part = if kernel.is_whole { "" } else { " (without the lines that have errors)" };
        let title = format!(
            "{}: {vgprs} VGPRs, {sgprs} SGPRs, {waves} waves, {clocks} clocks; {}{part}",
            figures.target.name(),
            costs::edges(&figures)
        );
        CodeLens { range: kernel.head, title, opens: None }
    });
    kernels.collect()
}

fn title(db: &dyn Database, file: File, opens: &CompiledRef) -> Option<String> {
    let code = compiled_code(db, file, opens)?;
    let name = opens.target.name();
    let Some(compiled) = &code.compiled else {
        return Some(match code.problem {
            Some(problem) => format!("{name}: {}", problem.message),
            None => format!("{name}: compiling\u{2026}"),
        });
    };
    let statistics = &compiled.statistics;
    let age = match code.state {
        CompiledState::Stale => " (compiling\u{2026})",
        CompiledState::Outdated => " (of an earlier text)",
        _ => "",
    };
    let clocks = costs::compiled(db, file, opens).map(|code| {
        let figures = costs::Figures::of(&code.report);
        format!(", {} clocks", figures.clocks)
    });
    Some(format!(
        "{name}: {} VGPRs, {} SGPRs, {} waves, {} bytes{}{age}",
        statistics.vgprs,
        statistics.sgprs,
        statistics.waves,
        statistics.bytes,
        clocks.unwrap_or_default()
    ))
}

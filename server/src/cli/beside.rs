//! Figures of one shader by several compilers, side by side.

use std::io;

use engine::ide::{CompiledFigures, compiled_figures};

use super::CompilerName;
use super::compile::CompiledShader;
use super::output::{Output, Style};

/// The figures of a shader by one compiler.
pub(super) struct Figures {
    compiler: CompilerName,
    figures: CompiledFigures,
}

impl Figures {
    /// The figures of code; `None` where there is none.
    pub(super) fn of(result: &CompiledShader<'_>) -> Option<Figures> {
        let compiled = result.code.compiled.as_ref()?;
        let (code, declared) = compiled.code(result.target);
        let options = gcn::analysis::Options { declared, ..Default::default() };
        let report = gcn::analysis::analyse(&code, &options, &source::no_checkpoint);
        let figures = compiled_figures(&compiled.statistics, &report);
        Some(Figures { compiler: result.maker.name(), figures })
    }
}

/// Prints a row for each compiler and one with the difference, where there are several.
pub(super) fn print(all: &[Figures], output: &mut Output) -> io::Result<()> {
    let [first, .., last] = all else { return Ok(()) };
    let head = "  compiler  instructions  bytes  VGPR  SGPR  waves  clocks  per wave";
    output.styled_line(Style::Faint, head)?;
    for own in all {
        let cells = cells(&own.figures).map(|it| it.to_string());
        output.line(&row(own.compiler.word(), &cells))?;
    }
    let pairs = cells(&last.figures).into_iter().zip(cells(&first.figures));
    let differences: Vec<String> = pairs.map(|(one, other)| format!("{:+}", one - other)).collect();
    output.styled_line(Style::Strong, &row("", &differences))?;
    output.line("")
}

fn cells(figures: &CompiledFigures) -> [i64; 7] {
    let own = &figures.statistics;
    let whole = |clocks: u64| i64::try_from(clocks).unwrap_or(i64::MAX);
    [
        own.instructions.into(),
        own.bytes.into(),
        own.vgprs.into(),
        own.sgprs.into(),
        own.waves.into(),
        whole(figures.clocks),
        whole(figures.inverse_throughput),
    ]
}

fn row(name: &str, cells: &[String]) -> String {
    let widths = [12, 6, 5, 5, 6, 7, 9];
    let cells = cells.iter().zip(widths).map(|(cell, width)| format!(" {cell:>width$}"));
    format!("  {name:<8} {}", cells.collect::<String>())
}

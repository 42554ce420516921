//! A compile result that is kept, so that later ones can be compared with it: by the user
//! in an editor, or as a file that the command line wrote.

use std::sync::Arc;

use editor_model::CompiledFigures;
use gcn::analysis::Report;
use gcn::compiled::Statistics;
use salsa::Database;
use tgsi::ast::Statement;

use super::compiled::{CompiledRef, compiled_code, instructions, shader_of};
use super::views::one_line;
use crate::inputs::{Baseline, File, KeptInstruction, KeptStatement};
use crate::queries::{alignment, compile, costs, shaders};

/// The sums of code, as the analysis of its costs says.
pub fn figures(instructions: u32, bytes: u32, report: &Report) -> CompiledFigures {
    let totals = &report.timing.totals;
    CompiledFigures {
        statistics: Statistics {
            instructions,
            bytes,
            vgprs: report.usage.vgprs,
            agprs: report.usage.agprs,
            total_vgprs: report.usage.total_vgprs(report.target).unwrap_or(0),
            sgprs: report.usage.sgprs,
            lds: report.usage.lds,
            scratch: 0,
            spilled_vgprs: 0,
            spilled_sgprs: 0,
            waves: report.occupancy.waves,
            limiter: report.occupancy.limiter.name().to_owned(),
        },
        // Sums of absurd size end at the largest number.
        clocks: totals.latency.round() as u64,
        inverse_throughput: totals.inverse_throughput.round() as u64,
    }
}

/// The sums of a compiled shader, with what its statistics say of scratch and spills.
pub fn compiled_figures(statistics: &Statistics, report: &Report) -> CompiledFigures {
    let mut figures = figures(statistics.instructions, statistics.bytes, report);
    // Of memory that bounds no waves the report knows nothing.
    figures.statistics.lds = statistics.lds;
    figures.statistics.scratch = statistics.scratch;
    figures.statistics.spilled_vgprs = statistics.spilled_vgprs;
    figures.statistics.spilled_sgprs = statistics.spilled_sgprs;
    figures
}

impl KeptStatement {
    /// A statement by its words.
    pub fn new(text: &str) -> KeptStatement {
        let text = one_line(without_number(text));
        let fingerprint = alignment::fingerprint(&text);
        KeptStatement { text, fingerprint }
    }
}

/// A statement without the number that may stand before it.
fn without_number(statement: &str) -> &str {
    let statement = statement.trim_start();
    match statement.split_once(':') {
        Some((number, rest)) if number.trim_end().bytes().all(|it| it.is_ascii_digit()) => {
            rest.trim_start()
        }
        _ => statement,
    }
}

/// The code that is shown of a shader now, to be kept; `None` where there is none.
///
/// Statements are those of the current text: code of an earlier one keeps what of it is
/// still there.
pub(crate) fn baseline(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<Arc<Baseline>> {
    let slot = compile::slot(db, file, compiled.shader, compiled.build())?;
    let report = costs::compiled_report(db, slot)?;
    let code = compiled_code(db, file, compiled)?;
    let listing = code.compiled.as_ref()?;
    let current = current(db, file, compiled)?;
    let instructions = listing.instructions.iter().zip(&code.sources);
    let instructions = instructions.map(|(instruction, source)| KeptInstruction {
        offset: instruction.offset,
        text: instruction.text.clone(),
        statement: source.and_then(|it| current.place(it)),
    });
    Some(Arc::new(Baseline {
        instructions: instructions.collect(),
        figures: compiled_figures(&listing.statistics, &report),
        statements: current.statements,
    }))
}

/// The result that the user pinned for a shader and target.
pub(crate) fn pinned(
    db: &dyn Database,
    file: File,
    compiled: &CompiledRef,
) -> Option<Arc<Baseline>> {
    compile::slot(db, file, compiled.shader, compiled.build())?.baseline(db)
}

/// The statements of the current text, with their places in the file.
pub(super) struct Current {
    pub(super) statements: Vec<KeptStatement>,
    pub(super) ranges: Vec<source::TextRange>,
}

impl Current {
    /// The statement at a range of the file.
    pub(super) fn place(&self, range: source::TextRange) -> Option<usize> {
        self.ranges.binary_search_by_key(&range.start(), |it| it.start()).ok()
    }
}

pub(super) fn current(db: &dyn Database, file: File, compiled: &CompiledRef) -> Option<Current> {
    let (shader, map) = shader_of(db, file, compiled)?;
    let text = shader.text(db);
    let parse = shaders::parse(db, shader);
    let instructions = parse.shader.iter().flat_map(instructions);
    let kept = |it: &Statement| (KeptStatement::new(&text[it.range]), map.to_file(it.range));
    let (statements, ranges) = instructions.map(kept).unzip();
    Some(Current { statements, ranges })
}

#[cfg(test)]
mod tests {
    use super::KeptStatement;

    #[test]
    fn a_statement_is_the_same_whatever_its_number_and_spaces() {
        let plain = KeptStatement::new("MUL TEMP[0].x, IN[0], IMM[1]");
        assert_eq!(plain.text, "MUL TEMP[0].x, IN[0], IMM[1]");
        for same in ["  12: MUL TEMP[0].x, IN[0], IMM[1]", "3:mul  temp[0].x,\tIN[0],IMM[1]"] {
            assert_eq!(KeptStatement::new(same).fingerprint, plain.fingerprint, "{same}");
        }
        let other = KeptStatement::new("MUL TEMP[0].y, IN[0], IMM[1]");
        assert_ne!(other.fingerprint, plain.fingerprint);
    }
}

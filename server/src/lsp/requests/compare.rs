//! `tungsten/compare`: a shader's code for several targets, or what was pinned and what is
//! now, statement by statement.

use engine::ide;

use super::compiled_code::beside;
use super::{DocumentRequest, Stop};
use crate::lsp::compiled_documents::{signature, state};
use crate::lsp::extensions::{
    Change, CompareParams, CompareWith, ComparedColumn, ComparedInstruction, ComparedRow,
    ComparedStatement, Comparison, CompiledFigures, View,
};
use crate::lsp::mailbox::Event;
use crate::lsp::workers::Context;

impl DocumentRequest for CompareParams {
    type Answer = Option<Comparison>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (snapshot, file) = (&context.snapshot, context.file);
        let view = match self.with {
            CompareWith::Targets => View::Targets,
            CompareWith::Baseline => View::Baseline,
        };
        let mut key = self.selection.key(context, view)?;
        let found = match self.with {
            CompareWith::Targets => {
                key.beside = beside(context, key.shader, key.target, self.beside.as_deref())?;
                snapshot.compare_targets(file, key.shader, &key.targets())?
            }
            CompareWith::Baseline => snapshot.compare_baseline(file, &key.compiled())?,
        };
        // Whoever asks wants to know of changes, as one who looks at the document.
        let looks = found.as_ref().map(|it| signature(&it.document(ide::ComparisonPart::All)));
        context.mailbox.post(Event::ViewShown(key.clone(), looks));
        Ok(found.map(|found| Comparison {
            uri: key.uri(),
            shader: key.shader,
            columns: found.columns.into_iter().map(column).collect(),
            statements: found.statements.into_iter().map(statement).collect(),
        }))
    }
}

fn column(column: ide::ComparedColumn) -> ComparedColumn {
    ComparedColumn {
        label: column.label,
        target: column.target.name().to_owned(),
        state: state(column.state),
        message: column.message,
        figures: column.figures.as_ref().map(figures),
    }
}

/// The sums of compiled code in the protocol's words.
pub(super) fn figures(figures: &ide::CompiledFigures) -> CompiledFigures {
    CompiledFigures {
        instructions: figures.instructions,
        bytes: figures.bytes,
        vgprs: figures.vgprs,
        sgprs: figures.sgprs,
        lds: figures.lds,
        scratch: figures.scratch,
        spilled_vgprs: figures.spilled_vgprs,
        spilled_sgprs: figures.spilled_sgprs,
        waves: figures.waves,
        limiter: figures.limiter.clone(),
        clocks: figures.clocks,
        inverse_throughput: figures.inverse_throughput,
    }
}

fn statement(statement: ide::ComparedStatement) -> ComparedStatement {
    ComparedStatement {
        line: statement.line,
        text: statement.text,
        before: statement.before,
        rows: statement.rows.into_iter().map(row).collect(),
    }
}

fn row(row: ide::ComparedRow) -> ComparedRow {
    let cell = |cell: ide::ComparedInstruction| ComparedInstruction {
        offset: cell.offset,
        text: cell.text,
    };
    ComparedRow {
        change: match row.change {
            ide::Change::Same => Change::Same,
            ide::Change::Renamed => Change::Renamed,
            ide::Change::Changed => Change::Changed,
            ide::Change::Removed => Change::Removed,
            ide::Change::Added => Change::Added,
        },
        cells: row.cells.into_iter().map(|it| it.map(cell)).collect(),
    }
}

//! `textDocument/foldingRange`: shaders, blocks and runs of declarations.

use engine::ide::FoldKind;
use tower_lsp::ls_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};

use super::{DocumentRequest, Stop};
use crate::lsp::workers::Context;

impl DocumentRequest for FoldingRangeParams {
    type Answer = Option<Vec<FoldingRange>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let folds = context.snapshot.folds(context.file)?.into_iter();
        let folds = folds.map(|fold| {
            let range = lines.range(fold.range);
            FoldingRange {
                start_line: range.start.line,
                end_line: range.end.line,
                kind: (fold.kind == FoldKind::Shader).then_some(FoldingRangeKind::Region),
                ..FoldingRange::default()
            }
        });
        let folds = folds.filter(|fold| fold.start_line < fold.end_line);
        Ok(Some(context.listed("folds", folds)))
    }
}

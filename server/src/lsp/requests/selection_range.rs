//! `textDocument/selectionRange`: word, operand, statement, block, shader, file.

use tower_lsp::ls_types::{Position, Range, SelectionRange, SelectionRangeParams};

use super::{DocumentRequest, Stop};
use crate::lsp::from_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for SelectionRangeParams {
    type Answer = Option<Vec<SelectionRange>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let mut answer = Vec::new();
        for position in &self.positions {
            let offset = from_protocol::offset(&lines, *position);
            let parts = context.snapshot.selections(context.file, offset)?;
            let ranges = parts.into_iter().map(|part| lines.range(part));
            answer.push(chain(ranges.collect(), *position));
        }
        Ok(Some(answer))
    }
}

/// The ranges as a chain, the smallest first. There must be one for each
/// position: an empty range where nothing is known.
fn chain(ranges: Vec<Range>, position: Position) -> SelectionRange {
    let outermost_first = ranges.into_iter().rev();
    let chained = outermost_first
        .fold(None, |parent, range| Some(SelectionRange { range, parent: parent.map(Box::new) }));
    chained.unwrap_or(SelectionRange { range: Range::new(position, position), parent: None })
}

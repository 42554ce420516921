//! `textDocument/selectionRange`: word, operand, statement, block, shader, file.

use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::{Position, Range, SelectionRange, SelectionRangeParams};

use super::{DocumentRequest, Stop};
use crate::limits::{ANSWER_ENTRIES, SELECTION_DEPTH};
use crate::lsp::from_protocol;
use crate::lsp::workers::Context;

impl DocumentRequest for SelectionRangeParams {
    type Answer = Option<Vec<SelectionRange>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        if self.positions.len() > ANSWER_ENTRIES {
            let message = format!("more than {ANSWER_ENTRIES} positions are asked about");
            return Err(Stop::Refused(Error::invalid_params(message)));
        }
        let lines = context.lines()?;
        let depth = ANSWER_ENTRIES / self.positions.len().max(1);
        let depth = depth.clamp(1, SELECTION_DEPTH);
        let mut answer = Vec::new();
        for position in &self.positions {
            let offset = from_protocol::offset(&lines, *position);
            let mut parts = context.snapshot.selections(context.file, offset)?;
            // Whoever writes or reads a chain goes down it: the innermost count, and the file.
            if parts.len() > depth {
                parts.drain(depth - 1..parts.len() - 1);
            }
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

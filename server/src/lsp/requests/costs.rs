//! `tungsten/costs`: what lines cost, for maps of heat and sums in a status line.

use engine::ide::CodeCosts;

use super::{DocumentRequest, Stop};
use crate::limits::ANSWER_COSTS;
use crate::lsp::extensions::{Costs, CostsParams};
use crate::lsp::mailbox::Event;
use crate::lsp::workers::Context;

impl DocumentRequest for CostsParams {
    type Answer = Option<Costs>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        // Whoever asks wants to know of changes, also where there is nothing yet.
        context.mailbox.post(Event::CostsAsked(context.uri.clone()));
        let mut codes = context.snapshot.code_costs(context.file)?;
        if cut(&mut codes, ANSWER_COSTS) {
            context.tell_cut(ANSWER_COSTS, "lines with costs");
        }
        Ok(Some(Costs { codes }))
    }
}

/// Leaves so many lines of all codes together; tells whether there are more. Sums stay.
fn cut(codes: &mut [CodeCosts], most: usize) -> bool {
    let mut left = most;
    let mut is_cut = false;
    for code in codes {
        is_cut |= code.lines.len() > left;
        code.lines.truncate(left);
        left -= code.lines.len();
    }
    is_cut
}

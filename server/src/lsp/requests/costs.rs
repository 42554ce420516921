//! `tungsten/costs`: what lines cost, for maps of heat and sums in a status line.

use super::{DocumentRequest, Stop};
use crate::lsp::extensions::{Costs, CostsParams};
use crate::lsp::mailbox::Event;
use crate::lsp::workers::Context;

impl DocumentRequest for CostsParams {
    type Answer = Option<Costs>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        // Whoever asks wants to know of changes, also where there is nothing yet.
        context.mailbox.post(Event::CostsAsked(context.uri.clone()));
        Ok(Some(Costs { codes: context.snapshot.code_costs(context.file)? }))
    }
}

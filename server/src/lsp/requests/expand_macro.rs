//! `tungsten/expandMacro`: what a macro call or repetition expands to.

use super::{DocumentRequest, Stop};
use crate::lsp::extensions::{ExpandMacroParams, ExpandedMacro};
use crate::lsp::workers::Context;

impl DocumentRequest for ExpandMacroParams {
    type Answer = Option<ExpandedMacro>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (_, offset) = context.at(self.position)?;
        let text = context.snapshot.expanded(context.file, offset)?;
        Ok(text.map(|text| ExpandedMacro { text }))
    }
}

//! `tungsten/pinBaseline` and `tungsten/unpinBaseline`: a shader's code is kept, so that
//! later code can be compared with it, and forgotten.

use engine::ide::ViewKind;

use super::{DocumentRequest, EmptyResponse, Stop};
use crate::lsp::extensions::{PinBaselineParams, PinnedBaseline, UnpinBaselineParams};
use crate::lsp::mailbox::Event;
use crate::lsp::workers::Context;

impl DocumentRequest for PinBaselineParams {
    type Answer = Option<PinnedBaseline>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (snapshot, file) = (&context.snapshot, context.file);
        let compiled = self.selection.key(context, ViewKind::Baseline)?.compiled();
        let Some(code) = snapshot.compiled_code(file, &compiled)? else { return Ok(None) };
        let Some(kept) = snapshot.baseline(file, &compiled)? else { return Ok(None) };
        let answer = PinnedBaseline {
            shader: compiled.shader,
            target: compiled.build().name(),
            state: code.state,
            figures: kept.figures.clone(),
        };
        context.mailbox.post(Event::BaselinePinned(file, compiled, Some(kept)));
        Ok(Some(answer))
    }
}

impl DocumentRequest for UnpinBaselineParams {
    type Answer = bool;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let compiled = self.selection.key(context, ViewKind::Baseline)?.compiled();
        let pinned = context.snapshot.pinned(context.file, &compiled)?.is_some();
        context.mailbox.post(Event::BaselinePinned(context.file, compiled, None));
        Ok(pinned)
    }
}

impl EmptyResponse for bool {
    fn nothing() -> Self {
        false
    }
}

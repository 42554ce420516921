//! `tungsten/advise`: the code that a faster form is looked for, taken out of the engine. The
//! search itself takes seconds and needs no snapshot: [`crate::lsp::advising`] does it.

use std::sync::Arc;

use engine::ide::{Improvable, ImprovableKind};
use gcn::Target;
use tower_lsp::jsonrpc::Error;
use tower_lsp::ls_types::WorkspaceEdit;

use super::workspace_edit::workspace_edit_of;
use super::{DocumentRequest, Stop};
use crate::advice::Code;
use crate::limits::ADVICE_SECONDS;
use crate::lsp::extensions::AdviseParams;
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

/// A search that is wanted: all that it needs, so that no edit waits for it.
pub(crate) struct WantedAdvice {
    /// The code.
    pub(crate) code: Improvable,
    /// The chip.
    pub(crate) target: Target,
    /// The seconds that it may take.
    pub(crate) seconds: u64,
    /// The variants that are tried, at most.
    pub(crate) variants: usize,
    /// The document as it was.
    document: Document,
}

/// A version of a document.
struct Document {
    text: Arc<str>,
    version: Option<i32>,
    uri: tower_lsp::ls_types::Uri,
    client: crate::lsp::client::ClientAbilities,
}

impl WantedAdvice {
    /// The kind of code.
    pub(crate) fn kind(&self) -> Code {
        match self.code.kind {
            ImprovableKind::Shader { .. } => Code::Shader,
            ImprovableKind::Kernel { .. } => Code::Kernel,
        }
    }

    /// The edit of that version of the document that puts another text in the place of the code;
    /// `None` where it cannot be written there for certain.
    pub(crate) fn edit(&self, new: &str) -> Option<WorkspaceEdit> {
        let edits = self.code.edits_of_file(&advise::line_edits(&self.code.text, new))?;
        let Document { text, version, uri, client } = &self.document;
        let lines = to_protocol::Lines::new(Arc::clone(text), client.column_unit);
        let edits = to_protocol::edits(&lines, &edits);
        Some(workspace_edit_of(client, vec![(uri.clone(), *version, edits)]))
    }
}

impl DocumentRequest for AdviseParams {
    type Answer = Option<WantedAdvice>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let offset = from_protocol::offset(&context.lines()?, self.position);
        let Some(code) = context.snapshot.improvable(context.file, offset)? else {
            return Ok(None);
        };
        let named = match self.target.as_deref().map(|name| (name, Target::find(name))) {
            Some((name, None)) => {
                let why = format!("unknown target `{name}`");
                return Err(Stop::Refused(Error::invalid_params(why)));
            }
            named => named.and_then(|(_, target)| target),
        };
        let target = match &code.kind {
            ImprovableKind::Kernel { target, .. } => Some(*target),
            ImprovableKind::Shader { targets, .. } => named.or(targets.first().copied()),
        };
        let Some(target) = target else {
            let why = "the file names a chip that does not exist";
            return Err(Stop::Refused(super::failed(why)));
        };
        let seconds = self.seconds.unwrap_or(context.configuration.advice_seconds);
        Ok(Some(WantedAdvice {
            code,
            target,
            seconds: seconds.min(ADVICE_SECONDS),
            variants: self.variants.unwrap_or(usize::MAX),
            document: Document {
                text: context.snapshot.text(context.file)?,
                version: context.version_of(&context.uri),
                uri: context.uri.clone(),
                client: context.client,
            },
        }))
    }
}

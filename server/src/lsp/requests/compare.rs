//! `tungsten/compare`: a shader's code for several targets, or what was pinned and what is
//! now, statement by statement.

use engine::ide::{ComparisonPart, ViewKind};

use super::compiled_code::beside;
use super::{DocumentRequest, Stop};
use crate::lsp::extensions::{CompareParams, CompareWith, Comparison};
use crate::lsp::mailbox::Event;
use crate::lsp::workers::Context;

impl DocumentRequest for CompareParams {
    type Answer = Option<Comparison>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let (snapshot, file) = (&context.snapshot, context.file);
        let view = match self.with {
            CompareWith::Targets => ViewKind::Targets,
            CompareWith::Baseline => ViewKind::Baseline,
        };
        let mut key = self.selection.key(context, view)?;
        let found = match self.with {
            CompareWith::Targets => {
                key.beside = beside(context, key.shader, key.build, self.beside.as_deref())?;
                snapshot.compare_builds(file, key.shader, &key.builds())?
            }
            CompareWith::Baseline => snapshot.compare_baseline(file, &key.compiled())?,
        };
        // Whoever asks wants to know of changes, as one who looks at the document.
        let looks = found.as_ref().map(|it| it.document(ComparisonPart::All).hash);
        context.mailbox.post(Event::ViewShown(key.clone(), looks));
        Ok(found.map(|found| Comparison {
            uri: key.uri(),
            shader: key.shader,
            columns: found.columns,
            statements: found.statements,
        }))
    }
}

//! `textDocument/codeLens` and `codeLens/resolve`: figures above each shader and kernel.
//! They take an analysis of the machine code, so a client that can ask for them later gets
//! the places at once, and the figures of those lenses that come into sight.

use engine::Build;
use engine::ide::{CompiledRef, Measured, ViewKind};
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{CodeLens, CodeLensParams};

use super::{DocumentRequest, Stop, resolving};
use crate::lsp::compiled_documents::ViewKey;
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

/// The shader or kernel of a lens, kept until it comes into sight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    /// The number of the shader or kernel.
    number: usize,
    /// The target of a shader's code; a kernel has none.
    target: Option<String>,
}

impl Kept {
    fn new(measured: Measured) -> Kept {
        match measured {
            Measured::Kernel(number) => Kept { number, target: None },
            Measured::Shader(own) => Kept { number: own.shader, target: Some(own.build().name()) },
        }
    }

    fn measured(&self) -> Option<Measured> {
        let Some(target) = &self.target else { return Some(Measured::Kernel(self.number)) };
        let target = Build::find(target)?;
        Some(Measured::Shader(CompiledRef::new(self.number, target)))
    }
}

impl DocumentRequest for CodeLensParams {
    type Answer = Option<Vec<CodeLens>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        // A view says so in its head.
        if ViewKey::parse(&context.uri).is_some_and(|key| key.view == ViewKind::Code) {
            return Ok(None);
        }
        let lines = context.lines()?;
        let mut lenses = Vec::new();
        let found = context.snapshot.code_lenses(context.file)?;
        for lens in context.listed("lenses", found) {
            let mut shown = CodeLens { range: lines.range(lens.range), command: None, data: None };
            if context.client.resolves_lenses {
                shown.data = resolving::keep(context, Kept::new(lens.measured));
            } else {
                let title = context.snapshot.lens_title(context.file, &lens.measured)?;
                let Some(title) = title else { continue };
                shown.command =
                    Some(to_protocol::lens_command(&context.uri, &lens.measured, title));
            }
            lenses.push(shown);
        }
        Ok(Some(lenses))
    }
}

impl DocumentRequest for CodeLens {
    type Answer = Option<CodeLens>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let Some(kept) = resolving::kept::<Kept>(context, self.data.as_ref())? else {
            return Ok(None);
        };
        let measured = kept.measured().ok_or_else(resolving::outdated)?;
        let title = context.snapshot.lens_title(context.file, &measured)?;
        let title = title.ok_or_else(resolving::outdated)?;
        let command = to_protocol::lens_command(&context.uri, &measured, title);
        Ok(Some(CodeLens { command: Some(command), ..self.clone() }))
    }
}

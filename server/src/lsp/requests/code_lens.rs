//! `textDocument/codeLens` and `codeLens/resolve`: figures above each shader and kernel.
//! They take an analysis of the machine code, so a client that can ask for them later gets
//! the places at once, and the figures of those lenses that come into sight.

use engine::ide::{CompiledRef, Measured};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result as Answered};
use tower_lsp::ls_types::{CodeLens, CodeLensParams, Range, Uri};

use super::{About, DocumentRequest, EmptyResponse, Stop, Subject};
use crate::lsp::to_protocol;
use crate::lsp::workers::Context;

/// The data that a lens keeps until it comes into sight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    uri: Uri,
    /// Of the document that the lens was placed in.
    version: i32,
    /// The number of the shader or kernel.
    number: usize,
    /// The target of a shader's code; a kernel has none.
    target: Option<String>,
}

impl Kept {
    fn new(context: &Context, measured: Measured) -> Kept {
        let (number, target) = match measured {
            Measured::Kernel(number) => (number, None),
            Measured::Shader(CompiledRef { shader, target }) => {
                (shader, Some(target.name().to_owned()))
            }
        };
        Kept { uri: context.uri.clone(), version: context.version, number, target }
    }

    fn measured(&self) -> Option<Measured> {
        let Some(target) = &self.target else { return Some(Measured::Kernel(self.number)) };
        let target = gcn::Target::find(target)?;
        Some(Measured::Shader(CompiledRef { shader: self.number, target }))
    }
}

impl DocumentRequest for CodeLensParams {
    type Answer = Option<Vec<CodeLens>>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let lines = context.lines()?;
        let mut lenses = Vec::new();
        let found = context.snapshot.code_lenses(context.file)?;
        for lens in context.listed("lenses", found) {
            let mut shown = CodeLens { range: lines.range(lens.range), command: None, data: None };
            if context.client.resolves_lenses {
                shown.data = serde_json::to_value(Kept::new(context, lens.measured)).ok();
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

fn kept(lens: &CodeLens) -> Option<Kept> {
    serde_json::from_value(lens.data.clone()?).ok()
}

impl About for CodeLens {
    fn subject(&self) -> Subject {
        kept(self).map_or(Subject::Nothing, |kept| Subject::Place(kept.uri))
    }
}

impl EmptyResponse for CodeLens {
    fn nothing() -> Self {
        CodeLens { range: Range::default(), command: None, data: None }
    }
}

impl DocumentRequest for CodeLens {
    type Answer = CodeLens;

    fn compute(&self, context: &Context) -> Result<CodeLens, Stop> {
        let Some(kept) = kept(self) else { return Ok(self.clone()) };
        // Of another text it may be another shader; the client asks for lenses anew.
        let measured = kept.measured().filter(|_| kept.version == context.version);
        let title = match &measured {
            Some(measured) => context.snapshot.lens_title(context.file, measured)?,
            None => None,
        };
        let (Some(measured), Some(title)) = (measured, title) else {
            return Err(Stop::Refused(Error::content_modified()));
        };
        let command = to_protocol::lens_command(&context.uri, &measured, title);
        Ok(CodeLens { command: Some(command), ..self.clone() })
    }

    fn nothing(&self) -> Answered<CodeLens> {
        Ok(self.clone())
    }
}

//! `tungsten/compiledCode`: the machine code of a shader, joined to its source.

use engine::ide::CompiledRef;
use tower_lsp::jsonrpc::Error;

use super::{DocumentRequest, Stop};
use crate::lsp::compiled_documents::{ViewKey, signature, state};
use crate::lsp::extensions::{CompiledCode, CompiledCodeParams};
use crate::lsp::from_protocol;
use crate::lsp::mailbox::Event;
use crate::lsp::workers::Context;

impl DocumentRequest for CompiledCodeParams {
    type Answer = Option<CompiledCode>;

    fn compute(&self, context: &Context) -> Result<Option<CompiledCode>, Stop> {
        let Some(target) = self.target(context) else {
            let message = "no target is configured";
            return Err(Stop::Refused(Error::invalid_params(message)));
        };
        let shader = match (self.shader, self.position) {
            (Some(shader), _) => Some(shader),
            (None, Some(position)) => {
                let lines = context.lines()?;
                let offset = from_protocol::offset(&lines, position);
                context.snapshot.shader_at(context.file, offset)?
            }
            (None, None) => Some(0),
        };
        // Where no shader is yet, the first one to come is news.
        let key = ViewKey { source: context.uri.clone(), shader: shader.unwrap_or(0), target };
        let view = match shader {
            Some(shader) => {
                let compiled = CompiledRef { shader, target };
                context.snapshot.compiled_view(context.file, &compiled)?
            }
            None => None,
        };
        let looks = view.as_ref().map(signature);
        context.mailbox.post(Event::ViewShown(key.clone(), looks));
        let (Some(view), Some(uri)) = (view, key.uri()) else { return Ok(None) };
        Ok(Some(CompiledCode {
            uri,
            text: view.text,
            state: state(view.state),
            message: view.message,
            source_lines: view.source_lines,
            hash: format!("{:016x}", view.hash),
            shader: key.shader,
            target: target.name().to_owned(),
            targets: context.targets.iter().map(|target| target.name().to_owned()).collect(),
        }))
    }
}

impl CompiledCodeParams {
    fn target(&self, context: &Context) -> Option<gcn::Target> {
        match &self.target {
            Some(name) => gcn::Target::find(name),
            None => context.targets.first().copied(),
        }
    }
}

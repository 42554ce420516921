//! `tungsten/compiledCode`: a shader's machine code or another view of it, joined to its
//! source.

use std::sync::Arc;

use engine::Build;
use engine::ide::ViewKind;
use tower_lsp::jsonrpc::Error;

use super::{DocumentRequest, Stop};
use crate::lsp::compiled_documents::{ViewKey, is_of_hosts};
use crate::lsp::extensions::{CodeSelection, CompiledCode, CompiledCodeParams};
use crate::lsp::from_protocol;
use crate::lsp::mailbox::Event;
use crate::lsp::workers::Context;

impl DocumentRequest for CompiledCodeParams {
    type Answer = Option<CompiledCode>;

    fn compute(&self, context: &Context) -> Result<Option<CompiledCode>, Stop> {
        let view = self.view.unwrap_or_default();
        let mut key = self.selection.key(context, view)?;
        if view == ViewKind::Targets {
            key.beside = beside(context, key.shader, key.build, self.beside.as_deref())?;
        }
        let shown = key.look(&context.snapshot, context.file)?;
        let looks = shown.as_ref().map(|shown| shown.hash);
        context.mailbox.post(Event::ViewShown(key.clone(), looks));
        let (Some(shown), Some(uri)) = (shown, key.uri()) else { return Ok(None) };
        let pinned = context.snapshot.pinned(context.file, &key.compiled())?;
        Ok(Some(CompiledCode {
            uri,
            text: shown.text,
            state: shown.state,
            message: shown.message,
            source_lines: shown.source_lines,
            hash: format!("{:016x}", shown.hash),
            shader: key.shader,
            target: key.build_name(),
            view,
            beside: names(&key.beside),
            pinned: pinned.is_some(),
            targets: names(&context.configuration.builds()),
        }))
    }
}

impl CodeSelection {
    /// The view of the shader and target that are meant. Where no shader is yet, it is
    /// of the first one to come.
    pub(super) fn key(&self, context: &Context, view: ViewKind) -> Result<ViewKey, Stop> {
        let shader = match (self.shader, self.position) {
            (Some(shader), _) => Some(shader),
            (None, Some(position)) => {
                let lines = context.lines()?;
                let offset = from_protocol::offset(&lines, position);
                let shader = context.snapshot.shader_at(context.file, offset)?;
                match shader {
                    None => context.snapshot.kernel_at(context.file, offset)?,
                    shader => shader,
                }
            }
            (None, None) => None,
        };
        let (source, shader) = (context.uri.clone(), shader.unwrap_or(0));
        // A client names what it showed last: a chip for GLSL, or a host for code.
        let host = match view {
            ViewKind::Glsl => Some(self.host(context)?),
            _ => None,
        };
        let is_host = |name: &String| name.parse::<vrend::Host>().is_ok();
        let named = self.target.as_ref().filter(|name| !is_of_hosts(view) && !is_host(name));
        // Assembly is for a chip already.
        let own = match view {
            ViewKind::Expanded if named.is_some() => None,
            ViewKind::Expanded | ViewKind::Registers | ViewKind::Waits => {
                context.snapshot.assembly_kind(context.file)?.map(|kind| kind.target.into())
            }
            _ => None,
        };
        let target = match (own, named) {
            (Some(own), _) => Some(own),
            (None, named) => named.map(|name| build(name)).transpose()?,
        };
        let target = match target {
            None => builds(context, shader)?.first().copied(),
            target => target,
        };
        let Some(build) = target else { return Err(refused("no target is configured")) };
        Ok(ViewKey { source, shader, build, host, beside: Vec::new(), view })
    }

    /// The host whose GLSL is meant: the one that is named, that of the settings, or the usual.
    fn host(&self, context: &Context) -> Result<vrend::Host, Stop> {
        let named = self.target.as_ref().filter(|name| Build::find(name).is_none());
        let named = named.map(String::as_str).or(context.configuration.rules.host.as_deref());
        let host = named.map(|name| name.parse::<vrend::Host>()).transpose();
        Ok(host.map_err(|error| refused(error.to_string()))?.unwrap_or_default())
    }
}

/// The builds of a shader: of the targets that its file names, or of those of the settings.
fn builds(context: &Context, shader: usize) -> Result<Arc<[Build]>, Stop> {
    Ok(match context.snapshot.names_targets(context.file, shader)? {
        true => context.snapshot.builds(context.file, shader)?,
        false => context.configuration.builds().into(),
    })
}

/// The builds to show beside one of a shader: those that are named, or the shader's others.
pub(super) fn beside(
    context: &Context,
    shader: usize,
    first: Build,
    named: Option<&[String]>,
) -> Result<Vec<Build>, Stop> {
    let mut targets = match named {
        Some(names) => names.iter().map(|name| build(name)).collect::<Result<Vec<_>, _>>()?,
        None => {
            let all = builds(context, shader)?;
            all.iter().copied().filter(|target| *target != first).collect()
        }
    };
    let most = engine::ide::MOST_COLUMNS - 1;
    if named.is_some() && targets.len() > most {
        return Err(refused(format!("at most {most} targets are shown side by side")));
    }
    targets.truncate(most);
    Ok(targets)
}

fn build(name: &str) -> Result<Build, Stop> {
    Build::find(name).ok_or_else(|| refused(format!("unknown target `{name}`")))
}

fn refused(why: impl Into<String>) -> Stop {
    Stop::Refused(Error::invalid_params(why.into()))
}

fn names(builds: &[Build]) -> Vec<String> {
    builds.iter().map(|build| build.name()).collect()
}

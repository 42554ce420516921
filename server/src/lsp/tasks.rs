//! Tasks that workers do for the session unasked by the client.

use std::hash::{DefaultHasher, Hash, Hasher};

use engine::Cancelled;
use tower_lsp::ls_types::{CodeDescription, Diagnostic};

use super::compiled_documents::{ViewKey, is_compiled};
use super::documents::PublishedDiagnostics;
use super::mailbox::Event;
use super::session::path_of;
use super::to_protocol::Lines;
use super::workers::{CheckDepth, Context, TaskOutcome};
use super::{page_documents, to_protocol};
use crate::includes;

/// Finds what is wrong with the document.
pub(crate) fn diagnostics(context: &Context) -> Result<TaskOutcome, Cancelled> {
    Ok(TaskOutcome::Diagnostics(shown_diagnostics(context)?))
}

/// Finds what is wrong with a file of the workspace, or has what it includes brought.
pub(crate) fn workspace_check(
    context: &Context,
    depth: CheckDepth,
) -> Result<TaskOutcome, Cancelled> {
    Ok(TaskOutcome::WorkspaceChecked(match depth {
        CheckDepth::Diagnostics => {
            bring_includes(context)?;
            Some(published_diagnostics(context, known_diagnostics(context)?)?)
        }
        CheckDepth::Includes => {
            bring_includes(context)?;
            None
        }
    }))
}

/// The diagnostics of a document that is looked at: they stay while a word is typed.
pub(crate) fn shown_diagnostics(context: &Context) -> Result<PublishedDiagnostics, Cancelled> {
    bring_includes(context)?;
    let found = known_diagnostics(context)?;
    let text = context.snapshot.text(context.file)?;
    let shown = match &context.steady {
        Some(steady) if context.is_typed_in => steady.while_typing(text, found),
        Some(steady) => steady.at_rest(text, found),
        None => found,
    };
    published_diagnostics(context, shown)
}

/// Diagnostics in the client's words.
fn published_diagnostics(
    context: &Context,
    diagnostics: Vec<source::Diagnostic>,
) -> Result<PublishedDiagnostics, Cancelled> {
    let lines = context.lines()?;
    let mut items = Vec::new();
    // All that the client sees of them counts, and no more: an edit that moves none of
    // them changes no identity.
    let mut identity = DefaultHasher::new();
    for found in diagnostics {
        (found.code, found.severity, &found.tags).hash(&mut identity);
        let item = published(context, &lines, found);
        (item.range, &item.message).hash(&mut identity);
        for related in item.related_information.iter().flatten() {
            (&related.location, &related.message).hash(&mut identity);
        }
        items.push(item);
    }
    Ok(PublishedDiagnostics { items, identity: format!("{:016x}", identity.finish()) })
}

/// A diagnostic in the words that the client knows.
pub(crate) fn published(
    context: &Context,
    lines: &Lines,
    diagnostic: source::Diagnostic,
) -> Diagnostic {
    let related_in = context.client.related_information.then_some(&context.uri);
    let name = context.client.pages_of_diagnostics.then_some(diagnostic.code.0);
    let mut diagnostic = to_protocol::diagnostic(lines, related_in, diagnostic);
    let page = name.and_then(page_documents::uri);
    diagnostic.code_description = page.map(|href| CodeDescription { href });
    diagnostic
}

/// Reads the files that the document includes or is run on and that nobody has looked for,
/// and starts again with them: a client that asks once would keep what is said
/// without them.
pub(crate) fn bring_includes(context: &Context) -> Result<(), Cancelled> {
    let wanted = context.snapshot.wanted_includes(context.file)?;
    if wanted.is_empty() {
        return Ok(());
    }
    let path = path_of(&context.uri);
    let (folders, access) = (&context.configuration.include_folders, &context.access);
    let found = includes::find_all(path.as_deref(), wanted, folders, access);
    context.mailbox.post(Event::IncludesRead(context.file, found, context.disk));
    Err(Cancelled)
}

/// The diagnostics that are found without delay: those of costs follow where they are not to be
/// had at once, so that nobody waits for them.
pub(crate) fn known_diagnostics(context: &Context) -> Result<Vec<source::Diagnostic>, Cancelled> {
    let (snapshot, file) = (&context.snapshot, context.file);
    if is_compiled(&context.uri) {
        // Nobody wrote it: nobody can fix it.
        return Ok(Vec::new());
    }
    // Who looks through the workspace waits for the whole of it, as `check` does.
    if !context.is_open || context.costs_are_known || snapshot.costs_are_quick(file)? {
        snapshot.all_diagnostics(file)
    } else {
        snapshot.diagnostics(file)
    }
}

/// Looks at compiled views of the document.
pub(crate) fn views(context: &Context, keys: &[ViewKey]) -> Result<TaskOutcome, Cancelled> {
    let mut looks = Vec::with_capacity(keys.len());
    for key in keys {
        let view = key.look(&context.snapshot, context.file)?;
        looks.push((key.clone(), view.map(|view| view.hash)));
    }
    Ok(TaskOutcome::Views(looks))
}

/// Asks which compiles the document wants.
pub(crate) fn wanted_jobs(context: &Context) -> Result<TaskOutcome, Cancelled> {
    let (snapshot, file) = (&context.snapshot, context.file);
    let (jobs, askable) = (snapshot.wanted_jobs(file)?, snapshot.askable(file)?);
    Ok(TaskOutcome::WantedJobs(file, jobs, askable))
}

/// Asks what a file was taken for, and what assembly includes.
pub(crate) fn assembly(context: &Context) -> Result<TaskOutcome, Cancelled> {
    let (snapshot, file) = (&context.snapshot, context.file);
    let (kind, dialect) = (snapshot.assembly_kind(file)?, snapshot.shader_readers(file)?);
    Ok(TaskOutcome::Assembly(file, kind, dialect, snapshot.wanted_files(file)?))
}

/// Works out what an assembly file costs; the engine keeps it.
pub(crate) fn costs(context: &Context) -> Result<TaskOutcome, Cancelled> {
    context.snapshot.cost_diagnostics(context.file)?;
    Ok(TaskOutcome::Costs(context.snapshot.costs_are_quick(context.file)?))
}

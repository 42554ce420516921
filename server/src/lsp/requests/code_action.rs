//! `textDocument/codeAction`: the fixes that diagnostics offer, one by one and all at
//! once, what can be done with the assembly at a place, and rewritings of shaders.
//! What each does to the text is said by [`super::rewriting`].

use engine::ide::ImprovableReach;
use serde::Serialize;
use source::TextEdit;
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    CodeActionTriggerKind, Command,
};

use super::rewriting::{Offered, Rewriting};
use super::{DocumentRequest, Stop, resolving, rewriting, undefined_symbols};
use crate::lsp::compiled_documents::is_compiled;
use crate::lsp::extensions::{FIND_FASTER_FORM, FindFasterForm, SHOW_EXPANSION, ShowExpansion};
use crate::lsp::from_protocol;
use crate::lsp::tasks::{known_diagnostics, published};
use crate::lsp::workers::Context;

/// The kind of the action that lays the document out, which editors run on saving. The
/// protocol names none for it.
pub(crate) const SOURCE_FORMAT: CodeActionKind = CodeActionKind::new("source.format");

/// An action and what it does to the text.
struct Offer {
    action: CodeAction,
    rewriting: Rewriting,
    /// The rewriting itself, where it was needed to know whether to offer it.
    edits: Option<Vec<TextEdit>>,
}

impl DocumentRequest for CodeActionParams {
    type Answer = Option<CodeActionResponse>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let wants = |kind: &CodeActionKind| match &self.context.only {
            // Editors that save run those of `source`; nobody looks for them in a list.
            None => !holds(&CodeActionKind::SOURCE, kind),
            Some(kinds) => kinds.iter().any(|wanted| holds(wanted, kind)),
        };
        let mut offers = Vec::new();
        let mut actions = Vec::new();
        if wants(&CodeActionKind::QUICKFIX) {
            let known = known_diagnostics(context)?;
            let definition = undefined_symbols::definition(self, context, &known)?;
            actions.extend(definition.map(CodeActionOrCommand::CodeAction));
            offers.extend(fixes(self, context, known)?);
        }
        if wants(&CodeActionKind::REFACTOR) {
            actions.extend(expansion(self, context)?);
        }
        offers.extend(refactorings(self, context)?);
        if wants(&CodeActionKind::REFACTOR_REWRITE) {
            offers.extend(conversion(self, context)?);
            actions.extend(faster_form(self, context)?);
        }
        if wants(&CodeActionKind::SOURCE_FIX_ALL) {
            let title = "Fix all that can be fixed in one way";
            let kind = CodeActionKind::SOURCE_FIX_ALL;
            offers.extend(of_document(context, title, kind, Rewriting::FixAll)?);
        }
        if wants(&SOURCE_FORMAT) {
            let title = "Lay out the document";
            offers.extend(of_document(context, title, SOURCE_FORMAT, Rewriting::Format)?);
        }
        for offer in offers {
            if offer.action.kind.as_ref().is_some_and(wants) {
                actions.push(finished(context, offer)?);
            }
        }
        Ok(Some(actions))
    }
}

/// The action with its edits, or with what they are made of once it is chosen.
fn finished(context: &Context, offer: Offer) -> Result<CodeActionOrCommand, Stop> {
    let Offer { mut action, rewriting, edits } = offer;
    if context.client.resolves_actions {
        action.data = resolving::keep(context, Offered { rewriting });
    } else {
        let edits = match edits {
            Some(edits) => Some(edits),
            None => rewriting.edits(context)?,
        };
        action.edit = Some(rewriting::edit(context, &edits.unwrap_or_default())?);
    }
    Ok(CodeActionOrCommand::CodeAction(action))
}

/// The fixes of the diagnostics in the range, one by one; where it meets none, of those in its
/// lines, since a cursor is seldom on the very word.
fn fixes(
    params: &CodeActionParams,
    context: &Context,
    known: Vec<source::Diagnostic>,
) -> Result<Vec<Offer>, Stop> {
    let lines = context.lines()?;
    let range = from_protocol::range(&lines, params.range);
    let (first, last) = (params.range.start.line, params.range.end.line);
    let fixable = known.into_iter().filter(|it| !it.fixes.is_empty());
    let (met, others): (Vec<_>, Vec<_>) =
        fixable.partition(|it| it.range.intersect(range).is_some());
    let is_met = !met.is_empty();
    let in_lines = others.into_iter().filter(|it| {
        let place = lines.range(it.range);
        !is_met && place.start.line <= last && first <= place.end.line
    });
    let mut offers = Vec::new();
    for mut diagnostic in met.into_iter().chain(in_lines) {
        let fixes = std::mem::take(&mut diagnostic.fixes);
        // A lone fix of what is pointed at is surely the wanted one; else the user chooses.
        let preferred = is_met && fixes.len() == 1;
        let diagnostic = published(context, &lines, diagnostic);
        offers.extend(fixes.into_iter().map(|fix| Offer {
            action: CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                is_preferred: Some(preferred),
                ..CodeAction::default()
            },
            rewriting: Rewriting::Fix {
                code: diagnostic.code.clone(),
                diagnostic: diagnostic.range,
                title: fix.title,
            },
            edits: Some(fix.edits),
        }));
    }
    Ok(offers)
}

/// To show what the macro call at the range's start expands to.
fn expansion(params: &CodeActionParams, context: &Context) -> Result<CodeActionResponse, Stop> {
    let offset = from_protocol::offset(&context.lines()?, params.range.start);
    if !context.snapshot.expands(context.file, offset)? {
        return Ok(Vec::new());
    }
    let argument = ShowExpansion { uri: context.uri.clone(), position: params.range.start };
    let title = "Show what this expands to".to_owned();
    Ok(vec![commanded(title, CodeActionKind::REFACTOR, SHOW_EXPANSION, argument)])
}

/// To search for a faster form of the shader or kernel at the range's start, where the user asks
/// what can be done there: it can be searched everywhere, which no light has to say. The client
/// carries the command out, so it is offered to those that say they do.
fn faster_form(
    params: &CodeActionParams,
    context: &Context,
) -> Result<Option<CodeActionOrCommand>, Stop> {
    let is_asked = params.context.trigger_kind == Some(CodeActionTriggerKind::INVOKED);
    if !is_asked || !context.client.finds_faster_forms {
        return Ok(None);
    }
    let position = params.range.start;
    let offset = from_protocol::offset(&context.lines()?, position);
    let is_searched = context.configuration.advice_seconds > 0
        && !is_compiled(&context.uri)
        && context
            .snapshot
            .improvable(context.file, offset)?
            .is_some_and(|code| code.reach == ImprovableReach::Whole);
    let argument = FindFasterForm { uri: context.uri.clone(), position };
    let title = "Find a faster form".to_owned();
    let kind = CodeActionKind::REFACTOR_REWRITE;
    Ok(is_searched.then(|| commanded(title, kind, FIND_FASTER_FORM, argument)))
}

/// An action that is a command of the client with one argument.
fn commanded(
    title: String,
    kind: CodeActionKind,
    command: &str,
    argument: impl Serialize,
) -> CodeActionOrCommand {
    CodeActionOrCommand::CodeAction(CodeAction {
        title: title.clone(),
        kind: Some(kind),
        command: Some(Command {
            title,
            command: command.to_owned(),
            arguments: serde_json::to_value(argument).ok().map(|argument| vec![argument]),
        }),
        ..CodeAction::default()
    })
}

/// The rewritings of the shader at the start of the range.
fn refactorings(params: &CodeActionParams, context: &Context) -> Result<Vec<Offer>, Stop> {
    let position = params.range.start;
    let offset = from_protocol::offset(&context.lines()?, position);
    let found = context.snapshot.refactorings(context.file, offset)?.into_iter();
    Ok(found
        .map(|refactoring| Offer {
            action: action(refactoring.title(), rewriting::kind(refactoring)),
            rewriting: Rewriting::Refactor { position, refactoring: refactoring.id().to_owned() },
            edits: None,
        })
        .collect())
}

/// To write the selected lines in the other dialect, where something is selected.
fn conversion(params: &CodeActionParams, context: &Context) -> Result<Option<Offer>, Stop> {
    if params.range.start == params.range.end {
        return Ok(None);
    }
    let range = from_protocol::range(&context.lines()?, params.range);
    let found = context.snapshot.converted(context.file, range)?;
    Ok(found.map(|(dialect, edits)| Offer {
        action: action(
            &format!("Write this in the {dialect} dialect"),
            CodeActionKind::REFACTOR_REWRITE,
        ),
        rewriting: Rewriting::Convert { range: params.range },
        edits: Some(edits),
    }))
}

/// Something that is done to the whole document, where it changes anything.
fn of_document(
    context: &Context,
    title: &str,
    kind: CodeActionKind,
    rewriting: Rewriting,
) -> Result<Option<Offer>, Stop> {
    let edits = rewriting.edits(context)?.filter(|edits| !edits.is_empty());
    Ok(edits.map(|edits| Offer { action: action(title, kind), rewriting, edits: Some(edits) }))
}

fn action(title: &str, kind: CodeActionKind) -> CodeAction {
    CodeAction { title: title.to_owned(), kind: Some(kind), ..CodeAction::default() }
}

/// Kinds are a hierarchy: the empty kind holds all, `source` holds `source.fixAll`.
fn holds(outer: &CodeActionKind, inner: &CodeActionKind) -> bool {
    let (outer, inner) = (outer.as_str(), inner.as_str());
    let rest = inner.strip_prefix(outer);
    outer.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_hold_their_subkinds() {
        assert!(holds(&CodeActionKind::SOURCE, &CodeActionKind::SOURCE_FIX_ALL));
        assert!(holds(&CodeActionKind::EMPTY, &CodeActionKind::QUICKFIX));
        assert!(!holds(&CodeActionKind::from("sour"), &CodeActionKind::SOURCE_FIX_ALL));
    }
}

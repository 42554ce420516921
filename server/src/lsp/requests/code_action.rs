//! `textDocument/codeAction`: the mends that findings offer, one by one and all at
//! once, what can be done with the assembly at a place, and rewritings of shaders.

use text::{Fix, TextEdit};
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Command,
};

use super::workspace_edit::workspace_edit;
use super::{DocumentRequest, Stop, refactoring};
use crate::lsp::errands::known_findings;
use crate::lsp::extensions::{SHOW_EXPANSION, ShowExpansion};
use crate::lsp::workers::Context;
use crate::lsp::{from_protocol, to_protocol};

impl DocumentRequest for CodeActionParams {
    type Answer = Option<CodeActionResponse>;

    fn compute(&self, context: &Context) -> Result<Self::Answer, Stop> {
        let wants = |kind: &CodeActionKind| match &self.context.only {
            // Editors that save run all of `source`; nobody looks for it in a list.
            None => *kind != CodeActionKind::SOURCE_FIX_ALL,
            Some(kinds) => kinds.iter().any(|wanted| holds(wanted, kind)),
        };
        if wants(&CodeActionKind::SOURCE_FIX_ALL) {
            return fix_all(context);
        }
        let mut actions = Vec::new();
        if wants(&CodeActionKind::QUICKFIX) {
            actions.extend(mends(self, context)?);
        }
        if wants(&CodeActionKind::REFACTOR) {
            actions.extend(expansion(self, context)?);
        }
        actions.extend(refactoring::offered(self, context, wants)?);
        if wants(&CodeActionKind::REFACTOR_REWRITE) {
            actions.extend(conversion(self, context)?);
        }
        Ok(Some(actions))
    }
}

/// The mends of the findings in the range, one by one.
fn mends(params: &CodeActionParams, context: &Context) -> Result<CodeActionResponse, Stop> {
    let lines = context.lines()?;
    let range = from_protocol::range(&lines, params.range);
    let mut actions = Vec::new();
    for mut diagnostic in known_findings(context)? {
        if diagnostic.range.intersect(range).is_none() {
            continue;
        }
        let fixes = std::mem::take(&mut diagnostic.fixes);
        // A lone mend is surely the wanted one; of several the user chooses.
        let preferred = fixes.len() == 1;
        let diagnostic = to_protocol::diagnostic(&lines, None, diagnostic);
        actions.extend(fixes.into_iter().map(|fix| {
            CodeActionOrCommand::CodeAction(CodeAction {
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                is_preferred: Some(preferred),
                edit: Some(workspace_edit(context, to_protocol::edits(&lines, &fix.edits))),
                title: fix.title,
                ..CodeAction::default()
            })
        }));
    }
    Ok(actions)
}

/// To show what the macro call at the range's start expands to.
fn expansion(params: &CodeActionParams, context: &Context) -> Result<CodeActionResponse, Stop> {
    let offset = from_protocol::offset(&context.lines()?, params.range.start);
    if !context.snapshot.expands(context.file, offset)? {
        return Ok(Vec::new());
    }
    let argument = ShowExpansion { uri: context.uri.clone(), position: params.range.start };
    let title = "Show what this expands to".to_owned();
    Ok(vec![CodeActionOrCommand::CodeAction(CodeAction {
        title: title.clone(),
        kind: Some(CodeActionKind::REFACTOR),
        command: Some(Command {
            title,
            command: SHOW_EXPANSION.to_owned(),
            arguments: serde_json::to_value(argument).ok().map(|argument| vec![argument]),
        }),
        ..CodeAction::default()
    })])
}

/// To write the selected lines in the other dialect, where something is selected.
fn conversion(params: &CodeActionParams, context: &Context) -> Result<CodeActionResponse, Stop> {
    if params.range.start == params.range.end {
        return Ok(Vec::new());
    }
    let lines = context.lines()?;
    let range = from_protocol::range(&lines, params.range);
    let Some((dialect, edits)) = context.snapshot.converted(context.file, range)? else {
        return Ok(Vec::new());
    };
    Ok(vec![CodeActionOrCommand::CodeAction(CodeAction {
        title: format!("Write this in the {dialect} dialect"),
        kind: Some(CodeActionKind::REFACTOR_REWRITE),
        edit: Some(workspace_edit(context, to_protocol::edits(&lines, &edits))),
        ..CodeAction::default()
    })])
}

/// Kinds are a hierarchy: the empty kind holds all, `source` holds `source.fixAll`.
fn holds(outer: &CodeActionKind, inner: &CodeActionKind) -> bool {
    let (outer, inner) = (outer.as_str(), inner.as_str());
    let rest = inner.strip_prefix(outer);
    outer.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The mends of the whole document that leave no choice, as one edit.
fn fix_all(context: &Context) -> Result<Option<CodeActionResponse>, Stop> {
    let found = context.snapshot.diagnostics(context.file)?;
    let lone = found.iter().filter_map(|finding| match finding.fixes.as_slice() {
        [fix] => Some(fix),
        _ => None,
    });
    let edits = together(lone);
    if edits.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let lines = context.lines()?;
    Ok(Some(vec![CodeActionOrCommand::CodeAction(CodeAction {
        title: "Mend all that can be mended in one way".to_owned(),
        kind: Some(CodeActionKind::SOURCE_FIX_ALL),
        edit: Some(workspace_edit(context, to_protocol::edits(&lines, &edits))),
        ..CodeAction::default()
    })]))
}

/// The edits of mends that do not touch one another, the earlier ones first; each
/// mend is whole or left out.
fn together<'a>(fixes: impl Iterator<Item = &'a Fix>) -> Vec<TextEdit> {
    let mut all: Vec<TextEdit> = Vec::new();
    for fix in fixes {
        let is_free = |edit: &TextEdit| {
            // Places are disjoint and in order, so only the neighbours can touch.
            let next = all.partition_point(|it| it.range.start() < edit.range.start());
            let before = next.checked_sub(1).and_then(|it| all.get(it));
            before.is_none_or(|it| it.range.end() < edit.range.start())
                && all.get(next).is_none_or(|it| edit.range.end() < it.range.start())
        };
        if fix.edits.iter().all(is_free) {
            all.extend(fix.edits.iter().cloned());
            all.sort_by_key(|edit| edit.range.start());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use text::{TextRange, TextSize};

    use super::*;

    fn fix(places: &[(u32, u32)]) -> Fix {
        let range =
            |(start, end): &(u32, u32)| TextRange::new(TextSize::new(*start), TextSize::new(*end));
        let edits = places.iter().map(|place| TextEdit { range: range(place), insert: "x".into() });
        Fix { title: String::new(), edits: edits.collect() }
    }

    #[test]
    fn mends_that_touch_are_not_made_together() {
        let fixes =
            [fix(&[(4, 6), (20, 21)]), fix(&[(6, 8)]), fix(&[(0, 2), (21, 22)]), fix(&[(9, 9)])];
        let edits = together(fixes.iter());
        let starts: Vec<u32> = edits.iter().map(|edit| edit.range.start().into()).collect();
        assert_eq!(starts, [4, 9, 20]);
    }

    #[test]
    fn kinds_hold_their_subkinds() {
        assert!(holds(&CodeActionKind::SOURCE, &CodeActionKind::SOURCE_FIX_ALL));
        assert!(holds(&CodeActionKind::EMPTY, &CodeActionKind::QUICKFIX));
        assert!(!holds(&CodeActionKind::from("sour"), &CodeActionKind::SOURCE_FIX_ALL));
    }
}

//! Completion: what may be written at a place.

mod operands;

use editor_model::{Completion, CompletionItem, CompletionKind, Page};
use source::{TextRange, TextSize};

use super::View;
use super::blocks::is_foreign;
use super::skeletons::skeletons;
use super::statement::statement_at;
use crate::assembler::lines::is_word;
use crate::describe;
use crate::instruction::InstructionSet;
use crate::mnemonics;
use operands::operands;

/// The lists of the pages of mnemonics, directives and modifiers.
const MNEMONICS: &str = "gcn-mnemonic";
const DIRECTIVES: &str = "gcn-directive";
const MODIFIERS: &str = "gcn-word";

/// The page of an offer, as Markdown.
pub fn page(list: &str, word: &str) -> Option<String> {
    match list {
        MNEMONICS => mnemonics::op_info(word).map(describe::mnemonic),
        DIRECTIVES => describe::directive(word).map(describe::DirectiveInfo::markdown),
        MODIFIERS => describe::word(word).map(describe::WordInfo::markdown),
        _ => None,
    }
}

/// Completes the word at an offset; `None` within comments, quotes, and what is not assembly.
pub fn complete(view: View<'_>, offset: TextSize) -> Option<Completion> {
    let text = view.text();
    let dialect = view.program.expansion.dialect;
    let statement = statement_at(text, offset, dialect);
    if !statement.holds(offset) || is_foreign(text, offset, dialect) {
        return None;
    }
    let before = text.get(..usize::from(offset))?;
    let typed = last_word(before);
    let replace = TextRange::new(offset - TextSize::of(typed), offset);
    let parameters = before[..before.len() - typed.len()].ends_with('\\');
    let items = match (parameters, statement.operand_at(offset)) {
        (true, _) => parameters_at(view, offset),
        (false, None) => starts(view, typed.starts_with('.')),
        (false, Some(_)) if view.program.unsupported.is_some() => Vec::new(),
        (false, Some(_)) => operands(view, &statement, offset),
    };
    Some(Completion { replace, items })
}

/// The word that a text ends with.
fn last_word(text: &str) -> &str {
    let length = text.bytes().rev().take_while(|byte| is_word(*byte)).count();
    &text[text.len() - length..]
}

/// The parameters of the macro around a place.
fn parameters_at(view: View<'_>, offset: TextSize) -> Vec<CompletionItem> {
    let macros = view.program.expansion.macros.iter();
    let around = macros
        .filter(|it| it.body.source == view.source && it.body.range.contains_inclusive(offset));
    let Some(innermost) = around.min_by_key(|it| it.body.range.len()) else { return Vec::new() };
    let parameters = innermost.parameters.iter();
    parameters.map(|it| item(&it.name, CompletionKind::Symbol, "parameter")).collect()
}

fn item(label: &str, kind: CompletionKind, detail: &str) -> CompletionItem {
    CompletionItem::new(label, kind).with_detail(detail)
}

fn with_page(item: CompletionItem, list: &'static str, word: &'static str) -> CompletionItem {
    CompletionItem { page: Some(Page { list, word }), ..item }
}

/// Directives, or macros and the mnemonics of the target.
fn starts(view: View<'_>, directive: bool) -> Vec<CompletionItem> {
    let program = view.program;
    if directive {
        let dialect = program.expansion.dialect;
        let known = describe::directives().iter().filter(|it| it.dialects.contains(&dialect));
        let mut items: Vec<CompletionItem> = known
            .map(|info| {
                let item = item(info.name, CompletionKind::Keyword, info.arguments);
                with_page(item, DIRECTIVES, info.name)
            })
            .collect();
        items.sort_unstable_by(|left, right| left.label.cmp(&right.label));
        return items;
    }
    let mut items = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for macro_ in program.expansion.macros.iter().filter(|it| seen.insert(&*it.name)) {
        items.push(item(&macro_.name, CompletionKind::Macro, "macro"));
    }
    if program.unsupported.is_some() {
        return items;
    }
    let set = InstructionSet::in_dialect(program.target, program.dialect);
    for info in mnemonics::all() {
        if !set.forms_of(info.opcode).is_empty() {
            let item = item(info.name, CompletionKind::Opcode, info.summary);
            items.push(with_page(item, MNEMONICS, info.name));
        }
    }
    items.extend(skeletons(program));
    items
}

//! Completion: what may be written at a place.

mod operands;
mod ranking;

use editor_model::{Completion, CompletionItem, CompletionKind, Page};
use rustc_hash::FxHashSet;
use source::{TextRange, TextSize};

use super::View;
use super::blocks::is_foreign;
use super::skeletons::skeletons;
use super::statement::statement_at;
use crate::assembler::lines::is_word;
use crate::describe;
use crate::instruction::InstructionSet;
use crate::mnemonics::{self, OpInfo};
use operands::operands;
use ranking::{Ranking, SUFFIXES};

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
    let statement = statement_at(view, offset);
    if !statement.holds(offset) || is_foreign(view, offset) {
        return None;
    }
    let before = text.get(..usize::from(offset))?;
    let typed = last_word(before);
    let replace = TextRange::new(offset - TextSize::of(typed), offset);
    let parameters = before[..before.len() - typed.len()].ends_with('\\');
    let items = match (parameters, statement.operand_at(offset)) {
        (true, _) => parameters_at(view, offset),
        (false, None) => starts(view, typed, offset),
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
fn starts(view: View<'_>, typed: &str, offset: TextSize) -> Vec<CompletionItem> {
    let program = view.program;
    if typed.starts_with('.') {
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
    let mut seen = FxHashSet::default();
    for macro_ in program.expansion.macros.iter().filter(|it| seen.insert(&*it.name)) {
        items.push(item(&macro_.name, CompletionKind::Macro, "macro"));
    }
    if program.unsupported.is_some() {
        return items;
    }
    let set = InstructionSet::in_dialect(program.target, program.dialect);
    let ranking = Ranking::at(view, offset);
    let offer = |label: &str, info: &'static OpInfo, fitness| {
        let item = item(label, CompletionKind::Opcode, info.summary);
        with_page(CompletionItem { fitness, ..item }, MNEMONICS, info.name)
    };
    for info in mnemonics::all() {
        let forms = set.forms_of(info.opcode);
        if !forms.is_empty() {
            let fitness = ranking.of(info, forms);
            items.push(offer(info.name, info, fitness));
            if is_suffixed(typed, info.name) {
                let words = SUFFIXES.map(|suffix| format!("{}{}", info.name, suffix.name()));
                let exist = words.iter().filter(|word| !set.forms_written(word).is_empty());
                items.extend(exist.map(|word| offer(word, info, fitness)));
            }
        }
    }
    let known: FxHashSet<String> = match ranking.suffixed.is_empty() {
        true => FxHashSet::default(),
        false => items.iter().map(|item| item.label.clone()).collect(),
    };
    let used = ranking.suffixed.iter().filter(|(word, ..)| !known.contains(word));
    let used = used.filter(|(word, ..)| !set.forms_written(word).is_empty());
    items.extend(used.map(|(word, opcode, fitness)| offer(word, opcode.row(), *fitness)));
    items.sort_by_key(|item| item.fitness);
    items.extend(skeletons(program));
    items
}

/// Tells whether somebody typed a mnemonic and the beginning of a suffix.
fn is_suffixed(typed: &str, name: &str) -> bool {
    let begins = typed.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    begins && typed[name.len()..].starts_with('_')
}

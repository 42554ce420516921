//! What may be written at a place.

mod operands;

use text::{TextRange, TextSize};

use super::View;
use super::blocks::is_foreign;
use super::skeletons::skeletons;
use super::statement::statement_at;
use crate::assembler::lines::is_word;
use crate::describe;
use crate::instruction::InstructionSet;
use crate::mnemonics;
use operands::{SPECIAL, operands};

/// What may be written, and what it replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The part of the word that is typed.
    pub replace: TextRange,
    /// The offers, the fittest first.
    pub items: Vec<Item>,
}

/// An offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What is shown.
    pub label: String,
    /// What is written.
    pub insert: String,
    /// The same with places to fill in, in the syntax of snippets; `None` where there are
    /// none.
    pub snippet: Option<String>,
    /// What it is.
    pub kind: ItemKind,
    /// More in a few words.
    pub detail: String,
    /// The mnemonic, directive or modifier whose page documents it.
    pub page: Option<&'static str>,
}

/// What an offer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// A mnemonic of the target.
    Mnemonic,
    /// A macro.
    Macro,
    /// A directive.
    Directive,
    /// A register.
    Register,
    /// A modifier of the instruction.
    Modifier,
    /// A label.
    Label,
    /// A symbol with a value.
    Symbol,
    /// Several lines to begin with.
    Skeleton,
}

/// The registers with names.
pub(crate) fn special_registers() -> impl Iterator<Item = &'static str> {
    SPECIAL.iter().map(|register| register.name)
}

/// A register with a name, and what it is.
pub(crate) fn special_register(name: &str) -> Option<(&'static str, &'static str)> {
    SPECIAL.iter().find(|known| known.name == name).map(|known| (known.name, known.page))
}

/// What may be written at an offset; `None` within comments, quotes, and what is no assembly.
pub fn complete(view: View<'_>, offset: TextSize) -> Option<Completion> {
    let text = view.text();
    let dialect = view.program.expansion.dialect;
    let statement = statement_at(text, offset, dialect);
    if !statement.holds(offset) || is_foreign(text, offset, dialect) {
        return None;
    }
    let end = usize::from(offset);
    let typed = text.get(..end)?.bytes().rev().take_while(|byte| is_word(*byte)).count();
    let replace = TextRange::new(TextSize::new((end - typed) as u32), offset);
    let parameters = text.get(..end - typed)?.ends_with('\\');
    let items = match (parameters, statement.operand_at(offset)) {
        (true, _) => parameters_at(view, offset),
        (false, None) => starts(view, text.get(end - typed..end)?.starts_with('.')),
        (false, Some(_)) => operands(view, &statement, offset),
    };
    Some(Completion { replace, items })
}

/// The parameters of the macro around a place.
fn parameters_at(view: View<'_>, offset: TextSize) -> Vec<Item> {
    let macros = view.program.expansion.macros.iter();
    let around = macros
        .filter(|it| it.body.source == view.source && it.body.range.contains_inclusive(offset));
    let Some(innermost) = around.min_by_key(|it| it.body.range.len()) else { return Vec::new() };
    let parameters = innermost.parameters.iter();
    parameters.map(|it| item(&it.name, ItemKind::Symbol, "parameter")).collect()
}

fn item(label: &str, kind: ItemKind, detail: &str) -> Item {
    Item {
        label: label.to_owned(),
        insert: label.to_owned(),
        snippet: None,
        kind,
        detail: detail.to_owned(),
        page: None,
    }
}

/// Directives, or macros and the mnemonics of the target.
fn starts(view: View<'_>, directive: bool) -> Vec<Item> {
    let program = view.program;
    if directive {
        let dialect = program.expansion.dialect;
        let known = describe::directives().iter().filter(|it| it.dialects.contains(&dialect));
        let mut items: Vec<Item> = known
            .map(|info| Item {
                page: Some(info.name),
                ..item(info.name, ItemKind::Directive, info.arguments)
            })
            .collect();
        items.sort_unstable_by(|left, right| left.label.cmp(&right.label));
        return items;
    }
    let mut items = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for macro_ in program.expansion.macros.iter().filter(|it| seen.insert(&*it.name)) {
        items.push(item(&macro_.name, ItemKind::Macro, "macro"));
    }
    let set = InstructionSet::in_dialect(program.target, program.dialect);
    for (index, info) in mnemonics::all().iter().enumerate() {
        if !set.forms_of(index).is_empty() {
            let page = Some(info.name);
            items.push(Item { page, ..item(info.name, ItemKind::Mnemonic, info.summary) });
        }
    }
    items.extend(skeletons(program));
    items
}

//! What may be written at a place.

use text::{TextRange, TextSize};

use super::View;
use super::skeletons::skeletons;
use super::statement::{First, statement_at};
use crate::assembler::lines::is_word;
use crate::assembler::symbols::SymbolKind;
use crate::describe;
use crate::instruction::InstructionSet;
use crate::instruction::form::Kind as SlotKind;
use crate::instruction::message;
use crate::mnemonics;

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
    /// The mnemonic or directive whose page documents it.
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

/// Registers with names, and what they are.
const SPECIAL: [(&str, &str); 13] = [
    ("vcc", "a bit for every lane, written by compares and carries"),
    ("vcc_lo", "the lower half of `vcc`"),
    ("vcc_hi", "the upper half of `vcc`"),
    ("exec", "a bit for every lane: those that take part"),
    ("exec_lo", "the lower half of `exec`"),
    ("exec_hi", "the upper half of `exec`"),
    ("m0", "the scalar register of indices, limits of the local data share, messages"),
    ("scc", "the bit that scalar compares and carries write"),
    ("vccz", "whether `vcc` is zero"),
    ("execz", "whether `exec` is zero"),
    ("flat_scratch", "where flat addresses find the scratch memory"),
    ("flat_scratch_lo", "the lower half of `flat_scratch`"),
    ("flat_scratch_hi", "the upper half of `flat_scratch`"),
];

/// The registers with names.
pub(crate) fn special_registers() -> impl Iterator<Item = &'static str> {
    SPECIAL.into_iter().map(|(name, _)| name)
}

/// A register with a name, and what it is.
pub(crate) fn special_register(name: &str) -> Option<(&'static str, &'static str)> {
    SPECIAL.into_iter().find(|(known, _)| *known == name)
}

/// What may be written at an offset; `None` within a comment.
pub fn complete(view: View<'_>, offset: TextSize) -> Option<Completion> {
    let text = view.text();
    let statement = statement_at(text, offset, view.program.expansion.dialect);
    if !statement.holds(offset) {
        return None;
    }
    let end = usize::from(offset);
    let typed = text.get(..end)?.bytes().rev().take_while(|byte| is_word(*byte)).count();
    let replace = TextRange::new(TextSize::new((end - typed) as u32), offset);
    let parameters = text.get(..end - typed)?.ends_with('\\');
    let items = match (parameters, statement.operand_at(offset)) {
        (true, _) => parameters_at(view, offset),
        (false, None) => starts(view, text.get(end - typed..end)?.starts_with('.')),
        (false, Some(_)) => {
            let First::Word(word) = statement.first else { return None };
            operands(view, statement.slice(word))
        }
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

/// What an instruction or directive takes: modifiers, registers, labels, symbols.
fn operands(view: View<'_>, word: &str) -> Vec<Item> {
    let program = view.program;
    let set = InstructionSet::in_dialect(program.target, program.dialect);
    let forms = set.forms_written(word);
    let slots = || forms.iter().flat_map(|form| &form.slots);
    let jumps = slots().any(|slot| slot.kind == SlotKind::Branch);
    let mut items = Vec::new();
    let symbols = program.expansion.symbols().iter();
    let symbols =
        symbols.filter(|it| it.kind != SymbolKind::Predefined && !it.definitions.is_empty());
    let named = |label: bool| {
        let wanted = symbols.clone().filter(move |it| (it.kind == SymbolKind::Label) == label);
        let kind = if label { ItemKind::Label } else { ItemKind::Symbol };
        wanted.map(move |it| item(&it.name, kind, if label { "label" } else { "symbol" }))
    };
    if jumps {
        items.extend(named(true));
        return items;
    }
    if !forms.is_empty() {
        let specials = SPECIAL.into_iter();
        items.extend(specials.map(|(name, page)| item(name, ItemKind::Register, page)));
    }
    items.extend(named(false));
    let mut modifiers: Vec<String> = Vec::new();
    for slot in slots() {
        match slot.kind {
            SlotKind::Flag(flag) => modifiers.push(flag.name().to_owned()),
            SlotKind::Number { key, .. } | SlotKind::List { key, .. } => {
                modifiers.push(format!("{}:", message::key_name(key)));
            }
            SlotKind::CachePolicy { .. } => {
                modifiers.extend(["glc".to_owned(), "slc".to_owned()]);
            }
            SlotKind::Format => modifiers.push("format:".to_owned()),
            SlotKind::WaitCounters => {
                modifiers.extend(["vmcnt(0)", "lgkmcnt(0)", "expcnt(0)"].map(str::to_owned));
            }
            _ => {}
        }
    }
    modifiers.sort_unstable();
    modifiers.dedup();
    let name = mnemonics::base_name(word);
    items.extend(modifiers.iter().map(|it| item(it, ItemKind::Modifier, &format!("of `{name}`"))));
    items.extend(named(true));
    items
}

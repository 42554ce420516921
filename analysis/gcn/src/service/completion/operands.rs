//! Completion behind a mnemonic or directive: first what the operand takes that the cursor is
//! in, then names.

use editor_model::{CompletionItem, CompletionKind};
use source::{TextRange, TextSize};

use super::{MODIFIERS, item, last_word, with_page};
use crate::Generation;
use crate::assembler::Dialect;
use crate::assembler::lines::is_word;
use crate::assembler::symbols::{Symbol, SymbolKind};
use crate::describe::{self, NAMED_REGISTERS, NamedRegister};
use crate::instruction::InstructionSet;
use crate::instruction::form::{InstDesc, ScalarSet, Slot, SlotKind, SourceSet};
use crate::instruction::modifier::{self, Flag, Key, SELECTIONS, UNUSED};
use crate::instruction::names::{self, NameKind};
use crate::instruction::special::EXPORT_TARGETS;
use crate::service::View;
use crate::service::statement::{First, Statement};

/// Offers what the operand at a place takes, and the modifiers where there may be some.
pub(super) fn operands(
    view: View<'_>,
    statement: &Statement<'_>,
    offset: TextSize,
) -> Vec<CompletionItem> {
    let First::Word(word) = statement.first else { return Vec::new() };
    let program = view.program;
    let set = InstructionSet::in_dialect(program.target, program.dialect);
    let forms = set.forms_written(statement.slice(word));
    let Some(place) = OperandContext::of(statement, &forms, offset) else { return Vec::new() };
    let generation = program.target.generation();
    let slots = || forms.iter().filter_map(|form| positional(form).nth(place.operand));
    if slots().any(|slot| slot.kind == SlotKind::Branch) {
        return labels_near(view, offset);
    }
    let mut items = Vec::new();
    if !place.is_behind && place.call.is_empty() {
        for register in slots().flat_map(|slot| specials(slot.kind, generation)) {
            push(&mut items, item(register.name, CompletionKind::Register, register.page));
        }
    }
    for slot in slots() {
        words(slot.kind, &place, generation, program.dialect, &mut items);
    }
    if let Some(values) = place.key.map(values_of) {
        values.iter().for_each(|it| push(&mut items, item(it, CompletionKind::Word, "")));
    }
    if place.is_behind {
        for form in &forms {
            // Where operands are still to come no modifier stands.
            let wanted = positional(form).filter(|slot| slot.default.is_none()).count();
            if wanted <= place.operand + 1 {
                modifiers(form, &place, &mut items);
            }
        }
    }
    items.extend(named(view, CompletionKind::Symbol));
    items.extend(named(view, CompletionKind::Label));
    items
}

/// The place in a statement where something is typed.
struct OperandContext<'a> {
    /// As the slots of the forms count.
    operand: usize,
    /// True if the operand is there already: what follows is a modifier.
    is_behind: bool,
    /// The word before the parenthesis that the place is within, `hwreg`; else empty.
    call: &'a str,
    /// The modifier whose value the place is.
    key: Option<Key>,
    /// The text before the word that is typed, and behind it.
    around: (&'a str, &'a str),
}

impl<'a> OperandContext<'a> {
    fn of(
        statement: &'a Statement<'_>,
        forms: &[&InstDesc],
        offset: TextSize,
    ) -> Option<OperandContext<'a>> {
        let First::Word(word) = statement.first else { return None };
        let commas = statement.operand_at(offset)?;
        let operand = forms.first().and_then(|form| statement.slot_at(form, offset));
        let operand = operand.unwrap_or(commas);
        let before = statement.slice(TextRange::new(word.end(), offset));
        let end = TextSize::new((statement.start() + statement.length()) as u32);
        let after = statement.slice(TextRange::new(offset, end.max(offset)));
        let before = &before[..before.len() - last_word(before).len()];
        let mut open = Vec::new();
        for (at, byte) in before.bytes().enumerate() {
            match byte {
                b'(' | b'[' => open.push(at),
                b')' | b']' => drop(open.pop()),
                _ => {}
            }
        }
        let last = before.trim_ascii_end();
        let ends = |byte: &u8| is_word(*byte) || matches!(byte, b')' | b']' | b'|');
        Some(OperandContext {
            operand,
            // Behind the target of an export the next operand begins.
            is_behind: open.is_empty()
                && (operand, commas) != (1, 0)
                && last.as_bytes().last().is_some_and(ends),
            call: open.last().map_or("", |at| last_word(&before[..*at])),
            key: last.strip_suffix(':').and_then(|it| Some(modifier::key(last_word(it))?.1)),
            around: (before, after),
        })
    }

    /// Tells whether a word stands there already.
    fn has(&self, word: &str) -> bool {
        let mut words = [self.around.0, self.around.1].into_iter();
        words.any(|text| {
            text.split(|it: char| !it.is_ascii() || !is_word(it as u8)).any(|it| it == word)
        })
    }
}

fn positional(form: &InstDesc) -> impl Iterator<Item = &Slot> {
    form.slots().iter().filter(|slot| slot.is_positional())
}

/// Forms overlap: what one has offered the next does not.
fn push(items: &mut Vec<CompletionItem>, new: CompletionItem) {
    if items.iter().all(|known| known.label != new.label) {
        items.push(new);
    }
}

/// The registers with names that an operand takes.
fn specials(
    kind: SlotKind,
    generation: Generation,
) -> impl Iterator<Item = &'static NamedRegister> {
    let takes = move |it: &NamedRegister| match kind {
        SlotKind::Scalar { dwords, set, .. } => {
            let is_exec = it.name.starts_with("exec");
            let is_left_out = match set {
                ScalarSet::All => false,
                ScalarSet::NoM0NoExec => is_exec || it.name == "m0",
                ScalarSet::NoExecHigh => it.name == "exec_hi",
            };
            it.dwords == dwords && !it.is_read_only && !is_left_out
        }
        SlotKind::Mask => it.dwords == 2,
        SlotKind::Vcc => it.name == "vcc",
        SlotKind::ScalarSource { ty, .. } => it.dwords == ty.dwords(),
        SlotKind::Source(source) => {
            let is_scalar = matches!(
                source.from,
                SourceSet::Literal | SourceSet::Inline | SourceSet::SdwaInline
            );
            is_scalar && it.dwords == source.ty.dwords()
        }
        SlotKind::Lane { .. } | SlotKind::ScalarOffset(_) => it.dwords == 1,
        _ => false,
    };
    let exists = move |it: &&NamedRegister| {
        generation != Generation::Gfx6 || !it.name.starts_with("flat_scratch")
    };
    NAMED_REGISTERS.iter().filter(exists).filter(move |it| takes(it))
}

/// The words that an operand takes in the place of registers and numbers.
fn words(
    kind: SlotKind,
    place: &OperandContext<'_>,
    generation: Generation,
    dialect: Dialect,
    items: &mut Vec<CompletionItem>,
) {
    let mut offer = |label: &str, word: &str| {
        let detail = describe::word(word).map_or("", |info| info.summary);
        push(items, item(label, CompletionKind::Word, detail));
    };
    let is_first = !place.is_behind && place.call.is_empty();
    match kind {
        SlotKind::WaitCounters if place.call.is_empty() => {
            for counter in ["vmcnt", "lgkmcnt", "expcnt"].into_iter().filter(|it| !place.has(it)) {
                offer(&format!("{counter}(0)"), counter);
            }
        }
        // The other dialect has names of its own for some, and the old ones for the rest.
        SlotKind::HardwareRegister | SlotKind::Message if dialect == Dialect::Llvm => {
            let (function, kind) = match kind {
                SlotKind::Message => ("sendmsg", NameKind::Message),
                _ => ("hwreg", NameKind::HardwareRegister),
            };
            let kind = match (place.has("MSG_GS"), place.has("MSG_SYSMSG")) {
                _ if !place.around.0.contains(',') || function == "hwreg" => kind,
                (true, _) => NameKind::GeometryOperation,
                (_, true) => NameKind::SystemOperation,
                _ => return,
            };
            for name in names::of_kind(kind, generation.features()) {
                match place.call {
                    "" if is_first => offer(&format!("{function}({name})"), function),
                    call if call == function => offer(name, function),
                    _ => {}
                }
            }
        }
        SlotKind::ExportTarget if is_first => {
            for (name, _, count) in EXPORT_TARGETS {
                match count {
                    1 => offer(name, name),
                    _ => {
                        (0..count).for_each(|it| offer(&format!("{name}{it}"), &format!("{name}0")))
                    }
                }
            }
        }
        SlotKind::Off { .. } | SlotKind::ExportSource { .. } if is_first => offer("off", "off"),
        SlotKind::AttributePart if is_first => {
            ["p10", "p20", "p0"].iter().for_each(|it| offer(it, it));
        }
        _ => {}
    }
}

/// The words that a modifier has as values.
fn values_of(key: Key) -> &'static [&'static str] {
    match key {
        Key::DstSel | Key::Src0Sel | Key::Src1Sel => &SELECTIONS,
        Key::DstUnused => &UNUSED,
        _ => &[],
    }
}

/// The modifiers of a form that are not there yet.
fn modifiers(form: &InstDesc, place: &OperandContext<'_>, items: &mut Vec<CompletionItem>) {
    let slots = form.slots().iter().filter(|slot| !slot.is_positional());
    for info in slots.flat_map(|slot| describe::words().iter().filter(|it| belongs(it.name, slot)))
    {
        // What has no address register takes no word of what it holds.
        let is_of_address = matches!(info.name, "offen" | "idxen" | "addr64") && place.has("off");
        if !is_of_address && !place.has(info.name) {
            let colon = if modifier::key(info.name).is_some() { ":" } else { "" };
            let label = format!("{}{colon}", info.name);
            let item = item(&label, CompletionKind::Word, info.summary);
            push(items, with_page(item, MODIFIERS, info.name));
        }
    }
}

/// Tells whether a word says what a slot holds.
fn belongs(word: &str, slot: &Slot) -> bool {
    match slot.kind {
        SlotKind::Flag(flag) => flag != Flag::Off && flag.name() == word,
        SlotKind::CachePolicy { .. } => modifier::cache::taken(slot).any(|it| it == word),
        SlotKind::Format => word == "format",
        SlotKind::Number { key, .. } | SlotKind::List { key, .. } => {
            modifier::key(word).is_some_and(|(_, it)| it == key)
                || (key == Key::DppCtrl && modifier::bare_movement(word).is_some())
        }
        _ => false,
    }
}

/// The labels or the other symbols of the program.
/// The labels of a program, the nearest to a place of its file first.
fn labels_near(view: View<'_>, offset: TextSize) -> Vec<CompletionItem> {
    let mut labels: Vec<_> = named_symbols(view, CompletionKind::Label)
        .map(|symbol| {
            let here = symbol.definitions.iter().filter(|it| it.span.source == view.source);
            let distances = here.map(|it| u32::from(it.span.range.start()).abs_diff(offset.into()));
            (distances.min().unwrap_or(u32::MAX), symbol)
        })
        .collect();
    labels.sort_by_key(|(distance, _)| *distance);
    labels.iter().map(|(_, symbol)| item(&symbol.name, CompletionKind::Label, "label")).collect()
}

fn named(view: View<'_>, kind: CompletionKind) -> Vec<CompletionItem> {
    let detail = if kind == CompletionKind::Label { "label" } else { "symbol" };
    named_symbols(view, kind).map(|it| item(&it.name, kind, detail)).collect()
}

fn named_symbols(view: View<'_>, kind: CompletionKind) -> impl Iterator<Item = &Symbol> {
    view.program.expansion.symbols().iter().filter(move |it| {
        let is_label = it.kind == SymbolKind::Label;
        it.kind != SymbolKind::Predefined
            && !it.definitions.is_empty()
            && is_label == (kind == CompletionKind::Label)
    })
}

//! Hovers over the word under the cursor.

use std::fmt::Write as _;

use editor_model::{Hover, HoverLink};
use source::{TextRange, TextSize};

use super::blocks::is_foreign;
use super::statement::{First, OperandWord, Statement, WordKind, statement_at};
use super::{View, registers};
use crate::analysis::image_address;
use crate::assembler::editor::{NameAt, NameKind};
use crate::assembler::symbols::SymbolKind;
use crate::describe;
use crate::expression::Value;
use crate::instruction::modifier::Key;
use crate::instruction::{Family, InstructionSet};
use crate::mnemonics::{OpInfo, op_info};

/// The hover of the word at an offset.
pub fn hover(view: View<'_>, offset: TextSize) -> Option<Hover> {
    let statement = statement_at(view, offset);
    if !statement.holds(offset) || is_foreign(view, offset) {
        return None;
    }
    if let Some(name) = view.program.expansion.name_at(view.source, offset)
        && let Some(markdown) = name_page(view, &name)
    {
        let places = view.program.expansion.definitions(&name);
        let here = places.iter().filter(|place| place.source == view.source);
        let links = links(view, here.map(|place| place.range));
        return Some(Hover { range: name.span.range, markdown, links });
    }
    let plain = |range, markdown| Hover { range, markdown, links: Vec::new() };
    if let First::Word(range) = statement.first
        && range.contains_inclusive(offset)
    {
        return first_page(view, &statement, range).map(|markdown| plain(range, markdown));
    }
    if view.program.unsupported.is_some() {
        return None;
    }
    let word = statement.words().into_iter().find(|word| word.range.contains_inclusive(offset))?;
    let found = registers::find(view, offset);
    let mut hover = word_page(&statement, word).map(|markdown| plain(word.range, markdown))?;
    if let Some(found) = found {
        hover.markdown.push_str(&registers::summary(&found));
        let places = registers::definitions(view, offset).into_iter().flat_map(|(_, it)| it);
        let here = places.map(|place| place.whole).filter(|whole| whole.source == view.source);
        let elsewhere = here.map(|whole| whole.range).filter(|it| !it.contains_range(word.range));
        hover.links = links(view, elsewhere.take(MOST_LINKS));
    }
    Some(hover)
}

fn links(view: View<'_>, places: impl Iterator<Item = TextRange>) -> Vec<HoverLink> {
    let title = |range| view.text().get(std::ops::Range::from(range)).unwrap_or_default();
    places.map(|range| HoverLink { title: title(range).to_owned(), range }).collect()
}

/// So many of the places that wrote a value are linked.
const MOST_LINKS: usize = 8;

/// The page of a mnemonic as it is used here, or of a directive.
fn first_page(view: View<'_>, statement: &Statement<'_>, range: TextRange) -> Option<String> {
    let word = statement.slice(range);
    if word.starts_with('.') {
        return describe::directive(word).map(|info| {
            let here = info.dialects.contains(&view.program.expansion.dialect);
            let note = if here { "" } else { "This file's dialect does not have it.\n\n" };
            note.to_owned() + &info.markdown()
        });
    }
    let program = view.program;
    if let Some(unsupported) = &program.unsupported {
        return Some(format!("Read for {unsupported}, which is not supported yet.\n"));
    }
    let set = InstructionSet::in_dialect(program.target, program.dialect);
    let used = view.instruction_at(range.start()).and_then(|instruction| {
        let assembled = instruction.assembled?;
        let text = program.text(instruction);
        // A listing names the first register of an address, or as many as there may be.
        let address = match program.listing {
            None => image_address(text, assembled.words(), program.target),
            Some(_) => None,
        };
        let page = describe::written_instruction(assembled.words(), address, set).ok()?;
        let place = format!("\nAt byte {:#x} of its section.\n", instruction.offset);
        Some(page + &place)
    });
    used.or_else(|| op_info(word).map(describe::mnemonic))
}

/// Describes a macro, parameter, symbol or label.
fn name_page(view: View<'_>, name: &NameAt) -> Option<String> {
    let expansion = &view.program.expansion;
    match name.kind {
        NameKind::Macro(index) => {
            let macro_ = expansion.macros.get(index as usize)?;
            let mut page = String::from("```gcn\n.macro ");
            page.push_str(&macro_.name);
            for (place, parameter) in macro_.parameters.iter().enumerate() {
                page.push_str(if place == 0 { " " } else { ", " });
                page.push_str(&parameter.name);
                match &parameter.default {
                    Some(default) => {
                        let _ = write!(page, "={}", default.text);
                    }
                    None if parameter.required => page.push_str(":req"),
                    None if parameter.variadic => page.push_str(":vararg"),
                    None => {}
                }
            }
            let calls = match macro_.calls {
                1 => "once".to_owned(),
                calls => format!("{calls} times"),
            };
            let _ = write!(page, "\n```\nA macro, expanded {calls} in all.\n");
            if let Some(expanded) = expansion.expanded_at(view.source, name.span.range.start()) {
                page.push_str(&preview(&expanded));
            }
            Some(page)
        }
        NameKind::Parameter { macro_index, index } => {
            let macro_ = expansion.macros.get(macro_index as usize)?;
            let parameter = macro_.parameters.get(index)?;
            let default = parameter.default.as_ref();
            let default = default.map(|it| format!(", `{}` where a call gives none", it.text));
            let name = &parameter.name;
            Some(format!(
                "**{name}**: a parameter of `{}`{}",
                macro_.name,
                default.unwrap_or_default()
            ))
        }
        NameKind::Symbol(id) => {
            let symbol = expansion.symbol(id);
            let name = &symbol.name;
            let kind = match symbol.kind {
                SymbolKind::Label => "a label",
                SymbolKind::Variable => "a symbol",
                SymbolKind::Constant => "a constant",
                SymbolKind::Expression => "a symbol, evaluated at each use",
                SymbolKind::Predefined => "set by the assembler",
            };
            let label = view.program.label(name).and_then(|label| {
                let instruction = view.program.instructions.get(label.instruction as usize)?;
                Some(format!(" at byte {:#x} of its section", instruction.offset))
            });
            let mut page = format!("**{name}**: {kind}{}\n", label.unwrap_or_default());
            let absolute = |value| match value {
                Value::Absolute(value) => Some(value),
                _ => None,
            };
            let mut values: Vec<i64> = symbol.values().filter_map(absolute).collect();
            values.dedup();
            for value in values.iter().take(8) {
                let _ = write!(page, "\n- {}", number_views(*value));
            }
            if values.len() > 8 {
                let _ = write!(page, "\n- and {} more values", values.len() - 8);
            }
            Some(page)
        }
        NameKind::NumericLabel => {
            Some(format!("**{}**: a numeric label", expansion.source_text(name.span)))
        }
    }
}

/// Lines of an expansion that a hover shows.
const PREVIEW_LINES: usize = 12;

fn preview(expanded: &str) -> String {
    let lines: Vec<&str> = expanded.lines().collect();
    let shown = lines[..lines.len().min(PREVIEW_LINES)].join("\n");
    let more = lines.len().saturating_sub(PREVIEW_LINES);
    let rest = if more > 0 { format!("\n// and {more} more lines") } else { String::new() };
    format!("\nIt expands to\n```gcn\n{shown}{rest}\n```\n")
}

/// Describes a register, number or modifier.
fn word_page(statement: &Statement<'_>, word: OperandWord) -> Option<String> {
    let text = statement.slice(word.range);
    let is_of_images = op_info(&statement.word().to_ascii_lowercase());
    if is_of_images.is_some_and(OpInfo::is_of_images)
        && let Some(page) = modifier_of_images(statement, word)
    {
        return Some(page);
    }
    match word.kind {
        WordKind::Registers { family, first, last } => {
            let kind = match family {
                Family::Vector => "vector register",
                Family::Scalar => "scalar register",
                Family::Accumulator => "accumulation register",
                Family::Trap => "register of the trap handler",
            };
            Some(match last - first {
                0 => format!("**{text}**: {kind} {first}"),
                more => format!("**{text}**: {} {kind}s, {first} to {last}", more + 1),
            })
        }
        WordKind::Number => {
            if text.contains('.')
                && let Ok(float) = text.parse::<f32>()
            {
                let bits = float.to_bits();
                return Some(format!("`{text}` = `{bits:#010x}` as a float of 32 bits"));
            }
            let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                Some(digits) => i64::from_str_radix(digits, 16).ok()?,
                None => text.parse().ok()?,
            };
            Some(number_views(value))
        }
        WordKind::Name => describe::named_register(&text.to_ascii_lowercase())
            .map(|register| format!("**{}**: {}", register.name, register.page))
            .or_else(|| describe::named_number(text))
            .or_else(|| describe::word(text).map(describe::WordInfo::markdown)),
        WordKind::Parameter | WordKind::Text => None,
    }
}

/// Describes a modifier that image instructions alone have, as it is used.
fn modifier_of_images(statement: &Statement<'_>, word: OperandWord) -> Option<String> {
    let name = statement.slice(word.range).to_ascii_lowercase();
    let page = || describe::word(&name).map(describe::WordInfo::markdown);
    if name == "a16" {
        return page();
    }
    if name != Key::Dmask.name() {
        return None;
    }
    let behind = statement.behind(word.range);
    let value = behind.strip_prefix(':')?.split([' ', '\t', ',']).next()?;
    let mask = match value.strip_prefix("0x") {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => value.parse(),
    };
    let mask = mask.ok()?;
    let names = ["red", "green", "blue", "alpha"].into_iter().enumerate();
    let moved = names.filter(|(place, _)| mask >> place & 1 == 1).map(|(_, name)| name);
    let moved: Vec<&str> = moved.collect();
    let moved = if moved.is_empty() { "no component".to_owned() } else { moved.join(", ") };
    Some(format!("`dmask:{value}`: {moved}\n\n{}", page()?))
}

/// A number in the views that one may want of it.
fn number_views(value: i64) -> String {
    let mut views = format!("`{value}` = `{value:#x}`");
    if let Ok(bits) = u32::try_from(value)
        && bits > 0xffff
    {
        let _ = write!(views, " = `{:?}` as a float", f32::from_bits(bits));
    }
    views
}

//! Hovers: the page of the word under the cursor, from the
//! tables, and what it means here (the declaration, the values, the machine
//! code).

mod in_use;

use std::fmt::Write as _;

use editor_model::{CompiledState, Hover, HoverLink};
use salsa::Database;
use source::{TextRange, TextSize};
use tgsi::ast::{Component, Immediate, Register, Shader, StatementKind};
use tgsi::cursor::{self, Found, What};
use tgsi::opcodes::ValueType;
use tgsi::service::declared::Declared;
use tgsi::words::{ImmediateType, Modifier};
use tgsi::{describe, formats, values};

use crate::ide::compiled::{CompiledRef, compiled_code};
use crate::ide::{costs, needs};
use crate::inputs::File;
use crate::queries::rules::directives;
use crate::queries::shaders;

pub(super) fn hover(db: &dyn Database, file: File, offset: TextSize) -> Option<Hover> {
    let (shader, place) = shaders::at(db, file, offset)?;
    let index = shader.index(db);
    let map = shaders::map(db, file, index)?;
    let parse = shaders::parse(db, shader);
    let ast = parse.shader.as_ref()?;
    let text = shader.text(db);
    let found = cursor::at(&text, ast, place)?;
    let statement = cursor::statement_at(ast, place);
    let instruction = statement.and_then(|statement| match &statement.kind {
        StatementKind::Instruction(instruction) => Some(instruction),
        _ => None,
    });
    let mut markdown = String::new();
    if let (What::Opcode(_), Some(instruction)) = (&found.what, instruction) {
        markdown = in_use::instruction(ast, instruction);
    }
    // What it became here comes before what is true of it everywhere.
    if let (What::Opcode(_), Some(statement)) = (&found.what, statement) {
        let mut became = machine_code(db, file, index, map.to_file(statement.range));
        became.push_str(&costs::of_place(db, file, offset).unwrap_or_default());
        if let Some(became) = became.strip_prefix(RULE) {
            let _ = write!(markdown, "{became}{RULE}");
        }
    }
    markdown.push_str(&page(&found, ast, &text)?);
    if let What::Stage(stage) = &found.what {
        markdown.push_str(&needs::summary(db, file, shader, *stage));
    }
    if let What::Register(_) = &found.what {
        markdown.push_str(&in_use::register(ast, &text, place));
    }
    let links = in_use::links(ast, &text, &found, instruction, place);
    let links = links.into_iter().map(|link| HoverLink { range: map.to_file(link.range), ..link });
    Some(Hover { range: map.to_file(found.range), markdown, links: links.collect() })
}

/// The line between the parts of a hover.
const RULE: &str = "\n---\n";

/// The page of what was found. Numbers that mean nothing have none.
fn page(found: &Found<'_>, shader: &Shader, text: &str) -> Option<String> {
    Some(match &found.what {
        What::Stage(stage) => describe::page(stage.row()),
        What::Word(row) => describe::page(row),
        What::Opcode(opcode) => opcode_page(*opcode, &text[found.range]),
        What::Register(register) => register_page(register, shader, text),
        What::ImmediateValue => immediate_value(found.range, shader)?,
        What::Label(number) => in_use::label(*number, shader, text)?,
        What::Format(name) => describe::format(formats::find(name)?),
        What::Number => return None,
    })
}

/// The opcode's page, and those of the modifiers that are written here.
fn opcode_page(opcode: tgsi::Opcode, word: &str) -> String {
    let mut page = describe::opcode(opcode);
    let modifiers = word.to_ascii_uppercase();
    let written = modifiers.strip_prefix(opcode.mnemonic()).unwrap_or_default();
    let signed = written.contains("_SATNV") || written.contains("_SSAT");
    for modifier in [Modifier::SignedSaturate, Modifier::Saturate, Modifier::Precise] {
        let stands = match modifier {
            Modifier::SignedSaturate => signed,
            _ => written.contains(modifier.word()) && !(signed && modifier == Modifier::Saturate),
        };
        if stands {
            let _ = write!(page, "\n---\n{}", describe::page(modifier.row()));
        }
    }
    page
}

/// The register's declaration or value, then the page of its file.
fn register_page(register: &Register, shader: &Shader, text: &str) -> String {
    let mut page = String::new();
    match Declared::new(shader).immediate(register) {
        Some(immediate) => {
            let _ = write!(page, "```tgsi\n{}\n```\n", values(register.index.offset, immediate));
        }
        None => page.push_str(&in_use::declarations(shader, text, register.range.start())),
    }
    page.push_str(&describe::page(register.file.row()));
    page
}

/// `IMM[0] = (1, 0.5, 0, 0)`
fn values(index: i32, immediate: &Immediate) -> String {
    let ty = immediate.ty.value;
    let values = values::words(value_type(ty), &immediate.bits);
    format!("IMM[{index}] {ty} = ({})", values.join(", "))
}

fn value_type(ty: ImmediateType) -> ValueType {
    match ty {
        ImmediateType::Float32 => ValueType::Float,
        ImmediateType::Unsigned32 => ValueType::Unsigned,
        ImmediateType::Signed32 => ValueType::Signed,
        ImmediateType::Float64 => ValueType::Double,
        ImmediateType::Unsigned64 => ValueType::Unsigned64,
        ImmediateType::Signed64 => ValueType::Signed64,
    }
}

/// A value of an immediate in the views that one may want of its bits.
fn immediate_value(range: TextRange, shader: &Shader) -> Option<String> {
    let (immediate, place) = shader.immediates().find_map(|immediate| {
        let place = immediate.values.iter().position(|value| *value == range)?;
        Some((immediate, place))
    })?;
    let ty = immediate.ty.value;
    if immediate.values.len() == 2 {
        let pair = immediate.bits.get(place * 2..place * 2 + 2)?;
        let components = ["xy", "zw"][place.min(1)];
        return Some(format!(
            "**{components}** = {}",
            values::words(value_type(ty), pair).concat()
        ));
    }
    let bits = *immediate.bits.get(place)?;
    let component = Component::ALL.get(place)?.letter();
    let float = f32::from_bits(bits);
    Some(format!("**{component}** = {float:?} as a float, {} as an int, 0x{bits:08x}", bits as i32))
}

/// The machine code of a statement on the main target, if there is any.
fn machine_code(db: &dyn Database, file: File, shader: usize, statement: TextRange) -> String {
    let Some(target) = directives::main_target(db, file, shader) else { return String::new() };
    let reference = CompiledRef::new(shader, target);
    let Some(code) = compiled_code(db, file, &reference) else { return String::new() };
    let Some(compiled) = &code.compiled else { return String::new() };
    let lines: Vec<&str> = code
        .sources
        .iter()
        .zip(&compiled.instructions)
        .filter(|(source, _)| **source == Some(statement))
        .map(|(_, instruction)| instruction.text.as_str())
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    let age = match code.state {
        CompiledState::Fresh => "",
        _ => ", compiled from an earlier version of the text",
    };
    format!("{RULE}{}{age}:\n```gcn\n{}\n```\n", target.name(), lines.join("\n"))
}

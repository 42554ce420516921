//! The pages of opcodes and words as Markdown, for hovers and `explain`.
//!
//! Everything said here comes from the rows of the tables; this file only
//! arranges it: a heading, how it is written or what it computes, what it
//! means, where and since when it is legal, and the source.

mod documented;
mod formats;
mod reference;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

pub use documented::{Documented, documented, documented_name};
pub(crate) use formats::returned;
pub use formats::{TextureComponents, format, texture_components};
pub use reference::{ReferenceSection, dumps, reference};

use crate::Opcode;
use crate::capabilities::{self, CapabilityKind};
use crate::opcodes::{OpInfo, OutputMode, ValueType};
use crate::word_rows::{self, WordRow};

/// The page of an opcode.
pub fn opcode(opcode: Opcode) -> String {
    let row = opcode.row();
    let mut page = format!("```tgsi\n{}\n```\n", signature(row));
    code_block(&mut page, "text", row.formula);
    let _ = write!(page, "\n{}\n", row.description);
    components(&mut page, row);
    legality(&mut page, row.stages, row.since, row.until);
    demands(&mut page, "opcode", row.mnemonic);
    replacement(&mut page, row.replacement);
    let _ = write!(page, "\n*{}*\n", row.source);
    page
}

/// Writes how the components of the result come from those of the sources.
fn components(page: &mut String, row: &OpInfo) {
    let wide = |ty: &ValueType| ty.is_wide();
    let mut types = row.destination_types.iter().chain(row.source_types);
    let behaviour = match row.output {
        _ if row.destinations == 0 => return,
        OutputMode::Componentwise if types.any(wide) => {
            "in pairs, since `xy` and `zw` each hold one 64-bit value"
        }
        OutputMode::Componentwise => "each from the same component of the sources",
        OutputMode::Replicate => "one scalar, the same in every component of the mask",
        OutputMode::ChannelDependent => "each by a rule of its own",
        OutputMode::None | OutputMode::Other => return,
    };
    let _ = write!(page, "\nComponents: {behaviour}\n");
}

/// Writes the answers that the word needs of a driver, a line for each kind of answer.
fn demands(page: &mut String, list: &str, word: &str) {
    let kinds = [
        (CapabilityKind::Need, "Needs"),
        (CapabilityKind::Limit, "Limited by"),
        (CapabilityKind::Choice, "Depends on"),
    ];
    for (kind, verb) in kinds {
        let rows = capabilities::of(list, word).filter(|row| row.kind == kind);
        let names: Vec<String> = rows
            .map(|row| match row.when {
                "" => format!("`{}`", row.name),
                when => format!("`{}` ({when})", row.name),
            })
            .collect();
        if !names.is_empty() {
            let _ = write!(page, "\n{verb} {}\n", names.join(", "));
        }
    }
}

/// The operands of an opcode in one line, such as
/// `MAD dst: float, src0: float, src1: float, src2: float`.
pub fn signature(row: &OpInfo) -> String {
    let mut operands = Vec::new();
    for (number, ty) in row.destination_types.iter().enumerate() {
        let name = match row.destinations {
            1 => "dst".to_owned(),
            _ => format!("dst{number}"),
        };
        operands.push(operand(row, &name, *ty));
    }
    for (number, ty) in row.source_types.iter().enumerate() {
        operands.push(operand(row, &format!("src{number}"), *ty));
    }
    if row.texture {
        operands.push("TARGET".to_owned());
    }
    let separator = if operands.is_empty() { "" } else { " " };
    let label = if row.label { " [:label]" } else { "" };
    format!("{}{separator}{}{label}", row.mnemonic, operands.join(", "))
}

/// An operand with what it must be. Formulas name operands that are resources
/// by their kind; a type would say nothing about them.
fn operand(row: &OpInfo, name: &str, ty: ValueType) -> String {
    const KINDS: [&str; 5] = ["sampler", "view", "image", "resource", "output"];
    let named = KINDS.iter().find(|kind| row.formula.contains(&format!("{kind} {name}")));
    let kind = match named {
        Some(kind) => kind,
        None if row.formula.contains(&format!("{name}[")) => "resource",
        None => type_name(ty),
    };
    format!("{name}: {kind}")
}

/// Returns how pages call a type.
pub fn type_name(ty: ValueType) -> &'static str {
    match ty {
        ValueType::Untyped => "bits",
        ValueType::Float => "float",
        ValueType::Signed => "int",
        ValueType::Unsigned => "uint",
        ValueType::Double => "double",
        ValueType::Signed64 => "int64",
        ValueType::Unsigned64 => "uint64",
    }
}

/// The page of a word of the named list; `None` for a word the list does not
/// have. Letter case counts: it is the spelling of the enum.
pub fn word(list: &str, word: &str) -> Option<String> {
    word_rows::find(list, word).map(page)
}

/// The page of a word.
pub fn page(row: &WordRow) -> String {
    let mut page = format!("**`{}`** {}\n\n{}\n", row.word, list_name(row.list), row.description);
    if !row.value.is_empty() {
        let _ = write!(page, "\n{}: {}\n", value_name(row.list), row.value);
    }
    legality(&mut page, row.stages, row.since, row.until);
    demands(&mut page, row.list, row.word);
    replacement(&mut page, row.replacement);
    let _ = write!(page, "\n*{}*\n", row.source);
    page
}

/// Returns what a list's words are, in words.
fn list_name(list: &str) -> &str {
    match list {
        "file" => "register file",
        "target" => "texture target",
        "location" => "interpolation location",
        "immediate" => "immediate type",
        "return" => "return type",
        "memory" => "kind of memory",
        "qualifier" => "memory qualifier",
        "origin" => "coordinate origin",
        "center" => "pixel centre",
        "keyword" => "",
        other => other,
    }
}

/// Returns what the `value` column of a list tells.
fn value_name(list: &str) -> &'static str {
    match list {
        "semantic" => "Components",
        "target" => "Coordinates",
        "file" | "modifier" | "keyword" => "Form",
        _ => "Value",
    }
}

/// Writes the stages and the dates: `FRAG · since 2014-08-14`.
fn legality(page: &mut String, stages: &str, since: &str, until: &str) {
    let mut parts = Vec::new();
    if stages != "any" {
        parts.push(stages.replace("any ", ""));
    }
    match (since, until) {
        ("", _) => {}
        (since, "") => parts.push(format!("since {since}")),
        (since, until) => parts.push(format!("{since} to {until}")),
    }
    if !parts.is_empty() {
        let _ = write!(page, "\n{}\n", parts.join(" · "));
    }
}

/// Writes the replacement of a historic opcode or word.
fn replacement(page: &mut String, replacement: &str) {
    match replacement.strip_prefix("none") {
        _ if replacement.is_empty() => {}
        Some("") => page.push_str("\n**Historic**, and it has no replacement.\n"),
        Some(why) => {
            let why = why.trim_start_matches([':', ' ']);
            let _ = write!(page, "\n**Historic**, and it has no direct replacement: {why}.\n");
        }
        // Whole instructions; anything else is a name or a hint.
        None if replacement.contains("; ") || replacement.contains(" dst") => {
            page.push_str("\n**Historic.** Today:\n");
            code_block(page, "tgsi", replacement);
        }
        None => {
            let _ = write!(page, "\n**Historic.** Today: {replacement}.\n");
        }
    }
}

/// The steps of a formula or replacement, one to a line.
fn code_block(page: &mut String, language: &str, steps: &str) {
    let _ = write!(page, "\n```{language}\n{}\n```\n", steps.replace("; ", "\n"));
}

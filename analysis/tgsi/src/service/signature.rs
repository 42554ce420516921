//! The operands of the instruction under the cursor, and which one the cursor
//! is in.

use editor_model::{Parameter, Signature};
use source::TextSize;

use super::statement_start::{Beginning, Lexeme, beginning};
use crate::Opcode;
use crate::describe;
use crate::lexer::TokenKind;
use crate::opcodes::OutputMode;
use crate::vocabulary;

/// The signature of the instruction that the cursor is in; `None` elsewhere.
pub fn signature(text: &str, offset: TextSize) -> Option<Signature> {
    let Beginning { pieces, .. } = beginning(text, offset)?;
    let (first, rest) = pieces.split_first()?;
    let opcode = vocabulary::opcode(first.text)?.opcode;
    let row = opcode.row();
    let label = describe::signature(row);
    let names = &label[row.mnemonic.len()..];
    let names = names.strip_suffix(" [:label]").unwrap_or(names).trim();
    let mut operands = Vec::new();
    let mut at = row.mnemonic.len() + 1;
    for name in names.split(", ").filter(|name| !name.is_empty()) {
        let range = at..at + name.len();
        at = range.end + 2;
        operands.push(Parameter { documentation: operand(opcode, name), range });
    }
    let current = operand_number(rest);
    let active = (current < operands.len()).then_some(current);
    let documentation = format!("`{}`\n\n{}", row.formula, row.description);
    Some(Signature { label, documentation, operands, active })
}

/// Returns how many commas outside of brackets stand before the cursor.
pub(super) fn operand_number(pieces: &[Lexeme<'_>]) -> usize {
    pieces.iter().filter(|piece| piece.kind == TokenKind::Comma).count()
}

/// Returns what an operand is for: which of its components the formula takes.
fn operand(opcode: Opcode, name: &str) -> String {
    let row = opcode.row();
    if name == "TARGET" {
        return "The shape of the texture.".to_owned();
    }
    let (name, kind) = name.split_once(": ").unwrap_or((name, ""));
    if name.starts_with("dst") {
        let how = match row.output {
            OutputMode::Componentwise => "each component of the mask by itself",
            OutputMode::Replicate => "one value for every component of the mask",
            OutputMode::ChannelDependent => "each component by a rule of its own",
            OutputMode::None | OutputMode::Other => "the result",
        };
        return format!("Destination, {kind}: {how}.");
    }
    let letters = components(row.formula, name);
    let components = match letters.as_str() {
        "" => String::new(),
        "c" => ", component by component".to_owned(),
        letters => format!("; reads {letters}"),
    };
    let role = role(row.formula, name).map_or_else(String::new, |role| format!("{role}, "));
    format!("Source, {role}{kind}{components}.")
}

/// Returns what the formula calls an operand: `coordinates`, `level`, `bias`.
fn role<'a>(formula: &'a str, name: &str) -> Option<&'a str> {
    let before = &formula[..formula.find(name)?];
    let word = before.strip_suffix(' ')?.rsplit([' ', '(', ',']).next()?;
    let is_role =
        word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'/');
    // The kind of a resource is told by its type.
    let kinds = ["sampler", "view", "image", "resource", "output"];
    (is_role && !kinds.contains(&word)).then_some(word)
}

/// The letters that the formula takes of an operand, in order and once each.
fn components(formula: &str, name: &str) -> String {
    let mut letters = String::new();
    for (at, _) in formula.match_indices(name) {
        let tail = formula[at + name.len()..].strip_prefix('.').unwrap_or_default();
        for letter in tail.chars().take_while(|letter| "xyzwc".contains(*letter)) {
            if !letters.contains(letter) {
                letters.push(letter);
            }
        }
    }
    letters
}

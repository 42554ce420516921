//! Semantic tokens: the kind of each word of a file, for colouring.

use editor_model::{SemanticKind, SemanticToken};
use source::TextRange;

use super::View;
use super::blocks::TextBlock;
use super::statement::{First, WordKind, statements};
use crate::describe::named_register;
use crate::instruction::modifier;

/// The coloured words that touch a range, in order. Takes time linear in the text.
pub fn tokens(view: View<'_>, within: TextRange) -> Vec<SemanticToken> {
    let (text, expansion) = (view.text(), &view.program.expansion);
    let macros: rustc_hash::FxHashSet<&str> = expansion.macros.iter().map(|it| &*it.name).collect();
    let mut tokens = Vec::new();
    let mut block = TextBlock::default();
    for statement in statements(text, expansion.dialect) {
        let is_text = block.holds(&statement);
        let range = statement.range();
        if range.start() > within.end() {
            break;
        }
        if is_text || range.end() < within.start() || range.is_empty() {
            continue;
        }
        for label in &statement.labels {
            tokens.push(SemanticToken::new(*label, SemanticKind::Symbol));
        }
        let mut defines_macro = false;
        match statement.first {
            First::None => {}
            First::Assigned(range) => tokens.push(SemanticToken::new(range, SemanticKind::Symbol)),
            First::Word(range) => {
                let word = statement.slice(range);
                defines_macro = word.eq_ignore_ascii_case(".macro");
                let is_macro = macros.contains(word);
                let kind = match (word.starts_with('.'), is_macro) {
                    (true, false) => SemanticKind::Keyword,
                    (_, true) => SemanticKind::Macro,
                    (false, false) => SemanticKind::Opcode,
                };
                tokens.push(SemanticToken::new(range, kind));
            }
        }
        for (place, word) in statement.words().into_iter().enumerate() {
            let name = statement.slice(word.range);
            let kind = match word.kind {
                WordKind::Number => SemanticKind::Number,
                WordKind::Text => SemanticKind::Text,
                WordKind::Parameter => SemanticKind::Parameter,
                WordKind::Registers { .. } => SemanticKind::Register,
                WordKind::Name if defines_macro && place == 0 => SemanticKind::Macro,
                WordKind::Name if defines_macro => SemanticKind::Parameter,
                WordKind::Name if named_register(name).is_some() => SemanticKind::Register,
                WordKind::Name => match expansion.find_symbol(name, 0) {
                    Some(_) => SemanticKind::Symbol,
                    None if modifier::flag(name).is_some() || modifier::key(name).is_some() => {
                        SemanticKind::Modifier
                    }
                    None => continue,
                },
            };
            tokens.push(SemanticToken::new(word.range, kind));
        }
    }
    tokens.retain(|token| {
        let one_line = !text[token.range].contains(['\n', '\r']);
        one_line && !token.range.is_empty() && token.range.intersect(within).is_some()
    });
    tokens
}

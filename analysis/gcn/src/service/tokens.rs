//! What each word of a file is, for colouring.

use text::TextRange;

use super::View;
use super::blocks::TextBlock;
use super::completion::special_register;
use super::statement::{First, WordKind, statements};
use crate::assembler::symbols::SymbolKind;
use crate::instruction::modifier;

/// A coloured word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its bytes, within one line.
    pub range: TextRange,
    /// What it is.
    pub kind: Kind,
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A directive.
    Directive,
    /// A mnemonic.
    Mnemonic,
    /// A macro's name, defined or called.
    Macro,
    /// A parameter of a macro.
    Parameter,
    /// A register.
    Register,
    /// A modifier.
    Modifier,
    /// A label.
    Label,
    /// A symbol with a value.
    Symbol,
    /// A number.
    Number,
    /// Text in quotes.
    Text,
}

/// The coloured words that touch a range, in order. Takes time linear in the text.
pub fn tokens(view: View<'_>, within: TextRange) -> Vec<Token> {
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
            tokens.push(Token { range: *label, kind: Kind::Label });
        }
        let mut defines_macro = false;
        match statement.first {
            First::None => {}
            First::Assigned(range) => tokens.push(Token { range, kind: Kind::Symbol }),
            First::Word(range) => {
                let word = statement.slice(range);
                defines_macro = word.eq_ignore_ascii_case(".macro");
                let is_macro = macros.contains(word);
                let kind = match (word.starts_with('.'), is_macro) {
                    (true, false) => Kind::Directive,
                    (_, true) => Kind::Macro,
                    (false, false) => Kind::Mnemonic,
                };
                tokens.push(Token { range, kind });
            }
        }
        for (place, word) in statement.words().into_iter().enumerate() {
            let name = statement.slice(word.range);
            let kind = match word.kind {
                WordKind::Number => Kind::Number,
                WordKind::Text => Kind::Text,
                WordKind::Parameter => Kind::Parameter,
                WordKind::Registers { .. } => Kind::Register,
                WordKind::Name if defines_macro && place == 0 => Kind::Macro,
                WordKind::Name if defines_macro => Kind::Parameter,
                WordKind::Name if special_register(name).is_some() => Kind::Register,
                WordKind::Name => match expansion.find_symbol(name, 0) {
                    Some(id) if expansion.symbol(id).kind == SymbolKind::Label => Kind::Label,
                    Some(_) => Kind::Symbol,
                    None if modifier::flag(name).is_some() || modifier::key(name).is_some() => {
                        Kind::Modifier
                    }
                    None => continue,
                },
            };
            tokens.push(Token { range: word.range, kind });
        }
    }
    tokens.retain(|token| {
        let one_line = !text[token.range].contains(['\n', '\r']);
        one_line && !token.range.is_empty() && token.range.intersect(within).is_some()
    });
    tokens
}

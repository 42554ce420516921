//! Completions at a place, while the statement there is unfinished.
//!
//! The place is found from the tokens before the cursor ([`statement_start`]),
//! the declared registers from the statements that are complete, and the
//! words from the tables; nothing is offered that the table forbids in this
//! stage, file or operand.
//!
//! [`statement_start`]: super::statement_start

mod declarations;
mod instructions;
mod items;
mod registers;
mod skeletons;

use editor_model::{Completion, CompletionItem, CompletionKind};
use source::{TextRange, TextSize};

use super::statement_start::{Beginning, beginning};
use crate::ast::{Shader, StatementKind};
use crate::vocabulary;
use crate::words::{Keyword, Stage};
use crate::{Opcode, describe, formats};

/// The facts that are known beside the statement under the cursor.
#[derive(Debug, Clone, Copy)]
pub struct CompletionContext<'a> {
    /// The text of the shader, from its header on, at least to the cursor.
    pub text: &'a str,
    /// The part of it that was understood.
    pub shader: &'a Shader,
}

/// Returns what may be written at an offset of a shader's text.
pub fn complete(context: CompletionContext<'_>, offset: TextSize) -> Completion {
    let mut completion = offers(context, offset);
    // Where the line goes on, operands and brackets are there already.
    let rest = context.text.get(usize::from(completion.replace.end())..).unwrap_or_default();
    if !rest.lines().next().unwrap_or_default().trim().is_empty() {
        completion.items.iter_mut().for_each(|item| item.snippet = None);
    }
    completion
}

fn offers(context: CompletionContext<'_>, offset: TextSize) -> Completion {
    let CompletionContext { text, shader } = context;
    let Some(beginning) = beginning(text, offset) else { return nothing(offset) };
    let word = beginning.word;
    let mut completion = Completion { replace: word, items: Vec::new() };
    let stage = shader.stage.value;
    let Some((first, rest)) = beginning.pieces.split_first() else {
        if word.start() > shader.stage.range.start() {
            completion.items = statement_words(shader, &beginning, offset);
        } else {
            completion.items = headers();
        }
        return completion;
    };
    let context = Context { text, shader, stage, beginning: &beginning, offset };
    completion.items = match Keyword::from_word(first.text) {
        Some(Keyword::Declaration) => declarations::declaration(&context, rest),
        Some(Keyword::Property) => declarations::property(&context, rest),
        Some(Keyword::Immediate) => declarations::immediate(rest),
        _ => match vocabulary::opcode(first.text) {
            Some(found) => {
                let place = instructions::complete(&context, found.opcode, rest);
                completion.replace = place.replace.unwrap_or(word);
                place.items
            }
            None => Vec::new(),
        },
    };
    items::sort(&mut completion.items);
    completion
}

/// Returns what may be written into a text without a shader: one to begin with, for each stage.
pub fn complete_outside(text: &str, offset: TextSize) -> Completion {
    match beginning(text, offset) {
        Some(found) if found.pieces.is_empty() && !found.numbered => {
            Completion { replace: found.word, items: skeletons::skeletons() }
        }
        _ => nothing(offset),
    }
}

fn nothing(offset: TextSize) -> Completion {
    Completion { replace: TextRange::empty(offset), items: Vec::new() }
}

/// The page of an item, as Markdown.
pub fn page(list: &str, word: &str) -> Option<String> {
    match list {
        items::OPCODES => Opcode::find(word).map(describe::opcode),
        items::FORMATS => formats::find(word).map(describe::format),
        list => describe::word(list, word),
    }
}

/// Everything that the lists of a place are made from.
struct Context<'a> {
    text: &'a str,
    shader: &'a Shader,
    stage: Stage,
    beginning: &'a Beginning<'a>,
    offset: TextSize,
}

fn headers() -> Vec<CompletionItem> {
    Stage::ALL.iter().map(|stage| items::word(stage.row(), CompletionKind::Stage, 0)).collect()
}

/// Statement words and opcodes, those first that the part of the shader is for.
fn statement_words(
    shader: &Shader,
    beginning: &Beginning<'_>,
    offset: TextSize,
) -> Vec<CompletionItem> {
    let stage = shader.stage.value;
    let is_instruction = |kind: &StatementKind| matches!(kind, StatementKind::Instruction(_));
    let before = shader.statements.partition_point(|statement| statement.range.end() < offset);
    let after_instruction =
        shader.statements[..before].iter().rev().any(|statement| is_instruction(&statement.kind));
    let mut items = Vec::new();
    if !beginning.numbered {
        let fitness = if after_instruction { u8::MAX } else { 0 };
        for keyword in [Keyword::Declaration, Keyword::Immediate, Keyword::Property] {
            items.push(items::word(keyword.row(), CompletionKind::Keyword, fitness));
        }
    }
    for opcode in Opcode::all().filter(|opcode| !opcode.is_gap()) {
        if let Some(fitness) = instructions::fitness(opcode, stage) {
            items.extend(instructions::opcode_items(opcode, beginning.typed, fitness));
        }
    }
    items::sort(&mut items);
    items
}

//! Completions in declarations, immediates and properties.

use editor_model::{CompletionItem, CompletionKind};

use super::items;
use super::{Context, registers};
use crate::formats;
use crate::lexer::TokenKind;
use crate::service::statement_start::Lexeme;
use crate::word_rows::{self, WordRow};
use crate::words::{
    File, ImmediateType, Interpolation, InterpolationLocation, Keyword, MemoryKind, PropertyName,
    ReturnType, SemanticName, Stage, TextureTarget,
};

/// Tells whether a row is for a stage and place, such as `in` of `FRAG`. A row without a place is
/// for every place of its stages.
pub(super) fn is_for(row: &WordRow, stage: Stage, place: &str) -> bool {
    row.stages.split(", ").any(|entry| {
        let (word, its_place) = entry.split_once(' ').unwrap_or((entry, ""));
        (word == "any" || word == stage.word())
            && (its_place.is_empty() || place.is_empty() || its_place == place)
    })
}

/// Returns what may follow `DCL`.
pub(super) fn declaration(context: &Context<'_>, pieces: &[Lexeme<'_>]) -> Vec<CompletionItem> {
    let Some((first, rest)) = pieces.split_first() else { return files(context) };
    let Some(file) = File::from_word(first.text) else { return Vec::new() };
    match rest.last().map(|piece| piece.kind) {
        Some(TokenKind::LeftBracket) if !rest.iter().any(|it| it.kind == TokenKind::Comma) => {
            registers::next_number(context.shader, file)
        }
        Some(TokenKind::Dot) if is_behind_brackets(rest) => registers::masks(),
        Some(TokenKind::Comma) => attributes(context, file, rest),
        _ => Vec::new(),
    }
}

/// Tells whether a point stands behind a register, and not in a range that is being typed.
fn is_behind_brackets(pieces: &[Lexeme<'_>]) -> bool {
    pieces.iter().rev().nth(1).is_some_and(|before| before.kind == TokenKind::RightBracket)
}

/// The register files that may be declared in the stage.
fn files(context: &Context<'_>) -> Vec<CompletionItem> {
    let declarable = |file: &&File| {
        !matches!(file, File::Immediate | File::Null)
            && file.row().until.is_empty()
            && is_for(file.row(), context.stage, "")
    };
    let files = File::ALL.iter().filter(declarable);
    files
        .map(|file| {
            let next = registers::next_free(context.shader, *file);
            let word = file.word();
            items::word(file.row(), CompletionKind::File, common(*file))
                .with_snippet(word, format!("{word}[${{1:{next}}}]"))
        })
        .collect()
}

/// Returns how often a file is declared, roughly.
fn common(file: File) -> u8 {
    match file {
        File::Input | File::Output | File::Temporary | File::Constant | File::Sampler => 0,
        File::SamplerView | File::SystemValue | File::Address => 1,
        _ => 2,
    }
}

/// The attributes that may follow the last comma.
fn attributes(context: &Context<'_>, file: File, pieces: &[Lexeme<'_>]) -> Vec<CompletionItem> {
    let written: Vec<&str> = pieces
        .windows(2)
        .filter(|pair| pair[0].kind == TokenKind::Comma && pair[1].kind == TokenKind::Word)
        .map(|pair| pair[1].text)
        .collect();
    let mut items = match file {
        File::Image => image(&written),
        File::SamplerView => view(&written),
        File::Buffer => keywords(&[Keyword::Atomic], &written),
        File::Memory if written.is_empty() => {
            let kinds = MemoryKind::ALL.iter();
            let kinds = kinds.filter(|kind| is_for(kind.row(), context.stage, ""));
            kinds.map(|kind| items::word(kind.row(), CompletionKind::Word, 0)).collect()
        }
        File::Resource | File::Memory | File::Sampler => Vec::new(),
        _ => carried(context, file, &written),
    };
    if written.is_empty() && matches!(file, File::Temporary | File::Input | File::Output) {
        let array = items::word(Keyword::Array.row(), CompletionKind::Keyword, 3);
        items.push(array.with_snippet("ARRAY", "ARRAY(${1:1})".to_owned()));
    }
    items
}

/// Semantics, then how they are interpolated.
fn carried(context: &Context<'_>, file: File, written: &[&str]) -> Vec<CompletionItem> {
    let place = match file {
        File::Input => "in",
        File::Output => "out",
        File::SystemValue => "sv",
        _ => "",
    };
    if place.is_empty() {
        return keywords(&[Keyword::Local], written);
    }
    // Readers of today take no attributes on a vertex shader's inputs.
    if context.stage == Stage::Vertex && file == File::Input {
        return Vec::new();
    }
    let has_semantic = written.iter().any(|word| SemanticName::from_word(word).is_some());
    if !has_semantic {
        let legal = SemanticName::ALL
            .iter()
            .filter(|name| name.row().until.is_empty() && is_for(name.row(), context.stage, place));
        return legal.map(|name| semantic(context, *name, file)).collect();
    }
    let mut items = Vec::new();
    let has = |list: &dyn Fn(&str) -> bool| written.iter().any(|word| list(word));
    let interpolated = has(&|word| Interpolation::from_word(word).is_some());
    let located = has(&|word| InterpolationLocation::from_word(word).is_some());
    let fragment_input = context.stage == Stage::Fragment && file == File::Input;
    if fragment_input && !interpolated {
        items.extend(items::words(Interpolation::LIST));
    }
    if fragment_input && interpolated && !located {
        items.extend(items::words(InterpolationLocation::LIST));
    }
    if context.stage == Stage::Geometry && file == File::Output {
        let stream = keywords(&[Keyword::Stream], written);
        let snippet = "STREAM(${1:0}, ${2:0}, ${3:0}, ${4:0})";
        items.extend(stream.into_iter().map(|it| it.with_snippet("STREAM", snippet.to_owned())));
    }
    if file == File::Output {
        items.extend(keywords(&[Keyword::Invariant], written));
    }
    items
}

/// Tells whether semantics of a name are told apart by an index.
pub(super) fn is_numbered(name: SemanticName) -> bool {
    matches!(
        name,
        SemanticName::Generic
            | SemanticName::TextureCoordinate
            | SemanticName::Color
            | SemanticName::BackColor
            | SemanticName::ClipDistance
            | SemanticName::Patch
    )
}

/// A semantic; those that are told apart by an index bring the next free one.
fn semantic(context: &Context<'_>, name: SemanticName, file: File) -> CompletionItem {
    let used = context.shader.declarations().filter(|it| it.file.value == file);
    let used = used.filter_map(|it| it.semantic).filter(|it| it.value.name == name);
    let next = used.map(|it| it.value.index.saturating_add(1)).max();
    let numbered = is_numbered(name);
    let fitness = if next.is_some() && !numbered { 2 } else { u8::from(!numbered) };
    let item = items::word(name.row(), CompletionKind::Word, fitness);
    if !numbered {
        return item;
    }
    let next = next.unwrap_or(0);
    item.with_snippet(name.word(), format!("{}[${{1:{next}}}]", name.word()))
}

fn image(written: &[&str]) -> Vec<CompletionItem> {
    if written.is_empty() {
        return targets(|_| true);
    }
    let mut items = keywords(&[Keyword::Writable, Keyword::Raw], written);
    if !written.iter().any(|word| formats::is_known(word)) {
        items.extend(formats::all().iter().map(|format| items::format(format, 1)));
    }
    items
}

fn view(written: &[&str]) -> Vec<CompletionItem> {
    if written.is_empty() {
        return targets(|_| true);
    }
    // One type for all components, or one for each.
    if written.len() > 4 {
        return Vec::new();
    }
    items::words(ReturnType::LIST).collect()
}

/// Texture targets that fit. `UNKNOWN` fits nowhere, though it is read.
pub(super) fn targets(fits: impl Fn(TextureTarget) -> bool) -> Vec<CompletionItem> {
    let known = TextureTarget::ALL.iter().filter(|target| **target != TextureTarget::Unknown);
    let fitting = known.filter(|target| fits(**target));
    fitting.map(|target| items::word(target.row(), CompletionKind::Word, 0)).collect()
}

fn keywords(words: &[Keyword], written: &[&str]) -> Vec<CompletionItem> {
    let fresh = words
        .iter()
        .filter(|keyword| !written.iter().any(|word| word.eq_ignore_ascii_case(keyword.word())));
    fresh.map(|keyword| items::word(keyword.row(), CompletionKind::Keyword, 1)).collect()
}

/// Returns what may follow `PROPERTY`.
pub(super) fn property(context: &Context<'_>, pieces: &[Lexeme<'_>]) -> Vec<CompletionItem> {
    match pieces {
        [] => {
            let legal = PropertyName::ALL.iter().filter(|name| {
                name.row().until.is_empty() && is_for(name.row(), context.stage, "")
            });
            legal
                .map(|name| {
                    let set = context.shader.properties();
                    let set = set.filter_map(|it| it.name).any(|it| it.value == *name);
                    let own = u8::from(name.row().stages == "any");
                    items::word(name.row(), CompletionKind::Property, own + 2 * u8::from(set))
                })
                .collect()
        }
        [name] => PropertyName::from_word(name.text).map(property_values).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The values of a property: words of a list, or the numbers that its row names.
fn property_values(name: PropertyName) -> Vec<CompletionItem> {
    let value = name.row().value;
    let Some(list) = name.value_list() else { return numbers(value) };
    // Of the primitives a geometry shader makes only those that the row names.
    let made = name == PropertyName::GeometryOutputPrimitive;
    let fits = |word: &str| !made || value.split([' ', ',']).any(|part| part == word);
    let rows = word_rows::of(list).filter(|row| fits(row.word));
    rows.map(|row| items::word(row, CompletionKind::Word, 0)).collect()
}

/// The numbers of a row's value: `0 or 1`, `0 none, 1 any`, `0 to 8`, `1 to 4`.
fn numbers(value: &str) -> Vec<CompletionItem> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    if let Some((first, last)) = value.split_once(" to ")
        && let (Some(first), Some(last)) = (number(first), number(last))
    {
        let all = first..=last.min(first + 16);
        return all.map(|it| items::plain(it.to_string(), CompletionKind::Number, 0)).collect();
    }
    let separators = if value.contains(" or ") { " or " } else { ", " };
    let parts = value.split(separators).filter_map(|part| {
        let (digits, meaning) = part.split_once(' ').unwrap_or((part, ""));
        number(digits)?;
        Some(items::plain(digits, CompletionKind::Number, 0).with_detail(meaning))
    });
    parts.collect()
}

/// Returns what may follow `IMM`.
pub(super) fn immediate(pieces: &[Lexeme<'_>]) -> Vec<CompletionItem> {
    let typed = pieces.iter().any(|piece| ImmediateType::from_word(piece.text).is_some());
    let closed = match pieces.last() {
        None => true,
        Some(last) => last.kind == TokenKind::RightBracket,
    };
    if typed || !closed {
        return Vec::new();
    }
    let types = ImmediateType::ALL.iter();
    types
        .map(|ty| {
            let values = match ty {
                ImmediateType::Float32 => "${1:0.0}, ${2:0.0}, ${3:0.0}, ${4:0.0}",
                ImmediateType::Float64 => "${1:0.0}, ${2:0.0}",
                ImmediateType::Signed64 | ImmediateType::Unsigned64 => "${1:0}, ${2:0}",
                _ => "${1:0}, ${2:0}, ${3:0}, ${4:0}",
            };
            let word = ty.word();
            let wide = matches!(ty.row().value, "two values, xy and zw");
            items::word(ty.row(), CompletionKind::Word, u8::from(wide))
                .with_snippet(word, format!("{word} {{ {values} }}"))
        })
        .collect()
}

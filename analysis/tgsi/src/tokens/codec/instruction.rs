//! Instructions and the words between their first one and the operands.

use source::TextRange;

use super::historic::Forms;
use super::operands::{destination, predicate, source};
use super::{Codec, Result, Token, TokenType, fields};
use crate::ast::{Destination, Instruction, Source, Spanned, TextureOffset};
use crate::opcodes::{MAX_OFFSETS, has_memory_words, has_offsets};
use crate::print;
use crate::words::TextureTarget;

/// Clamp to 0..1.
const SATURATE: u32 = 1;
/// Clamp to -1..1, until 2015.
const SIGNED_SATURATE: u32 = 2;

/// Type that a texture returns if the text names none, as every text.
const UNKNOWN_RETURN_TYPE: u32 = 5;

/// The extensions of instructions by their types.
const EXTENSIONS: [TokenType; 4] = [
    TokenType::ConditionExtension,
    TokenType::LabelExtension,
    TokenType::TextureExtension,
    TokenType::PredicateExtension,
];

/// Words of an instruction that it may not have.
#[derive(Debug, Default)]
struct Extras {
    label: Option<Token>,
    target: Option<(Token, Spanned<TextureTarget>)>,
}

/// The words of an instruction. Tells whether its opcode is known.
pub(in crate::tokens) fn instruction(
    codec: &mut impl Codec,
    it: &mut Instruction,
    range: TextRange,
) -> Result<bool> {
    let word = codec.word(TokenType::Instruction, range)?;
    let opcode = codec.opcode(&word, it.opcode)?;
    it.opcode.value = opcode.unwrap_or_default();
    let given = std::mem::take(&mut it.historic);
    if let Some(form) = given.first().filter(|_| !codec.layout().has_extensions()) {
        let message = format!("the tokens of {} have no {}", codec.layout(), form.kind);
        return Err(codec.stop(&Token { range: form.range, ..word }, message));
    }
    let saturate = match (it.saturate, it.signed_saturate) {
        (_, true) => SIGNED_SATURATE,
        (true, false) => SATURATE,
        (false, false) => 0,
    };
    let saturate = codec.number(&word, "Saturate", saturate)?;
    it.saturate = saturate == SATURATE;
    it.signed_saturate = saturate == SIGNED_SATURATE;
    if saturate > SIGNED_SATURATE {
        codec.error(&word, format!("{saturate} does not name a way to saturate"));
    }
    let destinations = codec.count(&word, "NumDstRegs", it.destinations.len())?;
    let sources = codec.count(&word, "NumSrcRegs", it.sources.len())?;
    // Reading makes as many, to be brought to their words.
    it.destinations.resize(destinations, Destination::default());
    it.sources.resize(sources, Source::default());
    it.precise = codec.flag(&word, "Precise", it.precise)?;
    let extras = extra_words(codec, &word, it)?;
    let given = given.as_slice();
    for (operand, destination) in std::mem::take(&mut it.destinations).into_iter().enumerate() {
        let mut forms = Forms { operand, given, found: &mut it.historic };
        let found = self::destination(codec, destination, &mut it.predicate, &mut forms)?;
        it.destinations.extend(found);
    }
    for (place, source) in std::mem::take(&mut it.sources).into_iter().enumerate() {
        let mut forms = Forms { operand: destinations + place, given, found: &mut it.historic };
        it.sources.extend(self::source(codec, source, &mut forms)?);
    }
    if opcode.is_some() {
        check_counts(codec, &word, it, (destinations, sources));
        check_extras(codec, &word, it, extras);
    }
    Ok(opcode.is_some())
}

fn check_counts(
    codec: &mut impl Codec,
    word: &Token,
    it: &Instruction,
    (destinations, sources): (usize, usize),
) {
    let row = it.info();
    let fewer = !row.last_source_since.is_empty() && sources + 1 == row.sources;
    if destinations != row.destinations || sources != row.sources && !fewer {
        let message = format!(
            "{:?} has {} destinations and {} sources, not {destinations} and {sources}",
            it.opcode.value, row.destinations, row.sources
        );
        codec.error(word, message);
    }
}

/// Leaves out what text has no room for.
fn check_extras(codec: &mut impl Codec, word: &Token, it: &mut Instruction, extras: Extras) {
    let row = it.info();
    match extras.target {
        None if row.texture => {
            codec.error(word, format!("{:?} needs a texture word", it.opcode.value));
        }
        Some((_, target)) if row.texture => it.target = Some(target),
        // Builders give `SAMPLE` and its family an unknown target.
        Some((word, target)) if target.value != TextureTarget::Unknown => {
            codec.lost(&word, "a texture target of this opcode");
        }
        _ => {}
    }
    if let Some(word) = extras.label.filter(|_| !row.label) {
        codec.lost(&word, "a label of this opcode");
        it.label = None;
    }
}

/// Predicate, label, texture and memory words, before the operands.
fn extra_words(codec: &mut impl Codec, word: &Token, it: &mut Instruction) -> Result<Extras> {
    let row = it.info();
    let has_memory = has_memory_words(row) && codec.has(word, "Memory");
    let is_of_memory =
        it.target.is_some() && !row.texture || it.format.is_some() || !it.qualifiers.is_empty();
    if is_of_memory && !has_memory {
        let message = fields::missing(codec.layout(), TokenType::Instruction, "Memory");
        return Err(codec.stop(word, message));
    }
    let mut extras = Extras::default();
    if codec.layout().has_extensions() {
        extensions(codec, word, it, &mut extras)?;
        return Ok(extras);
    }
    let has_predicate = codec.flag(word, "Predicate", it.predicate.is_some())?;
    let has_label = codec.flag(word, "Label", it.label.is_some())?;
    let has_texture = codec.flag(word, "Texture", has_offsets(row))?;
    let has_memory = codec.flag(word, "Memory", has_memory)?;
    if has_predicate {
        let range = it.predicate.as_ref().map_or(word.range, |predicate| predicate.range);
        let word = codec.word(TokenType::Predicate, range)?;
        predicate(codec, &word, &mut it.predicate)?;
    }
    if has_label {
        let word =
            codec.word(TokenType::Label, it.label.map_or(word.range, |label| label.range))?;
        label(codec, word, it, &mut extras)?;
    }
    if has_texture {
        texture(codec, it, &mut extras)?;
    }
    if has_memory {
        memory(codec, word.range, it)?;
    }
    Ok(extras)
}

/// Label and texture as extension words.
fn extensions(
    codec: &mut impl Codec,
    word: &Token,
    it: &mut Instruction,
    extras: &mut Extras,
) -> Result<()> {
    if let Some(offset) = it.offsets.first() {
        let message = fields::missing(codec.layout(), TokenType::TextureOffset, "Index");
        return Err(codec.stop(&Token { range: offset.range, ..*word }, message));
    }
    let opcode = it.opcode;
    let labelled = it.label.map(|label| (TokenType::LabelExtension, label.range));
    let textured =
        opcode.value.row().texture.then_some((TokenType::TextureExtension, opcode.range));
    let mut wanted = labelled.into_iter().chain(textured);
    let mut last = *word;
    while let Some(word) = codec.extension(&last, &EXTENSIONS, wanted.next())? {
        match word.kind {
            TokenType::ConditionExtension => condition(codec, &word)?,
            TokenType::LabelExtension => label(codec, word, it, extras)?,
            TokenType::TextureExtension => texture_target(codec, word, it, extras)?,
            TokenType::PredicateExtension => codec.lost(&word, "a predicate to write"),
            _ => {}
        }
        last = word;
    }
    Ok(())
}

fn condition(codec: &mut impl Codec, word: &Token) -> Result<()> {
    let lost = [
        ("CondDstUpdate", "writing a condition register"),
        ("CondFlowEnable", "execution under a condition"),
        ("Precision", "a precision"),
    ];
    for (field, what) in lost {
        if codec.flag(word, field, false)? {
            codec.lost(word, what);
        }
    }
    Ok(())
}

/// A label that is declared here rather than jumped to has no text.
fn label(
    codec: &mut impl Codec,
    word: Token,
    it: &mut Instruction,
    extras: &mut Extras,
) -> Result<()> {
    let label = codec.number(&word, "Label", it.label.map_or(0, |label| label.value))?;
    if !codec.flag(&word, "Target", false)? {
        codec.explain(&word, || format!(":{label}"));
        it.label = Some(Spanned { value: label, range: word.range });
        extras.label = Some(word);
    } else if label != 0 {
        codec.lost(&word, "the name of a label");
    }
    Ok(())
}

fn texture(codec: &mut impl Codec, it: &mut Instruction, extras: &mut Extras) -> Result<()> {
    let word = codec.word(TokenType::Texture, it.opcode.range)?;
    texture_target(codec, word, it, extras)?;
    let unknown = UNKNOWN_RETURN_TYPE;
    if codec.has(&word, "ReturnType") && codec.number(&word, "ReturnType", unknown)? != unknown {
        codec.note_odd();
    }
    let count = codec.count(&word, "NumOffsets", it.offsets.len())?;
    it.offsets.resize(count, TextureOffset::default());
    if count > MAX_OFFSETS {
        codec.error(&word, format!("{count} texel offsets; there are at most {MAX_OFFSETS}"));
    }
    for offset in std::mem::take(&mut it.offsets) {
        it.offsets.extend(texture_offset(codec, offset)?);
    }
    Ok(())
}

/// The texture target; `UNKNOWN` is written where there is none.
fn texture_target(
    codec: &mut impl Codec,
    word: Token,
    it: &mut Instruction,
    extras: &mut Extras,
) -> Result<()> {
    let unknown = Spanned { value: TextureTarget::Unknown, range: it.opcode.range };
    let target = codec.entry(&word, "Texture", Some(it.target.unwrap_or(unknown)))?;
    if let Some(target) = target {
        codec.explain(&word, || target.value.to_string());
        extras.target = Some((word, target));
    }
    Ok(())
}

fn texture_offset(codec: &mut impl Codec, given: TextureOffset) -> Result<Option<TextureOffset>> {
    let TextureOffset { range, mut register, swizzle } = given;
    let word = codec.word(TokenType::TextureOffset, range)?;
    if register.dimension.is_some() || register.index.indirect.is_some() {
        let message = "the token of a texel offset has room for one plain index".to_owned();
        return Err(codec.stop(&word, message));
    }
    let file = Spanned { value: register.file, range: register.range };
    let Some(file) = codec.entry(&word, "File", Some(file))? else { return Ok(None) };
    register.file = file.value;
    register.index.offset = codec.signed(&word, "Index", register.index.offset)?;
    let [x, y, z, _] = fields::SWIZZLE;
    let swizzle = codec.components(&word, [x, y, z], swizzle)?;
    let offset = TextureOffset { range, register, swizzle };
    codec.explain(&word, || print::offset(&offset));
    Ok(Some(offset))
}

fn memory(codec: &mut impl Codec, range: TextRange, it: &mut Instruction) -> Result<()> {
    let word = codec.word(TokenType::Memory, range)?;
    it.qualifiers = codec.set(&word, "Qualifier", &it.qualifiers)?;
    it.target = codec.optional(&word, "Texture", it.target)?;
    if codec.flag(&word, "Format", it.format.is_some())? {
        it.format = codec.format(&word, it.format.as_deref())?.map(Box::new);
    }
    codec.explain(&word, || {
        let qualifiers = it.qualifiers.iter().map(|qualifier| qualifier.value.to_string());
        let target = it.target.iter().map(|target| target.value.to_string());
        let format = it.format.iter().map(|format| format.value.clone());
        qualifiers.chain(target).chain(format).collect::<Vec<_>>().join(", ")
    });
    Ok(())
}

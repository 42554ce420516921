//! Declarations.

use super::{Codec, Result, Token, TokenType, fields, print};
use crate::ast::{
    Declaration, ImageType, IndexRange, SamplerViewType, Semantic, Spanned, WriteMask,
};
use crate::words::{File, Interpolation, InterpolationLocation, ReturnType, Stage};

/// The words of a declaration. Returns its ranges, of which text declares each by itself; none
/// where the file is unknown.
pub(in crate::tokens) fn declaration(
    codec: &mut impl Codec,
    it: &mut Declaration,
) -> Result<Vec<IndexRange>> {
    let word = codec.word(TokenType::Declaration, it.range.range)?;
    if !it.initializers.is_empty() {
        let message = "the values of an immediate array are not encoded".to_owned();
        return Err(codec.stop(&Token { range: it.file.range, ..word }, message));
    }
    let file = codec.entry(&word, "File", Some(it.file))?;
    it.file = file.unwrap_or_default();
    codec.no_extensions(&word)?;
    let ranges = codec.ranges(&word, it.range)?;
    it.invariant = codec.flag(&word, "Invariant", it.invariant)?;
    it.local = codec.flag(&word, "Local", it.local)?;
    let has_array = codec.flag(&word, "Array", it.array.is_some())?;
    it.atomic = codec.flag(&word, "Atomic", it.atomic)?;
    // Where the stage implies the first bracket it stands in no token.
    let is_implied = codec.stage().is_some_and(|stage| stage.is_per_vertex(it.file.value));
    let dimension = it.dimension.flatten().filter(|_| !is_implied);
    let has_dimension = codec.flag(&word, "Dimension", dimension.is_some())?;
    let has_semantic = codec.flag(&word, "Semantic", it.semantic.is_some())?;
    usage_mask(codec, &word, it)?;
    if it.file.value == File::Memory || it.memory.is_some() {
        it.memory = codec.entry(&word, "MemType", it.memory)?;
    }
    lose_wrapping(codec, &word)?;
    if has_dimension {
        let word = codec.word(TokenType::DeclaredDimension, it.range.range)?;
        let index = codec.number(&word, "Index", dimension.map_or(0, |it| it.value.first))?;
        codec.explain(&word, || format!("[{index}]"));
        let value = IndexRange { first: index, last: index };
        it.dimension = Some(Some(Spanned { value, range: word.range }));
    }
    interpolation(codec, &word, it)?;
    if has_semantic {
        semantic(codec, it)?;
    }
    match it.file.value {
        File::Image => image(codec, it)?,
        File::SamplerView => view(codec, TokenType::SamplerView, it)?,
        File::Resource => view(codec, TokenType::Resource, it)?,
        _ => {}
    }
    if has_array {
        let given = it.array.unwrap_or_default();
        let word = codec.word(TokenType::Array, given.range)?;
        let array = codec.number(&word, "ArrayID", given.value)?;
        codec.explain(&word, || format!("ARRAY({array})"));
        it.array = Some(Spanned { value: array, range: word.range });
    }
    Ok(if file.is_some() { ranges } else { Vec::new() })
}

/// The word of a range; `None` where it ends before it begins.
pub(in crate::tokens) fn range(
    codec: &mut impl Codec,
    given: Spanned<IndexRange>,
) -> Result<Option<IndexRange>> {
    let word = codec.word(TokenType::Range, given.range)?;
    let first = codec.number(&word, "First", given.value.first)?;
    let last = codec.number(&word, "Last", given.value.last)?;
    let range = IndexRange { first, last };
    codec.explain(&word, || format!("[{}]", print::range(range)));
    if last < first {
        codec.error(&word, format!("the range {first}..{last} ends before it begins"));
        return Ok(None);
    }
    Ok(Some(range))
}

/// The components. The tokens of 2007 have no mask: they always declare all four.
fn usage_mask(codec: &mut impl Codec, word: &Token, it: &mut Declaration) -> Result<()> {
    if !codec.has(word, "UsageMask") && it.mask.is_none() {
        return Ok(());
    }
    let mask = WriteMask(codec.number(word, "UsageMask", u32::from(it.components().0))? as u8);
    if mask.0 == 0 {
        codec.error(word, "the declaration has no component".to_owned());
    } else if mask != WriteMask::ALL {
        it.mask = Some(Spanned { value: mask, range: word.range });
    }
    Ok(())
}

fn lose_wrapping(codec: &mut impl Codec, word: &Token) -> Result<()> {
    if codec.flag(word, "CylindricalWrap", false)? {
        codec.lost(word, "cylindrical wrap");
    }
    Ok(())
}

/// The mode and the location: in the declaration's own word, or in one that follows. A
/// location without a mode stands in no token.
fn interpolation(codec: &mut impl Codec, word: &Token, it: &mut Declaration) -> Result<()> {
    let given = it.interpolation;
    let centre = InterpolationLocation::Center;
    let location = it.location.filter(|it| given.is_some() && it.value != centre);
    if !codec.has(word, "Interpolate") {
        let is_input = it.file.value == File::Input && codec.stage() == Some(Stage::Fragment);
        if given.is_some() || is_input || codec.flag(word, "Mode", false)? {
            it.interpolation = codec.entry(word, "Mode", given)?;
        }
        let is = |wanted| location.is_some_and(|location| location.value == wanted);
        let centroid = InterpolationLocation::Centroid;
        if codec.flag(word, "Centroid", is(centroid))? {
            it.location = Some(Spanned { value: centroid, range: word.range });
        }
        // No such era has a place for another one.
        codec.flag(word, "Location", is(InterpolationLocation::Sample))?;
        return Ok(());
    }
    if !codec.flag(word, "Interpolate", given.is_some())? {
        return Ok(());
    }
    let word = codec.word(TokenType::Interpolation, given.map_or(word.range, |it| it.range))?;
    let mode = codec.entry::<Interpolation>(&word, "Mode", given)?;
    it.interpolation = mode;
    it.location = codec.optional(&word, "Location", location)?;
    codec.explain(&word, || {
        let mode = mode.iter().map(|mode| mode.value.to_string());
        let location = it.location.iter().map(|location| location.value.to_string());
        mode.chain(location).collect::<Vec<_>>().join(", ")
    });
    lose_wrapping(codec, &word)
}

fn semantic(codec: &mut impl Codec, it: &mut Declaration) -> Result<()> {
    let given = it.semantic;
    let word = codec.word(TokenType::Semantic, given.map_or(it.range.range, |it| it.range))?;
    let name = codec.entry(&word, "Name", given.map(|given| given.map(|it| it.name)))?;
    let index = codec.number(&word, "Index", given.map_or(0, |given| given.value.index))?;
    if let Some(name) = name {
        let semantic = Semantic { name: name.value, index };
        codec.explain(&word, || print::semantic(semantic));
        it.semantic = Some(Spanned { value: semantic, range: word.range });
    }
    let streams = it.streams.map_or([0; 4], |streams| streams.value.map(|stream| stream & 3));
    let streams = codec.numbers(&word, fields::STREAMS, streams)?;
    if codec.stage() == Some(Stage::Geometry) && it.file.value == File::Output {
        it.streams = (streams != [0; 4]).then_some(Spanned { value: streams, range: word.range });
    } else if streams != [0; 4] {
        codec.lost(&word, "streams of anything but outputs of GEOM");
    }
    Ok(())
}

fn image(codec: &mut impl Codec, it: &mut Declaration) -> Result<()> {
    let word = codec.word(TokenType::Image, it.file.range)?;
    let given = it.image.take();
    let target = codec.entry(&word, "Resource", given.as_ref().map(|it| it.target))?;
    let Some(target) = target else { return Ok(()) };
    let format = given.as_ref().and_then(|it| it.format.as_ref());
    let format = codec.format(&word, format)?;
    codec.explain(&word, || {
        let format = format.as_ref().map_or("", |format| &format.value);
        format!("{}, {format}", target.value)
    });
    let raw = codec.flag(&word, "Raw", given.as_ref().is_some_and(|it| it.raw))?;
    let writable = codec.flag(&word, "Writable", given.is_some_and(|it| it.writable))?;
    it.image = Some(ImageType { target, format, writable, raw });
    Ok(())
}

fn view(codec: &mut impl Codec, kind: TokenType, it: &mut Declaration) -> Result<()> {
    let word = codec.word(kind, it.file.range)?;
    let given = it.sampler_view;
    let target = codec.entry(&word, "Resource", given.map(|view| view.target))?;
    let Some(target) = target else { return Ok(()) };
    let mut returns = given.map_or([ReturnType::Unorm; 4], |view| view.returns);
    for (value, name) in returns.iter_mut().zip(fields::RETURN_TYPES) {
        let given = Spanned { value: *value, range: target.range };
        let given = Some(given).filter(|_| codec.has(&word, name));
        let Some(found) = codec.entry::<ReturnType>(&word, name, given)? else { return Ok(()) };
        *value = found.value;
    }
    let view = SamplerViewType { target, returns };
    codec.explain(&word, || print::view_type(&view));
    it.sampler_view = Some(view);
    Ok(())
}

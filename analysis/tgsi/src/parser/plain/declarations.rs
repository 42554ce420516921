//! `DCL FILE[dimension][range].mask, ARRAY(n), LOCAL, SEMANTIC[n], INTERPOLATION, LOCATION, INVARIANT`

use super::super::Parser;
use super::super::attributes::MAX_ARRAY;
use super::instructions::file;
use super::line::Line;
use crate::ast::{Declaration, IndexRange, SamplerViewType, Semantic, Spanned};
use crate::words::{
    File, Interpolation, InterpolationLocation, ReturnType, SemanticName, Stage, TextureTarget,
};
use source::TextRange;

impl Parser<'_> {
    /// Reads a declaration behind its keyword.
    pub(super) fn plain_declaration(
        &self,
        line: &mut Line<'_>,
        declaration: &mut Declaration,
    ) -> Option<()> {
        self.plain_registers(line, declaration)?;
        match declaration.file.value {
            // Their words are many and their declarations few.
            File::Image | File::Buffer | File::Memory => return None,
            File::SamplerView => {
                declaration.sampler_view = Some(view_type(line)?);
                return Some(());
            }
            _ => {}
        }
        let mut word = attribute(line);
        if word.is_some_and(|it| it.value == "ARRAY") {
            declaration.array = Some(array(line, word?.range)?);
            word = attribute(line);
        }
        // What follows is noted there.
        if word.is_some() && self.stage == Stage::Vertex && declaration.file.value == File::Input {
            return None;
        }
        if word.is_some_and(|it| it.value == "LOCAL") {
            declaration.local = true;
            word = attribute(line);
        }
        if let Some(name) = word.and_then(|it| SemanticName::from_word(it.value)) {
            declaration.semantic = Some(semantic(line, name, word?.range)?);
            word = attribute(line);
        }
        if let Some(value) = word.and_then(|it| Interpolation::from_word(it.value)) {
            declaration.interpolation = Some(word?.map(|_| value));
            word = attribute(line);
        }
        if let Some(value) = word.and_then(|it| InterpolationLocation::from_word(it.value)) {
            declaration.location = Some(word?.map(|_| value));
            word = attribute(line);
        }
        if word.is_some_and(|it| it.value == "INVARIANT") {
            declaration.invariant = true;
            word = attribute(line);
        }
        // Each rests on the one before.
        let (semantic, interpolation) = (declaration.semantic, declaration.interpolation);
        let is_whole = (semantic.is_some() || interpolation.is_none())
            && (interpolation.is_some() || declaration.location.is_none());
        (word.is_none() && is_whole).then_some(())
    }

    fn plain_registers(&self, line: &mut Line<'_>, declaration: &mut Declaration) -> Option<()> {
        let start = line.here();
        let file = file(line)?;
        declaration.file = Spanned { value: file, range: line.since(start) };
        let (mut range, mut place) = bracket(line)?;
        if line.peek() == b'[' {
            declaration.dimension = Some(range.map(|value| Spanned { value, range: place }));
            if range.is_none() && !self.implies_dimension(file) {
                return None;
            }
            (range, place) = bracket(line)?;
        }
        declaration.range = Spanned { value: range?, range: place };
        let start = line.here();
        if line.eat(b'.') {
            let value = line.mask()?;
            declaration.mask = Some(Spanned { value, range: line.since(start) });
        }
        Some(())
    }
}

/// `[3]`, `[0..7]`, `[]`, and where the inside stands.
fn bracket(line: &mut Line<'_>) -> Option<(Option<IndexRange>, TextRange)> {
    let open = line.here();
    if !line.eat(b'[') {
        return None;
    }
    if line.eat(b']') {
        return Some((None, line.since(open)));
    }
    let start = line.here();
    let first = line.register_number()?;
    let mut last = first;
    if line.eat(b'.') {
        if !line.eat(b'.') {
            return None;
        }
        last = line.register_number()?;
    }
    let range = line.since(start);
    (last >= first && line.eat(b']')).then_some((Some(IndexRange { first, last }), range))
}

/// The word behind a comma. A comma with none is followed by no word of a list.
fn attribute<'a>(line: &mut Line<'a>) -> Option<Spanned<&'a str>> {
    if !line.comma() {
        return None;
    }
    let start = line.here();
    let value = line.word();
    Some(Spanned { value, range: line.since(start) })
}

/// `(n)` behind `ARRAY`.
fn array(line: &mut Line<'_>, word: TextRange) -> Option<Spanned<u32>> {
    if !line.eat(b'(') {
        return None;
    }
    let value = line.number().filter(|number| *number <= MAX_ARRAY)?;
    line.eat(b')').then(|| Spanned { value, range: line.since(word.start()) })
}

/// `[3]` behind `GENERIC`.
fn semantic(line: &mut Line<'_>, name: SemanticName, word: TextRange) -> Option<Spanned<Semantic>> {
    if !name.row().until.is_empty() {
        return None;
    }
    let mut index = 0;
    if line.eat(b'[') {
        index = line.register_number()?;
        if !line.eat(b']') {
            return None;
        }
    }
    Some(Spanned { value: Semantic { name, index }, range: line.since(word.start()) })
}

/// `, 2D, FLOAT`, or with four types.
fn view_type(line: &mut Line<'_>) -> Option<SamplerViewType> {
    let target = attribute(line)?;
    let target = Spanned { value: TextureTarget::from_word(target.value)?, range: target.range };
    let mut returns = [ReturnType::Float; 4];
    let mut count = 0;
    while let Some(word) = attribute(line) {
        *returns.get_mut(count)? = ReturnType::from_word(word.value)?;
        count += 1;
    }
    match count {
        1 => Some(SamplerViewType { target, returns: [returns[0]; 4] }),
        4 => Some(SamplerViewType { target, returns }),
        _ => None,
    }
}

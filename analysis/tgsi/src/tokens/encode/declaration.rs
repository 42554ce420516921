//! Declarations.

use super::{DECLARATION, Encoder, Kind, Result, Unencodable, Word};
use crate::ast::{Declaration, ImageType, SamplerViewType};
use crate::tokens::fields;
use crate::words::{File, InterpolationLocation};

impl Encoder {
    pub(super) fn declaration(&mut self, declaration: &Declaration) -> Result<()> {
        self.refuse_unsaid(declaration)?;
        let file = self.number_of(declaration.file.value, declaration.file.range)?;
        let dimension = self.dimension(declaration);
        let word = self
            .word(Kind::Declaration, declaration.range.range)
            .with("Type", DECLARATION)?
            .with("File", file)?
            .with("Invariant", u32::from(declaration.invariant))?
            .with("Local", u32::from(declaration.local))?
            .with("Array", u32::from(declaration.array.is_some()))?
            .with("Atomic", u32::from(declaration.atomic))?
            .with("Dimension", u32::from(dimension.is_some()))?
            .with("Semantic", u32::from(declaration.semantic.is_some()))?;
        let word = self.usage_mask(declaration, word)?;
        let word = word.with("MemType", self.optional(declaration.memory)?)?;
        let word = self.interpolated(declaration, word)?;
        let start = self.open();
        let range = declaration.range;
        let registers = self.word(Kind::Range, range.range).with("First", range.value.first)?;
        self.push(registers.with("Last", range.value.last)?);
        if let Some(dimension) = dimension {
            let word = self.word(Kind::DeclaredDimension, range.range).with("Index", dimension)?;
            self.push(word);
        }
        self.interpolation_word(declaration)?;
        self.semantic_word(declaration)?;
        self.resource_words(declaration)?;
        if let Some(array) = declaration.array {
            let word = self.word(Kind::Array, array.range).with("ArrayID", array.value)?;
            self.push(word);
        }
        let size = self.words.len() - start;
        self.close(start, word, size)
    }

    /// The number of the first bracket. Where it counts vertices it is implied
    /// and stands in no token.
    fn dimension(&self, declaration: &Declaration) -> Option<u32> {
        let first = declaration.dimension.flatten()?.value.first;
        (!self.stage.is_per_vertex(declaration.file.value)).then_some(first)
    }

    /// Refuses what no token of any era says.
    fn refuse_unsaid(&self, declaration: &Declaration) -> Result<()> {
        if declaration.initializers.is_empty() {
            return Ok(());
        }
        let message = "the values of an immediate array are not encoded".to_owned();
        Err(Unencodable { range: declaration.file.range, message })
    }

    fn usage_mask(&self, declaration: &Declaration, word: Word) -> Result<Word> {
        let Some(mask) = declaration.mask else {
            // The tokens of 2007 have no mask: they always declare all four.
            let has_mask = fields::has(self.layout, Kind::Declaration, "UsageMask");
            return if has_mask { word.with("UsageMask", 0xf) } else { Ok(word) };
        };
        word.with("UsageMask", u32::from(mask.value.0))
    }

    /// The mode where the declaration's own word says it, else the mark that
    /// an interpolation word follows.
    fn interpolated(&self, declaration: &Declaration, word: Word) -> Result<Word> {
        let Some(interpolation) = declaration.interpolation else { return Ok(word) };
        if fields::has(self.layout, Kind::Declaration, "Interpolate") {
            return word.with("Interpolate", 1);
        }
        let mode = self.number_of(interpolation.value, interpolation.range)?;
        let word = word.with("Mode", mode)?;
        match declaration.location.map(|location| location.value) {
            None | Some(InterpolationLocation::Center) => Ok(word),
            Some(InterpolationLocation::Centroid) => word.with("Centroid", 1),
            Some(InterpolationLocation::Sample) => word.with("Location", 2),
        }
    }

    /// A location without a mode stands in no token.
    fn interpolation_word(&mut self, declaration: &Declaration) -> Result<()> {
        let Some(mode) = declaration.interpolation else { return Ok(()) };
        if !fields::has(self.layout, Kind::Declaration, "Interpolate") {
            return Ok(());
        }
        let number = self.number_of(mode.value, mode.range)?;
        let mut word = self.word(Kind::Interpolation, mode.range).with("Mode", number)?;
        if let Some(location) = declaration.location
            && location.value != InterpolationLocation::Center
        {
            word = word.with("Location", self.number_of(location.value, location.range)?)?;
        }
        self.push(word);
        Ok(())
    }

    fn semantic_word(&mut self, declaration: &Declaration) -> Result<()> {
        let Some(semantic) = declaration.semantic else { return Ok(()) };
        let number = self.number_of(semantic.value.name, semantic.range)?;
        let streams = declaration.streams.map_or([0; 4], |streams| streams.value);
        let word = self
            .word(Kind::Semantic, semantic.range)
            .with("Name", number)?
            .with("Index", semantic.value.index)?
            .with_each(fields::STREAMS, streams.map(|stream| stream & 3))?;
        self.push(word);
        Ok(())
    }

    fn resource_words(&mut self, declaration: &Declaration) -> Result<()> {
        let range = declaration.file.range;
        let word = match declaration.file.value {
            File::Image => self.image(self.word(Kind::Image, range), declaration.image.as_ref()),
            File::SamplerView => {
                self.view(self.word(Kind::SamplerView, range), declaration.sampler_view)
            }
            File::Resource => self.view(self.word(Kind::Resource, range), declaration.sampler_view),
            _ => return Ok(()),
        }?;
        self.push(word);
        Ok(())
    }

    fn image(&self, word: Word, image: Option<&ImageType>) -> Result<Word> {
        let Some(image) = image else { return Ok(word) };
        let target = image.target;
        let number = self.number_of(target.value, target.range)?;
        let format = self.format(image.format.as_ref())?;
        word.with("Resource", number)?
            .with("Raw", u32::from(image.raw))?
            .with("Writable", u32::from(image.writable))?
            .with("Format", format)
    }

    fn view(&self, word: Word, view: Option<SamplerViewType>) -> Result<Word> {
        let Some(view) = view else { return Ok(word) };
        let target = view.target;
        let number = self.number_of(target.value, target.range)?;
        let word = word.with("Resource", number)?;
        if !fields::has(self.layout, word.kind, "ReturnTypeX") {
            return Ok(word);
        }
        let [x, y, z, w] = view.returns.map(|value| self.number_of(value, target.range));
        word.with_each(fields::RETURN_TYPES, [x?, y?, z?, w?])
    }
}

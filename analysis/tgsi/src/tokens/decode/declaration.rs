//! Declarations.

use source::Severity;

use super::{Decoder, Kind, Result, Stop, numbers, print, spanned};
use crate::ast::{
    Declaration, ImageType, IndexRange, SamplerViewType, Semantic, StatementKind, WriteMask,
};
use crate::tokens::fields;
use crate::words::{
    File, Interpolation, InterpolationLocation, ReturnType, SemanticName, Stage, TextureTarget,
};

/// Ways to declare registers in the tokens of 2007.
const BY_MASK: u32 = 1;

impl Decoder<'_> {
    pub(super) fn declaration(&mut self) -> Result<()> {
        let (at, bits) = self.take(Kind::Declaration)?;
        let number = self.field(Kind::Declaration, bits, "File");
        let file = self.word_of::<File>(at, number);
        if self.flag(Kind::Declaration, bits, "Extended") {
            self.unknown_extensions()?;
        }
        let ranges = match fields::has(self.layout, Kind::Declaration, "Declare") {
            true => self.ranges_of_2007(at, bits)?,
            false => self.range()?.into_iter().collect(),
        };
        let mut declaration = empty(file.unwrap_or(File::Null));
        self.mask_and_flags(at, bits, &mut declaration);
        self.dimension(bits, &mut declaration)?;
        self.interpolation(bits, &mut declaration)?;
        self.semantic(bits, &mut declaration)?;
        match declaration.file.value {
            File::Image => self.image(&mut declaration)?,
            File::SamplerView => self.view(Kind::SamplerView, &mut declaration)?,
            File::Resource => self.view(Kind::Resource, &mut declaration)?,
            _ => {}
        }
        if self.flag(Kind::Declaration, bits, "Array") {
            let (place, bits) = self.take(Kind::Array)?;
            let array = self.field(Kind::Array, bits, "ArrayID");
            self.mean(place, format!("ARRAY({array})"));
            declaration.array = Some(spanned(array));
        }
        if file.is_some() {
            self.implied_dimension(at, &mut declaration);
            for range in ranges {
                let range = spanned(range);
                let declaration = Declaration { range, ..declaration.clone() };
                self.add(at, StatementKind::Declaration(declaration));
            }
        }
        Ok(())
    }

    fn range(&mut self) -> Result<Option<IndexRange>> {
        let (place, bits) = self.take(Kind::Range)?;
        let first = self.field(Kind::Range, bits, "First");
        let last = self.field(Kind::Range, bits, "Last");
        self.mean(place, print::range(first, last));
        if last < first {
            self.error(place, format!("the range {first}..{last} ends before it begins"));
            return Ok(None);
        }
        Ok(Some(IndexRange { first, last }))
    }

    /// Ranges, joined where they touch, or a mask of the first 32 registers.
    fn ranges_of_2007(&mut self, at: usize, bits: u32) -> Result<Vec<IndexRange>> {
        let mut all = Vec::new();
        match self.field(Kind::Declaration, bits, "Declare") {
            0 => {
                let rest = usize::from(self.flag(Kind::Declaration, bits, "Interpolate"));
                while self.at + rest < self.end {
                    all.extend(self.range()?);
                }
                if all.is_empty() && !self.broken {
                    all.push(IndexRange { first: 0, last: 0 });
                }
            }
            BY_MASK => {
                let (place, mask) = self.take(Kind::Mask)?;
                let set = (0..32).filter(|bit| mask & 1 << bit != 0);
                all.extend(set.map(|bit| IndexRange { first: bit, last: bit }));
                if all.is_empty() {
                    self.report(place, Severity::Warning, "the mask declares no register");
                }
            }
            other => {
                self.error(at, format!("{other} is no way to declare registers"));
                return Err(Stop);
            }
        }
        all.sort_unstable_by_key(|range| range.first);
        let mut joined: Vec<IndexRange> = Vec::new();
        for range in all {
            match joined.last_mut() {
                Some(last) if range.first <= last.last + 1 => last.last = last.last.max(range.last),
                _ => joined.push(range),
            }
        }
        Ok(joined)
    }

    fn mask_and_flags(&mut self, at: usize, bits: u32, declaration: &mut Declaration) {
        let flag = |name| self.flag(Kind::Declaration, bits, name);
        declaration.local = flag("Local");
        declaration.invariant = flag("Invariant");
        declaration.atomic = flag("Atomic");
        if fields::has(self.layout, Kind::Declaration, "UsageMask") {
            let mask = WriteMask(self.field(Kind::Declaration, bits, "UsageMask") as u8);
            if mask.0 == 0 {
                self.error(at, "the declaration has no component");
            } else if mask != WriteMask::ALL {
                declaration.mask = Some(spanned(mask));
            }
        }
        if declaration.file.value == File::Memory {
            let number = self.field(Kind::Declaration, bits, "MemType");
            declaration.memory = self.word_of(at, number).map(spanned);
        }
        if self.flag(Kind::Declaration, bits, "CylindricalWrap") {
            self.lost(at, "cylindrical wrap");
        }
    }

    fn dimension(&mut self, bits: u32, declaration: &mut Declaration) -> Result<()> {
        if !self.flag(Kind::Declaration, bits, "Dimension") {
            return Ok(());
        }
        let (place, bits) = self.take(Kind::DeclaredDimension)?;
        let index = self.field(Kind::DeclaredDimension, bits, "Index");
        self.mean(place, format!("[{index}]"));
        declaration.dimension = Some(Some(spanned(IndexRange { first: index, last: index })));
        Ok(())
    }

    fn interpolation(&mut self, bits: u32, declaration: &mut Declaration) -> Result<()> {
        if !fields::has(self.layout, Kind::Declaration, "Interpolate") {
            let place = self.at - 1;
            let number = self.field(Kind::Declaration, bits, "Mode");
            let fragment_input =
                self.stage == Some(Stage::Fragment) && declaration.file.value == File::Input;
            if number != 0 || fragment_input {
                declaration.interpolation = self.word_of(place, number).map(spanned);
            }
            if self.flag(Kind::Declaration, bits, "Centroid") {
                declaration.location = Some(spanned(InterpolationLocation::Centroid));
            }
            return Ok(());
        }
        if !self.flag(Kind::Declaration, bits, "Interpolate") {
            return Ok(());
        }
        let (place, bits) = self.take(Kind::Interpolation)?;
        let number = self.field(Kind::Interpolation, bits, "Mode");
        let mode = self.word_of::<Interpolation>(place, number);
        declaration.interpolation = mode.map(spanned);
        let location = self.field(Kind::Interpolation, bits, "Location");
        if location != 0 {
            declaration.location = self.word_of(place, location).map(spanned);
        }
        let words = mode.iter().map(ToString::to_string);
        let words: Vec<String> =
            words.chain(declaration.location.iter().map(|it| it.value.to_string())).collect();
        self.mean(place, words.join(", "));
        if self.flag(Kind::Interpolation, bits, "CylindricalWrap") {
            self.lost(place, "cylindrical wrap");
        }
        Ok(())
    }

    fn semantic(&mut self, bits: u32, declaration: &mut Declaration) -> Result<()> {
        if !self.flag(Kind::Declaration, bits, "Semantic") {
            return Ok(());
        }
        let (place, bits) = self.take(Kind::Semantic)?;
        let number = self.field(Kind::Semantic, bits, "Name");
        let index = self.field(Kind::Semantic, bits, "Index");
        let name = self.word_of::<SemanticName>(place, number);
        if let Some(name) = name {
            let semantic = Semantic { name, index };
            self.mean(place, print::semantic(semantic));
            declaration.semantic = Some(spanned(semantic));
        }
        let streams = fields::STREAMS.map(|name| self.field(Kind::Semantic, bits, name));
        if streams == [0; 4] {
            return Ok(());
        }
        if self.stage == Some(Stage::Geometry) && declaration.file.value == File::Output {
            declaration.streams = Some(spanned(streams));
        } else {
            self.lost(place, "streams of anything but outputs of GEOM");
        }
        Ok(())
    }

    fn image(&mut self, declaration: &mut Declaration) -> Result<()> {
        let (place, bits) = self.take(Kind::Image)?;
        let number = self.field(Kind::Image, bits, "Resource");
        let Some(target) = self.word_of::<TextureTarget>(place, number) else { return Ok(()) };
        let number = self.field(Kind::Image, bits, "Format");
        let format = self.named(place, (numbers::FORMATS, number), |word| Some(word.to_owned()));
        self.mean(place, format!("{target}, {}", format.as_deref().unwrap_or_default()));
        declaration.image = Some(ImageType {
            target: spanned(target),
            format: format.map(spanned),
            writable: self.flag(Kind::Image, bits, "Writable"),
            raw: self.flag(Kind::Image, bits, "Raw"),
        });
        Ok(())
    }

    fn view(&mut self, kind: Kind, declaration: &mut Declaration) -> Result<()> {
        let (place, bits) = self.take(kind)?;
        let number = self.field(kind, bits, "Resource");
        let Some(target) = self.word_of::<TextureTarget>(place, number) else { return Ok(()) };
        let mut returns = [ReturnType::Unorm; 4];
        for (value, name) in returns.iter_mut().zip(fields::RETURN_TYPES) {
            let number = self.field(kind, bits, name);
            let Some(found) = self.word_of::<ReturnType>(place, number) else {
                return Ok(());
            };
            *value = found;
        }
        let view = SamplerViewType { target: spanned(target), returns };
        self.mean(place, print::view_type(&view));
        declaration.sampler_view = Some(view);
        Ok(())
    }

    /// Text shows the first bracket where the stage implies its size.
    fn implied_dimension(&mut self, at: usize, declaration: &mut Declaration) {
        let per_patch = declaration.semantic.is_some_and(|it| it.value.name.is_per_patch());
        let implied = match (self.stage, declaration.file.value) {
            (Some(Stage::Geometry), File::Input) => true,
            (Some(Stage::TessellationControl), File::Input | File::Output)
            | (Some(Stage::TessellationEvaluation), File::Input) => !per_patch,
            _ => false,
        };
        if implied {
            if declaration.dimension.is_some() {
                self.lost(at, "a dimension where the stage implies one");
            }
            declaration.dimension = Some(None);
        }
    }
}

fn empty(file: File) -> Declaration {
    Declaration::new(spanned(file), spanned(IndexRange { first: 0, last: 0 }))
}

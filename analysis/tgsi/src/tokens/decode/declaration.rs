//! Declarations.

use source::Severity;

use super::{Decoder, Kind, Result, Stop, Taken, numbers, print, spanned};
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
        let word = self.take(Kind::Declaration)?;
        let file = self.entry::<File>(&word, "File");
        if word.flag("Extended") {
            self.unknown_extensions()?;
        }
        let ranges = match fields::has(self.layout, Kind::Declaration, "Declare") {
            true => self.ranges_of_2007(&word)?,
            false => self.range()?.into_iter().collect(),
        };
        let mut declaration = empty(file.unwrap_or(File::Null));
        self.mask_and_flags(&word, &mut declaration);
        self.dimension(&word, &mut declaration)?;
        self.interpolation(&word, &mut declaration)?;
        self.semantic(&word, &mut declaration)?;
        match declaration.file.value {
            File::Image => self.image(&mut declaration)?,
            File::SamplerView => self.view(Kind::SamplerView, &mut declaration)?,
            File::Resource => self.view(Kind::Resource, &mut declaration)?,
            _ => {}
        }
        if word.flag("Array") {
            let word = self.take(Kind::Array)?;
            let array = word.field("ArrayID");
            self.mean(word.at, format!("ARRAY({array})"));
            declaration.array = Some(spanned(array));
        }
        if file.is_some() {
            self.implied_dimension(word.at, &mut declaration);
            for range in ranges {
                let range = spanned(range);
                let declaration = Declaration { range, ..declaration.clone() };
                self.add(word.at, StatementKind::Declaration(declaration));
            }
        }
        Ok(())
    }

    fn range(&mut self) -> Result<Option<IndexRange>> {
        let word = self.take(Kind::Range)?;
        let (first, last) = (word.field("First"), word.field("Last"));
        self.mean(word.at, format!("[{}]", print::range(IndexRange { first, last })));
        if last < first {
            self.error(word.at, format!("the range {first}..{last} ends before it begins"));
            return Ok(None);
        }
        Ok(Some(IndexRange { first, last }))
    }

    /// Ranges, joined where they touch, or a mask of the first 32 registers.
    fn ranges_of_2007(&mut self, word: &Taken) -> Result<Vec<IndexRange>> {
        let mut all = Vec::new();
        match word.field("Declare") {
            0 => {
                let rest = usize::from(word.flag("Interpolate"));
                while self.at + rest < self.end {
                    all.extend(self.range()?);
                }
                if all.is_empty() && !self.broken {
                    all.push(IndexRange { first: 0, last: 0 });
                }
            }
            BY_MASK => {
                let mask = self.take(Kind::Mask)?;
                let set = (0..32).filter(|bit| mask.bits & 1 << bit != 0);
                all.extend(set.map(|bit| IndexRange { first: bit, last: bit }));
                if all.is_empty() {
                    self.report(mask.at, Severity::Warning, "the mask declares no register");
                }
            }
            other => {
                self.error(word.at, format!("{other} is no way to declare registers"));
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

    fn mask_and_flags(&mut self, word: &Taken, declaration: &mut Declaration) {
        declaration.local = word.flag("Local");
        declaration.invariant = word.flag("Invariant");
        declaration.atomic = word.flag("Atomic");
        if fields::has(self.layout, Kind::Declaration, "UsageMask") {
            let mask = word.mask("UsageMask");
            if mask.0 == 0 {
                self.error(word.at, "the declaration has no component");
            } else if mask != WriteMask::ALL {
                declaration.mask = Some(spanned(mask));
            }
        }
        if declaration.file.value == File::Memory {
            declaration.memory = self.entry(word, "MemType").map(spanned);
        }
        if word.flag("CylindricalWrap") {
            self.lost(word.at, "cylindrical wrap");
        }
    }

    fn dimension(&mut self, word: &Taken, declaration: &mut Declaration) -> Result<()> {
        if !word.flag("Dimension") {
            return Ok(());
        }
        let word = self.take(Kind::DeclaredDimension)?;
        let index = word.field("Index");
        self.mean(word.at, format!("[{index}]"));
        declaration.dimension = Some(Some(spanned(IndexRange { first: index, last: index })));
        Ok(())
    }

    fn interpolation(&mut self, word: &Taken, declaration: &mut Declaration) -> Result<()> {
        if !fields::has(self.layout, Kind::Declaration, "Interpolate") {
            let place = self.at - 1;
            let number = word.field("Mode");
            let fragment_input =
                self.stage == Some(Stage::Fragment) && declaration.file.value == File::Input;
            if number != 0 || fragment_input {
                declaration.interpolation = self.word_of(place, number).map(spanned);
            }
            if word.flag("Centroid") {
                declaration.location = Some(spanned(InterpolationLocation::Centroid));
            }
            return Ok(());
        }
        if !word.flag("Interpolate") {
            return Ok(());
        }
        let word = self.take(Kind::Interpolation)?;
        let mode = self.entry::<Interpolation>(&word, "Mode");
        declaration.interpolation = mode.map(spanned);
        if word.flag("Location") {
            declaration.location = self.entry(&word, "Location").map(spanned);
        }
        let words = mode.iter().map(ToString::to_string);
        let words: Vec<String> =
            words.chain(declaration.location.iter().map(|it| it.value.to_string())).collect();
        self.mean(word.at, words.join(", "));
        if word.flag("CylindricalWrap") {
            self.lost(word.at, "cylindrical wrap");
        }
        Ok(())
    }

    fn semantic(&mut self, word: &Taken, declaration: &mut Declaration) -> Result<()> {
        if !word.flag("Semantic") {
            return Ok(());
        }
        let word = self.take(Kind::Semantic)?;
        let index = word.field("Index");
        let name = self.entry::<SemanticName>(&word, "Name");
        if let Some(name) = name {
            let semantic = Semantic { name, index };
            self.mean(word.at, print::semantic(semantic));
            declaration.semantic = Some(spanned(semantic));
        }
        let streams = fields::STREAMS.map(|name| word.field(name));
        if streams == [0; 4] {
            return Ok(());
        }
        if self.stage == Some(Stage::Geometry) && declaration.file.value == File::Output {
            declaration.streams = Some(spanned(streams));
        } else {
            self.lost(word.at, "streams of anything but outputs of GEOM");
        }
        Ok(())
    }

    fn image(&mut self, declaration: &mut Declaration) -> Result<()> {
        let word = self.take(Kind::Image)?;
        let Some(target) = self.entry::<TextureTarget>(&word, "Resource") else { return Ok(()) };
        let number = word.field("Format");
        let format = self.named(word.at, (numbers::FORMATS, number), |word| Some(word.to_owned()));
        self.mean(word.at, format!("{target}, {}", format.as_deref().unwrap_or_default()));
        declaration.image = Some(ImageType {
            target: spanned(target),
            format: format.map(spanned),
            writable: word.flag("Writable"),
            raw: word.flag("Raw"),
        });
        Ok(())
    }

    fn view(&mut self, kind: Kind, declaration: &mut Declaration) -> Result<()> {
        let word = self.take(kind)?;
        let Some(target) = self.entry::<TextureTarget>(&word, "Resource") else { return Ok(()) };
        let mut returns = [ReturnType::Unorm; 4];
        for (value, name) in returns.iter_mut().zip(fields::RETURN_TYPES) {
            let Some(found) = self.entry::<ReturnType>(&word, name) else { return Ok(()) };
            *value = found;
        }
        let view = SamplerViewType { target: spanned(target), returns };
        self.mean(word.at, print::view_type(&view));
        declaration.sampler_view = Some(view);
        Ok(())
    }

    /// Text shows the first bracket where the stage implies its size.
    fn implied_dimension(&mut self, at: usize, declaration: &mut Declaration) {
        let per_patch = declaration.semantic.is_some_and(|it| it.value.name.is_per_patch());
        let file = declaration.file.value;
        if self.stage.is_some_and(|stage| {
            stage.is_per_vertex(file) && (stage == Stage::Geometry || !per_patch)
        }) {
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

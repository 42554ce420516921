//! Which bits of a word mean what, from `data/token_fields.tsv`.
//!
//! The encoder, the decoder and the annotated dump read the same row. A field
//! that an era lacks reads as zero, so that eras share their code.

use std::sync::LazyLock;

use super::Layout;

/// The name of the bits that mean nothing.
pub(super) const PADDING: &str = "Padding";

/// The kinds of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Version,
    Header,
    Processor,
    Declaration,
    Range,
    Mask,
    DeclaredDimension,
    Interpolation,
    Semantic,
    Resource,
    Image,
    SamplerView,
    Array,
    Immediate,
    Value,
    Property,
    Instruction,
    Predicate,
    Label,
    Texture,
    TextureOffset,
    Memory,
    Destination,
    Source,
    Indirect,
    Dimension,
    Extension,
    ConditionExtension,
    LabelExtension,
    TextureExtension,
    PredicateExtension,
    SwizzleExtension,
    ModifierExtension,
    ConditionDestination,
    ModulateDestination,
    PredicateDestination,
    /// A word that was skipped.
    Unknown,
}

/// Every kind with its name in the table.
const NAMES: [(Kind, &str); 37] = [
    (Kind::Version, "version"),
    (Kind::Header, "header"),
    (Kind::Processor, "processor"),
    (Kind::Declaration, "declaration"),
    (Kind::Range, "range"),
    (Kind::Mask, "mask"),
    (Kind::DeclaredDimension, "declared dimension"),
    (Kind::Interpolation, "interpolation"),
    (Kind::Semantic, "semantic"),
    (Kind::Resource, "resource"),
    (Kind::Image, "image"),
    (Kind::SamplerView, "sampler view"),
    (Kind::Array, "array"),
    (Kind::Immediate, "immediate"),
    (Kind::Value, "value"),
    (Kind::Property, "property"),
    (Kind::Instruction, "instruction"),
    (Kind::Predicate, "predicate"),
    (Kind::Label, "label"),
    (Kind::Texture, "texture"),
    (Kind::TextureOffset, "texture offset"),
    (Kind::Memory, "memory"),
    (Kind::Destination, "destination"),
    (Kind::Source, "source"),
    (Kind::Indirect, "indirect"),
    (Kind::Dimension, "dimension"),
    (Kind::Extension, "extension"),
    (Kind::ConditionExtension, "condition extension"),
    (Kind::LabelExtension, "label extension"),
    (Kind::TextureExtension, "texture extension"),
    (Kind::PredicateExtension, "predicate extension"),
    (Kind::SwizzleExtension, "swizzle extension"),
    (Kind::ModifierExtension, "modifier extension"),
    (Kind::ConditionDestination, "condition destination"),
    (Kind::ModulateDestination, "modulate destination"),
    (Kind::PredicateDestination, "predicate destination"),
    (Kind::Unknown, "unknown"),
];

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// Whether a statement or a part of the header begins with it.
    pub fn begins_statement(self) -> bool {
        matches!(
            self,
            Kind::Version
                | Kind::Header
                | Kind::Processor
                | Kind::Declaration
                | Kind::Immediate
                | Kind::Property
                | Kind::Instruction
        )
    }
}

/// Bits of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    /// What the reference calls them.
    pub name: &'static str,
    /// The lowest bit.
    pub low: u32,
    /// How many bits.
    pub width: u32,
}

impl Field {
    /// Its value in a word.
    pub fn of(&self, word: u32) -> u32 {
        (word >> self.low) & self.largest()
    }

    /// The largest value it can hold.
    pub(super) fn largest(&self) -> u32 {
        u32::MAX >> (32 - self.width)
    }
}

/// The fields of a kind of word, lowest first; none where the era has no such
/// word.
pub fn fields(layout: Layout, kind: Kind) -> &'static [Field] {
    &TABLE[layout as usize][kind as usize]
}

/// The value of a field; 0 where the era has no such field.
pub(super) fn get(layout: Layout, kind: Kind, word: u32, name: &str) -> u32 {
    let found = fields(layout, kind).iter().find(|field| field.name == name);
    found.map_or(0, |field| field.of(word))
}

/// Whether the era has a field.
pub(super) fn has(layout: Layout, kind: Kind, name: &str) -> bool {
    fields(layout, kind).iter().any(|field| field.name == name)
}

type Kinds = [Vec<Field>; NAMES.len()];

static TABLE: LazyLock<[Kinds; Layout::ALL.len()]> = LazyLock::new(|| {
    let mut table: [Kinds; Layout::ALL.len()] =
        std::array::from_fn(|_| std::array::from_fn(|_| Vec::new()));
    for line in include_str!("../../data/token_fields.tsv").lines().skip(1) {
        add(&mut table, line).unwrap_or_else(|| panic!("data/token_fields.tsv: bad row: {line}"));
    }
    table
});

fn add(table: &mut [Kinds], line: &'static str) -> Option<()> {
    let mut columns = line.split('\t');
    let (layouts, kind, words) = (columns.next()?, columns.next()?, columns.next()?);
    let (kind, _) = NAMES.iter().find(|(_, name)| *name == kind)?;
    let mut fields = Vec::new();
    let mut low = 0;
    for word in words.split(' ') {
        let (name, width) = word.split_once(':')?;
        let width = width.parse().ok()?;
        fields.push(Field { name, low, width });
        low += width;
    }
    for layout in layouts.split(' ') {
        let place = &mut table[Layout::from_name(layout)? as usize][*kind as usize];
        if low > 32 || !place.is_empty() {
            return None;
        }
        *place = fields.clone();
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_at_their_places() {
        for (place, (kind, _)) in NAMES.iter().enumerate() {
            assert_eq!(*kind as usize, place);
        }
    }

    #[test]
    fn every_era_has_the_words_it_needs() {
        for layout in Layout::ALL {
            for kind in [Kind::Header, Kind::Declaration, Kind::Instruction, Kind::Source] {
                let width: u32 = fields(layout, kind).iter().map(|field| field.width).sum();
                assert_eq!(width, 32, "{layout} {kind:?}");
            }
        }
        assert!(fields(Layout::Y2016, Kind::Version).is_empty());
        assert_eq!(get(Layout::Y2016, Kind::Declaration, 0x006f_2040, "Interpolate"), 1);
        assert_eq!(get(Layout::Y2007, Kind::Source, u32::MAX, "Absolute"), 0);
        assert_eq!(get(Layout::Y2016, Kind::Value, u32::MAX, "Value"), u32::MAX);
    }
}

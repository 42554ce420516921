//! Which number stands for which word, from `data/token_numbers.tsv`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Layout;

/// The list of image formats, which is no enum.
pub(super) const FORMATS: &str = "format";

/// The list of opcodes.
pub(super) const OPCODES: &str = "opcode";

/// The number of a word in an era's tokens. Words of neighbouring years that
/// shared a number are taken too.
pub(super) fn number(layout: Layout, list: &str, word: &str) -> Option<u32> {
    TABLE.numbers.get(&(list, word))?[layout as usize]
}

/// The word that a number stands for in an era's tokens.
pub(super) fn word(layout: Layout, list: &'static str, number: u32) -> Option<&'static str> {
    TABLE.words.get(&(layout, list, number)).copied()
}

/// The words of neighbouring years that gave way to another of the same number.
pub(super) fn other_words(
    layout: Layout,
    list: &'static str,
    number: u32,
) -> impl Iterator<Item = &'static str> {
    let others = TABLE.others.iter();
    let same = move |other: &&(Layout, &str, u32, &str)| {
        (other.0, other.1, other.2) == (layout, list, number)
    };
    others.filter(same).map(|other| other.3)
}

type Numbers = [Option<u32>; Layout::ALL.len()];

struct Table {
    numbers: FxHashMap<(&'static str, &'static str), Numbers>,
    words: FxHashMap<(Layout, &'static str, u32), &'static str>,
    others: Vec<(Layout, &'static str, u32, &'static str)>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table =
        Table { numbers: FxHashMap::default(), words: FxHashMap::default(), others: Vec::new() };
    for line in include_str!("../../data/token_numbers.tsv").lines().skip(1) {
        add(&mut table, line).unwrap_or_else(|| panic!("data/token_numbers.tsv: bad row: {line}"));
    }
    table
});

fn add(table: &mut Table, line: &'static str) -> Option<()> {
    let mut columns = line.split('\t');
    let (list, word) = (columns.next()?, columns.next()?);
    let mut numbers = Numbers::default();
    for layout in Layout::ALL {
        let cell = columns.next()?;
        if cell.is_empty() {
            continue;
        }
        // A star marks a word that gives way to another when tokens are read.
        let number = cell.trim_end_matches('*').parse().ok()?;
        numbers[layout as usize] = Some(number);
        if cell.ends_with('*') {
            table.others.push((layout, list, number, word));
        } else if table.words.insert((layout, list, number), word).is_some() {
            return None;
        }
    }
    table.numbers.insert((list, word), numbers).is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Opcode;
    use crate::words::{
        CoordinateOrigin, File, ImmediateType, Interpolation, InterpolationLocation, MemoryKind,
        MemoryQualifier, PixelCenter, Primitive, PropertyName, ReturnType, SemanticName, Stage,
        TextureTarget,
    };

    #[test]
    fn every_row_names_a_word_of_the_language() {
        for (list, word) in TABLE.numbers.keys().copied() {
            let known = match list {
                OPCODES => Opcode::find(word).is_some(),
                FORMATS => word.starts_with("PIPE_FORMAT_"),
                Stage::LIST => Stage::from_word(word).is_some(),
                File::LIST => File::from_word(word).is_some(),
                SemanticName::LIST => SemanticName::from_word(word).is_some(),
                PropertyName::LIST => PropertyName::from_word(word).is_some(),
                TextureTarget::LIST => TextureTarget::from_word(word).is_some(),
                Interpolation::LIST => Interpolation::from_word(word).is_some(),
                InterpolationLocation::LIST => InterpolationLocation::from_word(word).is_some(),
                ImmediateType::LIST => ImmediateType::from_word(word).is_some(),
                ReturnType::LIST => ReturnType::from_word(word).is_some(),
                MemoryKind::LIST => MemoryKind::from_word(word).is_some(),
                MemoryQualifier::LIST => MemoryQualifier::from_word(word).is_some(),
                Primitive::LIST => Primitive::from_word(word).is_some(),
                CoordinateOrigin::LIST => CoordinateOrigin::from_word(word).is_some(),
                PixelCenter::LIST => PixelCenter::from_word(word).is_some(),
                _ => false,
            };
            assert!(known, "{list} {word}");
        }
    }

    #[test]
    fn current_opcodes_have_the_numbers_of_their_rows() {
        for row in Opcode::all().map(Opcode::row) {
            let expected = row.number.map(u32::from);
            assert_eq!(number(Layout::Y2016, OPCODES, row.mnemonic), expected, "{row:?}");
        }
        assert_eq!(word(Layout::Y2012, OPCODES, 116), Some("KILL_IF"));
        assert_eq!(number(Layout::Y2012, OPCODES, "KIL"), Some(116));
        assert_eq!(word(Layout::Y2007, OPCODES, 54), Some("UP2H"));
        assert_eq!(word(Layout::Y2008, OPCODES, 54), Some("TXP"));
    }
}

//! The table of words: one row per word of every list in [`words`](crate::words),
//! from `data/words.tsv`.
//!
//! Hovers, completion and validation read the same row. A test checks that the
//! enums and the file name the same words.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// What is known of a word.
#[derive(Debug, PartialEq, Eq)]
pub struct WordRow {
    /// The list it belongs to, such as `semantic`.
    pub list: &'static str,
    /// How the language spells it.
    pub word: &'static str,
    /// The day it came, `YYYY-MM-DD` or less; empty where not known.
    pub since: &'static str,
    /// The day it went; empty while it lives.
    pub until: &'static str,
    /// Where it is legal: `any`, or stages, each followed by `in`, `out` or
    /// `sv` where the place matters, separated by commas.
    pub stages: &'static str,
    /// Which components it uses, which values it takes or how it is written.
    pub value: &'static str,
    /// What to write today in place of a historic word; empty for live ones.
    pub replacement: &'static str,
    /// What it means, in a sentence or two.
    pub description: &'static str,
    /// Where the facts come from.
    pub source: &'static str,
}

/// Every row, in the order of the file.
pub fn all() -> &'static [WordRow] {
    &TABLE.rows
}

/// The row of a word, spelled as its list spells it.
pub fn find(list: &str, word: &str) -> Option<&'static WordRow> {
    TABLE.places.get(&(list, word)).map(|place| &TABLE.rows[*place])
}

/// The row of a word that is known to have one: that of an enum's variant.
pub(crate) fn row(list: &'static str, word: &'static str) -> &'static WordRow {
    &TABLE.rows[TABLE.places[&(list, word)]]
}

struct Table {
    rows: Vec<WordRow>,
    places: FxHashMap<(&'static str, &'static str), usize>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let rows: Vec<WordRow> = include_str!("../data/words.tsv")
        .lines()
        .skip(1)
        .map(|line| parse(line).unwrap_or_else(|| panic!("data/words.tsv: bad row: {line}")))
        .collect();
    let places =
        rows.iter().enumerate().map(|(place, row)| ((row.list, row.word), place)).collect();
    Table { rows, places }
});

fn parse(line: &'static str) -> Option<WordRow> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let row = WordRow {
        list: next()?,
        word: next()?,
        since: next()?,
        until: next()?,
        stages: next()?,
        value: next()?,
        replacement: next()?,
        description: next()?,
        source: next()?,
    };
    fields.next().is_none().then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::*;

    /// A list of an enum: its name and its words.
    macro_rules! lists {
        ($($name:ident),* $(,)?) => {
            [$(($name::LIST, $name::ALL.iter().map(|entry| entry.word()).collect::<Vec<_>>())),*]
        };
    }

    fn lists() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
        lists![
            Stage,
            File,
            SemanticName,
            PropertyName,
            TextureTarget,
            Interpolation,
            InterpolationLocation,
            ImmediateType,
            ReturnType,
            MemoryKind,
            MemoryQualifier,
            Primitive,
            CoordinateOrigin,
            PixelCenter,
            Modifier,
            Keyword,
        ]
        .into_iter()
    }

    #[test]
    fn enums_and_rows_name_the_same_words() {
        let mut words: Vec<_> = lists()
            .flat_map(|(list, words)| words.into_iter().map(move |word| (list, word)))
            .collect();
        let mut rows: Vec<_> = all().iter().map(|row| (row.list, row.word)).collect();
        words.sort_unstable();
        rows.sort_unstable();
        assert_eq!(words, rows);
        rows.dedup();
        assert_eq!(rows.len(), all().len(), "a word has two rows");
    }

    #[test]
    fn rows_are_complete() {
        for row in all() {
            assert!(!row.description.is_empty() && row.description.ends_with('.'), "{row:?}");
            assert!(!row.source.is_empty() && !row.stages.is_empty(), "{row:?}");
            assert_eq!(row.until.is_empty(), row.replacement.is_empty(), "{row:?}");
            assert!(row.until.is_empty() || row.since < row.until, "{row:?}");
        }
    }

    #[test]
    fn stages_are_words_and_places() {
        for row in all() {
            for entry in row.stages.split(", ") {
                let (stage, place) = entry.split_once(' ').unwrap_or((entry, ""));
                let known = stage == "any" || Stage::from_word(stage).is_some();
                assert!(known, "{row:?}: {stage}");
                assert!(["", "in", "out", "sv"].contains(&place), "{row:?}: {place}");
            }
        }
    }

    #[test]
    fn every_variant_is_read_in_any_letter_case() {
        for entry in SemanticName::ALL {
            assert_eq!(SemanticName::from_word(&entry.word().to_lowercase()), Some(*entry));
            assert_eq!(entry.row().word, entry.word());
        }
        assert_eq!(TextureTarget::from_word("2d_Array"), Some(TextureTarget::Array2D));
        assert_eq!(File::from_word(""), None);
        assert_eq!(File::from_word("TEMPS"), None);
        assert_eq!(
            TextureTarget::from_other_spelling("cube_array"),
            Some(TextureTarget::CubeArray)
        );
        for (spelling, _) in TextureTarget::OTHER_SPELLINGS {
            assert_eq!(TextureTarget::from_word(spelling), None);
        }
    }
}

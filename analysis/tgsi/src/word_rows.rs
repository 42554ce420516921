//! The table of words: one row per word of every list in [`words`](crate::words),
//! from `data/words.tsv`.
//!
//! Hovers, completion and validation read the same row, of which the build makes the enums
//! too.

/// A row of the table of words.
#[derive(Debug, PartialEq, Eq)]
pub struct WordRow {
    /// The list it belongs to, such as `semantic`.
    pub list: &'static str,
    /// Its spelling in the language.
    pub word: &'static str,
    /// The day it came, `YYYY-MM-DD` or less; empty where not known.
    pub since: &'static str,
    /// The day it went; empty while it lives.
    pub until: &'static str,
    /// The places in which it is legal: `any`, or stages, each followed by `in`, `out` or `sv`
    /// where the place matters, separated by commas.
    pub stages: &'static str,
    /// The same as bits: three for each stage, for `in`, `out` and `sv`.
    pub(crate) places: u32,
    /// The components that it uses, the values that it takes or how it is written.
    pub value: &'static str,
    /// The word of today in place of a historic one; empty for live ones.
    pub replacement: &'static str,
    /// Its meaning, in a sentence or two.
    pub description: &'static str,
    /// The source of the facts.
    pub source: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/word_rows.rs"));

/// Returns every row, in the order of the file.
pub fn all() -> &'static [WordRow] {
    &ROWS
}

/// Returns the rows of a list.
pub(crate) fn of(list: &str) -> impl Iterator<Item = &'static WordRow> {
    ROWS.iter().filter(move |row| row.list == list)
}

/// Finds the row of a word, spelled as its list spells it.
pub fn find(list: &str, word: &str) -> Option<&'static WordRow> {
    let spelled = |place: usize| (ROWS[place].list, ROWS[place].word);
    tables::find_pair(&INDEX, list, word, spelled).map(|place| &ROWS[place])
}

/// Returns the row in a place of the table.
pub(crate) const fn row(place: usize) -> &'static WordRow {
    &ROWS[place]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::*;

    /// Every word of some enums with its row.
    macro_rules! rows {
        ($($name:ident),* $(,)?) => {
            [$($name::ALL.iter().map(|it| (it.word(), it.row())).collect::<Vec<_>>()),*].concat()
        };
    }

    #[test]
    fn words_have_their_own_rows() {
        let rows = rows![Stage, File, SemanticName, PropertyName, TextureTarget, Modifier, Keyword];
        assert!(rows.len() > 130);
        for (word, row) in rows {
            assert_eq!(row.word, word);
            assert_eq!(find(row.list, word), Some(row));
        }
        assert_eq!(find("file", "FRAG"), None);
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
    }
}

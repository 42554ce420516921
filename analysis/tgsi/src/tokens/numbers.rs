//! The number of each word, from `data/token_numbers.tsv`.

use super::Layout;

/// The list of image formats, which is not an enum.
pub(super) const FORMATS: &str = "format";

/// The list of opcodes.
pub(super) const OPCODES: &str = "opcode";

/// The list of tests of a condition register.
pub(super) const CONDITIONS: &str = "condition";

/// Returns the number of a word in an era's tokens. Words of neighbouring years that
/// shared a number are taken too.
pub(super) fn number(layout: Layout, list: &str, word: &str) -> Option<u32> {
    let spelled = |place: usize| (ROWS[place].0, ROWS[place].1);
    ROWS[tables::find_pair(&INDEX, list, word, spelled)?].2[layout as usize]
}

/// Returns the word that a number stands for in an era's tokens.
pub(super) fn word(layout: Layout, list: &'static str, number: u32) -> Option<&'static str> {
    let place = WORDS.binary_search_by_key(&(layout, list, number, false), |(key, _)| *key);
    place.ok().map(|place| WORDS[place].1)
}

/// The words of neighbouring years that gave way to another of the same number.
pub(super) fn other_words(
    layout: Layout,
    list: &'static str,
    number: u32,
) -> impl Iterator<Item = &'static str> {
    let given = (layout, list, number, true);
    let others = &WORDS[WORDS.partition_point(|(key, _)| *key < given)..];
    others.iter().take_while(move |(key, _)| *key == given).map(|(_, word)| *word)
}

/// The number of a word in each era that has it.
type Numbers = [Option<u32>; Layout::ALL.len()];

/// An era, a list and a number in it, and whether the word gives way to another of that number.
type Key = (Layout, &'static str, u32, bool);

include!(concat!(env!("OUT_DIR"), "/token_numbers.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Opcode;

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

    #[test]
    fn the_words_of_every_era() {
        let mut lists = std::collections::BTreeMap::<(Layout, &str), String>::new();
        for ((layout, list, number, gives_way), word) in &WORDS {
            let said = lists.entry((*layout, list)).or_default();
            *said += &format!("{number} {word} {gives_way}\n");
        }
        let mut records = crate::recorded_tests::table("token_numbers.tsv");
        for ((layout, list), said) in &lists {
            records.add(&format!("{layout:?}"), list, said);
        }
        records.check();
    }
}

//! The number of each word, from `data/token_numbers.tsv`.

use super::Layout;

/// The list of image formats, which is no enum.
pub(super) const FORMATS: &str = "format";

/// The list of opcodes.
pub(super) const OPCODES: &str = "opcode";

/// Returns the number of a word in an era's tokens. Words of neighbouring years that
/// shared a number are taken too.
pub(super) fn number(layout: Layout, list: &str, word: &str) -> Option<u32> {
    let spelled = |place: usize| (ROWS[place].0, ROWS[place].1);
    ROWS[tables::find_pair(&INDEX, list, word, spelled)?].2[layout as usize]
}

/// Returns the word that a number stands for in an era's tokens.
pub(super) fn word(layout: Layout, list: &'static str, number: u32) -> Option<&'static str> {
    let (_, words) = LISTS.iter().find(|(known, _)| *known == list)?;
    let place = *words[layout as usize].get(number as usize)?;
    Some(ROWS[place.checked_sub(1)?].1)
}

/// The words of neighbouring years that gave way to another of the same number.
pub(super) fn other_words(
    layout: Layout,
    list: &'static str,
    number: u32,
) -> impl Iterator<Item = &'static str> {
    let others = OTHERS.iter();
    let same = move |other: &&(Layout, &str, u32, &str)| {
        (other.0, other.1, other.2) == (layout, list, number)
    };
    others.filter(same).map(|other| other.3)
}

/// The number of a word in each era that has it.
type Numbers = [Option<u32>; Layout::ALL.len()];

/// The words of a list by era and number, each as one more than its place in the rows.
type Words = [&'static [usize]; Layout::ALL.len()];

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
}

//! The values that a run is to leave: the table `expect` of a file of inputs, which makes it a
//! test.

use std::fmt;

use crate::comparison::{Tolerance, agree};
use crate::{Mistake, Reader};

/// A table of registers or buffers that may be expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// Its name, such as `buf`.
    pub name: &'static str,
    /// True where each lane has its own vector; else the words are one list.
    pub by_lane: bool,
}

/// The values of one register or buffer that a run is to leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// Its table.
    pub table: Table,
    /// Its number.
    pub number: usize,
    /// Its words: one list for all lanes, or one for each.
    pub words: Vec<Vec<u32>>,
}

/// All values that a run is to leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// The distance that floats may have; none unless the file says it.
    pub tolerance: Tolerance,
    /// The registers and buffers, by table and number.
    pub expected: Vec<Expected>,
}

/// A value that is not the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unexpected {
    /// The table and number, such as `buf.0`.
    pub name: String,
    /// The lane, where lanes have their own values.
    pub lane: Option<usize>,
    /// The word within it, from 0.
    pub word: usize,
    /// The bits that the run left; `None` where it has no such word.
    pub found: Option<u32>,
    /// The bits that were expected.
    pub expected: u32,
}

impl fmt::Display for Unexpected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} word {}", self.name, self.word)?;
        if let Some(lane) = self.lane {
            write!(out, " of lane {lane}")?;
        }
        let shown = |bits: u32| format!("{:?} ({bits:#010x})", f32::from_bits(bits));
        match self.found {
            Some(found) => write!(out, ": {}, expected {}", shown(found), shown(self.expected)),
            None => write!(out, ": there is none, expected {}", shown(self.expected)),
        }
    }
}

impl Expectation {
    /// Reads the table: for each of `tables` numbered lists, and `tolerance` in units in the last
    /// place.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(value: &Reader<'_>, tables: &[Table]) -> Result<Expectation, Mistake> {
        let mut read = Expectation { tolerance: Tolerance { ulps: 0 }, expected: Vec::new() };
        for (name, value) in value.fields()? {
            if name == "tolerance" {
                read.tolerance.ulps = value.number()?;
                continue;
            }
            let Some(table) = tables.iter().find(|table| table.name == name) else {
                let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
                let message = format!("`{name}`: there are tolerance, {}", names.join(", "));
                return Err(value.mistake(message));
            };
            let lists = value.numbered(|it| it.word_lists().map(Some), None)?;
            let numbered = lists.into_iter().enumerate();
            read.expected.extend(numbered.filter_map(|(number, words)| {
                Some(Expected { table: *table, number, words: words? })
            }));
        }
        if read.expected.is_empty() {
            return Err(value.mistake("nothing is expected".to_owned()));
        }
        Ok(read)
    }

    /// Lists what is otherwise. `lanes` are those that are compared; `found` gives the word of
    /// a register or buffer in one of them.
    pub fn compare(
        &self,
        lanes: &[usize],
        found: impl Fn(&Expected, usize, usize) -> Option<u32>,
    ) -> Vec<Unexpected> {
        let mut all = Vec::new();
        for expected in &self.expected {
            let own = if expected.table.by_lane { lanes } else { &[0][..] };
            for lane in own {
                let words = match &expected.words[..] {
                    [one] => Some(one),
                    each => each.get(*lane),
                };
                for (word, bits) in words.into_iter().flatten().enumerate() {
                    let left = found(expected, word, *lane);
                    if !left.is_some_and(|left| agree(left, *bits, self.tolerance)) {
                        all.push(Unexpected {
                            name: format!("{}.{}", expected.table.name, expected.number),
                            lane: expected.table.by_lane.then_some(*lane),
                            word,
                            found: left,
                            expected: *bits,
                        });
                    }
                }
            }
        }
        all
    }

    /// The number of words that are compared in so many lanes.
    pub fn words(&self, lanes: usize) -> usize {
        let count = |expected: &Expected| {
            let times = match (expected.table.by_lane, expected.words.len()) {
                (true, 1) => lanes,
                _ => 1,
            };
            times * expected.words.iter().map(Vec::len).sum::<usize>()
        };
        self.expected.iter().map(count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Expectation, Mistake> {
        let mut read = None;
        crate::sections(text, |_, value, _| {
            read = Some(Expectation::read(
                value,
                &[Table { name: "out", by_lane: true }, Table { name: "buf", by_lane: false }],
            )?);
            Ok(())
        })?;
        Ok(read.expect("a section"))
    }

    #[test]
    fn what_differs_is_told_with_its_place() {
        let text = "[expect]\ntolerance = 1\n[expect.out]\n1 = [[1.0], [2.0]]\n\
                    [expect.buf]\n0 = [7, 8, 9]\n";
        let expectation = read(text).unwrap();
        assert_eq!(expectation.words(2), 5);
        let found = |expected: &Expected, word: usize, lane: usize| match expected.table.name {
            "out" => Some((1.0_f32 + lane as f32).to_bits() + 1 + lane as u32),
            _ => [7, 0].get(word).copied(),
        };
        let all: Vec<String> =
            expectation.compare(&[0, 1], found).iter().map(ToString::to_string).collect();
        assert_eq!(
            all,
            [
                "buf.0 word 1: 0.0 (0x00000000), expected 1.1e-44 (0x00000008)",
                "buf.0 word 2: there is none, expected 1.3e-44 (0x00000009)",
                "out.1 word 0 of lane 1: 2.0000005 (0x40000002), expected 2.0 (0x40000000)",
            ]
        );
    }

    #[test]
    fn one_vector_counts_for_every_lane() {
        assert_eq!(read("[expect.out]\n0 = [1.0, 2.0]\n").unwrap().words(4), 8);
    }

    #[test]
    fn a_table_that_expects_nothing_is_a_mistake() {
        assert_eq!(read("[expect]\n").unwrap_err().message, "nothing is expected");
        let message = read("[expect.in]\n0 = [1]\n").unwrap_err().message;
        assert_eq!(message, "`in`: there are tolerance, out, buf");
    }
}

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
            let words = |it: &Reader<'_>| {
                let lists = it.word_lists()?;
                // Where lanes have not their own, lists follow each other.
                Ok(Some(if table.by_lane { lists } else { vec![lists.concat()] }))
            };
            let lists = value.numbered(words, None)?;
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

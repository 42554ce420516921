//! Where the fields of every encoding are: the rows of `data/fields.tsv`.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::Generation;
use crate::table::Table;

/// A field of an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The encoding's name, or `SDWA` or `DPP`.
    pub encoding: &'static str,
    /// Its name in the manuals, in lower case.
    pub name: &'static str,
    /// Its lowest bit, from bit 0 of the first word.
    pub low: u8,
    /// Its bits.
    pub width: u8,
    generations: &'static str,
    /// Where the row is from.
    pub source: &'static str,
}

impl Field {
    fn is_of(&self, generation: Generation) -> bool {
        let digit = generation.name().as_bytes()[3];
        self.generations.bytes().any(|byte| byte == digit)
    }

    /// Its value in an instruction's words.
    pub fn value(&self, words: u64) -> u64 {
        (words >> self.low) & ((1 << self.width) - 1)
    }
}

/// The fields of an encoding in a generation, in the order of the table.
pub fn fields(encoding: &str, generation: Generation) -> impl Iterator<Item = &'static Field> {
    rows().iter().filter(move |field| field.encoding == encoding && field.is_of(generation))
}

/// One field by name. Every decoded instruction asks for several, so names are not
/// compared with all rows.
pub fn field(encoding: &str, generation: Generation, name: &str) -> Option<&'static Field> {
    type Places = FxHashMap<(&'static str, &'static str), [Option<&'static Field>; 4]>;
    static PLACES: OnceLock<Places> = OnceLock::new();
    let places = PLACES.get_or_init(|| {
        let mut places = Places::default();
        for row in rows() {
            let own = places.entry((row.encoding, row.name)).or_default();
            for generation in Generation::ALL.into_iter().filter(|it| row.is_of(*it)) {
                own[generation as usize].get_or_insert(row);
            }
        }
        places
    });
    places.get(&(encoding, name))?[generation as usize]
}

fn rows() -> &'static [Field] {
    static ROWS: OnceLock<Vec<Field>> = OnceLock::new();
    ROWS.get_or_init(|| match parse(include_str!("../../data/fields.tsv")) {
        Ok(rows) => rows,
        // The text is part of the program: any test of this crate would fail.
        Err(message) => panic!("the table of fields: {message}"),
    })
}

fn parse(text: &'static str) -> Result<Vec<Field>, String> {
    let table = Table::parse(text)?;
    let bits = |row: &crate::table::Row<'_>, column: &str| {
        let number = row.number(column)?;
        u8::try_from(number).ok().filter(|bits| *bits < 64).ok_or(row.refuse(column, "bits"))
    };
    table
        .rows()
        .map(|row| {
            Ok(Field {
                encoding: row.cell("encoding")?,
                name: row.cell("field")?,
                low: bits(&row, "low")?,
                width: bits(&row, "width")?,
                generations: row.cell("generations")?,
                source: row.cell("source")?,
            })
        })
        .collect()
}

//! The words of the language: its enums, and what is known of each word.

use std::path::Path;

use tables::print::{array, index, strings};
use tables::{Result, Row, Table};

/// Every list: its name, its enum, and what that is.
const LISTS: [(&str, &str, &str); 16] = [
    ("stage", "Stage", "The pipeline stage that a shader's header names."),
    ("file", "File", "A register file. The last five are historic."),
    (
        "semantic",
        "SemanticName",
        "What a declared register carries between stages or from the hardware.",
    ),
    ("property", "PropertyName", "A property of the whole shader."),
    ("target", "TextureTarget", "The shape of the texture that a sampling instruction reads."),
    ("interpolation", "Interpolation", "How a fragment input is interpolated over the primitive."),
    ("location", "InterpolationLocation", "Where in the pixel a fragment input is interpolated."),
    ("immediate", "ImmediateType", "The type of an immediate's values."),
    ("return", "ReturnType", "What a sampler view returns."),
    ("memory", "MemoryKind", "The kind of memory that a `MEMORY` register stands for."),
    ("qualifier", "MemoryQualifier", "A promise about a memory access."),
    ("primitive", "Primitive", "A primitive type, as geometry properties name it."),
    ("origin", "CoordinateOrigin", "Where the pixel at coordinate (0, 0) lies."),
    ("center", "PixelCenter", "Which coordinate a pixel's centre has."),
    (
        "modifier",
        "Modifier",
        "What may be put on an opcode or an operand. Those in small letters are names for signs of the grammar, not words of it.",
    ),
    (
        "keyword",
        "Keyword",
        "Words that begin a statement, and attributes of declarations that belong to no other list.",
    ),
];

/// The table of words, and the opcodes.
pub(crate) struct Words {
    table: Table,
}

impl Words {
    pub(crate) fn read(data: &Path) -> Result<Words> {
        Table::read(data, "words.tsv").map(|table| Words { table })
    }

    /// Returns the variant of a word, if its list has it.
    pub(crate) fn variant(&self, list: &str, word: &str) -> Option<String> {
        let (_, name, _) = LISTS.iter().find(|it| it.0 == list)?;
        let is = |row: &Row<'_>| row.cell("list") == Ok(list) && row.cell("word") == Ok(word);
        let row = self.table.rows().find(is)?;
        Some(format!("{name}::{}", row.cell("variant").ok()?))
    }

    /// Tells whether a list has a word; `opcode` is the list of mnemonics.
    pub(crate) fn has(&self, list: &str, word: &str) -> bool {
        match list {
            "opcode" => isa::tgsi::Opcode::find(word).is_some_and(|it| it.mnemonic() == word),
            list => self.variant(list, word).is_some(),
        }
    }

    /// Returns the enums.
    pub(crate) fn enums(&self) -> Result<String> {
        let mut code = String::new();
        let mut done = 0;
        for (list, name, description) in LISTS {
            let mut variants = Vec::new();
            for row in self.table.rows().skip(done) {
                if row.cell("list")? != list {
                    break;
                }
                variants.push(format!("{} = {:?}", row.cell("variant")?, row.cell("word")?));
            }
            let first = done;
            done += variants.len();
            code += &format!(
                "words! {{\n    /// {description}\n    {name} in {list:?} from {first} {{ {} }}\n}}\n",
                variants.join(", ")
            );
        }
        match self.table.rows().nth(done) {
            None => Ok(code),
            Some(row) => Err(row.error("this list is not known, or does not stand here")),
        }
    }

    /// Returns the places where a word is legal: three bits for each stage, for `in`, `out`
    /// and `sv`.
    fn places(&self, row: Row<'_>) -> Result<u32> {
        let mut places = 0;
        for entry in row.cell("stages")?.split(", ") {
            let (stage, place) = entry.split_once(' ').unwrap_or((entry, ""));
            let place = match place {
                "" => continue,
                "in" => 1,
                "out" => 2,
                "sv" => 4,
                _ => return Err(row.refuse("stages")),
            };
            let stages = self.table.rows().filter(|row| row.cell("list") == Ok("stage"));
            let known = stages
                .enumerate()
                .filter(|(_, row)| stage == "any" || row.cell("word") == Ok(stage));
            let bits = known.fold(0, |bits, (number, _)| bits | place << (number * 3));
            if bits == 0 {
                return Err(row.refuse("stages"));
            }
            places |= bits;
        }
        Ok(places)
    }

    /// Returns the components of coordinates that each texture target uses.
    pub(crate) fn coordinates(&self) -> Result<String> {
        let mut rows = Vec::new();
        for row in self.table.rows().filter(|row| row.cell("list") == Ok("target")) {
            let mut parts = row.cell("value")?.split(", ");
            let leading = |part: &str| part.bytes().take_while(|it| b"xyzw".contains(it)).count();
            let position = match parts.next().map_or(0, leading) {
                0 => 4,
                position => position,
            };
            let (mut layers, mut samples, mut compares) = (0, false, false);
            let mut reference = "None".to_owned();
            for part in parts {
                if part.starts_with("layer ") {
                    layers += 1;
                } else if part.starts_with("reference in ") {
                    compares = true;
                } else if let Some(letter) = part.strip_prefix("reference ") {
                    compares = true;
                    reference = format!("Some(Component::{})", letter.to_ascii_uppercase());
                } else if part.starts_with("sample ") {
                    samples = true;
                }
            }
            rows.push(format!(
                "    Coordinates {{ place: {}, position: {position}, reference: {reference}, \
                 compares: {compares}, samples: {samples}, layered: {} }},\n",
                position + layers,
                layers > 0
            ));
        }
        Ok(array("COORDINATES", "Coordinates", &rows))
    }

    /// Returns the rows of all words, and the index of lists and words.
    pub(crate) fn rows(&self) -> Result<String> {
        let columns = [
            "list",
            "word",
            "since",
            "until",
            "stages",
            "value",
            "replacement",
            "description",
            "source",
        ];
        let mut rows = Vec::new();
        let mut names = Vec::new();
        for row in self.table.rows() {
            let name = tables::pair(row.cell("list")?, row.cell("word")?);
            if names.contains(&name) {
                return Err(row.error("this word stands twice"));
            }
            names.push(name);
            let places = self.places(row)?;
            rows.push(format!("    WordRow {{ {}places: {places} }},\n", strings(row, &columns)?));
        }
        Ok(array("ROWS", "WordRow", &rows) + &index("INDEX", &names))
    }
}

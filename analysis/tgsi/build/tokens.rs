//! The token formats: numbers of words, fields of words.

use std::path::Path;

use tables::print::{array, index};
use tables::{Result, Table};

use crate::words::Words;

/// The eras of the token format, as columns of the table.
const LAYOUTS: [&str; 6] = ["2007", "2008", "2009", "2012", "2016", "2022"];

/// Returns the numbers of words, and the words of numbers: sorted, those that give way to
/// another when tokens are read behind it.
pub(crate) fn numbers(data: &Path, words: &Words) -> Result<String> {
    let table = Table::read(data, "token_numbers.tsv")?;
    let (mut rows, mut names, mut numbered) = (Vec::new(), Vec::new(), Vec::new());
    for row in table.rows() {
        let (list, word) = (row.cell("list")?, row.cell("word")?);
        let is_format = list == "format" && word.starts_with("PIPE_FORMAT_");
        // Tests of a condition register are words of operands.
        if !is_format && list != "condition" && !words.has(list, word) {
            return Err(row.error(format!("no {list} `{word}`")));
        }
        let name = tables::pair(list, word);
        if names.contains(&name) {
            return Err(row.error("this word stands twice"));
        }
        names.push(name);
        let mut numbers = [None; LAYOUTS.len()];
        for (number, column) in numbers.iter_mut().zip(LAYOUTS) {
            // A star marks a word that gives way.
            let (digits, gives_way) = match row.cell(column)?.strip_suffix('*') {
                Some(digits) => (digits, true),
                None => (row.cell(column)?, false),
            };
            *number = match digits {
                "" => continue,
                // The number in the opcode's own table.
                "=" => isa::tgsi::Opcode::find(word).and_then(|it| it.row().number).map(u32::from),
                digits => digits.parse().ok(),
            };
            let key = (column, list, number.ok_or_else(|| row.refuse(column))?, gives_way);
            numbered.push((key, word));
        }
        rows.push(format!("    ({list:?}, {word:?}, {numbers:?}),\n"));
    }
    numbered.sort_by_key(|(key, _)| *key);
    if let Some(same) = numbered.windows(2).find(|it| it[0].0 == it[1].0 && !it[0].0.3) {
        return Err(format!("{}: one number of two words: {same:?}", table.path()).into());
    }
    let numbered = numbered.iter().map(|((layout, list, number, gives_way), word)| {
        format!("    ((Layout::Y{layout}, {list:?}, {number}, {gives_way}), {word:?}),\n")
    });
    Ok(array("ROWS", "(&str, &str, Numbers)", &rows)
        + &index("INDEX", &names)
        + &array("WORDS", "(Key, &str)", &numbered.collect::<Vec<_>>()))
}

/// Returns the kinds of words, and the fields of each in each era.
pub(crate) fn fields(data: &Path) -> Result<String> {
    let table = Table::read(data, "token_fields.tsv")?;
    let mut kinds: Vec<&str> = Vec::new();
    for row in table.rows() {
        let kind = row.cell("token")?;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let mut fields = vec![vec![String::new(); kinds.len() + 1]; LAYOUTS.len()];
    for row in table.rows() {
        let kind = kinds.iter().position(|it| row.cell("token") == Ok(*it));
        let (mut code, mut low) = (String::new(), 0);
        for word in row.cell("fields")?.split(' ') {
            let (name, width) = word.split_once(':').ok_or_else(|| row.refuse("fields"))?;
            let width: u32 = width.parse().map_err(|_| row.refuse("fields"))?;
            code += &format!("Field {{ name: {name:?}, low: {low}, width: {width} }}, ");
            low += width;
        }
        if low > 32 {
            return Err(row.error(format!("{low} bits in a word")));
        }
        for layout in row.cell("layouts")?.split(' ') {
            let layout = LAYOUTS.iter().position(|it| *it == layout);
            let layout = layout.ok_or_else(|| row.refuse("layouts"))?;
            let place = &mut fields[layout][kind.ok_or_else(|| row.refuse("token"))?];
            if !std::mem::replace(place, code.clone()).is_empty() {
                return Err(row.error("an era has another row for this word"));
            }
        }
    }
    let variants: String =
        kinds.iter().map(|kind| format!("    {},\n", camel_case(kind))).collect();
    let layouts: Vec<String> = fields
        .iter()
        .map(|kinds| {
            let kinds: Vec<String> = kinds.iter().map(|fields| format!("&[{fields}]")).collect();
            format!("    [{}],\n", kinds.join(", "))
        })
        .collect();
    kinds.push("unknown");
    Ok(format!(
        "/// The kinds of words.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]\n\
         #[allow(missing_docs)]\n\
         pub enum TokenType {{\n{variants}    /// A word that was skipped.\n    Unknown,\n}}\n\
         const NAMES: [&str; {}] = {kinds:?};\n{}",
        kinds.len(),
        array("TABLE", "[&[Field]; NAMES.len()]", &layouts)
    ))
}

/// Returns words as the name of a variant.
fn camel_case(words: &str) -> String {
    let words = words.split(' ').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

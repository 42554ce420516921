//! The token formats: numbers of words, fields of words.

use std::path::Path;

use tables::Table;
use tables::print::{array, index};

use crate::words::Words;

/// The eras of the token format, as columns of the table.
const LAYOUTS: [&str; 6] = ["2007", "2008", "2009", "2012", "2016", "2022"];

/// Returns the numbers of words, the words of numbers, and the words that give way.
pub(crate) fn numbers(data: &Path, words: &Words) -> Result<String, String> {
    let table = Table::read(data, "token_numbers.tsv")?;
    let (mut rows, mut names, mut others) = (Vec::new(), Vec::new(), Vec::new());
    // Of each list the rows by layout and number, each one more than its place.
    let mut lists: Vec<(&str, [Vec<usize>; LAYOUTS.len()])> = Vec::new();
    for (place, row) in table.rows().enumerate() {
        let (list, word) = (row.cell("list")?, row.cell("word")?);
        let is_format = list == "format" && word.starts_with("PIPE_FORMAT_");
        if !is_format && !words.has(list, word) {
            return Err(row.error(&format!("no {list} `{word}`")));
        }
        let name = tables::pair(list, word);
        if names.contains(&name) {
            return Err(row.error("this word stands twice"));
        }
        names.push(name);
        if !lists.iter().any(|(known, _)| *known == list) {
            lists.push((list, Default::default()));
        }
        let mut numbers = [None; LAYOUTS.len()];
        for (layout, column) in LAYOUTS.iter().enumerate() {
            let cell = row.cell(column)?;
            if cell.is_empty() {
                continue;
            }
            // A star marks a word that gives way to another when tokens are read.
            let number: u32 = cell.trim_end_matches('*').parse().map_err(|_| row.refuse(column))?;
            numbers[layout] = Some(number);
            if cell.ends_with('*') {
                others.push(format!("    (Layout::Y{column}, {list:?}, {number}, {word:?}),\n"));
                continue;
            }
            let of_list = lists.iter_mut().find(|(known, _)| *known == list);
            let Some((_, by_layout)) = of_list else { continue };
            let places = &mut by_layout[layout];
            let end = places.len().max(number as usize + 1);
            places.resize(end, 0);
            if std::mem::replace(&mut places[number as usize], place + 1) != 0 {
                return Err(row.error(&format!("{number} of {column} has another word too")));
            }
        }
        rows.push(format!("    ({list:?}, {word:?}, {numbers:?}),\n"));
    }
    let lists: Vec<String> = lists
        .iter()
        .map(|(list, places)| {
            let places: Vec<String> = places.iter().map(|places| format!("&{places:?}")).collect();
            format!("    ({list:?}, [{}]),\n", places.join(", "))
        })
        .collect();
    Ok(array("ROWS", "(&str, &str, Numbers)", &rows)
        + &index("INDEX", &names)
        + &array("LISTS", "(&str, Words)", &lists)
        + &array("OTHERS", "(Layout, &str, u32, &str)", &others))
}

/// Returns the kinds of words, and the fields of each in each era.
pub(crate) fn fields(data: &Path) -> Result<String, String> {
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
        let kind = kinds.iter().position(|it| row.cell("token").is_ok_and(|cell| cell == *it));
        let (mut code, mut low) = (String::new(), 0);
        for word in row.cell("fields")?.split(' ') {
            let (name, width) = word.split_once(':').ok_or_else(|| row.refuse("fields"))?;
            let width: u32 = width.parse().map_err(|_| row.refuse("fields"))?;
            code += &format!("Field {{ name: {name:?}, low: {low}, width: {width} }}, ");
            low += width;
        }
        if low > 32 {
            return Err(row.error(&format!("{low} bits in a word")));
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
         pub enum Kind {{\n{variants}    /// A word that was skipped.\n    Unknown,\n}}\n\
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

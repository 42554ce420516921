//! Turns the tables of vertex formats, of intrinsics, of opcodes and of the environment into
//! constants.

use std::path::Path;
use std::process::ExitCode;

use tables::print::array;
use tables::{Result, Row, Table};

const CHANNELS: [(&str, &str); 8] = [
    ("float", "Float"),
    ("fixed", "Fixed"),
    ("unorm", "Unorm"),
    ("snorm", "Snorm"),
    ("uscaled", "Uscaled"),
    ("sscaled", "Sscaled"),
    ("uint", "Uint"),
    ("sint", "Sint"),
];

fn main() -> ExitCode {
    tables::generate(&["build.rs"], |data| {
        Ok(vec![
            ("vertex_formats.rs", vertex_formats(data)?),
            ("intrinsics.rs", intrinsics(data)?),
            ("emitters.rs", emitters(data)?),
            ("environment_keys.rs", environment_words(data)? + &environment_keys(data)?),
        ])
    })
}

fn vertex_formats(data: &Path) -> Result<String> {
    let table = Table::read(data, "vertex_formats.tsv")?;
    let row = |row: Row<'_>| {
        let channel = row.one_of("channel", &CHANNELS)?;
        Ok(format!("    ({:?}, {}, Channel::{channel}),\n", row.cell("name")?, fetch(row)?))
    };
    Ok(array("ROWS", "(&str, Fetch, Channel)", &table.rows().map(row).collect::<Result<Vec<_>>>()?))
}

fn intrinsics(data: &Path) -> Result<String> {
    let table = Table::read(data, "intrinsics.tsv")?;
    let mut names: Vec<&str> = Vec::new();
    for row in table.rows() {
        let name = row.cell("name")?;
        if names.last().is_some_and(|last| *last >= name) {
            return Err(row.error("names stand in byte order, each once"));
        }
        names.push(name);
    }
    Ok(format!("/// Every name, in byte order.\npub const INTRINSICS: &[&str] = &{names:?};\n"))
}

fn emitters(data: &Path) -> Result<String> {
    let table = Table::read(data, "emitters.tsv")?;
    let mut rows = String::new();
    for row in table.rows() {
        let [opcode, function, arguments] =
            [row.cell("opcode")?, row.cell("function")?, row.cell("arguments")?];
        let emitter = match (row.cell("of")?, arguments) {
            ("values", "") => format!("Values(crate::{function})"),
            ("values", _) => format!("Values(|b, v| crate::{function}(b, {arguments}, v))"),
            ("instruction", "") => format!("Instruction(crate::{function})"),
            ("instruction", _) => {
                format!("Instruction(|l, i| crate::{function}(l, i, {arguments}))")
            }
            _ => return Err(row.refuse("of")),
        };
        rows += &format!("    (Opcode::{opcode}, Emitter::{emitter}),\n");
    }
    Ok(format!("static EMITTERS: ByOpcode<Emitter> = ByOpcode::of(&[&[\n{rows}]]);\n"))
}

/// Returns how an attribute is fetched, as code.
fn fetch(row: Row<'_>) -> Result<String> {
    let channels: u32 = row.number("channels")?;
    let kind = row.one_of("channel", &CHANNELS)?;
    let signed = ["Snorm", "Sscaled", "Sint"].contains(&kind);
    let whole = ["Float", "Uint", "Sint"].contains(&kind);
    Ok(match row.cell("bits")? {
        "8" if channels == 3 => format!("Fetch::Triple(Channel::{kind}, 1)"),
        "16" if channels == 3 => format!("Fetch::Triple(Channel::{kind}, 2)"),
        "32" if !whole => format!("Fetch::Words(Channel::{kind}, {channels})"),
        "64" => format!("Fetch::Doubles({channels})"),
        "10_10_10_2" if signed => format!("Fetch::SignedAlpha(Channel::{kind})"),
        "8" | "16" | "32" | "10_10_10_2" | "11_11_10" | "any" => "Fetch::Formatted".to_owned(),
        _ => return Err(row.refuse("bits")),
    })
}

/// Returns the name of the constant for a list of words.
fn constant(list: &str) -> String {
    list.to_uppercase().replace('-', "_")
}

/// Returns each list of words twice: with what the words stand for, and alone.
fn environment_words(data: &Path) -> Result<String> {
    let table = Table::read(data, "environment_words.tsv")?;
    let mut lists: Vec<(&str, &str, String, Vec<&str>)> = Vec::new();
    for row in table.rows() {
        let [list, ty, word, meaning] =
            [row.cell("list")?, row.cell("type")?, row.cell("word")?, row.cell("meaning")?];
        if lists.last().is_none_or(|last| last.0 != list) {
            lists.push((list, ty, String::new(), Vec::new()));
        }
        if let Some((_, _, pairs, words)) = lists.last_mut() {
            *pairs += &format!("({word:?}, {meaning}), ");
            words.push(word);
        }
    }
    let print = |(list, ty, pairs, words): &(&str, &str, String, Vec<&str>)| {
        let name = constant(list);
        format!(
            "const {name}: &[NamedValue<{ty}>] = &[{pairs}];\n\
             const {name}_WORDS: &[&str] = &{words:?};\n"
        )
    };
    Ok(lists.iter().map(print).collect())
}

fn environment_keys(data: &Path) -> Result<String> {
    let table = Table::read(data, "environment_keys.tsv")?;
    let mut keys = String::new();
    for row in table.rows() {
        let stages = row.cell("stages")?.replace(' ', ", Stage::");
        let [values, set, get] = key(row)?;
        keys += &format!(
            "    Key {{ name: {:?}, description: {:?}, stages: &[Stage::{stages}], values: Values::{values}, \
             set: |it, value| {set}, get: |it| {get} }},\n",
            row.cell("key")?,
            row.cell("description")?
        );
    }
    Ok(format!(
        "/// The keys, in the order in which they are told.\npub const KEYS: &[Key] = &[\n{keys}];\n"
    ))
}

/// Returns the values that a key takes, and how one is set and written, as code.
fn key(row: Row<'_>) -> Result<[String; 3]> {
    let field = format!("it.{}", row.cell("field")?);
    let words: Vec<&str> = row.cell("values")?.split(' ').collect();
    Ok(match words[..] {
        ["word", list] => {
            let list = constant(list);
            [
                format!("Words({list}_WORDS)"),
                format!("choose({list}, &mut {field}, value)"),
                format!("word_of({list}, &{field})"),
            ]
        }
        ["words", list] => {
            let list = constant(list);
            [
                format!("List({list}_WORDS)"),
                format!("list(&mut {field}, value, |item| find({list}, item))"),
                format!("written(&{field}, |item| word_of({list}, item))"),
            ]
        }
        ["number", least, most] => [
            format!("Number({least}, {most})"),
            format!("number(&mut {field}, value, {least}, {most})"),
            format!("{field}.to_string()"),
        ],
        ["numbers", most, count] => [
            format!("Numbers({most}, {count})"),
            format!(
                "list(&mut {field}, value, |item| item.parse().ok().filter(|it| *it <= {most}))"
            ),
            format!("written(&{field}, u32::to_string)"),
        ],
        ["places", end] => [
            format!("Places({end})"),
            format!("places(&mut {field}, value, {end})"),
            format!("written_places({field}, {end})"),
        ],
        ["size", most] => [
            format!("Size({most})"),
            format!("size(&mut {field}, value, {most})"),
            format!("written_size(&{field})"),
        ],
        ["formats"] => [
            "Formats".to_owned(),
            format!("list(&mut {field}, value, VertexFormat::find)"),
            format!("written(&{field}, |format| format.name().to_owned())"),
        ],
        ["captures"] => {
            ["Captures".to_owned(), format!("{field}.read(value)"), format!("{field}.written()")]
        }
        ["strides", most, count] => [
            format!("Numbers({most}, {count})"),
            format!("{field}.read_strides(value)"),
            format!("{field}.written_strides()"),
        ],
        _ => return Err(row.refuse("values")),
    })
}

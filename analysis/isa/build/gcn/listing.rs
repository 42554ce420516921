//! The listing of what each opcode got, from which row.

use tables::Result;

use super::Input;
use super::families::Resolved;

/// Returns a row for each opcode and set of features that has it: its encodings, and the
/// table's line of each fact.
pub(crate) fn listing(input: Input<'_>, resolved: &[(&str, Resolved)]) -> Result<String> {
    let mut text = String::from("opcode\tchips\tencodings");
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for (file, _) in resolved {
        text += &format!("\t{file}.tsv");
        let table = input.table(file)?;
        lines.push(table.rows().map(|row| row.line()).collect());
    }
    text.push('\n');
    for (number, op) in input.ops.iter().enumerate() {
        for (place, set) in input.features.sets().iter().enumerate() {
            let encodings = op.encodings(*set).iter();
            let encodings: Vec<String> =
                encodings.map(|it| format!("{}:{}", it.encoding.name(), it.opcode)).collect();
            if encodings.is_empty() {
                continue;
            }
            let cell = |(lines, (_, of)): (&Vec<usize>, &(&str, Resolved))| {
                of[number][place].map_or("\t-".to_owned(), |row| format!("\t{}", lines[row]))
            };
            let cells: String = lines.iter().zip(resolved).map(cell).collect();
            let (chips, encodings) = (input.features.processors(*set), encodings.join(" "));
            text += &format!("{}\t{chips}\t{encodings}{cells}\n", op.name);
        }
    }
    Ok(text)
}

//! `tungsten explain`: the page of a diagnostic, or the row of an opcode.

use std::io;

use tgsi::Opcode;

use super::output::{Output, Style};
use super::{Status, complain};

pub(super) fn run(name: &str, output: &mut Output) -> io::Result<Status> {
    if let Some(page) = engine::explain(name) {
        output.styled(Style::Strong, name)?;
        output.line("\n")?;
        output.line(page)?;
        return Ok(Status::Good);
    }
    if let Some(opcode) = find_opcode(name) {
        print_opcode(opcode, output)?;
        return Ok(Status::Good);
    }
    let mnemonics = Opcode::all().map(|opcode| opcode.row().mnemonic);
    match text::nearest(name, mnemonics) {
        Some(nearest) => complain(format_args!("nothing is known of `{name}`; `{nearest}`?")),
        None => complain(format_args!("nothing is known of `{name}`")),
    }
    Ok(Status::Failed)
}

fn find_opcode(name: &str) -> Option<Opcode> {
    Opcode::all().find(|opcode| opcode.row().mnemonic.eq_ignore_ascii_case(name))
}

fn print_opcode(opcode: Opcode, output: &mut Output) -> io::Result<()> {
    let row = opcode.row();
    output.styled(Style::Source, row.mnemonic)?;
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let operands =
        format!("{}, {}", plural(row.destinations, "destination"), plural(row.sources, "source"));
    output.line(&format!("  {operands}; stages: {}", row.stages))?;
    if !row.description.is_empty() {
        output.line(&format!("\n{}", row.description))?;
    }
    if !row.formula.is_empty() {
        output.text("\n    ")?;
        output.styled(Style::Vector, row.formula)?;
        output.line("")?;
    }
    if !row.until.is_empty() {
        output.line(&format!("\nHistoric: it went on {}.", row.until))?;
        if !row.replacement.is_empty() {
            output.line(&format!("Today one writes {}.", row.replacement))?;
        }
    }
    output.line("")?;
    output.styled(Style::Faint, &format!("source: {}", row.source))?;
    output.line("")
}

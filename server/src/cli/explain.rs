//! `tungsten explain`: the page of a finding, an opcode, a word, a format, a GCN
//! instruction or directive or a chip, as the editors show it.

use std::io;

use tgsi::{Opcode, describe, formats, word_rows};

use super::output::{Output, Style};
use super::reference;
use super::{Status, complain};

/// What is to be explained.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Such as `tgsi::unknown-opcode`, `MAD`, `CUBEARRAY`, `v_mad_f32`, `.p2align`, `polaris10` or `dumps`
    #[arg(required_unless_present = "all")]
    name: Option<String>,
    /// Print the whole reference as one Markdown document
    #[arg(long, conflicts_with = "name")]
    all: bool,
}

/// The word for the page on dumps.
const DUMPS: &str = "dumps";

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> io::Result<Status> {
    let Some(name) = &arguments.name else {
        output.text(&reference::whole())?;
        return Ok(Status::Good);
    };
    let pages = pages(name);
    if pages.is_empty() {
        match text::nearest(name, names()) {
            Some(nearest) => complain(format_args!("nothing is known of `{name}`; `{nearest}`?")),
            None => complain(format_args!("nothing is known of `{name}`")),
        }
        return Ok(Status::Failed);
    }
    for (number, page) in pages.iter().enumerate() {
        if number > 0 {
            output.line("")?;
        }
        output.styled(Style::Strong, name)?;
        output.line("\n")?;
        output.line(page.trim_end())?;
    }
    Ok(Status::Good)
}

/// The pages of a name. A word of several lists has one in each.
fn pages(name: &str) -> Vec<String> {
    if let Some(page) = engine::explain(name) {
        return vec![page.trim_end().to_owned() + &examples(name)];
    }
    if name.eq_ignore_ascii_case(DUMPS) {
        return vec![describe::dumps().to_owned()];
    }
    let opcode = Opcode::find(name).map(describe::opcode);
    let words = word_rows::all().iter().filter(|row| row.word.eq_ignore_ascii_case(name));
    let words = words.filter_map(|row| describe::word(row.list, row.word));
    let format = formats::find(name).map(describe::format);
    let instruction =
        gcn::mnemonics::mnemonic_info(&name.to_ascii_lowercase()).map(gcn::describe::mnemonic);
    let directive = gcn::describe::directive(name).map(gcn::describe::DirectiveInfo::markdown);
    let chip = gcn::Target::find(name).map(gcn::describe::target);
    let gcn = instruction.into_iter().chain(directive).chain(chip);
    opcode.into_iter().chain(words).chain(format).chain(gcn).collect()
}

/// The whole shaders that tests hold a finding's page to.
fn examples(code: &str) -> String {
    let example = tgsi::codes::examples().find(|example| example.code == code);
    example.map_or(String::new(), |example| {
        let (wrong, right) = (example.wrong, example.right);
        format!("\n\nWrong:\n\n```tgsi\n{wrong}```\n\nRight:\n\n```tgsi\n{right}```\n")
    })
}

/// Everything that has a page.
fn names() -> impl Iterator<Item = &'static str> {
    let tgsi = Opcode::all().map(|opcode| opcode.row().mnemonic);
    let words = word_rows::all().iter().map(|row| row.word);
    let formats = formats::all().iter().map(|format| format.name);
    let gcn = gcn::mnemonics::all().iter().map(|info| info.name);
    let chips = gcn::Target::all().map(gcn::Target::name);
    let directives = gcn::describe::directives().iter().map(|info| info.name);
    let gcn = gcn.chain(directives).chain(chips);
    tgsi.chain(words).chain(engine::codes()).chain([DUMPS]).chain(formats).chain(gcn)
}

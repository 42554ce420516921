//! `tungsten explain`: the page of a diagnostic, an opcode, a word, a format, a GCN
//! instruction or directive or a chip, as the editors show it.

use tgsi::{Opcode, formats, word_rows};

use super::output::{Output, Style};
use super::reference;
use super::{Status, Stop, failed, read_target};
use crate::pages;

/// The word that is to be explained.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Such as `tgsi::unknown-opcode`, `MAD`, `CUBEARRAY`, `PIPE_CAP_DOUBLES`, `v_mad_f32`,
    /// `MIMG`, `dmask`, `.p2align`, `polaris10`, `dumps`, `run`, `open-bits` or, for the places of a
    /// matrix product's elements, `layout:v_mfma_f32_32x32x8f16`
    #[arg(required_unless_present = "all")]
    name: Option<String>,
    /// The chip whose instructions are meant, in place of all
    #[arg(long, value_name = "TARGET", conflicts_with = "all")]
    target: Option<String>,
    /// Print the whole reference as one Markdown document
    #[arg(long, conflicts_with = "name")]
    all: bool,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let Some(name) = &arguments.name else {
        output.page(&reference::whole())?;
        return Ok(Status::Good);
    };
    let target = read_target(arguments.target.as_deref())?;
    let pages = pages::on(name, target);
    if pages.is_empty() {
        return Err(match source::closest_match(name, names()) {
            Some(nearest) => failed(format_args!("no page for `{name}`; `{nearest}`?")),
            None => failed(format_args!("no page for `{name}`")),
        });
    }
    for (number, page) in pages.iter().enumerate() {
        if number > 0 {
            output.line("")?;
        }
        output.styled(Style::Strong, name)?;
        output.text("\n\n")?;
        output.page(&format!("{}\n", page.trim_end()))?;
    }
    Ok(Status::Good)
}

/// Everything that has a page.
fn names() -> impl Iterator<Item = &'static str> {
    let tgsi = Opcode::all().map(|opcode| opcode.row().mnemonic);
    let words = word_rows::all().iter().map(|row| row.word);
    let formats = formats::all().iter().map(|format| format.name);
    let gcn = gcn::mnemonics::all().iter().map(|info| info.name);
    let chips = gcn::Target::all().map(gcn::Target::name);
    let directives = gcn::describe::directives().iter().map(|info| info.name);
    let gcn = gcn.chain(directives).chain(chips).chain(gcn::describe::operand_words());
    tgsi.chain(words)
        .chain(engine::codes())
        .chain([pages::DUMPS, pages::RUN, pages::OPEN_BITS])
        .chain(formats)
        .chain(tgsi::describe::documented().iter().map(|row| row.name))
        .chain(gcn)
}

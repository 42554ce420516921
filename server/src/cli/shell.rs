//! `tungsten completions` and `tungsten man`: what packages install beside the
//! program, made of the same words as its help.

use clap::CommandFactory;
use clap_complete::Shell;

use super::output::Output;
use super::{Status, Stop};

/// For whom.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

/// `tungsten completions SHELL`.
pub(super) fn completions(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let mut script = Vec::new();
    let mut command = super::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "tungsten", &mut script);
    output.bytes(&script)?;
    Ok(Status::Good)
}

/// `tungsten man`: one page, the commands as sections of it.
pub(super) fn manual(output: &mut Output) -> Result<Status, Stop> {
    let mut page = Vec::new();
    let command = super::Arguments::command();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for command in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        let name = format!("tungsten {}", command.get_name());
        page.extend(format!(".SH \"{}\"\n", name.to_uppercase()).bytes());
        let manual = clap_mangen::Man::new(command.clone().bin_name(name));
        manual.render_synopsis_section(&mut page)?;
        manual.render_description_section(&mut page)?;
        manual.render_options_section(&mut page)?;
    }
    output.bytes(&page)?;
    Ok(Status::Good)
}

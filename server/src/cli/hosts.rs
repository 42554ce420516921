//! `tungsten hosts`: the verdict of each host that virglrenderer stands on about shaders.

use std::path::PathBuf;

use engine::{Language, Settings};

use super::files::{Heads, SourceFile, each_file};
use super::format::{Format, FormatArgument};
use super::glsl::{Asked, Renderer, read_hosts};
use super::named::Named;
use super::output::Output;
use super::{Status, Stop, failed};
use crate::{hosts, language};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Files, and folders, whose shaders are searched as git sees them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The hosts to ask in place of all: `gl33` to `gl46`, `gles30` to `gles32`, each with
    /// `-GL_EXTENSION` or `+GL_EXTENSION` after it
    #[arg(long, value_delimiter = ',', value_name = "HOST")]
    host: Vec<String>,
    #[command(flatten)]
    format: FormatArgument,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let names = match &arguments.host[..] {
        [] => hosts::names(),
        named => named.to_vec(),
    };
    let hosts = read_hosts(&names)?;
    let mut named = Named::by(&arguments.files);
    let rest = named.complain_of_rest();
    let mut files = std::mem::take(&mut named.files);
    files.retain(|path| {
        language::by_extension(&path.to_string_lossy()) == Some(Language::Tgsi) || named.names(path)
    });
    if files.is_empty() {
        return Err(failed("no file of TGSI was found"));
    }
    let renderer = Renderer::default();
    let status = each_file(&files, Heads::Comments, output, |path, output| {
        let file = &SourceFile::read(path)?;
        let mut host = engine::Host::new(Settings::default());
        let id = host.set_file(&file.name, file.text.clone(), Language::Tgsi);
        let mut asked = Asked { file, host: &mut host, id };
        match arguments.format.chosen() {
            Format::Json => asked.print_json(&renderer, &hosts, output),
            Format::Text => asked.print_table(&renderer, &hosts, output),
        }
    })?;
    Ok(status.max(rest))
}

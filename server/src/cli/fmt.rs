//! `tungsten fmt`: lays out the shaders and the assembly of files.

use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use engine::ide::{FormatNumbers, FormatOptions, FormatScope};
use engine::{Host, Language, Settings};

use super::output::{Output, name_at_line_start};
use super::{Status, complain, tokens};
use crate::decoded_files::Decoder;
use crate::files::{Access, read_named};
use crate::language;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The files, which are written in place; `-` goes from standard input to
    /// standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write nothing; name the files that are not formatted, and fail if any
    #[arg(long, conflicts_with = "stdout")]
    check: bool,
    /// Write to standard output instead
    #[arg(long)]
    stdout: bool,
    /// The instructions that carry their number
    #[arg(long, value_enum, default_value_t = Numbers::Keep)]
    numbers: Numbers,
}

/// The instructions that carry their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Numbers {
    /// As most of the shader's instructions do
    Keep,
    /// All
    Always,
    /// None
    Never,
}

impl From<Numbers> for FormatNumbers {
    fn from(numbers: Numbers) -> FormatNumbers {
        match numbers {
            Numbers::Keep => FormatNumbers::Keep,
            Numbers::Always => FormatNumbers::Always,
            Numbers::Never => FormatNumbers::Never,
        }
    }
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> io::Result<Status> {
    let mut status = Status::Good;
    for path in &arguments.files {
        status = status.max(file(path, arguments, output)?);
    }
    Ok(status)
}

fn file(path: &Path, arguments: &Arguments, output: &mut Output) -> io::Result<Status> {
    let name = path.display();
    let is_token_file = Decoder::of(path) == Some(Decoder::Tokens);
    if is_token_file && !arguments.stdout {
        complain(format_args!("{name}: holds tokens, which have no layout; see --stdout"));
        return Ok(Status::Failed);
    }
    let text = if is_token_file {
        let Some(text) = tokens::text_of_file(path, &Access::Anywhere) else {
            return Ok(Status::Failed);
        };
        text
    } else {
        match read(path) {
            Ok(text) => text,
            Err(error) => {
                complain(format_args!("{name}: {error}"));
                return Ok(Status::Failed);
            }
        }
    };
    let language = match is_token_file {
        true => Language::Tgsi,
        false => language::of_file(&name.to_string(), &text),
    };
    if language == Language::Gcn && language::is_foreign(&name.to_string(), &text) {
        complain(format_args!("{name}: the assembly of another machine"));
        return Ok(Status::Failed);
    }
    let options = FormatOptions { numbers: arguments.numbers.into() };
    let Some(formatted) = format(&text, language, &options) else {
        complain(format_args!("{name}: the formatter failed; the file is left as it is"));
        return Ok(Status::Failed);
    };
    let same = formatted == text;
    if arguments.check {
        if !same {
            output.line(&name_at_line_start(&name.to_string()))?;
        }
        return Ok(if same { Status::Good } else { Status::Bad });
    }
    if arguments.stdout || path == Path::new("-") {
        output.document(&formatted)?;
    } else if !same && let Err(error) = std::fs::write(path, formatted) {
        complain(format_args!("{name}: {error}"));
        return Ok(Status::Failed);
    }
    Ok(Status::Good)
}

/// The text of a file that may be written back: one that is not UTF-8 would
/// not come back the same.
fn read(path: &Path) -> io::Result<String> {
    let bytes = read_named(path, source::MAX_TEXT_LENGTH)
        .map_err(|why| io::Error::other(why.to_string()))?;
    String::from_utf8(bytes).map_err(|_| io::Error::other("not UTF-8"))
}

fn format(text: &str, language: Language, options: &FormatOptions) -> Option<String> {
    let mut host = Host::new(Settings::default());
    let id = host.set_file("", text.into(), language);
    let edits = host.snapshot().formatting(id, options, FormatScope::Whole).ok()?;
    source::apply_edits(text, &edits)
}

//! `tungsten fmt`: lays out the shaders and the assembly of files.

use std::path::{Path, PathBuf};

use engine::ide::{FormatNumbers, FormatScope};
use engine::{Host, Language, Settings};

use super::files::{Heads, each_file, failed_at};
use super::output::{Output, name_at_line_start};
use super::{Status, Stop, one_of, tokens};
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
    #[arg(long, value_parser = one_of(NUMBERS), default_value = "keep")]
    numbers: FormatNumbers,
}

/// The instructions that carry their number.
const NUMBERS: &[(&str, &str, FormatNumbers)] = &[
    ("keep", "As most of the shader's instructions do", FormatNumbers::Keep),
    ("always", "All", FormatNumbers::Always),
    ("never", "None", FormatNumbers::Never),
];

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    each_file(&arguments.files, Heads::None, output, |path, output| file(path, arguments, output))
}

fn file(path: &Path, arguments: &Arguments, output: &mut Output) -> Result<Status, Stop> {
    let stop = |why: &dyn std::fmt::Display| failed_at(path, why);
    let name = path.display().to_string();
    let (text, language) = if Decoder::of(path) == Some(Decoder::Tokens) {
        if !arguments.stdout {
            return Err(stop(&"holds tokens, which have no layout; see --stdout"));
        }
        (tokens::text_of_file(path, &Access::Anywhere)?, Language::Tgsi)
    } else {
        let bytes = read_named(path, source::MAX_TEXT_LENGTH).map_err(|why| stop(&why))?;
        // A text that is not UTF-8 would not come back the same.
        let text = String::from_utf8(bytes).map_err(|_| stop(&"not UTF-8"))?;
        let language = language::of_file(&name, &text);
        (text, language)
    };
    if language == Language::Gcn && language::is_foreign(&name, &text) {
        return Err(stop(&"the assembly of another machine"));
    }
    let formatted = format(&text, language, arguments.numbers)
        .ok_or_else(|| stop(&"the formatter failed; the file is left as it is"))?;
    let same = formatted == text;
    if arguments.check {
        if !same {
            output.line(&name_at_line_start(&name))?;
        }
        return Ok(if same { Status::Good } else { Status::Bad });
    }
    if arguments.stdout || path == Path::new("-") {
        output.document(&formatted)?;
    } else if !same {
        std::fs::write(path, formatted).map_err(|error| stop(&error))?;
    }
    Ok(Status::Good)
}

fn format(text: &str, language: Language, numbers: FormatNumbers) -> Option<String> {
    let mut host = Host::new(Settings::default());
    let id = host.set_file("", text.into(), language);
    let edits = host.snapshot().formatting(id, numbers, FormatScope::Whole).ok()?;
    source::apply_edits(text, &edits)
}
